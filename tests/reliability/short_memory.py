"""Memory that is short at one place: the n-th function of brickphys that is called raises MemoryError as it begins."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dis import opmap
from pathlib import Path
from types import FrameType
from typing import Any

import brickphys

PACKAGE = str(Path(brickphys.__file__).parent)
OUTSIDE = ("main", "_report", "_fail", "_print_error", "show_notes", "echo", "cleaned")
"""What runs before the command does, or tells its error."""
_BEGIN = bytes([opmap["RESUME"], 0])
"""The instruction with which functions and generators begin; where they go on, its argument is not 0."""
_FIRST = 20
"""Places at the beginning, all of which are tried."""


class Memory:
    """Counts the calls of functions of brickphys in a block; the n-th finds no memory.

    Parameters
    ----------
    short_at
        n, from 1; 0 if there is enough memory.
    only
        Ends of the names of files whose functions count; all of them if empty.
    """

    def __init__(self, short_at: int = 0, only: tuple[str, ...] = ("",)) -> None:
        self.calls, self._short_at, self._only = 0, short_at, only

    @contextmanager
    def limited(self) -> Iterator["Memory"]:
        sys.setprofile(self.note)
        try:
            yield self
        finally:
            sys.setprofile(None)

    def note(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Count an event of a profile if it is such a call; raise MemoryError at the n-th."""
        if event == "call" and self._counts(frame):
            self.calls += 1
            if self.calls == self._short_at:
                raise MemoryError

    def _counts(self, frame: FrameType) -> bool:
        code = frame.f_code
        return (
            code.co_filename.startswith(PACKAGE)
            and code.co_filename.endswith(self._only)
            and code.co_name not in OUTSIDE
            and _begins(frame)
        )


def _begins(frame: FrameType) -> bool:
    """Return whether a function begins; a generator that goes on needs no memory, and would skip its `finally`."""
    at = frame.f_lasti
    return frame.f_code.co_code[at : at + 2] == _BEGIN


def places(calls: int, more: int) -> list[int]:
    """Return the first places among so many, and `more` at equal distances up to the last."""
    first = min(_FIRST, more, calls)
    return [*range(1, first + 1), *range(calls, first, -max(1, (calls - first) // more))]
