"""An army to print has the units and the dice of the game, and no size, since the book gives none."""

from fractions import Fraction

import pytest

from brickphys.blade_and_bow.odds import dice
from brickphys.blade_and_bow.scenario import SCENARIOS, army_list, scenario_report
from brickphys.odds.law import BinomialLaw

LAW = BinomialLaw(Fraction(1, 4))


def test_chances_are_those_of_the_dice():
    hoplite, immortals, archers = army_list(("hoplite=2", "immortals", "archers")).units
    rolled = {one.words: one.rolled for one in hoplite.attacks}
    assert rolled == {"melee": 3, "melee, flank or rear": 4, "melee with a rank": 4}
    assert {one.words: one.rolled for one in immortals.attacks}["melee"] == 3
    expected = [float(dice(3, other).chances["the target is hit"]) for other in range(7)]
    assert list(hoplite.attacks[0].successes(LAW)) == expected
    missiles = archers.attacks[0]
    assert (missiles.words, missiles.distance, missiles.rolled) == ("missiles", "to 8", 2)
    assert missiles.successes(LAW)[0] == pytest.approx(1 - (4 / 6) ** 2)
    assert missiles.distance_mm is None
    assert hoplite.footprint is None


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_armies_of_a_setup_have_all_units_and_leaders(name):
    report = scenario_report(name)
    for player, total in enumerate(report.armies):
        army = army_list((name,), total.name)
        assert army.count == total.counts["units"]
        led = [one for one in report.state.setting.leaders if one.player == player]
        assert all(one.name.replace("_", " ") in army.notes[0] for one in led)
        assert f"Ranks {total.counts['ranks']}," in army.notes[0]
