"""Plan: which runs of a study are being done, and which come next.

How many runs a cell needs is judged by its rows.
"""

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from brickphys.batch.chunk import ERROR, Chunk, ChunkJob, ChunkResult, ChunkResults, failed_result
from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.spec import Spec, canonical
from brickphys.batch.store import Store
from brickphys.odds.sequential import UNDECIDED


def target(store: Store, cell: int, beyond: int = 0) -> int:
    """Return how many runs a cell needs, judged by its rows; up to `beyond` the interval is known to be too wide.

    A cell that repeats until its interval is narrow is judged only after fixed numbers of runs, and by exactly these
    first runs. So it ends at the same run, however the work was cut.
    """
    until = store.spec.until
    if until is None:
        return store.spec.least_runs_a_cell
    for look in until.looks():
        if look > beyond and (any(store.ledger.gaps(cell, look)) or is_enough(store, cell, look)):
            return look
    return until.at_most


def given_up(store: Store) -> list[int]:
    """Return the cells that have `at_most` runs and are still not decided."""
    until, cells = store.spec.until, range(len(store.spec.cells))
    if until is None:
        return []
    most = until.at_most
    full = (cell for cell in cells if not any(store.ledger.gaps(cell, most)))
    return [cell for cell in full if not is_enough(store, cell, most)]


def pending(store: Store) -> int:
    """Return how many runs are missing, judged by the rows so far: there may be holes far below the last run."""
    ledger, spec = store.ledger, store.spec
    if spec.repeats:
        return spec.most_runs - ledger.total
    cells = range(len(spec.cells))
    return sum(_length(ledger.gaps(c, max(target(store, c), ledger.end(c)))) for c in cells)


def left(store: Store) -> tuple[int, int]:
    """Return how many runs a batch still needs: judged by its rows, and at most."""
    until = store.spec.until
    if until is None:
        return (pending(store),) * 2
    fewest = most = 0
    for cell in range(len(store.spec.cells)):
        if missing := _length(store.ledger.gaps(cell, target(store, cell))):
            fewest += missing
            most += _length(store.ledger.gaps(cell, until.at_most))
    return fewest, most


def _length(ranges: Iterable[tuple[int, int]]) -> int:
    return sum(end - first for first, end in ranges)


def is_enough(store: Store, cell: int, look: int) -> bool:
    """Return whether a cell may stop at a look: its interval is narrow, its test decided, or all its runs failed."""
    rows, until = store.good_rows(cell, look), store.spec.until
    if not rows.num_rows or not until:
        return True
    if until.test is not None:
        return until.test.verdict(store.spec.ratio(cell, rows) or 0.0) != UNDECIDED
    estimate = store.spec.summary(cell, rows).get(until.column)
    return isinstance(estimate, Estimate) and estimate.half_width <= (until.half_width or 0.0)


TRIAL = 4
"""Runs, or a grain, with which a cell begins. No other run of it starts before; if all fail, so does the cell."""
_GROWTH = 32
"""Largest growth of a chunk over the last one of its cell, which may have been quick by chance, and of a job over the
last one."""
_TOGETHER = 1024
"""The most chunks in a job."""
_LATE = 4
"""Multiple of the seconds of a job after which a slow job begins no further chunk."""
_GIVEN_UP = 100_000
"""Runs in a shard of runs that were given up."""

Job = tuple[Chunk, ...]
"""Chunks that are done together, one after the other."""


@dataclass(slots=True)
class _CellPlan:
    """How many runs a cell needs, how many go together, which chunks are running, and how long a run takes."""

    target: int
    grain: int
    trial: int
    running: list[Chunk] = field(default_factory=list)
    last_count: int = 0
    seconds_a_run: float = 0.0


