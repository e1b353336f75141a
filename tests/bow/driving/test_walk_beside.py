"""A driver who walks beside the horses of a catapult (BOW 3.1)."""

import json
from math import cos, dist, radians, sin

import numpy as np
import pytest
from shapely import Point, Polygon

from brickphys.bow.actions.driving import Advance, ChangeDirection, ChangeSpeed
from brickphys.bow.actions.obstacles import door_studs
from brickphys.bow.state import NOBODY
from brickphys.bow.status import battle_status
from brickphys.bow.terrain import vehicle_studs
from brickphys.bow.turns import Do
from brickphys.errors import InvalidValueError
from brickphys.grid.grid import each
from brickphys.rules.record import CHANCE, OVER
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.bow.test_game import LAW, check_invariants

DRIVING = (ChangeSpeed, ChangeDirection, Advance)
FOE = unit("foe", "archer", "blue", 55, 35, "w")


def drawn(*others, x: float = 20.0, y: float = 20.0, heading: float = 0.0, **more) -> Battle:
    """A catapult of 16 x 6 studs with its driver and gunner."""
    crew = (
        seated("driver", "knight", "red", "car", "driver"),
        seated("gunner", "engineer", "red", "car", "gunner"),
    )
    parked = [vehicle("car", "catapult", "red", x, y, heading), *more.pop("vehicles", [])]
    units = (*crew, *(others or (FOE,)))
    return Battle(setup(*units, vehicles=parked, width=60, length=40, **more))


def shape(battle: Battle, name: str = "car"):
    """The footprint of a vehicle as shapely has it."""
    number = battle.state.setting.vehicle_numbers[name]
    return Polygon(battle.state.vehicle_body(number).prism.footprint.vertices_studs)


def test_3_1_the_driver_begins_on_the_stud_beside_that_is_nearest_to_the_front():
    battle = drawn()
    assert battle.at("driver") == (27, 16)  # of (27, 16) and (27, 23), which are as near
    assert battle.state.board.units >> battle.unit("driver").stud & 1
    assert shape(battle).distance(Point(27.5, 16.5)) == 0.5
    gate = {"id": "w", "block": [26, 14, 4, 3], "top": 20}
    assert drawn(decor=[gate]).at("driver") == (27, 23)


def test_3_1_without_room_beside_it_nobody_begins_there():
    walls = [
        {"id": "south", "block": [0, 15, 60, 2], "top": 20},
        {"id": "north", "block": [0, 23, 60, 2], "top": 20},
        {"id": "rear", "block": [10, 17, 2, 6], "top": 20},
    ]
    with pytest.raises(InvalidValueError, match=r"units\[0\].seat: no room beside car \(BOW 3.1\)"):
        drawn(decor=walls)


def test_3_1_and_3_3_the_driver_travels_along_and_is_not_run_over():
    battle = drawn().do("unit driver", "speed 1", "advance")
    assert battle.vehicle("car").x_studs == 25.0
    assert battle.at("driver") == (32, 16)
    assert battle.state.pending == ()
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state


@pytest.mark.parametrize("angle", [45.0, -45.0, 22.5, -10.0])
def test_3_1_and_3_3_a_turn_carries_the_driver_round(angle):
    """Against the nearest of all studs beside to the place that turns with the vehicle."""
    battle = drawn().do("unit driver")
    (x, y, _), turned = battle.state.stance(0), radians(angle)
    dx, dy = x - 20.0, y - 20.0
    place = 20 + cos(turned) * dx - sin(turned) * dy, 20 + sin(turned) * dx + cos(turned) * dy
    battle.do(f"turn {angle:g}")
    others = battle.state.board.free & door_studs(battle.state, 0)
    stances = battle.state.setting.field.stances
    at = dist(battle.state.stance(0)[:2], place)
    assert at < 1.5
    assert all(at <= dist(stances[stud][:2], place) + 1e-9 for stud in each(others))
    assert not shape(battle).buffer(-1e-6).intersects(Point(battle.state.stance(0)[:2]).buffer(0.4))


def test_3_1_what_is_in_the_way_of_the_driver_is_gone_round():
    wall = {"id": "w", "block": [30, 13, 5, 4], "top": 20}
    battle = drawn(decor=[wall]).do("unit driver", "speed 1", "advance")
    assert battle.at("driver") == (29, 16)  # where it has room; 32,16 is in the wall


