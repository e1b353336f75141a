"""Runner: a study run until every cell has what it needs, from wherever it stands."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from brickphys.batch.kinds.kind import Estimate
from brickphys.batch.run.chunk import ERROR, Chunk, Job, Parcel, failed_rows, to_parquet
from brickphys.batch.run.executor import Crew, Failure, LocalCrew
from brickphys.batch.store.store import Store, running_store
from brickphys.batch.study.spec import Spec, canonical

CHUNK_S = 1.0
"""Seconds of work in a chunk."""
TRIAL = 4
"""Runs, or a grain, with which a cell begins, and before which nothing else of it is run: if all fail, so does the
cell."""
_GROWTH = 32
"""A chunk is at most so many times as large as the last one of its cell: one that was quick may have been lucky."""
_GIVEN_UP = 100_000
"""Runs of a shard that says that they were given up."""
_PATIENCE_S = 0.2

Progress = Callable[[int, int], None]
"""Is told how many runs are done, and how many there will be as far as known."""


def run_study(spec: Spec, folder: Path | str, *, workers: int = 1) -> Store:
    """Run a study on this machine, or go on with it, and return its batch: what notebooks need.

    Parameters
    ----------
    spec
        The study.
    folder
        New, empty, or with the same study.
    workers
        Processes.

    Raises
    ------
    BatchFolderError
        As `running_store`.
    """
    with running_store(folder, spec) as store:
        store.mend()
        with LocalCrew(workers, spec.limits.time_s, spec.limits.memory_mb) as crew:
            run(store, crew)
        return store


def run(
    store: Store,
    crew: Crew,
    *,
    chunk_s: float = CHUNK_S,
    stopped: Callable[[], bool] = lambda: False,
    progress: Progress = lambda *_: None,
) -> bool:
    """Run what a batch still lacks, and keep it.

    The rows do not depend on the crew, on the size of chunks, or on what was done before.

    Parameters
    ----------
    store
        Where rows are kept, open for this runner alone.
    crew
        Who does the work.
    chunk_s
        Seconds of work in a chunk, about.
    stopped
        Once it says yes, no more chunks are begun; those that are under way still count.
    progress
        Is told after every chunk.

    Returns
    -------
    bool
        Whether all is done.
    """
    plan = _Plan(store, chunk_s)

    def give_out() -> bool:
        """Return whether there may be more to give out, once there is somebody to take it."""
        for _ in range(crew.free):
            if stopped() or not (chunk := plan.next_chunk()):
                return False
            crew.submit(plan.job(chunk))
        return not stopped()

    progress(store.ledger.total, plan.expected)
    while True:
        more = give_out()
        if not crew.busy and not more:
            return plan.next_chunk() is None
        results = crew.results(_PATIENCE_S)
        give_out()  # first of all: nobody waits while rows go to the disk
        for result in results:
            if isinstance(result, Failure):
                plan.failed(result)
            else:
                plan.done(result[1])
            progress(store.ledger.total, plan.expected)


def target(store: Store, cell: int, beyond: int = 0) -> int:
    """Return how many runs a cell needs as far as its rows tell.

    A cell that repeats until its interval is narrow is looked at only after fixed numbers of runs, and by the first
    so many runs, so that it ends at the same run however the work was cut.

    Parameters
    ----------
    store
        The batch.
    cell
        Which.
    beyond
        Looks up to this one are known to be too wide.
    """
    until = store.spec.until
    if until is None:
        return store.spec.repeats or 0
    for look in until.looks():
        if look > beyond and (any(store.ledger.gaps(cell, look)) or _is_enough(store, cell, look)):
            return look
    return until.at_most


def given_up(store: Store) -> list[int]:
    """Return the cells that have all the runs they may have, and whose interval still is not narrow."""
    until, cells = store.spec.until, range(len(store.spec.cells))
    if until is None:
        return []
    most = until.at_most
    full = (cell for cell in cells if not any(store.ledger.gaps(cell, most)))
    return [cell for cell in full if not _is_enough(store, cell, most)]


def left(store: Store) -> tuple[int, int]:
    """Return how many runs a batch still needs: as far as its rows tell, and at most."""
    fewest = most = 0
    for cell in range(len(store.spec.cells)):
        needed = target(store, cell)
        if missing := _length(store.ledger.gaps(cell, needed)):
            until = store.spec.until
            fewest += missing
            most += _length(store.ledger.gaps(cell, until.at_most if until else needed))
    return fewest, most


def _length(stretches: Iterable[tuple[int, int]]) -> int:
    return sum(end - first for first, end in stretches)


def _is_enough(store: Store, cell: int, look: int) -> bool:
    """Tell whether a cell may stop at a look: its interval is narrow, or nothing in it works."""
    rows, until = store.good_rows(cell, look), store.spec.until
    if not rows.num_rows or not until:
        return True
    summary = store.spec.kind.summary(store.spec.settings(cell), rows)
    estimate = summary.get(until.column)
    return isinstance(estimate, Estimate) and estimate.half_width <= until.half_width


@dataclass
class _Cell:
    """What is known of a cell: how many runs it needs, how many go together, and how long one takes."""

    target: int
    grain: int
    trial: int
    last_count: int = 0
    seconds_a_run: float = 0.0


class _Plan:
    """What is under way, and what comes next."""

    def __init__(self, store: Store, chunk_s: float) -> None:
        self.store, self._chunk_s = store, chunk_s
        self._attached = canonical(dict(self.spec.attached))
        self._cells: dict[int, _Cell] = {}
        self._open = deque(range(len(self.spec.cells)))
        self._again: deque[Chunk] = deque()
        self._under_way: dict[int, list[Chunk]] = {}
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
        """Return what to do next, None if all is done or under way."""
        if self._again:
            chunk = self._again.popleft()
            self._under_way.setdefault(chunk.cell, []).append(chunk)
            return chunk
        for _ in range(len(self._open)):
            cell = self._open[0]
            for first, end in self._gaps(cell):
                chunk = Chunk(cell, first, min(self._size(cell, first), end - first))
                self._under_way.setdefault(cell, []).append(chunk)
                return chunk
            if self._under_way.get(cell):
                self._open.rotate(-1)  # it may need more once what is under way has come back
            else:
                self._open.popleft()
        return None

    def job(self, chunk: Chunk) -> Job:
        """Return a chunk with everything that a process needs to know."""
        settings = canonical(self.spec.settings(chunk.cell))
        kind, seed, limits = self.spec.kind.name, self.spec.seed, self.spec.limits
        return Job(chunk, kind, settings, self._attached, seed, limits)

    def done(self, parcel: Parcel) -> None:
        """Keep what a chunk came to."""
        chunk, cell = parcel.chunk, self._cell(parcel.chunk.cell)
        self._keep(parcel)
        cell.seconds_a_run, cell.last_count = parcel.seconds / chunk.count, chunk.count

    def failed(self, failure: Failure) -> None:
        """Try a chunk again, in halves if it has several runs; or keep rows that say why it failed."""
        chunk = failure.job.chunk
        again = chunk.after_failure(self._cell(chunk.cell).grain)
        if again:
            self._under_way[chunk.cell].remove(chunk)
            self._again.extend(again)
        else:
            rows = to_parquet(failed_rows(chunk, failure.error))
            self._keep(Parcel(chunk, rows, chunk.count, 0.0))

    def _keep(self, parcel: Parcel) -> None:
        chunk, cell = parcel.chunk, self._cell(parcel.chunk.cell)
        self.store.add(parcel)
        self._under_way[chunk.cell].remove(chunk)
        if chunk.first < cell.trial:
            self._judge(chunk.cell, cell)

    def _judge(self, number: int, cell: "_Cell") -> None:
        """Give a cell up if its whole trial has failed."""
        store, ledger = self.store, self.store.ledger
        if ledger.failed(number) < cell.trial or any(ledger.gaps(number, cell.trial)):
            return
        if store.good_rows(number, cell.trial).num_rows:
            return
        error = f"given up, the first {cell.trial} failed: {store.rows(number)[ERROR][0].as_py()}"
        for first, end in list(ledger.gaps(number, cell.target)):
            for at in range(first, end, _GIVEN_UP):
                chunk = Chunk(number, at, min(_GIVEN_UP, end - at))
                rows = to_parquet(failed_rows(chunk, error))
                store.add(Parcel(chunk, rows, chunk.count, 0.0))

    def _cell(self, number: int) -> _Cell:
        if number not in self._cells:
            spec = self.spec
            settings = spec.settings(number)
            work = spec.kind.work(settings, spec.attached, spec.seed, number, spec.limits)
            trial = min(max(TRIAL, work.grain), self._first_target)
            cell = _Cell(target(self.store, number), work.grain, trial)
            self._cells[number] = cell
            self._judge(number, cell)  # whoever ran the trial may have died before it could
        return self._cells[number]

    def _gaps(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield what is neither done nor under way; of a cell whose trial is not done only that."""
        cell, ledger = self._cell(number), self.store.ledger
        under_way = sorted(self._under_way.get(number, []), key=lambda chunk: chunk.first)
        if self.spec.until and not under_way and not any(ledger.gaps(number, cell.target)):
            before, cell.target = cell.target, target(self.store, number, cell.target - 1)
            self.expected += cell.target - before
        in_trial = any(ledger.gaps(number, cell.trial))
        for first, end in ledger.gaps(number, cell.trial if in_trial else cell.target):
            at = first
            for chunk in under_way:
                if first <= chunk.first < end:
                    if at < chunk.first:
                        yield at, chunk.first
                    at = chunk.first + chunk.count
            if at < end:
                yield at, end

    def _size(self, number: int, first: int) -> int:
        """Return how many runs the next chunk of a cell should have."""
        cell = self._cell(number)
        if first < cell.trial:
            return cell.trial - first
        if not cell.last_count:  # resumed: nothing of it was timed here
            return cell.trial
        wanted = self._chunk_s / max(cell.seconds_a_run, 1e-9)
        end = first + int(min(wanted, cell.last_count * _GROWTH))
        return max(end // cell.grain, first // cell.grain + 1) * cell.grain - first
