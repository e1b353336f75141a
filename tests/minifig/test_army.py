"""An army to print has the figures, weapons and things of the game."""

from fractions import Fraction

import pytest

from brickphys.minifig.odds import volley
from brickphys.minifig.scenario import SCENARIOS, army_list, scenario_report
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed

LAW = BinomialLaw(Fraction(1, 4))


def test_hand_to_hand_has_the_bricks_of_the_chart_and_the_points_of_experience():
    soldier, rider = army_list(("soldier,sword,shield=4", "soldier,spear,mounted,yellow")).units
    hand = soldier.attacks[0]
    assert (soldier.count, hand.rolled) == (4, 3)
    assert hand.successes(LAW) == tuple(
        float(opposed(3, bricks, LAW).success) for bricks in range(7)
    )
    charge = rider.attacks[0]
    assert charge.rolled == 6
    assert charge.successes(LAW)[2] == float(opposed(6, 2, LAW, 2).success)
    assert soldier.title == "soldier with sword, shield"


def test_shots_have_the_chances_of_volleys():
    archer, catapult = army_list(("soldier,bow", "big_catapult")).units
    for unit, missile in ((archer, "bow"), (catapult, "big_catapult")):
        shots = [one for one in unit.attacks if one.words != "hand-to-hand"]
        assert [one.distance_mm / 25.4 for one in shots] == pytest.approx([12, 24, 48, 72])
        kill = float(volley(missile, LAW, 24.0).chances["a shot eliminates"])
        assert shots[1].successes(LAW) == (kill,) * 7
    spear = army_list(("soldier,spear",)).units[0].attacks
    assert [one.distance for one in spear[1:]] == ["at 12 (30 cm)", "at 20 (51 cm)"]


def test_sizes_are_those_of_the_game():
    soldier, rider, catapult = army_list(("soldier", "soldier,mounted", "big_catapult")).units
    assert soldier.footprint.size_mm == pytest.approx((16.0, 16.0), abs=0.01)
    assert soldier.footprint.height_mm == pytest.approx(40.0)
    assert rider.footprint.size_mm == (62.0, 16.0)
    assert (catapult.footprint.size_mm, catapult.footprint.height_mm) == ((64.0, 40.0), 30.0)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_armies_of_a_setup_have_all_figures(name):
    report = scenario_report(name)
    kinds = ("soldiers", "peasants", "dogs", "riders")
    for total in report.armies:
        army = army_list((name,), total.name)
        figures = sum(unit.count for unit in army.units if unit.sheet)
        assert figures == sum(total.counts.get(kind, 0) for kind in kinds)
