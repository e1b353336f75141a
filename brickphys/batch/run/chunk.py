"""Chunk: runs that are done together, by their address, and what comes back from them."""

import io
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from brickphys.batch.kinds.kind import Limits, Work
from brickphys.batch.kinds.registry import kind as kind_named
from brickphys.errors import BrickphysError, WorkerStartError

TRIES = 3
"""A run fails when it has failed so often."""
CELL, RUN, ERROR = "cell", "run", "error"
_ONE_BY_ONE = threading.RLock()
"""A world is for one thread at a time; workers of Dask may have several."""
_WARM = 8
"""Cells that a process keeps ready."""


@dataclass(frozen=True)
class Chunk:
    """Runs ``first .. first + count - 1`` of a cell; `failures` counts how often they have been tried in vain."""

    cell: int
    first: int
    count: int
    failures: int = 0

    @property
    def name(self) -> str:
        """Its address as the name of a file, in the order of addresses."""
        return f"cell{self.cell:06d}-run{self.first:010d}-{self.count}"

    def after_failure(self, grain: int) -> tuple["Chunk", ...]:
        """Return what to try next: halves, so that what fails is found; a single grain once more, or nothing.

        Grains begin at multiples of their size, wherever the chunk begins: which runs share the fate of one that
        fails does not depend on how the work was cut.
        """
        end = self.first + self.count
        if (self.first // grain + 1) * grain >= end:
            again = replace(self, failures=self.failures + 1)
            return (again,) if again.failures < TRIES else ()
        middle = (self.first + self.count // 2) // grain * grain
        if middle <= self.first:
            middle = (self.first // grain + 1) * grain
        return (
            Chunk(self.cell, self.first, middle - self.first),
            Chunk(self.cell, middle, end - middle),
        )


@dataclass(frozen=True)
class Job:
    """A chunk with everything that a process needs to know, wherever it is.

    Attributes
    ----------
    chunk
        Which runs.
    kind
        Name of the kind of study.
    settings
        Of the cell.
    attached
        Contents of files.
    root
        Root seed.
    limits
        When a run is given up.
    """

    chunk: Chunk
    kind: str
    settings: str
    attached: str
    root: int
    limits: Limits


@dataclass(frozen=True)
class Parcel:
    """What a chunk came to: a Parquet file, how many of its rows say that their run failed, and the work it took."""

    chunk: Chunk
    parquet: bytes
    failed: int
    seconds: float


def make_ready(job: Job) -> Work:
    """Return the cell of a chunk made ready, the same object while this process works on it."""
    return _work(job.kind, job.settings, job.attached, job.root, job.chunk.cell, job.limits)


def attempt(job: Job, begun: Callable[[], object]) -> Parcel | str:
    """Do a chunk in a worker process, and return what came of it, or why nothing did.

    Parameters
    ----------
    job
        What to do.
    begun
        Is called once all is loaded and the work begins: a run is given up by its own time, not by that of starting.

    Raises
    ------
    WorkerStartError
        If the cell cannot be made ready here. The runner could: this process lacks something, and no run is to blame.
    """
    with _ONE_BY_ONE:
        try:
            make_ready(job)
        # whatever somebody's game needs and lacks here
        except Exception as error:
            raise WorkerStartError(f"a worker cannot begin: {in_words(error)}") from None
        begun()
        try:
            return perform(job)
        # what a run raises is a row: this is a lack of memory, or a fault of a kind of study
        except Exception as error:
            return in_words(error)


def perform(job: Job) -> Parcel:
    """Do a chunk in this process.

    A run that raises an error fails alone: the chunk is halved until it is found, and tried again before it is given
    up. Its row has the error and nothing else.
    """
    with _ONE_BY_ONE:
        work = make_ready(job)
        start = time.perf_counter()
        parts = list(_tables(work, job.chunk))
        seconds = time.perf_counter() - start
    table = pa.concat_tables(parts, promote_options="default")
    failed = table.num_rows - table[ERROR].null_count if ERROR in table.column_names else 0
    return Parcel(job.chunk, to_parquet(table), failed, seconds)


def failed_rows(chunk: Chunk, error: str) -> pa.Table:
    """Return the rows of runs that were given up."""
    return _addressed(pa.table({ERROR: pa.repeat(error, chunk.count)}), chunk)


def to_parquet(table: pa.Table) -> bytes:
    """Write a table as the bytes of a Parquet file."""
    target = io.BytesIO()
    pq.write_table(table, target, compression="zstd", use_dictionary=True)
    return target.getvalue()


def _tables(work: Work, chunk: Chunk) -> Iterator[pa.Table]:
    try:
        rows = work.rows(chunk.first, chunk.count)
    except (Exception, SystemExit) as error:  # whatever somebody's game does: the other runs go on
        parts = chunk.after_failure(work.grain)
        for part in parts:
            yield from _tables(work, part)
        if not parts:
            yield failed_rows(chunk, in_words(error))
        return
    yield _addressed(rows, chunk)


def in_words(error: BaseException) -> str:
    """Return an error as one line: its message where we wrote it, else with its type."""
    message = " ".join(str(error).split())[:500]
    return message if isinstance(error, BrickphysError) else f"{type(error).__name__}: {message}"


def _addressed(rows: pa.Table, chunk: Chunk) -> pa.Table:
    runs = pa.array(np.arange(chunk.first, chunk.first + chunk.count, dtype=np.int64))
    cells = pa.repeat(pa.scalar(chunk.cell, pa.int32()), chunk.count)
    return rows.add_column(0, RUN, runs).add_column(0, CELL, cells)


@lru_cache(maxsize=_WARM)
def _work(kind: str, settings: str, attached: str, root: int, cell: int, limits: Limits) -> Work:
    import json

    values: Any = json.loads(settings)
    work = kind_named(kind).work(values, json.loads(attached), root, cell, limits)
    work.warm_up()
    return work
