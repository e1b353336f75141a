"""Combat problems: checks of a melee or a volley in a state that was read from text."""

from collections.abc import Iterator

from brickphys.blade_and_bow.combat.party import targets
from brickphys.blade_and_bow.combat.pools import CLASSES
from brickphys.blade_and_bow.ground.arcs import beside
from brickphys.blade_and_bow.state.pieces import Activation, Combat, Order, Stage
from brickphys.blade_and_bow.state.state import State


def combat_problems(state: State) -> Iterator[str]:
    """Yield what can be in no combat; its units are those of the player whose impulse it is."""
    combat, activation = state.combat, state.activation
    if combat is None:
        return
    order = Order.SHOOT if combat.ranged else Order.MELEE
    if activation is None or not activation.closed or activation.order is not order:
        yield f"combat: no unit is activated to {order.value}"
        return
    yield from _value_problems(combat, activation)
    if combat.stage is not Stage.HITS:
        yield from _place_problems(state, combat)
    if combat.stage is Stage.PARTY:
        able = targets(state).get(combat.target)
        if able is None or not set(combat.units) <= set(able):
            yield "combat: the target cannot be attacked by units that wait (BB 8, 9.1)"


def _value_problems(combat: Combat, activation: Activation) -> Iterator[str]:
    units = combat.units
    if len(set(units)) < len(units) or not set(units) <= set(activation.units):
        yield f"combat: {list(units)} are not units that act"
    if not units and combat.stage is not Stage.PARTY:
        yield "combat: no unit attacks"
    if combat.lead is None:
        if combat.stage in (Stage.DICE, Stage.HITS) and not combat.ranged:
            yield "combat: no unit leads (BB 9.4.4.4)"
    elif combat.lead not in units:
        yield f"combat: unit {combat.lead} leads, but does not attack (BB 9.4.4.4)"
    is_close = combat.target is None or combat.stage is Stage.COMMITMENT or combat.again
    if combat.ranged and is_close:
        yield "combat: a volley cannot be at a camp, need commitment, or continue (BB 8.6, 12)"
    if {len(combat.attack), len(combat.defence)} - {0, len(CLASSES)}:
        yield "combat: dice must be three numbers: hits, blanks and cancels"
    if len(combat.rerolls) not in (0, 2):
        yield "combat: re-rolls must be two numbers, one for each side"
    if wrong := [one.unit for one in combat.checked if one.unit not in units]:
        yield f"combat: {wrong} lack commitment, but do not attack"


def _place_problems(state: State, combat: Combat) -> Iterator[str]:
    """Yield whoever is not where combat is possible, before any hits."""
    enemy, names = 1 - state.mover, state.setting.squares
    if combat.target is None:
        if state.camps[enemy] != combat.square or state.sacked[enemy]:
            yield f"combat: no camp of the enemy is at {names[combat.square]} (BB 12)"
    elif state.player_of(combat.target) != enemy:
        yield f"combat: unit {combat.target} is not an enemy"
    if state.at.get(combat.square) != combat.target:
        yield f"combat: the target is not at {names[combat.square]}"
    near = beside(state.setting.grid)[combat.square]
    for unit in combat.units:
        square = state.units[unit].square
        if square is None or not (combat.ranged or near >> square & 1):
            yield f"combat: unit {unit} is too far from the target (BB 9.4.1)"
