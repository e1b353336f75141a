"""`batch` on the command line: what it says, what it refuses, and how it ends."""

import json
import subprocess
import sys

import pytest
import tomli_w

from brickphys.batch import runner as dry_run
from brickphys.batch.chunk import Chunk, failed_result
from brickphys.batch.report.table import counts
from brickphys.batch.shard import shard_of
from brickphys.batch.store import JOURNAL, open_store, running_store
from brickphys.errors import InvalidValueError
from tests.batch.batches import (
    DROP,
    PEBBLES,
    InProcess,
    asked,
    batch,
    everything,
    pebbles,
    run_here,
    runs_of,
    spec,
    table_bytes,
    until,
)

pytestmark = pytest.mark.usefixtures("quick_disk")


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.toml"

    def write(tables):
        path.write_text(tomli_w.dumps(tables))
        return path

    return write


def numbers(*words, by=batch):
    return json.loads(by(*words, "--json").stdout)


@pytest.fixture
def short_trials(monkeypatch):
    """Let a dry run throw for a moment only."""
    monkeypatch.setattr(dry_run, "_SECONDS", 0.001)


def test_run_status_and_run_again_tell_the_same(study, tmp_path):
    path, folder = study(PEBBLES), tmp_path / "batch"
    first = numbers("run", path, "--out", folder, "--workers", 1, by=asked)
    assert first.pop("schema") == "brickphys.batch-run/1"
    status = numbers("status", folder)
    assert status.pop("schema") == "brickphys.batch-status/1"
    assert status == first
    assert (status["done"], status["failed"], status["pending"]) == (120, 0, 0)
    assert [row["bots"] for row in status["rows"]] == ["random", "greedy"]
    assert status["rows"][0]["games"] == 60
    low, high = status["rows"][0]["p_win_0_ci95"]
    assert low < status["rows"][0]["p_win_0"] < high
    again = numbers("run", path, "--out", folder, "--workers", 2, by=asked)
    assert again.pop("schema") == "brickphys.batch-run/1"
    assert again == first


def test_people_get_a_table(study, tmp_path):
    path, folder = study(PEBBLES), tmp_path / "batch"
    lines = batch("run", path, "--out", folder, "--workers", 1).stdout.splitlines()
    assert lines[0] == "A study of games: 120 games done, 0 failed, 0 pending, seed 5"
    assert lines[2].split()[:3] == ["bots", "games", "failed"]
    assert batch("status", folder).stdout.splitlines() == lines


def test_a_dry_run_does_nothing_but_tell(study, tmp_path, short_trials):
    path, folder = study(DROP | {"repeats": 50_000}), tmp_path / "batch"
    plan = numbers("run", path, "--out", folder, "--dry-run", "--workers", 2)
    assert plan.pop("schema") == "brickphys.batch-plan/1"
    seconds = plan.pop("estimated_seconds")
    low, high = plan.pop("estimated_range")
    assert low < seconds[0] < high
    assert plan == {
        "kind": "drop",
        "seed": 5,
        "cells": 4,
        "factors": ["surface", "height_mm"],
        "runs": [200_000, 200_000],
        "workers": 2,
    }
    assert seconds[0] == seconds[1] > 0
    text = batch("run", path, "--out", folder, "--dry-run", "--workers", 2).stdout
    assert "4 cells (surface x height_mm), 200,000 throws, seed 5\nabout " in text
    assert text.endswith(
        " with 2 workers, without their start, estimated from a trial of 4 of 4 cells\n"
    )
    assert not folder.exists()


def test_a_dry_run_of_until_tells_both_ends(study, tmp_path):
    tables = until(PEBBLES, column="p_win_0", half_width=0.01, first=100, at_most=5000)
    plan = numbers("run", study(tables), "--out", tmp_path / "b", "--dry-run", "--workers", 1)
    assert plan["runs"] == [200, 10_000]
    assert plan["estimated_seconds"][1] == pytest.approx(50 * plan["estimated_seconds"][0])


def test_a_study_without_seed_keeps_the_one_that_was_drawn(study, tmp_path):
    tables = pebbles(12)
    del tables["seed"]
    path, folder = study(tables), tmp_path / "batch"
    seed = numbers("run", path, "--out", folder, "--workers", 1)["seed"]
    assert numbers("run", path, "--out", folder, "--workers", 1)["seed"] == seed
    assert numbers("run", path, "--out", tmp_path / "other", "--workers", 1)["seed"] != seed
    with pytest.raises(InvalidValueError, match=f"seed is {seed + 1}, was {seed}"):
        batch("run", path, "--out", folder, "--seed", seed + 1)


