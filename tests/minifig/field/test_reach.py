"""Where moves end: rows of the chart, bases, walls, breaches, woods, water, wagons (MF Movement)."""

from math import cos, dist, pi, radians, sin, sqrt

import numpy as np
import pytest

from brickphys.minifig.ground import pieces
from brickphys.minifig.reach import MoveReach, base_problems, haul_problems, spots, way_problems
from brickphys.minifig.setting import STUD_IN, WallSpec, Zone, ZoneKind
from tests.minifig.small_battle import battle, fighter

FOES = fighter("foe", 40, 30, player=1)


def zone(kind, x, y, width, length, height=0):
    corners = ((x, y), (x + width, y), (x + width, y + length), (x, y + length))
    return Zone(ZoneKind(kind), corners, height)


def allowed(state, goal, most=8.0):
    """Whether figure 0 may go there; a fault is told if and only if it may not."""
    allows = MoveReach.of(state, 0, most).allows(goal)
    assert allows == (not list(way_problems(state, 0, goal, most)))
    assert allows == (MoveReach.of(state, 0, most).way(goal) is not None)
    return allows


def farthest(state, angle_deg, most=8.0):
    """How far figure 0 goes in a direction, straight or not, in steps of 0.01 in."""
    x, y = state.figures[0].place_in
    ahead = cos(radians(angle_deg)), sin(radians(angle_deg))
    steps = np.arange(1, round(100 * most) + 50) / 100
    goals = np.array([x, y]) + steps[:, None] * ahead
    return float(steps[MoveReach.of(state, 0, most).allowed(goals)].max(initial=0.0))


def test_a_base_is_walked_round():
    state = battle(fighter("tom", 10, 10), fighter("foe", 13, 10, player=1))
    way = MoveReach.of(state, 0, 8.0).way((16, 10))
    expected = 2 * sqrt(9 - 0.63**2) + 2 * 0.63 * np.arcsin(0.63 / 3)
    assert way.length == pytest.approx(expected, abs=2e-4)
    assert allowed(state, (16, 10), way.length)
    assert not allowed(state, (16, 10), way.length - 1e-6)


def test_nobody_ends_on_a_base_nor_between_two_that_are_too_near():
    state = battle(fighter("tom", 10, 10), fighter("foe", 14, 10, player=1), FOES)
    (fault,) = way_problems(state, 0, (14.4, 10), 8.0)
    assert fault == "at 14.4 10 the base overlaps foe (MF Movement)"
    assert allowed(state, (14.63, 10))
    gap = [fighter(f"foe{number}", 14, 9 + 0.63 * number, player=1) for number in range(4)]
    assert farthest(battle(fighter("tom", 10, 10), *gap), 0, 5.0) < 3.7


def test_a_thing_blocks_and_the_dead_do_not():
    things = {"cart": ("wagon", 13, 10)}
    state = battle(fighter("tom", 10, 10), FOES, things=things)
    (fault,) = way_problems(state, 0, (13, 11), 8.0)
    assert fault == "at 13 11 the base overlaps cart (MF Movement)"
    dead = battle(fighter("tom", 10, 10), fighter("foe", 13, 10, player=1, is_alive=False), FOES)
    assert allowed(dead, (13, 10))


def test_the_table_ends_a_move():
    state = battle(fighter("tom", 1, 18), FOES)
    assert allowed(state, (0.315, 18))
    (fault,) = way_problems(state, 0, (0.3, 18), 8.0)
    assert (
        fault == "at 0.3 18 the base goes beyond the edge of the table of 48 x 36 in (MF Movement)"
    )


WALL = WallSpec("wall", 13.0, 10.0, 0.0, 16, 3)


def test_a_wall_is_walked_round_and_not_stood_on():
    state = battle(fighter("tom", 10, 10), FOES, walls=(WALL,))
    half = 8 * 8 / 25.4
    assert not allowed(state, (16, 10))
    assert MoveReach.of(state, 0, 20.0).way((16, 10)).length > 2 * dist((0, 0), (3 - 0.315, half))
    (fault,) = way_problems(state, 0, (13, 10.5), 8.0)
    assert fault == "at 13 10.5 the base overlaps wall (MF Movement)"
    (fault,) = way_problems(state, 0, (16, 10), 8.0)
    assert "tom can move 8" in fault


