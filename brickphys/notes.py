"""Notes: the library's log, and the callbacks that report progress. Both are silent unless the caller asks."""

import logging
from collections.abc import Callable

NOTES = logging.getLogger("brickphys")

Progress = Callable[[int, int], None]
"""Called with the number of steps done and the number of all."""
StageProgress = Callable[[str, int, int], None]
"""Called with the name of a stage, and its steps done and in all."""


def show_notes() -> None:
    """Print notes on standard error."""
    if not NOTES.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("brickphys: %(message)s"))
        NOTES.addHandler(handler)
        NOTES.setLevel(logging.INFO)
