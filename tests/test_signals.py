"""Ctrl-C and SIGTERM are one request to stop: noted while work ends, and a second one ends it at once."""

import logging
import os
import signal
import threading
import time
from types import SimpleNamespace

import psutil
import pytest

from brickphys import signals
from brickphys.errors import CancelledRunError
from brickphys.signals import (
    GRACE_S,
    GivenUpError,
    StopRequest,
    cancelled_by,
    check_cancelled,
    ended_by_signals,
    exit_status,
    heard_while_waiting,
    in_thread,
    is_late,
    is_terminated,
)
from tests.process_group import PATIENCE_S, started

BOTH = pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "sigterm"]
)


@pytest.fixture
def clock(monkeypatch):
    """The clock of requests, which only the test moves on."""
    made = SimpleNamespace(now=0.0)
    monkeypatch.setattr(signals, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


@BOTH
def test_a_request_is_noted_and_the_old_handlers_come_back(number, status, caplog):
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    with caplog.at_level(logging.INFO, "brickphys"), StopRequest() as stop:
        assert not stop.asked
        signal.raise_signal(number)
        assert stop.asked
    assert caplog.messages == ["stopping: work in progress is finished first"]
    assert exit_status() == status
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


@BOTH
def test_signals_in_the_same_second_are_one_request_and_a_later_one_ends_at_once(
    number, status, clock
):
    with StopRequest():
        signal.raise_signal(signal.SIGINT)
        clock.now = 0.9
        signal.raise_signal(number)
        clock.now = 1.1
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert exit_status() == status


def test_sigterm_raises_as_ctrl_c_does_unless_it_is_ignored():
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with pytest.raises(KeyboardInterrupt), ended_by_signals():
            signal.raise_signal(signal.SIGTERM)
        assert is_terminated()
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with ended_by_signals():
            signal.raise_signal(signal.SIGTERM)
        assert not is_terminated()
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_signal_that_interrupts_no_call_still_ends_a_wait_for_input():
    """A signal that another thread receives leaves the call alone, as does one that comes just before."""
    reading, writing = os.pipe()
    ended, late = threading.Event(), threading.Event()

    def send() -> None:
        time.sleep(0.2)  # the other one waits by then
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        if not ended.wait(PATIENCE_S):
            os.write(writing, b"x")  # the wait ends, though the signal was not heard
            late.set()

    def wait() -> None:
        with ended_by_signals(), heard_while_waiting():
            thread.start()
            os.read(reading, 1)

    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    thread = threading.Thread(target=send)
    try:
        with pytest.raises(KeyboardInterrupt):
            wait()
        assert not late.is_set()
    finally:
        ended.set()
        thread.join()
        signal.signal(signal.SIGTERM, before)
        os.close(reading)
        os.close(writing)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_computation_ends_once_somebody_around_it_wants_it_no_more():
    outer, inner = threading.Event(), threading.Event()
    with cancelled_by(outer.is_set), cancelled_by(inner.is_set):
        check_cancelled()
        for one in (outer, inner):
            one.set()
            with pytest.raises(CancelledRunError):
                check_cancelled()
            one.clear()
    outer.set()
    check_cancelled()
    with pytest.raises(CancelledRunError), cancelled_by(outer.is_set):
        pytest.fail("it has begun")


def test_work_in_progress_is_given_up_after_its_time(clock):
    assert not is_late()
    given_up = threading.Event()
    with StopRequest():
        assert not is_late()
        signal.raise_signal(signal.SIGINT)
        clock.now = GRACE_S
        assert not is_late()
        assert in_thread(lambda: 3) == 3
        clock.now = GRACE_S + 0.1
        assert is_late()
        with pytest.raises(GivenUpError):
            in_thread(lambda: given_up.wait(PATIENCE_S), given_up.set)
    assert given_up.is_set()
    assert not is_late()


def test_what_is_done_in_a_thread_returns_or_raises_as_it_does_itself():
    seen = threading.Event()
    with cancelled_by(seen.is_set):
        seen.set()
        with pytest.raises(CancelledRunError):  # the thread has the context of its caller
            in_thread(check_cancelled)
    with pytest.raises(ZeroDivisionError):
        in_thread(lambda: 1 // 0)


FORCED = """
import hashlib, os, signal, sys, time
from pathlib import Path
from brickphys.cli.main import cli, main
from brickphys.files import write_whole
from brickphys.signals import StopRequest

def stuck(*_):
    os.fsync = lambda _: work()  # in the middle of a file
    with {block}:
        write_whole(b"half", Path("law.json"))

def work():
    print("begun", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"x", b"y", 2**31 - 1)  # hours in C, which hears nothing

cli.get_command = stuck
main()
"""


@pytest.mark.parametrize(
    ("block", "number", "status"),
    [
        ("StopRequest()", signal.SIGTERM, 143),
        pytest.param("StopRequest()", signal.SIGINT, 130, marks=pytest.mark.slow),
        pytest.param("open(os.devnull)", signal.SIGTERM, 143, marks=pytest.mark.slow),
        pytest.param("open(os.devnull)", signal.SIGINT, 130, marks=pytest.mark.slow),
    ],
    ids=["step, SIGTERM", "step, Ctrl-C", "at once, SIGTERM", "at once, Ctrl-C"],
)
def test_a_call_of_c_that_hears_nothing_is_ended_by_force(block, number, status, tmp_path):
    program = FORCED.format(block=block)
    process = started("-c", program, "odds", "3", "2", cwd=tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    computing_s = psutil.Process(process.pid).cpu_times().user + 0.2
    while psutil.Process(process.pid).cpu_times().user < computing_s:  # it is in C
        time.sleep(0.05)
    process.send_signal(number)
    _, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == status, error
    assert error == f"brickphys: {'terminated' if status == 143 else 'interrupted'}\n"
    assert list(tmp_path.iterdir()) == []
