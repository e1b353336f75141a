"""Signals: requests to stop, by signals or by who waits. SIGTERM, sent by a program, is treated as Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Self

from brickphys.errors import CancelledRunError
from brickphys.notes import NOTES

_REQUESTS = (signal.SIGINT, signal.SIGTERM)
_SAME_S = 1.0
"""Signals so soon after the first are one request: a program may reach a process alone and with its group."""
_LOOK_EVERY_S = 0.5
"""Time between two looks for signals while input is waited for."""
_SHELL = 128
"""What shells add to the number of a signal that ended a program."""
_came: list[int] = []
"""Numbers of the signals that came."""
_cancels: ContextVar[tuple[Callable[[], bool], ...]] = ContextVar("cancels", default=())
"""What tells whether the computation of this thread is still wanted."""


def exit_status() -> int:
    """Return the exit status of a program that a request to stop ended: 143 for SIGTERM, else 130 as for Ctrl-C."""
    return _SHELL + (_came[-1] if _came else signal.SIGINT)


def is_terminated() -> bool:
    """Return whether the last request to stop was SIGTERM."""
    return _came[-1:] == [signal.SIGTERM]


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """Raise KeyboardInterrupt for SIGTERM while the block runs, unless this program was started to ignore it."""
    _came.clear()
    if not _is_main_thread() or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(number: int, _frame: FrameType | None) -> None:
    _came.append(number)
    raise KeyboardInterrupt


@contextmanager
def heard_while_waiting() -> Iterator[None]:
    """Let signals end a wait for input in the block, even one that comes just before the wait begins.

    Python runs handlers between its own instructions or when a system call is interrupted. A signal that comes between
    the last instruction and the call does neither. So an alarm, which does nothing else, interrupts the call regularly.
    """
    if not _is_main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_EVERY_S, _LOOK_EVERY_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def cancelled_by(stopped: Callable[[], bool]) -> Iterator[None]:
    """Let long computations in the block end with CancelledRunError soon after `stopped` returns True."""
    token = _cancels.set((*_cancels.get(), stopped))
    try:
        check_cancelled()
        yield
    finally:
        _cancels.reset(token)


def check_cancelled() -> None:
    """Raise CancelledRunError if nobody wants the result any more; a long computation asks at each of its steps."""
    if any(stopped() for stopped in _cancels.get()):
        raise CancelledRunError("cancelled")


class StopRequest:
    """Notes Ctrl-C and SIGTERM while the block runs, so that jobs that have started can end.

    A second request, more than a second after the first, raises KeyboardInterrupt.

    Attributes
    ----------
    asked
        Whether a request came.
    """

    def __init__(self) -> None:
        self.asked = False
        self._since_s = 0.0
        self._previous: dict[int, signal._HANDLER] = {}

    def __enter__(self) -> Self:
        if _is_main_thread():
            self._previous = {each: signal.signal(each, self._note) for each in _REQUESTS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            if handler is not None:
                signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        _came.append(number)
        if not self.asked:
            self.asked, self._since_s = True, time.monotonic()
            NOTES.info("stopping: work in progress is finished first")
        elif time.monotonic() - self._since_s > _SAME_S:
            raise KeyboardInterrupt


@contextmanager
def without_ctrl_c(*others: signal.Signals) -> Iterator[None]:
    """Start processes that never receive Ctrl-C, nor `others`; this process receives them when the block ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # the first process would start it, and unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *others})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
