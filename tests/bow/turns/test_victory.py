"""The end by rounds: the most cost points that a side itself has destroyed (BOW A.4)."""

import pytest

from brickphys.bow.sentences import changes
from brickphys.bow.state import NOBODY
from brickphys.errors import InvalidValueError
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle

END = {"kind": "rounds", "rounds": 1}
FOE = unit("foe", "trooper", "blue", 50, 35)
WRECK = {"vehicle": [{"name": "wreck", "base": "jeep", "health": 1, "armor": 0}]}


def begin(*units, **more) -> Battle:
    battle = Battle(setup(*units, FOE, width=60, length=40, aims=[END], **more))
    return battle.do(f"unit {units[0]['id']}")


def ride(*others, crew=(("driver", "driver"),), vehicles=(), **more) -> Battle:
    """Red's wreck at 10,20 goes east at speed 2."""
    seats = [seated(seat, sheet, "red", "car", seat) for seat, sheet in crew]
    car = vehicle("car", "wreck", "red", 10.0, 20.0, speed=2)
    return begin(*seats, *others, vehicles=[car, *vehicles], library=WRECK, **more)


def cost(battle: Battle, *names: str) -> int:
    setting = battle.state.setting
    known = dict(zip(setting.unit_numbers, setting.unit_costs, strict=True))
    known |= dict(zip(setting.vehicle_numbers, setting.vehicle_costs, strict=True))
    return sum(known[name] for name in names)


def test_with_three_sides_each_gets_what_it_destroyed_itself():
    battle = begin(
        unit("a", "jedi", "red", 5, 5),
        unit("b", "trooper", "blue", 6, 5),
        unit("c", "trooper", "green", 40, 5),
    )
    battle.do("attack b light_saber").roll(6, 0)
    assert battle.state.destroyed == (cost(battle, "b"), 0, 0)
    battle.do("end", "unit foe", "end", "unit c", "end")
    assert GAME.returns(battle.state) == (1, -1, -1)


def test_allies_add_up_what_they_destroyed():
    players = [{"name": name, "team": team} for name, team in
               (("red", 0), ("blue", 1), ("green", 0))]  # fmt: skip
    battle = begin(
        unit("a", "jedi", "red", 5, 5),
        unit("b", "trooper", "blue", 6, 5),
        unit("c", "trooper", "green", 40, 5),
        players=players,
    )
    battle.do("attack b light_saber").roll(6, 0).do("end", "unit foe", "end", "unit c", "end")
    assert GAME.returns(battle.state) == (1, -1, 1)


def test_whom_a_vehicle_runs_over_its_driver_has_destroyed_but_not_an_own_unit():
    """BOW 3.6.1."""
    for player, points in (("blue", True), ("red", False), ("green", True)):
        battle = ride(unit("b", "trooper", player, 18, 20), unit("c", "trooper", "green", 40, 5))
        battle.do("advance").roll(2, 0)
        assert battle.unit("b").is_dead
        assert battle.state.destroyed == (cost(battle, "b") * points, 0, 0)


def test_what_crashes_into_decor_nobody_has_destroyed():
    """BOW 3.6.2: an opponent rolls the speed, and shares the rest of the damage; no side has done it."""
    wall = {"id": "wall", "block": [18, 0, 2, 40]}
    battle = ride(decor=[wall], crew=(("driver", "driver"), ("passenger", "trooper")))
    battle.do("advance").roll(2, 0)
    assert battle.actor == "blue"
    battle.do("extra passenger")
    assert battle.unit("passenger").is_dead
    assert battle.state.destroyed == (0, 0)


def test_in_a_collision_each_driver_has_destroyed_the_other_vehicle():
    """BOW 3.6.3, with the points that are left for its occupants (3.5)."""
    other = vehicle("target", "wreck", "blue", 24.0, 20.0)
    battle = ride(seated("d", "trooper", "blue", "target", "driver"), vehicles=[other])
    battle.do("advance").roll(2, 0).roll(2, 0)
    assert battle.vehicle("car").gone
    assert battle.vehicle("target").gone
    assert battle.unit("driver").is_dead
    assert battle.unit("d").is_dead
    lost = cost(battle, "target", "d"), cost(battle, "car", "driver")
    assert battle.state.destroyed == lost


