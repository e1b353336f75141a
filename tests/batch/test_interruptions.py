"""Faults, for real: runners and workers killed, Ctrl-C, a full disk, two runners, a clock that jumps."""

import itertools
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brickphys.batch import plan, runner
from brickphys.batch.plan import TRIAL
from brickphys.batch.store import open_store
from tests.batch.batches import (
    PATIENCE_S,
    STOPPING,
    InProcess,
    drawn,
    kept,
    numbers,
    pebbles,
    run_here,
    start,
    study_file,
    table_bytes,
)
from tests.command_line import brickphys
from tests.process_group import has_ended

RUNS = 1500
SOME = 200
WAIT_S = 0.01


def undisturbed(folder: Path, runs: int = RUNS) -> bytes:
    """Return the table of a run without accidents; the games do not wait in it, which no row tells."""
    return table_bytes(run_here(folder, pebbles(runs), InProcess()))


def workers(runner: int) -> list[int]:
    """Return the processes that work for a runner."""
    try:
        found = Path(f"/proc/{runner}/task/{runner}/children").read_text().split()
        names = {pid: Path(f"/proc/{pid}/cmdline").read_text() for pid in found}
    except OSError:  # gone in between
        return []
    return [int(pid) for pid, name in names.items() if "spawn_main" in name]


def kill_and_go_on(study: Path, folder: Path, times: int, rng: random.Random) -> int:
    """Run a study to its end, and kill the runner or a worker at random moments; return how often it was killed."""
    killed = 0
    while True:
        process = start("run", study, "--out", folder, "--workers", 2)
        while killed < times:
            try:
                process.wait(timeout=rng.uniform(0.1, 4.0))
                break
            except subprocess.TimeoutExpired:
                victims = workers(process.pid)
                victim = rng.choice([process.pid, *victims])
                os.kill(victim, signal.SIGKILL)
                killed += 1
        output, errors = process.communicate(timeout=PATIENCE_S)
        assert has_ended(process.pid)
        if process.returncode == 0:
            assert errors == "", errors
            assert "done, 0 failed, 0 pending" in output
            return killed
        # on a busy machine, workers may be killed again and again before they have begun
        gave_up = process.returncode == 1 and "are killed before they have begun" in errors
        assert gave_up or process.returncode == -signal.SIGKILL, errors


@pytest.mark.slow
@pytest.mark.parametrize("times", [2, 20])
def test_killed_at_random_moments_it_comes_to_the_same(times: int, tmp_path: Path) -> None:
    study = study_file(tmp_path, pebbles(RUNS, wait_s=WAIT_S))
    expected = undisturbed(tmp_path / "whole")
    rng = random.Random(times)
    killed, round_ = 0, 0
    while killed < times:
        folder = tmp_path / f"batch{round_}"
        killed += kill_and_go_on(study, folder, times - killed, rng)
        assert table_bytes(open_store(folder)) == expected
        round_ += 1


def waiting(marker: Path) -> dict[str, Any]:
    """Return a study of which some runs, but none of the first, wait until a marker is there."""
    for seed in itertools.count():
        tables = pebbles(SOME, waits=0.1, marker=str(marker)) | {"seed": seed}
        found = drawn(tables)
        if TRIAL < found.index("waits") < SOME - 10:
            return tables
    raise AssertionError


@pytest.mark.slow
def test_a_runner_killed_while_it_runs_leaves_nothing_behind(tmp_path: Path) -> None:
    marker, folder = tmp_path / "marker", tmp_path / "batch"
    tables = waiting(marker)
    process = start("run", study_file(tmp_path, tables), "--out", folder, "--workers", 2)
    kept(folder, 1, process)
    process.kill()
    process.communicate()
    assert has_ended(process.pid)
    marker.touch()
    whole = run_here(tmp_path / "whole", tables)
    assert 0 < open_store(folder).ledger.total < SOME
    assert table_bytes(run_here(folder, tables)) == table_bytes(whole)


@pytest.mark.slow
def test_two_runners_a_look_from_outside_and_ctrl_c(tmp_path: Path) -> None:
    marker, folder = tmp_path / "marker", tmp_path / "batch"
    tables = waiting(marker)
    study = study_file(tmp_path, tables)
    first = start("run", study, "--out", folder, "--workers", 2, "--json")
    kept(folder, 1, first)
    second = brickphys("batch", "run", study, "--out", folder)
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr == f"brickphys: {folder}: is being run by another process\n"
    seen = json.loads(brickphys("batch", "status", folder, "--json").stdout)
    assert 0 < seen["done"] < SOME
    assert seen["done"] + seen["pending"] == SOME
    assert seen["rows"][0]["games"] == seen["done"]
    os.killpg(first.pid, signal.SIGINT)  # a terminal sends it to the whole group
    marker.touch()  # games that have begun are played to their end
    output, errors = first.communicate(timeout=PATIENCE_S)
    assert first.returncode == 130
    assert errors == f"{STOPPING}brickphys: interrupted: the same command continues {folder}\n"
    stopped = json.loads(output)
    assert seen["done"] <= stopped["done"] < SOME
    assert has_ended(first.pid)
    whole = run_here(tmp_path / "whole", tables)
    assert table_bytes(run_here(folder, tables)) == table_bytes(whole)