def test_a_seed_on_the_command_line_goes_before_that_of_the_study(study, tmp_path):
    path = study(pebbles(12))
    assert numbers("run", path, "--out", tmp_path / "b", "--seed", 9, "--workers", 1)["seed"] == 9
    with pytest.raises(InvalidValueError, match="seed is 5, was 9"):
        batch("run", path, "--out", tmp_path / "b")


def test_ten_million_runs_must_be_meant(study, tmp_path, short_trials):
    path, folder = study(DROP | {"repeats": 2_500_001}), tmp_path / "batch"
    with pytest.raises(
        InvalidValueError, match=r"up to 10,000,004 runs, .* 10,000,000: --yes runs"
    ):
        batch("run", path, "--out", folder)
    assert not folder.exists()
    assert numbers("run", path, "--out", folder, "--yes", "--dry-run")["runs"][0] == 10_000_004
    assert "--yes runs them" in batch("run", path, "--dry-run").stderr
    assert "--yes" not in batch("run", path, "--yes", "--dry-run").stderr


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--workers", "0"], "workers 0 is outside"),
        (["--seed", "-1"], "seed: -1 should be"),
        (["--seed", str(2**53)], "seed: 9007199254740992 should be"),
    ],
)
def test_absurd_options_are_refused_before_anything_is_written(words, error, study, tmp_path):
    with pytest.raises(InvalidValueError, match=error):
        batch("run", study(PEBBLES), "--out", tmp_path / "batch", *words)
    assert not (tmp_path / "batch").exists()


def test_status_of_what_is_no_batch(tmp_path):
    with pytest.raises(InvalidValueError, match="holds no batch"):
        batch("status", tmp_path)


@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_a_damaged_shard_is_pending_for_status_and_mended_by_run(harm, study, tmp_path):
    path, folder = study(pebbles(20)), tmp_path / "batch"
    before = numbers("run", path, "--out", folder, "--workers", 1)
    shard = min((folder / "shards").iterdir())
    runs = int(shard.stem.rpartition("-")[2])
    shard.write_bytes(shard.read_bytes()[:-9]) if harm == "cut" else shard.unlink()
    kept = everything(folder)
    seen = batch("status", folder, "--json")
    told = json.loads(seen.stdout)
    assert (told["done"], told["failed"], told["pending"]) == (20 - runs, 0, runs)
    assert told["rows"][0]["games"] == 20 - runs
    what = {"cut": "damaged", "gone": "missing"}[harm]
    assert seen.stderr == f"a shard is {what}; batch run repeats its runs: {shard.name}\n"
    assert everything(folder) == kept
    result = batch("run", path, "--out", folder, "--workers", 1, "--json")
    assert json.loads(result.stdout) == before | {"schema": "brickphys.batch-run/1"}
    assert result.stderr == f"a shard is {what}; its runs are repeated: {shard.name}\n"


def in_shards(folder):
    """Do the games of `pebbles` in many shards; return how many there are."""
    return len(run_here(folder, pebbles(60), InProcess(2), 0.003).shards)


def test_many_lost_shards_are_counted_and_told_apart(study, tmp_path):
    path, folder = study(pebbles(60)), tmp_path / "batch"
    in_shards(folder)
    first, *others = sorted((folder / "shards").iterdir())
    first.write_bytes(b"")
    for shard in others:
        shard.unlink()
    lines = batch("status", folder).stderr.splitlines()
    assert lines[0].startswith(
        f"{len(others)} shards are missing; batch run repeats their runs: {others[0].name}, "
    )
    assert lines[1:] == [f"a shard is damaged; batch run repeats its runs: {first.name}"]
    run = batch("run", path, "--out", folder, "--workers", 1).stderr.splitlines()
    assert run[0].startswith(f"{len(others)} shards are missing; their runs are repeated: ")


@pytest.mark.parametrize("harm", ["emptied", "deleted"])
def test_shards_that_the_journal_does_not_know_are_told_of(harm, study, tmp_path):
    path, folder = study(pebbles(60)), tmp_path / "batch"
    shards = in_shards(folder)
    (folder / JOURNAL).unlink() if harm == "deleted" else (folder / JOURNAL).write_bytes(b"")
    kept = everything(folder)
    seen = batch("status", folder)
    assert "0 games done" in seen.stdout
    told = f"{shards} shards are not in the journal; "
    assert seen.stderr.startswith(f"{told}batch run repeats their runs: ")
    assert everything(folder) == kept
    again = batch("run", path, "--out", folder, "--workers", 1)
    assert again.stderr.startswith(f"{told}their runs are repeated: ")
    assert len(again.stderr.splitlines()) == 1
    assert batch("status", folder).stderr == ""


