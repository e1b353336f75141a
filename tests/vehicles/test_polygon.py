"""Convex polygons: faults, area, common area."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.vehicles.polygon import (
    convex_polygon,
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
        ([(0, 0), (1, 0), (0, 1), (0, 0)], "corner 3 lies on the next one, (0, 0)"),
        ([(0, 0), (1, 1), (2, 2)], "all corners lie on one line"),
        ([(0, 0), (4, 0), (4, 4), (3, 1)], "not convex at corner 3, (3, 1)"),
        ([(0, 0), (0, 4), (1, 3), (4, 4)], "not convex at corner 2, (1, 3)"),
        ([SQUARE[i] for i in (0, 2, 1, 3)], "its edges cross each other"),
    ],
)
def test_each_fault_is_named(points, fault):
    assert fault in polygon_problems(points)
    with pytest.raises(InvalidValueError, match=r"corner|coordinate|edges"):
        convex_polygon(points)


def test_star_that_turns_the_same_way_everywhere_crosses_itself():
    angles = np.radians(144 * np.arange(5))
    assert polygon_problems(list(zip(np.cos(angles), np.sin(angles), strict=True))) == [
        "its edges cross each other"
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
