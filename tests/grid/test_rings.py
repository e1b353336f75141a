"""Rings of steps against breadth-first search on plain sets."""

from hypothesis import given
from hypothesis import strategies as st

from brickphys.grid.grid import Grid, each, rings

GRID = Grid(7, 6)


@given(st.integers(1, GRID.all_squares), st.integers(0, 41), st.integers(0, 50))
def test_each_ring_has_the_squares_first_reached_after_so_many_steps(free, start, most):
    found = rings(1 << start, lambda squares: GRID.around(squares) & free, most)
    steps = {start: 0}
    queue = [start]
    for square in queue:
        for other in each(GRID.around(1 << square) & free):
            if other not in steps and steps[square] < most:
                steps[other] = steps[square] + 1
                queue.append(other)
    assert {square: n for n, ring in enumerate(found) for square in each(ring)} == steps
    assert all(found)
