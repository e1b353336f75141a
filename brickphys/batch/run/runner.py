"""Runner: does the missing runs of a study until every cell has enough."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from brickphys.batch.run.chunk import ChunkJob, ChunkResults, prepare_chunk, run_chunk
from brickphys.batch.run.plan import Job, Plan
from brickphys.batch.store.store import Store, running_store
from brickphys.batch.study.spec import Spec
from brickphys.errors import WorkerStartError, in_words
from brickphys.notes import Progress
from brickphys.signals import is_late
from brickphys.workers import Executor, LocalExecutor

CHUNK_S = 1.0
"""Seconds of work in a job."""
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
    """Do the runs that a batch still needs, and keep their rows.

    The rows do not depend on the executor, on how the work was cut, or on what was done before.

    Parameters
    ----------
    store
        Where rows are kept, open for this runner alone.
    executor
        Does the work.
    chunk_s
        Approximate seconds of work in a job: a chunk, or the chunks of several small cells.
    stopped
        Once it is true, no more jobs start; those that have started still count, unless they take longer than
        `brickphys.signals.GRACE_S`.
    progress
        Called after every job.

    Returns
    -------
    bool
        Whether all runs are done.

    Raises
    ------
    WorkerStartError
        If a worker computes by something else than the stamp of the batch; the rows that it made are not kept.
    """
    plan = Plan(store, chunk_s)
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


def _settle(plan: Plan, job: Job, future: Future[ChunkResults]) -> None:
    """Keep the rows of a job that has ended, or plan it again if it failed."""
    error = future.exception()
    if isinstance(error, WorkerStartError):  # no run is to blame
        raise error
    if error:
        plan.failed(job, in_words(error))
    else:
        plan.done(job, future.result())
