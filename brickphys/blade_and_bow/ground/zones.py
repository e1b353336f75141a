"""Zones: the squares that units control (BB 3.1.2)."""

from functools import lru_cache
from typing import NamedTuple

from brickphys.blade_and_bow.ground.arcs import beside, neighbours
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares
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
    """Return the zones of a player's units: front squares and flanks; disrupted ones have none (BB 3.1.2, 10.1)."""
    known: dict[int, Zones] = vars(state).setdefault("zones", {})
    if player not in known:
        known[player] = _zones(state, player)
    return known[player]


def _zones(state: State, player: int) -> Zones:
    grid = state.setting.grid
    table, near = _sides(grid), beside(grid)
    sides: list[tuple[Square, Squares]] = []
    strong = weak = 0
    for square, number in state.at.items():
        unit = state.units[number]
        if state.setting.units[number].player == player and not unit.disrupted:
            ahead, aside = table[square][unit.facing]
            strong |= ahead
            if weak & aside:
                for other, there in sides:
                    if near[square] >> other & 1:
                        strong |= aside & there
            weak |= aside
            sides.append((square, aside))
    return Zones(weak & ~strong, strong)


@lru_cache
def _sides(grid: Grid) -> tuple[tuple[tuple[Squares, Squares], ...], ...]:
    """Return for each square and facing the square ahead, and the other front squares with the flanks."""
    facings = range(FACINGS)
    return tuple(tuple(_zone(around, facing) for facing in facings) for around in neighbours(grid))


def _zone(around: tuple[Square | None, ...], facing: int) -> tuple[Squares, Squares]:
    found = (around[(facing + off) % FACINGS] for off in (0, 1, -1, 2, -2))
    ahead, *aside = (0 if square is None else 1 << square for square in found)
    return ahead, sum(aside)
