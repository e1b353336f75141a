"""Names as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.rules.names import Naming, folded, like, meant, player_names

NAMES = {
    "red_knight_1": Naming(0, "A"),
    "red_knight_10": Naming(0, "B"),
    "blue_knight_1": Naming(1, "a"),
    "bob": Naming(1, "b"),
    "long_sword": Naming(),
    "sword": Naming(),
    "a+b": Naming(),
}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("red_knight_1", ["red_knight_1"]),
        ("Red Knight 1", ["red_knight_1"]),
        ("réd  knîght1", ["red_knight_1"]),
        ("re kn 10", ["red_knight_10"]),
        ("knight 1", ["red_knight_1", "blue_knight_1"]),
        ("1", ["red_knight_1", "blue_knight_1"]),
        ("sword", ["sword"]),
        ("lo", ["long_sword"]),
        ("b", ["bob"]),
        ("B", ["red_knight_10"]),
        ("a b", ["a+b"]),
        ("knight red", []),
        ("?", []),
    ],
)
def test_names_are_found_by_words_beginnings_and_letters(typed, found):
    assert meant(NAMES, typed) == found


@given(st.sampled_from(sorted(NAMES)), st.booleans())
def test_a_name_is_itself_however_it_is_written(name, is_loud):
    spoken = " ".join(folded(name))
    assert meant(NAMES, spoken.upper() if is_loud else spoken)[0] == name
    assert meant(NAMES, name) == [name]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("knigt 10", "red_knight_10"),
        ("blue_knihgt_1", "blue_knight_1"),
        ("swrod", "sword"),
        ("Bbo", "bob"),
        ("bleu", "blue_knight_1"),
        ("rde", "red"),
        ("catapult", None),
        ("", None),
    ],
)
def test_a_mistyped_name_or_part_of_one_is_recognised(typed, found):
    assert like(NAMES, typed) == found


def test_things_of_players_may_change_hands():
    class Ship:
        name, player = "hind", 0

    assert player_names([Ship()]) == {"hind": Naming(0)}
    assert player_names([Ship()], ["H"], [1]) == {"hind": Naming(1, "H")}
