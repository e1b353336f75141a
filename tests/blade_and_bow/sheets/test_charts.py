"""Charts and counters keep every number that the book gives; an army to print has the dice of the game, and no size."""

from fractions import Fraction

import pytest

from brickphys.blade_and_bow.odds import dice
from brickphys.blade_and_bow.scenario import SCENARIOS, army_list, scenario_report
from brickphys.blade_and_bow.sheets import Counter, Density, FormationSize, charts, counters
from brickphys.odds.law import BinomialLaw

KINDS = tuple(counters().values())


def test_turn_track_has_six_to_twelve_turns_with_marks_at_the_end():
    """BB 5.0 and 5.7: no battle ends by a die before the sixth turn, none goes on after the twelfth."""
    ends = charts().ends
    assert len(ends) == 12
    assert set(ends[:5]) == {0}
    assert list(ends) == sorted(ends)
    assert ends[5] > 0
    assert ends[-1] == 6


def test_grades_are_worth_a_whole_two_thirds_and_a_third():
    assert charts().grades == {"major": 1, "minor": Fraction(2, 3), "marginal": Fraction(1, 3)}


def test_dice_of_sizes():
    """BB 9.3, 9.4.4, and a camp defends as a heavy unit (12)."""
    dice = charts().dice
    assert [dice[size.value] for size in FormationSize] == [1, 2, 3]
    assert (dice["camp"], dice["most"]) == (3, 8)
    assert (dice["hits_to"], dice["cancels_from"]) == (2, 5)


def test_terrain_that_the_book_names():
    """BB 3.3 names what blocks sight; 14.1 has a river, 14.2 hills that nobody enters and a path over them."""
    terrain = charts().terrain
    blocking = {name for name, ground in terrain.items() if ground.blocks}
    assert blocking == {"hill", "closed_hill", "path", "woods", "town"}
    assert {name for name, ground in terrain.items() if ground.closed} == {"closed_hill", "sea"}
    assert {name for name, ground in terrain.items() if ground.is_high} == {
        "hill",
        "closed_hill",
        "path",
    }
    assert terrain["river"].stops
    signs = [ground.sign for ground in terrain.values()]
    assert len(set(signs)) == len(signs)
    assert set(map(len, signs)) == {1}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_disrupted_sides_frighten_and_shoot_nobody(kind: Counter) -> None:
    """BB 10.2, 3.5."""
    assert kind.disrupted.fear == (0, 0, 0)
    assert kind.disrupted.missile_dice == 0
    assert kind.disrupted.missile_defence <= kind.good.missile_defence


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_only_heavy_units_have_ranks(kind: Counter) -> None:
    """BB 17: light and medium units do not use step losses, heavy ones do."""
    assert kind.has_ranks == (kind.size is FormationSize.HEAVY)


def test_hoplites_are_feared_less_on_the_shield_side():
    """BB 3.4.2 has a unit with a modifier of 3; 17 tells of the side with the shield and that with the blade."""
    left, front, right = counters()["hoplite"].good.fear
    assert left < right < front == 3


def test_kinds_that_the_book_describes():
    """BB 9.4.4.3, 9.4.7.1 to 9.4.7.3, and the movement examples of 7."""
    found = counters()
    assert found["immortals"].is_immortal
    assert charts().dice[found["immortals"].size.value] == 2
    assert found["peltast"].density is Density.OPEN
    assert found["hoplite"].density is Density.DENSE
    assert found["maniple"].density is Density.FLEXIBLE
    light = {name for name, kind in found.items() if kind.is_light}
    assert light == {"peltast", "psiloi", "light_cavalry"}
    assert {name for name, kind in found.items() if kind.is_horse} == {
        "light_cavalry",
        "heavy_cavalry",
    }
    assert found["heavy_cavalry"].good.movement == 15
    assert found["light_cavalry"].good.movement > 9


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
