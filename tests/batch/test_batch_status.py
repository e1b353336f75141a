"""The table of a study on the terminal."""

from command_line import brickphys

STUDY = """
kind = "battle"
seed = 1
repeats = 1
[fixed]
game = "minifig"
bots = "random"
[grid]
draw = [
    { sides = [["soldier,sword,helmet*1"], ["soldier,sword,helmet*1"]], apart = 7 },
    { sides = [["soldier,sword,helmet*1"], ["soldier,sword,helmet*1"]], apart = 12 },
]
"""


def test_results_stand_beside_long_names_of_draws(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    result = brickphys("batch", "run", "study.toml", "--out", "out", cwd=tmp_path)
    assert "p_win_0" in result.stdout.splitlines()[2], result.stdout + result.stderr
