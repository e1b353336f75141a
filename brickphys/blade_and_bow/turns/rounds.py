"""Rounds: the phases of a turn, and the automatic steps between two choices (BB 5.0)."""

from dataclasses import dataclass

from brickphys.blade_and_bow.combat.course import combat_following
from brickphys.blade_and_bow.command.activation import finished
from brickphys.blade_and_bow.command.cards import CardDraw
from brickphys.blade_and_bow.command.effects import expired
from brickphys.blade_and_bow.command.hand import draw_phase
from brickphys.blade_and_bow.sheets.cards import Lasts
from brickphys.blade_and_bow.sheets.charts import FACES, charts
from brickphys.blade_and_bow.state.pieces import Result
from brickphys.blade_and_bow.state.state import Phase, State
from brickphys.blade_and_bow.turns.initiative import ask_for_initiative
from brickphys.blade_and_bow.turns.rout_management import manage_rout
from brickphys.blade_and_bow.turns.victory import last_result, result_at_once, result_of_turn
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, scores


def following(state: State) -> State | None:
    """Return what follows by itself where nothing is pending; None if the player has a choice."""
    if (result := result_at_once(state)) is not None:
        return _ended(state, result)
    match state.phase:
        case Phase.SETUP:
            return _begin_turn(state)
        case Phase.CARDS:
            return ask_for_initiative(with_impulses(state.replaced({"phase": Phase.INITIATIVE})))
        case Phase.INITIATIVE:
            return _next_impulse(state.replaced({"phase": Phase.IMPULSES}), state.holder)
        case Phase.IMPULSES:
            return _within_impulse(state)
        case Phase.ROUT:
            return _end_turn(state)


def _within_impulse(state: State) -> State | None:
    """Return what follows in a combat, an action, or an impulse that is over."""
    activation = state.activation
    if state.combat is not None:
        return combat_following(state)
    if activation is not None:
        is_done = activation.closed and not activation.waiting
        return finished(state) if is_done else None
    if state.actions:
        return None
    return _next_impulse(state, 1 - state.mover)


def _next_impulse(state: State, first: int) -> State:
    """Begin the next impulse, of a player if any is left to that one, or rout management."""
    after = next_impulse(state, first)
    return manage_rout(state.replaced({"phase": Phase.ROUT})) if after is None else after


def impulses_of(state: State, player: int) -> int:
    """Return how many impulses a player has in a turn: one less for each leader killed and a camp lost (BB 5.2)."""
    lost = state.leaders_killed(player) + state.sacked[player]
    return max(0, state.setting.impulses[player] - lost)


def with_impulses(state: State) -> State:
    """Return the state in which each player has the impulses of a turn."""
    players = range(len(state.setting.players))
    return state.replaced({"impulses": tuple(impulses_of(state, player) for player in players)})


def next_impulse(state: State, first: int) -> State | None:
    """Return the state with the next impulse, of a player if any is left to that one; None if none is left to either.

    A card is drawn for the actions of the impulse (BB 5.4.1).
    """
    state = expired(state, Lasts.IMPULSE)
    for player in (first, 1 - first):
        if left := state.impulses[player]:
            state = state.with_entry("impulses", player, left - 1).replaced({"mover": player})
            return state.push_pending(CardDraw(player, to_hand=False))
    return None


def _begin_turn(state: State) -> State:
    """Begin the next turn: the players draw (BB 5.1)."""
    state = expired(state, Lasts.TURN)
    changes = {"turn": state.turn + 1, "phase": Phase.CARDS, "hand_sizes": state.next_hand_sizes}
    return draw_phase(state.replaced(changes))


def _end_turn(state: State) -> State:
    """Judge the battle, and roll for its end or begin the next turn (BB 5.6, 5.7)."""
    if (result := result_of_turn(state)) is not None:
        return _ended(state, result)
    mark = _mark(state)
    if mark >= FACES or state.turn == len(charts().ends):
        return _ended(state, last_result(state))
    return state.push_pending(EndRoll()) if mark else _begin_turn(state)


def _mark(state: State) -> int:
    """Return the end-of-game mark of the turn; 0 for none."""
    return charts().ends[state.turn - 1]


def _ended(state: State, result: Result) -> State:
    return state.replaced({"result": result, "activation": None, "combat": None, "actions": 0})


@dataclass(frozen=True, slots=True)
class EndRoll(PendingRoll[State]):
    """The die of a turn with an end-of-game mark (BB 5.7)."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        is_rolled = state.phase is Phase.ROUT and 0 < _mark(state) < FACES
        return [] if is_rolled else [f"turn: {state.turn} has no die for the end"]

    def event(self, state: State) -> Tally:
        """Return the die."""
        mark = _mark(state)
        return Tally.of(1, "the end of the battle", ends=mark, goes_on=FACES - mark)

    def settle(self, state: State, outcome: Outcome) -> State:
        """End the battle, or begin the next turn."""
        ends, _ = scores(outcome)
        return _ended(state, last_result(state)) if ends else _begin_turn(state)
