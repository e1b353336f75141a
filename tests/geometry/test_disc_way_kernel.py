"""The parts of a disc's ways alone: lines, arcs and tangents among circles and barriers, against shapely."""

from math import cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
from shapely import LineString, Point

from brickphys.geometry import disc_way_kernel
from tests.plain_kernels import plain

KERNEL = plain(disc_way_kernel)
TOLERANCE = 1e-9
SURE = 1e-4
"""What is nearer to a tie is not compared: shapely's arcs are polygons."""


def random_things(rng):
    """Circles all round, and barriers with their segments."""
    circles = np.zeros((int(rng.integers(1, 4)), 7))
    circles[:, :3] = rng.uniform([-4, -4, 0.1], [4, 4, 2.0], (len(circles), 3))
    barriers, segments = [], []
    for _ in range(int(rng.integers(3))):
        ends = rng.uniform(-4, 4, (2, 2))
        ux, uy = (ends[1] - ends[0]) / hypot(*(ends[1] - ends[0]))
        nx, ny = uy, -ux  # so that the places along it, a quarter turn from the normal, rise
        low, high = (nx * y - ny * x for x, y in ends)
        barriers.append([nx, ny, nx * ends[0, 0] + ny * ends[0, 1], low, high])
        segments.append(LineString(ends))
    return circles, np.array(barriers).reshape(-1, 5), segments


def is_clear(path, circles, segments):
    """Whether a path stays out of circles and crosses no segment; None if it is nearly one and the other."""
    gaps = [path.distance(Point(x, y)) - radius for x, y, radius in circles[:, :3]]
    if any(abs(gap) < SURE for gap in gaps):
        return None
    for line in segments:
        ends = [Point(at) for at in (*line.coords, path.coords[0], path.coords[-1])]
        near = [path.distance(end) for end in ends[:2]] + [line.distance(end) for end in ends[2:]]
        if min(near) < SURE:
            return None
    return bool(min(gaps) > 0) and not any(path.intersects(line) for line in segments)


def test_lines_are_clear_as_shapely_says_and_go_as_far():
    rng, seen = np.random.default_rng(1), [0, 0]
    while min(seen) < 40:
        circles, barriers, segments = random_things(rng)
        begin, end = rng.uniform(-5, 5, (2, 2))
        if min(hypot(*(begin - c[:2])) - c[2] for c in circles) < SURE:
            continue  # it begins at a free point
        wanted = is_clear(LineString([begin, end]), circles, segments)
        if wanted is None:
            continue
        seen[wanted] += 1
        way = end - begin
        assert KERNEL._is_line_clear(*begin, *way, circles, barriers, TOLERANCE) == wanted
        most = hypot(*way)
        outward = [b for b in barriers if b[:2] @ begin > b[2]]  # they stop who comes from outside
        stops = np.array(outward).reshape(-1, 5)
        far = KERNEL.straight(*begin, *(way / most), most, circles, stops, TOLERANCE)
        if wanted:
            assert far == most
        if far < most:
            stop = Point(begin + far * way / most)
            before = LineString([begin, begin + 0.999 * far * way / most])
            things = [Point(c[:2]).buffer(c[2], 400) for c in circles] + segments
            assert min(stop.distance(thing) for thing in things) < SURE
            assert min(before.distance(Point(c[:2])) - c[2] for c in circles) > 0


def random_arcs(seed):
    """Arcs from a free point: circle, bearing, turn, what stands about, and whether it is clear by shapely."""
    rng, seen = np.random.default_rng(seed), [0, 0]
    while min(seen) < 40:
        circles, barriers, segments = random_things(rng)
        circle = np.array([*rng.uniform(-3, 3, 2), rng.uniform(0.2, 3.0), 0, 0, 0, 0])
        begin, turn = rng.uniform(-pi, pi), rng.uniform(0.05, 2 * pi)
        bearings = np.linspace(begin, begin + turn, 500)
        x, y = circle[:2, None] + circle[2] * np.array([np.cos(bearings), np.sin(bearings)])
        if (np.hypot(x[0] - circles[:, 0], y[0] - circles[:, 1]) < circles[:, 2] + SURE).any():
            continue
        wanted = is_clear(LineString(np.stack([x, y], axis=1)), circles, segments)
        if wanted is not None:
            seen[wanted] += 1
            yield circle, begin, turn, circles, barriers, wanted


