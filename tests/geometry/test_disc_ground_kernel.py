"""What grows by the radius of a disc: distances, free places, circles and barriers, against shapely and by hand."""

from math import cos, hypot, inf, pi, sin

import numpy as np
import pytest
from shapely import Point
from shapely import Polygon as ShapelyPolygon

from brickphys.geometry import disc_way_kernel
from brickphys.geometry import disc_way_kernel as disc_ground_kernel
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import Polygon, rectangle
from tests.plain_kernels import plain

KERNEL = plain(disc_way_kernel, disc_ground_kernel)
TOLERANCE, SLACK = 1e-9, 1e-4
WIDE = np.array([-1e3, -1e3, 1e3, 1e3])
NO_DISCS = np.empty((0, 3))


def random_polygon(rng, spread=8.0):
    """Return a polygon of 3 to 7 corners on a circle."""
    count = int(rng.integers(3, 8))
    angles = 2 * pi * (np.arange(count) + rng.uniform(-0.3, 0.3, count)) / count + rng.uniform(0, 7)
    middle, radius = rng.uniform(-spread, spread, 2), rng.uniform(0.3, 3.0)
    return Polygon(middle + radius * np.column_stack([np.cos(angles), np.sin(angles)]))


def rows(polygons):
    walls = Obstacles.of([Prism(polygon, 0.0, 1.0) for polygon in polygons])
    return walls.heads, walls.edges


def depth(polygon, place):
    """Return shapely's distance of a place from a polygon; inside, minus that from its boundary."""
    plan = ShapelyPolygon(polygon.vertices_studs)
    return plan.distance(Point(place)) or -plan.exterior.distance(Point(place))


def gathered(ends, most, radius, *, box=WIDE, discs=NO_DISCS, polygons=()):
    """Return circles and barriers between two ends, or to many goals, and how many there are of each."""
    start, *goals = np.array(ends, dtype=float)
    sizes = (radius, SLACK, TOLERANCE)
    found = np.array(goals), most, sizes, box, np.array(discs, dtype=float), *rows(polygons)
    return KERNEL.gather(start, *found)


# --- free places ---


def test_the_gap_is_shapelys_distance_and_inside_minus_that_from_the_boundary():
    rng = np.random.default_rng(1)
    for _ in range(60):
        polygon, place = random_polygon(rng, 2.0), rng.uniform(-4, 4, 2)
        assert KERNEL._gap(*place, polygon.edges) == pytest.approx(depth(polygon, place), abs=1e-9)


def test_a_place_is_free_if_nothing_is_nearer_than_the_room():
    rng, seen = np.random.default_rng(2), [0, 0]
    while min(seen) < 40:
        low, place = rng.uniform(-9, -3, 2), rng.uniform(-9, 9, 2)
        box = np.array([*low, *rng.uniform(3, 9, 2)])
        discs = rng.uniform([-8, -8, 0.1], [8, 8, 2.0], (int(rng.integers(4)), 3))
        polygons = [random_polygon(rng) for _ in range(int(rng.integers(4)))]
        rooms = [*(place - box[:2]), *(box[2:] - place)]
        rooms += [hypot(x - place[0], y - place[1]) - radius for x, y, radius in discs]
        rooms += [depth(polygon, place) for polygon in polygons]
        wanted = bool(min(rooms) > 0.5)
        seen[wanted] += 1
        found = KERNEL.is_free(*place, 0.5, box, discs, *rows(polygons))
        assert found == wanted
        sizes = (0.5 + SLACK, SLACK, TOLERANCE)
        assert KERNEL.are_free(place[None], sizes, box, discs, *rows(polygons)).tolist() == [wanted]


@pytest.mark.parametrize("less", [0.0, 1e-9])
@pytest.mark.parametrize(
    "place", [(1.0, 5.0), (19.0, 5.0), (5.0, 1.0), (5.0, 19.0), (13.0, 14.0), (15.0, 7.0)]
)
def test_a_place_just_as_far_as_the_room_is_free(place, less):
    """At the borders, five from the middle of a disc of radius four, and above a box."""
    box, discs = np.array([0.0, 0.0, 20.0, 20.0]), np.array([[10.0, 10.0, 4.0]])
    heads, edges = rows([rectangle(15.0, 5.0, 0.0, 4.0, 2.0)])
    assert KERNEL.is_free(*place, 1.0 + less, box, discs, heads, edges) is (less == 0.0)


