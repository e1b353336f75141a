"""The table of a study on the terminal."""

import pytest

from brickphys.batch import runner
from tests.batch.batches import InProcess
from tests.command_line import brickphys

STUDY = """
kind = "battle"
seed = 1
repeats = 1
[fixed]
game = "pirate_wars"
bots = "random"
[grid]
draw = [
    { ships = ["imperial_flagship", "black_pearl", "renegade_runner"], windward = "first", apart = 60, rounds = 1 },
    { ships = ["imperial_flagship", "black_pearl", "renegade_runner"], windward = "first", apart = 90, rounds = 1 },
]
"""


@pytest.mark.slow
def test_results_stand_beside_long_names_of_draws(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    result = brickphys("batch", "run", "study.toml", "--workers", 1, "--out", "out", cwd=tmp_path)
    assert " wins" in result.stdout.splitlines()[2], result.stdout + result.stderr


LISTS = """
kind = "battle"
seed = 1
repeats = 1
[fixed]
game = "minifig"
bots = "random"
[grid]
draw = [
    { sides = [["soldier,axe*4"], ["soldier,axe*4", "soldier,axe", "soldier,bow,helmet"]], rounds = 1 },
    { sides = [["soldier,axe*4", "soldier,bow*2"], ["soldier,axe*4", "soldier,sword"]], rounds = 1 },
]
"""


def test_long_lists_are_folded_and_all_columns_fit_a_wide_terminal(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "local_executor", lambda *_: InProcess())
    (tmp_path / "study.toml").write_text(LISTS, encoding="utf-8")
    run = brickphys("batch", "run", "study.toml", "--out", "out", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "\\n" not in run.stdout
    assert "sides soldier,axe*4; soldier,axe*4" in run.stdout
    wide = brickphys("batch", "status", "out", cwd=tmp_path, env={"COLUMNS": "220"}).stdout
    assert "rounds" in wide.splitlines()[2]
    assert "no room" not in wide
