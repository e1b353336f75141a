"""Workers do jobs in order, say when they die, and do not outlive their parent."""

import itertools
import os
import signal
import subprocess
import sys
import time

import pytest

from brickphys.errors import InvalidValueError, WorkerDiedError
from brickphys.workers import StopRequest, Workers


def slow_square(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return number * number


def die(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("count", [1, 2])
def test_results_come_in_the_order_of_the_jobs(count: int) -> None:
    with Workers(count) as workers:
        assert list(workers.map(slow_square, range(12))) == [i * i for i in range(12)]


def test_jobs_without_end_are_given_out_only_as_far_as_needed() -> None:
    given = []
    with Workers(2) as workers:
        results = workers.map(slow_square, (given.append(i) or i for i in itertools.count()))
        assert [next(results) for _ in range(3)] == [0, 1, 4]
        results.close()
    assert len(given) <= 3 + 4


def test_a_worker_that_dies_is_told() -> None:
    with Workers(2) as workers, pytest.raises(WorkerDiedError, match="one of 2 workers died"):
        list(workers.map(die, range(8)))


@pytest.mark.parametrize("count", [0, -1, 257])
def test_an_absurd_number_of_workers_is_refused(count: int) -> None:
    with pytest.raises(InvalidValueError, match=f"workers {count} "):
        Workers(count)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_end_when_their_parent_is_killed() -> None:
    code = (
        "import os, time\n"
        "from brickphys.workers import Workers\n"
        "if __name__ == '__main__':\n"
        "    with Workers(2) as workers:\n"
        "        results = workers.map(time.sleep, [0] + [60] * 5)\n"
        "        next(results)\n"
        "        print(*workers.process_ids(), flush=True)\n"
        "        next(results)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        workers = [int(word) for word in parent.stdout.readline().split()]
    assert len(workers) == 2
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))


def test_a_stop_request_notes_ctrl_c_and_puts_the_old_handler_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with StopRequest() as stop:
        assert not stop.asked
        signal.raise_signal(signal.SIGINT)
        assert stop.asked
    assert signal.getsignal(signal.SIGINT) == before
