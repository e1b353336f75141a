"""Convex polygons: faults, area, common area."""

from math import cos, hypot, pi, radians, sin

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import (
    TOLERANCE,
    convex_polygon,
    entry_studs,
    gap_studs,
    intersection,
    polygon_problems,
    rectangle,
    unit_vector,
)

SQUARE = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
places = st.floats(-20, 20)
sizes = st.floats(0.1, 20)
rectangles = st.builds(rectangle, places, places, st.floats(-720, 720), sizes, sizes)


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        ([], "a polygon needs 3 corners, here are 0"),
        (SQUARE[:2], "a polygon needs 3 corners, here are 2"),
        ([(0, 0), (1, 0), (float("nan"), 1)], "every coordinate must be a finite number"),
        ([(0, 0), (1, 0), (float("inf"), 1)], "every coordinate must be a finite number"),
        ([(0, 0), (1, 0), (1, 0), (0, 1)], "corner 1 lies on the next one, (1, 0)"),
        ([(0, 0), (1, 0), (0, 1e-9), (0, 0)], "corner 2 lies on the next one, (0, 1e-09)"),
        ([(0, 0), (1, 0), (0, 0)], "a polygon needs 3 corners, here are 2"),
        ([(0, 0), (1, 1), (2, 2)], "all corners lie on one line"),
        ([(0, 0), (4, 0), (4, 4), (3, 1)], "not convex at corner 3, (3, 1)"),
        ([(0, 0), (0, 4), (1, 3), (4, 4)], "not convex at corner 2, (1, 3)"),
        ([SQUARE[i] for i in (0, 2, 1, 3)], "its edges cross or run back over each other"),
        ([*SQUARE, *SQUARE], "its edges cross or run back over each other"),
    ],
)
def test_each_fault_is_named(points, fault):
    assert fault in polygon_problems(points)
    with pytest.raises(InvalidValueError, match=r"corner|coordinate|edges"):
        convex_polygon(points)


@pytest.mark.parametrize("gap", [1e-5, 1e-6, 1e-7, 1e-8, 2e-9])
@pytest.mark.parametrize("depth", [1e-4, 1e-3, 0.1, 2.0])
def test_dent_between_two_near_corners_is_a_dent(gap, depth):
    points = [(0, 0), (5 - gap / 2, depth), (5 + gap / 2, depth), (10, 0), (10, 10), (0, 10)]
    assert any("not convex at corner" in fault for fault in polygon_problems(points))


def test_small_bulges_and_chamfers_keep_their_shape():
    bulge = convex_polygon(
        [(0, 0), (5 - 5e-6, -5e-4), (5 + 5e-6, -5e-4), (10, 0), (10, 10), (0, 10)]
    )
    assert bulge.vertices_studs[:, 1].min() == -5e-4
    cut = [(0, 0), (10, 0), (10, 10 - 9e-10), (10 - 9e-10, 10), (0, 10)]
    assert convex_polygon(cut).area_studs2 == pytest.approx(100.0, abs=1e-6)


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (10, 0), (4, 0), (12, 0), (12, 10)],
        [(0, 0), (12, 0), (8, 0), (10, 0), (10, 10)],
        [(0, 0), (1, 0), (0, 0), (1, 0), (1, 1)],
    ],
)
def test_edges_that_run_back_are_refused(points):
    assert polygon_problems(points)


def test_many_corners_of_a_small_circle_are_a_circle():
    angles = np.linspace(0, 2 * np.pi, 1500, endpoint=False)
    circle = convex_polygon(list(zip(1e-2 * np.cos(angles), 1e-2 * np.sin(angles), strict=True)))
    assert circle.area_studs2 == pytest.approx(np.pi * 1e-4, rel=1e-4)


def test_star_that_turns_the_same_way_everywhere_crosses_itself():
    angles = np.radians(144 * np.arange(5))
    assert polygon_problems(list(zip(np.cos(angles), np.sin(angles), strict=True))) == [
        "its edges cross or run back over each other"
    ]


@pytest.mark.parametrize("winding", [1, -1])
@pytest.mark.parametrize("corners", [5, 8, 20])
def test_two_corners_in_the_wrong_order_cross_their_edges_either_way_round(corners, winding):
    angles = winding * 2 * np.pi / corners * np.array([0, 2, 1, *range(3, corners)])
    assert polygon_problems(list(zip(np.cos(angles), np.sin(angles), strict=True))) == [
        "its edges cross or run back over each other"
    ]


