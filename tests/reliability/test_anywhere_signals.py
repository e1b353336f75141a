"""SIGTERM ends a command as Ctrl-C does: what has begun is finished or nothing of it is left; exit status 143."""

import atexit
import json
import os
import signal
import sys
import time
from types import SimpleNamespace

import pytest

from brickphys.cli.main import cli
from brickphys.cli.shared import terminal
from tests.command_line import brickphys
from tests.process_group import PATIENCE_S, has_ended, started

STUDY = """
kind = "drop"
title = "two surfaces"
seed = 1
repeats = 30000
[grid]
surface = ["wood", "glass"]
"""


def test_sigterm_is_one_line_and_status_143(monkeypatch):
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        monkeypatch.setattr(os, "_exit", sys.exit)
        monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: None)
        monkeypatch.setattr(cli, "get_command", lambda *_: signal.raise_signal(signal.SIGTERM))
        ended = brickphys("odds", 3, 2)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (ended.returncode, ended.stdout) == (143, "")
    assert ended.stderr == "brickphys: terminated\n"


class Typed:
    """A keyboard at which SIGTERM comes instead of a line."""

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        signal.raise_signal(signal.SIGTERM)
        return ""


def test_sigterm_while_a_person_thinks_keeps_the_game(tmp_path, monkeypatch):
    monkeypatch.setattr(terminal, "sys", SimpleNamespace(stdin=Typed(), stdout=sys.stdout))
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        words = "play pirate_wars duel --seed 1 --bots person --replay game.jsonl"
        ended = brickphys(*words.split(), cwd=tmp_path)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.returncode == 143
    assert ended.stderr.endswith("interrupted; what was played so far is in game.jsonl\n")
    assert brickphys("replay", tmp_path / "game.jsonl", "--json").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("to_group", [False, True], ids=["runner", "group"])
def test_sigterm_stops_a_study_which_goes_on_to_the_same_table(to_group, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    line = "batch run study.toml --out one --workers 2 --json"
    process = started("-m", "brickphys", *line.split(), cwd=tmp_path)
    journal = tmp_path / "one" / "journal.jsonl"
    end = time.monotonic() + PATIENCE_S
    while not (journal.exists() and journal.stat().st_size):
        assert time.monotonic() < end
        time.sleep(0.05)
    (os.killpg if to_group else os.kill)(process.pid, signal.SIGTERM)
    output, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 143, error
    assert error.splitlines()[-1] == "brickphys: interrupted: the same command continues one"
    assert has_ended(process.pid)
    assert json.loads(output)["done"] < 60_000
    tables = []
    for folder in ("one", "whole"):
        done = brickphys(
            *("batch", "run", "study.toml", "--out", folder, "--workers", 2, "--json"), cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        tables.append(json.loads(done.stdout)["rows"])
    assert tables[0] == tables[1]
