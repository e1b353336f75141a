"""Ways of a disc against closed forms, against visibility graphs with shapely, and as properties on random fields."""

from dataclasses import replace
from math import acos, asin, atan2, cos, dist, hypot, inf, pi, sin, sqrt

import numpy as np
import pytest

from brickphys.geometry.disc_way import (
    Ground,
    is_free,
    shortest_way,
    straight_reach,
    way_length,
    way_lengths,
)
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import convex_polygon, rectangle

RADIUS = 0.315
AROUND = np.stack([np.cos(np.arange(16) * pi / 8), np.sin(np.arange(16) * pi / 8)], axis=1)


def ground(discs=(), polygons=(), size=(20.0, 20.0), radius=RADIUS):
    walls = Obstacles.of([Prism(polygon, 0, 1) for polygon in polygons])
    return Ground(radius, (0.0, 0.0), size, np.array(discs, float).reshape(-1, 3), walls)


def random_field(seed, size=12.0, discs=6, polygons=2):
    """Return discs and polygons, some of which overlap, and two free places."""
    rng = np.random.default_rng(seed)
    standing = np.column_stack([rng.uniform(0, size, (discs, 2)), rng.uniform(0.2, 1.0, discs)])
    walls = [
        rectangle(*rng.uniform(1, size - 1, 2), rng.uniform(0, 360), *rng.uniform(0.3, 5, 2))
        for _ in range(polygons)
    ]
    walls.append(
        convex_polygon([tuple(corner) for corner in rng.uniform(0, size, (3, 2)).tolist()])
    )
    field = ground(standing, walls, (size, size))
    places = rng.uniform(RADIUS, size - RADIUS, (200, 2))
    free = places[is_free(field, places)]
    return field, standing, walls, [tuple(place) for place in free[:3].tolist()]


def clearance(field, walls, points):
    """The least of what points are farther than the radius from any obstacle."""
    shapely = pytest.importorskip("shapely")
    rooms = [min(points.min() - field.low[0], field.high[0] - points.max())]
    places = shapely.points(points)
    rooms += [shapely.distance(shapely.Point(x, y), places).min() - r for x, y, r in field.discs]
    rooms += [
        shapely.distance(shapely.Polygon(wall.vertices_studs), places).min() for wall in walls
    ]
    return min(rooms) - field.radius


def test_round_one_disc_it_is_two_tangents_and_an_arc():
    grown, apart = 0.5 + RADIUS, 3.0
    way = shortest_way(ground([(10, 10, 0.5)]), (7, 10), (13, 10), 10)
    expected = 2 * sqrt(apart**2 - grown**2) + grown * (pi - 2 * acos(grown / apart))
    assert way.length == pytest.approx(expected, abs=1e-12)
    first, last = way.legs.tolist()
    assert first[:2] == [7, 10]
    assert first[4:] == pytest.approx([10, 10, first[6]])
    assert abs(first[6]) == pytest.approx(pi - 2 * acos(grown / apart))
    assert last[2:] == pytest.approx([13, 10, 0, 0, 0])


def test_from_touch_to_touch_on_the_other_side_it_is_half_a_circle():
    field = ground([(10, 10, 0.5)], radius=0.5)
    assert way_length(field, (9, 10), (11, 10), 4) == pytest.approx(pi)
    (leg, last) = shortest_way(field, (9, 10), (11, 10), 4).legs.tolist()
    assert leg[:4] == pytest.approx([9, 10, 9, 10])
    assert abs(leg[6]) == pytest.approx(pi)
    assert last == pytest.approx([11, 10, 11, 10, 0, 0, 0])


@pytest.mark.parametrize("width", [0.6, 3.0])
def test_round_one_rectangle_it_turns_at_two_corners(width):
    field = ground(polygons=[rectangle(10, 10, 90, 4, width)])
    found = way_length(field, (7, 10), (13, 10), 10)
    aside, up = 3 - width / 2, 2.0  # of the corner from the start
    apart = hypot(aside, up)
    turn = atan2(up, aside) + asin(RADIUS / apart)
    expected = 2 * sqrt(apart**2 - RADIUS**2) + 2 * RADIUS * turn + width
    assert found == pytest.approx(expected, abs=1e-12)


def test_past_a_clear_field_it_is_straight():
    way = shortest_way(ground([(10, 10, 0.5)]), (7, 10 + 0.815), (13, 10 + 0.815), 6)  # a graze
    assert way.length == 6
    assert way.legs.tolist() == [[7, 10.815, 13, 10.815, 0, 0, 0]]


def test_longer_than_permitted_is_no_way():
    field = ground([(10, 10, 0.5)])
    length = way_length(field, (7, 10), (13, 10), 10)
    assert way_length(field, (7, 10), (13, 10), length) == length
    assert way_length(field, (7, 10), (13, 10), length - 1e-6) == inf
    assert shortest_way(field, (7, 10), (13, 10), length - 1e-6) is None


