"""Turning: BOW 3.3, the options `turning`, and vehicles that are backed off."""

from dataclasses import replace
from math import ceil, cos, floor, hypot, radians, sin

import numpy as np
import pytest

from brickphys.bow.actions.driving import LISTED_DEG, SMALL_DEG, ChangeDirection, rotations
from brickphys.bow.sentences import changes
from brickphys.bow.setting import TurnRule
from brickphys.vehicles.course import NamedObstacles
from brickphys.vehicles.scene import Bounds, Fixture, Vehicle
from tests.bow.battle import Battle, unit
from tests.bow.driving.test_vehicles import ride
from tests.cases import few

shapely = pytest.importorskip("shapely")

CREWS = {
    "tank": {"driver": "driver"},
    "truck": {"driver": "driver"},
    "jeep": {"driver": "driver"},
    "horse": {"rider": "rider"},
}
WALL = {"id": "wall", "block": [25, 5, 1, 25]}


def crashed(sheet="jeep", **more) -> Battle:
    """A vehicle that has survived a crash into a wall, at which it stands flush."""
    pilot = next(iter(CREWS[sheet]))
    battle = ride(sheet, CREWS[sheet], decor=[WALL, *more.pop("decor", [])], speed=2, **more)
    return battle.do(f"unit {pilot}", "advance").roll(0, 0)


def protrusion(size, angle_deg):
    """How much farther ahead the corner of a rectangle reaches when it is turned about its centre."""
    angle = radians(abs(angle_deg))
    ahead = size.length_studs / 2 * cos(angle) + size.width_studs / 2 * sin(angle)
    return ahead - size.length_studs / 2


def footprint(body):
    return shapely.Polygon(body.prism.footprint.vertices_studs)


@pytest.mark.parametrize(
    ("angle_deg", "can"),
    [(0, False), (0.001, True), (45, True), (-45, True), (45.001, False), (-45.001, False)],
)
def test_3_3_a_turn_is_up_to_45_degrees_to_either_side_and_not_none(angle_deg, can):
    """Where there is room for all of them."""
    battle = ride("jeep", CREWS["jeep"], speed=2).do("unit driver")
    why = [f"a turn is at most 45 degrees to either side, not {angle_deg:g} (BOW 3.3)"]
    assert battle.why_not(f"turn {angle_deg}") == ([] if can else why)


@pytest.mark.parametrize("sheet", CREWS)
@pytest.mark.parametrize("angle_deg", [-45, -1, 0.001, 1, 17.5, 30, 45])
def test_3_3_who_stands_flush_after_a_crash_turns_and_is_backed_off_by_the_least(sheet, angle_deg):
    battle = crashed(sheet)
    x, size = battle.vehicle("car").x_studs, battle.state.setting.vehicles[0].sheet.footprint
    assert x + size.length_studs / 2 == 25.0
    before = battle.state
    battle.do(f"turn {angle_deg}")
    backed = x - battle.vehicle("car").x_studs
    told = f"the car backs off {backed:.1f} studs to make room (BOW 3.3)"
    assert list(changes(before, battle.state)) == ([told] if backed > 0.005 else [])
    assert backed == pytest.approx(max(protrusion(size, angle_deg), 0), abs=1e-8)
    assert backed <= (hypot(size.length_studs, size.width_studs) - size.length_studs) / 2
    front = footprint(battle.state.vehicle_body(0)).bounds[2]
    assert front == pytest.approx(25.0 + min(protrusion(size, angle_deg), 0), abs=1e-8)
    assert battle.vehicle("car").y_studs == 15.0


def test_3_3_in_the_next_round_it_turns_away_and_drives_on():
    battle = crashed().do("turn 45", "turn 45", "end", "unit foe", "end")
    battle.do("unit driver", "speed 1", "turn 45", "advance")
    assert not battle.state.pending
    assert battle.vehicle("car").heading_deg == 135.0


