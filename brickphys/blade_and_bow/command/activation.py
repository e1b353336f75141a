"""Activation: the end of the action of a unit or a formation (BB 5.4.4)."""

from brickphys.blade_and_bow.command.effects import expired
from brickphys.blade_and_bow.sheets.cards import Lasts
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.words import Unconditional


def unit_done(state: State, unit: int) -> State:
    """Return the state in which a unit has acted; after the last one the action is over."""
    waiting = tuple(one for one in state.activated.waiting if one != unit)
    if not waiting:
        return finished(state)
    return state.change_activation(waiting=waiting, active=None, spent=0)


def finished(state: State) -> State:
    """Return the state after an action of the player whose impulse it is.

    Only units that fought in it keep their melee markers (BB 9.4.3.6), and the effects of its cards expire (BB 4.2).
    """
    activation, fought = state.activation, set[int]()
    if activation is not None and activation.order is Order.MELEE:
        fought = set(activation.units) - set(activation.waiting)
    for number, unit in enumerate(state.units):
        if unit.marker and number not in fought and state.player_of(number) == state.mover:
            state = state.change_unit(number, marker=False)
    state = expired(state, Lasts.ACTION)
    return state.replaced({"activation": None, "actions": state.actions - 1})


class Done(Unconditional[State]):
    """Units that have not acted do nothing: the action is over."""

    __slots__ = ()
    word = "done"

    def apply(self, state: State) -> State:
        """End the action."""
        return finished(state)
