"""Straight lines past prisms, against shapely."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shapely.geometry import LineString, Point
from shapely.geometry import Polygon as ShapelyPolygon

from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import rectangle
from brickphys.geometry.sweep import clear_lines

MARGIN = 1e-6
POINT_STUDS = 1e-9
"""A line that is shorter seen from above is a point there: shapely finds no part of it in anything."""
coordinates = st.floats(-10, 10)
lines = st.tuples(*[coordinates] * 6)
prisms = st.builds(
    lambda x, y, heading, length, width, bottom, tall: Prism(
        rectangle(x, y, heading, length, width), bottom, bottom + tall
    ),
    coordinates,
    coordinates,
    st.floats(0, 360),
    st.floats(0.5, 8),
    st.floats(0.5, 8),
    st.floats(-8, 4),
    st.floats(0.5, 8),
)


def is_clear(line, *obstacles, among=None):
    which = range(len(obstacles)) if among is None else among
    (clear,) = clear_lines(
        np.array([line], dtype=float), Obstacles.of(obstacles), np.array(which, dtype=np.intp)
    )
    return bool(clear)


def enters(line, prism, grown):
    """Whether a line enters a prism that is larger by so much on every side, found by shapely."""
    x, y, height, end_x, end_y, end_height = line
    shape = ShapelyPolygon(prism.footprint.vertices_studs).buffer(grown, join_style="mitre")
    way = LineString([(x, y), (end_x, end_y)])
    if way.length < POINT_STUDS:
        if not shape.covers(Point(x, y)):
            return False
        heights = [height, end_height]
    else:
        inside = way.intersection(shape)
        if inside.is_empty:
            return False
        shares = [np.hypot(at[0] - x, at[1] - y) / way.length for at in inside.coords]
        heights = [height + (end_height - height) * share for share in shares]
    return min(heights) < prism.top_plates + grown and max(heights) > prism.bottom_plates - grown


@given(lines, prisms)
@example((1, 0, 0, 1, 0, 1), Prism(rectangle(1, 0, 0, 1, 1), 0, 1))  # straight up
def test_a_line_is_clear_unless_it_enters_the_prism(line, prism):
    if is_clear(line, prism):
        assert not enters(line, prism, -MARGIN)
    else:
        assert enters(line, prism, MARGIN)


@given(lines, st.lists(prisms, min_size=1, max_size=4), st.data())
def test_a_line_is_clear_of_many_if_it_is_of_each_of_those_that_count(line, many, data):
    among = sorted(data.draw(st.sets(st.integers(0, len(many) - 1))))
    assert is_clear(line, *many, among=among) == all(is_clear(line, many[n]) for n in among)


@given(lines, prisms)
def test_a_line_is_as_clear_from_one_end_as_from_the_other(line, prism):
    assert is_clear(line, prism) == is_clear((*line[3:], *line[:3]), prism)


@pytest.mark.parametrize(
    ("line", "clear"),
    [
        ((0, 1, 2, 9, 1, 2), True),  # along a face
        ((0, 1 - 1e-6, 2, 9, 1 - 1e-6, 2), False),
        ((0, 0, 3, 9, 0, 3), True),  # along the top
        ((0, 0, 3 - 1e-6, 9, 0, 3 - 1e-6), False),
        ((0, 0, 0, 4, 0, 0), True),  # ends at a face
        ((5, 0, 1, 5, 0, 1), False),  # a point inside
        ((5, 0, 4, 5, 0, 9), True),  # straight up above
        ((5, 0, 4, 5, 0, 2), False),
    ],
)
def test_a_line_may_graze_a_face(line, clear):
    block = Prism(rectangle(5.0, 0.0, 0.0, 2.0, 2.0), 0.0, 3.0)
    assert is_clear(line, block) is clear
