"""Distance: directional points between squares (BB 3.1.3)."""

from functools import cache

from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.grid.bitset import Square, Squares, each, squares_of
from brickphys.grid.grid import Grid


def points(grid: Grid, one: Square, other: Square) -> int:
    """Return the directional points between two squares (BB 3.1.3)."""
    (x, y), (to_x, to_y) = grid.xy(one), grid.xy(other)
    corners, most = sorted((abs(to_x - x), abs(to_y - y)))
    costs = charts().points
    return corners * costs["corner"] + (most - corners) * costs["side"]


@cache
def within(grid: Grid, square: Square, most_points: int) -> Squares:
    """Return the squares at most so many directional points from a square, itself among them."""
    (x, y), far = grid.xy(square), most_points // charts().points["side"]
    box = grid.block(x - far, y - far, 2 * far + 1, 2 * far + 1)
    return squares_of(other for other in each(box) if points(grid, square, other) <= most_points)