# --- what has grown ---


def test_grown_polygons_have_the_boundary_that_shapely_finds():
    """Each corner of shapely's grown shape is on an arc of a circle or on a barrier, and these are on the shape."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        polygon, radius = random_polygon(rng), rng.uniform(0.1, 2.0)
        plan = ShapelyPolygon(polygon.vertices_studs)
        circles, barriers, firsts = gathered([(-20, 0), (20, 1)], 99.0, radius, polygons=[polygon])
        count = len(polygon.vertices_studs)
        assert firsts.tolist() == [[0, 0], [count + 2, count + 4]]
        assert circles[-2:].tolist() == [[-20, 0, 0, 0, 0, 0, 0], [20, 1, 0, 0, 0, 0, 0]]
        arcs, sides = circles[:-2], barriers[4:]
        for place in np.array(plan.buffer(radius, 16).exterior.coords):
            off = place - arcs[:, :2]
            on_arc = [
                abs(hypot(*each) - row[2]) < 1e-9
                and KERNEL._is_boundary(row, *(each / hypot(*each)))
                for row, each in zip(arcs, off, strict=True)
            ]
            along = sides[:, 0] * place[1] - sides[:, 1] * place[0]
            on_side = (abs(sides[:, :2] @ place - sides[:, 2] - TOLERANCE) < 1e-9) & (
                (sides[:, 3] - 1e-9 <= along) & (along <= sides[:, 4] + 1e-9)
            )
            assert any(on_arc) or on_side.any()
        for x, y, grown, ax, ay, bx, by in arcs:
            for ux, uy in (
                (ax, ay),
                (bx, by),
                np.array([ax + bx, ay + by]) / hypot(ax + bx, ay + by),
            ):
                assert plan.distance(Point(x + grown * ux, y + grown * uy)) == pytest.approx(radius)
        for nx, ny, offset, low, high in sides:
            assert low < high
            for share in (low, (low + high) / 2, high):
                place = np.array([nx, ny]) * (offset + TOLERANCE) + share * np.array([-ny, nx])
                assert plan.distance(Point(place)) == pytest.approx(radius)


@pytest.mark.parametrize("inside", [0.0, 0.5e-4, 0.99e-4, 1.01e-4])
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("side", range(4))
def test_the_border_moves_in_by_the_radius_and_out_to_an_end_within_the_slack(side, which, inside):
    box, radius = np.array([1.0, 2.0, 21.0, 12.0]), 0.5
    ends = np.array([(8.0, 6.0), (9.0, 7.0)])
    limit = box[side] + (radius - inside) * (1 if side < 2 else -1)
    ends[which, side % 2] = limit
    _, barriers, firsts = gathered(ends, 99.0, radius, box=box)
    if inside > SLACK:
        assert firsts.tolist() == [[0, 0], [0, 0]]
        return
    expected = [(1, 0, 1.5), (0, 1, 2.5), (-1, 0, -20.5), (0, -1, -11.5)]
    expected[side] = (*expected[side][:2], sum(expected[side][:2]) * limit)
    assert barriers[:, :3] == pytest.approx(np.array(expected) - [0, 0, TOLERANCE], abs=1e-12)
    assert barriers[:, 3:].tolist() == [[-inf, inf]] * 4


@pytest.mark.parametrize("inside", [0.0, 0.5e-4, 0.99e-4, 1.01e-4])
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("radius", [0.5, 0.0])
def test_what_an_end_is_in_within_the_slack_is_smaller_by_as_much(radius, which, inside):
    """A disc of radius 2 at (10, 0), and a box whose left side is at x = 10, above it."""
    box = rectangle(12.0, 10.0, 0.0, 4.0, 4.0)
    for y, reach in ((0.0, 8.0), (10.0, 10.0)):
        ends = np.array([(0.0, 5.0), (3.0, 5.0)])
        ends[which] = (reach - radius + inside, y)
        circles, barriers, _ = gathered(
            ends, 99.0, radius, discs=[(10.0, 0.0, 2.0)], polygons=[box]
        )
        if inside > SLACK:
            assert (len(circles), len(barriers)) == (0, 0)
            continue
        less = [inside * (y == 0.0), inside * (y == 10.0)]
        assert circles[0] == pytest.approx([10, 0, 2 + radius - less[0], 0, 0, 0, 0], abs=1e-12)
        grown = max(radius - less[1], 0.0)
        assert circles[1:5, 2] == pytest.approx([grown] * 4, abs=1e-12)
        offsets = np.array([-8.0, 14.0, 12.0, -10.0]) + grown - TOLERANCE
        assert barriers[4:, 2] == pytest.approx(offsets, abs=1e-12)


def test_all_that_a_way_of_the_permitted_length_may_meet_is_there_and_nothing_far_off():
    """A way by a place is as long as its distances from both ends together."""
    rng, left_out = np.random.default_rng(4), 0
    around = np.exp(1j * np.linspace(0, 2 * pi, 200))
    for _ in range(40):
        ends, radius = rng.uniform(-3, 3, (2, 2)), rng.uniform(0.05, 0.4)
        polygons = [p for p in (random_polygon(rng) for _ in range(3))
                    if min(depth(p, end) for end in ends) > radius]  # fmt: skip
        discs = [d for d in rng.uniform([-9, -9, 0.1], [9, 9, 1.5], (3, 3))
                 if min(np.hypot(*(ends - d[:2]).T)) > d[2] + radius]  # fmt: skip
        most = hypot(*(ends[1] - ends[0])) + rng.uniform(0.01, 4.0)
        circles, _, _ = gathered(
            ends, most, radius, discs=np.reshape(discs, (-1, 3)), polygons=polygons
        )
        there = set(map(tuple, circles[:-2, :2].tolist()))
        for middle, grown in ((d[:2], d[2] + radius) for d in discs):
            places = middle[0] + 1j * middle[1] + grown * around
            least = sum(abs(places - complex(*end)) for end in ends).min()
            is_there = tuple(middle.tolist()) in there
            assert is_there if least <= most else not is_there or least <= most + 2 * grown
            left_out += not is_there
        for polygon in polygons:
            shape = ShapelyPolygon(polygon.vertices_studs).buffer(radius, 32)
            places = np.array(shape.exterior.coords)
            least = sum(np.hypot(*(places - end).T) for end in ends).min()
            size = 2 * (radius + Prism(polygon, 0, 1).circle_studs[2])
            is_there = tuple(polygon.vertices_studs[0].tolist()) in there
            assert is_there if least <= most else not is_there or least <= most + 2 * size
            left_out += not is_there
    assert left_out > 20


def test_many_goals_have_what_each_has_alone():
    """Among them one that is too far off, and one that is not free."""
    rng = np.random.default_rng(5)
    polygons, discs = [random_polygon(rng) for _ in range(3)], [(5.0, 5.0, 1.0), (-5.0, 0.0, 2.0)]
    start, goals = (-9.0, -9.0), [(9.0, 9.0), (5.0, 5.0), (0.0, -9.0), (99.0, 0.0), (-9.0, 3.0)]
    asked = {"discs": discs, "polygons": polygons}
    circles, barriers, firsts = gathered([start, *goals], 40.0, 0.3, **asked)
    alone = [gathered([start, goal], 40.0, 0.3, **asked) for goal in goals]
    assert circles.tolist() == [row for one in alone for row in one[0].tolist()]
    assert barriers.tolist() == [row for one in alone for row in one[1].tolist()]
    counts = np.array([one[2][1] for one in alone])
    assert np.diff(firsts, axis=0).tolist() == counts.tolist()
    assert (counts[:, 0] == 0).tolist() == [False, True, False, True, False]


@pytest.mark.parametrize(("more", "is_there"), [(1e-9, True), (-1e-9, False)])
def test_a_goal_is_too_far_off_if_the_straight_way_is(more, is_there):
    circles, _, _ = gathered([(0.0, 0.0), (3.0, 4.0)], 5.0 + more, 0.5)
    assert bool(len(circles)) is is_there
    place = (cos(1.0), sin(1.0))
    assert len(gathered([place, place], 0.0, 0.5)[0]) == 2
