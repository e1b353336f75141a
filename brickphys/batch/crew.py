"""Crew: who does the chunks: processes of this machine. `cluster` has the other one."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Protocol, Self

from brickphys.batch.chunk import Job, Parcel, in_words, make_ready, perform
from brickphys.workers import check_workers, serve, without_ctrl_c

_MEGABYTE = 2**20


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        """Wait until some process is done, or has died; processes that take too long are ended."""
        ready = wait(self._workers, timeout_s)
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
            if job is not None:
                return self._lost(worker, job, "its process died (killed, or no memory?)")
            self._dismiss(worker)
            return None
        if job is None or word is None:
            return None
        return Failure(job, word) if isinstance(word, str) else (job, word)

    def _lost(self, worker: "_Worker", job: Job, error: str) -> Failure:
        self._dismiss(worker)
        return Failure(job, error)

    def _dismiss(self, worker: "_Worker") -> None:
        del self._workers[worker.line]
        worker.end()


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
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """How long it has worked, by a clock that nobody can set; to start and to load is no work."""
        return 0.0 if self._since is None else time.monotonic() - self._since

    def begin(self, job: Job) -> None:
        """Take a job."""
        self.job, self._since = job, None
        with suppress(OSError):  # it has just died: the line tells
            self.line.send(job)

    def hear(self) -> Parcel | str | None:
        """Return what came of the job, or why nothing did; None if the work has only begun.

        Raises
        ------
        EOFError, OSError
            If the process died.
        """
        word: Parcel | str | None = self.line.recv()
        if word is None:
            self._since = time.monotonic()
        else:
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
        while True:
            line.send(_done(line.recv(), line))


def _done(job: Job, line: Connection) -> Parcel | str:
    try:
        make_ready(job)
        line.send(None)
        return perform(job)
    except Exception as error:  # it could not even begin
        return in_words(error)
