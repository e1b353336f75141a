"""Moves: checks, applies, writes and reads actions and outcomes alike."""

from collections.abc import Sequence

from brickphys.errors import BrokenGameError, IllegalActionError
from brickphys.rules.events.event import Outcome
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, Action, State, View


def open_actions(game: Game[State, Action, View], state: State) -> Sequence[Action]:
    """Return the listed actions of the player who is to act; BrokenGameError if there is none."""
    actions = game.actions(state)
    if not actions:
        raise BrokenGameError(
            f"{game.name}: player {game.actor(state)} has no legal action in {game.format_state(state)}"
        )
    return actions


def advance(
    game: Game[State, Action, View], state: State, move: Action | Outcome, *, checked: bool = False
) -> State:
    """Return the state after a move.

    Parameters
    ----------
    game, state
        The game, and the state before the move.
    move
        An action of the player who is to act, or an outcome where chance is.
    checked
        The move is known to be legal: it comes from the game's own list, or has been checked.

    Raises
    ------
    IllegalActionError
        If the move is illegal; it names every reason.
    """
    if not checked:
        reasons = move_problems(game, state, move)
        if reasons:
            text = format_move(game, state, move)
            raise IllegalActionError(text, reasons, game.format_state(state))
    return game.apply(state, move)


def move_problems(
    game: Game[State, Action, View], state: State, move: Action | Outcome
) -> list[str]:
    """Return every reason why an action or an outcome cannot come in this state."""
    if game.actor(state) == CHANCE:
        return game.chance(state).problems(move)  # type: ignore[arg-type]
    return game.problems(state, move)  # type: ignore[arg-type]


def format_move(game: Game[State, Action, View], state: State, move: Action | Outcome) -> str:
    """Write the action or outcome that comes in this state."""
    if game.actor(state) == CHANCE:
        return game.chance(state).format(move)  # type: ignore[arg-type]
    return game.format_action(move)  # type: ignore[arg-type]


def parse_move(game: Game[State, Action, View], state: State, text: str) -> Action | Outcome:
    """Read the action or outcome that comes in this state; InvalidValueError if the text is none."""
    if game.actor(state) == CHANCE:
        return game.chance(state).parse(text)
    return game.parse_action(text)
