"""Tasks in a test: orders and dice as players would say them."""

from typing import Any

from brickphys.pirate_wars.sheets import ShipPlace
from brickphys.pirate_wars.state import MinifigState, Phase, State
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


def answered(state: State) -> State:
    """Return the state after the first answer to each question; nothing is rolled between them."""
    while state.pending:
        state = told(state, listed(state)[0])
    return state


def ended(state: State, *moves: str) -> State:
    """Return the state after the end of the phase of tasks."""
    return told(settled(end_of_tasks(state)), *moves)


def number(state: State, name: str) -> int:
    return state.setting.minifig_numbers[name]


def dead(state: State) -> list[str]:
    """The names of those who died, were taken or left."""
    pairs = zip(state.setting.minifigs, state.minifigs, strict=True)
    return [spec.name for spec, now in pairs if not now.is_alive]


def swims(state: State, name: str, at_studs: tuple[float, float]) -> State:
    """Return the state with a minifig in the water at a place."""
    wet = MinifigState(None, ShipPlace.WATER, at_studs=at_studs)
    return state.with_entry("minifigs", number(state, name), wet)


def at(
    state: State, *names: str, place: ShipPlace = ShipPlace.DECK, gun: int | None = None
) -> State:
    """Return the state with minifigs at some place of their ships."""
    for name in names:
        where = place if gun is None else ShipPlace.GUN
        state = state.change_minifig(number(state, name), place=where, gun=gun)
    return state
