"""Game progress: how far a game of bots has come, for those who wait: a line at a terminal, elsewhere one note."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from brickphys.cli.shared.echo import echo_line
from brickphys.progress import Waiting
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, Step, Watcher
from brickphys.text import counted


@contextmanager
def game_progress(game: AnyGame) -> Iterator[Watcher[Any, Any]]:
    """Yield a watcher of the steps of a game, which shows on standard error how far it is once it has taken long."""
    actions, line = 0, None
    waiting = Waiting()
    with ExitStack() as stack:

        def watch(_before: Any, step: Step[Any, Any]) -> None:
            nonlocal actions, line
            actions += step.actor != CHANCE
            if not waiting.is_long:
                return
            number = game.rounds(step.after)
            where = f"{game.round_word.lower()} {number}, " if number else ""
            told = f"the bots play: {where}{counted(actions, 'action')}"
            if sys.stderr is None or not sys.stderr.isatty():
                if not waiting.is_told:
                    echo_line(f"{told} in {waiting.seconds:.0f} s", err=True)
                waiting.is_told = True
                return
            if line is None:
                from rich.console import Console

                line = stack.enter_context(Console(stderr=True).status(told))
            line.update(told)

        yield watch
