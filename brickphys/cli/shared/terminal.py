"""Terminal: reads what people type, and shows what they read."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TextIO

import click

from brickphys.cli.shared.colours import coloured, has_colours
from brickphys.cli.shared.echo import echo
from brickphys.signals import heard_while_waiting

_WIPE = "\033[H\033[2J\033[3J"
"""Takes a terminal to the upper left, and wipes the screen and the lines above it."""

_KEY = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|.", re.DOTALL)
"""A key: a letter, or a sequence such as that of an arrow."""


class Terminal:
    """Terminal of the persons: they read standard output, or standard error where the output is JSON.

    Parameters
    ----------
    to_stderr
        Whether they read standard error.
    players
        The colour of each player, in which their things are shown.
    """

    def __init__(self, *, to_stderr: bool, players: Sequence[str] = ()) -> None:
        self._to_stderr = to_stderr
        self._players = tuple(players)
        self._has_colours = has_colours(self._screen)
        self._keys = ""

    @property
    def _screen(self) -> TextIO | None:
        return sys.stderr if self._to_stderr else sys.stdout

    def write(self, text: str) -> None:
        """Show lines, with colours where the screen has them."""
        if self._has_colours:
            click.echo(coloured(text, self._players), err=self._to_stderr, color=True)
        else:
            echo(text, err=self._to_stderr)

    def columns(self) -> int | None:
        """Return how wide the screen is; None where nobody reads at a terminal."""
        is_one = self._screen is not None and self._screen.isatty()
        return shutil.get_terminal_size().columns if is_one else None

    @property
    def clearing(self) -> Callable[[], None] | None:
        """Wipes the screen and what was scrolled out of it; None where persons type or read at no terminal."""
        ends = (sys.stdin, self._screen)
        is_one = all(stream is not None and stream.isatty() for stream in ends)
        can_wipe = is_one and os.environ.get("TERM") != "dumb"
        return partial(click.echo, _WIPE, err=self._to_stderr) if can_wipe else None

    def key(self) -> str:
        """Return the next key that is pressed, as one letter or a sequence that begins with Escape.

        What was pressed before it was asked for counts, too. EOFError at Ctrl-C and Ctrl-D.
        """
        if not self._keys:
            try:
                self._keys = _pressed()
            except KeyboardInterrupt:
                raise EOFError from None
        key = _KEY.match(self._keys)[0]  # type: ignore[index]  # it matches at least one letter
        self._keys = self._keys[len(key) :]
        if key in ("\x03", "\x04"):
            raise EOFError
        return key

    def read(self) -> str:
        """Return a line; EOFError where there is none, or at Ctrl-C. What is not UTF-8 text is asked for again."""
        while True:
            if sys.stdin is None:  # it is closed
                raise EOFError
            echo("> ", nl=False, err=self._to_stderr)
            try:
                with heard_while_waiting():
                    line = sys.stdin.readline()
            except KeyboardInterrupt:
                raise EOFError from None
            except UnicodeDecodeError:
                self.write("this is not UTF-8 text: type it again")
                continue
            if not line:
                raise EOFError
            return line


def _pressed() -> str:
    """Return the keys that were pressed, at least one; the terminal shows none of them."""
    try:
        import termios
        import tty
    except ImportError:  # no terminal of POSIX
        return click.getchar()
    end = sys.stdin.fileno()
    before = termios.tcgetattr(end)
    tty.setcbreak(end, termios.TCSADRAIN)
    try:
        with heard_while_waiting():
            return os.read(end, 32).decode(errors="replace") or "\x04"
    finally:
        termios.tcsetattr(end, termios.TCSADRAIN, before)
