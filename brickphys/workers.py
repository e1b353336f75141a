"""Workers: processes on this machine that do jobs until their pipe closes."""

import itertools
import logging
import math
import os
import pickle
import re
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, Generic, Protocol, Self, TypeVar

from brickphys.errors import (
    InterruptedRunError,
    InvalidValueError,
    ShortOfMemoryError,
    WorkerDiedError,
    WorkerStartError,
    in_words,
    is_short_of_memory,
)
from brickphys.notes import NOTES, show_notes
from brickphys.signals import GivenUpError, in_thread, is_asked, is_late, without_ctrl_c

J = TypeVar("J")
R = TypeVar("R")

NO_MEMORY = 12
"""Exit status of a process that has too little memory to say so."""
_MEGABYTE = 2**20
_STDERR = 2
_ERROR = re.compile(r"[\w.]*(Error|Exception)\b")
_LONGEST = 2**16
"""Bytes of standard error that are read."""
_STARTING = threading.Lock()


class WorkerProcess:
    """A process that does jobs, and the pipe to it; no other process has its other end, so it closes with the process.

    Each job has two answers: when it starts, and when it ends.
    """

    def __init__(
        self,
        prepare: Callable[[J], object] | None,
        run: Callable[[J], R],
        memory_mb: int | None,
        notes: bool,
    ) -> None:
        context = get_context("spawn")
        self.pipe, theirs = Pipe()
        with without_ctrl_c(signal.SIGTERM), _stderr_heard() as (self._heard, stderr):
            arguments = (theirs, stderr, prepare, run, memory_mb, notes)
            self.process = context.Process(target=_serve, args=arguments)
            self.process.start()
        theirs.close()

    def end(self, *, at_once: bool) -> None:
        """Close the pipe, and wait for the end of the process; or kill it."""
        if at_once:
            self.process.kill()
        self.pipe.close()
        self.process.join()
        if self._heard is not None:
            self._heard.close()

    def last_error(self) -> str:
        """Return the error that ended the process before its first job; empty if it told none."""
        if self._heard is None:
            return ""
        os.set_blocking(self._heard.fileno(), False)
        with suppress(OSError):
            text = os.read(self._heard.fileno(), _LONGEST).decode(errors="replace")
            errors = [line for line in text.splitlines() if _ERROR.match(line)]
            return errors[-1].rstrip(": ") if errors else ""
        return ""


@contextmanager
def _stderr_heard() -> Iterator[tuple[Connection | None, Connection | None]]:
    """Give a process that starts in this block a pipe as standard error; yield its other end, and our standard error.

    The process takes ours once it is ready for jobs. So an error of its start, which may be that this process was
    killed in the middle of it, is not printed by Python.
    """
    try:
        ours = os.dup(_STDERR) if os.name != "nt" else None
    except OSError:  # it is closed
        ours = None
    if ours is None:
        yield None, None
        return
    heard, theirs = Pipe(duplex=False)
    with theirs, Connection(ours, readable=False) as stderr, _STARTING:
        os.dup2(theirs.fileno(), _STDERR)
        try:
            yield heard, stderr
        finally:
            os.dup2(ours, _STDERR)


def _serve(
    pipe: Connection,
    stderr: Connection | None,
    prepare: Callable[[J], object] | None,
    run: Callable[[J], R],
    memory_mb: int | None,
    notes: bool,
) -> None:
    """Do the jobs that come through a pipe until it closes; this is a worker process."""
    if notes:
        show_notes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if memory_mb is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * _MEGABYTE,) * 2)
    if stderr is not None:
        os.dup2(stderr.fileno(), _STDERR)
        stderr.close()
    with suppress(EOFError, OSError):
        try:
            while True:
                job = pipe.recv()
                loaded = attempt(prepare, job) if prepare else None
                pipe.send(loaded if isinstance(loaded, Exception) else None)
                pipe.send(attempt(run, job))
        except MemoryError:  # for a job, or for its result
            os._exit(NO_MEMORY)