@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.2, 0.5, 0.8, 1.1, 1.4, 1.7, 2.0, 2.5, 3.0, 3.5])
def test_ctrl_c_at_any_moment_is_one_line(after_s: float, tmp_path: Path) -> None:
    study, folder = study_file(tmp_path, pebbles(RUNS, wait_s=WAIT_S)), tmp_path / "batch"
    process = start("run", study, "--out", folder, "--workers", 2)
    time.sleep(after_s)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert has_ended(process.pid)
    if process.returncode == -signal.SIGINT or "Traceback" in errors:  # before our first line
        assert not folder.exists()
        return
    assert process.returncode == 130
    errors = errors.strip().removeprefix(STOPPING)
    assert errors.startswith("brickphys: interrupted")
    assert errors.count("\n") == 0


@pytest.fixture
def small_disk(tmp_path):
    """Yield a folder on a disk of an eighth of a megabyte."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk; test_store.py refuses to write instead")
    disk = tmp_path / "disk"
    disk.mkdir()
    options = ["-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)]
    if subprocess.run(["mount", *options], check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here; test_store.py refuses to write instead")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_loses_nothing(
    small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "local_executor", lambda *_: InProcess())
    monkeypatch.setattr(plan, "_TOGETHER", 1)  # a shard a cell
    tables = pebbles(5) | {"grid": {"p": [number / 100 for number in range(50)]}}
    study, folder = study_file(tmp_path, tables), small_disk / "batch"
    words = ("batch", "run", study, "--out", folder, "--workers", 1)
    stopped = brickphys(*words)
    errors = stopped.stderr
    assert (stopped.returncode, stopped.stdout) == (1, "")
    assert errors.startswith(f"brickphys: {folder}: No space left on device: stopped after ")
    assert errors.endswith("; the same command continues\n")
    assert errors.count("\n") == 1
    kept = open_store(folder)
    assert 0 < kept.ledger.total < 250
    before = table_bytes(kept)
    again = brickphys(*words)
    assert (again.returncode, "No space left" in again.stderr) == (1, True)
    assert len(table_bytes(open_store(folder))) >= len(before)
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    done = json.loads(brickphys(*words, "--json").stdout)
    assert (done["done"], done["pending"]) == (250, 0)
    expected = table_bytes(run_here(tmp_path / "whole", tables, InProcess()))
    assert table_bytes(open_store(folder)) == expected


@pytest.fixture
def read_only(small_disk):
    """Yield what takes the right to write on the small disk away."""
    options = ["mount", "-o", "remount,ro", str(small_disk)]
    return lambda: subprocess.run(options, check=True)


@pytest.mark.parametrize("begun", ["nothing", "folder", "batch"])
def test_a_folder_that_cannot_be_written_is_one_line(
    begun: str, read_only: Callable[[], None], small_disk: Path, tmp_path: Path
) -> None:
    study, folder = study_file(tmp_path, pebbles(20)), small_disk / "batch"
    if begun == "folder":
        folder.mkdir()
    if begun == "batch":
        run_here(folder, pebbles(20), stop=1)
    read_only()
    refused = brickphys("batch", "run", study, "--out", folder, "--workers", 1)
    errors = refused.stderr
    assert (refused.returncode, refused.stdout) == (2, "")
    assert errors.startswith(f"brickphys: {folder}: ")
    assert errors.endswith(": Read-only file system\n")
    assert errors.count("\n") == 1
    if begun == "batch":
        assert 0 < json.loads(brickphys("batch", "status", folder, "--json").stdout)["done"] < 20


JUMPING = """
import itertools, time
_ticks = itertools.count()
time.time = lambda: 1e9 + 1e8 * (-1) ** next(_ticks) * (next(_ticks) % 7)
"""


@pytest.mark.slow
def test_a_clock_that_jumps_in_every_process_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(JUMPING)
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    study, folder = study_file(tmp_path, pebbles(200, wait_s=WAIT_S)), tmp_path / "batch"
    done = numbers("run", study, "--out", folder, "--workers", 2, env={"PYTHONPATH": path})
    assert done["done"] == 200
    assert table_bytes(open_store(folder)) == undisturbed(tmp_path / "whole", 200)
