"""Memory that is short at one call of a function, anywhere in a command: one line, and no half-written file."""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from faulty_disk import copied, tree
from test_faulty_disk import COMMANDS, INJECTED

import brickphys

PACKAGE = str(Path(brickphys.__file__).parent)
OUTSIDE = ("<module>", "main", "_report", "_fail", "show_notes", "echo")
"""What runs before the command does, or tells its error."""


class Memory:
    """Counts the calls of functions of brickphys in a block; the n-th finds no memory."""

    def __init__(self, short_at: int = 0) -> None:
        self.calls, self._short_at = 0, short_at

    @contextmanager
    def limited(self) -> Iterator["Memory"]:
        sys.setprofile(self._note)
        try:
            yield self
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name not in OUTSIDE:
            self.calls += 1
            if self.calls == self._short_at:
                raise MemoryError


def check(name: str, times: int, tmp_path: Path) -> None:
    command = COMMANDS[name]
    start = command.begin(tmp_path / "start")
    before = tree(start)
    command.run(copied(start, tmp_path / "warm"))  # what is made once a process is made
    folder = copied(start, tmp_path / "whole")
    with Memory().limited() as memory:
        assert command.run(folder).returncode == 0
    expected, rng = tree(folder), random.Random(7)
    for at in sorted(rng.sample(range(1, memory.calls + 1), min(times, memory.calls))):
        folder = copied(start, tmp_path / "short")
        with Memory(at).limited():
            result = command.run(folder)
        case = (name, at, result.returncode, result.stderr)
        INJECTED[f"{name}, memory"] += 1
        assert "Traceback" not in result.stderr, case
        if result.returncode:
            assert result.returncode in (1, 2), case
            assert result.stderr.startswith("brickphys: "), case
            assert result.stderr.count("\n") == 1, case
        after = tree(folder)
        for file, content in after.items():
            assert content in (before.get(file), expected.get(file)), (file, case)
        assert before.keys() <= after.keys(), case


def test_a_campaign_that_is_short_of_memory_is_whole(tmp_path: Path) -> None:
    check("campaign new", 5, tmp_path)
