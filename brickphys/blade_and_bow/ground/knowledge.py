"""Knowledge: the ranks of a unit that the enemy has seen (BB 2.3.2.8)."""

from functools import lru_cache

from brickphys.blade_and_bow.ground.arcs import arc
from brickphys.blade_and_bow.ground.sight import sees
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.state.part import Part, pieces
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import each


def noticed(state: State) -> State:
    """Return the state in which all ranks are seen that an enemy unit sees now; what was seen stays known.

    An enemy unit sees the ranks of a unit in its zone, and of one that it sees from outside its front arc.
    """
    for number in _newly_seen(pieces(state)):
        state = state.change_unit(number, seen=True)
    return state


@lru_cache(maxsize=4096)
def _newly_seen(part: Part) -> tuple[int, ...]:
    """Return the units whose ranks an enemy sees for the first time."""
    state, found = part.state, list[int]()
    for number, unit in enumerate(state.units):
        if unit.seen or unit.square is None or not state.setting.units[number].counter.has_ranks:
            continue
        enemy = 1 - state.player_of(number)
        behind = state.occupied[enemy] & ~arc(state.setting.grid, unit.square, unit.facing)
        if zones(state, enemy).all >> unit.square & 1 or any(
            sees(state, square, unit.square) for square in each(behind)
        ):
            found.append(number)
    return tuple(found)
