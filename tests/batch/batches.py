"""What the tests of batches share: studies in a line, an executor of this process, tables as bytes, programs."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

import pyarrow as pa
import tomli_w
from click.testing import CliRunner, Result

from brickphys.batch import runner
from brickphys.batch.chunk import ChunkJob, ChunkResults, prepare_chunk, run_chunk
from brickphys.batch.runner import local_executor, run
from brickphys.batch.spec import Spec, parse_spec
from brickphys.batch.store import JOURNAL, Store, open_store, running_store
from brickphys.cli.main import cli
from brickphys.errors import WorkerDiedError
from brickphys.workers import LocalExecutor
from tests.process_group import PATIENCE_S, runs

DROP: dict[str, Any] = {
    "kind": "drop",
    "seed": 5,
    "repeats": 60,
    "fixed": {"shape": "2x2", "engine": "compiled"},
    "grid": {"surface": ["wood", "glass"], "height_mm": [[50, 100], [200, 300]]},
}
HANDS = DROP | {
    "repeats": 3,
    "fixed": {"shape": "2x2", "engine": "bullet", "bricks": 3},
    "grid": {"surface": ["wood", "cloth"]},
}
SCENES: dict[str, Any] = {
    "kind": "collide",
    "seed": 5,
    "repeats": 12,
    "grid": {"sectors": ["quadrant", "corner"]},
}
PEBBLES: dict[str, Any] = {
    "kind": "battle",
    "seed": 5,
    "repeats": 60,
    "fixed": {"game": "pebbles", "draw": {}},
    "grid": {"bots": ["random", "greedy"]},
}


def pebbles(repeats: int = 60, limits: dict[str, Any] | None = None, **draw: Any) -> dict[str, Any]:
    """Return a study of games that go wrong as said, in one cell."""
    return {
        "kind": "battle",
        "seed": 5,
        "repeats": repeats,
        "limits": limits or {},
        "fixed": {"game": "pebbles", "bots": "random", "draw": draw},
    }


def without(tables: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in tables.items() if key not in keys}


def until(tables: dict[str, Any], **aim: Any) -> dict[str, Any]:
    """Return a study that repeats until it has reached an aim."""
    return without(tables, "repeats") | {"until": aim}


def everything(folder: Path) -> dict[Path, bytes]:
    """Return the content of all files in a folder and below."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def asked(*words: object) -> Result:
    """Run a command of `batch` in this process; errors come out as they are."""
    line = ["batch", *map(str, words)]
    return CliRunner().invoke(cli, line, catch_exceptions=False, standalone_mode=False)


def batch(*words: object) -> Result:
    """Run a command whose runs, too, are made in this process: to start others takes longer than most tests."""
    with in_process(lambda *_: InProcess()):
        return asked(*words)


def spec(tables: dict[str, Any], folder: Path = Path()) -> Spec:
    return parse_spec(tomli_w.dumps(tables), "study.toml", folder)


def drawn(tables: dict[str, Any]) -> list[str]:
    """Return what each run of a study draws: a fault, or a number of pebbles."""
    made = spec(tables)
    work: Any = made.study_type.work(made.settings(0), {}, made.seed, 0, made.limits)
    return [str(work.setup(run)[0]) for run in range(tables["repeats"])]


class InProcess:
    """An executor of this process: does its jobs in any order; some fail as often as `fails` says.

    With `run_s` each run is said to take this time, so that chunks are as large on a busy machine.
    """

    def __init__(
        self,
        room: int = 1,
        seed: int = 0,
        fails: Callable[[ChunkJob], bool] = lambda _: False,
        run_s: float | None = None,
    ) -> None:
        self._room, self._rng, self._fails, self._run_s = room, random.Random(seed), fails, run_s
        self._jobs: list[tuple[ChunkJob, Future[ChunkResults]]] = []
        self.done: list[ChunkJob] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._jobs.clear()

    @property
    def free(self) -> int:
        return self._room - len(self._jobs)

    def submit(self, job: ChunkJob) -> Future[ChunkResults]:
        assert self.free > 0
        self._jobs.append((job, Future()))
        return self._jobs[-1][1]

    def wait(self, timeout_s: float) -> None:
        if not self._jobs:
            return
        job, future = self._jobs.pop(self._rng.randrange(len(self._jobs)))
        self.done.append(job)
        if self._fails(job):
            future.set_exception(WorkerDiedError("it fell over"))
        else:
            prepare_chunk(job)
            future.set_result(
                run_chunk(job) if self._run_s is None else self._timed(job, self._run_s)
            )

    def _timed(self, job: ChunkJob, run_s: float) -> ChunkResults:
        """Do all chunks of a job, which may take any time, and say that each run took `run_s`."""
        return tuple(
            replace(result, seconds=run_s * sum(chunk.count for chunk in result.chunks))
            for result in run_chunk(replace(job, most_s=inf))
        )


