"""Foes: their policy in battles of the campaign, always the same in the same state (ours)."""

from brickphys.minifig.actions.taking import End
from brickphys.minifig.state.state import State
from brickphys.rules.words import Action


def foe_action(_: State) -> Action[State]:
    """Return what the foes do."""
    return End()
