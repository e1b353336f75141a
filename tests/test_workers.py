"""Workers do jobs in order, report those that fail, hang or die, and do not outlive their parent."""

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from brickphys import workers
from brickphys.errors import (
    InterruptedRunError,
    InvalidValueError,
    ShortOfMemoryError,
    WorkerDiedError,
    WorkerStartError,
)
from brickphys.workers import LocalExecutor
from tests.cases import few
from tests.process_group import PATIENCE_S, program_run


def until(condition: Callable[[], bool], executor: LocalExecutor | None = None) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "nothing happens"
        if executor is None:
            time.sleep(0.02)
        else:
            executor.wait(0.02)


def square(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return number * number


def die(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    if number == 3:
        raise InvalidValueError("three is too many")
    if number == 4:
        raise OwnArgumentsError(1, 2)
    if number == 5:
        _ = [bytearray(2**26) for _ in range(2**10)]
    return number


class OwnArgumentsError(Exception):
    """Cannot be made again from its arguments, as pickle does."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def announce(folder: Path) -> str:
    """Say that the job runs, and wait until it may end."""
    (folder / "runs").touch()
    until((folder / "end").exists)
    return "done"


def announce_loading(folder: Path) -> None:
    (folder / "loads").touch()
    until((folder / "run").exists)


def cannot_load(_: int) -> None:
    raise ModuleNotFoundError("it was left at home")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def clock(monkeypatch):
    """Return the clock of time limits, which only the test moves on."""
    made = SimpleNamespace(now=0.0)
    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


@pytest.mark.parametrize("count", [1, 2])
def test_results_come_in_the_order_of_the_jobs(count):
    with LocalExecutor(square, count) as executor:
        assert list(executor.map(range(12))) == [i * i for i in range(12)]
        assert len(executor.process_ids) == (0 if count == 1 else 2)


def test_jobs_without_end_start_only_as_far_as_needed_and_can_be_dropped():
    given = []
    with LocalExecutor(square, 2) as executor:
        results = executor.map(given.append(i) or i for i in itertools.count())
        assert [next(results) for _ in range(3)] == [0, 1, 4]
        results.close()
        assert len(given) <= 3 + 4
        assert list(executor.map([7, 7, 8])) == [49, 49, 64]


@pytest.mark.parametrize("count", few([1, 2]))
def test_after_a_stop_no_job_starts_and_those_that_have_started_end(count):
    asked = itertools.count()
    with LocalExecutor(square, count) as executor:
        found = list(executor.map(range(100), lambda: next(asked) >= 5))
    assert found == [0, 1, 4, 9, 16]


def test_a_worker_that_dies_is_an_error_of_its_job_and_is_replaced():
    words = r"its process died \(killed, or out of memory\?\)"
    with LocalExecutor(die, 2) as executor:
        with pytest.raises(WorkerDiedError, match=words):
            list(executor.map(range(8)))
        assert list(executor.map([4, 5, 6])) == [4, 5, 6]


def test_what_a_job_raises_is_its_result_with_the_traceback_of_the_worker():
    with LocalExecutor(fail, 1, memory_mb=1024) as executor:
        errors = []
        for number in (3, 4, 5):
            future = executor.submit(number)
            until(future.done, executor)
            errors.append(future.exception())
        assert [str(error) for error in errors] == [
            "three is too many",
            "OwnArgumentsError: 1 and 2",
            "",
        ]
        assert [type(error) for error in errors] == [InvalidValueError, RuntimeError, MemoryError]
        assert "in fail" in errors[0].__notes__[0]
        assert len(executor.process_ids) == 1


def test_a_job_that_takes_too_long_is_given_up_and_its_process_killed(clock, tmp_path):
    with LocalExecutor(announce, 1, time_s=100.0) as executor:
        future = executor.submit(tmp_path)
        until((tmp_path / "runs").exists, executor)
        clock.now = 99.0
        executor.wait(0.0)
        (process,) = executor.process_ids
        assert not future.done()
        assert executor.free == 0
        clock.now = 1e6
        until(future.done, executor)
        with pytest.raises(InterruptedRunError, match="took longer than 100 s"):
            future.result()
        assert not alive(process)
        assert executor.free == 1


@pytest.mark.slow
def test_to_load_is_no_time_of_a_job(clock, tmp_path):
    with LocalExecutor(announce, 1, prepare=announce_loading, time_s=100.0) as executor:
        future = executor.submit(tmp_path)
        until((tmp_path / "loads").exists, executor)
        clock.now = 200.0
        executor.wait(0.0)
        for name in ("run", "end"):
            (tmp_path / name).touch()
        until(future.done, executor)
        assert future.result() == "done"


def test_a_worker_that_loads_for_ever_is_an_error(clock, tmp_path):
    with LocalExecutor(announce, 1, prepare=announce_loading) as executor:
        executor.submit(tmp_path)
        clock.now = 301.0
        with pytest.raises(WorkerStartError, match="a worker has been loading for more than 300 s"):
            executor.wait(0.0)


def test_what_a_worker_cannot_load_is_an_error_of_no_job():
    with LocalExecutor(square, 1, prepare=cannot_load) as executor:
        future = executor.submit(1)
        words = "a worker cannot begin: ModuleNotFoundError: it was left at home"
        with pytest.raises(WorkerStartError, match=words):
            until(future.done, executor)


def no_memory(_: int) -> None:
    raise MemoryError


def no_library(_: int) -> None:
    raise ImportError("libllvm.so: failed to map segment from shared object")


@pytest.mark.parametrize("prepare", few([no_memory, no_library]))
def test_a_worker_too_short_of_memory_to_load_says_so(prepare):
    with LocalExecutor(square, 1, prepare=prepare, memory_mb=1024) as executor:
        future = executor.submit(1)
        words = "memory is short: a worker, limited to 1,024 MB, cannot begin"
        with pytest.raises(ShortOfMemoryError, match=words) as raised:
            until(future.done, executor)
        assert not isinstance(raised.value, InvalidValueError)


@pytest.mark.slow
def test_a_worker_too_short_of_memory_to_be_imported_says_so(tmp_path):
    done = program_run(
        tmp_path,
        "if __name__ == '__mp_main__': raise MemoryError\n"
        "from brickphys.workers import LocalExecutor\n"
        "if __name__ == '__main__': LocalExecutor(abs, 2).map([1, 2]).__next__()\n",
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("brickphys.errors.ShortOfMemoryError: memory is short: a worker cannot")


@pytest.mark.slow
def test_a_worker_too_short_of_memory_for_a_thread_says_so_in_one_line(tmp_path):
    done = program_run(
        tmp_path,
        "import threading\n"
        "from brickphys.errors import ShortOfMemoryError\n"
        "from brickphys.workers import LocalExecutor\n"
        'def no_thread(self): raise RuntimeError("can\'t start new thread")\n'
        "if __name__ == '__mp_main__': threading.Thread.start = no_thread\n"
        "if __name__ == '__main__':\n"
        "    with LocalExecutor(abs, 2) as executor:\n"
        "        try: next(executor.map([1, 2]))\n"
        "        except ShortOfMemoryError as error: print(error)\n",
    )
    told = "memory is short: a worker cannot begin: RuntimeError: can't start new thread\n"
    assert (done.stdout, done.stderr) == (told, "")


def test_sigterm_ends_no_worker(tmp_path):
    with LocalExecutor(announce, 1) as executor:
        future = executor.submit(tmp_path)
        until((tmp_path / "runs").exists, executor)
        os.kill(executor.process_ids[0], signal.SIGTERM)
        (tmp_path / "end").touch()
        until(future.done, executor)
        assert future.result() == "done"


@pytest.mark.slow
def test_a_process_killed_before_it_starts_is_replaced():
    with LocalExecutor(square, 1) as executor:
        future = executor.submit(9)
        os.kill(executor.process_ids[0], signal.SIGKILL)
        until(future.done, executor)
        assert future.result() == 81


def test_processes_that_are_always_killed_before_they_start_are_an_error():
    with LocalExecutor(square, 1) as executor:
        executor.submit(9)
        for _ in range(2):
            (process,) = executor.process_ids
            os.kill(process, signal.SIGKILL)
            until(lambda one=process: executor.process_ids != [one], executor)
        os.kill(executor.process_ids[0], signal.SIGKILL)
        words = r"are killed before they have begun \(signal 9\): is memory short\?"
        with pytest.raises(WorkerDiedError, match=words):
            executor.wait(PATIENCE_S)


@pytest.mark.slow
def test_an_idle_process_that_was_killed_is_replaced():
    with LocalExecutor(square, 1) as executor:
        until(executor.submit(2).done, executor)
        (process,) = executor.process_ids
        os.kill(process, signal.SIGKILL)
        future = executor.submit(3)
        until(future.done, executor)
        assert future.result() == 9
        assert executor.process_ids != [process]


def test_processes_end_with_the_block_even_if_they_hang(tmp_path):
    with LocalExecutor(announce, 1) as executor:
        executor.submit(tmp_path)
        until((tmp_path / "runs").exists, executor)
        (process,) = executor.process_ids
        assert alive(process)
    assert not alive(process)


@pytest.mark.parametrize("count", [0, -1, 257])
def test_an_absurd_number_of_workers_is_refused(count):
    with pytest.raises(InvalidValueError, match=f"workers {count} "):
        LocalExecutor(square, count)


UNGUARDED = """
from brickphys.workers import LocalExecutor
{first}
with LocalExecutor(abs, 2) as executor:
    print(list(executor.map([-1, -2])))
"""


@pytest.mark.parametrize(
    "first", few(["", "import multiprocessing as m; m.parent_process() and 1 / 0"])
)
def test_a_program_without_guard_is_told_of_it(first, tmp_path):
    done = program_run(tmp_path, UNGUARDED.format(first=first))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("Traceback") == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("brickphys.errors.WorkerStartError: worker processes end before they")
    assert ": :" not in last
    assert 'the guard `if __name__ == "__main__":`' in last


def test_workers_end_when_their_parent_is_killed():
    code = (
        "import os, time\n"
        "from brickphys.workers import LocalExecutor\n"
        "if __name__ == '__main__':\n"
        "    with LocalExecutor(time.sleep, 2) as executor:\n"
        "        results = executor.map([0] + [3600] * 5)\n"
        "        next(results)\n"
        "        print(*executor.process_ids, flush=True)\n"
        "        next(results)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        started = [int(word) for word in parent.stdout.readline().split()]
    assert len(started) == 2
    parent.kill()
    parent.wait()
    until(lambda: not any(map(alive, started)))


KILLED_AT_START = """
import os, signal
from multiprocessing import util
from multiprocessing.resource_tracker import ensure_running
from brickphys.workers import LocalExecutor
start = util.spawnv_passfds
def start_and_die(*words):
    start(*words)
    os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    ensure_running()
    util.spawnv_passfds = start_and_die
    LocalExecutor(abs, 1).submit(-1)
"""


@pytest.mark.slow
def test_a_worker_whose_parent_is_killed_while_it_starts_prints_nothing(tmp_path):
    done = program_run(tmp_path, KILLED_AT_START)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGKILL, "", "")
