"""Targets: whom a unit can attack in melee (BB 9.1) and with missiles (BB 8.1 to 8.3)."""

from collections.abc import Iterator

from brickphys.blade_and_bow.command.effects import bonus
from brickphys.blade_and_bow.ground.arcs import front, neighbours, turns_to_aim
from brickphys.blade_and_bow.ground.distance import points
from brickphys.blade_and_bow.ground.room import enemy_squares
from brickphys.blade_and_bow.ground.sight import sees
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.sheets.cards import Verb
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square


def engaged(state: State, unit: int) -> Iterator[int | None]:
    """Yield the enemies whom a unit can attack in melee: the one straight ahead, else those in front (BB 9.1).

    The camp of the enemy without a unit on it is None.
    """
    here, facing, grid = state.square_of(unit), state.units[unit].facing, state.setting.grid
    ahead, enemies = neighbours(grid)[here][facing], enemy_squares(state, state.player_of(unit))
    if ahead is not None and enemies >> ahead & 1:
        if _is_open(state, here, ahead):
            yield state.at.get(ahead)
        return
    for square in front(grid, here, facing):
        if enemies >> square & 1 and _is_open(state, here, square):
            yield state.at.get(square)


def _is_open(state: State, square: Square, other: Square) -> bool:
    """Whether no wall is between two squares: nobody fights across it (ours)."""
    return (min(square, other), max(square, other)) not in state.setting.walls


def shot_at(state: State, unit: int) -> Iterator[int]:
    """Yield the enemy units at which a unit can shoot (BB 8.1 to 8.3).

    It turns to have them in its arc (BB 8.4), unless it has a shield wall (BB 13.2).
    """
    square, player = state.square_of(unit), state.player_of(unit)
    side, grid = state.side(unit), state.setting.grid
    if not side.missile_dice or zones(state, 1 - player).all >> square & 1:
        return
    reach = side.missile_range + bonus(state, Verb.RANGE, player, unit)
    turns = not state.units[unit].wall
    for target in state.on_map(1 - player):
        place = state.square_of(target)
        if points(grid, square, place) > reach or not sees(state, square, place):
            continue
        if turns or not turns_to_aim(state, unit, place):
            yield target