def run_here(
    folder: Path,
    tables: dict[str, Any],
    executor: Any = None,
    chunk_s: float = 1.0,
    stop: int = 10**9,
) -> Store:
    """Run a study until it is done, or until so many chunks have been done."""
    seen: list[int] = []
    with running_store(folder, spec(tables)) as store, executor or InProcess() as working:
        store.repair()
        run(
            store,
            working,
            chunk_s=chunk_s,
            stopped=lambda: len(seen) > stop,
            progress=lambda done, _: seen.append(done),
        )
    return open_store(folder)


@contextmanager
def in_process(executor: Callable[..., Any]) -> Iterator[None]:
    """Let `batch run` do its work by another executor than processes."""
    with patch.object(runner, "local_executor", executor):
        yield


def local(tables: dict[str, Any], workers: int = 1) -> LocalExecutor[ChunkJob, ChunkResults]:
    return local_executor(spec(tables), workers)


def runs_of(job: ChunkJob) -> set[int]:
    """Return the runs of all chunks of a job."""
    return {run for one in job.chunks for run in range(one.first, one.end)}


def count_runs(jobs: list[ChunkJob]) -> int:
    """Return how many runs jobs have."""
    return sum(one.count for job in jobs for one in job.chunks)


def completed(executor: Any, future: Future[ChunkResults]) -> Future[ChunkResults]:
    """Wait until a job ends."""
    while not future.done():
        executor.wait(1.0)
    return future


def table_bytes(store: Store) -> bytes:
    """Return all rows, sorted, as bytes."""
    rows = store.rows()
    rows = rows.select(sorted(rows.column_names)).sort_by(
        [("cell", "ascending"), ("run", "ascending")]
    )
    target = pa.BufferOutputStream()
    with pa.ipc.new_stream(target, rows.schema) as writer:
        writer.write_table(rows.combine_chunks())
    return bytes(target.getvalue())


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "brickphys", "batch", *map(str, words)]


STOPPING = "brickphys: stopping: work in progress is finished first\n"
"""What Ctrl-C is answered with at once."""
STARTED: list[subprocess.Popen[Any]] = []
"""Every program that a test has started, each in a group of its own: the tests see to it that none is left."""


def left_over() -> list[int]:
    """Return the groups of programs in which something still runs, and end it."""
    groups, started = [process.pid for process in STARTED], list(STARTED)
    STARTED.clear()
    end = time.monotonic() + PATIENCE_S  # what has lost its parent takes a moment to notice
    while groups := [group for group in groups if runs(group)]:
        for process in started:
            process.poll()  # one that a test gave up may have ended: nobody has asked yet
        if time.monotonic() > end:
            break
        time.sleep(0.05)
    for group in groups:
        os.killpg(group, signal.SIGKILL)
    return groups


def start(
    *words: object, env: dict[str, str] | None = None, **options: Any
) -> subprocess.Popen[str]:
    """Start a command of `batch`, in a group of its own; Ctrl-C reaches it even if the tests were started with `&`."""
    process = subprocess.Popen(
        command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | (env or {}),
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        **options,
    )
    STARTED.append(process)
    return process


def call(*words: object, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run a command of `batch` in a program of its own; return its exit status, output and standard error."""
    process = start(*words, env=env)
    output, errors = process.communicate(timeout=PATIENCE_S)
    return process.returncode, output, errors


def kept(folder: Path, chunks: int, process: subprocess.Popen[str]) -> None:
    """Wait until a runner has kept the rows of so many chunks."""
    journal, end = folder / JOURNAL, time.monotonic() + PATIENCE_S
    while not journal.exists() or journal.read_bytes().count(b"\n") < chunks:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "nothing comes"
        time.sleep(0.05)


def numbers(*words: object, env: dict[str, str] | None = None) -> dict[str, Any]:
    """Run a command that must succeed in a program of its own; return its JSON object."""
    status, output, errors = call(*words, "--json", env=env)
    assert (status, errors) == (0, "")
    found: dict[str, Any] = json.loads(output)
    return found


def study_file(folder: Path, tables: dict[str, Any]) -> Path:
    path = folder / "study.toml"
    path.write_text(tomli_w.dumps(tables))
    return path