def test_3_1_without_room_at_the_end_the_driver_stays_behind_and_nobody_drives():
    """A lane as wide as the catapult, which it enters whole."""
    walls = [
        {"id": "south", "block": [30, 0, 30, 17], "top": 20},
        {"id": "north", "block": [30, 23, 30, 17], "top": 20},
    ]
    library = {"vehicle": [{"name": "cart", "base": "catapult", "speed": 4, "doors": ["left"]}]}
    crew = seated("driver", "knight", "red", "car", "driver")
    begin = setup(
        crew,
        unit("foe", "archer", "blue", 5, 5),
        vehicles=[vehicle("car", "cart", "red", 20.0, 20.0)],
        decor=walls,
        library=library,
        width=60,
        length=40,
    )
    battle = Battle(begin).do("unit driver", "speed 4", "advance")
    assert battle.vehicle("car").x_studs == 40.0
    assert battle.unit("driver").on_foot
    assert battle.at("driver") == (27, 23)  # where it stood
    assert battle.state.pilot(0) == NOBODY
    battle.do("end", "unit foe", "end", "unit driver", "drift car")
    assert battle.vehicle("car").x_studs == 60.0


def test_3_1_the_driver_is_in_a_seat_and_cannot_walk_or_be_pushed():
    battle = drawn(unit("foe", "knight", "blue", 27, 15, "n"), actions=["shove"]).do("unit driver")
    assert battle.why_not("walk 30,16")[0] == "driver is in a seat and cannot walk (BOW 3.1)"
    assert "do walk" not in battle.menu()
    battle.do("end", "unit foe", "use shove driver").roll(2, 0)
    assert battle.at("driver") == (27, 16)


def test_3_1_and_3_5_the_driver_is_hit_on_its_own_stud_and_covered_by_the_catapult():
    near, far = (
        unit("near", "knight", "blue", 26, 15, "n"),
        unit("far", "archer", "blue", 21, 35, "s"),
    )
    battle = drawn(near, far).do("unit driver")
    assert battle.why_not("attack near sword") == [
        "near is not in front (BOW 2.4.2)"
    ]  # it looks east
    assert battle.do("end", "unit near").can("attack driver sword")
    battle = drawn(near, far).do("unit driver", "end", "unit far")
    assert battle.why_not("attack driver bow") == ["driver is not visible (BOW 2.4.2)"]
    assert battle.can("attack car bow")


def test_3_6_1_another_vehicle_runs_the_driver_over_who_goes_back_beside_the_horses():
    begin = setup(
        seated("driver", "knight", "red", "car", "driver"),
        seated("b", "driver", "blue", "jeep", "driver"),
        vehicles=[
            vehicle("car", "catapult", "red", 20.0, 24.0),
            vehicle("jeep", "jeep", "blue", 47.0, 18.0, 180.0, 4),
        ],
        width=60,
        length=40,
    )
    battle = Battle(begin, starter=1)
    x, y = battle.at("driver")
    assert 20 <= x < 40
    battle.do("unit b", "advance")
    assert "jeep hits driver" in GAME.chance(battle.state).reason
    battle.roll(0, 0)
    assert battle.unit("driver").seat == (0, 0)
    check_invariants(battle.state)
    assert battle.at("driver") != (x, y)
    assert not shape(battle, "jeep").contains(Point(battle.state.stance(0)[:2]))


def test_3_5_a_destroyed_catapult_hurts_those_on_it_alone():
    battle = drawn(unit("foe", "heavy", "blue", 30, 20, "w"), library={"unit": [
        {"name": "heavy", "base": "knight", "attack": 3, "held": ["gun"], "worn": []}]})  # fmt: skip
    battle.do("unit driver", "end", "unit foe")
    battle.do("attack car gun").roll(4, 0)
    assert battle.vehicle("car").gone
    assert (battle.at("driver"), battle.unit("driver").damage) == ((27, 16), 0)
    assert battle.unit("driver").on_foot
    assert battle.unit("gunner").is_dead


def test_3_3_the_driver_leaves_the_field_with_the_catapult():
    battle = drawn(x=52.0).do("unit driver", "speed 1", "advance", "end")
    battle.do("unit foe", "end", "unit gunner", "end", "unit foe", "end")
    assert battle.vehicle("car").x_studs == 57.0
    battle.do("unit driver", "advance")
    assert battle.vehicle("car").gone
    assert not battle.unit("driver").plays
    assert GAME.actor(battle.state) == OVER


def test_2_3_3_whoever_walks_beside_stops_where_it_stands_and_others_begin_there():
    battle = drawn(unit("mate", "trooper", "red", 20, 16), FOE).do("unit driver", "do leave")
    assert battle.menu() == ["leave 27,16"]
    battle.do("leave 27,16")
    assert battle.unit("driver").on_foot
    battle.do("end", "unit foe", "end", "unit mate", "board car driver")
    assert (battle.at("mate"), battle.unit("mate").seat) == ((20, 16), (0, 0))
    assert battle.can("speed 1")
    assert "20,16, car, driver" in battle_status(battle.state)
    assert GAME.parse_state(GAME.format_state(battle.state)) == battle.state


