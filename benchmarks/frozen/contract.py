"""Contract: all that the frozen cases need of brickphys, by names that stay when modules move."""

import contextlib
import logging
import os
import re
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
from click.testing import CliRunner

import brickphys

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {
    "COLUMNS": "80",
    "LINES": "24",
    "LC_ALL": "C.UTF-8",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "FORCE_COLOR": None,
    "NO_COLOR": None,
    "SOURCE_DATE_EPOCH": "0",
}
_WAITING = re.compile(r"^the bots play: | pictures, about \d+ s more$|compil")
"""Lines on standard error that only a slow machine prints."""


def main() -> Any:
    """Return the function of the console script."""
    (script,) = (one for one in entry_points(group="console_scripts") if one.name == "brickphys")
    return script.load()


def root_command() -> click.Group:
    """Return the command of which all others are parts."""
    found = vars(sys.modules[main().__module__]).values()
    (root,) = (one for one in found if isinstance(one, click.Group))
    return root


def commands(command: click.Command | None = None, words: str = "") -> Iterator[tuple[str, bool]]:
    """Yield the names of all commands and groups below one, and whether it is a group."""
    command = command or root_command()
    yield words, isinstance(command, click.Group)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            if inner is not None:
                yield from commands(inner, f"{words} {word}".strip())


def called(words: list[str], typed: str, folder: Path) -> str:
    """Return how a call of the command line in a folder ends, and what it prints."""
    status: object = 0
    _forget_handlers()
    env = {**ENVIRONMENT, "XDG_STATE_HOME": str(folder / ".state"), "HOME": str(folder)}
    run = main()
    with (
        contextlib.chdir(folder),
        patch.object(sys, "argv", ["brickphys", *words]),
        patch.object(os, "cpu_count", lambda: 2),
        CliRunner().isolation(typed, env=env) as (out, err, _),
    ):
        try:
            run()
        except SystemExit as end:
            status = end.code
        except Exception as error:  # it is a result, too
            status = f"{type(error).__name__}: {error}"
        finally:
            _forget_handlers()
        told = [line for line in err.getvalue().decode().splitlines() if not _WAITING.search(line)]
        return "\n".join([f"exit {status or 0}", *told, out.getvalue().decode()])


def _forget_handlers() -> None:
    """Remove the handlers of an earlier call: they write on its standard error."""
    log = logging.getLogger("brickphys")
    log.handlers.clear()
    log.setLevel(logging.NOTSET)


def games() -> dict[str, Any]:
    """Return all games by name."""
    return {name: brickphys.game(name) for name in brickphys.games()}


def battle(game: str, setup: str, bots: str, seed: int, most: int) -> Any:
    """Return a game that bots have played: it has a record, a story, and can be saved."""
    return brickphys.play(game, setup, bots, seed=seed, max_steps=most)


def law() -> Any:
    """Return the law of the bricks."""
    return brickphys.law("default")


REFUSED = brickphys.BrickphysError
