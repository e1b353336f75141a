"""What a batch costs beyond its runs: overhead, speed of two workers and of Dask, memory, and the time to resume.

Run by ``make bench``. All throw with the compiled engine; the bare loop does the same work in this process and keeps
nothing. They take turns, and each ratio is of one round: others who use the machine disturb both sides of it. Processes
are started, loaded and compiled before a time is taken.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from brickphys.batch.chunk import (
    CELL,
    RUN,
    Chunk,
    ChunkJob,
    ChunkResult,
    ChunkResults,
    prepare_chunk,
    to_parquet,
)
from brickphys.batch.dask import LOCAL, DaskExecutor
from brickphys.batch.runner import CHUNK_S, local_executor, run
from brickphys.batch.spec import Spec, canonical, parse_spec
from brickphys.batch.store import running_store
from brickphys.stamp import stamp_here
from brickphys.workers import Executor, LocalExecutor

ROWS = 1_000_000
CELLS = 4
SHARD = 10_000
"""Rows of a shard that is stored without being thrown: about a second's."""
TIME_S = 300.0
WITH_PEAK = """
import resource, sys
from brickphys.cli.main import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""
"""Runs a command, and tells at last how many MiB it had in memory at most."""
RESUMED = """
import sys, time
begun = time.perf_counter()
from brickphys.batch.runner import local_executor, run
from brickphys.batch.spec import find_spec
from brickphys.batch.store import running_store
spec = find_spec(sys.argv[1])
loaded = time.perf_counter()
with running_store(sys.argv[2], spec) as store, local_executor(spec, 2) as executor:
    store.repair()
    complete = run(store, executor, stopped=lambda: True)
print(store.ledger.total, complete, loaded - begun, time.perf_counter() - loaded)
"""


def study(throws: int, cells: int) -> str:
    """Return a study of so many throws, almost alike in all cells."""
    heights = ", ".join(f"[100, {200 + cell}]" for cell in range(cells))
    return (
        f'kind = "drop"\nseed = 1\nrepeats = {throws // cells}\n'
        f'[fixed]\nshape = "2x2"\nengine = "compiled"\n[grid]\nheight_mm = [{heights}]\n'
    )


def spec_of(throws: int, cells: int = 1) -> Spec:
    """Return such a study."""
    return parse_spec(study(throws, cells), "study.toml", Path())


def job_of(spec: Spec, chunk: Chunk) -> ChunkJob:
    """Return a chunk as an executor takes it."""
    settings = canonical(spec.settings(chunk.cell))
    return ChunkJob((chunk,), (settings,), "drop", "{}", spec.seed, spec.limits, stamp_here())


class Time(NamedTuple):
    """Seconds on the clock, of processors (runner and workers together), and that workers were at work."""

    clock: float
    processor: float
    work: float = 0.0


def bare(throws: int, each: int) -> Time:
    """Return what the bare loop takes."""
    work = prepare_chunk(job_of(spec_of(throws), Chunk(0, 0, 1)))
    begun = now([])
    for first in range(0, throws, each):
        work.rows(first, min(each, throws - first))
    return since(begun, [])


def side_by_side(pool: ProcessPoolExecutor, throws: int, each: int) -> Time:
    """Return what two bare loops at once take, each with half of the throws: what the machine itself allows."""
    begun = now([])
    deque(pool.map(bare, [throws // 2] * 2, [each] * 2), maxlen=0)
    return since(begun, [])


def batch(executor: Executor[ChunkJob, ChunkResults], throws: int, folder: Path) -> Time:
    """Return what a batch takes; of Dask's workers the clock alone is read."""
    workers = executor.process_ids if isinstance(executor, LocalExecutor) else []
    with running_store(folder, spec_of(throws)) as store:
        begun = now(workers)
        run(store, executor)
        work = sum(shard.seconds for shard in store.shards)
        return since(begun, workers)._replace(work=work)


def now(workers: list[int]) -> Time:
    """Return the clock, and what this process and its workers have taken of processors so far."""
    ticks = 0
    for worker in workers:
        fields = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # user and system, see proc(5)
    return Time(time.perf_counter(), time.process_time() + ticks / os.sysconf("SC_CLK_TCK"))


def since(begun: Time, workers: list[int]) -> Time:
    """Return what was taken since."""
    ended = now(workers)
    return Time(ended.clock - begun.clock, ended.processor - begun.processor)