def test_3_1_a_change_to_or_from_the_place_beside_needs_a_catapult_that_stands():
    battle = drawn().do("unit driver", "leave 27,16", "end", "unit foe", "end", "unit gunner")
    battle.do("seat driver")
    assert battle.unit("gunner").seat == (0, 0)
    assert battle.at("gunner") == (27, 23)  # 27,16 is taken
    battle.do("end", "unit foe", "end", "unit gunner", "speed 1")
    assert "car is moving (BOW 2.3.3)" in battle.why_not("seat gunner")
    assert "car is moving (BOW 2.3.3)" in battle.why_not("leave 27,23")


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        ((0, 0), 5, "driver: not beside car"),
        ((0, 0), None, "driver: on a stud and in a seat, or beside a vehicle and on no stud"),
        ((1, 0), 5, "gunner: on a stud and in a seat"),
    ],
)
def test_a_driver_elsewhere_is_no_state(path, to, why):
    row = json.loads(GAME.format_state(drawn().do("unit driver").state))
    row["figures"][path[0]][path[1]] = to
    with pytest.raises(InvalidValueError, match=why):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


def test_a_driver_elsewhere_is_no_state_while_bricks_are_to_be_rolled_either():
    battle = drawn(unit("foe", "archer", "blue", 40, 20, "w")).do("unit driver", "end", "unit foe")
    row = json.loads(GAME.format_state(battle.do("attack car bow").state))
    assert row["pending"]
    row["figures"][0][0] = 5
    with pytest.raises(InvalidValueError, match="driver: not beside car"):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


def test_3_1_nobody_walks_beside_what_flies():
    flyer = {"name": "kite", "base": "snowspeeder", "seat": [{"name": "p", "pilot": True, "beside": True}]}  # fmt: skip
    with pytest.raises(InvalidValueError, match="p: nobody walks beside a flying vehicle"):
        drawn(library={"vehicle": [flyer]})


def crowded(seed: int) -> Battle:
    """Two catapults and a jeep between walls, furniture and soldiers."""
    rng = np.random.default_rng(seed)
    while True:
        blocks = [(int(rng.integers(0, 56)), int(rng.integers(0, 36))) for _ in range(12)]
        decor = [
            {"id": f"d{n}", "block": [x, y, *rng.integers(1, 4, 2).tolist()], "top": 12}
            for n, (x, y) in enumerate(blocks)
        ]
        crew = [seated(f"{car}_{seat}", "knight", player, car, seat)
                for car, player in (("a", "red"), ("b", "blue")) for seat in ("driver", "gunner")]  # fmt: skip
        crowd = [
            unit(f"u{n}", "trooper", ("red", "blue")[n % 2], *rng.integers(0, 40, 2).tolist())
            for n in range(12)
        ]
        cars = [
            vehicle("a", "catapult", "red", 15.0, 20.0, float(rng.integers(0, 360))),
            vehicle("b", "catapult", "blue", 42.0, 20.0, float(rng.integers(0, 360))),
            vehicle("j", "jeep", "blue", 30.0, 30.0, float(rng.integers(0, 360)), 2),
        ]
        crew.append(seated("racer", "driver", "blue", "j", "driver"))
        try:
            return Battle(setup(*crew, *crowd, vehicles=cars, decor=decor, width=60, length=40))
        except InvalidValueError:
            continue


@pytest.mark.parametrize(
    ("seed", "most"),
    [(0, 30), *[pytest.param(n, 300, marks=pytest.mark.slow) for n in range(1, 13)]],
)
def test_drivers_beside_are_always_beside_and_under_nothing(seed, most):
    """Of games in which whoever can drive mostly does: every state keeps the invariants and reads back."""
    battle, rng, moved = crowded(seed), np.random.default_rng(seed), 0
    state = battle.state
    for _ in range(most):
        actor = GAME.actor(state)
        if actor == OVER:
            break
        if actor == CHANCE:
            moves = list(GAME.chance(state).law(LAW))
        else:
            moves = list(GAME.actions(state))
            driving = [
                move
                for move in moves
                if isinstance(move, DRIVING) or move in (Do("speed"), Do("turn"))
            ]
            if driving and rng.random() < 0.8:
                moves = driving
        after = GAME.apply(state, moves[int(rng.integers(len(moves)))])
        moved += any(
            old.stud != new.stud
            for old, new in zip(state.units, after.units, strict=True)
            if new.seat
        )
        state = after
        check_invariants(state)
        assert GAME.parse_state(GAME.format_state(state)) == state
        covered = [
            vehicle_studs(state.setting.field, state.vehicle_body(number))
            for number in state.vehicles_left
        ]
        assert not any(studs & state.board.units for studs in covered)
    assert moved
