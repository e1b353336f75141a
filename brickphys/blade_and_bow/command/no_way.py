"""No way: why a moving unit cannot reach a square with a facing (BB 7)."""

from brickphys.blade_and_bow.ground.room import displaceable, enemy_squares
from brickphys.blade_and_bow.ground.ways import ways
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square
from brickphys.grid.directions import FACING_NAMES, FACINGS
from brickphys.text import spoken

_ANY_POINTS = 60
"""More points than the longest way on the largest map costs."""


def why_no_way(
    state: State, unit: int, square: Square, points: int, via: tuple[Square, ...] = ()
) -> str:
    """Return why none of the ways of a unit with some points ends as it should.

    Parameters
    ----------
    state, unit
        The battle, and the unit that moves.
    square
        Where it should go.
    points
        How many it has left.
    via
        The squares by which it should go.
    """
    player, here = state.player_of(unit), state.square_of(unit)
    if state.units[unit].wall:
        return "it must give up its shield wall first"
    if zones(state, 1 - player).strong >> here & 1:
        return "it is in a strong enemy zone"
    if enemy_squares(state, player) >> square & 1:
        return f"{_holder(state, square)} is there"
    if square in state.at and square != here and not displaceable(state, unit) >> square & 1:
        return f"{_holder(state, square)} is there and cannot make room"
    now = ways(state, unit, points, via)
    facings = [facing for facing in range(FACINGS) if (square, facing) in now]
    if facings:
        return f"there it can face {', '.join(map(FACING_NAMES.__getitem__, facings))}"
    far = ways(state, unit, _ANY_POINTS, via)
    costs = [far[square, facing].cost for facing in range(FACINGS) if (square, facing) in far]
    if costs:
        return f"the way there costs {min(costs)}"
    return "enemies, their zones and the ground block the way"


def _holder(state: State, square: Square) -> str:
    """Return who is in a square: a unit, or the camp of the enemy."""
    unit = state.at.get(square)
    return "the enemy camp" if unit is None else spoken(state.setting.units[unit].name)
