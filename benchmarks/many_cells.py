"""What a study of many small cells costs: cells a second stored, and the time to look at them.

Run by ``python -m benchmarks.many_cells``. The runs cost nothing: what is measured is all the rest, from the study file
to the last line of the journal. Seconds are of the processor, since others use the machine too; plain pyarrow writes of
the same rows, in files of as many rows, and reading the journal alone are the sides of the ratios.
"""

import argparse
import resource
import tempfile
import time
from concurrent.futures import Future
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa

from brickphys.batch.chunk import ChunkJob, ChunkResults, prepare_chunk, run_chunk, to_parquet
from brickphys.batch.journal import Journal
from brickphys.batch.kinds.drops import DropWork
from brickphys.batch.report.table import counts, summaries
from brickphys.batch.runner import run
from brickphys.batch.spec import Spec, parse_spec
from brickphys.batch.store import JOURNAL, SHARDS, open_store, running_store
from brickphys.files import make_folder, write_synced

RUNS = 4
"""Throws in each cell."""
POSES = ("side", "studs_up", "studs_down", "leaning", "unsettled")


class Here:
    """An executor of this process."""

    def __init__(self) -> None:
        self._job: tuple[ChunkJob, Future[ChunkResults]] | None = None

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *_: object) -> None: ...

    @property
    def free(self) -> int:
        """How many jobs it can take: one."""
        return int(self._job is None)

    def submit(self, job: ChunkJob) -> Future[ChunkResults]:
        """Take a job."""
        self._job = job, Future()
        return self._job[1]

    def wait(self, timeout_s: float) -> None:
        """Do the job."""
        if self._job:
            job, future = self._job
            self._job = None
            prepare_chunk(job)
            future.set_result(run_chunk(job))


def study(cells: int) -> Spec:
    """Return a study of so many cells, a tenth of them with each restitution."""
    frictions = [round(0.2 + 0.4 * index / cells, 8) for index in range(cells // 10)]
    restitutions = [0.3 + 0.02 * index for index in range(10)]
    text = (
        f'kind = "drop"\nseed = 1\nrepeats = {RUNS}\n[fixed]\nshape = "2x2"\nengine = "compiled"\n'
        f"[grid]\nfriction = {frictions}\nrestitution = {restitutions}\n"
    )
    return parse_spec(text, "study.toml", Path())


def no_throw(_: DropWork, first: int, count: int) -> pa.Table:
    """Return rows of throws that were not made."""
    del first
    return pa.table({pose: np.full(count, pose == "side", np.uint8) for pose in POSES})


class Clock:
    """Seconds of the processor since it was last asked."""

    def __init__(self) -> None:
        self._last = time.process_time()

    def __call__(self) -> float:
        """Return them."""
        before, self._last = self._last, time.process_time()
        return self._last - before


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=100_000)
    parser.add_argument("--throw", action="store_true", help="make the throws")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        patch.object(DropWork, "rows", DropWork.rows if arguments.throw else no_throw),
    ):
        measure(arguments.cells, Path(name))


def measure(cells: int, folder: Path) -> None:
    """Print what so many cells cost in an empty folder."""
    with running_store(folder / "warm", study(10)) as store:
        run(store, Here())  # loads and compiles
    clock = Clock()
    spec = study(cells)
    print(f"study of {cells:,} cells read and checked: {clock():.1f} s")
    with running_store(folder / "batch", spec) as store:
        run(store, Here())
    stored = clock()
    size = cells * RUNS // len(store.shards)
    table = no_throw(None, 0, size)  # type: ignore[arg-type]
    for index in range(len(store.shards)):
        write_synced(to_parquet(table), make_folder(folder / "plain") / f"{index}.parquet")
    plain = clock()
    print(
        f"stored: {cells / stored:,.0f} cells a second, {len(store.shards):,} shards; "
        f"{stored / plain:.1f} times plain writes of so many rows ({plain:.2f} s)"
    )
    deque_all(Journal(folder / "batch" / JOURNAL, spec.sha256))
    journal = clock()
    batch = open_store(folder / "batch")
    opened = clock()
    batch.shard_problems()
    done = counts(batch).done
    looked = clock()
    print(
        f"status of {done:,} runs: {opened:.2f} s to open, {looked:.2f} s to compare every row's address; "
        f"the journal alone {1000 * journal:.1f} ms"
    )
    every = sum(1 for _ in summaries(batch))
    print(f"table of {every:,} cells: {clock():.1f} s")
    megabytes = sum(path.stat().st_size for path in (folder / "batch" / SHARDS).iterdir()) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"shards: {megabytes:.1f} MB; memory at most {peak:.0f} MiB")


def deque_all(journal: Journal) -> None:
    """Read a journal to its end."""
    for _ in journal.entries():
        pass


if __name__ == "__main__":
    main()
