"""Frozen: every command has a frozen call, every case is recorded, and a changed text is noticed by its case."""

import pytest

import brickphys
from benchmarks.frozen import record
from benchmarks.frozen.cases import blocks, cases
from benchmarks.frozen.contract import commands


def test_every_command_has_a_frozen_call():
    lines = [line for block in blocks().values() for line in block]
    names = [name for name, is_group in commands() if not is_group]
    assert [
        name for name in names if not any(f"{line} ".startswith(f"{name} ") for line in lines)
    ] == []


def test_every_case_is_recorded_and_no_other():
    assert sorted(record.read()) == sorted(cases())


@pytest.mark.parametrize("name", ["states/bow/duel/0", "commands/main"])
def test_what_is_frozen_is_what_the_sources_do(name, tmp_path, monkeypatch):
    monkeypatch.setattr(record, "OUT", tmp_path)
    assert record.judged(name, record.read()[name])[1] == []


def test_a_changed_refusal_is_noticed_and_shown_by_its_case(tmp_path, monkeypatch, capsys):
    name, bow = "states/bow/duel/0", type(brickphys.game("bow"))
    problems, before = bow.problems, record.texts_of(name)
    monkeypatch.setattr(record, "OUT", tmp_path)
    monkeypatch.setattr(record, "recorded_commit", lambda: "0" * 40)
    monkeypatch.setattr(record, "recorded_texts", lambda *_: {name: before})
    monkeypatch.setattr(
        bow, "problems", lambda *state: [text.replace("(BOW", "(BW") for text in problems(*state)]
    )
    _, parts, _ = record.judged(name, record.read()[name])
    record.show({name: parts})
    shown = capsys.readouterr().out
    assert f"=== {name}: {len(parts)} of {len(before)} texts" in shown
    assert "-refused " in shown
    assert "(BW 2" in shown
