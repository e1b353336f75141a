"""Sides of units, the arc of fire with its points (BB 8.4), and distance."""

import pytest

from brickphys.blade_and_bow import ground
from brickphys.grid.grid import FACING_NAMES, Grid, each
from tests.blade_and_bow.battle import battle, square

GRID = Grid(15, 15)
MIDDLE = GRID.square(7, 7)
NORTH, NORTH_EAST = FACING_NAMES.index("n"), FACING_NAMES.index("ne")


def around(dx: int, dy: int) -> int:
    return GRID.square(7 + dx, 7 + dy)


@pytest.mark.parametrize(
    ("facing", "figure"),
    [
        ("n", "front front front left right rear rear rear"),
        ("ne", "left front front rear front rear rear right"),
    ],
)
def test_sides_are_those_of_the_figure(facing, figure):
    """BB 3.1.1: the figure, row by row from the top; its flanks are a left and a right one."""
    state = battle("...\n...\n...", f"greeks hoplite B2 {facing}")
    squares = [square(state, name) for name in ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"]]
    assert " ".join(ground.sector_of(state, 0, other).value for other in squares) == figure


def test_front_squares_from_left_to_right():
    assert ground.front(GRID, MIDDLE, NORTH) == (around(-1, 1), around(0, 1), around(1, 1))
    assert ground.front(GRID, GRID.square(0, 0), NORTH) == (GRID.square(0, 1), GRID.square(1, 1))
    assert ground.direction(GRID, MIDDLE, around(1, 1)) == NORTH_EAST
    assert ground.direction(GRID, MIDDLE, around(2, 1)) is None


ARC_NORTH = """
12 11 10 9 8 9 10 11 12
   9 8 7 6 7 8 9
     6 5 4 5 6
       3 2 3
"""
ARC_NORTH_EAST = """
8 9 10 11 12
6 7 8 9 11
4 5 6 8 10
2 3 5 7 9
0 2 4 6 8
"""


def test_points_in_the_arc_towards_a_side():
    """BB 8.4: counted by 3.1.3, row by row from the farthest."""
    rows = [list(map(int, row.split())) for row in ARC_NORTH.strip().split("\n")]
    counted = {}
    for dy, row in zip(range(4, 0, -1), rows, strict=True):
        for dx, number in zip(range(-dy, dy + 1), row, strict=True):
            counted[around(dx, dy)] = number
    in_arc = ground.arc(GRID, MIDDLE, NORTH) & GRID.block(0, 0, 15, 12)
    assert {n: ground.points(GRID, MIDDLE, n) for n in each(in_arc)} == counted


def test_points_in_the_arc_towards_a_corner():
    rows = [list(map(int, row.split())) for row in ARC_NORTH_EAST.strip().split("\n")]
    counted = {
        around(dx, dy): number
        for dy, row in zip(range(4, -1, -1), rows, strict=True)
        for dx, number in enumerate(row)
        if number
    }
    in_arc = ground.arc(GRID, MIDDLE, NORTH_EAST) & GRID.block(7, 7, 5, 5)
    assert {n: ground.points(GRID, MIDDLE, n) for n in each(in_arc)} == counted


def test_arcs_cover_the_map_evenly():
    """Squares on the middle lines are in three arcs, those between them in two: 90 degrees of 360, with both edges."""
    for n in range(15 * 15):
        dx, dy = n % 15 - 7, n // 15 - 7
        arcs = sum(ground.arc(GRID, MIDDLE, facing) >> n & 1 for facing in range(8))
        assert arcs == (0 if dx == dy == 0 else 3 if dx * dy == 0 or abs(dx) == abs(dy) else 2)


@pytest.mark.parametrize(
    ("target", "turns", "facing"),
    [
        ("H4", 0, "n"),
        ("D4", 0, "n"),
        ("D5", 1, "nw"),
        ("L6", 1, "ne"),
        ("L9", 2, "e"),
        ("D8", 1, "nw"),
        ("D9", 2, "w"),
        ("H12", 3, "sw"),
    ],
)
def test_turns_to_aim(target, turns, facing):
    """BB 8.4: each direction of turning is a die for the target."""
    state = battle("\n".join(["." * 15] * 15), "greeks archers H8 n")
    aim = square(state, target)
    assert ground.turns_to_aim(state, 0, aim) == turns
    assert FACING_NAMES[ground.facings_to_aim(state, 0, aim)[0]] == facing


def test_within_is_all_squares_of_so_many_points():
    for most in (0, 2, 3, 7):
        far = ground.within(GRID, MIDDLE, most)
        assert all(
            (ground.points(GRID, MIDDLE, n) <= most) == bool(far >> n & 1) for n in range(15 * 15)
        )
    assert ground.within(GRID, MIDDLE, 3) == ground.beside(GRID)[MIDDLE] | 1 << MIDDLE


def test_points_are_the_least_sum_of_steps():
    """Against the definition: the least sum of sides at two and corners at three points (BB 3.1.3)."""
    costs = dict.fromkeys(range(15 * 15), 10**6) | {MIDDLE: 0}
    for _ in range(15):
        for n in range(15 * 15):
            for other in each(ground.beside(GRID)[n]):
                step = 3 if (other - n) % 15 and abs(other - n) > 1 else 2
                costs[other] = min(costs[other], costs[n] + step)
    assert all(ground.points(GRID, MIDDLE, n) == cost for n, cost in costs.items())
