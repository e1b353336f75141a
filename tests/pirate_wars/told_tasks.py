"""Tasks in a test: orders and dice as players would say them."""

from typing import Any

from brickphys.pirate_wars.sheets import ShipPlace
from brickphys.pirate_wars.state import Phase, State
from brickphys.pirate_wars.tasks import ORDER_TYPES, end_of_tasks
from brickphys.rules.turn_state import FollowUp, PendingRoll, Question
from brickphys.rules.words import Action, by_word, parse_action


def tasks(state: State, **changes: Any) -> State:
    """Return the state in the phase of tasks."""
    return state.replaced({"phase": Phase.TASKS, **changes})


def read(state: State, text: str) -> Action[State]:
    """Read an order, or the answer to the question that is pending."""
    types = state.answers if state.pending else ORDER_TYPES
    return parse_action(by_word(types), text)


def why_not(state: State, text: str) -> list[str]:
    return list(read(state, text).problems(state))


def listed(state: State) -> list[str]:
    types = state.answers if state.pending else ORDER_TYPES
    return [action.text() for each in types for action in each.legal(state)]


def told(state: State, *moves: str) -> State:
    """Return the state after orders, answers and outcomes of dice, and all that happens by itself."""
    for move in moves:
        first = state.first_pending
        if isinstance(first, PendingRoll):
            outcome = first.event(state).parse(move)
            state = first.settle(state.pop_pending(), outcome)
        else:
            action = read(state, move)
            assert not list(action.problems(state)), (move, list(action.problems(state)))
            state = action.apply(state)
        state = settled(state)
    return state


def settled(state: State) -> State:
    """Return the state where a player or chance is to act."""
    while state.pending:
        first = state.pending[0]
        if first.lapses(state):
            state = state.pop_pending()
        elif isinstance(first, FollowUp):
            state = first.happen(state.pop_pending())
        else:
            assert isinstance(first, PendingRoll | Question)
            break
    return state


def ended(state: State, *moves: str) -> State:
    """Return the state after the end of the phase of tasks."""
    return told(settled(end_of_tasks(state)), *moves)


def at(
    state: State, *names: str, place: ShipPlace = ShipPlace.DECK, gun: int | None = None
) -> State:
    """Return the state with minifigs at some place of their ships."""
    for name in names:
        number = state.setting.minifig_numbers[name]
        now = state.minifigs[number]
        there = type(now)(now.ship, place if gun is None else ShipPlace.GUN, gun)
        state = state.with_entry("minifigs", number, there)
    return state