def test_arcs_are_clear_as_shapely_says():
    for circle, begin, turn, circles, barriers, wanted in random_arcs(2):
        found = KERNEL._is_arc_clear(circle, begin, turn, circles, barriers, TOLERANCE)
        assert found == wanted
        assert KERNEL._is_arc_clear(circle, begin, 0.0, circles, barriers, TOLERANCE)


def test_an_arrival_is_later_if_a_rival_gets_there_as_soon_along_a_clear_arc():
    for circle, begin, turn, circles, barriers, is_clear_arc in random_arcs(5):
        rows = np.concatenate([circles, [circle], np.zeros((2, 7))])
        at = len(circles)
        for sense in (-1.0, 1.0):
            first, last = (begin, begin + turn)[:: int(sense)]
            for late in (-1e-6, 1e-6):
                rival = (7.0, 0, at, sense, cos(first), sin(first), 0.0, 0.0)
                length = 7.0 + circle[2] * turn + late
                one = (length, 0, at, sense, cos(last), sin(last), 0.0, 0.0)
                found = KERNEL._is_later(one, rival, rows, barriers, TOLERANCE)
                assert found == (is_clear_arc and late > 0.0)


@pytest.mark.parametrize("sense", [-1.0, 1.0])
@pytest.mark.parametrize("onward", [-1.0, 1.0])
def test_a_tangent_leaves_one_circle_and_joins_the_other_as_they_are_followed(sense, onward):
    rng = np.random.default_rng(3)
    for radii in [(0.0, 0.0), (0.0, 1.0), (1.5, 0.0), (0.5, 2.0), (2.0, 0.5)] * 4:
        one, other = (np.array([*rng.uniform(-4, 4, 2), radius]) for radius in radii)
        apart = hypot(*(other - one)[:2])
        along, mx, my = KERNEL._tangent(one, other, sense, onward)
        if apart < abs(onward * radii[1] - sense * radii[0]):
            assert along == -1.0 or 0.0 in radii
            continue
        if apart < sum(radii):
            continue
        left, joins = -sense * np.array([mx, my]), -onward * np.array([mx, my])
        begin, end = one[:2] + one[2] * left, other[:2] + other[2] * joins
        assert hypot(mx, my) == pytest.approx(1.0)
        assert hypot(*(end - begin)) == pytest.approx(along)
        if along > 0.0:
            way = (end - begin) / along
            assert [-way[1], way[0]] == pytest.approx([mx, my], abs=1e-9)


def test_a_turn_is_the_angle_in_its_sense():
    for one in np.arange(0.05, 2 * pi, 0.5):
        for turn in np.arange(0.1, 6.2, 0.6):
            for sense in (-1.0, 1.0):
                other = one + sense * turn
                found = KERNEL._turn(cos(one), sin(one), cos(other), sin(other), sense)
                assert found == pytest.approx(turn)
    assert KERNEL._turn(1.0, 0.0, 1.0, -1e-7, 1.0) == 0.0
    assert KERNEL._turn(1.0, 0.0, 1.0, -1e-5, 1.0) == pytest.approx(2 * pi - 1e-5)


def test_a_corner_is_boundary_between_the_normals_of_its_edges():
    for first, last in ((0.0, 1.0), (2.5, 4.0), (5.0, 7.0)):
        row = np.array([0, 0, 1, cos(first), sin(first), cos(last), sin(last)], dtype=float)
        for bearing in np.arange(first - 1.5, last + 1.5, 0.07):
            found = KERNEL._is_boundary(row, cos(bearing), sin(bearing))
            assert found == (first <= bearing <= last)
        for end in (first, last):
            assert KERNEL._is_boundary(row, cos(end), sin(end))
    all_round = np.zeros(7)
    assert all(KERNEL._is_boundary(all_round, cos(b), sin(b)) for b in range(7))


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize(("blocked", "later"), [(False, True), (True, False)])
def test_a_rival_goes_on_along_an_arc_that_no_circle_blocks(sense, blocked, later):
    """The last two circles are the start and the goal; all before them block."""
    way = 7.0 * sense if blocked else -7.0 * sense
    circles = np.zeros((4, 7))
    circles[:, :3] = [[0, 0, 10], [7, way, 2], [20, 0, 0], [-20, 0, 0]]
    rival, arrival = (0.0, -1, 0, sense, 1.0, 0.0, 0.0, 0.0), (20.0, -1, 0, sense, 0.0, sense, 0, 0)
    barriers = np.zeros((0, 5))
    assert KERNEL._is_later(arrival, rival, circles, barriers, TOLERANCE) is later
    sooner = (15.0, *arrival[1:])  # the arc is 10 times a quarter of a turn, 15.7
    assert not KERNEL._is_later(sooner, rival, circles, barriers, TOLERANCE)


