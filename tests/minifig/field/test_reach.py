"""Where moves end: bases, walls, breaches, woods, water, wagons; and the places that stand for all (MF Movement)."""

import cmath
from math import atan2, cos, degrees, dist, pi, radians, sin, sqrt

import numpy as np
import pytest

from brickphys.geometry.pose import bearing_deg
from brickphys.minifig import ground
from brickphys.minifig.reach import MoveReach, base_problems, haul_problems, spots, way_problems
from brickphys.minifig.setting import STUD_IN, THICK_IN, WallSpec, Zone, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN
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
    assert {piece.run.height_bricks for piece in ground.pieces(state.setting, state.walls)} >= {
        1,
        3,
    }


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
        for piece in ground.pieces(state.setting, state.walls)
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


FOE = (23.92, 18.78)
"""Between two of the 16 directions from (20, 18)."""


def ends(state, figure=0, most=8.0):
    """The states in which the figure may end."""
    return [
        state.with_figure(figure, state.figures[figure].at(spot.place_in, spot.facing_deg))
        for spot in spots(state, figure, most)
    ]


def test_it_may_stay_and_may_turn_to_the_nearest_enemy():
    state = battle(fighter("tom", 20, 18, facing=33), fighter("foe", 20, 30, player=1))
    first, second, *rest = spots(state, 0, 8.0)
    assert first == ((20, 18), 33)
    assert second == ((20, 18), 90)
    assert len(rest) == 16
    for (x, y), facing in rest:
        assert facing == round(degrees(atan2(30 - y, 20 - x))) % 360
        assert dist((x, y), (20, 18)) == pytest.approx(8, abs=3e-4)


@pytest.mark.parametrize("facing", [0.0, 45.0, 200.0])
def test_it_touches_front_sides_and_rear_of_an_enemy(facing):
    state = battle(fighter("tom", 20, 18), fighter("foe", 23.92, 18.78, player=1, facing=facing))
    touching = [end.figures[0] for end in ends(state) if ground.touches(end, 0, 1)]
    bearings = [bearing_deg(FOE, facing, one.place_in) for one in touching]
    assert sorted(round(bearing) % 360 for bearing in bearings) == [0, 90, 180, 270]
    for one in touching:
        assert abs(bearing_deg(one.place_in, one.facing_deg, FOE)) <= 0.51


@pytest.mark.parametrize(
    ("at", "found"), [(90, [0, 180, 270]), (60, [0, 120, 180, 270]), (120, [0, 60, 180, 270])]
)
def test_where_a_side_is_taken_it_goes_beside_if_there_is_room(at, found):
    """A friend of its own stands at a bearing of the enemy, 0.64 in away."""
    friend = (FOE[0] + 0.64 * cos(radians(at)), FOE[1] + 0.64 * sin(radians(at)))
    foe = fighter("foe", *FOE, player=1)
    state = battle(fighter("tom", 20, 18), fighter("ann", *friend), foe)
    touching = [end.figures[0].place_in for end in ends(state) if ground.touches(end, 0, 2)]
    assert sorted(round(bearing_deg(FOE, 0, place)) % 360 for place in touching) == found


def test_enemies_beyond_reach_are_not_touched():
    state = battle(fighter("tom", 20, 18), fighter("foe", 29, 18, player=1))
    assert not any(ground.touches(end, 0, 1) for end in ends(state))
    assert any(ground.touches(end, 0, 1) for end in ends(state, most=8.4))


@pytest.mark.parametrize("kind", ["soldier", "dog"])
def test_it_goes_to_the_nearest_weapon_and_thing_if_it_has_hands(kind):
    lying = {"axe": ("axe", 22, 21), "bow": ("bow", 16, 24)}
    things = {"bay": ("horse", 16.08, 17.22), "roan": ("horse", 27, 27)}
    foe = fighter("foe", 40, 18, player=1)
    state = battle(fighter("tom", 20, 18, kind=kind), foe, lying=lying, things=things)
    items = {item for end in ends(state) for item in ground.items_touched(end, 0)}
    horses = {thing for end in ends(state) for thing in ground.things_touched(end, 0)}
    assert (items, horses) == (({0}, {0}) if kind == "soldier" else (set(), set()))


