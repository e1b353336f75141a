"""A rectangle of squares against plain sets of columns and rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon as ShapelyPolygon
from shapely.geometry import box

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import TOLERANCE, rectangle
from brickphys.grid.grid import DIRECTIONS, Grid, each, squares_of

grids = st.builds(Grid, st.integers(1, 9), st.integers(1, 9))
coordinates = st.integers(-3, 12)


def places(grid: Grid, squares: int) -> set[tuple[int, int]]:
    """The columns and rows of some squares."""
    return {grid.xy(square) for square in each(squares)}


def every(grid: Grid) -> set[tuple[int, int]]:
    return {(x, y) for x in range(grid.width) for y in range(grid.length)}


@st.composite
def grid_and_squares(draw):
    grid = draw(grids)
    chosen = draw(st.sets(st.sampled_from(sorted(every(grid)))))
    return grid, squares_of(grid.square(x, y) for x, y in chosen)


def test_a_grid_without_squares_is_refused():
    with pytest.raises(InvalidValueError, match="a grid of 0 x 3 has no squares"):
        Grid(0, 3)


@given(grids, coordinates, coordinates)
def test_squares_are_numbered_row_by_row_and_others_refused(grid, x, y):
    if (x, y) in every(grid):
        square = grid.square(x, y)
        assert square == sorted(every(grid), key=lambda place: place[::-1]).index((x, y))
        assert grid.xy(square) == (x, y)
        return
    with pytest.raises(InvalidValueError, match=r"square \(.*\) is outside the grid of \d x \d"):
        grid.square(x, y)


@given(grids)
def test_all_squares_and_the_columns(grid):
    assert places(grid, grid.all_squares) == every(grid)
    for column, squares in enumerate(grid.columns):
        assert places(grid, squares) == {(column, y) for y in range(grid.length)}


@given(grids, st.floats(-5, 15), st.floats(-5, 15))
def test_the_square_at_a_point_holds_it_or_is_the_nearest(grid, x, y):
    def distance(place: tuple[int, int]) -> float:
        left, low = place
        return max(left - x, 0, x - left - 1) + max(low - y, 0, y - low - 1)

    assert distance(grid.xy(grid.square_at(x, y))) == min(map(distance, every(grid)))


@given(grids, coordinates, coordinates, st.integers(0, 9), st.integers(0, 9))
def test_a_block_has_its_squares_on_the_grid(grid, x, y, width, length):
    inside = {(column, row) for column in range(x, x + width) for row in range(y, y + length)}
    assert places(grid, grid.block(x, y, width, length)) == inside & every(grid)


@given(grid_and_squares(), st.sampled_from(DIRECTIONS))
def test_a_step_over_the_border_leads_nowhere(drawn, direction):
    grid, squares = drawn
    (dx, dy) = direction
    moved = {(x + dx, y + dy) for x, y in places(grid, squares)}
    assert places(grid, grid.shifted(squares, dx, dy)) == moved & every(grid)


@given(grid_and_squares())
def test_around_squares_are_they_and_all_their_neighbours(drawn):
    grid, squares = drawn
    near = {(x + dx, y + dy) for x, y in places(grid, squares) for dx, dy in [(0, 0), *DIRECTIONS]}
    assert places(grid, grid.around(squares)) == near & every(grid)


@given(grid_and_squares(), st.sampled_from([0.0, 1.0, 2.0, 2.5, 5.0, 24.0]))
def test_a_circle_is_measured_between_middles(drawn, radius):
    grid, squares = drawn
    for square in each(squares):
        x, y = grid.xy(square)
        near = {(a, b) for a, b in every(grid) if (a - x) ** 2 + (b - y) ** 2 <= radius**2}
        assert places(grid, grid.circle(square, radius)) == near


@given(grid_and_squares(), st.data())
def test_the_nearest_square_has_no_nearer_one_and_no_lower_one_as_near(drawn, data):
    grid, among = drawn
    square = data.draw(st.sampled_from(list(each(grid.all_squares))))
    x, y = grid.xy(square)

    def key(other: int) -> tuple[int, int]:
        return (grid.xy(other)[0] - x) ** 2 + (grid.xy(other)[1] - y) ** 2, other

    assert grid.nearest(square, among) == min(each(among), key=key, default=None)


@given(
    st.builds(
        rectangle,
        st.floats(-2, 12),
        st.floats(-2, 10),
        st.floats(0, 360),
        st.floats(0.1, 9),
        st.floats(0.1, 9),
    )
)
def test_overlapped_squares_are_those_with_common_area(polygon):
    grid, shape = Grid(10, 8), ShapelyPolygon(polygon.vertices_studs)
    found = places(grid, grid.overlapped(polygon.vertices_studs.tolist(), TOLERANCE))
    for x, y in every(grid):
        area = shape.intersection(box(x, y, x + 1, y + 1)).area
        if area > 1e-6:
            assert (x, y) in found
        if area == 0.0:
            assert (x, y) not in found


@pytest.mark.parametrize(("more", "count"), [(0.0, 4), (1e-9, 4), (1e-6, 8)])
def test_an_overlap_up_to_the_tolerance_is_none(more, count):
    grid, polygon = Grid(5, 5), rectangle(2.0, 2.0, 0.0, 2.0 + more, 2.0)
    found = grid.overlapped(polygon.vertices_studs.tolist(), TOLERANCE)
    assert found & grid.block(1, 1, 2, 2) == grid.block(1, 1, 2, 2)
    assert found.bit_count() == count