def test_either_winding_and_collinear_corners_give_one_polygon():
    expected = convex_polygon(SQUARE)
    for points in (SQUARE[::-1], [(0, 0), (1, 0), *SQUARE[1:]]):
        got = convex_polygon(points)
        assert len(got.vertices_studs) == 4
        assert got.area_studs2 == expected.area_studs2 == 4.0
        assert set(map(tuple, got.vertices_studs)) == set(SQUARE)


@given(rectangles)
def test_normals_point_outward_and_offsets_are_the_support_function(shape):
    reach = shape.normals @ shape.vertices_studs.T
    np.testing.assert_allclose(reach.max(axis=1), shape.offsets_studs, atol=1e-9)
    np.testing.assert_allclose(np.hypot(*shape.normals.T), 1.0)


@given(rectangles, rectangles)
def test_what_is_common_does_not_depend_on_the_order(first, second):
    one, other = intersection(first, second), intersection(second, first)
    areas = [common.area_studs2 if common else 0.0 for common in (one, other)]
    assert areas[0] == pytest.approx(areas[1], abs=1e-7)
    assert areas[0] <= min(first.area_studs2, second.area_studs2) + 1e-7


@given(rectangles, rectangles)
def test_what_is_common_has_the_area_and_the_middle_that_shapely_finds(first, second):
    plans = [shapely.Polygon(each.vertices_studs) for each in (first, second)]
    expected, common = plans[0].intersection(plans[1]), intersection(first, second)
    if expected.area > 1e-3:
        assert common.area_studs2 == pytest.approx(expected.area, rel=1e-6)
        middle = expected.centroid
        assert common.centroid_studs == pytest.approx([middle.x, middle.y], abs=1e-5)
    assert common is None or common.area_studs2 == pytest.approx(expected.area, abs=1e-6)


@given(rectangles, st.tuples(places, places), st.floats(0, 360))
def test_a_line_enters_a_rectangle_where_shapely_says(shape, start, heading):
    (ux, uy), (x, y) = unit_vector(heading), start
    ray = shapely.LineString([start, (x + 200 * ux, y + 200 * uy)])
    inside = ray.intersection(shapely.Polygon(shape.vertices_studs))
    found = entry_studs(start, (ux, uy), shape)
    if inside.length > 1e-6:
        assert found == pytest.approx(inside.distance(shapely.Point(start)), abs=1e-6)
    elif ray.distance(shapely.Polygon(shape.vertices_studs)) > 1e-6:
        assert found == np.inf


def test_common_part_of_two_squares():
    common = intersection(convex_polygon(SQUARE), rectangle(2.0, 2.0, 0.0, 2.0, 2.0))
    assert common is not None
    assert common.area_studs2 == 1.0
    assert common.centroid_studs.tolist() == [1.5, 1.5]
    assert intersection(convex_polygon(SQUARE), rectangle(3.0, 1.0, 0.0, 2.0, 2.0)) is None


@given(rectangles, st.floats(-720, 720))
def test_turning_keeps_area_and_distance_from_the_pivot(shape, angle_deg):
    turned = shape.turned((1.0, 2.0), angle_deg)
    assert turned.area_studs2 == pytest.approx(shape.area_studs2, rel=1e-9)
    before, after = (np.hypot(*(p.vertices_studs - [1.0, 2.0]).T) for p in (shape, turned))
    np.testing.assert_allclose(before, after, atol=1e-9)


@pytest.mark.parametrize("turns", [-40, 0, 1, 1000])
def test_right_angles_are_exact(turns):
    headings = [unit_vector(90.0 * quarter + 360.0 * turns) for quarter in range(4)]
    assert headings == [(1, 0), (0, 1), (-1, 0), (0, -1)]


@given(st.floats(-720, 720))
def test_a_unit_vector_is_cosine_and_sine(heading):
    assert unit_vector(heading) == pytest.approx((cos(radians(heading)), sin(radians(heading))))


def test_a_hair_below_a_full_turn_is_none():
    """The rest of its division by 360 rounds to 360."""
    assert unit_vector(-1e-20) == (1.0, 0.0)


@given(rectangles, st.tuples(places, places), st.floats(-720, 720))
def test_a_polygon_is_moved_and_turned_counter_clockwise_as_shapely_does_it(shape, at, angle_deg):
    plan = shapely.Polygon(shape.vertices_studs)
    turned = shapely.affinity.rotate(plan, angle_deg, origin=at)
    moved = shapely.affinity.translate(plan, *at)
    for found, expected in ((shape.turned(at, angle_deg), turned), (shape.moved(at), moved)):
        assert found.vertices_studs == pytest.approx(
            np.array(expected.exterior.coords)[:-1], abs=1e-9
        )
        low_x, low_y, high_x, high_y = expected.bounds
        assert found.box_studs == (
            pytest.approx((low_x, low_y), abs=1e-9),
            pytest.approx((high_x, high_y), abs=1e-9),
        )