@pytest.mark.parametrize(
    "bearing",
    [*range(0, 360, 15), *(n + aside for n in range(0, 360, 45) for aside in (1.3, -1.3))],
)
def test_an_item_is_touched_from_the_nearest_of_24_directions(bearing):
    start = (24 + 3 * cos(radians(bearing)), 18 + 3 * sin(radians(bearing)))
    foe = fighter("foe", 44, 34, player=1)
    state = battle(fighter("tom", *start), foe, lying={"axe": ("axe", 24, 18)})
    (at,) = [one.figures[0].place_in for one in ends(state) if 0 in ground.items_touched(one, 0)]
    assert dist(at, (24, 18)) == pytest.approx(2 * BASE_RADIUS_IN + TOUCH_IN / 2, abs=1e-3)
    off = degrees(atan2(at[1] - 18, at[0] - 24)) - 15 * round(bearing / 15)
    assert (off + 180) % 360 - 180 == pytest.approx(0, abs=0.01)


def test_it_takes_cover_behind_the_nearest_wall():
    wall = WallSpec("wall", 22.0, 18.0, 10.0, 8, 2)
    state = battle(fighter("tom", 20, 18), fighter("foe", 30, 18, player=1), walls=(wall,))
    covered = []
    for end in ends(state):
        x, y = end.figures[0].place_in
        foe = end.with_figure(1, end.figures[1].at((44 - x, 36 - y), 0))  # straight across
        covered += [x] if ground.wall_between(foe, 0, 1) == 0 else []
    assert covered
    assert max(covered) < 22 - THICK_IN / 2


@pytest.mark.parametrize("facing", [0, 30, 135, 250])
@pytest.mark.parametrize("aside", [-1.0, 1.0])
@pytest.mark.parametrize("along", [-2.6, -0.4, 0.9, 2.6])
def test_cover_is_opposite_to_the_enemy_as_near_as_the_wall_is_long(facing, aside, along):
    """In the frame of a wall 8 studs long: the figure 2 in before or behind it, the enemy 5 in on either side."""
    turn = cmath.rect(1.0, radians(facing))
    wall = WallSpec("wall", 24.0, 18.0, float(facing), 8, 2)
    start = complex(24, 18) + turn * complex(2 * aside, along)
    for side in (-1.0, 1.0):
        foe = complex(24, 18) + turn * complex(5 * side, 0.3)
        state = battle(
            fighter("tom", start.real, start.imag),
            fighter("foe", foe.real, foe.imag, player=1),
            walls=(wall,),
        )
        found = [
            (complex(*spot.place_in) - complex(24, 18)) / turn for spot in spots(state, 0, 8.0)
        ]
        deep = -side * (THICK_IN / 2 + BASE_RADIUS_IN + TOUCH_IN / 2)
        half = 8 * STUD_IN / 2
        wanted = complex(deep, min(max(along, -half), half))
        assert min(abs(one - wanted) for one in found) < 1e-3


def test_the_highest_hill_at_a_place_counts():
    def hill(x, width, height):
        corners = ((x, 10.0), (x + width, 10.0), (x + width, 20.0), (x, 20.0))
        return Zone(ZoneKind.HILL, corners, height)

    wood = Zone(ZoneKind.WOODS, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)))
    state = battle(fighter("tom", 1, 1), zones=(hill(10, 10, 1), hill(12, 2, 3), wood))
    found = [
        ground.height_bricks(state.setting, (x, 15.0))
        for x in (9.9, 10.0, 11.0, 12.0, 13.0, 15.0, 20.1)
    ]
    assert found == [0, 1, 1, 3, 3, 1, 0]
    assert ground.height_bricks(state.setting, (5.0, 5.0)) == 0


def test_pieces_are_what_stands():
    state = battle(fighter("tom", 1, 1), walls=(WallSpec("wall", 20.0, 18.0, 0.0, 8, 2),))
    spans = state.setting.walls[0].spans
    (whole,) = ground.pieces(state.setting, ((),))
    assert (whole.run.height_bricks, whole.is_breach) == (2, False)
    lone = next(number for number, span in enumerate(spans) if span == (0, 4, 0))
    left, right = ground.pieces(state.setting, ((lone,),))
    assert [left.is_breach, right.is_breach] == [True, False]
    assert left.footprint.area_studs2 == pytest.approx(right.footprint.area_studs2)
    assert ground.pieces(state.setting, (tuple(range(len(spans))),)) == ()
