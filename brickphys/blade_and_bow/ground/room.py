"""Room: where units can stand, and where displaced units go (BB 7.3.4)."""

from brickphys.blade_and_bow.ground.arcs import neighbours
from brickphys.blade_and_bow.ground.steps import departures
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, squares_of


def enemy_squares(state: State, player: int) -> Squares:
    """Return the squares that units of a player do not enter: of enemy units (BB 7.3), and of their camp (ours)."""
    return state.occupied[1 - player] | state.camp_set(1 - player)


def displacement_squares(state: State, unit: int, vacated: Squares = 0) -> tuple[Square, ...]:
    """Return the squares into which a unit can be displaced: free neighbours outside enemy zones (BB 7.3.4).

    Parameters
    ----------
    vacated
        The square that the unit which displaces it has left.
    """
    square, player = state.square_of(unit), state.player_of(unit)
    taken = state.occupied[player] & ~vacated | enemy_squares(state, player)
    shut = taken | zones(state, 1 - player).all
    around, leaving = neighbours(state.setting.grid)[square], departures(state, player)
    return tuple(
        other
        for towards, other in enumerate(around)
        if other is not None and leaving[towards] >> square & 1 and not shut >> other & 1
    )


def displaceable(state: State, unit: int) -> Squares:
    """Return the squares of friendly units in which a unit may end: of smaller ones with room (BB 7.3.4)."""
    specs, vacated = state.setting.units, 1 << state.square_of(unit)
    own = specs[unit]
    return squares_of(
        square
        for square, other in state.at.items()
        if specs[other].player == own.player
        and specs[other].counter.size.rank < own.counter.size.rank
        and displacement_squares(state, other, vacated)
    )