def test_a_report_tells_which_lines_of_the_journal_are_left_out(study, tmp_path):
    _, folder = study(pebbles(60)), tmp_path / "batch"
    in_shards(folder)
    lines = (folder / JOURNAL).read_text().splitlines(keepends=True)
    edited = lines[0].replace('"seconds": ', '"seconds": 1')
    assert edited != lines[0]
    (folder / JOURNAL).write_text("".join([edited, *lines[1:]]))
    told = "journal.jsonl: line 1"
    assert told in batch("report", folder).stderr
    assert told in batch("report", folder, "--sql", "select count(*) from rows").stderr
    page = (folder / "report" / "report.md").read_text()
    assert "**Left out are the games of the journal's line 1" in page


def shard_name(chunk: Chunk) -> str:
    return shard_of(failed_result(chunk, "why"), "").file


def test_shards_that_a_runner_is_just_writing_are_no_shard_problems(tmp_path):
    folder = tmp_path / "batch"
    with running_store(folder, spec(pebbles(60))):
        for chunk in (Chunk(0, 0, 4), Chunk(0, 4, 4)):
            (folder / "shards" / shard_name(chunk)).write_bytes(b"")
        assert batch("status", folder).stderr == ""
    assert "2 shards are not in the journal" in batch("status", folder).stderr


def test_what_a_runner_that_died_has_left_is_no_news(study, tmp_path):
    path, folder = study(pebbles(12)), tmp_path / "batch"
    with running_store(folder, spec(pebbles(12))):
        (folder / "shards" / shard_name(Chunk(0, 0, 4))).write_bytes(b"")
    assert batch("run", path, "--out", folder, "--workers", 1).stderr == ""


def test_a_dry_run_tells_what_is_left_and_changes_nothing(study, tmp_path):
    path, folder = study(pebbles(60)), tmp_path / "batch"
    store = run_here(folder, pebbles(60), InProcess(), 0.003, stop=2)
    before = everything(folder)
    words = ("run", path, "--out", folder, "--dry-run", "--workers", 1)
    pending = 60 - store.ledger.total
    assert 0 < pending < 60
    assert numbers(*words)["left"] == [pending, pending]
    assert f"seed 5\n{pending} games left to do\nabout " in batch(*words).stdout
    shard = min((folder / "shards").iterdir())
    shard.unlink()
    harmed = batch(*words)
    assert f"{pending + 4} games left" in harmed.stdout
    assert f"a shard is missing; batch run repeats its runs: {shard.name}" in harmed.stderr
    shard.write_bytes(before[shard])
    assert everything(folder) == before
    batch("run", path, "--out", folder, "--workers", 1)
    done = batch(*words).stdout
    assert done == "A study of games: 1 cell, 60 games, seed 5\n0 games left to do\n"
    assert numbers(*words)["estimated_seconds"] == [0, 0]


def test_a_dry_run_counts_failed_runs_that_shall_be_tried_again(study, tmp_path):
    def dies(job) -> bool:
        return 13 in runs_of(job)

    path, folder = study(pebbles(60)), tmp_path / "batch"
    store = run_here(folder, pebbles(60), InProcess(2, 0, dies), 0.003)
    (shard,) = (shard for shard in store.shards if shard.failed)
    words = ("run", path, "--out", folder, "--dry-run", "--workers", 1)
    assert numbers(*words)["left"] == [0, 0]
    assert numbers(*words, "--retry-failed")["left"] == [shard.runs] * 2


def test_a_dry_run_of_until_tells_what_may_be_left(study, tmp_path):
    tables = until(PEBBLES, column="p_win_0", half_width=0.01, first=100, at_most=5000)
    run_here(tmp_path / "b", tables, InProcess(), 0.003, stop=2)
    done = open_store(tmp_path / "b").ledger.total
    plan = numbers("run", study(tables), "--out", tmp_path / "b", "--dry-run", "--workers", 1)
    assert plan["left"] == [200 - done, 10_000 - done]


def refusal(*words):
    with pytest.raises(InvalidValueError) as found:
        batch(*words)
    return str(found.value)


