"""Attacks side by side: exact differences, and their range with the same p in both."""

import doctest
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.odds.answer import Odds
from brickphys.odds.comparison import DAMAGE, KILL, SUCCESS, Chances, compare, turn_chances
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import BinomialLaw
from brickphys.odds.law_file import default_law
from brickphys.odds.opposed import kill_after, opposed

LAW = default_law()
EXPECTED = f"expected {DAMAGE}"
BRICKS = st.integers(0, 5)


def turn(*bricks, **more):
    """The chances of an attack as a function of the law."""
    return lambda law: turn_chances(str(bricks), bricks, law, **more)


@given(BRICKS, BRICKS, st.integers(1, 3), st.integers(1, 4))
def test_a_turn_is_every_outcome_of_its_attacks(attack, defence, attacks, health):
    law = BinomialLaw(Fraction(1, 3))
    once = opposed(attack, defence, law).damage
    found = turn_chances("", (attack, defence), law, health=health, attacks=attacks)
    totals: dict[int, Fraction] = {}
    for ways in product(once.items(), repeat=attacks):
        chance = Fraction(1)
        for _, share in ways:
            chance *= share
        points = sum(points for points, _ in ways)
        totals[points] = totals.get(points, Fraction(0)) + chance
    assert dict(found.numbers[DAMAGE]) == totals
    assert found.events[SUCCESS] == 1 - (1 - once.at_least(1)) ** attacks
    assert found.events[KILL] == kill_after([(attack, defence)] * attacks, health, law)[-1]
    assert found.quantities[EXPECTED] == attacks * once.mean()


def test_a_difference_is_exact_and_its_range_has_the_same_p_in_both():
    found = compare([turn(4, 3), turn(3, 2)], LAW, "")
    more = found.difference(SUCCESS, 0, 1)
    assert more.exact == opposed(4, 3, LAW).success - opposed(3, 2, LAW).success
    low, high = (Fraction(end).limit_denominator(10**6) for end in LAW.p_range90)
    steps = [
        float(opposed(4, 3, law).success) - float(opposed(3, 2, law).success)
        for law in map(LAW.at, [LAW.p, *(low + i * (high - low) / 16 for i in range(17))])
    ]
    assert more.range90 == pytest.approx((min(steps), max(steps)), abs=1e-12)
    assert more.range90[0] <= float(more.exact) <= more.range90[1]


def test_the_range_of_a_difference_is_narrower_than_if_tables_differed():
    found = compare([turn(6, 1), turn(5, 1)], LAW, "")
    ends = [found.range90(SUCCESS, number) for number in (0, 1)]
    low, high = found.difference(SUCCESS, 0, 1).range90
    assert high - low < 0.5 * ((ends[0][1] - ends[1][0]) - (ends[0][0] - ends[1][1]))


def test_an_attack_does_not_differ_from_itself():
    found = compare([turn(4, 2, health=2)] * 2, LAW, "")
    for quantity in found.quantities:
        more = found.difference(quantity, 0, 1)
        assert (more.exact, more.range90) == (0, (0.0, 0.0))


def test_a_stated_chance_has_no_range():
    found = compare([turn(4, 3), turn(3, 3), turn(3, 2)], BinomialLaw(Fraction(1, 4)), "")
    for one, other in product(range(3), repeat=2):
        more, less = found.difference(SUCCESS, one, other), found.difference(SUCCESS, other, one)
        assert more.range90 is None
        assert more.is_sure
        assert more.exact == -less.exact
    assert found.ranking(SUCCESS) == [0, 2, 1]


def test_more_may_be_less_on_another_table():
    """With many dodging bricks a good table helps the defence: which attack is better depends on p."""
    roll = [
        lambda law: Chances("one", {"it": law.p}),
        lambda law: Chances("two", {"it": 1 - law.p - Fraction(41, 100)}),
    ]
    found = compare(roll, LAW, "")
    more = found.difference("it", 0, 1)
    assert more.range90[0] < 0 < more.range90[1]
    assert not more.is_sure


def test_what_only_some_attacks_have_is_left_open():
    found = compare([turn(4, 3, health=2), turn(3, 2)], LAW, "")
    assert found.quantities == (SUCCESS, KILL, EXPECTED)
    assert found.first == SUCCESS
    assert found.difference(KILL, 0, 1) is None
    assert found.range90(KILL, 1) is None
    assert found.ranking(KILL) == [0]
    rows = found.rows()
    assert len(rows) == 6
    (lacking,) = (row for row in rows if row["value"] is None)
    assert (lacking["quantity"], lacking["attack"]) == (KILL, 2)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InvalidValueError, match="2 to 6 attacks, not of 1"):
        compare([turn(3, 2)], LAW, "")
    with pytest.raises(InvalidValueError, match="2 to 6 attacks, not of 7"):
        compare([turn(3, 2)] * 7, LAW, "")
    other = Chances("cards", {}, {"cards": Distribution.point(1)})
    with pytest.raises(InvalidValueError, match="no event or number is in all"):
        compare([turn(3, 2), lambda _: other], LAW, "")
    with pytest.raises(InvalidValueError, match=r"attacks: 13 is outside 1\.\.12"):
        turn(3, 2, attacks=13)(LAW)
    with pytest.raises(InvalidValueError, match="2 of 37 bricks are more than 72"):
        turn(37, 2, attacks=2)(LAW)
    with pytest.raises(InvalidValueError, match="health: 0 is outside"):
        turn(3, 2, health=0)(LAW)


def test_the_example_of_a_comparison_holds():
    tests = doctest.DocTestFinder(recurse=False).find(Odds.compare, "compare")
    assert not sum(doctest.DocTestRunner().run(test).failed for test in tests)


def test_odds_compare_themselves():
    ours = brickphys.odds(4, 3, health=2, attacks=2)
    both = ours.compare(brickphys.odds(3, 2))
    assert both.attacks[0].title == "4 bricks against 3, 2 attacks on 2 health"
    assert both.attacks[0].events[KILL] == ours.kill_after[-1]
    assert both.law_name == ours.law_name
    assert len(both.to_pandas()) == len(both.rows()) == 6
    assert len(both.plot().axes) == 2
    with pytest.raises(InvalidValueError, match="the laws differ"):
        ours.compare(brickphys.odds(3, 2, "glass"))
    with pytest.raises(InvalidValueError, match="not of 1"):
        ours.compare()


def test_an_unknown_quantity_is_named_with_those_that_there_are():
    found = compare([turn(4, 3), turn(3, 2)], LAW, "")
    with pytest.raises(InvalidValueError, match="unknown quantity 'sucess': "):
        found.difference("sucess", 0, 1)
