"""The command `sheet`, as programs and people meet it."""

from functools import partial
from pathlib import Path

import pytest

from brickphys.bow.sheets.catalogue import catalogue
from tests.command_line import answer, brickphys

run = partial(brickphys, "sheet", "bow")

GOLDEN = Path(__file__).parents[1] / "golden" / "sheet_trooper.txt"
MINE = """
[[unit]]
name = "veteran"
base = "trooper"
attack = 2

[[army]]
name = "reds"
units = { veteran = 2, trooper = 1 }

[[army]]
name = "blues"
units = { trooper = 1 }
"""


def test_the_trooper_is_the_golden_one():
    assert run("trooper").stdout == GOLDEN.read_text(encoding="utf-8")


def test_without_a_name_all_are_listed():
    lines = run().stdout.splitlines()
    assert [line.split(":")[0] for line in lines[2:]] == list(catalogue().sheets)


def test_a_document_of_one():
    found = answer("sheet", "bow", "snowspeeder", "--speed", "6", "--seed", "1")
    assert found["schema"] == "brickphys.sheet/1"
    (sheet,) = found["sheets"]
    assert (sheet["kind"], sheet["cost_points"]) == ("vehicle", 100)
    assert sheet["plate"][2:4] == ["===GG*", "GG...."]
    assert sheet["seats"][1]["weapon"]["axis_deg"] == 180


def test_all_sheets_of_a_file_and_its_armies(tmp_path):
    (tmp_path / "mine.toml").write_text(MINE)
    told = run("mine.toml", "--plot", "mine.png", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("veteran, 13 cost points")
    assert (tmp_path / "mine.png").read_bytes().startswith(b"\x89PNG")
    found = answer("sheet", "bow", "mine.toml", cwd=tmp_path)
    assert [sheet["name"] for sheet in found["sheets"]] == ["veteran"]
    totals = [(army["name"], army["cost_points"]) for army in found["armies"]]
    assert totals == [("reds", 13 * 2 + 12), ("blues", 12)]
    assert found["armies"][1]["share"] == pytest.approx(12 / 38)


def test_a_file_with_faults_tells_them_all(tmp_path):
    (tmp_path / "bad.toml").write_text(MINE + '[[unit]]\nname = "x"\nbase = "y"\nmove = 99\n' * 2)
    result = run("bad.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.count("unit[1].base") == result.stderr.count("unit[2].base") == 1


def test_armies_of_ready_sheets_alone(tmp_path):
    (tmp_path / "armies.toml").write_text('[[army]]\nname = "reds"\nunits = { knight = 2 }')
    assert run("armies.toml", cwd=tmp_path).stdout.splitlines()[2].split()[:4] == [
        "reds",
        "2",
        "0",
        "60",
    ]
