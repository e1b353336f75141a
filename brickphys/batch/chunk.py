"""Chunk: runs of one cell that a process does together. Job: chunks of one or more cells, and their rows."""

import io
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from brickphys.batch.kinds.study_type import CellWork, Limits, Times, study_type, summed
from brickphys.errors import InvalidValueError, WorkerStartError, in_words
from brickphys.rules.registry import trusting
from brickphys.stamp import Stamp, stamp_here, stamp_now
from brickphys.text import listed
from brickphys.units import Counts

TRIES = 3
"""Attempts at a run before it counts as failed."""
CELL, RUN, ERROR, STAMP = "cell", "run", "error", "stamp"
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
    def end(self) -> int:
        """The run after its last one."""
        return self.first + self.count

    def after_failure(self, grain: int) -> tuple["Chunk", ...]:
        """Return what to try next: two halves, so that the failing run is found; a single grain again; or nothing.

        Grains begin at multiples of their size, wherever the chunk begins. So the runs that fail together with one do
        not depend on how the work was cut.
        """
        if (self.first // grain + 1) * grain >= self.end:
            again = replace(self, failures=self.failures + 1)
            return (again,) if again.failures < TRIES else ()
        middle = (self.first + self.count // 2) // grain * grain
        if middle <= self.first:
            middle = (self.first // grain + 1) * grain
        return (
            Chunk(self.cell, self.first, middle - self.first),
            Chunk(self.cell, middle, self.end - middle),
        )


@dataclass(frozen=True)
class ChunkJob:
    """Chunks with everything that a worker process needs."""

    chunks: tuple[Chunk, ...]
    """Runs to do, of one cell or of many."""
    settings: tuple[str, ...]
    """Those of the cell of each chunk, as JSON."""
    kind: str
    """The name of the study type."""
    attached: str
    """The contents of the files that settings name, as JSON."""
    root: int
    limits: Limits
    """When a run is given up."""
    stamp: Stamp
    """What the runner computes by; a worker that computes by something else does nothing."""
    packages: tuple[str, ...] = ()
    """Packages that the stamp covers besides this one."""
    mark: str | None = None
    """What each row has in the column ``stamp``; no such column if None."""
    most_s: float = float("inf")
    """After so many seconds no further chunk of the job begins."""


@dataclass(frozen=True)
class ChunkResult:
    """The rows of chunks, which have the same columns, as a Parquet file.

    `failed` tells of each chunk how many of its rows hold an error. `seconds` of work were needed, of which
    `times` tells some by name.
    """

    chunks: tuple[Chunk, ...]
    failed: tuple[int, ...]
    parquet: bytes
    seconds: float
    times: Mapping[str, Times] = field(default_factory=dict)


ChunkResults = tuple[ChunkResult, ...]
"""Results of a job; chunks that are in none of them were not begun."""


def prepare_chunk(job: ChunkJob) -> CellWork:
    """Return the first cell of a job, prepared; the same object while this process works on it.

    WorkerStartError if this process computes by something else than the runner.
    """
    differences = job.stamp.differences(_stamp_here(job.packages))
    if differences:
        raise WorkerStartError(f"its program differs from the runner's: {listed(differences)}")
    with trusting():  # only a runner that was allowed to makes a job
        return _work(job, 0)


def run_chunk(job: ChunkJob) -> ChunkResults:
    """Do a job in this process.

    A run that raises an error fails alone: the chunk is halved until the run is found. It is tried `TRIES` times; then
    its row has the error and nothing else. WorkerStartError if somebody has edited the sources: what a process imports
    late, such as an engine, is not what its stamp says.
    """
    begun = time.perf_counter()
    groups: dict[tuple[Any, ...], list[tuple[Chunk, pa.Table]]] = {}
    times: dict[tuple[Any, ...], list[tuple[str, Times]]] = {}
    done = 0
    for index, chunk in enumerate(job.chunks):
        if index and time.perf_counter() - begun > job.most_s:
            break
        with trusting():
            work = _work(job, index)
            rows = pa.concat_tables(_tables(work, chunk), promote_options="default")
        columns = tuple(column for column in rows.schema if column.name != ERROR)
        groups.setdefault(columns, []).append((chunk, rows))
        times.setdefault(columns, []).extend(work.times().items())
        done += chunk.count
    share = (time.perf_counter() - begun) / done
    _check_unchanged(job)
    return tuple(
        _result(group, job.mark, share, summed(times[key])) for key, group in groups.items()
    )


def _check_unchanged(job: ChunkJob) -> None:
    try:
        differences = job.stamp.differences(stamp_now(*job.packages))
    except (InvalidValueError, OSError) as error:  # a file that somebody is about to replace
        differences = [in_words(error)]
    if differences:
        raise WorkerStartError(
            f"the program has changed since the study was begun or continued: {listed(differences)}; none"
            " of these rows is kept"
        )


def failed_result(chunk: Chunk, error: str, mark: str | None = None) -> ChunkResult:
    """Return the result of a chunk whose runs were given up."""
    return _result([(chunk, _failed_rows(chunk, error))], mark, 0.0)


def _addresses(chunks: Sequence[Chunk]) -> tuple[Counts, Counts]:
    """Return the cell and the run of every row of chunks, in order."""
    counts = [chunk.count for chunk in chunks]
    cells = np.repeat(np.array([chunk.cell for chunk in chunks], np.int64), counts)
    starts = np.cumsum([0, *counts[:-1]])
    begins = np.array([chunk.first for chunk in chunks], np.int64) - starts
    return cells, np.arange(len(cells), dtype=np.int64) + np.repeat(begins, counts)


def to_parquet(table: pa.Table) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    target = io.BytesIO()
    pq.write_table(table, target, compression="zstd")
    return target.getvalue()


def _result(
    group: Sequence[tuple[Chunk, pa.Table]],
    mark: str | None,
    seconds_a_run: float,
    times: Mapping[str, Times] | None = None,
) -> ChunkResult:
    chunks = tuple(chunk for chunk, _ in group)
    rows = pa.concat_tables((rows for _, rows in group), promote_options="default")
    cells, runs = _addresses(chunks)
    rows = rows.combine_chunks().add_column(0, RUN, pa.array(runs))
    rows = rows.add_column(0, CELL, pa.array(cells, pa.int32()))
    if mark is not None:
        rows = rows.append_column(STAMP, pa.repeat(mark, len(runs)))
    return ChunkResult(
        chunks,
        tuple(_count_failed(rows) for _, rows in group),
        to_parquet(rows),
        seconds_a_run * len(runs),
        times or {},
    )


def _count_failed(rows: pa.Table) -> int:
    return rows.num_rows - rows[ERROR].null_count if ERROR in rows.column_names else 0


def _failed_rows(chunk: Chunk, error: str) -> pa.Table:
    return pa.table({ERROR: pa.repeat(error, chunk.count)})


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
    yield rows


def _work(job: ChunkJob, index: int) -> CellWork:
    cell = job.chunks[index].cell
    return _prepared(job.kind, job.settings[index], job.attached, job.root, cell, job.limits)


@lru_cache(maxsize=_PREPARED)
def _prepared(
    kind: str, settings: str, attached: str, root: int, cell: int, limits: Limits
) -> CellWork:
    work = study_type(kind).work(json.loads(settings), _parsed(attached), root, cell, limits)
    work.warm_up()
    return work


@lru_cache(maxsize=1)
def _parsed(attached: str) -> Any:
    return json.loads(attached)


@lru_cache
def _stamp_here(packages: tuple[str, ...]) -> Stamp:
    """Return the stamp of this process as it began; `run_chunk` sees whether it imported anything else later."""
    return stamp_here(*packages)