@pytest.mark.parametrize("sheet", CREWS)
def test_3_3_two_troopers_at_its_corners_do_not_hold_a_tank(sheet):
    body = ride(sheet, CREWS[sheet]).state.vehicle_body(0)
    left, right = ceil(15 + body.width_studs / 2), floor(15 - body.width_studs / 2) - 1
    front = floor(15 + body.length_studs / 2) - 1
    troopers = [unit(f"t{y}", "trooper", "blue", front, y) for y in (left, right)]
    battle = ride(sheet, CREWS[sheet], *troopers).do(f"unit {next(iter(CREWS[sheet]))}")
    assert [battle.can(f"turn {angle:g}") for angle in LISTED_DEG] == [True] * 6
    battle.do("turn 45")
    turned = footprint(battle.state.vehicle_body(0))
    for name in (f"t{left}", f"t{right}"):
        x, y = battle.at(name)
        assert battle.unit(name).damage == 0
        assert turned.intersection(shapely.box(x, y, x + 1, y + 1)).area < 1e-6
        assert hypot(x - front, y - (left if name == f"t{left}" else right)) < 6


def test_3_6_1_who_was_run_over_does_not_hold_the_vehicle():
    knights = [unit(f"f{n}", "knight", "blue", 25, 12 + n) for n in range(6)]
    battle = ride("truck", CREWS["truck"], *knights, speed=2).do("unit driver", "advance")
    while battle.state.pending:
        battle.roll(0, 0)
    assert [battle.can(f"turn {angle:g}") for angle in (1, -1, 15, -15, 45, -45)] == [True] * 6


def test_3_3_swept_refuses_a_turn_through_a_wall_and_free_does_not():
    post = {"id": "post", "block": [19, 18, 1, 1]}
    body = ride("jeep", CREWS["jeep"]).state.vehicle_body(0)
    assert hypot(body.length_studs, body.width_studs) / 2 > hypot(4, 3)
    free = ride("jeep", CREWS["jeep"], decor=[post]).do("unit driver")
    swept = ride("jeep", CREWS["jeep"], decor=[post], options={"turning": "swept"})
    assert free.can("turn 45")
    assert swept.do("unit driver").why_not("turn 45") == [
        "car has no room to turn: wall post (BOW 3.3)"
    ]
    assert swept.can("turn -45") == swept.can("turn -30")
    assert "turn 45" not in swept.do("do turn").menu()


def test_3_3_swept_lets_units_make_way_and_a_vehicle_off_a_wall():
    battle = crashed(options={"turning": "swept"})
    assert battle.can("turn 15")
    assert battle.can("turn -30")


def between(ahead: float, behind: float) -> Battle:
    """A jeep at 20, 15 with a wall so far ahead of its front and another so far behind its rear."""
    half = ride("jeep", CREWS["jeep"]).state.vehicle_body(0).length_studs / 2
    walls = [
        {"id": name, "polygon": [[x, 5], [x + 1, 5], [x + 1, 30], [x, 30]]}
        for name, x in (("front", 20 + half + ahead), ("rear", 19 - half - behind))
    ]
    return ride("jeep", CREWS["jeep"], decor=walls, x=20.0).do("unit driver")


@pytest.mark.parametrize(
    ("ahead", "behind", "to"), [(0, 9, -1), (9, 0, 1), (0.25, 9, -1), (9, 0.5, 1)]
)
def test_3_3_it_is_backed_off_from_a_wall_ahead_and_moved_ahead_from_one_behind(ahead, behind, to):
    battle = between(ahead, behind)
    size = battle.state.setting.vehicles[0].sheet.footprint
    battle.do("turn 30")
    went = battle.vehicle("car").x_studs - 20
    assert went == pytest.approx(to * (protrusion(size, 30) - min(ahead, behind)), abs=1e-8)


@pytest.mark.parametrize("angle_deg", [0.5, 3, 15, 30, 45])
@pytest.mark.parametrize("gap", [0.0, 0.1, 0.6, 1.5])
def test_3_3_between_two_walls_it_turns_as_far_as_it_has_room(gap, angle_deg):
    """It passes through neither: not backed off, nor moved ahead, by more than there is room."""
    battle = between(gap / 2, gap / 2)
    size = battle.state.setting.vehicles[0].sheet.footprint
    assert battle.can(f"turn {angle_deg:g}") == (2 * protrusion(size, angle_deg) <= gap)


