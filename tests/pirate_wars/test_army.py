"""An army to print has the ships, crews and weapons of the game, in the sizes that the book gives."""

from fractions import Fraction
from math import comb

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.army import army_list
from brickphys.pirate_wars.scenario import SCENARIOS, scenario_report
from brickphys.pirate_wars.sheets import ships

LAW = BinomialLaw(Fraction(1, 4))


def at_least(hits, dice, chance):
    return sum(
        comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(hits, dice + 1)
    )


@pytest.mark.parametrize("name", ships())
def test_a_ship_has_the_length_of_the_chart_and_its_full_crew(name):
    army, sheet = army_list((name,)), ships()[name]
    first, *crew = army.units
    assert first.footprint.size_mm == (sheet.length_studs * 8.0, sheet.width_studs * 8.0)
    along, across = zip(*first.footprint.corners_mm, strict=True)
    assert max(along) - min(along) == pytest.approx(sheet.length_studs * 8.0)
    assert max(across) - min(across) == pytest.approx(sheet.width_studs * 8.0)
    assert first.footprint.height_mm is None
    full = {role.value: count for role, count in sheet.full_crew.items() if count}
    assert {unit.name: unit.count for unit in crew} == full
    assert army.cost_points is None


def test_cannons_of_a_side_hit_as_their_dice_say():
    """Ball hits with a face of 1 or 2, shot with 1 to 3; three dice a cannon (PW, Weapons Chart)."""
    (large,) = (unit for unit in army_list(("imperial_flagship_large",)).units if unit.sheet)
    shot, ball = large.attacks
    assert (ball.words, ball.distance) == ("4 cannons over a side, ball", "to 12 (9.6 cm)")
    assert (ball.rolled, shot.rolled, shot.distance_mm) == (12, 12, 64.0)
    for attack, chance in ((ball, 1 / 3), (shot, 1 / 2)):
        expected = [at_least(hits, 12, chance) for hits in range(1, 7)]
        assert attack.successes(LAW) == pytest.approx(expected)
    runner = army_list(("red_beards_runner",)).units[0]
    assert [one.words for one in runner.attacks][::2] == [
        "1 cannon over a side, shot",
        "1 cannon over the bow, shot",
    ]


def test_who_shoots_hits_with_its_attack():
    units = {unit.name: unit for unit in army_list(("marine", "pirate=3", "captain")).units}
    assert [unit.count for unit in units.values()] == [1, 1, 3]
    assert units["marine"].attacks[0].successes(LAW) == pytest.approx((4 / 6,))
    assert units["captain"].attacks[0].successes(LAW) == pytest.approx((5 / 6,))
    assert units["pirate"].attacks == ()


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_fleets_of_a_setup_have_all_ships_and_minifigs(name):
    for total in scenario_report(name).armies:
        army = army_list((name,), total.name)
        found = [unit.count for unit in army.units if unit.sheet]
        assert sum(found) == total.counts["ships"]
        assert army.count - sum(found) == total.counts["minifigs"]
