"""Terminal: reads what people type, and shows what they read.

All colours are of the palette of 256, from 37 to 68 of 100 in lightness, so that they can be read on dark and on light
screens. Those of players are the colours of the pictures. They differ in lightness too, for whoever sees no hues.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TextIO

import click

from brickphys.cli.shared.output import echo
from brickphys.rules.report.char_map import Ink, Tone, spans_of
from brickphys.signals import heard_while_waiting
from brickphys.text import cleaned

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


PLAYERS = {"red": 160, "blue": 39, "yellow": 100, "orange": 130, "white": 246, "black": 240}
"""The colours of players by the names that pictures give them."""
STYLES: Mapping[Ink, Mapping[str, Any]] = {
    Ink.MARK: {"fg": 172, "bold": True},
    Ink.HEAD: {"bold": True},
    Ink.QUIET: {"dim": True},
    Ink.FAULT: {"fg": 133},
    Ink.WATER: {"fg": 31},
    Ink.PLANTS: {"fg": 64},
    Ink.STONE: {"fg": 102},
}


def has_colours(screen: TextIO | None) -> bool:
    """Tell whether texts on a screen get colours.

    Not where NO_COLOR is set (https://no-color.org); where FORCE_COLOR is; else on terminals that are not dumb.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return screen is not None and screen.isatty() and os.environ.get("TERM") != "dumb"


def coloured(text: str, players: Sequence[str]) -> str:
    """Return a text with its tones as colours, its own control characters escaped.

    The text may be `brickphys.rules.report.char_map.Inked`.
    """
    own = [PLAYERS[colour] for colour in players]
    parts, at = list[str](), 0
    for start, end, tone in spans_of(text):
        parts += [
            cleaned(text[at:start]),
            click.style(cleaned(text[start:end]), **_style(tone, own)),
        ]
        at = end
    return "".join([*parts, cleaned(text[at:])])


def _style(tone: Tone, players: Sequence[int]) -> Mapping[str, Any]:
    if isinstance(tone, Ink):
        return STYLES[tone]
    return {"fg": players[tone], "bold": True} if tone < len(players) else {}