def test_an_arc_within_a_circle_is_not_clear():
    arc, barriers = np.array([0.0, 0.0, 1.0, 0, 0, 0, 0]), np.zeros((0, 5))
    for radius, clear in ((1.4, True), (3.1, False)):
        around = np.array([[2.0, 0.0, radius, 0, 0, 0, 0]])
        assert KERNEL._is_arc_clear(arc, pi / 2, 1.0, around, barriers, TOLERANCE) is clear


# --- touching: numbers that are exact, and a tolerance of a quarter ---

WIDE = 0.25
NONE, SIDE = np.empty((0, 5)), np.array([[1.0, 0.0, 0.0, -1.0, 1.0]])
"""A barrier from (0, -1) to (0, 1), whose free side is at larger x."""


def circle(x, y, radius):
    return np.array([[x, y, radius, 0.0, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("line", "round_one", "clear"),
    [
        ((-3, 1, 6, 0), circle(0, 0, 1.25), True),  # as deep as the tolerance
        ((-3, 0.99, 6, 0), circle(0, 0, 1.25), False),
        ((-0.25, 0.99, 0.5, 0), circle(0, 0, 1.25), False),  # a short one
        ((-1, 0, 0.5, 0), circle(0, 0, 1), False),
        ((-3, 0, 2, 0), circle(0, 0, 1.25), True),  # up to it
        ((-3, 0, 6, 0), circle(0, 0, 0.25), True),  # no larger than the tolerance
        ((-3, 0.1, 6, 0), circle(0, 0, 0.125), True),
        ((-3, 0.1, 6, 0), circle(0, 0, 0.5), False),
        ((1, 0, 0, 0), circle(0, 0, 1.25), True),  # a place
        ((0.99, 0, 0, 0), circle(0, 0, 1.25), False),
    ],
)
def test_a_line_may_touch_a_circle(line, round_one, clear):
    assert KERNEL._is_line_clear(*map(float, line), round_one, NONE, WIDE) is clear


@pytest.mark.parametrize(
    ("line", "clear"),
    [
        ((2, 0, -2, 0), True),  # up to it
        ((2, 0, -2.5, 0), False),
        ((0, 0, 2, 0), True),  # away from it
        ((0, 0, -2, 0), False),
        ((-1, 0, 2, 0), False),
        ((0, -1, 0, 2), True),  # along it
        ((2, 1, -4, 0), False),  # through its ends
        ((2, -1, -4, 0), False),
        ((2, 1.001, -4, 0), True),
        ((2, -1.001, -4, 0), True),
    ],
)
def test_a_line_may_touch_a_barrier_and_not_cross_it_at_its_ends(line, clear):
    assert KERNEL._is_line_clear(*map(float, line), circle(9, 9, 1), SIDE, WIDE) is clear


@pytest.mark.parametrize(
    ("round_one", "clear"),
    [
        (circle(2, 0, 1.25), True),  # outside
        (circle(2, 0, 1.5), False),
        (circle(0.5, 0, 0.75), True),  # inside
        (circle(0.5, 0, 0.8), False),
        (circle(0.5, 0, 2.25), False),  # all round it
    ],
)
def test_an_arc_may_touch_a_circle(round_one, clear):
    """Three quarters of the circle about the origin, through (1, 0)."""
    arc = circle(0, 0, 1)[0]
    assert KERNEL._is_arc_clear(arc, -3 * pi / 4, 3 * pi / 2, round_one, NONE, WIDE) is clear


@pytest.mark.parametrize(
    ("barrier", "clear"),
    [
        ((1, 0, 1, -9, 9), True),
        ((1, 0, 0.9, -9, 9), False),
        ((1, 0, 0, 1, 9), False),  # through its end at (0, 1)
        ((1, 0, 0, 1.001, 9), True),
        ((1, 0, 0, -9, -1), False),
        ((1, 0, 0, -0.999, 0.999), True),
    ],
)
def test_an_arc_may_touch_a_barrier_and_not_cross_it_at_its_ends(barrier, clear):
    arc, barriers = circle(0, 0, 1)[0], np.array([barrier], dtype=float)
    found = KERNEL._is_arc_clear(arc, -3 * pi / 4, 3 * pi / 2, circle(9, 9, 1), barriers, WIDE)
    assert found is clear


@pytest.mark.parametrize(
    ("round_one", "way"),
    [
        (circle(3, 1, 1.25), 5.0),  # as deep as the tolerance
        (circle(3, 1, 1.5), 3 - sqrt(1.25)),
        (circle(3, 0, 1), 2.0),
        (circle(0.75, 0, 0.5), 0.25),
        (circle(1, 0, 1), 0.0),
        (circle(-3, 0, 1), 5.0),
        (circle(7, 0, 1), 5.0),
    ],
)
def test_a_straight_way_ends_at_a_circle_that_it_does_not_only_touch(round_one, way):
    assert KERNEL.straight(0.0, 0.0, 1.0, 0.0, 5.0, round_one, NONE, WIDE) == pytest.approx(way)


@pytest.mark.parametrize(
    ("start", "most", "way"),
    [
        ((2, 0), 5, 1.75),  # up to the tolerance before it
        ((2, 0), 2, 2),
        ((2, 0), 2.001, 1.75),
        ((0.5, 0), 5, 0.25),
        ((0.125, 0), 5, 0),
        ((0, 0), 5, 0),
        ((2, 1), 5, 1.75),
        ((2, -1), 5, 1.75),
        ((2, 1.001), 5, 5),
        ((2, -1.001), 5, 5),
        ((-1, 0), 5, 5),
    ],
)
def test_a_straight_way_ends_before_a_barrier_that_it_meets_from_its_free_side(start, most, way):
    found = KERNEL.straight(*map(float, start), -1.0, 0.0, float(most), circle(9, 9, 1), SIDE, WIDE)
    assert found == way
    away = KERNEL.straight(*map(float, start), 1.0, 0.0, float(most), circle(9, 9, 1), SIDE, WIDE)
    assert away == most


@pytest.mark.parametrize(
    ("one", "other", "sense", "onward", "along"),
    [
        ((0, 0, 1), (2, 0, 1), 1.0, -1.0, 0.0),  # between two that touch
        ((0, 0, 1), (2, 0, 1), 1.0, 1.0, 2.0),
        ((0, 0, 1), (1.9, 0, 1), 1.0, -1.0, -1.0),
        ((0, 0, 1), (0, 0, 1), 1.0, 1.0, -1.0),
        ((0, 0, 1), (0, 0, 2), 1.0, 1.0, -1.0),
        ((0, 0, 0), (0, 0, 0), 1.0, 1.0, -1.0),
        ((0, 0, 0), (1, 0, 1), 1.0, 1.0, 0.0),  # from a point on the circle
        ((0, 0, 0), (1 - 1e-12, 0, 1), 1.0, 1.0, 0.0),
        ((0, 0, 1e-3), (1 - 1e-2, 0, 1), 1.0, 1.0, -1.0),
    ],
)
def test_tangents_of_circles_that_touch_have_no_length_and_none_is_within(
    one, other, sense, onward, along
):
    found, _, _ = KERNEL._tangent(np.array(one), np.array(other), sense, onward)
    assert found == along


def test_a_rival_that_is_there_at_the_same_time_is_as_soon():
    one, rows = (7.0, 0, 0, 1.0, 1.0, 0.0, 0.0, 0.0), np.zeros((3, 7))
    assert KERNEL._is_later(one, one, rows, NONE, TOLERANCE)
    assert not KERNEL._is_later((6.9999, *one[1:]), one, rows, NONE, TOLERANCE)
