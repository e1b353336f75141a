"""States read from text: what play never leads to is refused, whatever it leads to is not."""

import json
from dataclasses import replace

import pytest

from brickphys.bow.notation import overlaps
from brickphys.bow.scenario import SCENARIOS
from brickphys.errors import InvalidValueError
from brickphys.odds.roll import MAX_BRICKS
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.bow.test_game import random_states
from tests.cases import few


def flight() -> Battle:
    """Red's pilot in a moving snowspeeder, one action done of three."""
    return Battle(
        setup(
            seated("pilot", "driver", "red", "car", "pilot"),
            unit("mate", "trooper", "red", 1, 1),
            unit("foe", "trooper", "blue", 59, 39),
            vehicles=[vehicle("car", "snowspeeder", "red", 15.0, 15.0, speed=4)],
            width=60,
            length=40,
        )
    ).do("unit pilot", "speed 5")


NEAR = unit("a", "knight", "red", 5, 5), unit("foe", "trooper", "blue", 6, 5)


def struck() -> Battle:
    """A knight attacks a trooper beside it, and the bricks are to be rolled."""
    return Battle(setup(*NEAR)).do("unit a", "attack foe sword")


def changed(battle: Battle, *path, to) -> str:
    """Return the text of a state in which one entry, or the one at a path, is another."""
    row = json.loads(GAME.format_state(battle.state))
    place = row
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(row, separators=(",", ":"))


PILOT, CAR = ("figures", 0), ("crafts", 0)


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        ((*PILOT, 4), None, "the next step is automatic"),  # neither in the seat nor on a stud
        (("actions_left",), 50, "actions_left: 50 of a budget of 3"),
        (("actions_left",), 0, "the next step is automatic"),
        (("active",), -1, "active: no unit is active, but there are actions"),
        ((*PILOT, 3), True, "pilot has been played"),
        (("finished",), [1], "finished: player 1 has units left to play"),
        (("menu",), "walk", "nothing to walk"),
        (("menu",), "dance", "unknown kind of action 'dance'"),
        (("shots",), [[0, 7]], "not from seats"),
        (("driven",), [0], "not vehicles in order that have moved"),
        ((*CAR, 3), 2, "car: speed 2 is not one of 0, 4, 5, 6, 7, 8"),
        ((*CAR, 4), 2, "car: damage 2 of 2"),
        ((*CAR, 0), 1e9, "is not on the field"),
        ((*CAR, 1), -0.5, "is not on the field"),
        ((*CAR, 2), -720.5, "heading -720.5 is not from 0 to 360"),
        ((*CAR, 2), 360.0, "heading 360 is not from 0 to 360"),
        (("pending",), [["StartRoll", [0, 1], []]], "start is in round 0"),
    ],
)
def test_an_impossible_state_is_refused(path, to, why):
    battle = flight()
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(changed(battle, *path, to=to))


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        (("crafts",), [], "crafts: 0, not 1"),
        (("holding",), [0], "holding: 1 numbers, not 0"),
        (("open",), ["gate"], "are not doors"),
        (("objects",), [[5, "pot"]], "objects: 'pot' on 5"),
        (("objects",), [[2400, "key"]], "objects: 'key' on 2400"),
        (("objects",), [[5, "key"], [4, "key"]], "objects: not in order"),
        (("finished",), [0, 0], "finished: a player is named twice"),
        (("result",), 2, "result: 2 is not a team"),
        (("active",), 2, "active: 2 is not a unit of player 0"),
        (("active",), 3, "active: 3 is not a unit of player 0"),
        (("actions_left",), 4, "actions_left: 4 of a budget of 3"),
        (("shots",), [[0, 1], [0, 0]], "not from seats in order"),
        ((*CAR, 4), 3, "car: damage 3 of 2"),
        ((*CAR, 7), 1, "player 1 drove it last, but another player's unit is in the pilot's seat"),
        ((*PILOT, 4), [1, 0], "pilot: no seat"),
        ((*PILOT, 4), [0, 2], "pilot: no seat"),
        ((*CAR, 6), True, "pilot: no seat"),
        ((*PILOT, 2), 99, "pilot: damage 99 of"),
        (("figures", 1, 0), 2400, "mate: stud 2400 is not on the field"),
    ],
)
def test_what_no_battle_has_is_refused(path, to, why):
    """The field has 60 x 40 studs."""
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(changed(flight(), *path, to=to))


