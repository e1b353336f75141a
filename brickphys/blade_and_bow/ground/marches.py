"""Marches: the points of the shortest way for units, round walls, closed hills and the sea (BB 3.1.3, 14.2)."""

from functools import lru_cache

from brickphys.blade_and_bow.ground.steps import departures_over
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, each
from brickphys.grid.directions import DIRECTIONS

NOWHERE = 100
"""Distance in points of a square that no way reaches."""
HELD = 12
"""Extra points for a way through a square that the enemy holds."""


def open_ground(state: State, player: int) -> Squares:
    """Return the squares that a player's units may enter now, and those that they may when a way is found."""
    setting = state.setting
    hidden = player == 0 or not state.discovered
    return setting.grid.all_squares & ~setting.closed & ~(setting.special.path if hidden else 0)


@lru_cache(maxsize=4096)
def march(setting: Setting, ground: Squares, start: Square, held: Squares = 0) -> tuple[int, ...]:
    """Return the points of the shortest way from a square to each, over ground that is open, some of it held."""
    grid, costs, leave = setting.grid, charts().points, departures_over(setting, ground)
    steps = [
        (dy * grid.width + dx, leave[n], costs["corner" if dx and dy else "side"])
        for n, (dx, dy) in enumerate(DIRECTIONS)
    ]
    far = [NOWHERE] * (grid.width * grid.length)
    waves, unseen = [1 << start] + [0] * (NOWHERE + HELD + costs["corner"]), grid.all_squares
    for cost in range(NOWHERE):
        wave = waves[cost] & unseen
        unseen &= ~wave
        for square in each(wave):
            far[square] = cost
        for by, able, more in steps if wave else ():
            found = wave & able
            found = found << by if by > 0 else found >> -by
            waves[cost + more] |= found & ~held
            waves[cost + more + HELD] |= found & held
    return tuple(far)
