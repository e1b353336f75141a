"""Sight: lines of sight, which the defender draws (BB 3.3, 8.3)."""

from functools import cache

from brickphys.blade_and_bow.ground.distance import points
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, each, squares_of
from brickphys.grid.grid import Grid


def sees(state: State, square: Square, target_square: Square) -> bool:
    """Whether there is a line of sight between two squares (BB 3.3).

    The defender draws the line through any of the shortest routes, so one square on one of them blocks it. Units block
    if both ends are as high: both on hills or both not (ours: all ground besides hills counts as clear).
    """
    setting = state.setting
    inside = between(setting.grid, square, target_square)
    if not inside:
        return True
    level = not (setting.high >> square ^ setting.high >> target_square) & 1
    units = state.occupied[0] | state.occupied[1] if level else 0
    return not inside & (setting.blocks | units)


@cache
def between(grid: Grid, square: Square, other: Square) -> Squares:
    """Return the squares inside all routes between two squares that cost the fewest directional points."""
    total = points(grid, square, other)
    xs, ys = zip(grid.xy(square), grid.xy(other), strict=True)
    box = grid.block(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
    return squares_of(
        place
        for place in each(box)
        if place not in (square, other)
        and points(grid, square, place) + points(grid, place, other) == total
    )
