"""Attack actions and damage: BOW 2.4.2, 2.4.3, A.2."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Polygon

from brickphys.bow.actions.damage import opponent
from brickphys.bow.actions.targets import is_ahead
from brickphys.bow.field import is_in_front
from brickphys.bow.sentences import roll_clause
from brickphys.rules.record import OVER
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle


def duel(attacker: str, target: str, x: int = 6, **more):
    return Battle(
        setup(
            unit("a", attacker, "red", 5, 5),
            unit("t", target, "blue", x, 5, "w"),
            unit("far", "trooper", "blue", 29, 19),
            **more,
        )
    ).do("unit a")


def test_2_4_2_the_difference_of_the_two_rolls_is_the_damage():
    battle = duel("jedi", "wizard").do("attack t light_saber")
    assert battle.asked == "6 against 3"
    battle.roll(4, 1)
    assert battle.unit("t").damage == 3


@pytest.mark.parametrize("scores", [(2, 2), (0, 0), (1, 3)])
def test_2_4_2_an_attack_that_is_no_higher_fails(scores):
    battle = duel("jedi", "wizard").do("attack t light_saber").roll(*scores)
    assert battle.unit("t").damage == 0
    assert battle.state.actions_left == 2


def test_2_4_3_damage_adds_up_until_it_reaches_the_health():
    battle = duel("jedi", "wizard")
    battle.do("attack t light_saber").roll(3, 0).do("attack t light_saber")
    assert battle.unit("t").plays
    battle.roll(1, 0)
    assert not battle.unit("t").plays
    assert battle.unit("t").damage == 4


def test_2_4_3_a_dead_unit_is_removed_and_its_objects_fall_on_its_stud():
    battle = duel("swordsman", "archer").do("attack t sword").roll(2, 1)
    assert battle.at("t") is None
    assert battle.lying() == [((6, 5), item) for item in ("bow", "knife", "pouch")]
    assert battle.why_not("attack t sword") == ["t is out of the battle (BOW 2.4.3)"]


def test_2_4_3_nothing_is_left_of_a_dead_unit_but_its_damage():
    """Units that died in other ways are equal then, and states that play alike are, too."""
    battle = duel("jedi", "archer")
    marked = replace(battle.unit("t"), marked=True, guard=3, held_up=1)
    battle.state = battle.state.with_unit(1, marked)
    dead = battle.do("attack t light_saber").roll(6, 0).unit("t")
    assert list(dead.sheet.gear.items()) == []
    assert (dead.stud, dead.seat, dead.damage) == (None, None, dead.sheet.health)
    assert (dead.facing, dead.marked, dead.guard, dead.held_up) == (0, False, 0, 0)


def test_2_4_4_an_opponent_is_the_next_of_another_team_if_possible_one_in_play():
    names = ("red", "blue", "green", "black")
    players = [{"name": name, "team": n % 2} for n, name in enumerate(names)]
    units = [unit(f"u{n}", "trooper", name, 2, 2 * n) for n, name in enumerate(names)]
    state = Battle(setup(*units, players=players)).state
    assert [opponent(state, player) for player in range(4)] == [1, 2, 3, 0]
    state = state.with_unit(1, replace(state.units[1], stud=None))
    assert [opponent(state, player) for player in (0, 2)] == [3, 3]
    state = state.with_unit(3, replace(state.units[3], stud=None))
    assert [opponent(state, player) for player in (0, 2)] == [1, 3]


def test_2_4_2_melee_needs_the_target_in_front_and_within_the_weapon():
    battle = duel("swordsman", "trooper", x=7)
    assert battle.can("attack t sword")
    assert duel("swordsman", "trooper", x=8).why_not("attack t sword") == [
        "sword cannot touch t, 3 studs away: its reach is 2 (BOW 2.4.2)"
    ]
    battle.do("walk 5,5", "face w")
    assert battle.why_not("attack t sword") == ["t is not in front (BOW 2.4.2)"]


@pytest.mark.parametrize("seat", [None, "driver", "gunner"])
def test_2_4_2_and_3_4_any_part_of_a_vehicle_is_in_front(seat):
    """Against shapely: the part of the footprint in the half-plane ahead; on foot, and from seats of a tank."""
    mine = (
        unit("a", "driver", "red", 10, 10)
        if seat is None
        else seated("a", "driver", "red", "t", seat)
    )
    tank = vehicle("t", "tank", "red", 40.0, 40.0)
    car = vehicle("car", "truck", "blue", 30.0, 30.0)
    foe = unit("foe", "trooper", "blue", 1, 1)
    state = Battle(setup(mine, foe, vehicles=[tank, car], width=60, length=60)).do("unit a").state
    rng, found = np.random.default_rng(4), set()
    for _ in range(300):
        x, y = rng.uniform(10, 50, 2)
        car = replace(state.vehicles[1], x_studs=x, y_studs=y, heading_deg=rng.uniform(0, 360))
        tank = replace(state.vehicles[0], heading_deg=rng.uniform(0, 360))
        facing = int(rng.integers(8))
        here = state.with_vehicle(1, car).with_vehicle(0, tank)
        if seat is None:
            here = here.with_unit(0, replace(here.me, facing=facing))
        axis = 0.0 if seat is None else float(rng.uniform(-180, 180))
        ahead = np.radians(here.heading_deg(0) + axis)
        at = np.array(here.stance(0)[:2])
        forward = 500 * np.array([np.cos(ahead), np.sin(ahead)])
        left = np.array([-forward[1], forward[0]])
        half = Polygon([at - left, at - left + forward, at + left + forward, at + left])
        footprint = Polygon(here.vehicle_body(1).prism.footprint.vertices_studs)
        deep = footprint.intersection(half).area
        if 0 < deep < 1e-6 * footprint.area:
            continue
        is_seen = is_ahead(here, "car", axis, 180.0)
        assert is_seen == (deep > 0)
        assert is_ahead(here, "car", axis, 360.0 if seat else 180.0) or not is_seen
        found.add((is_seen, footprint.centroid.within(half)))
    assert found == {(True, True), (True, False), (False, False)}


def test_2_4_2_the_quarter_of_a_truck_in_front_is_enough():
    """The truck's middle is behind the swordsman, its bonnet beside and ahead of him."""
    begin = setup(
        unit("a", "swordsman", "red", 16, 13),
        unit("foe", "trooper", "blue", 1, 1),
        vehicles=[vehicle("car", "truck", "blue", 15.0, 10.0)],
    )
    battle = Battle(begin).do("unit a")
    assert battle.can("attack car sword")
    assert not is_in_front(battle.unit("a").facing, battle.state.stance(0)[:2], (15.0, 10.0))


