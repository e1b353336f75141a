"""Crew: who does the chunks: processes of this machine. `cluster` has the other one."""

import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.resource_tracker import ensure_running
from types import TracebackType
from typing import Protocol, Self

from brickphys.batch.chunk import Job, Parcel, in_words, perform
from brickphys.workers import check_workers, ctrl_c_held, serve

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
    """Processes of this machine.

    Each has a pool of its own: when one dies, it is known what it was working on, and the others go on.

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
        self._time_s = time_s
        self._seats = [_Seat(memory_mb) for _ in range(check_workers(workers))]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for seat in self._seats:
            seat.close()

    @property
    def free(self) -> int:
        """How many processes have nothing to do."""
        return sum(seat.job is None for seat in self._seats)

    @property
    def busy(self) -> int:
        """How many are at work."""
        return len(self._seats) - self.free

    @property
    def process_ids(self) -> list[int]:
        """The numbers of the processes that have begun."""
        return [seat.process_id for seat in self._seats if seat.process_id is not None]

    def submit(self, job: Job) -> None:
        """Give a job to a process that has nothing to do."""
        next(seat for seat in self._seats if seat.job is None).begin(job)

    def results(self, timeout_s: float) -> list[tuple[Job, Parcel] | Failure]:
        """Wait until some process is done, or has died; processes that take too long are ended."""
        working = [seat for seat in self._seats if seat.job is not None]
        wait([seat.future for seat in working], timeout_s, FIRST_COMPLETED)
        for seat in working:
            if not seat.future.done() and seat.seconds > self._time_s:
                seat.end()
        return [seat.finish(self._time_s) for seat in working if seat.future.done()]


class _Seat:
    """One process and what it works on; a new process takes the seat of one that died."""

    def __init__(self, memory_mb: int | None) -> None:
        self._memory_mb = memory_mb
        self._pool: ProcessPoolExecutor | None = None
        self._process_id: Future[int] | None = None
        self._since = 0.0
        self._ended = False
        self.job: Job | None = None
        self.future: Future[Parcel] = Future()

    @property
    def process_id(self) -> int | None:
        """The number of the process, None while it starts."""
        known = self._process_id
        return known.result() if known and known.done() and not known.exception() else None

    @property
    def seconds(self) -> float:
        """How long it has worked, by a clock that nobody can set; starting is not in it."""
        if self.process_id is None:
            self._since = time.monotonic()
        return time.monotonic() - self._since

    def begin(self, job: Job) -> None:
        """Take a job, in a new process if there is none."""
        self.job, self._since, self._ended = job, time.monotonic(), False
        if self._pool is None:
            ensure_running()  # where it starts later, it lets Ctrl-C through again
            self._pool = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=_start, initargs=(self._memory_mb,)
            )
            with ctrl_c_held():
                self._process_id = self._pool.submit(os.getpid)
        self.future = self._pool.submit(perform, job)

    def end(self) -> None:
        """End the process, whatever it does."""
        self._ended = True
        if self.process_id is not None:
            os.kill(self.process_id, signal.SIGKILL)
        wait([self.future])

    def finish(self, time_s: float) -> tuple[Job, Parcel] | Failure:
        """Return what came of the job, and be free."""
        job, self.job = self.job, None
        if job is None:
            raise RuntimeError("nothing was begun")
        try:
            return job, self.future.result()
        except BrokenProcessPool:
            self.close()
            late = f"took longer than {time_s:g} s"
            return Failure(job, late if self._ended else "its process died (killed, or no memory?)")
        except Exception as error:  # it could not even be sent, or read
            return Failure(job, in_words(error))

    def close(self) -> None:
        """End the process once it is done."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = self._process_id = None


def _start(memory_mb: int | None) -> None:
    serve()
    if memory_mb is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * _MEGABYTE,) * 2)