def test_a_dry_run_refuses_what_the_run_would(study, tmp_path):
    path, folder, thesis = study(pebbles(12)), tmp_path / "batch", tmp_path / "thesis"
    thesis.mkdir()
    (thesis / "thesis.txt").write_text("x")
    (tmp_path / "file").write_text("x")
    with running_store(folder, spec(pebbles(12))):
        words = ("run", path, "--out", folder, "--workers", 1)
        assert refusal(*words, "--dry-run") == refusal(*words)
        assert "is being run by another process" in refusal(*words, "--dry-run")
    study(pebbles(13))
    kept = everything(tmp_path)
    for place, told in (
        (folder, "holds another study"),
        (thesis, "other files"),
        (path, "is a file"),
    ):
        words = ("run", path, "--out", place, "--workers", 1)
        assert told in refusal(*words, "--dry-run")
        assert everything(tmp_path) == kept
        assert refusal(*words, "--dry-run") == refusal(*words)


def test_why_runs_failed_is_told_with_what_to_do(study, tmp_path):
    path, folder = study(pebbles(60, raises=1.0)), tmp_path / "batch"
    run = batch("run", path, "--out", folder, "--workers", 1).stdout
    error = "ZeroDivisionError: no pebble left"
    given_up = f"given up: the first 4 runs failed: {error}"
    told = (
        f"60 runs failed:\n  56 times, first in run 4 of cell 0: {given_up}\n"
        f"  4 times, first in run 0 of cell 0: {error}\n"
    )
    assert f"\n{told}" in run
    assert "`batch run` with --retry-failed repeats them" in run
    assert batch("status", folder).stdout == run
    assert numbers("status", folder)["failures"] == [
        {"error": given_up, "count": 56, "cell": 0, "run": 4},
        {"error": error, "count": 4, "cell": 0, "run": 0},
    ]


def test_an_aim_that_was_not_reached_is_told(study, tmp_path):
    tables = until(PEBBLES, column="p_win_0", half_width=0.001, first=20, at_most=40)
    run = batch("run", study(tables), "--out", tmp_path / "b", "--workers", 1).stdout
    told = "not as narrow as ±0.001 in p_win_0 after 40 games: 2 of 2 cells, numbers 0, 1, counted"
    assert f"\n{told}" in run
    assert batch("status", tmp_path / "b").stdout == run
    assert "narrow" not in batch("run", study(PEBBLES), "--out", tmp_path / "c").stdout


def test_failed_runs_are_tried_again_when_asked(study, tmp_path):
    def dies(job) -> bool:
        return bool({13, 40} & runs_of(job))

    path, folder = study(pebbles(60)), tmp_path / "batch"
    first = run_here(folder, pebbles(60), InProcess(2, 0, dies), 0.003)
    assert (counts(first).done, counts(first).failed) == (58, 2)
    left = batch("run", path, "--out", folder, "--workers", 1, "--json")
    assert (json.loads(left.stdout)["failed"], left.stderr) == (2, "")
    mended = batch("run", path, "--out", folder, "--workers", 1, "--retry-failed", "--json")
    told = json.loads(mended.stdout)
    assert (told["done"], told["failed"], told["pending"]) == (60, 0, 0)
    assert mended.stderr == "2 failed runs to be tried again\n"
    whole = run_here(tmp_path / "whole", pebbles(60))
    assert table_bytes(open_store(folder)) == table_bytes(whole)
    lost = [line for line in (folder / JOURNAL).read_text().splitlines() if "lost" in line]
    assert len(lost) == 2
    assert all("its failed runs are tried again" in line for line in lost)
    again = batch("run", path, "--out", folder, "--workers", 1, "--retry-failed")
    assert again.stderr == "0 failed runs to be tried again\n"


def test_runs_that_fail_again_are_counted_once(study, tmp_path):
    path, folder = study(pebbles(60, raises=0.2)), tmp_path / "batch"
    first = numbers("run", path, "--out", folder, "--workers", 1)
    again = batch("run", path, "--out", folder, "--workers", 1, "--retry-failed", "--json")
    assert json.loads(again.stdout) == first
    assert open_store(folder).rows().num_rows == 60


@pytest.mark.parametrize("words", [[], ["run"], ["status"], ["studies"]])
def test_help_has_an_example(words):
    text = asked(*words, "--help").stdout
    assert "Example" in text
    assert "brickphys batch" in text


@pytest.mark.slow
def test_a_half_width_in_a_program_of_its_own(study, tmp_path):
    """What other tests have imported must not be what makes it work."""
    tables = until(DROP, column="p_side", half_width=0.05, first=100, at_most=800)
    words = ["batch", "run", str(study(tables)), "--out", str(tmp_path / "batch"), "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "brickphys", *words, "--json"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert all((row["ci95"][1] - row["ci95"][0]) / 2 <= 0.05 for row in rows)
    assert {row["throws"] for row in rows} == {400}
