"""A process that has loaded the libraries, but nothing of brickphys, and forks a run of pytest for each task.

It reads a task a line from its standard input and writes an answer a line, both JSON. It runs in the root of a copy of
the tree. A forked run starts within a tenth of a second, and what a mutant breaks ends with it.
"""

import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

LIBRARIES = ("numba", "numpy", "scipy.stats", "scipy.optimize", "pydantic", "click", "rich.console")
QUIET = (
    *("-q", "-n", "0", "--tb=no", "-p", "no:cacheprovider", "--no-header"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # Hypothesis is loaded before pytest runs
    *("-W", "ignore:overflow encountered:RuntimeWarning"),  # as compiled code does
)
COLLECTION_S, LEAST_TEST_S, TIMES_SLOWER = 60.0, 10.0, 20.0
"""Limits of CPU time: for imports and collection, and for each test: the least, and so many times of what it took.

What it took was measured with few examples (`benchmarks.mutants.reach`), and perhaps after another test that had
imported the libraries and made the fixtures, which now falls to it: hence the least.
"""
WALL_S, REACH_WALL_S = 900.0, 7200.0
"""A run that waits for ever ends here: the tests of one mutant, and all tests of a package."""
BROKEN = 99
"""Exit status if pytest itself fails."""
MEMORY_BYTES = 8 * 2**30


class Selected:
    """Runs tests in an order, each within its limit of CPU time; all examples of Hypothesis are the same each time."""

    def __init__(self, seconds: dict[str, float], most_examples: int = 1000) -> None:
        self._seconds, self._most_examples = seconds, most_examples
        self._ranks = {name: rank for rank, name in enumerate(seconds)}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Make Hypothesis repeatable; what fails is not shrunk."""
        phases = (Phase.explicit, Phase.generate)
        usual = settings.default
        assert usual is not None
        settings.register_profile(
            "mutants",
            usual,
            derandomize=True,
            database=None,
            phases=phases,
            max_examples=min(usual.max_examples, self._most_examples),
        )
        settings.load_profile("mutants")
        signal.setitimer(signal.ITIMER_PROF, COLLECTION_S)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the selected tests, in their order."""
        if self._ranks:
            known = [item for item in items if item.nodeid in self._ranks]
            items[:] = sorted(known, key=lambda item: self._ranks[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Limit the CPU time of a test; a test that is not known yet may take as long as a collection."""
        limit = TIMES_SLOWER * self._seconds.get(item.nodeid, COLLECTION_S) + LEAST_TEST_S
        signal.setitimer(signal.ITIMER_PROF, limit)
        return (yield)


def in_fork(work: Callable[[], int], log: Path, wall_s: float) -> int | None:
    """Run in a process of its own; return its exit status, or None if it was ended by a limit or a signal."""
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(out, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        try:
            status = work()
        except BaseException:  # whatever it is: the child must not return to the server's loop
            traceback.print_exc()
            status = BROKEN
        sys.stdout.flush()
        os._exit(status)
    ended, _, _ = select.select([os.pidfd_open(child)], [], [], wall_s)
    if not ended:
        os.kill(child, signal.SIGKILL)
    _, wait_status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # processes that a test had started
    return os.WEXITSTATUS(wait_status) if os.WIFEXITED(wait_status) else None


def trial(task: dict[str, Any]) -> dict[str, Any]:
    """Write a module's changed text, run tests until one fails, restore the module."""
    path, seconds = Path(task["path"]), task["seconds"]
    files = sorted({name.split("::")[0] for name in seconds})
    before, text = path.stat(), path.read_bytes()
    sys.dont_write_bytecode = True
    path.write_text(task["text"])
    begun = time.perf_counter()
    try:
        status = in_fork(
            lambda: pytest.main([*QUIET, "-x", *files], plugins=[Selected(seconds)]),
            Path("mutant.log"),
            WALL_S,
        )
    finally:
        path.write_bytes(text)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    log = Path("mutant.log").read_text(errors="replace")
    return {"status": status, "seconds": time.perf_counter() - begun, "log": log[-2000:]}


def reach(task: dict[str, Any]) -> dict[str, Any]:
    """Run all tests; tell how long each takes, which lines it reaches and which tests fail."""
    from benchmarks.mutants.reach import measure

    found = Path("reach.json")
    found.unlink(missing_ok=True)
    tests, log = task["tests"], Path("reach.log")
    status = in_fork(lambda: measure(tests, task["sources"], found), log, REACH_WALL_S)
    if status is None or not found.exists():
        ended = "ended by a limit or a signal" if status is None else f"exit status {status}"
        return {
            "error": f"the tests of the package did not end: {ended}\n{log.read_text()[-2000:]}"
        }
    answer: dict[str, Any] = json.loads(found.read_text())
    return answer


def main() -> None:
    """Answer tasks until the input ends."""
    for library in LIBRARIES:
        import_module(library)
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        task = json.loads(line)
        answer = trial(task) if "text" in task else reach(task)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