def test_a_breach_of_one_brick_is_walked_and_one_of_two_is_not():
    """Bricks of a wall of 16 studs: courses 1 and 3 of four, course 2 of five, numbered from below."""
    spans = WALL.spans
    middle = {n for n, (first, end, _) in enumerate(spans) if first >= 4 and end <= 12}
    upper = {n for n in middle if spans[n][2] > 0}
    top = {n for n in middle if spans[n][2] == 2}
    start = (fighter("tom", 10, 10), FOES)

    def crosses(out):
        return allowed(
            battle(*start, walls=(WALL,)).replaced({"walls": (tuple(sorted(out)),)}), (16, 10)
        )

    assert crosses(middle)
    assert crosses(upper)
    assert not crosses(top)
    state = battle(*start, walls=(WALL,)).replaced({"walls": (tuple(sorted(upper)),)})
    assert allowed(state, (13, 10))  # it may end there
    assert {piece.run.height_bricks for piece in pieces(state.setting, state.walls)} >= {1, 3}


@pytest.mark.parametrize(("studs", "is_passed"), [(1, False), (2, True)])
def test_a_breach_as_wide_as_the_base_is_passed_and_a_narrower_one_is_not(studs, is_passed):
    """Two walls in one line, so many studs apart, each two courses high."""
    aside = (8 + studs) / 2 * STUD_IN
    walls = tuple(WallSpec(f"wall{y}", 13.0, 10 + y, 0.0, 8, 2) for y in (-aside, aside))
    state = battle(fighter("tom", 10, 10), FOES, walls=walls)
    assert allowed(state, (16, 10), 6.0) == is_passed


def test_water_blocks():
    state = battle(fighter("tom", 10, 10), FOES, zones=(zone("water", 12, 0, 2, 15),))
    assert farthest(state, 0) == pytest.approx(2 - 0.315, abs=0.01)
    (fault,) = way_problems(state, 0, (13, 10), 8.0)
    assert fault == "at 13 10 the base reaches into water (MF Movement)"
    lake = battle(fighter("tom", 10, 10), FOES, zones=(zone("water", 12, 0, 2, 36),))
    (fault,) = way_problems(lake, 0, (16, 10), 8.0)
    assert fault == "tom has no way there: bases, walls and water block it (MF Movement)"


def test_woods_halve_a_way_that_touches_them():
    state = battle(fighter("tom", 10, 10), FOES, zones=(zone("woods", 12, 0, 6, 36),))
    assert farthest(state, 0) == pytest.approx(4, abs=0.01)
    assert farthest(state, 180) == pytest.approx(8, abs=0.01)
    (fault,) = way_problems(state, 0, (14.5, 10), 8.0)
    assert fault == "the way there is 4.5 in, but in woods tom can move 4 in (MF Movement)"
    inside = battle(fighter("tom", 13, 10), FOES, zones=(zone("woods", 12, 0, 6, 36),))
    assert farthest(inside, 180) == pytest.approx(4, abs=0.01)


def test_a_way_round_woods_counts_in_full():
    grove = zone("woods", 12, 9, 2, 2)
    state = battle(fighter("tom", 10, 10), FOES, zones=(grove,))
    way = MoveReach.of(state, 0, 8.0).way((16, 10))
    assert 6 < way.length < 8
    for x, y in way.points(0.05).tolist():
        assert dist((x, y), (min(max(x, 12), 14), min(max(y, 9), 11))) > 0.3148
    assert allowed(state, (16, 10), way.length)
    assert not allowed(state, (16, 10), way.length - 1e-6)
    assert (
        MoveReach.of(state, 0, 12.0).way((15, 10)).length > 5.01
    )  # round them, while it may go through


