"""What laws say of themselves."""

from dataclasses import replace

import pytest

import brickphys
from brickphys.odds.law_choice import chance_in_hand, chance_words, shortcomings
from brickphys.odds.opposed import opposed
from brickphys.text import percent


@pytest.mark.parametrize("name", brickphys.laws())
def test_the_odds_follow_from_the_chance_that_the_words_end_with(name):
    """A person who checks the success of 2 bricks against 0 with that chance gets it: the shipped laws are binomial."""
    law = brickphys.law(name)
    chance = chance_in_hand(law)
    words = chance_words(law)
    assert words.startswith(percent(float(law.p)))
    assert (f"({percent(float(chance))} in a hand of several)" in words) == (
        percent(float(chance)) != percent(float(law.p))
    )
    if not law.hand_fit.rho:
        assert opposed(2, 0, law).success == 1 - (1 - chance) ** 2


def test_words_of_one_chance_have_no_second():
    assert chance_words(brickphys.law(0.3)) == "30.0 %"
    assert chance_words(brickphys.law(0.3), "more", "and more") == "30.0 % (more; and more)"
    assert chance_words(brickphys.law(), "more") == "28.3 % (27.6 % in a hand of several; more)"


def test_a_law_knows_where_it_is_from(tmp_path):
    path = tmp_path / "mine.json"
    glass = brickphys.law("glass")
    glass.save(path)
    own = brickphys.law(path)
    assert own == glass
    for law, called in ((glass, "glass"), (own, str(path)), (brickphys.law(), "the shipped law")):
        assert brickphys.odds(3, 2, law).law_name.startswith(f"{called} (2x2, hand, ")
    assert brickphys.odds(3, 2, replace(glass, name="")).law_name == "a law (2x2, hand, glass)"


def test_the_interval_of_a_shipped_law_is_of_throws_and_steps():
    assert brickphys.law().interval_meaning == "error of the throws and of the engine's steps alone"


@pytest.mark.parametrize(
    ("name", "bricks", "says"),
    [
        ("default", range(9), []),
        ("baseplate", range(9), ["Hands of 7 and 8 bricks"]),
        ("baseplate", (3, 7, 9), ["Hands of 7 and 9 bricks"]),
        ("pybullet", range(5), ["Hands of 2 to 4 bricks"]),
        ("pybullet", (0, 1), []),
        ("pybullet", (), ["Hands of several bricks"]),
        ("default", (), []),
    ],
)
def test_hands_that_were_not_measured_are_told(name, bricks, says):
    told = shortcomings(brickphys.law(name), bricks)
    assert [one.partition(" were not measured: ")[0] for one in told] == says


def test_a_stated_chance_lacks_nothing():
    assert shortcomings(brickphys.law(0.3), (2, 3)) == []
