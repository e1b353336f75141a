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
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutants.reach import measure
from benchmarks.mutants.selected import QUIET, Selected

LIBRARIES = ("numba", "numpy", "scipy.stats", "scipy.optimize", "pydantic", "click", "rich.console")
WALL_S, REACH_WALL_S = 900.0, 7200.0
"""A run that waits for ever ends here: the tests of one mutant, and all tests of a package."""
BROKEN = 99
"""Exit status if pytest itself fails."""
MEMORY_BYTES = 8 * 2**30


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