def test_a_wagon_comes_along_straight():
    things = {"cart": ("wagon", 11.4, 10)}
    state = battle(fighter("tom", 10, 10), fighter("foe", 15, 12, player=1), things=things)
    assert not list(haul_problems(state, 0, 0, (16, 10), 6.0))
    (fault,) = haul_problems(state, 0, 0, (16.1, 10), 6.0)
    assert fault == "the way there is 6.1 in, but tom can move cart 6 in (MF Movement)"
    assert not list(haul_problems(state, 0, 0, (8, 10), 6.0))  # pulled over where it stood
    beside = battle(fighter("tom", 10, 10), fighter("foe", 15, 11.2, player=1), things=things)
    assert list(haul_problems(beside, 0, 0, (16, 10), 6.0)) == [
        "tom cannot take cart straight there: something is in the way (MF Movement)"
    ]
    assert not list(way_problems(beside, 0, (14.3, 10), 8.0))
    lengths = np.hypot(*(MoveReach.of(beside, 0, 6.0, 0).straight_in - (10, 10)).T)
    blocked = 15 - 11.4 - sqrt(1.315**2 - 1.2**2)
    assert lengths[0] == pytest.approx(blocked, abs=1e-3)
    assert lengths[8] == pytest.approx(6, abs=2e-4)


def test_woods_halve_the_way_of_a_wagon_that_touches_them():
    woods = (zone("woods", 13, 0, 6, 36),)
    state = battle(fighter("tom", 10, 10), FOES, things={"cart": ("wagon", 11.4, 10)}, zones=woods)
    assert not list(haul_problems(state, 0, 0, (13, 10), 6.0))
    assert list(haul_problems(state, 0, 0, (13.5, 10), 6.0)) == [
        "the way there is 3.5 in, but in woods tom can move cart 3 in (MF Movement)"
    ]
    assert not list(haul_problems(state, 0, 0, (5, 10), 6.0))


def random_battle(seed):
    """Ten against ten among walls, woods and water, on free places."""
    rng = np.random.default_rng(seed)
    walls = tuple(
        WallSpec(f"wall{n}", *rng.uniform(6, 20, 2), float(rng.uniform(0, 360)), 8, 2)
        for n in range(3)
    )
    zones = (zone("woods", 4, 4, 5, 4), zone("water", 15, 15, 4, 3))
    state, fighters = battle(fighter("red0", 1, 1), walls=walls, zones=zones, table=(24, 24)), []
    while len(fighters) < 20:
        place = tuple(np.round(rng.uniform(1, 23, 2), 4).tolist())
        if list(base_problems(state, place, 0.315, rows=() if fighters else (0,))):
            continue
        side = len(fighters) % 2
        name = f"{('red', 'blue')[side]}{len(fighters)}"
        fighters.append(fighter(name, *place, player=side, facing=float(rng.integers(360))))
        state = battle(*fighters, walls=walls, zones=zones, table=(24, 24))
    return state


@pytest.mark.parametrize("seed", range(2))
def test_what_is_listed_is_legal_and_no_point_of_its_way_overlaps_anything(seed):
    state = random_battle(seed)
    shapely = pytest.importorskip("shapely")
    solid = [
        shapely.Polygon(piece.footprint.vertices_studs)
        for piece in pieces(state.setting, state.walls)
    ]
    solid.append(shapely.Polygon(state.setting.zones[1].corners_in))
    woods = shapely.Polygon(state.setting.zones[0].corners_in)
    for figure in range(0, 20, 3):
        reach, bases = MoveReach.of(state, figure, 8.0), np.delete(state.bases, figure, axis=0)
        for spot in spots(state, figure, 8.0):
            assert not list(way_problems(state, figure, spot.place_in, 8.0))
            way = reach.way(spot.place_in)
            points = way.points(0.1)
            apart = np.hypot(*(points[:, None] - bases[:, :2]).transpose(2, 0, 1))
            assert apart.min() > 0.63 - 2.1e-4
            along = shapely.points(points)
            assert min(shapely.distance(along, one).min() for one in solid) > 0.315 - 2.1e-4
            if shapely.distance(along, woods).min() < 0.3148:
                assert way.length <= 4 + 1e-9
            assert way.length <= 8 + 1e-9


def test_a_move_there_is_a_move_back():
    state = random_battle(7)
    for spot in spots(state, 0, 8.0):
        moved = state.with_figure(0, state.figures[0].at(spot.place_in, 0.0))
        assert MoveReach.of(moved, 0, 8.0001).allows(state.figures[0].place_in)


def test_directions_are_sixteen():
    reach = MoveReach.of(battle(fighter("tom", 20, 18), FOES), 0, 8.0)
    angles = np.arctan2(*(reach.straight_in - (20, 18)).T[::-1])
    assert np.allclose(np.sort(angles % (2 * pi)), np.arange(16) * pi / 8, atol=1e-6)
