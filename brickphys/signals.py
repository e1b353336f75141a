"""Signals: requests to stop, by signals or by who waits. SIGTERM, sent by a program, is treated as Ctrl-C.

Python runs a handler between its own instructions, so a long call of C delays it. A command ends all the same, within
three seconds: what may take long is done in a thread of its own (`in_thread`), and what is stuck in spite of that is
ended by force (`ended_by_signals`).
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from types import FrameType
from typing import Self, TypeVar

from brickphys.errors import CancelledRunError
from brickphys.files import remove_drafts
from brickphys.notes import NOTES

R = TypeVar("R")

_REQUESTS = (signal.SIGINT, signal.SIGTERM)
_SAME_S = 1.0
"""Signals so soon after the first are one request: a program may reach a process alone and with its group."""
_LOOK_EVERY_S = 0.5
"""Time between two looks for signals while input is waited for."""
GRACE_S = 1.5
"""Time that work in progress has to end; then it is given up."""
_FORCE_S = 1.5
"""Time after that in which a command ends by itself; then it is ended by force."""
_SHOWN_CURSOR = "\x1b[?25h"
_SHELL = 128
"""What shells add to the number of a signal that ended a program."""
_came: list[int] = []
_cancels: ContextVar[tuple[Callable[[], bool], ...]] = ContextVar("cancels", default=())
"""What tells whether the computation of this thread is still wanted."""


def exit_status() -> int:
    """Return the exit status of a program that a request to stop ended: 143 for SIGTERM, else 130 as for Ctrl-C."""
    return _SHELL + (_came[-1] if _came else signal.SIGINT)


def is_asked() -> bool:
    """Return whether a request to stop came."""
    return bool(_came)


def is_terminated() -> bool:
    """Return whether the last request to stop was SIGTERM."""
    return _came[-1:] == [signal.SIGTERM]


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the program while the block runs, whatever it does.

    Both raise KeyboardInterrupt; SIGTERM does not if this program was started to ignore it. If the program then goes
    on, it is ended by force: its processes are killed, and no unfinished file is left.
    """
    _came.clear()
    if not _is_main_thread():
        yield
        return
    with _watched():
        if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
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
def _watched() -> Iterator[None]:
    """Let a thread see each signal as it comes, though Python's handlers wait for a call of C."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    ended = threading.Event()
    threading.Thread(target=_watch, args=(reading, ended), daemon=True).start()
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(before)
        os.close(writing)


def _watch(reading: int, ended: threading.Event) -> None:
    """End the program by force if it still runs too long after a request to stop, and has not ended."""
    first_s = 0.0
    with open(reading, "rb", buffering=0) as numbers:
        while number := numbers.read(1):
            if number[0] not in _REQUESTS:
                continue
            now_s = time.monotonic()
            first_s = first_s or now_s
            is_patient = bool(_STOPS) and now_s - first_s <= _SAME_S
            wait = (number[0], ended, is_patient)
            threading.Thread(target=_end_if_stuck, args=wait, daemon=True).start()


def _end_if_stuck(number: int, ended: threading.Event, is_patient: bool) -> None:
    """End the program by force unless it ends; if it was patient, unless its work in progress has come to an end."""
    if not ended.wait(GRACE_S + _FORCE_S) and (_STOPS or not is_patient):
        _end_by_force(number)


def kill_processes() -> None:
    """Kill the processes of this program: a second signal may come while the first one lets them end."""
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for child in active_children():
            child.kill()


def _end_by_force(number: int) -> None:
    with suppress(Exception):
        kill_processes()
        remove_drafts()
        told = "terminated" if number == signal.SIGTERM else "interrupted"
        cursor = _SHOWN_CURSOR if sys.stderr.isatty() else ""  # a bar hides it
        os.write(sys.stderr.fileno(), f"{cursor}brickphys: {told}\n".encode())
    os._exit(_SHELL + number)


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


_STOPS: list["StopRequest"] = []
"""Those whose block runs."""


def is_late() -> bool:
    """Return whether work in progress has had `GRACE_S` to end, and is to be given up."""
    return any(one.asked and time.monotonic() - one.since_s > GRACE_S for one in _STOPS)


class GivenUpError(CancelledRunError):
    """Work in progress took longer than `GRACE_S` after a request to stop."""


def in_thread(call: Callable[[], R], interrupt: Callable[[], object] = lambda: None) -> R:
    """Return what a call returns that is done in a thread of its own, while this one hears signals.

    GivenUpError if it is given up, see `is_late`; the thread goes on until the call or the program ends. The call may
    be a long one of C; `interrupt` is called if it is given up.
    """
    found: Future[R] = Future()
    context = copy_context()

    def work() -> None:
        try:
            found.set_result(context.run(call))
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        while not wait([found], _LOOK_EVERY_S).done:
            if is_late():
                raise GivenUpError("interrupted")
    except BaseException:
        interrupt()
        raise
    return found.result()


class StopRequest:
    """Notes Ctrl-C and SIGTERM while the block runs, so that jobs that have started can end within `GRACE_S`.

    A second request, more than a second after the first, raises KeyboardInterrupt.

    Attributes
    ----------
    asked
        Whether a request came.
    since_s
        When the first one came, by the monotonic clock.
    """

    def __init__(self) -> None:
        self.asked = False
        self.since_s = 0.0
        self._previous: dict[int, signal._HANDLER] = {}

    def __enter__(self) -> Self:
        if _is_main_thread():
            self._previous = {each: signal.signal(each, self._note) for each in _REQUESTS}
            _STOPS.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self in _STOPS:
            _STOPS.remove(self)
        for number, handler in self._previous.items():
            if handler is not None:
                signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        _came.append(number)
        if not self.asked:
            self.asked, self.since_s = True, time.monotonic()
            NOTES.info("stopping: work in progress is finished first")
        elif time.monotonic() - self.since_s > _SAME_S:
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
