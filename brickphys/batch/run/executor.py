"""Crew: who does the chunks: processes of this machine. `cluster` has the other one."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Protocol, Self

from brickphys.batch.run.chunk import TRIES, Job, Parcel, attempt
from brickphys.errors import WorkerStartError
from brickphys.workers import check_workers, serve, without_ctrl_c

GUARD = (
    'a program that starts them needs the guard `if __name__ == "__main__":`, and must be able to be'
    " imported"
)
"""What most often keeps processes from beginning."""
_MEGABYTE = 2**20
_LOADING_S = 300.0
"""So long a process may load what its job needs: to compile an engine takes a minute where others are busy."""
_LAST_WORDS_S = 5.0
"""So long a process that has closed its line may take to end."""


@dataclass(frozen=True)
class Failure:
    """A chunk that did not come back: a worker died, took too long, or could not even begin."""

    job: Job
    error: str


class Crew(Protocol):
    """Does jobs, in any order. It is a context manager, and free when it is entered."""

    def __enter__(self) -> Self:
        """Be ready to work."""
        ...

    def __exit__(self, *_: object) -> None:
        """End the work."""
        ...

    @property
    def free(self) -> int:
        """How many more jobs it can take now."""
        ...

    @property
    def busy(self) -> int:
        """How many jobs it has."""
        ...

    def submit(self, job: Job) -> None:
        """Take a job."""
        ...

    def results(self, timeout_s: float) -> Sequence[tuple[Job, Parcel] | Failure]:
        """Wait, but no longer than so, until something is done; return whatever is."""
        ...


class LocalCrew:
    """Processes of this machine; a new one takes the place of one that died.

    Parameters
    ----------
    workers
        How many processes.
    time_s
        A chunk that takes longer is given up, and its process with it.
    memory_mb
        What a process may use; None leaves it to the system.

    Raises
    ------
    InvalidValueError
        If `workers` is not 1 to 256.
    """

    def __init__(self, workers: int, time_s: float, memory_mb: int | None = None) -> None:
        self._count, self._time_s, self._memory_mb = check_workers(workers), time_s, memory_mb
        self._workers: dict[Connection, _Worker] = {}
        self._stillborn = 0  # processes in a row that ended before they were there

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers.values()):
            self._dismiss(worker)

    @property
    def free(self) -> int:
        """How many more jobs it can take now."""
        return self._count - self.busy

    @property
    def busy(self) -> int:
        """How many jobs it has."""
        return sum(worker.job is not None for worker in self._workers.values())

    @property
    def process_ids(self) -> list[int]:
        """The numbers of the processes that run."""
        return [worker.process.pid for worker in self._workers.values() if worker.process.pid]

    def submit(self, job: Job) -> None:
        """Give a job to a process that has nothing to do, or to a new one."""
        for worker in [worker for worker in self._workers.values() if worker.job is None]:
            if worker.process.is_alive():
                worker.begin(job)
                return
            self._dismiss(worker)
        worker = _Worker(self._memory_mb)
        self._workers[worker.line] = worker
        worker.begin(job)

    def results(self, timeout_s: float) -> list[tuple[Job, Parcel] | Failure]:
        """Wait until some process is done, or has died; processes that take too long are ended.

        Raises
        ------
        WorkerStartError
            If processes end before they are there, cannot make a cell ready, or load for ever.
        """
        ready = wait(self._workers, timeout_s)
        if any(worker.loading_s > _LOADING_S for worker in self._workers.values()):
            raise WorkerStartError(f"a worker has been loading for more than {_LOADING_S:g} s")
        told = [
            self._heard(worker) for line, worker in list(self._workers.items()) if line in ready
        ]
        late = [
            self._lost(worker, job, f"took longer than {self._time_s:g} s")
            for worker in list(self._workers.values())
            if (job := worker.job) is not None and worker.seconds > self._time_s
        ]
        return [result for result in told if result is not None] + late

    def _heard(self, worker: "_Worker") -> tuple[Job, Parcel] | Failure | None:
        job = worker.job
        try:
            word = worker.hear()
        except (EOFError, OSError):
            return self._ended(worker, job)
        if word is _Sign.THERE:
            self._stillborn = 0
        if job is None or isinstance(word, _Sign):
            return None
        return Failure(job, word) if isinstance(word, str) else (job, word)

    def _ended(self, worker: "_Worker", job: Job | None) -> Failure | None:
        """Note that a process is no more; one that never was there is no fault of its job."""
        if not worker.is_there:
            worker.process.join(_LAST_WORDS_S)  # for its exit status
        self._dismiss(worker)
        if worker.is_there:
            return Failure(job, "its process died (killed, or no memory?)") if job else None
        self._stillborn += 1
        status = worker.process.exitcode or 0
        # statuses below 0 are signals: somebody may have killed it, which says nothing of the next one
        if status > 0 or self._stillborn >= TRIES:
            raise WorkerStartError(
                f"worker processes end before they have begun (exit status {status}): {GUARD}"
            ) from None
        if job is not None:
            self.submit(job)
        return None

    def _lost(self, worker: "_Worker", job: Job, error: str) -> Failure:
        self._dismiss(worker)
        return Failure(job, error)

    def _dismiss(self, worker: "_Worker") -> None:
        del self._workers[worker.line]
        worker.end()


class _Sign(Enum):
    """What a process says besides what came of its job."""

    THERE = "it has started"
    BEGUN = "all is loaded, and the work begins"


class _Worker:
    """A process, and the line to it: nobody else has the other end, so that it ends with the process.

    A process that dies, even in the middle of a word, is thus noticed at once, and known with what it was busy.
    """

    def __init__(self, memory_mb: int | None) -> None:
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=_serve_line, args=(theirs, memory_mb))
        with without_ctrl_c():
            self.process.start()
        theirs.close()
        self.job: Job | None = None
        self.is_there = False
        self._given = 0.0
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """How long it has worked, by a clock that nobody can set; to start and to load is no work."""
        return 0.0 if self._since is None else time.monotonic() - self._since

    @property
    def loading_s(self) -> float:
        """How long it has been starting and loading what its job needs."""
        is_loading = self.job is not None and self._since is None
        return time.monotonic() - self._given if is_loading else 0.0

    def begin(self, job: Job) -> None:
        """Take a job."""
        self.job, self._given, self._since = job, time.monotonic(), None
        with suppress(OSError):  # it has just died: the line tells
            self.line.send(job)

    def hear(self) -> Parcel | str | _Sign:
        """Return what came of the job, why nothing did, or how far the process is.

        Raises
        ------
        EOFError, OSError
            If the process died.
        WorkerStartError
            If it cannot begin.
        """
        word: Parcel | str | _Sign | WorkerStartError = self.line.recv()
        if isinstance(word, WorkerStartError):
            raise word
        self.is_there = True
        if word is _Sign.BEGUN:
            self._since = time.monotonic()
        elif word is not _Sign.THERE:
            self.job = None
        return word

    def end(self) -> None:
        """End the process: at once if it works, for nobody waits for that any more."""
        if self.job is not None:
            self.process.kill()
        self.line.close()
        self.process.join()


def _serve_line(line: Connection, memory_mb: int | None) -> None:
    """Do what comes through a line, and tell what came of it or why nothing did, until the line ends."""
    serve()
    if memory_mb is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * _MEGABYTE,) * 2)
    with suppress(EOFError, OSError):
        line.send(_Sign.THERE)
        while True:
            line.send(_done(line.recv(), line))


def _done(job: Job, line: Connection) -> Parcel | str | WorkerStartError:
    try:
        return attempt(job, lambda: line.send(_Sign.BEGUN))
    except WorkerStartError as error:
        return error
