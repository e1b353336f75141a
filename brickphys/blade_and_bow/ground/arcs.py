"""Arcs: front, flanks and rear of a unit (BB 3.1.1), and its arc of fire (BB 8.4)."""

from functools import cache, lru_cache

from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, squares_of
from brickphys.grid.directions import DIRECTIONS, FACINGS
from brickphys.grid.grid import Grid
from brickphys.vehicles.sectors import Sector

AHEAD = (1, 0, -1)
"""The directions of the front squares off the facing: left, ahead, right."""
_SECTORS = (Sector.FRONT, Sector.FRONT, Sector.LEFT, *[Sector.REAR] * 3, Sector.RIGHT, Sector.FRONT)


@lru_cache
def neighbours(grid: Grid) -> tuple[tuple[Square | None, ...], ...]:
    """Return for each square its neighbour in each direction; None is off the map."""
    return tuple(
        tuple(
            grid.square(x + dx, y + dy) if grid.contains(x + dx, y + dy) else None
            for dx, dy in DIRECTIONS
        )
        for x, y in map(grid.xy, range(grid.width * grid.length))
    )


@lru_cache
def beside(grid: Grid) -> tuple[Squares, ...]:
    """Return for each square the set of its neighbours."""
    return tuple(
        squares_of(other for other in around if other is not None) for around in neighbours(grid)
    )


def direction(grid: Grid, square: Square, other: Square) -> int | None:
    """Return the direction of a neighbour of a square; None if it is no neighbour."""
    around = neighbours(grid)[square]
    return around.index(other) if other in around else None


def turns(facing: int, other: int) -> int:
    """Return by how many directions two facings differ, 0 to 4."""
    half = FACINGS // 2
    return abs((facing - other + half) % FACINGS - half)


def front(grid: Grid, square: Square, facing: int) -> tuple[Square, ...]:
    """Return the front squares of a unit: left, ahead, right, without those off the map (BB 3.1.1)."""
    around = neighbours(grid)[square]
    found = (around[(facing + off) % FACINGS] for off in AHEAD)
    return tuple(other for other in found if other is not None)


def sector_of(state: State, unit: int, square: Square) -> Sector:
    """Return the side of a unit on which a neighbouring square is (BB 3.1.1)."""
    towards = direction(state.setting.grid, state.square_of(unit), square)
    assert towards is not None
    return _SECTORS[(towards - state.units[unit].facing) % FACINGS]


@cache
def arc(grid: Grid, square: Square, facing: int) -> Squares:
    """Return the 90 degrees through the front squares, with their edges, without the square itself (BB 8.4)."""
    x, y = grid.xy(square)
    left, _, right = (DIRECTIONS[(facing + off) % FACINGS] for off in AHEAD)
    places = ((other, *grid.xy(other)) for other in range(grid.width * grid.length))
    return squares_of(
        other
        for other, to_x, to_y in places
        if other != square
        and right[0] * (to_y - y) >= right[1] * (to_x - x)
        and left[1] * (to_x - x) >= left[0] * (to_y - y)
    )


def facings_to_aim(state: State, unit: int, square: Square) -> list[int]:
    """Return the facings with a square in the arc of fire, the nearest to a unit's own first (BB 8.4)."""
    facing, start, grid = state.units[unit].facing, state.square_of(unit), state.setting.grid
    found = (each for each in range(FACINGS) if arc(grid, start, each) >> square & 1)
    return sorted(found, key=lambda each: (turns(facing, each), each))


def turns_to_aim(state: State, unit: int, square: Square) -> int:
    """Return by how many directions a unit turns at least to have a square in its arc of fire (BB 8.4)."""
    return turns(state.units[unit].facing, facings_to_aim(state, unit, square)[0])
