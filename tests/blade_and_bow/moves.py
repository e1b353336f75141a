"""What is pending in a state, answered move by move."""

from brickphys.blade_and_bow.state import State
from brickphys.rules.events import Outcome
from brickphys.rules.turn_state import FollowUp, PendingRoll, Question
from brickphys.rules.words import Action


def after(state: State, *moves: Action[State] | Outcome) -> State:
    """Return the state after some answers of players and chance, and all that follows before the next one."""
    state = _proceed(state)
    for move in moves:
        first = state.first_pending
        if isinstance(move, Action):
            assert isinstance(first, Question), f"{move} is no answer to {first}"
            listed = [action for kind in first.answers for action in kind.legal(state)]
            assert move in listed, f"{move} is not in {listed}"
            assert not list(move.problems(state))
            state = move.apply(state)
        else:
            assert isinstance(first, PendingRoll), f"{move} is no outcome of {first}"
            assert not first.event(state).problems(move), f"{move} is no outcome of {first}"
            state = first.settle(state.pop_pending(), move)
        state = _proceed(state)
    return state


def choices(state: State) -> list[str]:
    """Return the texts of the answers to the pending question."""
    return [action.text() for kind in state.answers for action in kind.legal(state)]


def _proceed(state: State) -> State:
    while first := state.first_pending:
        if first.lapses(state):
            state = state.pop_pending()
        elif isinstance(first, FollowUp):
            state = first.happen(state.pop_pending())
        else:
            break
    return state
