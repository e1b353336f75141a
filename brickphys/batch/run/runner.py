"""Runner: does the runs of a study that are not done, until every cell has enough."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.run.chunk import (
    ERROR,
    Chunk,
    ChunkJob,
    ChunkResult,
    failed_result,
    prepare_chunk,
    run_chunk,
)
from brickphys.batch.store.store import Store, running_store
from brickphys.batch.study.spec import Spec, canonical
from brickphys.errors import in_words
from brickphys.notes import Progress
from brickphys.workers import Executor, LocalExecutor

CHUNK_S = 1.0
"""Seconds of work in a chunk."""
TRIAL = 4
"""Runs, or a grain, with which a cell begins. No other run of it starts before; if all fail, so does the cell."""
_GROWTH = 32
"""A chunk has at most so many times the runs of the last one of its cell, which may have been quick by chance."""
_GIVEN_UP = 100_000
"""Runs in a shard of runs that were given up."""
_POLL_S = 0.2


def run_study(spec: Spec, folder: Path | str, *, workers: int = 1) -> Store:
    """Run a study on this machine, or continue it, and return its batch; the folder is as for `running_store`.

    Raises
    ------
    BatchFolderError
        As `running_store`.
    """
    with running_store(folder, spec) as store:
        store.repair()
        with local_executor(spec, workers) as executor:
            run(store, executor)
        return store


def local_executor(spec: Spec, workers: int) -> LocalExecutor[ChunkJob, ChunkResult]:
    """Return an executor of this machine that does chunks of a study within its limits."""
    limits = spec.limits
    return LocalExecutor(
        run_chunk, workers, prepare=prepare_chunk, time_s=limits.time_s, memory_mb=limits.memory_mb
    )


def run(
    store: Store,
    executor: Executor[ChunkJob, ChunkResult],
    *,
    chunk_s: float = CHUNK_S,
    stopped: Callable[[], bool] = lambda: False,
    progress: Progress = lambda *_: None,
) -> bool:
    """Do the runs that a batch still needs, and keep their rows.

    The rows do not depend on the executor, on the size of chunks, or on what was done before.

    Parameters
    ----------
    store
        Where rows are kept, open for this runner alone.
    executor
        Does the work.
    chunk_s
        Approximate seconds of work in a chunk.
    stopped
        Once it is true, no more chunks start; those that have started still count.
    progress
        Called after every chunk.

    Returns
    -------
    bool
        Whether all runs are done.
    """
    plan = _Plan(store, chunk_s)
    running: dict[Future[ChunkResult], Chunk] = {}

    def submit() -> bool:
        """Return whether there may be more to submit."""
        for _ in range(executor.free):
            if stopped() or not (chunk := plan.next_chunk()):
                return False
            running[executor.submit(plan.job(chunk))] = chunk
        return not stopped()

    progress(store.ledger.total, plan.expected)
    while True:
        more = submit()
        if not running and not more:
            return plan.next_chunk() is None
        executor.wait(_POLL_S)
        ended = [future for future in running if future.done()]
        chunks = [running.pop(future) for future in ended]
        submit()  # before rows go to the disk, so that no worker waits
        for future, chunk in zip(ended, chunks, strict=True):
            if error := future.exception():
                plan.failed(chunk, in_words(error))
            else:
                plan.done(future.result())
            progress(store.ledger.total, plan.expected)


def target(store: Store, cell: int, beyond: int = 0) -> int:
    """Return how many runs a cell needs, judged by its rows; up to `beyond` the interval is known to be too wide.

    A cell that repeats until its interval is narrow is judged only after fixed numbers of runs, and by exactly these
    first runs. So it ends at the same run, however the work was cut.
    """
    until = store.spec.until
    if until is None:
        return store.spec.repeats or 0
    for look in until.looks():
        if look > beyond and (any(store.ledger.gaps(cell, look)) or _is_enough(store, cell, look)):
            return look
    return until.at_most


def given_up(store: Store) -> list[int]:
    """Return the cells that have `at_most` runs and still no narrow interval."""
    until, cells = store.spec.until, range(len(store.spec.cells))
    if until is None:
        return []
    most = until.at_most
    full = (cell for cell in cells if not any(store.ledger.gaps(cell, most)))
    return [cell for cell in full if not _is_enough(store, cell, most)]


def left(store: Store) -> tuple[int, int]:
    """Return how many runs a batch still needs: judged by its rows, and at most."""
    fewest = most = 0
    for cell in range(len(store.spec.cells)):
        needed = target(store, cell)
        if missing := _length(store.ledger.gaps(cell, needed)):
            until = store.spec.until
            fewest += missing
            most += _length(store.ledger.gaps(cell, until.at_most if until else needed))
    return fewest, most


def _length(ranges: Iterable[tuple[int, int]]) -> int:
    return sum(end - first for first, end in ranges)


def _is_enough(store: Store, cell: int, look: int) -> bool:
    """Return whether a cell may stop at a look: its interval is narrow, or all of its runs failed."""
    rows, until = store.good_rows(cell, look), store.spec.until
    if not rows.num_rows or not until:
        return True
    summary = store.spec.summary(cell, rows)
    estimate = summary.get(until.column)
    return isinstance(estimate, Estimate) and estimate.half_width <= until.half_width


@dataclass
class _CellPlan:
    """How many runs a cell needs, how many go together, and how long one takes."""

    target: int
    grain: int
    trial: int
    last_count: int = 0
    seconds_a_run: float = 0.0


class _Plan:
    """Which chunks are running, and which come next."""

    def __init__(self, store: Store, chunk_s: float) -> None:
        self.store, self._chunk_s = store, chunk_s
        self._attached = canonical(dict(self.spec.attached))
        self._cells: dict[int, _CellPlan] = {}
        self._open = deque(range(len(self.spec.cells)))
        self._again: deque[Chunk] = deque()
        self._running: dict[int, list[Chunk]] = {}
        self.expected = self._first_target * len(self.spec.cells)

    @property
    def spec(self) -> Spec:
        """The study."""
        return self.store.spec

    @property
    def _first_target(self) -> int:
        until = self.spec.until
        return next(until.looks()) if until else self.spec.repeats or 0

    def next_chunk(self) -> Chunk | None:
        """Return the next chunk to do; None if all are done or running."""
        if self._again:
            chunk = self._again.popleft()
            self._running.setdefault(chunk.cell, []).append(chunk)
            return chunk
        for _ in range(len(self._open)):
            cell = self._open[0]
            for first, end in self._gaps(cell):
                chunk = Chunk(cell, first, min(self._size(cell, first), end - first))
                self._running.setdefault(cell, []).append(chunk)
                return chunk
            if self._running.get(cell):
                self._open.rotate(-1)  # it may need more once the running chunks have ended
            else:
                self._open.popleft()
        return None

    def job(self, chunk: Chunk) -> ChunkJob:
        """Return a chunk with everything that a worker process needs."""
        settings = canonical(self.spec.settings(chunk.cell))
        kind, seed, limits = self.spec.study_type.name, self.spec.seed, self.spec.limits
        return ChunkJob(chunk, kind, settings, self._attached, seed, limits)

    def done(self, result: ChunkResult) -> None:
        """Keep the rows of a chunk."""
        chunk, cell = result.chunk, self._cell(result.chunk.cell)
        self._keep(result)
        cell.seconds_a_run, cell.last_count = result.seconds / chunk.count, chunk.count

    def failed(self, chunk: Chunk, error: str) -> None:
        """Try a chunk again, in halves if it has several runs; or keep rows with the error."""
        again = chunk.after_failure(self._cell(chunk.cell).grain)
        if again:
            self._running[chunk.cell].remove(chunk)
            self._again.extend(again)
        else:
            self._keep(failed_result(chunk, error))

    def _keep(self, result: ChunkResult) -> None:
        chunk, cell = result.chunk, self._cell(result.chunk.cell)
        self.store.add(result)
        self._running[chunk.cell].remove(chunk)
        if chunk.first < cell.trial:
            self._judge(chunk.cell, cell)

    def _judge(self, number: int, cell: "_CellPlan") -> None:
        """Give a cell up if its whole trial failed."""
        store, ledger = self.store, self.store.ledger
        if ledger.failed(number) < cell.trial or any(ledger.gaps(number, cell.trial)):
            return
        if store.good_rows(number, cell.trial).num_rows:
            return
        error = f"given up, the first {cell.trial} failed: {store.rows(number)[ERROR][0].as_py()}"
        for first, end in list(ledger.gaps(number, cell.target)):
            for at in range(first, end, _GIVEN_UP):
                chunk = Chunk(number, at, min(_GIVEN_UP, end - at))
                store.add(failed_result(chunk, error))

    def _cell(self, number: int) -> _CellPlan:
        if number not in self._cells:
            spec = self.spec
            settings = spec.settings(number)
            work = spec.study_type.work(settings, spec.attached, spec.seed, number, spec.limits)
            trial = min(max(TRIAL, work.grain), self._first_target)
            cell = _CellPlan(target(self.store, number), work.grain, trial)
            self._cells[number] = cell
            self._judge(number, cell)  # the runner of the trial may have died before it judged
        return self._cells[number]

    def _gaps(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the runs that are neither done nor running; before the trial is done, those of the trial."""
        cell, ledger = self._cell(number), self.store.ledger
        running = sorted(self._running.get(number, []), key=lambda chunk: chunk.first)
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
                    at = chunk.first + chunk.count
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
