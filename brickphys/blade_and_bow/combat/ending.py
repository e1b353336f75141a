"""Ending: which units have acted in a combat, how it ends, and how a melee of cavalry continues."""

from brickphys.blade_and_bow.state.pieces import Combat, Stage
from brickphys.blade_and_bow.state.state import State


def acted(state: State, units: tuple[int, ...]) -> State:
    """Return the state in which some units of the activation have acted: each attacks once in an action (BB 9.1)."""
    waiting = tuple(unit for unit in state.activated.waiting if unit not in units)
    return state.change_activation(waiting=waiting)


def combat_over(state: State) -> State:
    """Return the state after a combat.

    The target is not attacked again in this action (BB 8.6, 9.1), unless nobody dared to attack it (ours).
    """
    combat, struck = state.fight, state.activated.struck
    state = acted(state, combat.units).replaced({"combat": None})
    if not combat.units:
        return state
    if combat.target is None:
        return state.change_activation(struck_camp=True)
    return state.change_activation(struck=(*struck, combat.target))


def begin_melee(state: State, unit: int, target: int, *, shaken: bool) -> State:
    """Return the state in which cavalry attacks a unit again that it has recoiled: cards come next (BB 9.4.11).

    All attackers of the melee before have acted (BB 9.1).

    Parameters
    ----------
    state
        The battle, with the melee before.
    unit, target
        The cavalry, and the enemy in one of its front squares.
    shaken
        Whether its morale roll has failed: it is disrupted once the hits are applied.
    """
    party = (target, state.square_of(target), (unit,))
    again = Combat(*party, stage=Stage.CARDS, lead=unit, again=True, shaken=shaken)
    return acted(state, state.fight.units).replaced({"combat": again})
