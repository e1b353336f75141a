"""The command `scenario`, as programs and people meet it."""

import json
from functools import partial

from brickphys.bow.scenario import SCENARIOS
from tests.command_line import answer, assert_refused, brickphys

run = partial(brickphys, "scenario", "bow")

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


def test_without_a_name_all_are_listed():
    lines = run().stdout.splitlines()
    assert [line.split(":")[0] for line in lines[2:]] == list(SCENARIOS)
    assert list(
        answer(
            "scenario",
            "bow",
        )["scenarios"]
    ) == list(SCENARIOS)


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
    document = answer("scenario", "bow", "fair.toml", cwd=tmp_path)
    assert document["limit_points"] == document["setup"]["limit_points"] == 22
    (tmp_path / "unfair.toml").write_text(limited(21))
    result = run("unfair.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == (
        "brickphys: unfair.toml: limit_points: blue has 22 cost points, 1 above the limit of 21 (BOW 1.4.3)\n"
    )
    assert answer("scenario", "bow", "duel")["limit_points"] is None


def test_a_name_that_ships_goes_before_a_file_of_that_name_everywhere(tmp_path):
    (tmp_path / "duel").write_text(BAD)
    for words in (
        ["scenario", "bow", "duel"],
        ["play", "bow", "duel", "--seed", "1", "--max-steps", "4"],
    ):
        result = brickphys(*words, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        assert "duel: the shipped one is used; the file of that name is ./duel" in result.stderr
    for words in (["scenario", "bow", "./duel"], ["play", "bow", "./duel"]):
        result = brickphys(*words, cwd=tmp_path)
        assert_refused(result, "./duel: legend.R at 0,0.sheet: unknown")