def test_a_captured_vehicle_counts_for_who_destroys_it_under_its_new_driver():
    other = vehicle("prize", "wreck", "red", 20.0, 5.0)
    thief = seated("thief", "trooper", "blue", "prize", "driver")
    battle = ride(unit("gunner", "rocketeer", "red", 14, 5), thief, vehicles=[other])
    battle.do("end", "unit thief", "end", "unit gunner", "attack prize rocket_launcher").roll(1, 0)
    assert battle.vehicle("prize").gone
    assert battle.state.destroyed == (cost(battle, "prize"), 0)


def test_what_leaves_the_field_nobody_has_destroyed():
    """BOW 3.3."""
    away = vehicle("away", "jeep", "blue", 54.0, 20.0, speed=2)
    battle = ride(seated("d", "trooper", "blue", "away", "driver"), vehicles=[away])
    battle.do("end", "unit d", "advance")
    assert battle.vehicle("away").gone
    assert battle.state.destroyed == (0, 0)


def test_a_new_action_that_kills_counts():
    """BOW B.3."""
    battle = begin(
        unit("a", "wizard", "red", 5, 5),
        unit("b", "basic_trooper", "blue", 10, 5),
        actions=["firebolt"],
    )
    battle.do("use firebolt b").roll(4, 0)
    assert battle.state.destroyed == (cost(battle, "b"), 0)


def test_the_points_are_told_in_story_and_status():
    battle = begin(unit("a", "jedi", "red", 5, 5), unit("b", "trooper", "blue", 6, 5))
    before = battle.do("attack b light_saber").state
    assert "cost points destroyed: red 0, blue 0" in GAME.describe(before)
    battle.roll(6, 0)
    points = cost(battle, "b")
    assert f"cost points destroyed by red so far: {points} (BOW A.4)" in changes(
        before, battle.state
    )
    assert f"cost points destroyed: red {points}, blue 0" in GAME.describe(battle.state)


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ("[9,0]", "destroyed: 9 cost points, but only 0 are lost"),
        ("[0]", "destroyed: 1 numbers, not 2"),
    ],
)
def test_a_state_with_points_for_nothing_is_refused(points, why):
    text = GAME.format_state(begin(unit("a", "jedi", "red", 5, 5)).state)
    assert '"destroyed":[0,0]' in text
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(text.replace('"destroyed":[0,0]', f'"destroyed":{points}'))


def test_an_aim_that_is_met_at_the_end_of_the_last_round_comes_before_the_points():
    """Blue has destroyed more, but red holds the area for the round."""
    hold = {"kind": "hold", "player": "red", "area": [20, 30, 1, 1], "rounds": 1}
    units = (
        unit("a", "trooper", "red", 20, 30),
        unit("b", "basic_trooper", "red", 6, 5),
        unit("c", "jedi", "blue", 5, 5),
    )
    battle = Battle(setup(*units, width=60, length=40, aims=[hold, END]), starter=1)
    battle.do("unit c", "attack b light_saber").roll(6, 0).do("end", "unit a", "end")
    assert battle.state.destroyed[1] > 0
    assert GAME.returns(battle.state) == (1, -1)


@pytest.mark.parametrize("rounds", [1, 2])
def test_when_the_rounds_are_over_and_nobody_has_destroyed_more_it_is_a_draw(rounds):
    units = (unit("a", "jedi", "red", 5, 5), unit("b", "trooper", "blue", 20, 5))
    battle = Battle(setup(*units, aims=[{"kind": "rounds", "rounds": rounds}]))
    for played in range(rounds):
        assert (battle.state.result, battle.state.round) == (None, played + 1)
        battle.do("unit a", "end", "unit b", "end")
    assert battle.state.result == NOBODY
    assert GAME.returns(battle.state) == (0, 0)


def test_when_the_last_of_all_sides_die_at_once_nobody_has_won():
    """BOW 3.6.3: two drivers alone, in vehicles that destroy each other."""
    battle = Battle(
        setup(
            seated("d", "trooper", "red", "car", "driver"),
            seated("e", "trooper", "blue", "target", "driver"),
            vehicles=[
                vehicle("car", "wreck", "red", 10.0, 20.0, speed=2),
                vehicle("target", "wreck", "blue", 24.0, 20.0),
            ],
            library=WRECK,
            width=60,
            length=40,
        )
    )
    battle.do("unit d", "advance").roll(2, 0)
    assert battle.state.result is None
    battle.roll(2, 0)
    assert battle.state.result == NOBODY
    assert GAME.returns(battle.state) == (0, 0)
