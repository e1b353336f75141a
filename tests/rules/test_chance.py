from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.roll import Roll
from brickphys.rules.events.rolls import ChanceSource, LawChance, ScriptedChance, TypedChance

FIFTH = BinomialLaw(Fraction(1, 5))


def typed(*lines):
    """A person with these answers, and what was shown to them."""
    answers, shown = iter(lines), []

    def read():
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    return TypedChance(read, shown.append), shown


@given(st.permutations(range(8)), st.integers(0, 2**53 - 1))
def test_an_address_always_gives_the_same_roll(order, root):
    first, again = LawChance(FIFTH, root), LawChance(FIFTH, root)
    expected = [first.roll(6, (3, i)) for i in range(8)]
    assert {i: again.roll(6, (3, i)) for i in order} == dict(enumerate(expected))
    assert first.roll(6, (3, 5)) == expected[5]


def test_rolls_follow_the_law():
    # Chi-square over 6000 rolls; false alarms: 1 in 1000, for the fixed seed once and for all.
    chance, law = LawChance(FIFTH, 41), FIFTH.roll(4)
    scores = [chance.roll(4, (0, i)).score for i in range(6000)]
    expected = {k: 6000 * float(p) for k, p in law.items()}
    distance = sum((scores.count(k) - e) ** 2 / e for k, e in expected.items())
    assert distance < chi2.ppf(0.999, len(expected) - 1)


def test_neighbouring_addresses_and_roots_are_not_alike():
    chance = LawChance(FIFTH, 1)
    rolls = {tuple(chance.roll(12, (cell, i)).score for i in range(12)) for cell in range(5)} | {
        tuple(LawChance(FIFTH, 2).roll(12, (0, i)).score for i in range(12))
    }
    assert len(rolls) == 6


def test_no_bricks_score_nothing():
    assert LawChance(FIFTH, 1).roll(0, (1,)) == Roll(0, 0)
    assert ScriptedChance([0]).roll(0, ()) == Roll(0, 0)
    source, shown = typed()
    assert source.roll(0, ()) == Roll(0, 0)
    assert shown == []


def test_a_certain_law_gives_its_score():
    assert LawChance(BinomialLaw(Fraction(1)), 5).roll(7, ()) == Roll(7, 7)


@pytest.mark.parametrize("root", [-1, 2**53])
def test_roots_out_of_range_are_refused(root):
    with pytest.raises(InvalidValueError, match="seed"):
        LawChance(FIFTH, root)


def test_negative_addresses_are_refused():
    with pytest.raises(InvalidValueError, match=r"address \(3, -1\)"):
        LawChance(FIFTH, 1).roll(2, (3, -1))


def test_a_script_answers_in_order():
    script = ScriptedChance([2, 0, 3])
    assert [script.roll(3, (9, 9)).score for _ in range(3)] == [2, 0, 3]
    assert script.left == 0


def test_a_script_that_ends_says_where():
    script = ScriptedChance([1])
    script.roll(1, (0,))
    with pytest.raises(InvalidValueError, match=r"ends after 1 scores, and 5 bricks \(attack\)"):
        script.roll(5, (1,), "attack")


@pytest.mark.parametrize("score", [4, -1])
def test_a_script_cannot_score_what_the_bricks_cannot(score):
    script = ScriptedChance([1, score])
    script.roll(3, (0,))
    with pytest.raises(InvalidValueError, match=f"position 2: score {score} of 3 bricks"):
        script.roll(3, (1,))
    assert script.left == 1


def test_a_person_is_asked_in_words():
    source, shown = typed(" 2 ")
    assert source.roll(5, (0,), "trooper attacks") == Roll(5, 2)
    assert shown == ["5 bricks (trooper attacks): how many on a side?"]


@pytest.mark.parametrize("nonsense", ["", "two", "6", "-1", "1.0", "1_0", "٣", "9" * 5000])
def test_a_person_is_asked_again_after_nonsense(nonsense):
    source, shown = typed(nonsense, "5")
    assert source.roll(5, (0,)) == Roll(5, 5)
    assert shown[1].endswith("is not a number from 0 to 5")
    assert len(shown) == 3


def test_typing_that_ends_says_what_was_asked():
    source, _ = typed("x")
    with pytest.raises(InterruptedRunError, match=r"1 brick \(dodge\)"):
        source.roll(1, (0,), "dodge")


def test_every_source_fits_the_protocol():
    sources: list[ChanceSource] = [LawChance(FIFTH, 1), ScriptedChance([1]), typed("1")[0]]
    assert all(isinstance(source.roll(1, (0,), "any"), Roll) for source in sources)


@pytest.mark.parametrize("bricks", [-1, 61])
def test_every_source_refuses_impossible_numbers_of_bricks(bricks):
    for source in (LawChance(FIFTH, 1), ScriptedChance([1]), typed("1")[0]):
        with pytest.raises(InvalidValueError, match=f"bricks: {bricks} is outside"):
            source.roll(bricks, (0,))
