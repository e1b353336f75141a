"""Melees and volleys of which the dice have been rolled."""

from brickphys.blade_and_bow.combat.hits import apply_hits, missile_hits
from brickphys.blade_and_bow.state import State
from tests.blade_and_bow.fight import clash


def melee(
    state: State, target: str, lead: str, *others: str, hits: int = 0, back: int = 0
) -> State:
    """Return the state after the dice of a melee, with hits on the target and back on the attackers after cancels."""
    state = fought(state, target, (lead, *others), ranged=False)
    return apply_hits(state.change_combat(attack=(hits, 0, 0), defence=(back, 0, 0)))


def volley(state: State, target: str, *shooters: str, hits: int) -> State:
    """Return the state after the dice of a volley, with hits after cancels."""
    return missile_hits(fought(state, target, shooters, ranged=True), hits)


def fought(state: State, target: str, names: tuple[str, ...], ranged: bool) -> State:
    """Return the state in which units attack a target, a camp if that is its name; the first one leads."""
    state = clash(state, None if target == "camp" else target, *names, ranged=ranged)
    lead = None if ranged else state.lead
    return state.change_activation(waiting=()).change_combat(lead=lead)