@given(
    st.lists(st.integers(0, 71), min_size=3, max_size=9, unique=True), st.booleans(), st.booleans()
)
def test_corners_on_a_circle_are_convex_if_they_walk_around_it_once(steps, in_order, backward):
    """Either way round, from any corner; Shapely finds area and middle, and whether edges cross."""
    if in_order:
        steps = sorted(steps)[:: -1 if backward else 1]
    corners = [(5 + 3 * cos(step * pi / 36), 3 * sin(step * pi / 36) - 9) for step in steps]
    plan = shapely.Polygon(corners)
    assert (polygon_problems(corners) == []) == plan.is_valid
    if plan.is_valid:
        found = convex_polygon(corners)
        assert found.area_studs2 == pytest.approx(plan.area)
        assert found.centroid_studs == pytest.approx(np.array(plan.centroid.coords)[0])
        assert {tuple(row) for row in found.vertices_studs.tolist()} == set(corners)


@pytest.mark.parametrize("apart", [TOLERANCE, 2 * TOLERANCE])
def test_corners_within_the_tolerance_lie_on_each_other(apart):
    found = polygon_problems([(0.0, 0.0), (apart, 0.0), (5.0, 5.0), (0.0, 5.0)])
    assert found == ["corner 0 lies on the next one, (0, 0)"] * (apart == TOLERANCE)


@pytest.mark.parametrize("count", [3, 10, 50, 200, 1000])
@pytest.mark.parametrize("bulge", [1e-9, 5e-8, 2e-7, 1e-6])
def test_nearly_collinear_corners_lose_no_more_than_the_tolerance(count, bulge):
    """Corners on an arc so flat that each is within the tolerance of the chord of its neighbours."""
    along = np.linspace(0.0, 10.0, count)
    arc = list(zip(along.tolist(), (bulge * (along / 5 - 1) ** 2 - bulge).tolist(), strict=True))
    shape = convex_polygon([*arc, (10.0, 4.0), (0.0, 4.0)])
    beyond = np.array(arc) @ shape.normals.T - shape.offsets_studs
    assert beyond.max() <= TOLERANCE * (1 + 1e-6)
    assert len(shape.vertices_studs) <= count + 2


@pytest.mark.parametrize(
    ("start", "heading", "studs"),
    [
        ((-3.0, 1.0), 0.0, 3.0),
        ((5.0, 0.5), 180.0, 3.0),
        ((1.0, 1.0), 90.0, 0.0),
        ((-1.0, -1.0), 45.0, 2**0.5),
        ((-3.0, 2.0), 0.0, 3.0),
        ((-3.0, 2.1), 0.0, np.inf),
        ((3.0, 1.0), 0.0, np.inf),
    ],
)
def test_a_line_enters_a_square_where_it_meets_its_first_side(start, heading, studs):
    square = convex_polygon(SQUARE)
    assert entry_studs(start, unit_vector(heading), square) == pytest.approx(studs)


@pytest.mark.parametrize(("above", "enters"), [(0.0, True), (1e-6, False)])
def test_a_line_that_only_touches_a_corner_enters_there(above, enters):
    found = entry_studs((-2.0, above), (0.5**0.5, 0.5**0.5), convex_polygon(SQUARE))
    assert found == (pytest.approx(8**0.5) if enters else np.inf)


@given(rectangles, st.tuples(places, places))
def test_the_gap_to_a_point_is_that_to_the_nearest_point_of_it(shape, point):
    """By brute force along its edges; inside it is 0."""
    corners = shape.vertices_studs
    shares = np.linspace(0, 1, 2001)[:, None, None]
    along = corners + shares * (np.roll(corners, -1, axis=0) - corners)
    near = np.hypot(*(along - point).reshape(-1, 2).T).min()
    is_inside = (shape.normals @ point <= shape.offsets_studs).all()
    assert gap_studs(shape, point) == (0.0 if is_inside else pytest.approx(near, abs=0.02))


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("point", [(3, 1), (-3, 0.2), (0.5, 4), (0, -3), (4, 5), (-4, -5), (0, 0)])
def test_the_gap_to_a_square_is_that_to_its_nearest_side_or_corner(turn, point):
    """The first corner of the square is each of its four."""
    corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    square = convex_polygon([*corners[turn:], *corners[:turn]])
    x, y = point
    wanted = hypot(max(abs(x) - 1, 0), max(abs(y) - 1, 0))
    assert gap_studs(square, point) == pytest.approx(wanted)