class RunPlan:
    """Which chunks are running, and which come next.

    A job has about `chunk_s` seconds of work.

    Attributes
    ----------
    expected
        How many runs the study has, as far as is known.
    """

    def __init__(self, store: Store, chunk_s: float) -> None:
        self.store, self._chunk_s = store, chunk_s
        self._attached = canonical(dict(self.spec.attached))
        self._cells: dict[int, _CellPlan] = {}  # of the cells that are running or were looked at
        self._open = deque(range(len(self.spec.cells)))
        self._again: deque[Job] = deque()
        self._last_job, self._seconds_a_chunk = 0, math.inf
        self.expected = self.spec.least_runs_a_cell * len(self.spec.cells)

    @property
    def spec(self) -> Spec:
        """The study."""
        return self.store.spec

    def next_job(self) -> Job:
        """Return the chunks to do next; none if all are done or running.

        Many cells may be small: their chunks go together, up to `chunk_s` seconds of them.
        """
        if self._again:
            job = self._again.popleft()
            for one in job:
                self._start(one)
            return job
        chunks: list[Chunk] = []
        seconds, most = 0.0, min(max(self._last_job, 1) * _GROWTH, _TOGETHER)
        while seconds < self._chunk_s and len(chunks) < most:
            chunk = self._next_chunk()
            if chunk is None:
                break
            self._start(chunk)
            chunks.append(chunk)
            timed = self._cell(chunk.cell).seconds_a_run * chunk.count
            seconds += timed or self._seconds_a_chunk
        return tuple(chunks)

    def job(self, chunks: Sequence[Chunk]) -> ChunkJob:
        """Return chunks with everything that a worker process needs."""
        spec = self.spec
        return ChunkJob(
            tuple(chunks),
            tuple(canonical(spec.settings(chunk.cell)) for chunk in chunks),
            spec.study_type.name,
            self._attached,
            spec.seed,
            spec.limits,
            self.store.stamp,
            spec.packages,
            self.store.mark,
            _LATE * self._chunk_s,
        )

    def done(self, job: Job, results: ChunkResults) -> None:
        """Keep the rows of a job; chunks of it that were not begun come again."""
        done = [chunk for result in results for chunk in result.chunks]
        for chunk in set(job).difference(done):
            self._cell(chunk.cell).running.remove(chunk)
        self._last_job = len(done)
        self._seconds_a_chunk = sum(result.seconds for result in results) / len(done)
        for result in results:
            runs = sum(chunk.count for chunk in result.chunks)
            for chunk in result.chunks:
                cell = self._cell(chunk.cell)
                cell.seconds_a_run, cell.last_count = result.seconds / runs, chunk.count
            self._keep(result)

    def failed(self, job: Job, error: str) -> None:
        """Try a job again, in halves if it has several runs; or keep rows with the error."""
        middle = len(job) // 2
        if middle:
            again = [job[:middle], job[middle:]]
        else:
            again = [(one,) for one in job[0].after_failure(self._cell(job[0].cell).grain)]
        if again:
            for chunk in job:
                self._cell(chunk.cell).running.remove(chunk)
            self._again.extend(again)
        else:
            self._keep(failed_result(job[0], error, self.store.mark))

    def _start(self, chunk: Chunk) -> None:
        self._cell(chunk.cell).running.append(chunk)

    def _keep(self, result: ChunkResult) -> None:
        self.store.add(result)
        for chunk in result.chunks:
            cell = self._cell(chunk.cell)
            cell.running.remove(chunk)
            if chunk.first < cell.trial:
                self._judge(chunk.cell, cell)

    def _judge(self, number: int, cell: _CellPlan) -> None:
        """Give a cell up if its whole trial failed."""
        store, ledger = self.store, self.store.ledger
        if ledger.failed(number) < cell.trial or any(ledger.gaps(number, cell.trial)):
            return
        if store.good_rows(number, cell.trial).num_rows:
            return
        error = (
            f"given up: the first {cell.trial} runs failed: {store.rows(number)[ERROR][0].as_py()}"
        )
        for first, end in list(ledger.gaps(number, cell.target)):
            for at in range(first, end, _GIVEN_UP):
                chunk = Chunk(number, at, min(_GIVEN_UP, end - at))
                store.add(failed_result(chunk, error, store.mark))

    def _next_chunk(self) -> Chunk | None:
        """Return the next chunk to do; None if all are done or running."""
        for _ in range(len(self._open)):
            number = self._open[0]
            for first, end in self._gaps(number):
                return Chunk(number, first, min(self._size(number, first), end - first))
            if self._cells[number].running:
                self._open.rotate(-1)  # it may need more once the running chunks have ended
            else:
                self._open.popleft()
                del self._cells[number]
        return None

    def _cell(self, number: int) -> _CellPlan:
        if number not in self._cells:
            grain = self.spec.work(number).grain
            trial = min(max(TRIAL, grain), self.spec.least_runs_a_cell)
            cell = _CellPlan(target(self.store, number), grain, trial)
            self._cells[number] = cell
            self._judge(number, cell)  # the runner of the trial may have died before it judged
        return self._cells[number]

    def _gaps(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the runs that are neither done nor running; before the trial is done, those of the trial."""
        cell, ledger = self._cell(number), self.store.ledger
        running = sorted(cell.running, key=lambda chunk: chunk.first)
        if self.spec.until and not running and not any(ledger.gaps(number, cell.target)):
            before, cell.target = cell.target, target(self.store, number, cell.target - 1)
            self.expected += cell.target - before
        in_trial = any(ledger.gaps(number, cell.trial))
        for first, end in ledger.gaps(number, cell.trial if in_trial else cell.target):
            at = first
            for chunk in running:
                if first <= chunk.first < end:
                    if at < chunk.first:
                        yield at, chunk.first
                    at = chunk.end
            if at < end:
                yield at, end

    def _size(self, number: int, first: int) -> int:
        """Return how many runs the next chunk of a cell has."""
        cell = self._cell(number)
        if first < cell.trial:
            return cell.trial - first
        if not cell.last_count:  # nothing of it was timed here yet
            return cell.trial
        wanted = self._chunk_s / max(cell.seconds_a_run, 1e-9)
        end = first + int(min(wanted, cell.last_count * _GROWTH))
        return max(end // cell.grain, first // cell.grain + 1) * cell.grain - first
