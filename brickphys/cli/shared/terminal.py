"""Terminal: where persons type and read."""

import os
import sys
from collections.abc import Callable
from functools import partial

import click

from brickphys.cli.shared.echo import echo

_WIPE = "\033[H\033[2J\033[3J"
"""Takes a terminal to the upper left, and wipes the screen and the lines above it."""


class Terminal:
    """Terminal of the persons: they read standard output, or standard error where the output is JSON."""

    def __init__(self, *, to_stderr: bool) -> None:
        self._to_stderr = to_stderr

    def write(self, text: str) -> None:
        """Show lines."""
        echo(text, err=self._to_stderr)

    @property
    def clearing(self) -> Callable[[], None] | None:
        """Wipes the screen and what was scrolled out of it; None where persons type or read at no terminal."""
        screen = sys.stderr if self._to_stderr else sys.stdout
        is_one = all(stream is not None and stream.isatty() for stream in (sys.stdin, screen))
        can_wipe = is_one and os.environ.get("TERM") != "dumb"
        return partial(click.echo, _WIPE, err=self._to_stderr) if can_wipe else None

    def read(self) -> str:
        """Return a line; EOFError where there is none, or at Ctrl-C. What is no text in UTF-8 is asked for again."""
        while True:
            if sys.stdin is None:  # it is closed
                raise EOFError
            echo("> ", nl=False, err=self._to_stderr)
            try:
                line = sys.stdin.readline()
            except KeyboardInterrupt:
                raise EOFError from None
            except UnicodeDecodeError:
                self.write("this is no text in UTF-8: type it again")
                continue
            if not line:
                raise EOFError
            return line