@pytest.mark.parametrize(
    ("gap", "listed"),
    [(0.0, ()), (0.2, (-1.0, 1.0)), (0.7, SMALL_DEG), (1.3, (-15.0, 15.0)), (4.0, LISTED_DEG)],
)
def test_3_3_small_turns_are_listed_where_there_is_room_for_none_of_the_others(gap, listed):
    battle = between(gap / 2, gap / 2)
    size = battle.state.setting.vehicles[0].sheet.footprint
    for angles in (LISTED_DEG, SMALL_DEG):
        fits = tuple(angle for angle in angles if 2 * protrusion(size, angle) <= gap)
        if fits:
            break
    assert fits == listed
    turns = [action.angle_deg for action in ChangeDirection.legal(battle.state)]
    assert turns == list(listed)


def test_3_3_in_a_corner_it_is_backed_off_and_moved_aside():
    size = ride("jeep", CREWS["jeep"]).state.vehicle_body(0)
    side = {"id": "side", "block": [0, 18, 25, 2]}
    y = 18 - size.width_studs / 2
    battle = ride("jeep", CREWS["jeep"], decor=[WALL, side], speed=2, y=y)
    battle.do("unit driver", "advance").roll(0, 0)
    for angle in LISTED_DEG:
        assert battle.can(f"turn {angle:g}")
    battle.do("turn -45")
    *_, right, high = footprint(battle.state.vehicle_body(0)).bounds
    assert right <= 25 + 1e-8
    assert high <= 18 + 1e-8


@pytest.mark.parametrize("seed", few(range(3)))
def test_3_3_a_turn_ends_clear_after_the_least_that_dense_steps_find(seed):
    """Against shapely: random blocks around a jeep, all headings."""
    rng, backed = np.random.default_rng(seed), 0
    for _ in range(40):
        jeep = Vehicle("jeep", 20.0, 20.0, float(rng.integers(24) * 15), 10.0, 6.0)
        body, blocks = footprint(jeep), []
        for x, y, width, length in rng.uniform((12, 12, 1, 1), (28, 28, 4, 4), (8, 4)):
            corner = shapely.box(x, y, x + width, y + length)
            if corner.intersection(body).area == 0:
                blocks.append(corner)
        walls = shapely.union_all(blocks)
        things = [
            Fixture(f"b{n}", tuple(block.exterior.coords)[:4]) for n, block in enumerate(blocks)
        ]
        around = NamedObstacles.of(Bounds(40.0, 40.0), things)
        angle_deg = float(rng.uniform(5, 45) * rng.choice([-1, 1]))
        end, turned = (
            next(rotations(jeep, angle_deg, TurnRule.FREE, around), None),
            _turned(jeep, angle_deg),
        )
        assert end is None or footprint(end).intersection(walls).area < 1e-7
        most = (hypot(10, 6) - 10) / 2
        ways = np.linspace(0, most, 150)
        least = next((one for one in ways if _is_clear(turned, jeep.heading, one, walls)), None)
        blocked = next(
            (one for one in ways if not _is_clear(jeep, jeep.heading, one, walls)), 2 * most
        )
        if least is not None and least < blocked:
            x, y = jeep.heading
            went = (20 - end.x_studs) * x + (20 - end.y_studs) * y
            assert went == pytest.approx(least, abs=1.1 * ways[1])
            backed += least > 0
    assert backed > 2


def _turned(jeep, angle_deg):
    return replace(jeep, heading_deg=jeep.heading_deg + angle_deg)


def _is_clear(jeep, heading, back, walls):
    """Tell whether a jeep is clear of walls when it is moved back along a heading."""
    moved = jeep.prism.footprint.moved([-back * heading[0], -back * heading[1]])
    return shapely.Polygon(moved.vertices_studs).intersection(walls).area < 1e-9
