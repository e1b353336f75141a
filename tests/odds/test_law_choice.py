"""What may be given as a law, and its name for people."""

from dataclasses import replace
from fractions import Fraction

import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.law_choice import named_law
from tests.odds.laws import HOME


@pytest.mark.parametrize(
    ("name", "combined", "called"),
    [
        ("default", None, "the shipped law"),
        ("glass", None, "glass"),
        ("", None, "a law"),
        ("", HOME, "the law of mine.csv"),
        ("glass", HOME, "glass"),
    ],
)
def test_a_law_is_called_by_its_name_or_by_the_file_that_it_rests_on(law, name, combined, called):
    given = replace(law, name=name, combined=combined)
    assert named_law(given) == (given, f"{called} (2x2, hand, wood)")


@pytest.mark.parametrize("chance", [0.3, Fraction(3, 10), BinomialLaw(Fraction(3, 10))])
def test_a_stated_chance_is_taken_without_rounding(chance):
    assert named_law(chance) == (BinomialLaw(Fraction(3, 10)), "p = 3/10 as stated")


def test_a_moved_law_is_called_by_its_chance(law):
    moved = law.at(Fraction(1, 4))
    assert named_law(moved) == (moved, "p = 1/4 as stated")


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("0.3", "is a text: write the number without quotation marks"),
        (30, "chance of a side: 30 is outside 0..1; 30 % is 0.3"),
        (1.5, "chance of a side: 1.5 is outside 0..1; 1.5 % is 0.015"),
        (-0.1, "chance of a side: -0.1 is outside 0..1$"),
        (101, "chance of a side: 101 is outside 0..1$"),
    ],
)
def test_what_is_no_chance_is_refused(given, fault):
    with pytest.raises(InvalidValueError, match=fault):
        named_law(given)
