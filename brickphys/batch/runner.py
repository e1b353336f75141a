"""Runner: does the missing runs of a study until every cell has enough.

A dry run estimates the cost of a study by a few runs of its cells.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from brickphys.batch.chunk import ChunkJob, ChunkResults, prepare_chunk, run_chunk
from brickphys.batch.kinds.study_type import CellWork
from brickphys.batch.plan import Job, RunPlan, left
from brickphys.batch.spec import Spec
from brickphys.batch.store import Store, running_store
from brickphys.errors import WorkerStartError, in_words
from brickphys.notes import Progress
from brickphys.signals import is_late
from brickphys.text import counted, rough_duration
from brickphys.workers import Executor, LocalExecutor

CHUNK_S = 1.0
"""Seconds of work in a job."""
_POLL_S = 0.2


def run_study(
    spec: Spec,
    folder: Path | str,
    *,
    workers: int = 1,
    stopped: Callable[[], bool] = lambda: False,
    progress: Progress = lambda *_: None,
) -> Store:
    """Run a study on this machine, or continue it, and return its batch; the folder is as for `running_store`.

    BatchFolderError as `running_store`.
    """
    with running_store(folder, spec) as store:
        store.repair()
        with local_executor(spec, workers) as executor:
            run(store, executor, stopped=stopped, progress=progress)
        return store


def local_executor(spec: Spec, workers: int) -> LocalExecutor[ChunkJob, ChunkResults]:
    """Return an executor of this machine that does jobs of a study within its limits."""
    limits = spec.limits
    return LocalExecutor(
        run_chunk, workers, prepare=prepare_chunk, time_s=limits.time_s, memory_mb=limits.memory_mb
    )


def run(
    store: Store,
    executor: Executor[ChunkJob, ChunkResults],
    *,
    chunk_s: float = CHUNK_S,
    stopped: Callable[[], bool] = lambda: False,
    progress: Progress = lambda *_: None,
) -> bool:
    """Do the runs that a batch still needs, keep their rows, and return whether all are done.

    The rows do not depend on the executor, on how the work was cut, or on what was done before. WorkerStartError if a
    worker computes by something else than the stamp of the batch; the rows that it made are not kept.

    Parameters
    ----------
    store
        Where rows are kept, open for this runner alone.
    chunk_s
        Approximate seconds of work in a job: a chunk, or the chunks of several small cells.
    stopped
        Once it is true, no more jobs start; those that have started still count, unless they take longer than
        `brickphys.signals.GRACE_S`.
    progress
        Called after every job.
    """
    plan = RunPlan(store, chunk_s)
    running: dict[Future[ChunkResults], Job] = {}

    def submit() -> bool:
        """Return whether there may be more to submit."""
        for _ in range(executor.free):
            if stopped() or not (job := plan.next_job()):
                return False
            running[executor.submit(plan.job(job))] = job
        return not stopped()

    progress(store.ledger.total, plan.expected)
    while True:
        more = submit()
        if not running and not more:
            return not plan.next_job()
        if is_late():
            return False
        executor.wait(_POLL_S)
        ended = [future for future in running if future.done()]
        jobs = [running.pop(future) for future in ended]
        submit()  # before rows go to the disk, so that no worker waits
        for future, job in zip(ended, jobs, strict=True):
            _settle(plan, job, future)
            progress(store.ledger.total, plan.expected)


def _settle(plan: RunPlan, job: Job, future: Future[ChunkResults]) -> None:
    """Keep the rows of a job that has ended, or plan it again if it failed."""
    error = future.exception()
    if isinstance(error, WorkerStartError):  # no run is to blame
        raise error
    if error:
        plan.failed(job, in_words(error))
    else:
        plan.done(job, future.result())


_CELLS = 8
"""Largest number of cells to try, spread evenly over all."""
_SECONDS = 0.5
"""The runs of a cell are doubled until they take this long."""
_ALL_S = 10.0
"""Time after which the trial ends."""
_ERRORS = 2.0
"""Standard errors by which the range of a cost extends to both sides."""
_LEAST_PART, _LEAST_SPREAD = 1 / 3, 0.2
"""Smallest low end of a range, and smallest distance of both ends from the estimate, as shares of the estimate."""


class TimedRuns(NamedTuple):
    """Some runs of a cell that were done one after the other, and the seconds that they took."""

    runs: int
    seconds: float


@dataclass(frozen=True)
class CostEstimate:
    """The estimated cost of a study."""

    spec: Spec
    workers: int
    trials: Mapping[int, Sequence[TimedRuns]]
    """What was tried of some cells, by number of the cell."""
    left: tuple[int, int] | None = None
    """Runs that a batch still needs, judged by its rows and at most; None without a batch."""

    @property
    def fewest_runs(self) -> int:
        """Fewest runs of the study: all of them, or those before a cell is first judged."""
        return self.spec.least_runs_a_cell * len(self.spec.cells)

    @property
    def seconds_a_run(self) -> dict[int, float]:
        """Seconds for a run, by number of the cell that was tried."""
        return {cell: _mean(trials) for cell, trials in self.trials.items()}

    def seconds(self, runs: int) -> float:
        """Return how long so many runs take if they are spread evenly over the cells."""
        if not runs:
            return 0.0
        cells = self.seconds_a_run.values()
        return runs * sum(cells) / len(cells) / self.workers

    def range_s(self, runs: int) -> tuple[float, float]:
        """Return the range in which the seconds for so many runs probably are."""
        seconds = self.seconds(runs)
        half = max(_ERRORS * self._relative_error(), _LEAST_SPREAD)
        return seconds * max(1 - half, _LEAST_PART), seconds * (1 + half)

    @property
    def ahead(self) -> tuple[int, int]:
        """Runs to do, at least and at most."""
        return self.left or (self.fewest_runs, self.spec.most_runs)

    def document(self) -> dict[str, Any]:
        """Return the cost as JSON values."""
        spec = self.spec
        return {
            "kind": spec.study_type.name,
            "seed": spec.seed,
            "cells": len(spec.cells),
            "factors": list(spec.factors),
            "runs": [self.fewest_runs, spec.most_runs],
            "workers": self.workers,
            "estimated_seconds": [self.seconds(runs) for runs in self.ahead],
            "estimated_range": list(self._ends()),
            **({} if self.left is None else {"left": list(self.left)}),
        }

    def text(self) -> str:
        """Return the cost as text for people."""
        spec = self.spec
        names = f" ({' x '.join(spec.factors)})" if spec.factors else ""
        cells = counted(len(spec.cells), "cell") + names
        runs = _span(f"{self.fewest_runs:,}", f"{spec.most_runs:,}")
        text = f"{spec.title}: {cells}, {runs} {spec.study_type.unit}, seed {spec.seed}\n"
        if self.left is not None:
            text += f"{_span(*(f'{count:,}' for count in self.left))} {spec.study_type.unit} left to do\n"
        return text + self._duration() if any(self.ahead) else text.rstrip()

    def _ends(self) -> tuple[float, float]:
        """Return the least and the most seconds of all that is ahead."""
        fewest, most = self.ahead
        return self.range_s(fewest)[0], self.range_s(most)[1]

    def _duration(self) -> str:
        span = _span(*map(rough_duration, self._ends()))
        tried = f"{len(self.trials):,} of {counted(len(self.spec.cells), 'cell')}"
        return (
            f"about {span} with {counted(self.workers, 'worker')}, without their start, "
            f"estimated from a trial of {tried}"
        )

    def _relative_error(self) -> float:
        """Return the standard error of the mean seconds of a run, over that mean.

        Runs of a cell differ, and so do cells, of which some were not tried.
        """
        means, tried = list(self.seconds_a_run.values()), len(self.trials)
        mean = sum(means) / max(tried, 1)
        if not mean:
            return 0.0
        spread = _spread(list(self.trials.values()))
        runs = [sum(trial.runs for trial in trials) for trials in self.trials.values()]
        within = sum(spread * one**2 / count for one, count in zip(means, runs, strict=True))
        between = mean**2
        if tried > 1:
            between = sum((one - mean) ** 2 for one in means) / (tried - 1)
        untried = 1 - tried / len(self.spec.cells)
        return sqrt(within / tried**2 + untried * between / tried) / mean


def dry_run(spec: Spec, workers: int, store: Store | None = None) -> CostEstimate:
    """Try some cells of a study in this process, and return the cost of the study; no row is kept.

    Each cell is tried with one run (or what is cheapest together), then with twice as many, and so on. The trial does
    at most half of the runs of the study, and half of those of a cell, but never less than the first of one cell.

    If its batch has begun, the cost is that of the missing runs.
    """
    ahead = left(store) if store else None
    tried = _some(spec.cells) if ahead is None or any(ahead) else []
    found: dict[int, list[TimedRuns]] = {}
    works: dict[int, CellWork] = {}
    most, open_cells, done, spent = spec.least_runs_a_cell, deque(tried), 0, 0.0
    while open_cells and spent < _ALL_S:
        cell = open_cells.popleft()
        if cell not in works:
            works[cell] = spec.work(cell)
            works[cell].warm_up()
        before = found.get(cell, [])
        runs = sum(trial.runs for trial in before)
        count = 2 * before[-1].runs if before else min(works[cell].grain, most)
        is_first_of_all = not done
        is_few = done + count <= most * len(spec.cells) // 2
        if not is_first_of_all and not (is_few and (not before or runs + count <= most // 2)):
            continue
        found.setdefault(cell, []).append(_timed(works[cell], runs, count))
        seconds = found[cell][-1].seconds
        done, spent = done + count, spent + seconds
        if seconds < _SECONDS:
            open_cells.append(cell)
    return CostEstimate(spec, workers, dict(sorted(found.items())), ahead)


def _timed(work: CellWork, first: int, count: int) -> TimedRuns:
    start = time.perf_counter()
    work.rows(first, count)
    return TimedRuns(count, time.perf_counter() - start)


def _some(cells: Sequence[Any]) -> list[int]:
    """Return the cells to try, spread evenly; the last one second, since cells mostly get dearer or cheaper."""
    count = min(_CELLS, len(cells))
    step = (len(cells) - 1) / max(count - 1, 1)
    first, *others = sorted({round(index * step) for index in range(count)})
    return [first, *others[-1:], *others[:-1]]


def _mean(trials: Sequence[TimedRuns]) -> float:
    return sum(trial.seconds for trial in trials) / sum(trial.runs for trial in trials)


def _spread(cells: Sequence[Sequence[TimedRuns]]) -> float:
    """Return the variance of the seconds of a run over their mean squared, pooled over cells.

    It counts as one more observation that it is 1: a few trials may agree by chance.
    """
    found, freedom = 1.0, 1
    for trials in cells:
        if mean := _mean(trials):
            found += sum(runs * (seconds / runs / mean - 1) ** 2 for runs, seconds in trials)
            freedom += len(trials) - 1
    return found / freedom


def _span(fewest: str, most: str) -> str:
    return fewest if fewest == most else f"{fewest} to {most}"
