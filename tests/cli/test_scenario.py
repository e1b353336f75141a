"""The command `scenario`, as programs and people meet it."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from brickphys.bow.scenario import SCENARIOS
from tests.command_line import assert_refused, brickphys

BAD = """
title = "Two on one stud"
players = [{ name = "red" }, { name = "blue" }]
map = '''
R....B
'''
[legend]
R = { unit = "troper", player = "red" }
B = { unit = "archer", player = "blu" }
"""


def run(*words: str, cwd: Path | None = None) -> CompletedProcess[str]:
    return command("scenario", "bow", *words, cwd=cwd)


def command(*words: str, cwd: Path | None = None) -> CompletedProcess[str]:
    return brickphys(*words, cwd=cwd)


def test_without_a_name_all_are_listed():
    lines = run().stdout.splitlines()
    assert [line.split(":")[0] for line in lines[2:]] == list(SCENARIOS)
    assert list(json.loads(run("--json").stdout)["scenarios"]) == list(SCENARIOS)


def test_one_is_told_with_its_map_armies_and_aims():
    told = run("rocket").stdout
    assert told.startswith("The rocket launcher and the jeep\n")
    for part in ("% vehicle", "r launcher: rocketeer", "cost points", "After 10 rounds"):
        assert part.lower() in told.lower()


def test_a_document_and_a_picture(tmp_path):
    result = run("duel", "--json", "--plot", "map.png", "--seed", "1", cwd=tmp_path)
    answer = json.loads(result.stdout)
    assert answer["schema"] == "brickphys.scenario/1"
    assert [army["cost_points"] for army in answer["armies"]] == [12, 12]
    assert answer["setup"]["field"]["width"] == 12
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def limited(points: int) -> str:
    named = BAD.replace("troper", "trooper").replace('"blu"', '"blue"')
    return named.replace("map =", f"limit_points = {points}\nmap =")


def test_a_limit_of_cost_points_is_told_and_an_army_over_it_refused(tmp_path):
    """BOW 1.4.3: a trooper costs 12 points, an archer 22."""
    (tmp_path / "fair.toml").write_text(limited(22))
    assert "An army may cost 22 points at most." in run("fair.toml", cwd=tmp_path).stdout
    document = json.loads(run("fair.toml", "--json", cwd=tmp_path).stdout)
    assert document["limit_points"] == document["setup"]["limit_points"] == 22
    (tmp_path / "unfair.toml").write_text(limited(21))
    result = run("unfair.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == (
        "brickphys: unfair.toml: limit_points: blue has 22 cost points, 1 above the limit of 21 (BOW 1.4.3)\n"
    )
    assert json.loads(run("duel", "--json").stdout)["limit_points"] is None


def test_a_name_that_ships_goes_before_a_file_of_that_name_everywhere(tmp_path):
    (tmp_path / "duel").write_text(BAD)
    for words in (
        ["scenario", "bow", "duel"],
        ["play", "bow", "duel", "--seed", "1", "--max-steps", "4"],
    ):
        result = command(*words, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        assert "duel: the shipped one is used; the file of that name is ./duel" in result.stderr
    for words in (["scenario", "bow", "./duel"], ["play", "bow", "./duel"]):
        result = command(*words, cwd=tmp_path)
        assert result.returncode == 2
        assert "./duel: legend.R at 0,0.sheet: unknown" in result.stderr


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        (["duell"], ["unknown scenario 'duell': did you mean 'duel'?"]),
        (["none.toml"], ["none.toml: cannot be read: No such file or directory"]),
        (["bad.toml", "--plot", "x.png"], ["legend.R at 0,0.sheet: unknown", "legend.B at 5,0.player: unknown"]),
        (["--plot", "x.png"], ["--plot draws one scenario"]),
        (["duel", "--plot", "x.txt"], ["the name must end in .png"]),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_status_2(words, faults, tmp_path):
    (tmp_path / "bad.toml").write_text(BAD)
    result = run(*words, cwd=tmp_path)
    assert_refused(result, *faults)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]
