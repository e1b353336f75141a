"""What the server keeps for its pages is bounded, and read anew once the files have changed."""

import os
from dataclasses import replace

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")

from brickphys.batch.results import study
from brickphys.errors import BatchFolderError
from brickphys.view.app import study_page
from brickphys.view.app.battles import replay
from brickphys.view.app.study_page import StudyWatch

SPEC = """
kind = "collide"
seed = 4
repeats = 3
[grid]
layout = ["pair"]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "moves.toml").write_text(SPEC)
    study(tmp_path / "moves.toml", tmp_path / "moves", progress=False)
    return tmp_path / "moves"


def test_a_study_is_read_once_until_its_files_change(folder, monkeypatch):
    opened = []
    monkeypatch.setattr(
        study_page, "open_store", lambda place, keep=study_page.open_store: (opened.append(place), keep(place))[1]
    )  # fmt: skip
    watch = StudyWatch(folder)
    assert watch.now() is watch.now()
    assert opened == [folder]
    journal = folder / "journal.jsonl"
    os.utime(journal, ns=(1, 1))
    assert watch.now()[1].done == 3
    assert opened == [folder] * 2
    journal.unlink()
    (folder / "manifest.json").write_text("{}")
    for _ in range(2):  # what cannot be read is not kept
        with pytest.raises(BatchFolderError):
            watch.now()


def test_a_report_is_made_once_for_the_same_runs(folder):
    watch = StudyWatch(folder)
    store, counts = watch.now()
    assert watch.report is None
    assert watch.is_due(counts)
    watch.make_report(store, counts)
    assert "pair" in watch.report.table
    assert not watch.is_due(counts)
    assert not StudyWatch(folder).is_due(replace(counts, done=0, failed=0))


def test_only_some_studies_are_kept(tmp_path):
    study_page.study_watch.cache_clear()
    first = study_page.study_watch(tmp_path / "0")
    assert study_page.study_watch(tmp_path / "0") is first
    for number in range(20):
        study_page.study_watch(tmp_path / str(number))
    assert study_page.study_watch.cache_info().currsize == 4
    assert study_page.study_watch(tmp_path / "0") is not first
    study_page.study_watch.cache_clear()


def test_only_the_last_games_have_addresses_which_nobody_can_guess(monkeypatch):
    kept = {}
    monkeypatch.setattr(replay, "_played", kept)
    addresses = [replay.replay_address(number) for number in range(120)]
    assert len(set(addresses)) == 120
    assert min(len(address.removeprefix("/replay/")) for address in addresses) >= 20
    assert list(kept.values()) == list(range(70, 120))
    assert [f"/replay/{name}" for name in kept] == addresses[70:]