def test_each_pair_in_one_place_is_named_once():
    state = flight().state
    both = state.with_unit(1, replace(state.units[1], stud=state.units[2].stud))
    assert list(overlaps(both)) == ["mate and foe are at one place"]
    seat = replace(state.units[1], stud=None, seat=state.units[0].seat)
    assert list(overlaps(state.with_unit(1, seat))) == ["pilot and mate are at one place"]
    jeeps = [vehicle(name, "jeep", "red", 15.0, y) for name, y in (("car", 10.0), ("van", 20.0))]
    apart = Battle(
        setup(unit("a", "knight", "red", 1, 1), unit("foe", "trooper", "blue", 2, 1),
              vehicles=jeeps, width=60, length=40)
    ).state  # fmt: skip
    near = apart.with_vehicle(1, replace(apart.vehicles[1], y_studs=11.0))
    assert list(overlaps(near)) == ["car overlaps van"]
    wall = {"id": "w", "kind": "door", "block": [3, 3, 1, 1]}
    walled = Battle(
        setup(unit("a", "knight", "red", 1, 1), unit("foe", "trooper", "blue", 2, 1), decor=[wall])
    ).state
    inside = replace(walled.units[0], stud=walled.setting.field.stud(3, 3))
    assert list(overlaps(walled.with_unit(0, inside))) == ["a has no room to stand on (3, 3)"]
    assert list(overlaps(walled)) == []


def test_it_is_no_units_turn_before_the_first_round():
    row = json.loads(GAME.format_state(GAME.initial(setup(*NEAR)))) | {
        "active": 0,
        "actions_left": 2,
    }
    row["figures"][0][3] = True  # the mark of a unit that has not been played in round 0
    with pytest.raises(
        InvalidValueError, match="active: 0, but the players still roll for the start"
    ):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


def test_the_dead_roll_nothing_in_a_turn_of_theirs():
    battle = struck()
    with pytest.raises(InvalidValueError, match="no unit is active"):
        GAME.parse_state(changed(battle, *PILOT, 0, to=None))


@pytest.mark.parametrize("place", [3, 4])
def test_a_pending_roll_has_no_more_bricks_than_can_be_rolled(place):
    battle = struck()
    bricks = ("pending", 0, place)
    for most in (0, MAX_BRICKS):
        text = changed(battle, *bricks, to=most)
        assert GAME.format_state(GAME.parse_state(text)) == text
    for beyond in (-1, MAX_BRICKS + 1):
        with pytest.raises(InvalidValueError, match=f"{beyond}"):
            GAME.parse_state(changed(battle, *bricks, to=beyond))


@pytest.mark.parametrize(
    ("place", "to", "why"),
    [
        (2, -2, "by: -2 is not from -1 to 1"),
        (4, 0, "odd: 0 is not from 1 to 2"),
        (4, 3, "odd: 3 is not from 1 to 2"),
        (5, [0, 0, 1], "units: a unit is named twice"),
        (6, [0, 0], "units: a unit is named twice"),
        (6, [3], "chosen: too many, or not among the units"),
        (6, [0, 1], "chosen: too many, or not among the units"),
    ],
)
def test_an_impossible_sharing_of_damage_is_refused(place, to, why):
    wall = {"id": "wall", "block": [26, 0, 2, 40]}
    wreck = {"vehicle": [{"name": "wreck", "base": "truck", "health": 1, "armor": 0}]}
    seats = ("driver", "mate", "bench_1")
    crew = [seated(seat, "driver", "red", "car", seat) for seat in seats]
    car = vehicle("car", "wreck", "red", 15.0, 15.0, speed=4)
    begin = setup(
        *crew,
        unit("foe", "trooper", "blue", 59, 39),
        vehicles=[car],
        decor=[wall],
        width=60,
        length=40,
        library=wreck,
    )
    battle = Battle(begin).do("unit driver", "advance").roll(3, 0)
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(changed(battle, "pending", 0, place, to=to))


def poised(*texts: str, **more) -> Battle:
    """Red's archer a and blue's trooper foe, and red's jeep that drives into what is ahead of it."""
    battle = Battle(
        setup(
            unit("a", "archer", "red", 5, 5),
            seated("driver", "driver", "red", "car", "driver"),
            unit("foe", "trooper", "blue", 6, 5),
            unit("ahead", "trooper", "blue", 22, 15),
            vehicles=[vehicle("car", "jeep", "red", 15.0, 15.0, speed=4)],
            decor=[{"id": "wall", "block": [30, 5, 2, 20]}],
            width=60,
            length=40,
            **more,
        )
    )
    return battle.do(*texts)


