"""Workers: processes of this machine that do jobs, and the request to stop them."""

import itertools
import logging
import math
import os
import pickle
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.resource_tracker import ensure_running
from types import FrameType
from typing import Generic, Protocol, Self, TypeVar

from brickphys.errors import (
    InterruptedRunError,
    InvalidValueError,
    WorkerDiedError,
    WorkerStartError,
    in_words,
)
from brickphys.notes import NOTES, show_notes

J = TypeVar("J")
R = TypeVar("R")
_J = TypeVar("_J", contravariant=True)

MAX_WORKERS = 256
GUARD = (
    'a program that starts them needs the guard `if __name__ == "__main__":`, and must be able to be'
    " imported"
)
"""Advice for the most frequent reason why processes do not start."""
_MAX_STARTS = 3
"""Processes in a row that may be killed before they start their job."""
_START_LIMIT_S = 300.0
"""Time to start a process and load what its job needs; compiling an engine takes a minute on a busy machine."""
_SHUTDOWN_TIMEOUT_S = 5.0
"""Time for a process that has closed its pipe to end."""
_POLL_S = 1.0
_AHEAD = 2
"""Jobs for each worker that `LocalExecutor.map` starts before their results are asked for."""
_MEGABYTE = 2**20


class Executor(Protocol[_J, R]):
    """Does jobs in other processes; a context manager that ends them."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def free(self) -> int:
        """How many more jobs can be submitted now."""
        ...

    def submit(self, job: _J) -> Future[R]:
        """Start a job; `wait` completes its future."""
        ...

    def wait(self, timeout_s: float) -> None:
        """Wait until a job ends, at most `timeout_s`; complete the futures of jobs that have ended.

        Raises
        ------
        WorkerStartError
            If processes cannot start, or cannot load what their job needs: no job is to blame.
        """
        ...


class LocalExecutor(Generic[J, R]):
    """An executor with processes of this machine; a process that dies is replaced.

    Parameters
    ----------
    run
        Does a job; what it raises is the result of that job.
    workers
        Number of processes; each starts when it is needed.
    prepare
        Loads what a job needs, before its time is counted.
    time_s
        A job that takes longer is given up: its process is killed.
    memory_mb
        Data memory of a process; None for no limit.

    Raises
    ------
    InvalidValueError
        If `workers` is not 1 to 256.
    """

    def __init__(
        self,
        run: Callable[[J], R],
        workers: int,
        *,
        prepare: Callable[[J], object] | None = None,
        time_s: float = math.inf,
        memory_mb: int | None = None,
    ) -> None:
        self.workers, self._run, self._prepare = check_workers(workers), run, prepare
        self._time_s, self._memory_mb = time_s, memory_mb
        self._processes: dict[Connection, _Worker[J, R]] = {}
        self._failed_starts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._processes.values()):
            self._end(worker)

    @property
    def free(self) -> int:
        """How many more jobs can be submitted now."""
        return self.workers - sum(worker.is_busy for worker in self._processes.values())

    @property
    def process_ids(self) -> list[int]:
        """The ids of the processes that run."""
        return [worker.process.pid for worker in self._processes.values() if worker.process.pid]

    def submit(self, job: J) -> Future[R]:
        """Send a job to an idle process or to a new one; `wait` completes its future."""
        future: Future[R] = Future()
        self._start(job, future)
        return future

    def wait(self, timeout_s: float) -> None:
        """Wait until a job ends, at most `timeout_s`; complete the futures of jobs that have ended.

        Raises
        ------
        WorkerStartError
            If processes end before they start, cannot prepare a job, or take too long for it.
        """
        for pipe in wait(self._processes, timeout_s):
            if pipe in self._processes:  # the process of another pipe may just have been replaced
                self._receive(self._processes[pipe])
        now = time.monotonic()  # a clock that cannot be set
        for worker in [one for one in self._processes.values() if one.deadline < now]:
            if not worker.started:
                raise WorkerStartError(
                    f"a worker has been loading for more than {_START_LIMIT_S:g} s"
                )
            self._end(worker)
            worker.future.set_exception(InterruptedRunError(f"took longer than {self._time_s:g} s"))

    def map(
        self, jobs: Iterable[J], stopped: Callable[[], bool] = lambda: False
    ) -> Generator[R, None, None]:
        """Yield the result of each job in the order of the jobs; one worker works in this process.

        Parameters
        ----------
        jobs
            May be without end; close the generator to drop the jobs that were started ahead.
        stopped
            Asked before each job starts; once it is true, no more jobs start.

        Raises
        ------
        WorkerDiedError
            If a process ended before its job was done.
        """
        source = itertools.takewhile(lambda _: not stopped(), jobs)
        if self.workers == 1:
            yield from map(self._run, source)
            return
        pending: deque[Future[R]] = deque()
        while True:
            room = min(self.free, self.workers * _AHEAD - len(pending))
            pending.extend(map(self.submit, itertools.islice(source, room)))
            if pending and pending[0].done():
                yield pending.popleft().result()
            elif pending or not room:  # jobs of an earlier call may still be running
                self.wait(_POLL_S)
            else:
                return

    def _start(self, job: J, future: Future[R]) -> None:
        for worker in [one for one in self._processes.values() if not one.is_busy]:
            if worker.process.is_alive():
                worker.send(job, future)
                return
            self._end(worker)
        notes = not self._processes and NOTES.isEnabledFor(
            logging.INFO
        )  # all do the same: one tells
        worker = _Worker(job, future, (self._prepare, self._run, self._memory_mb, notes))
        self._processes[worker.pipe] = worker

    def _receive(self, worker: "_Worker[J, R]") -> None:
        """Read an answer: of `prepare`, or of `run`."""
        try:
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return
        if not worker.started and isinstance(answer, Exception):
            raise WorkerStartError(f"a worker cannot begin: {in_words(answer)}") from answer
        if not worker.started:
            worker.started, worker.deadline = True, time.monotonic() + self._time_s
            self._failed_starts = 0
            return
        worker.deadline = math.inf
        if isinstance(answer, Exception):
            worker.future.set_exception(answer)
        else:
            worker.future.set_result(answer)

    def _replace(self, worker: "_Worker[J, R]") -> None:
        """Give up the job of a process that died; one that had not started goes to another process."""
        worker.process.join(_SHUTDOWN_TIMEOUT_S)
        status = worker.process.exitcode or 0
        self._end(worker)
        if not worker.is_busy:
            return
        if worker.started:
            worker.future.set_exception(
                WorkerDiedError("its process died (killed, or out of memory?)")
            )
            return
        self._failed_starts += 1
        # a status below 0 is a signal: to be killed says nothing of the next process
        if status > 0 or self._failed_starts >= _MAX_STARTS:
            raise WorkerStartError(
                f"worker processes end before they have begun (exit status {status}): {GUARD}"
            )
        self._start(worker.job, worker.future)

    def _end(self, worker: "_Worker[J, R]") -> None:
        del self._processes[worker.pipe]
        worker.end()


class _Worker(Generic[J, R]):
    """A process and the pipe to it; no other process has the other end, so it closes when the process dies.

    Each job has two answers: when it starts, and when it ends.
    """

    def __init__(self, job: J, future: Future[R], serve_arguments: tuple[object, ...]) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, *serve_arguments))
        with without_ctrl_c():
            self.process.start()
        theirs.close()
        self.send(job, future)

    @property
    def is_busy(self) -> bool:
        """Whether it has a job."""
        return not self.future.done()

    def send(self, job: J, future: Future[R]) -> None:
        """Send a job."""
        self.job, self.future, self.started = job, future, False
        self.deadline = time.monotonic() + _START_LIMIT_S
        with suppress(OSError):  # it has just died, and the pipe will say so
            self.pipe.send(job)

    def end(self) -> None:
        """End the process, at once if it has a job."""
        if self.is_busy:
            self.process.kill()
        self.pipe.close()
        self.process.join()


def _serve(
    pipe: Connection,
    prepare: Callable[[J], object] | None,
    run: Callable[[J], R],
    memory_mb: int | None,
    notes: bool,
) -> None:
    """Do the jobs that come through a pipe until it closes; this is a worker process."""
    if notes:
        show_notes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if memory_mb is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * _MEGABYTE,) * 2)
    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            loaded = attempt(prepare, job) if prepare else None
            pipe.send(loaded if isinstance(loaded, Exception) else None)
            pipe.send(attempt(run, job))


def attempt(function: Callable[[J], R], job: J) -> R | Exception:
    """Return what a function returns or raises, with the traceback as a note; an error that can be sent."""
    try:
        return function(job)
    except Exception as error:
        error.add_note(traceback.format_exc())
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # an exception with arguments of its own
            return RuntimeError(in_words(error))
        return error


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class StopRequest:
    """Notes Ctrl-C while the block runs, so that jobs that have started can end.

    Attributes
    ----------
    asked
        Whether Ctrl-C came.
    """

    def __init__(self) -> None:
        self.asked = False
        self._previous: signal._HANDLER = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        if not self.asked:
            NOTES.info("stopping: what has begun is finished first")
        self.asked = True


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Start processes that never receive Ctrl-C; this process receives it when the block ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    ensure_running()  # the first process would start it, and unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def check_workers(count: int) -> int:
    """Return `count` if so many processes can work, else raise InvalidValueError."""
    if not 1 <= count <= MAX_WORKERS:
        raise InvalidValueError(f"workers {count} is outside 1..{MAX_WORKERS}")
    return count