def test_a_way_is_as_long_under_any_limit_that_permits_it():
    """What is too far off for a limit to matter is left out: never what the way goes round."""
    for seed in range(15):
        field, _, _, (start, goal, _) = random_field(seed)
        length = way_length(field, start, goal, 1000)
        if length < inf:
            assert way_length(field, start, goal, length) == pytest.approx(length, abs=1e-9)
            assert way_length(field, start, goal, length - 1e-6) == inf


@pytest.mark.parametrize("inside", [0.0, 0.9e-4, 1.1e-4])
@pytest.mark.parametrize(
    ("x", "y", "toward"),
    [
        (10.0 - 0.5 - RADIUS, 10.0, (1, 0)),  # a disc
        (15.0, 14.0 - RADIUS, (0, 1)),  # a wall
        (RADIUS, 5.0, (-1, 0)),
        (20.0 - RADIUS, 5.0, (1, 0)),
        (5.0, RADIUS, (0, -1)),
        (5.0, 20.0 - RADIUS, (0, 1)),
    ],
)
def test_a_place_may_be_inside_by_the_slack(x, y, toward, inside):
    field = ground([(10, 10, 0.5)], [rectangle(15, 15, 0, 4, 2)])
    place = (x + inside * toward[0], y + inside * toward[1])
    back = (x - 1.5 * toward[0], y - 1.5 * toward[1])
    can = inside < 1e-4
    assert is_free(field, [place])[0] == can
    for one, other in ((place, back), (back, place)):
        length = way_length(field, one, other, 5)
        assert length == (pytest.approx(1.5 + inside, abs=1e-6) if can else inf)


def test_a_closed_ring_lets_nobody_out_and_a_gap_as_wide_as_the_disc_does():
    angles = np.arange(12) * pi / 6

    def ring(gap):  # between neighbours
        reach = (2 * 0.3 + gap) / 2 / sin(pi / 12)
        discs = np.stack(
            [10 + reach * np.cos(angles), 10 + reach * np.sin(angles), 0 * angles + 0.3]
        )
        return way_length(ground(discs.T), (10, 10), (16, 10), 30)

    assert ring(2 * RADIUS - 1e-6) == inf
    assert ring(2 * RADIUS + 1e-12) < 8


def test_the_edge_of_the_rectangle_is_never_crossed():
    walls, start, goal = [rectangle(10, 19, 0, 2, 1.9)], (7, 19.4), (13, 19.4)
    above = way_length(ground(polygons=walls, size=(20, 40)), start, goal, 20)
    below = way_length(ground(polygons=walls), start, goal, 20)
    aside, down = 2.0, 19.4 - 18.05  # of the corner from the start
    apart = hypot(aside, down)
    turn = atan2(down, aside) + asin(RADIUS / apart)
    assert below == pytest.approx(2 * sqrt(apart**2 - RADIUS**2) + 2 * RADIUS * turn + 2)
    assert above < below - 0.5


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0, 2.0, 4.0])
def test_who_touches_leaves_in_every_direction_that_is_free(angle):
    """A place rounded to 1e-4 is in two discs by half of that in both directions."""
    place = (round(10 + 0.63 * cos(angle), 4), round(10 + 0.63 * sin(angle), 4))
    field = ground([(10, 10, RADIUS), (10 + 1.26 * cos(angle), 10 + 1.26 * sin(angle), RADIUS)])
    assert is_free(field, [place]).all()
    reach = straight_reach(field, place, AROUND, 3.0)
    towards = np.abs(AROUND @ [cos(angle), sin(angle)])
    assert reach[towards > 0.2].max() < 1e-3
    aside = (place[0] - 3 * sin(angle), place[1] + 3 * cos(angle))
    assert way_length(field, place, aside, 4) == pytest.approx(3, abs=1e-4)
    beyond = (10 - 0.63 * cos(angle), 10 - 0.63 * sin(angle))
    assert way_length(field, place, beyond, 4) == pytest.approx(0.63 * pi, abs=3e-4)


def test_who_stands_in_something_or_outside_has_no_way():
    field = ground([(10, 10, 0.5)], [rectangle(5, 5, 0, 2, 2)])
    for place in [(10.8, 10), (5, 5), (5, 6.2), (0.3, 9), (9, 19.7)]:
        assert not is_free(field, [place])[0]
        assert shortest_way(field, place, (15, 15), 30) is None
        assert shortest_way(field, (15, 15), place, 30) is None
        assert (straight_reach(field, place, AROUND, 3) == -1).all()


