"""Notes: the library's log, which is silent unless the caller asks, and the callbacks that report progress."""

import logging
from collections.abc import Callable

from brickphys.text import cleaned_line

NOTES = logging.getLogger("brickphys")

Progress = Callable[[int, int], None]
"""Called with the number of steps done and the number of all."""
StageProgress = Callable[[str, int, int], None]
"""Called with the name of a stage, and its steps done and in all."""


class _Lines(logging.Formatter):
    """Writes each note on a line, with what is in it from files made harmless for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a note."""
        return cleaned_line(super().format(record))


def show_notes() -> None:
    """Print notes on standard error."""
    if not NOTES.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(_Lines("brickphys: %(message)s"))
        NOTES.addHandler(handler)
        NOTES.setLevel(logging.INFO)
