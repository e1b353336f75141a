"""Workers: processes that do jobs and hand the results back in order."""

import itertools
import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.resource_tracker import ensure_running
from types import FrameType
from typing import Self, TypeVar

from brickphys.errors import InvalidValueError, WorkerDiedError
from brickphys.notes import NOTES, show_notes

J = TypeVar("J")
R = TypeVar("R")

MAX_WORKERS = 256
_AHEAD = 2
"""Jobs that are given out for each worker before they are asked for."""


class Workers:
    """So many processes, while the block runs; one worker is this process itself.

    Ctrl-C is left to this process; see `StopRequest`.

    Parameters
    ----------
    count
        How many processes work.
    stopped
        Is asked before each job is given out; once it says yes, jobs that have not begun are dropped.

    Raises
    ------
    InvalidValueError
        If `count` is not 1 to 256.
    """

    def __init__(self, count: int, stopped: Callable[[], bool] = lambda: False) -> None:
        self.count, self._stopped = check_workers(count), stopped
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if self.count > 1:
            self._pool = ProcessPoolExecutor(
                self.count,
                mp_context=get_context("spawn"),
                initializer=serve,
                initargs=(NOTES.isEnabledFor(logging.INFO),),
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def process_ids(self) -> list[int]:
        """Return the numbers of the processes that have been started."""
        return [] if self._pool is None else list(self._pool._processes)

    def map(self, work: Callable[[J], R], jobs: Iterable[J]) -> Generator[R, None, None]:
        """Yield ``work(job)`` of each job in the order of the jobs, which may be without end.

        Close the generator to drop the jobs that were given out ahead.

        Raises
        ------
        WorkerDiedError
            If a process ended before its job was done.
        """
        if self._pool is None:
            for job in jobs:
                if self._stopped():
                    return
                yield work(job)
            return
        pending: deque[Future[R]] = deque()
        source = iter(jobs)
        try:
            while True:
                if self._stopped():
                    # in order: jobs begin in the order in which they were given out
                    pending = deque(future for future in pending if not future.cancel())
                    source = iter(())
                for job in itertools.islice(source, self.count * _AHEAD - len(pending)):
                    with without_ctrl_c():
                        pending.append(self._pool.submit(work, job))
                if not pending:
                    return
                yield pending.popleft().result()
        except BrokenProcessPool as error:
            raise WorkerDiedError(
                f"one of {self.count} workers died (killed, or out of memory?)"
            ) from error
        finally:
            for future in pending:
                future.cancel()


class StopRequest:
    """Notes Ctrl-C while the block runs, instead of breaking off what is in the air.

    Attributes
    ----------
    asked
        Whether Ctrl-C came; from then on it is only noted.
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
        self.asked = True


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Start processes that never hear of Ctrl-C, not even before `serve`; ours waits until the block ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    ensure_running()  # the first process would start it, and let Ctrl-C through again
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


def serve(noting: bool = False) -> None:
    """Leave Ctrl-C to the parent, and end with it: a pool does not notice that its parent was killed.

    Where the parent shows notes, the first of its workers does: all of them do the same things.
    """
    if noting and current_process().name.endswith("-1"):
        show_notes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
