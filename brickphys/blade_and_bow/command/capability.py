"""Capability: whether a unit can carry out an order (BB 3.5)."""

from brickphys.blade_and_bow.command.targets import engaged, shot_at
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.state import State


def inability(state: State, unit: int, order: Order) -> str:
    """Return why a unit of the player whose impulse it is cannot carry out an order; empty if it can."""
    now, enemy = state.units[unit], 1 - state.mover
    if now.square is None:
        return "is not on the map"
    if order is Order.RALLY:
        return "" if now.disrupted else "is in good order (BB 11.0)"
    if order is Order.MOVE:
        is_held = zones(state, enemy).strong >> now.square & 1
        return "is in a strong enemy zone (BB 7.2.2)" if is_held else ""
    if now.disrupted:
        return "is disrupted (BB 3.5)"
    if order is Order.MELEE:
        return "" if any(True for _ in engaged(state, unit)) else "has no enemy in front (BB 9.1)"
    if not state.side(unit).missile_dice:
        return "has no missiles (BB 2.3.2.3)"
    if zones(state, enemy).all >> now.square & 1:
        return "is in an enemy zone (BB 8.1)"
    return "" if any(True for _ in shot_at(state, unit)) else "has no target in reach (BB 8.2, 8.3)"


def able(state: State, order: Order) -> tuple[int, ...]:
    """Return the units of the player whose impulse it is that can carry out an order; worked out once for a state."""
    known: dict[Order, tuple[int, ...]] = vars(state).setdefault("able", {})
    if order not in known:
        found = (unit for unit in state.on_map(state.mover) if not inability(state, unit, order))
        known[order] = tuple(sorted(found))
    return known[order]
