"""Play: the loop in which players and chance move a game from its setup to its end, and the record of that."""

from collections.abc import Callable, Iterable, Sequence

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.rules.events.sources import EventSource
from brickphys.rules.game import Game
from brickphys.rules.players.bots import Bot
from brickphys.rules.record import (
    OVER,
    Action,
    Ending,
    Record,
    Setup,
    State,
    Step,
    View,
    Watcher,
)
from brickphys.rules.session import Session

MAX_STEPS = 100_000


def play(
    game: Game[State, Action, View],
    setup: Setup,
    players: Sequence[Bot[View, Action]],
    chance: EventSource,
    *,
    root: int,
    address: tuple[int, ...] = (),
    steps: Sequence[Step[State, Action]] = (),
    max_steps: int = MAX_STEPS,
    watchers: Iterable[Watcher[State, Action]] = (),
    corrects: Callable[[State], bool] = lambda _: False,
) -> Record[State, Action]:
    """Play one game; Ctrl-C ends it where it is, and the record says so.

    Parameters
    ----------
    game, setup, players, chance, root, address, corrects
        As in `Session`.
    steps
        The steps so far, of a game that was not played to its end; with the same players, chance, root and address it
        goes on as if it had never stopped.
    max_steps
        The most actions and outcomes, with those of `steps`; a longer game is stopped, and the record says so.
    watchers
        Functions that are called with each step.

    Raises
    ------
    InvalidValueError
        If the setup is none of this game, or has another number of players; if what a player chooses is no action.
    IllegalActionError
        If a player chooses an illegal action or a source gives an impossible outcome.
    BrokenGameError
        If a player should act and can do nothing.
    """
    session = started(game, setup, players, chance, root, address, steps, corrects)
    return session.record(_run(session, max_steps, tuple(watchers)))


def started(
    game: Game[State, Action, View],
    setup: Setup,
    players: Sequence[Bot[View, Action]],
    chance: EventSource,
    root: int,
    address: tuple[int, ...] = (),
    steps: Sequence[Step[State, Action]] = (),
    corrects: Callable[[State], bool] = lambda _: False,
) -> Session[State, Action, View]:
    """Return the session of a game with its steps so far; see `play` for the parameters.

    Raises
    ------
    InvalidValueError
        If the setup is none of this game, or has another number of players.
    """
    initial = game.initial(setup)
    if len(players) != game.players(initial):
        raise InvalidValueError(
            f"{len(players)} players, but {game.name} needs {game.players(initial)}"
        )
    return Session(game, setup, initial, players, chance, root, address, [*steps], corrects)


def _run(
    session: Session[State, Action, View],
    max_steps: int,
    watchers: Sequence[Watcher[State, Action]],
) -> Ending:
    """Show each step to every watcher, until the game ends; return how it has."""
    try:
        while session.actor != OVER and len(session.steps) < max_steps:
            before, taken = session.last, session.step()
            if taken is not None:
                for show in watchers:
                    show(before, taken)
    except (InterruptedRunError, KeyboardInterrupt):  # what was played so far is not lost
        return Ending.INTERRUPTED
    return Ending.OVER if session.actor == OVER else Ending.LIMIT
