"""Processes that raise, exit, hang, die or eat memory cost their runs, and nobody else's."""

import itertools
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from batches import (
    DROP,
    PEBBLES,
    HereCrew,
    call,
    drawn,
    local,
    pebbles,
    run_here,
    spec,
    study_file,
    table_bytes,
    told,
)

from brickphys.batch.report.table import counts
from brickphys.batch.run.executor import LocalCrew
from brickphys.batch.run.runner import TRIAL, _Plan, run
from brickphys.batch.store.store import open_store, running_store
from brickphys.errors import InvalidValueError, WorkerStartError

SEEN = 12


def with_one(fault: str, limits) -> tuple[dict, int]:
    """Return a study in which exactly one run has a fault, beyond the trial, and which that is."""
    for seed in itertools.count():
        tables = pebbles(SEEN, limits, **{fault: 0.1}) | {"seed": seed}
        found = drawn(tables)
        if found.count(fault) == 1 and found.index(fault) > TRIAL:
            return tables, found.index(fault)
    raise AssertionError


def failures(store) -> dict[int, str]:
    return {row["run"]: row["error"] for row in store.rows().to_pylist() if row.get("error")}


@pytest.mark.parametrize(
    ("fault", "words", "limits"),
    [
        ("raises", "ZeroDivisionError: no pebble left", {}),
        ("exits", "SystemExit: 3", {}),
        ("dies", "its process died (killed, or no memory?)", {}),
        ("hangs", "took longer than 1 s", {"time_s": 1}),
        ("eats", "MemoryError: ", {"memory_mb": 1500}),
    ],
)
def test_a_run_that_fails_is_a_row_and_the_rest_goes_on(fault, words, limits, tmp_path):
    tables, bad = with_one(fault, limits)
    store = run_here(tmp_path / "batch", tables, local(tables), 0.005)
    assert failures(store) == {bad: words}
    assert (counts(store).done, counts(store).failed) == (SEEN - 1, 1)
    healthy = run_here(tmp_path / "healthy", pebbles(SEEN) | {"seed": tables["seed"]})
    expected = [row for row in healthy.rows().to_pylist() if row["run"] != bad]
    assert store.good_rows(0).drop_columns(["error"]).to_pylist() == expected


def test_a_process_that_dies_once_is_replaced(tmp_path):
    tables = pebbles(30, dies=0.1, marker=str(tmp_path / "marker"))
    store = run_here(tmp_path / "batch", tables, local(tables), 0.005)
    assert (tmp_path / "marker").exists()
    assert failures(store) == {}
    whole = run_here(tmp_path / "whole", tables, HereCrew())
    assert table_bytes(store) == table_bytes(whole)


def test_processes_killed_while_they_work_or_wait_change_nothing(tmp_path):
    tables = pebbles(80, wait_s=0.02)
    crew = local(tables, 2)
    counted = 0

    def kill(*_: int) -> None:
        nonlocal counted
        counted += 1
        if counted in (3, 6) and crew.process_ids:
            os.kill(crew.process_ids[counted % len(crew.process_ids)], signal.SIGKILL)

    with running_store(tmp_path / "batch", spec(tables)) as store, crew:
        assert run(store, crew, chunk_s=0.1, progress=kill)
    whole = run_here(tmp_path / "whole", tables | {"seed": 5}, HereCrew(), 0.5)
    assert counted > 6
    assert table_bytes(open_store(tmp_path / "batch")) == table_bytes(whole)


def test_a_crew_ends_its_processes_even_if_they_hang(tmp_path):
    tables = pebbles(4, hangs=1.0)
    crew = local(tables)
    with running_store(tmp_path / "batch", spec(tables)) as store, crew:
        plan = _Plan(store, 1.0)
        chunk = plan.next_chunk()
        assert chunk is not None
        crew.submit(plan.job(chunk))
        (process,) = crew.process_ids
        assert crew.results(0.1) == []
        start = time.monotonic()
    assert time.monotonic() - start < 60
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


UNGUARDED = """
import sys
from brickphys.batch.run.runner import run_study
from brickphys.batch.study.spec import find_spec
{first}
run_study(find_spec(sys.argv[1]), sys.argv[2], workers=2)
"""