def compare(rounds: int, seconds: float, folder: Path) -> None:
    """Print the times of the bare loop and of batches, and the medians of the ratios."""
    bare(200, 200)
    each = max(int(2000 * CHUNK_S / bare(2000, 2000).clock), 1)
    throws = int(each * seconds / CHUNK_S)
    print(f"{throws:,} throws; seconds on the clock (of processors)")
    heads = ("bare", "2 bare", "1 worker", "2 workers", "2 of Dask")
    print(f"round{'load':>8}" + "".join(f"{head:>17}" for head in heads))
    times: dict[str, list[Time]] = {}
    with (
        ProcessPoolExecutor(2, get_context("spawn")) as pool,
        local_executor(spec_of(throws), 2) as two,
        DaskExecutor(LOCAL, 2, TIME_S) as dask,
    ):
        side_by_side(pool, 20_000, each)
        executors: dict[str, Executor[ChunkJob, ChunkResults]] = {"two": two, "dask": dask}
        for name, executor in executors.items():
            batch(executor, 20_000, folder / f"warm {name}")
        for number in range(rounds):
            times.setdefault("bare", []).append(bare(throws, each))
            times.setdefault("two bare", []).append(side_by_side(pool, throws, each))
            # a process may be some per cent faster than another, all its life: a new one each round
            with local_executor(spec_of(throws), 1) as one:
                batch(one, 20_000, folder / f"warm one {number}")
                times.setdefault("one", []).append(batch(one, throws, folder / f"one {number}"))
            for name, executor in executors.items():
                taken = batch(executor, throws, folder / f"{name} {number}")
                times.setdefault(name, []).append(taken)
            last = [values[-1] for values in times.values()]
            line = "".join(f"{t.clock:>9.2f} ({t.processor:>5.2f})" for t in last)
            print(f"{number + 1:>5}{os.getloadavg()[0]:>8.1f}{line}")
    clock = {name: [taken.clock for taken in values] for name, values in times.items()}
    processor = {name: [taken.processor for taken in values] for name, values in times.items()}
    print(
        f"overhead of one worker over the bare loop: {100 * ratio(clock['one'], clock['bare']) - 100:.1f} % on the "
        f"clock, {100 * ratio(processor['one'], processor['bare']) - 100:.1f} % of processors (aim: below 3)"
    )
    idle = {
        name: statistics.median(
            100 * (1 - taken.work / taken.clock / workers) for taken in times[name]
        )
        for name, workers in (("one", 1), ("two", 2), ("dask", 2))
    }
    print(
        "workers have nothing to do: "
        f"one {idle['one']:.1f} %, two {idle['two']:.1f} %, two of Dask {idle['dask']:.1f} % of the time"
    )
    print(
        f"two workers are {ratio(clock['one'], clock['two']):.2f} times one (aim: 1.9); "
        f"two bare loops at once {ratio(clock['bare'], clock['two bare']):.2f} times one"
    )
    slower = 100 * ratio(clock["dask"], clock["two"]) - 100
    print(f"Dask takes {slower:+.1f} % more than the processes (aim: within 10)")


def ratio(times: list[float], others: list[float]) -> float:
    """Return the median ratio of the same round."""
    return statistics.median(a / b for a, b in zip(times, others, strict=True))


def fill(folder: Path, rows: int, missing: int) -> None:
    """Store a study of so many rows but for the last ones of its last cell; they are one second's, again and again."""
    spec = spec_of(rows, CELLS)
    repeats = spec.repeats or 0
    work = prepare_chunk(job_of(spec, Chunk(0, 0, 1)))
    thrown = work.rows(0, SHARD)
    with running_store(folder, spec) as store:
        for index in range(0, rows - missing, SHARD):
            chunk = Chunk(index // repeats, index % repeats, SHARD)
            runs = np.arange(chunk.first, chunk.first + SHARD)
            table = thrown.add_column(0, RUN, pa.array(runs))
            table = table.add_column(0, CELL, pa.repeat(pa.scalar(chunk.cell, pa.int32()), SHARD))
            store.add(ChunkResult((chunk,), (0,), to_parquet(table), 1.0))


def program(code: str, *words: object) -> tuple[str, str]:
    """Run a program, and return what it says on both lines."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, check=True, text=True
    )
    return done.stdout, done.stderr


def measure(folder: Path) -> None:
    """Print the memory of a runner and of a report of a million rows, and how fast half of them are resumed."""
    path = folder / "study.toml"
    path.write_text(study(ROWS, CELLS))
    fill(folder / "half", ROWS, ROWS // 2)
    seen = [program(RESUMED, path, folder / "half")[0].split() for _ in range(3)]
    loading, deciding = (min(float(words[at]) for words in seen) for at in (2, 3))
    print(
        f"resume of {ROWS:,} rows of which {int(seen[0][0]):,} are done: {deciding:.2f} s to know what is left "
        f"(aim: below 2), after {loading:.2f} s to load"
    )
    fill(folder / "almost", ROWS, 2 * SHARD)
    for words in (
        ["run", path, "--out", folder / "almost", "--workers", 2],
        ["status", folder / "almost"],
    ):
        output, peak = program(WITH_PEAK, "batch", *words, "--json")
        told = json.loads(output)
        if (told["done"], told["pending"]) != (ROWS, 0):
            raise RuntimeError(f"{told['done']} of {ROWS} rows")
        print(f"batch {words[0]}, {ROWS:,} rows: {int(peak)} MiB at most (aim: below 400)")


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20.0, help="of the bare loop in a round")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder))
        compare(arguments.rounds, arguments.seconds, Path(folder))


if __name__ == "__main__":
    main()
