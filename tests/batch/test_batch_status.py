"""The table of a study on the terminal."""

import pytest
from command_line import brickphys

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
