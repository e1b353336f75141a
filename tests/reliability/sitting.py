"""A sitting: a command that people type to, run in a thread that works only while the tests wait for it."""

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any
from unittest.mock import patch

from brickphys.cli import play as play_command
from brickphys.cli.main import main
from brickphys.notes import NOTES

PATIENCE_S = 300.0
"""Time for an answer on a busy machine; only a command that hangs takes so long."""
CTRL_C = KeyboardInterrupt()
NOT_UTF8 = UnicodeDecodeError("utf-8", b"\xe9", 0, 1, "unexpected end of data")


class _Screen(io.StringIO):
    """Standard output or error that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class _Keys:
    """Standard input that says it is a terminal; whoever reads it waits until the tests type."""

    def __init__(self, asked: "SimpleQueue[bool]") -> None:
        self._asked = asked
        self.lines: SimpleQueue[str | Exception | KeyboardInterrupt] = SimpleQueue()

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        self._asked.put(True)
        line = self.lines.get()
        if isinstance(line, BaseException):
            raise line
        return line


class Sitting:
    """A command at a terminal of the tests.

    Attributes
    ----------
    keyboard
        What the command notes of the game; None until it has begun.
    shown, errors
        All that was shown, and what came on standard error.
    status
        The exit status; None while the command waits for a line.
    crash
        What the command raised instead of ending; None if nothing.
    """

    def __init__(self, *words: object) -> None:
        self.keyboard: Any = None
        self.status: int | None = None
        self.crash: BaseException | None = None
        self._words = ["brickphys", *map(str, words)]
        self._asked: SimpleQueue[bool] = SimpleQueue()
        self._keys, self._screen, self._err = _Keys(self._asked), _Screen(), _Screen()
        self._thread = threading.Thread(target=self._run, daemon=True)
        with self._swapped():
            self._thread.start()
            self._wait()

    @property
    def shown(self) -> str:
        return self._screen.getvalue()

    @property
    def errors(self) -> str:
        return self._err.getvalue()

    def type(self, line: str | BaseException) -> str:
        """Type a line, or press Ctrl-C; return what is shown until the next line is asked for, or to the end."""
        assert self.status is None, "the command has ended"
        before = len(self.shown)
        with self._swapped():
            self._keys.lines.put(line if isinstance(line, BaseException) else f"{line}\n")
            self._wait()
        return self.shown[before:]

    def leave(self) -> None:
        """End the input, and with it the command."""
        while self.status is None and self.crash is None:
            with self._swapped():
                self._keys.lines.put("")
                self._wait()

    def _wait(self) -> None:
        waits = self._asked.get(timeout=PATIENCE_S)
        if not waits:
            self._thread.join()
            NOTES.handlers.clear()
            NOTES.setLevel("NOTSET")
        if self.crash is not None:
            raise AssertionError(f"a traceback of {' '.join(self._words)}") from self.crash

    def _run(self) -> None:
        status = 0
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        except BaseException as error:
            self.crash = error
        self.status = status
        self._asked.put(False)

    @contextmanager
    def _swapped(self) -> Iterator[None]:
        """Let this process have the streams and words of the command."""
        made = play_command._keyboard

        def keyboard(*arguments: Any) -> Any:
            self.keyboard = made(*arguments)
            return self.keyboard

        with (
            patch.object(sys, "argv", self._words),
            patch.object(sys, "stdin", self._keys),
            patch.object(sys, "stdout", self._screen),
            patch.object(sys, "stderr", self._err),
            patch.object(play_command, "_keyboard", keyboard),
            patch.dict(os.environ, {"COLUMNS": "80", "TERM": "xterm"}),
        ):
            yield