@pytest.mark.parametrize("first", ["", "import multiprocessing as m; m.parent_process() and 1 / 0"])
def test_workers_that_never_come_up_stop_the_run_and_are_no_rows(first, tmp_path):
    study, folder, program = study_file(tmp_path, PEBBLES), tmp_path / "batch", tmp_path / "run.py"
    program.write_text(UNGUARDED.format(first=first))
    words = [sys.executable, str(program), str(study), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("brickphys.errors.WorkerStartError: worker processes end before they")
    assert 'the guard `if __name__ == "__main__":`' in last
    assert open_store(folder).ledger.total == 0
    assert counts(run_here(folder, PEBBLES)).failed == 0


def test_what_a_worker_cannot_make_ready_stops_the_run(tmp_path):
    with running_store(tmp_path / "batch", spec(PEBBLES)) as store, local(PEBBLES) as crew:
        plan = _Plan(store, 1.0)
        plan.job = lambda chunk: replace(_Plan.job(plan, chunk), kind="nonesuch")
        crew.submit(plan.job(plan.next_chunk()))
        with pytest.raises(
            WorkerStartError, match="a worker cannot begin: unknown kind 'nonesuch'"
        ):
            told(crew)


def test_a_worker_that_loads_for_ever_stops_the_run(monkeypatch, tmp_path):
    monkeypatch.setattr("brickphys.batch.run.executor._LOADING_S", 0.5)
    with running_store(tmp_path / "batch", spec(PEBBLES)) as store, local(PEBBLES) as crew:
        plan = _Plan(store, 1.0)
        crew.submit(plan.job(plan.next_chunk()))
        os.kill(crew.process_ids[0], signal.SIGSTOP)
        with pytest.raises(
            WorkerStartError, match=r"a worker has been loading for more than 0.5 s"
        ):
            told(crew)


LACKING = """
import sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name == "brickphys.engines.kernel_throw" and "brickphys.batch.run.runner" not in sys.modules:
            raise ImportError("it was left at home")

sys.meta_path.insert(0, Lacking())
"""


def test_what_workers_cannot_import_is_one_line_and_no_row(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(LACKING)
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    study, folder = study_file(tmp_path, DROP), tmp_path / "batch"
    words = ["run", study, "--out", folder, "--workers", 2]
    status, output, errors = call(*words, env={"PYTHONPATH": path})
    assert (status, output) == (2, "")
    assert errors.startswith("brickphys: a worker cannot begin: ")
    assert errors.endswith("(it was left at home)\n")
    assert errors.count("\n") == 1
    assert open_store(folder).ledger.total == 0


def test_a_process_killed_before_it_is_there_is_replaced(tmp_path):
    with running_store(tmp_path / "batch", spec(PEBBLES)) as store, local(PEBBLES) as crew:
        plan = _Plan(store, 1.0)
        job = plan.job(plan.next_chunk())
        crew.submit(job)
        os.kill(crew.process_ids[0], signal.SIGKILL)
        assert told(crew)[0][0] == job


SLOW_TO_LOAD = """
import sys, time

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "brickphys.engines.kernel_throw" and "brickphys.batch.run.executor" in sys.modules:
            time.sleep(1.5)

sys.meta_path.insert(0, Slow())
"""


def test_what_a_process_loads_is_no_time_of_a_run(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SLOW_TO_LOAD)
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    study = study_file(tmp_path, DROP | {"repeats": 32, "limits": {"time_s": 1}})
    words = ["run", study, "--out", tmp_path / "batch", "--workers", 1]
    status, output, errors = call(*words, env={"PYTHONPATH": path})
    assert (status, errors) == (0, "")
    assert "128 throws done, 0 failed" in output


def test_a_clock_that_jumps_changes_nothing(tmp_path, monkeypatch):
    ticks = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: 1e9 * (-1) ** next(ticks))
    store = run_here(tmp_path / "batch", PEBBLES, HereCrew(2), 0.003)
    monkeypatch.undo()
    assert table_bytes(store) == table_bytes(run_here(tmp_path / "whole", PEBBLES, HereCrew()))


def test_an_absurd_number_of_workers_is_refused():
    with pytest.raises(InvalidValueError, match="workers 0 "):
        LocalCrew(0, 10.0)
