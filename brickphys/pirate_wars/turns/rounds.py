"""Rounds: the phases of a turn, and the automatic steps between two choices (PW Turn Sequence)."""

from dataclasses import dataclass

from brickphys.pirate_wars.damage.sinking import sink
from brickphys.pirate_wars.sailing.collision import leave
from brickphys.pirate_wars.sailing.movement import begin_move, can_fall_off, due_ships
from brickphys.pirate_wars.sailing.wind import set_adrift
from brickphys.pirate_wars.state.ship import Fate
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.resolve import end_of_tasks
from brickphys.pirate_wars.turns.initiative import InitiativeRoll, playing
from brickphys.pirate_wars.turns.morale import is_out_of_range, morale_rolls
from brickphys.pirate_wars.turns.sharks import shark_rolls
from brickphys.pirate_wars.turns.victory import held, may_return, winners, winners_of_turn
from brickphys.rules.pending import FollowUp


def begin_turn(state: State) -> State:
    """Return the state with the next turn: the players roll for initiative."""
    changes = {"phase": Phase.INITIATIVE, "order": (), "turn": 0, "done": frozenset[int]()}
    state = set_adrift(state.replaced({**changes, "round": state.round + 1}))
    return InitiativeRoll((tuple(playing(state)),)).asked(state)


def following(state: State) -> State | None:
    """Return what follows by itself where nothing is pending; None if the player has a choice."""
    if state.phase is Phase.INITIATIVE:
        return begin_turn(state)
    if state.phase in (Phase.MORALE, Phase.SHARKS) or state.turn == len(state.order):
        ended = state.push_pending(PhaseEnd())
        return end_of_tasks(ended) if state.phase is Phase.TASKS else ended
    if state.phase is Phase.TASKS or state.active is not None:
        return None
    ships = due_ships(state)
    if state.phase is Phase.FALLING_OFF:
        ships = [ship for ship in ships if can_fall_off(state, ship)]
    if not ships:
        return state.replaced({"turn": state.turn + 1})
    if state.phase is Phase.FALLING_OFF:
        return state.replaced({"active": ships[0]})
    return begin_move(state, ships[0]) if len(ships) == 1 else None


_PHASES = tuple(Phase)


@dataclass(frozen=True, slots=True)
class PhaseEnd(FollowUp[State]):
    """Ships without hull sink, and the next phase or turn begins unless the battle is over (PW Damage Chart)."""

    def happen(self, state: State) -> State:
        """End the phase, after the last ship that sinks."""
        sinking = [number for number, ship in state.afloat() if not ship.hull]
        if sinking:
            return sink(state.push_pending(self), sinking[0])
        if state.phase is Phase.SHARKS:
            return _end_turn(state)
        if (won := winners(state)) is not None:
            return state.replaced({"winners": won})
        phase = _PHASES[_PHASES.index(state.phase) + 1]
        state = state.replaced({"phase": phase, "turn": 0, "done": frozenset[int]()})
        if phase is Phase.MORALE:
            return state.push_pending(*morale_rolls(state))
        return state.push_pending(*shark_rolls(state)) if phase is Phase.SHARKS else state


def _end_turn(state: State) -> State:
    """Remove ships that flee for good, judge the battle, and begin the next turn."""
    for number, ship in state.afloat():
        flees = ship.is_fleeing and not may_return(state, number)
        if flees and is_out_of_range(state, number):
            state = leave(state, number, Fate.FLED)
    state = state.replaced({"holding": held(state), "causes": ()})
    won = winners_of_turn(state)
    return begin_turn(state) if won is None else state.replaced({"winners": won})
