"""Notes: the library's log, which is silent unless the caller asks, and the callbacks that report progress."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

from brickphys.text import cleaned_line

NOTES = logging.getLogger("brickphys")

COMPILING = Event()
"""Set while kernels are compiled, which takes many seconds: who needs one of them waits meanwhile."""

Progress = Callable[[int, int], None]
"""Called with the number of steps done and the number of all."""
StageProgress = Callable[[str, int, int], None]
"""Called with the name of a stage, and its steps done and in all."""


class _Lines(logging.Formatter):
    """Writes each note on a line, with what is in it from files made harmless for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a note."""
        return cleaned_line(super().format(record))


class _Repeats(logging.Filter):
    """Drops a note whose text has come before."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a note is new."""
        text = record.getMessage()
        is_new = text not in self._texts
        self._texts.add(text)
        return is_new


@contextmanager
def each_note_once() -> Iterator[None]:
    """Write notes of the same text once, while a loop may cause them again and again."""
    repeats = _Repeats()
    NOTES.addFilter(repeats)
    try:
        yield
    finally:
        NOTES.removeFilter(repeats)


def show_notes() -> None:
    """Print notes on standard error."""
    if not NOTES.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(_Lines("brickphys: %(message)s"))
        NOTES.addHandler(handler)
        NOTES.setLevel(logging.INFO)
