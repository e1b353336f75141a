"""Notes: the library's log, and the progress of work.

The log is silent unless the caller asks. Progress is a bar at a terminal and a line in a notebook; elsewhere nothing is
shown.
"""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from brickphys.text import cleaned_line

if TYPE_CHECKING:
    from rich.progress import TaskID

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


AFTER_S = 2.0
"""Calls from Python that take less time show nothing."""
NOTE_AFTER_S = 3.0
"""Commands that take longer say so, once, where no bar is shown."""
_EVERY_S = 0.5
"""Time between two changes of the line in a notebook."""


@contextmanager
def stages(progress: StageProgress | bool, unit: str = "throws") -> Iterator[StageProgress]:
    """Yield the callback for the stages of a call from Python.

    Parameters
    ----------
    progress
        The caller's callback; True to show the progress of calls of more than two seconds where a person watches; False
        to show nothing.
    unit
        What is counted.
    """
    if callable(progress):
        yield progress
    elif progress and _in_notebook():
        yield _notebook_line(unit)
    elif progress and sys.stderr is not None and sys.stderr.isatty():
        with bar(unit, AFTER_S) as advance:
            yield advance
    else:
        yield _silent


@contextmanager
def steps(progress: Progress | bool, stage: str, unit: str = "throws") -> Iterator[Progress]:
    """Yield the callback for a call that has one stage; see `stages`."""
    if callable(progress):
        yield progress
    else:
        with stages(progress, unit) as advance:
            yield partial(advance, stage)


@contextmanager
def bar(unit: str = "throws", after_s: float = 0.0) -> Iterator[StageProgress]:
    """Show a progress bar on standard error while the block runs, if that is a terminal.

    It appears after some time, if that is given, and then vanishes at the end.
    """
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (
        rich_progress.TextColumn("{task.description:<20}"),
        rich_progress.BarColumn(),
        rich_progress.TextColumn("{task.completed:,} of {task.total:,} " + unit),
        rich_progress.TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    shown = rich_progress.Progress(
        *columns, console=console, disable=not console.is_terminal, transient=after_s > 0
    )
    tasks: dict[str, TaskID] = {}
    due = monotonic() + after_s
    with ExitStack() as stack:
        if not after_s:
            stack.enter_context(shown)

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = shown.add_task(stage, total=total)
            shown.update(tasks[stage], completed=done, total=total)
            if after_s and not shown.live.is_started and monotonic() >= due:
                stack.enter_context(shown)

        yield advance


class Waiting:
    """How long somebody has waited since this was made, and whether that was told."""

    def __init__(self) -> None:
        self._begun = monotonic()
        self.is_told = False

    @property
    def seconds(self) -> float:
        """How long it is."""
        return monotonic() - self._begun

    @property
    def is_long(self) -> bool:
        """Whether it is so long that somebody should be told what goes on."""
        return self.seconds >= NOTE_AFTER_S


def _silent(_stage: str, _done: int, _total: int) -> None:
    """Show nothing."""


def _in_notebook() -> bool:
    """Tell whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _notebook_line(unit: str) -> StageProgress:
    """Return a callback that shows one line below the cell, and changes it."""
    display = import_module("IPython.display").display
    due = monotonic() + AFTER_S
    line: Any = None

    def advance(stage: str, done: int, total: int) -> None:
        nonlocal due, line
        is_end = line is not None and done == total
        if monotonic() < due and not is_end:
            return
        due = monotonic() + _EVERY_S
        text = {"text/plain": f"{stage}: {done:,} of {total:,} {unit}"}
        if line is None:
            line = display(text, raw=True, display_id=True)
        else:
            line.update(text, raw=True)

    return advance