def attempt(function: Callable[[J], R], job: J) -> R | Exception:
    """Return what a function returns or raises, with the traceback as a note; an error that can be sent.

    Whatever was raised for lack of memory is a MemoryError.
    """
    try:
        return function(job)
    except Exception as error:
        if is_short_of_memory(error):
            return error if type(error) is MemoryError else MemoryError(in_words(error))
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
_NO_ANSWER = object()
"""Instead of an answer, if the process has died."""
_POLL_S = 0.2
_AHEAD = 2
"""Jobs for each worker that `LocalExecutor.map` starts before their results are asked for."""


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

        WorkerStartError if processes cannot start, or cannot load what their job needs: no job is to blame.
        """
        ...


class LocalExecutor(Generic[J, R]):
    """An executor with processes of this machine; a process that dies is replaced.

    InvalidValueError if `workers` is not 1 to 256.

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
        started = [worker.process.process.pid for worker in self._processes.values()]
        return [number for number in started if number]

    def submit(self, job: J) -> Future[R]:
        """Send a job to an idle process or to a new one; `wait` completes its future."""
        future: Future[R] = Future()
        self._start(job, future)
        return future

    def wait(self, timeout_s: float) -> None:
        """Wait until a job ends, at most `timeout_s`; complete the futures of jobs that have ended.

        WorkerStartError if processes end before they start, cannot prepare a job, or take too long for it.
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

        WorkerDiedError if a process ended before its job was done.

        Parameters
        ----------
        jobs
            May be without end; close the generator to drop the jobs that were started ahead.
        stopped
            Asked before each job starts; once it is true, no more jobs start. What then takes longer than
            `brickphys.signals.GRACE_S` is given up.
        """
        source = itertools.takewhile(lambda _: not stopped(), jobs)
        if self.workers == 1:
            with suppress(GivenUpError):
                for job in source:
                    yield in_thread(partial(self._run, job))
            return
        pending: deque[Future[R]] = deque()
        while True:
            room = min(self.free, self.workers * _AHEAD - len(pending))
            pending.extend(map(self.submit, itertools.islice(source, room)))
            if pending and pending[0].done():
                yield pending.popleft().result()
            elif is_late():
                return
            elif pending or not room:  # jobs of an earlier call may still be running
                self.wait(_POLL_S)
            else:
                return

    def _start(self, job: J, future: Future[R]) -> None:
        for worker in [one for one in self._processes.values() if not one.is_busy]:
            if worker.process.process.is_alive():
                worker.send(job, future)
                return
            self._end(worker)
        # all do the same: one tells
        notes = not self._processes and NOTES.isEnabledFor(logging.INFO)
        process = WorkerProcess(self._prepare, self._run, self._memory_mb, notes)
        self._processes[process.pipe] = _Worker(process, job, future)

    def _receive(self, worker: "_Worker[J, R]") -> None:
        """Read an answer: of `prepare`, or of `run`."""
        answer: Any = _NO_ANSWER
        with suppress(EOFError, OSError):
            answer = worker.process.pipe.recv()
        if answer is _NO_ANSWER:
            self._replace(worker)
            return
        if not worker.started and isinstance(answer, MemoryError):
            raise self._short_of_memory(str(answer))
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
        worker.process.process.join(_SHUTDOWN_TIMEOUT_S)
        status, error = worker.process.process.exitcode or 0, worker.process.last_error()
        self._end(worker)
        if not worker.is_busy:
            return
        if worker.started:
            worker.future.set_exception(
                WorkerDiedError("its process died (killed, or out of memory?)")
            )
            return
        self._failed_starts += 1
        if status == NO_MEMORY or is_short_of_memory(ImportError(error)):
            raise self._short_of_memory(error)
        if status > 0:
            told = f": {error}" if error else ""
            raise WorkerStartError(
                f"worker processes end before they have begun: {GUARD} (exit status {status}{told})"
            )
        # a status below 0 is a signal: to be killed says nothing of the next process
        if self._failed_starts >= _MAX_STARTS:
            raise WorkerDiedError(
                f"worker processes are killed before they have begun (signal {-status}): is memory short?"
            )
        self._start(worker.job, worker.future)

    def _short_of_memory(self, error: str) -> ShortOfMemoryError:
        limit = f", limited to {self._memory_mb:,} MB," if self._memory_mb else ""
        told = f": {error}" if error else ""
        return ShortOfMemoryError(f"memory is short: a worker{limit} cannot begin{told}")

    def _end(self, worker: "_Worker[J, R]") -> None:
        del self._processes[worker.process.pipe]
        worker.process.end(at_once=worker.is_busy or is_asked())  # to end by itself takes a while


class _Worker(Generic[J, R]):
    """A process and its job."""

    def __init__(self, process: WorkerProcess, job: J, future: Future[R]) -> None:
        self.process = process
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
            self.process.pipe.send(job)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(count: int) -> int:
    """Return `count` if so many processes can work, else raise InvalidValueError."""
    if not 1 <= count <= MAX_WORKERS:
        raise InvalidValueError(f"workers {count} is outside 1..{MAX_WORKERS}")
    return count