def four_minifigs() -> Battle:
    """The figure of the example: behind, behind a wall, behind a low wall at 16 to 30 studs, at 46 to 60 studs."""
    return Battle(
        setup(
            unit("firer", "archer", "red", 10, 10, "e"),
            unit("fig1", "basic_trooper", "blue", 4, 10),
            unit("fig2", "basic_trooper", "blue", 20, 16),
            unit("fig3", "basic_trooper", "blue", 30, 10),
            unit("fig4", "basic_trooper", "blue", 60, 8),
            width=70,
            length=30,
            decor=[
                {"id": "wall", "block": [15, 11, 1, 5], "top": 30},
                {"id": "low_wall", "block": [29, 9, 1, 3], "top": 6},
            ],
        )
    ).do("unit firer")


def test_2_4_2_example_with_four_minifigs():
    battle = four_minifigs()
    assert battle.why_not("attack fig1 bow") == ["fig1 is not in front (BOW 2.4.2)"]
    assert battle.why_not("attack fig2 bow") == ["fig2 is not visible (BOW 2.4.2)"]
    assert [reason.split(":")[0] for reason in battle.why_not("attack fig4 bow")] == [
        "fig4 is too far away"
    ]
    battle.do("do attack")
    assert battle.menu() == ["attack fig3 bow"]
    battle.do("attack fig3 bow")
    assert battle.asked == "2 against 2"  # 1 + 2 less 1; 1 and 1 for its cover


def test_2_4_2_a_rocket_of_a_grenade_is_for_the_advanced_rules():
    begin = setup(
        unit("a", "bomber", "red", 5, 5),
        unit("t", "trooper", "blue", 8, 5),
        library={"unit": [{"name": "bomber", "base": "basic_trooper", "held": ["grenade"]}]},
    )
    battle = Battle(begin).do("unit a")
    assert "Advanced Rules" in battle.why_not("attack t grenade")[0]
    assert battle.can("throw grenade held")


def test_a_2_two_weapons_are_used_as_one():
    begin = setup(
        unit("lara", "gunslinger", "red", 5, 5),
        unit("t", "trooper", "blue", 8, 5),
        library={"unit": [{"name": "gunslinger", "base": "basic_trooper", "held": ["gun", "gun"]}]},
    )
    battle = Battle(begin).do("unit lara", "attack t gun+gun")
    assert battle.asked == "5 against 3"


def test_2_4_2_nobody_attacks_his_own_side_or_nothing():
    battle = duel("swordsman", "trooper")
    assert battle.why_not("attack a sword") == ["a is not an enemy of a (BOW 2.4.2)"]
    assert "did you mean" in battle.why_not("attack t swrd")[0]
    assert "unknown unit or vehicle 'zzz'" in battle.why_not("attack zzz sword")[0]


def dispute() -> Battle:
    battle = Battle(
        setup(
            unit("a", "archer", "red", 5, 5),
            unit("t", "basic_trooper", "blue", 12, 5),
            decor=[{"id": "low", "block": [11, 4, 1, 3], "top": 6}],
            options={"dispute": True},
        )
    )
    return battle.do("unit a", "attack t bow")