def test_along_a_wall_of_pieces_it_goes_straight():
    pieces = [rectangle(2 + 2 * number, 10, 0, 2, 0.6) for number in range(8)]
    field = ground(polygons=pieces)
    touch = 10 + 0.3 + RADIUS
    assert way_length(field, (2, touch), (15, touch), 14) == 13
    corner = way_length(field, (16, touch), (16, 10 - 0.3 - RADIUS), 10)
    assert corner == pytest.approx(2 + 0.6 + RADIUS * pi)
    reach = straight_reach(field, (2, touch), np.array([(1.0, 0.0), (0.0, -1.0)]), 5)
    assert reach.tolist() == pytest.approx([5, 0])


def check_against_visibility_graphs(seeds):
    found = 0
    for seed in seeds:
        field, discs, walls, (start, goal, _) = random_field(seed)
        low, high = plain().bounds(RADIUS, field.low, field.high, discs, walls, start, goal)
        length = way_length(field, start, goal, 1000)
        assert low - 1e-6 <= length <= high + 1e-6
        found += high < inf and length > dist(start, goal) + 1e-6
    return found


def plain():
    return pytest.importorskip("tests.geometry.plain_disc_way", reason="needs shapely")


def test_it_is_between_the_ways_in_two_visibility_graphs():
    assert check_against_visibility_graphs(range(15)) > 3


@pytest.mark.slow
def test_it_is_between_the_ways_in_many_visibility_graphs():
    assert check_against_visibility_graphs(range(1000, 1300)) > 100


@pytest.mark.parametrize("seed", range(6))
def test_no_point_of_a_way_is_too_near_and_its_points_make_its_length(seed):
    field, _, walls, (start, goal, _) = random_field(seed, discs=10)
    way = shortest_way(field, start, goal, 100)
    if way is None:
        assert way_length(field, goal, start, 100) == inf
        return
    points = way.points(0.01)
    assert clearance(field, walls, points) > -2e-9
    steps = np.hypot(*np.diff(points, axis=0).T)
    assert steps.max() <= 0.01 + 1e-12
    assert steps.sum() == pytest.approx(way.length, rel=1e-4)
    assert points[0].tolist() == list(start)
    assert points[-1].tolist() == pytest.approx(goal)


def test_both_ways_are_as_long_and_no_detour_is_shorter():
    for seed in range(60):
        field, _, _, (one, other, third) = random_field(seed)
        length = way_length(field, one, other, 100)
        assert way_length(field, other, one, 100) == pytest.approx(length, abs=1e-9)
        detour = way_length(field, one, third, 100) + way_length(field, third, other, 100)
        assert length <= detour + 1e-9
        assert length >= dist(one, other)


def test_many_goals_at_once_are_the_same_as_one_by_one():
    """Among the goals are some too far away, some not free, and the start itself."""
    for seed in range(6):
        field, _, _, (start, *_) = random_field(seed)
        goals = np.concatenate([np.random.default_rng(seed).uniform(0, 12, (40, 2)), [start]])
        lengths = way_lengths(field, start, goals, 6.0)
        assert lengths.tolist() == [way_length(field, start, tuple(goal), 6.0) for goal in goals]
        assert lengths[-1] == 0.0
        assert 0 < np.isinf(lengths).sum() < 40
        assert np.isinf(lengths[:-1][~is_free(field, goals[:-1])]).all()


def test_a_straight_reach_ends_where_a_way_ceases_to_be_straight():
    for seed in range(15):
        field, _, _, (start, *_) = random_field(seed)
        reach = straight_reach(field, start, AROUND, 5.0)
        for direction, length in zip(AROUND, reach.tolist(), strict=True):
            end, beyond = (tuple(start + part * direction) for part in (length, length + 0.01))
            assert way_length(field, start, end, 5) == pytest.approx(length, abs=1e-6)
            if length < 5:
                assert way_length(field, start, beyond, length + 0.0101) > length + 0.01 + 1e-9


def test_it_depends_neither_on_where_the_field_lies_nor_on_the_unit():
    turn, shift = np.array([[0.6, 0.8], [-0.8, 0.6]]), np.array([30.0, 40.0])

    def moved(points):
        return 2.0 * (np.asarray(points) @ turn + shift)

    for seed in range(15):
        field, discs, walls, (start, goal, _) = random_field(seed)
        wide = replace(field, low=(-1000, -1000), high=(1000, 1000))
        there = [convex_polygon([*map(tuple, moved(wall.vertices_studs))]) for wall in walls]
        other = replace(
            wide,
            radius=2 * RADIUS,
            discs=np.column_stack([moved(discs[:, :2]), 2 * discs[:, 2]]),
            walls=Obstacles.of([Prism(wall, 0, 1) for wall in there]),
        )
        length = way_length(wide, start, goal, 100)
        assert length < inf
        again = way_length(other, tuple(moved(start)), tuple(moved(goal)), 200)
        assert again == pytest.approx(2 * length, abs=1e-7)
