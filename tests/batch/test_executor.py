"""Runs that raise, exit, die or use up memory in worker processes cost only themselves."""

import itertools
import os
import signal
import time

import pytest

from brickphys.batch.plan import TRIAL
from brickphys.batch.report.table import counts
from brickphys.batch.runner import run
from brickphys.batch.store import open_store, running_store
from tests.batch.batches import (
    DROP,
    PEBBLES,
    InProcess,
    call,
    drawn,
    local,
    pebbles,
    run_here,
    spec,
    study_file,
    table_bytes,
)

SEEN = 8


def with_one(fault: str, limits) -> tuple[dict, int]:
    """Return a study in which exactly one run has a fault, beyond the trial, and the number of that run."""
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
        pytest.param("exits", "SystemExit: 3", {}, marks=pytest.mark.slow),
        pytest.param(
            "dies", "its process died (killed, or out of memory?)", {}, marks=pytest.mark.slow
        ),
        pytest.param("eats", "MemoryError: ", {"memory_mb": 1500}, marks=pytest.mark.slow),
        # each of some ten attempts lasts as long as the limit, which no healthy run must reach
        pytest.param("hangs", "took longer than 8 s", {"time_s": 8}, marks=pytest.mark.slow),
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


@pytest.mark.slow
def test_a_process_that_dies_once_is_replaced(tmp_path):
    tables = pebbles(30, dies=0.1, marker=str(tmp_path / "marker"))
    store = run_here(tmp_path / "batch", tables, local(tables), 0.005)
    assert (tmp_path / "marker").exists()
    assert failures(store) == {}
    whole = run_here(tmp_path / "whole", tables, InProcess())
    assert table_bytes(store) == table_bytes(whole)


@pytest.mark.slow
def test_processes_killed_while_they_work_or_wait_change_nothing(tmp_path):
    tables = pebbles(80, wait_s=0.02)
    executor = local(tables, 2)
    counted = 0

    def kill(*_: int) -> None:
        nonlocal counted
        counted += 1
        if counted in (3, 6) and executor.process_ids:
            os.kill(executor.process_ids[counted % len(executor.process_ids)], signal.SIGKILL)

    with running_store(tmp_path / "batch", spec(tables)) as store, executor:
        assert run(store, executor, chunk_s=0.1, progress=kill)
    whole = run_here(tmp_path / "whole", tables | {"seed": 5}, InProcess(), 0.5)
    assert counted > 6
    assert table_bytes(open_store(tmp_path / "batch")) == table_bytes(whole)


LACKING = """
import sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name == "brickphys.engines.kernels.throw_kernel" and "brickphys.cli.main" not in sys.modules:
            raise ImportError("it was left at home")

sys.meta_path.insert(0, Lacking())
"""


@pytest.mark.slow
def test_what_workers_cannot_import_is_one_line_and_no_row(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(LACKING)
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    study, folder = study_file(tmp_path, DROP), tmp_path / "batch"
    words = ["run", study, "--out", folder, "--workers", 1]
    status, output, errors = call(*words, env={"PYTHONPATH": path, "NUMBA_OPT": "3"})
    assert (status, output) == (2, "")
    assert errors.startswith("brickphys: a worker cannot begin: ")
    assert errors.endswith("(it was left at home)\n")
    assert errors.count("\n") == 1
    assert open_store(folder).ledger.total == 0


def test_a_clock_that_jumps_changes_nothing(tmp_path, monkeypatch):
    ticks = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: 1e9 * (-1) ** next(ticks))
    store = run_here(tmp_path / "batch", PEBBLES, InProcess(2), 0.003)
    monkeypatch.undo()
    assert table_bytes(store) == table_bytes(run_here(tmp_path / "whole", PEBBLES, InProcess()))
