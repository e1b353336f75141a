"""The command `sheet`, as programs and people meet it."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from brickphys.bow.sheets.catalogue import catalogue
from tests.command_line import assert_refused, brickphys

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


def run(*words: str, cwd: Path | None = None) -> CompletedProcess[str]:
    return brickphys("sheet", "bow", *words, cwd=cwd)


def test_the_trooper_is_the_golden_one():
    assert run("trooper").stdout == GOLDEN.read_text(encoding="utf-8")


def test_without_a_name_all_are_listed():
    lines = run().stdout.splitlines()
    assert [line.split(":")[0] for line in lines[2:]] == list(catalogue().sheets)


def test_a_document_of_one():
    answer = json.loads(run("snowspeeder", "--speed", "6", "--json", "--seed", "1").stdout)
    assert answer["schema"] == "brickphys.sheet/1"
    (sheet,) = answer["sheets"]
    assert (sheet["kind"], sheet["cost_points"]) == ("vehicle", 100)
    assert sheet["plate"][2:4] == ["===GG*", "GG...."]
    assert sheet["seats"][1]["weapon"]["axis_deg"] == 180


def test_all_sheets_of_a_file_and_its_armies(tmp_path):
    (tmp_path / "mine.toml").write_text(MINE)
    told = run("mine.toml", "--plot", "mine.png", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("veteran, 13 cost points")
    assert (tmp_path / "mine.png").read_bytes().startswith(b"\x89PNG")
    answer = json.loads(run("mine.toml", "--json", cwd=tmp_path).stdout)
    assert [sheet["name"] for sheet in answer["sheets"]] == ["veteran"]
    totals = [(army["name"], army["cost_points"]) for army in answer["armies"]]
    assert totals == [("reds", 13 * 2 + 12), ("blues", 12)]
    assert answer["armies"][1]["share"] == pytest.approx(12 / 38)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["troper"], "unknown sheet 'troper': did you mean 'trooper'?"),
        (["none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["snowspeeder", "--speed", "3"], "snowspeeder: speed 3 is not one of 0, 4, 5, 6, 7, 8"),
        (["trooper", "--damage", "2"], "trooper: damage 2 is not from 0 to 1"),
        (["--speed", "3"], "--speed and --damage apply to one sheet"),
        (["trooper", "--plot", "sheet.txt"], "the name must end in .png"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, fault, tmp_path):
    result = run(*words, cwd=tmp_path)
    assert_refused(result, fault)
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_faults_tells_them_all(tmp_path):
    (tmp_path / "bad.toml").write_text(MINE + '[[unit]]\nname = "x"\nbase = "y"\nmove = 99\n' * 2)
    result = run("bad.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.count("unit[1].base") == result.stderr.count("unit[2].base") == 1


def test_an_empty_file_has_no_sheet(tmp_path):
    (tmp_path / "empty.toml").write_text("")
    result = run("empty.toml", cwd=tmp_path)
    assert result.returncode == 2
    assert "empty.toml: there is no sheet in it" in result.stderr


def test_armies_of_ready_sheets_alone(tmp_path):
    (tmp_path / "armies.toml").write_text('[[army]]\nname = "reds"\nunits = { knight = 2 }')
    assert run("armies.toml", cwd=tmp_path).stdout.splitlines()[2].split()[:4] == [
        "reds",
        "2",
        "0",
        "60",
    ]
    assert run("armies.toml", "--plot", "a.png", cwd=tmp_path).returncode == 2
