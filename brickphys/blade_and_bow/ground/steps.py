"""Steps: from square to neighbouring square, as walls, closed squares and special rules allow (BB 7.5, 14.2).

Who is in the squares does not count here, except in the gates of a wall.
"""

from functools import lru_cache

from brickphys.blade_and_bow.ground.arcs import direction, neighbours
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, each, squares_of
from brickphys.grid.directions import DIRECTIONS, FACINGS

Departures = tuple[Squares, ...]
"""For each direction, the squares from which a unit can step in it."""


def passable(state: State, player: int) -> Squares:
    """Return the squares that units of a player may enter, whoever is in them."""
    setting = state.setting
    shut = setting.closed
    if player == 0:
        shut |= setting.special.path
    elif not state.discovered:
        shut |= setting.special.limit
    return setting.grid.all_squares & ~shut


def step_allowed(state: State, player: int, square: Square, other: Square) -> bool:
    """Whether units of a player may go from a square to a neighbour, whoever is in it."""
    towards = direction(state.setting.grid, square, other)
    return towards is not None and bool(departures(state, player)[towards] >> square & 1)


def departures(state: State, player: int) -> Departures:
    """Return the squares that units of a player may leave, by direction."""
    gates = state.setting.special.gates
    held = gates if gates & (state.occupied[0] | state.occupied[1]) else 0
    return departures_over(state.setting, passable(state, player), held)


@lru_cache
def departures_over(setting: Setting, able: Squares, gates: Squares = 0) -> Departures:
    """Return them, given the squares that can be entered, and gates that nobody reaches diagonally from the wall."""
    grid, walled, path = setting.grid, _walled(setting), setting.special.path
    beside = squares_of(square for pair in setting.walls for square in pair)
    found = []
    for towards, (dx, dy) in enumerate(DIRECTIONS):
        from_squares = grid.shifted(able, -dx, -dy) & ~walled[towards]
        if dx and dy:
            from_squares &= ~(path | grid.shifted(path, -dx, -dy))
            from_squares &= ~(beside & grid.shifted(gates, -dx, -dy))
            from_squares &= ~(gates & grid.shifted(beside, -dx, -dy))
        found.append(from_squares)
    return tuple(found)


def _walled(setting: Setting) -> Departures:
    """Return the squares with a wall in each direction; at a corner, one on both ways round it (ours)."""
    around = neighbours(setting.grid)

    def wall(square: Square, towards: int) -> bool:
        other = around[square][towards % FACINGS]
        return other is not None and (min(square, other), max(square, other)) in setting.walls

    def corner(square: Square, towards: int) -> bool:
        ways = []
        for first, second in ((towards - 1, towards + 1), (towards + 1, towards - 1)):
            middle = around[square][first % FACINGS]
            ways.append(middle is not None and (wall(square, first) or wall(middle, second)))
        return all(ways)

    squares = list(each(setting.grid.all_squares)) if setting.walls else []
    return tuple(
        sum(1 << n for n in squares if (corner if dx and dy else wall)(n, towards))
        for towards, (dx, dy) in enumerate(DIRECTIONS)
    )
