"""Zones: the squares that units control (BB 3.1.2)."""

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from brickphys.blade_and_bow.ground.arcs import AHEAD, beside, neighbours
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, each
from brickphys.grid.directions import FACINGS
from brickphys.grid.grid import Grid


class Zones(NamedTuple):
    """The zones of control of a player's units."""

    weak: Squares
    """Squares of weak zones only."""
    strong: Squares
    """Squares straight ahead of a unit, and weak ones that adjacent units share."""

    @property
    def all(self) -> Squares:
        """Every square of them."""
        return self.weak | self.strong


def zones(state: State, player: int) -> Zones:
    """Return the zones of a player's units; disrupted ones have none (BB 3.1.2, 10.1)."""
    known: dict[int, Zones] = vars(state).setdefault("zones", {})
    if player not in known:
        known[player] = _zones(state, player)
    return known[player]


def _zones(state: State, player: int) -> Zones:
    table = _fronts(state.setting.grid)
    sides: list[tuple[Square, Squares]] = []
    strong = weak = shared = 0
    for square, number in state.at.items():
        unit = state.units[number]
        if state.setting.units[number].player == player and not unit.disrupted:
            ahead, aside = table[square][unit.facing]
            strong |= ahead
            shared |= weak & aside
            weak |= aside
            sides.append((square, aside))
    near = beside(state.setting.grid)
    for square in each(shared & ~strong):
        owners = [at for at, aside in sides if aside >> square & 1]
        if any(near[one] >> other & 1 for one, other in combinations(owners, 2)):
            strong |= 1 << square
    return Zones(weak & ~strong, strong)


@lru_cache
def _fronts(grid: Grid) -> tuple[tuple[tuple[Squares, Squares], ...], ...]:
    """Return for each square and facing the square ahead, and those left and right of it."""
    return tuple(
        tuple(_front_sets(around, facing) for facing in range(FACINGS))
        for around in neighbours(grid)
    )


def _front_sets(around: tuple[Square | None, ...], facing: int) -> tuple[Squares, Squares]:
    found = (around[(facing + off) % FACINGS] for off in AHEAD)
    left, ahead, right = (0 if square is None else 1 << square for square in found)
    return ahead, left | right