DRIVE, SHOOT = ("unit driver", "advance"), ("unit a", "attack foe bow")
GIVE, THROW = ("unit a", "give bow held foe"), ("unit a", "throw bow held")
LEAP, BLAST = ("unit a", "use jump a"), ("unit a", "use blast foe")
OWN = {
    "trivial_action": [
        {"name": "jump", "target": "self", "effect": {"kind": "leap", "points": 3}},
    ],
    "opposed_action": [
        {"name": "blast", "target": "enemy", "effect": {"kind": "damage"}, "range_studs": 10,
         "colour": "brown", "acting": "attack", "resisting": "dodge"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "path", "to", "why"),
    [
        (DRIVE, (0, 1), "cart", "vehicle: 'cart' is not a vehicle"),
        (DRIVE, (0, 2), "nobody", "unit: 'nobody' is not a unit"),
        (DRIVE, (1, 1), "cart", "vehicle: 'cart' is not a vehicle"),
        (DRIVE, (2, 1), "cart", "vehicle: 'cart' or '' is not a vehicle"),
        (DRIVE, (2, 2), "cart", "vehicle: 'car' or 'cart' is not a vehicle"),
        (SHOOT, (0, 1), "nobody", "'nobody' is not in play"),
        (SHOOT, (0, 2), "sword", "weapon: the active unit has no 'sword'"),
        (SHOOT, (0,), ["DisputeRoll"], "no attack follows the dispute"),
        (SHOOT, (0,), ["Disputable", "foe"], "no attack follows the dispute"),
        (GIVE, (0, 1), 1, "giver: not the active unit"),
        (GIVE, (0, 3), "pot", "item: no 'pot' 'held'"),
        (GIVE, (0, 4), "hat", "item: no 'bow' 'hat'"),
        (GIVE, (0, 3), "sword", "item: the giver has no sword held"),
        (THROW, (0, 1), 1, "unit: not the active one"),
        (THROW, (0, 2), "pot", "item: no gear 'pot'"),
        (("unit a", "walk 5,6"), (0, 1), 1, "unit: 1 is not the active one"),
        (LEAP, (0, 1), 1, "unit: 1 is not on foot"),
        (BLAST, (0, 1), "jump", "action: no opposed action 'jump'"),
        (BLAST, (0, 1), "dance", "action: no opposed action 'dance'"),
        (BLAST, (0, 2), "car", "target: 'car' is not a target in play of blast"),
        (BLAST, (0, 2), "nobody", "target: 'nobody' is not a target in play of blast"),
    ],
)
def test_what_waits_for_nobody_or_nothing_is_refused(texts, path, to, why):
    battle = poised(*texts, library=OWN, actions=["jump", "blast"])
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(changed(battle, "pending", *path, to=to))


@pytest.mark.parametrize(
    ("texts", "why"), [(GIVE, "receiver: cannot take it"), (SHOOT, "'foe' is")]
)
def test_nothing_waits_for_who_is_out_of_the_battle(texts, why):
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(changed(poised(*texts), "figures", 2, 0, to=None))


def test_before_the_first_round_the_players_roll():
    row = json.loads(GAME.format_state(GAME.initial(setup(*NEAR)))) | {"pending": []}
    with pytest.raises(InvalidValueError, match="round: 0, and no player rolls for the start"):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


def test_who_is_dead_and_what_is_destroyed_reads_back_with_all_its_cost_points():
    battle = Battle(
        setup(
            unit("a", "jedi", "red", 5, 5),
            unit("b", "trooper", "blue", 6, 5),
            unit("foe", "trooper", "blue", 20, 5),
            vehicles=[vehicle("mare", "horse", "blue", 6.0, 8.0)],
        )
    )
    battle.do("unit a", "attack b light_saber").roll(6, 0).do("attack mare light_saber").roll(6, 0)
    state = battle.state
    assert state.destroyed == (state.setting.unit_costs[1] + state.setting.vehicle_costs[0], 0)
    assert GAME.parse_state(GAME.format_state(state)) == state
    for damage in (state.units[1].damage + 1, state.units[1].damage - 1):
        with pytest.raises(InvalidValueError):
            GAME.parse_state(changed(battle, "figures", 1, 2, to=damage))
    with pytest.raises(InvalidValueError, match="mare: damage 2 of 1"):
        GAME.parse_state(changed(battle, "crafts", 0, 4, to=2))


def test_a_vehicle_is_neither_below_the_ground_nor_above_everything_piled_up():
    """The highest is a tower of 20 plates; a jeep and a truck on it come to 45."""
    ground = [[0.0] * 30 + [6.0] * 30 for _ in range(40)]
    state = Battle(
        setup(unit("a", "knight", "red", 1, 1), unit("foe", "trooper", "blue", 2, 1),
              vehicles=[vehicle("car", "jeep", "red", 15.0, 10.0),
                        vehicle("van", "truck", "red", 15.0, 30.0)],
              decor=[{"id": "tower", "block": [50, 30, 2, 2], "top": 20}],
              ground=ground, width=60, length=40)
    ).state  # fmt: skip
    for height, why in ((0.0, []), (45.0, []), (-0.5, ["car: height -0.5 is not from 0 to 45"]),
                        (45.5, ["car: height 45.5 is not from 0 to 45"])):  # fmt: skip
        car = replace(state.vehicles[0], base_plates=height)
        assert list(GAME.state_problems(state.with_vehicle(0, car))) == why


@pytest.mark.parametrize("path", [("menu",), ("result",)])
def test_nothing_is_chosen_or_rolled_besides(path):
    """Of a menu while bricks are to be rolled, and after the battle."""
    battle = struck()
    with pytest.raises(InvalidValueError, match=r"menu|the battle is over"):
        GAME.parse_state(changed(battle, *path, to="walk" if path == ("menu",) else 0))


@pytest.mark.parametrize("name", few(["chase", "rocket", "ambush", "flight"], 2))
@pytest.mark.parametrize("seed", few(range(2)))
def test_every_state_of_play_reads_back(name, seed):
    for state in [*random_states(GAME.initial(SCENARIOS[name]), 50 + seed, 300)][::2]:
        assert GAME.parse_state(GAME.format_state(state)) == state
