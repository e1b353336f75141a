"""Chunk: runs of a cell that one process does together, and their rows."""

import io
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from brickphys.batch.kinds.registry import study_type
from brickphys.batch.kinds.study_type import CellWork, Limits
from brickphys.errors import in_words

TRIES = 3
"""Attempts at a run before it counts as failed."""
CELL, RUN, ERROR = "cell", "run", "error"
_PREPARED = 8
"""Cells that a process keeps prepared."""


@dataclass(frozen=True)
class Chunk:
    """Runs ``first .. first + count - 1`` of a cell; `failures` counts earlier attempts at them."""

    cell: int
    first: int
    count: int
    failures: int = 0

    @property
    def name(self) -> str:
        """Its name in files; names sort as addresses do."""
        return f"cell{self.cell:06d}-run{self.first:010d}-{self.count}"

    def after_failure(self, grain: int) -> tuple["Chunk", ...]:
        """Return what to try next: two halves, so that the failing run is found; a single grain again; or nothing.

        Grains begin at multiples of their size, wherever the chunk begins. So the runs that fail together with one do
        not depend on how the work was cut.
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
class ChunkJob:
    """A chunk with everything that a worker process needs.

    `settings` of the cell and `attached`, the contents of the files that they name, are JSON. `root` is the root seed.
    """

    chunk: Chunk
    kind: str
    settings: str
    attached: str
    root: int
    limits: Limits


@dataclass(frozen=True)
class ChunkResult:
    """The rows of a chunk as a Parquet file, how many of them hold an error, and the seconds of work."""

    chunk: Chunk
    parquet: bytes
    failed: int
    seconds: float


def prepare_chunk(job: ChunkJob) -> CellWork:
    """Return the cell of a chunk, prepared; the same object while this process works on it."""
    return _prepared(job.kind, job.settings, job.attached, job.root, job.chunk.cell, job.limits)


def run_chunk(job: ChunkJob) -> ChunkResult:
    """Do a chunk in this process.

    A run that raises an error fails alone: the chunk is halved until the run is found. It is tried `TRIES` times; then
    its row has the error and nothing else.
    """
    work = prepare_chunk(job)
    start = time.perf_counter()
    parts = list(_tables(work, job.chunk))
    seconds = time.perf_counter() - start
    table = pa.concat_tables(parts, promote_options="default")
    failed = table.num_rows - table[ERROR].null_count if ERROR in table.column_names else 0
    return ChunkResult(job.chunk, to_parquet(table), failed, seconds)


def failed_result(chunk: Chunk, error: str) -> ChunkResult:
    """Return the result of a chunk whose runs were given up."""
    return ChunkResult(chunk, to_parquet(_failed_rows(chunk, error)), chunk.count, 0.0)


def _failed_rows(chunk: Chunk, error: str) -> pa.Table:
    return _addressed(pa.table({ERROR: pa.repeat(error, chunk.count)}), chunk)


def to_parquet(table: pa.Table) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    target = io.BytesIO()
    pq.write_table(table, target, compression="zstd", use_dictionary=True)
    return target.getvalue()


def _tables(work: CellWork, chunk: Chunk) -> Iterator[pa.Table]:
    try:
        rows = work.rows(chunk.first, chunk.count)
    except (Exception, SystemExit) as error:  # of a game by anyone: the other runs go on
        parts = chunk.after_failure(work.grain)
        for part in parts:
            yield from _tables(work, part)
        if not parts:
            yield _failed_rows(chunk, in_words(error))
        return
    yield _addressed(rows, chunk)


def _addressed(rows: pa.Table, chunk: Chunk) -> pa.Table:
    runs = pa.array(np.arange(chunk.first, chunk.first + chunk.count, dtype=np.int64))
    cells = pa.repeat(pa.scalar(chunk.cell, pa.int32()), chunk.count)
    return rows.add_column(0, RUN, runs).add_column(0, CELL, cells)


@lru_cache(maxsize=_PREPARED)
def _prepared(
    kind: str, settings: str, attached: str, root: int, cell: int, limits: Limits
) -> CellWork:
    values = json.loads(settings), json.loads(attached)
    work = study_type(kind).work(*values, root, cell, limits)
    work.warm_up()
    return work
