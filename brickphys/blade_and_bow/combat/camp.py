"""Camps: what protects a camp, which units stand on it, and how it is sacked (BB 12)."""

from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.state import State


def sheltered(state: State, unit: int, hits: int) -> int:
    """Return the hits of a melee that are left to a unit: its own camp cancels the first (BB 12)."""
    on_camp = state.camp_set(state.player_of(unit)) >> state.square_of(unit) & 1
    return max(hits - charts().dice["camp_cancels"], 0) if on_camp else hits


def struck_camp(state: State, hits: int) -> State:
    """Return the state after the hits of a melee on a camp: it is sacked by the second (BB 12)."""
    player = 1 - state.mover
    if hits <= charts().dice["camp_cancels"]:
        return state
    return state.with_entry("sacked", player, True)


def sackers_left(state: State) -> State:
    """Return the state after a melee with a camp: if it is sacked, the lead is off and no loss (BB 12).

    Leaders of the lead stay where they are (ours).
    """
    combat = state.fight
    lead = combat.lead
    done = combat.target is None and state.sacked[1 - state.mover]
    if not done or lead is None or state.units[lead].box is not Box.MAP:
        return state
    return state.out_of_play(lead, Box.LEFT)
