"""The page of a study: its progress and its report so far, what it cannot read, and a run shown again."""

from functools import partial

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.batch.results import study
from brickphys.batch.store import open_store
from brickphys.errors import BatchFolderError, InvalidValueError
from brickphys.view.app.study_page import study_page
from brickphys.view.study_run import row_recording
from tests.batch.batches import InProcess, in_process
from tests.view.visits import tells, visited

SPEC = """
kind = "collide"
title = "Moves <b>at random</b>"
seed = 4
repeats = 6
[grid]
layout = ["pair", "clutter"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("studies")
    (place / "moves.toml").write_text(SPEC)
    with in_process(lambda *_: InProcess()):
        study(place / "moves.toml", place / "moves", progress=False)
    return place / "moves"


def contents(visit):
    return "".join(visit.html())


@pytest.mark.slow
def test_a_finished_study_is_told_with_its_table_and_plots(folder):
    async def check(visit):
        await visit.until(lambda: "<img" in contents(visit))
        await tells(visit.user, "12 scenes done.")
        assert '<th scope="col">layout</th>' in contents(visit)
        assert "pair</td>" in contents(visit)
        assert visit.one(ui.linear_progress).value == 1.0

    visited(partial(study_page, folder), check)


@pytest.mark.slow
def test_a_run_is_shown_and_one_that_is_not_there_is_told(folder):
    async def check(visit):
        visit.one(ui.number, "Run, from 0").value = 99
        visit.click("Show this run")
        await tells(visit.user, "Run, from 0: 99 is outside 0 to 5")
        visit.one(ui.number, "Run, from 0").value = 3
        visit.click("Show this run")
        await visit.until(lambda: visit.shown)

    visited(partial(study_page, folder), check)


def test_a_study_grows_while_it_is_looked_at(folder, tmp_path):
    """Only the journal counts: a page that was opened before sees what is added to it."""
    growing = tmp_path / "growing"
    growing.mkdir()
    for path in folder.iterdir():
        (growing / path.name).symlink_to(path)
    (growing / "journal.jsonl").unlink()
    lines = (folder / "journal.jsonl").read_text().splitlines(keepends=True)
    (growing / "journal.jsonl").write_text("")

    async def check(visit):
        await tells(visit.user, "0 scenes done, 12 to do")
        (growing / "journal.jsonl").write_text("".join(lines))
        await tells(visit.user, "12 scenes done.")

    visited(partial(study_page, growing), check)


@pytest.mark.slow
def test_a_folder_that_is_damaged_while_it_is_looked_at_is_told(folder, tmp_path):
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    for path in folder.iterdir():
        (damaged / path.name).symlink_to(path)

    async def check(visit):
        await tells(visit.user, "12 scenes done.")
        (damaged / "manifest.json").unlink()
        await tells(visit.user, "holds no batch")

    visited(partial(study_page, damaged), check)


@pytest.mark.parametrize(("cell", "run"), [(2, 0), (-1, 0), (0, 6), (0, -1)])
def test_a_run_that_is_not_there_is_refused(folder, cell, run):
    with pytest.raises(InvalidValueError, match=r"there is no (cell|run)"):
        row_recording(open_store(folder), cell, run)


def test_the_run_is_that_of_its_row(folder):
    store = open_store(folder)
    for run, row in enumerate(store.rows(0).to_pylist()):
        recording = row_recording(store, 0, run)
        assert f"{row['travelled']:.1f} studs" in recording.about or not row["stopped"]


def test_a_run_that_comes_out_otherwise_is_not_shown(folder, monkeypatch):
    store = open_store(folder)
    (row,) = store.spec.work(0).rows(0, 1).to_pylist()
    changed = {**row, "travelled": row["travelled"] + 1.0}
    monkeypatch.setitem(row_recording.__globals__, "finished_row", lambda *_: changed)
    with pytest.raises(BatchFolderError, match="has a different result here, in 1 column"):
        row_recording(store, 0, 0)
