"""The parts of a disc's ways alone: lines, arcs and tangents among circles and barriers, against shapely."""

from math import cos, hypot, pi, sin

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
    while min(seen) < 100:
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
    while min(seen) < 100:
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
    for radii in [(0.0, 0.0), (0.0, 1.0), (1.5, 0.0), (0.5, 2.0), (2.0, 0.5)] * 10:
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