def test_2_4_2_a_covered_target_may_dispute_where_the_option_asks_for_it():
    battle = dispute()
    assert (battle.actor, battle.menu()) == ("blue", ["agree", "dispute"])
    battle.do("dispute")
    assert battle.asked == "5 against 5"
    battle.roll(2, 2).roll(1, 3)
    assert battle.menu()[0] == "do walk"  # the shot is lost
    assert battle.state.actions_left == 1
    battle = dispute().do("dispute").roll(3, 1)
    assert battle.asked == "3 against 2"
    assert dispute().do("agree").asked == "3 against 2"


def hidden(dispute: bool) -> Battle:
    wall = {"id": "wall", "kind": "wall", "block": [8, 3, 1, 5]}
    return Battle(
        setup(
            unit("a", "archer", "red", 5, 5),
            unit("t", "trooper", "blue", 12, 5, "w"),
            unit("j", "jedi", "red", 12, 7),
            decor=[wall],
            options={"dispute": dispute},
        )
    ).do("unit a")


def test_2_4_2_a_firer_may_dispute_that_a_target_is_hidden():
    assert hidden(False).why_not("attack t bow") == ["t is not visible (BOW 2.4.2)"]
    battle = hidden(True).do("do attack")
    assert battle.menu() == ["attack t bow"]
    battle.do("attack t bow")
    assert battle.asked == "5 against 5"
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    left = battle.state.actions_left
    battle.roll(4, 4).roll(1, 3)
    assert (battle.actor, battle.state.pending) == ("red", ())  # the shot is lost, its action too
    assert battle.state.actions_left == left == 1
    battle.do("attack t bow").roll(3, 1)
    assert battle.asked == "3 against 4"  # one brick more, as if covered
    assert "(hidden, 1 brick more to resist)" in roll_clause(battle.state, (2, 0))


def test_the_last_side_standing_wins():
    battle = Battle(setup(unit("a", "jedi", "red", 5, 5), unit("t", "trooper", "blue", 6, 5)))
    battle.do("unit a", "attack t light_saber").roll(6, 0)
    assert GAME.actor(battle.state) == OVER
    assert GAME.returns(battle.state) == (1, -1)
    assert GAME.actions(battle.state) == ()
    assert battle.why_not("end") == ["the battle is over"]


def test_2_4_2_a_target_that_is_near_but_behind_a_wall_is_not_said_to_be_far():
    wall = [{"id": "wall", "block": [6, 0, 1, 20], "top": 40}]
    battle = duel("swordsman", "trooper", x=7, decor=wall)
    assert battle.why_not("attack t sword") == ["sword cannot touch t (BOW 2.4.2)"]


def test_2_4_2_of_a_covered_vehicle_its_driver_is_asked_and_the_question_reads_back():
    """The wall hides the feet of the truck; its driver is blue's, though it was red's."""
    battle = Battle(
        setup(
            unit("a", "archer", "red", 5, 5),
            seated("thief", "trooper", "blue", "car", "driver"),
            vehicles=[vehicle("car", "truck", "red", 20.0, 5.5)],
            decor=[{"id": "low", "block": [9, 0, 1, 12], "top": 6}],
            options={"dispute": True},
        )
    ).do("unit a", "attack car bow")
    assert (battle.actor, battle.menu()) == ("blue", ["agree", "dispute"])
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state


@pytest.mark.parametrize("heading_deg", [0.0, 90.0])
def test_3_5_an_exposed_rider_shoots_exactly_sideways_and_as_often_as_he_has_actions(heading_deg):
    """His own bow has no firing rate, and to the rear it does not shoot."""
    ahead = round(heading_deg) == 90
    places = {"left": (0, 6), "right": (0, -6), "rear_left": (-1, 6), "rear_right": (-1, -6)}
    units = []
    for name, (along, across) in places.items():
        x, y = (-across, along) if ahead else (along, across)
        units.append(unit(name, "jedi", "blue", 15 + x, 10 + y))
    battle = Battle(
        setup(
            seated("a", "archer", "red", "car", "pilot"),
            *units,
            vehicles=[vehicle("car", "landspeeder", "red", 15.5, 10.5, heading_deg)],
        )
    ).do("unit a", "do attack")
    assert battle.menu() == ["attack left bow", "attack right bow"]
    battle.do("attack left bow").roll(0, 0)
    assert battle.state.shots == ()
    assert battle.can("attack right bow")


def test_3_5_what_is_left_of_the_damage_of_an_empty_vehicle_hurts_nobody():
    empty = vehicle("car", "horse", "blue", 9.0, 5.5)
    battle = duel("jedi", "trooper", x=20, vehicles=[empty]).do("attack car light_saber")
    battle.roll(6, 0)
    assert battle.vehicle("car").gone
    assert battle.actor == "red"
    assert all(figure.damage == 0 for figure in battle.state.units)
    assert battle.why_not("attack car light_saber") == ["car is out of the battle (BOW 3.5)"]
