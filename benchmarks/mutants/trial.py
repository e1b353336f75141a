"""Trials: a copy of the tree with its server, and what became of a mutant."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import copy2
from typing import Any

from benchmarks.mutants.mutation import Mutant
from benchmarks.mutants.reach import Reach
from benchmarks.mutants.server import BROKEN

_EXIT = {0: "survived", 5: "survived", BROKEN: "broken", None: "timeout"}


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant."""

    path: str
    line: str
    """Before the change."""
    becomes: str
    number: int
    """Of the statement's first line."""
    status: str
    """``killed``, ``timeout``, ``survived``, or ``unreached`` if there was no test to run."""
    tests: int
    seconds: float

    @property
    def is_killed(self) -> bool:
        """Whether a test failed, or ran for too long."""
        return self.status in ("killed", "timeout")


def copy_tree(root: Path, to: Path) -> None:
    """Copy the files that git knows or would add, with their times."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, check=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, names):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            copy2(root / name, to / name)


class Server:
    """The process that runs tests in a copy of the tree."""

    def __init__(self, root: Path, *, compiled: bool) -> None:
        env = os.environ | {"PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}
        env["NUMBA_DISABLE_JIT"] = str(int(not compiled))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.mutants.server"],
            cwd=root, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def _ask(self, **task: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(task), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def reach(self, tests: list[str], sources: list[str]) -> tuple[Reach, list[str]]:
        """Return what the tests reach, and which of them fail without a mutant."""
        answer = self._ask(tests=tests, sources=sources)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return Reach.of(answer), answer["failed"]

    def try_out(self, mutant: Mutant, reach: Reach) -> Outcome:
        """Run the tests that reach a mutant until one fails."""
        seconds = reach.tests_of(mutant.path, *mutant.lines)
        answer: dict[str, Any] = {"status": 0, "seconds": 0.0}
        if seconds:
            answer = self._ask(path=mutant.path, text=mutant.text, seconds=seconds)
        status = _EXIT.get(answer["status"], "killed") if seconds else "unreached"
        line, becomes = mutant.change
        return Outcome(
            mutant.path, line, becomes, mutant.lines[0], status, len(seconds), answer["seconds"]
        )

    def control(self, mutant: Mutant, reach: Reach) -> None:
        """Check that the tests of a mutant pass without it, run in the same way.

        Raises
        ------
        RuntimeError
            If one fails.
        """
        seconds = reach.tests_of(mutant.path, *mutant.lines)
        answer = self._ask(path=mutant.path, text=mutant.module.code, seconds=seconds)
        if seconds and answer["status"] != 0:
            raise RuntimeError(f"fails without a mutant of {mutant.path}:\n{answer['log']}")

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
