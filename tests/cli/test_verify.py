"""`brickphys verify`: what was checked, what is on trust, and what is wrong, for each kind of file."""

import json
import os
import sys
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from shutil import copy

import pytest

from brickphys.cli.verify import files_in
from brickphys.odds.law_file import default_law
from brickphys.stamp import stamp_here
from tests.batch.batches import run_here
from tests.command_line import assert_refused, brickphys, run

SCENE = """
[field]
width = 30
height = 20
[move]
vehicle = "jeep"
[[vehicle]]
id = "jeep"
x = 10.0
y = 10.0
heading_deg = 0.0
length = 10.0
width = 6.0
bottom = 0.0
top = 9.0
speed = 2
"""
FILM = "throw,frame,x,z\n" + "".join(
    f"{throw},{frame},{frame},{300 - 8 * frame**2}\n" for throw in (1, 2) for frame in range(6)
)
GOOD = {
    "scene.toml": ("scene", SCENE),
    "felt.toml": (
        "surface",
        'name = "felt"\nfriction = [0.4, 0.6]\nrestitution = [0.2, 0.3]\nsource = "guessed"\n',
    ),
    "study.toml": (
        "study",
        'kind = "drop"\nrepeats = 10\nseed = 1\n[fixed]\nshape = "2x2"\nengine = "bullet"\n',
    ),
    "tilt.toml": (
        "measurements",
        'schema = "brickphys.measurements/1"\n[tilt]\nangles_deg = [20.0, 22.0]\nerror_deg = 1.0\n',
    ),
    "counts.csv": ("home counts", "bricks,score\n1,1\n1,0\n"),
    "film.csv": ("film", FILM),
}


def checked(*paths, cwd=None):
    """The answer in JSON, and the status."""
    told = brickphys("verify", *paths, "--json", cwd=cwd)
    return json.loads(told.stdout), told.returncode


def test_it_says_line_by_line_what_was_checked_and_what_is_on_trust(tmp_path):
    law = replace(default_law(), stamp=stamp_here()).save(tmp_path / "mine.json")
    told = brickphys("verify", law)
    assert (told.returncode, told.stderr) == (0, "")
    head, *lines, last = told.stdout.splitlines()
    assert head == f"{law}: law"
    assert "  ok: overdispersion follows from the hands" in lines
    assert any(line.endswith("computed by these sources") for line in lines)
    assert any(line.startswith("  taken on trust: what was thrown") for line in lines[-3:])
    assert last == "1 file: all right"


def test_an_edited_law_is_a_fault_and_status_2(tmp_path):
    document = replace(default_law(), stamp=None).document()
    document["overdispersion"]["p_value"] = 0.0
    (tmp_path / "mine.json").write_text(json.dumps(document))
    told = brickphys("verify", "mine.json", cwd=tmp_path)
    assert told.returncode == 2
    assert (
        "  fault: overdispersion follows from the hands: overdispersion.p_value: 0.0" in told.stdout
    )
    assert told.stderr == "brickphys: 1 file: 1 with faults\n"
    answer, status = checked("mine.json", cwd=tmp_path)
    assert (answer["ok"], status) == (False, 2)
    (fault,) = [check["fault"] for check in answer["checks"] if check["fault"]]
    assert fault.startswith("overdispersion.p_value: 0.0, but ")
    assert {"file", "kind", "what", "fault"} == set(answer["checks"][0])


def test_a_replay_is_played_and_an_edited_one_refused(tmp_path):
    path = tmp_path / "game.jsonl"
    run("play", "bow", "duel", "--bots", "random", "--seed", 7, "--replay", path)
    answer, status = checked(path)
    assert (answer["ok"], status) == (True, 0)
    told = [check["what"] for check in answer["checks"]]
    assert any(what.startswith("bow: the game plays back: ") for what in told)
    assert any(what.endswith("computed by these sources") for what in told)
    path.write_text(path.read_text().replace('"seed": ', '"seed": 1'))
    answer, status = checked(path)
    assert (answer["ok"], status) == (False, 2)
    (fault,) = [check["fault"] for check in answer["checks"]]
    assert fault.startswith("line 1: was edited")


@pytest.mark.parametrize("name", GOOD)
def test_files_that_persons_write_are_read_by_their_readers(tmp_path, name):
    kind, text = GOOD[name]
    (tmp_path / name).write_text(text)
    answer, status = checked(name, cwd=tmp_path)
    assert (answer["ok"], status) == (True, 0), answer
    assert {check["kind"] for check in answer["checks"]} == {kind}
    spoilt = f"{text}colour = 3\n" if name.endswith("toml") else f"{text}1,x,1,1\n"
    (tmp_path / name).write_text(spoilt)
    answer, status = checked(name, cwd=tmp_path)
    assert (answer["ok"], status) == (False, 2)
    assert {check["kind"] for check in answer["checks"]} == {kind}


@pytest.mark.parametrize(
    "text",
    ['"bricks","score"\n3,1\n', "\n , \nbricks,score\n3,1\n", "\ufeffbricks,score\r3,1\r"],
    ids=["quoted", "below blank lines", "old ends of line"],
)
def test_counts_are_known_by_the_header_that_their_reader_reads(text, tmp_path):
    (tmp_path / "counts.csv").write_text(text, newline="")
    answer, status = checked(tmp_path)
    assert ([check["kind"] for check in answer["checks"]], status) == (["home counts"], 0)


def test_counts_may_be_as_large_as_their_reader_reads(tmp_path):
    row = "3,1," + "x" * 9_000 + "\n"
    (tmp_path / "counts.csv").write_text("bricks,score,note\n" + row * 5_600)
    assert (tmp_path / "counts.csv").stat().st_size > 50_000_000
    answer, status = checked(tmp_path / "counts.csv")
    assert (answer["ok"], status) == (True, 0)


def test_scenarios_and_sheets_are_read_by_the_game_that_can(tmp_path):
    from brickphys.bow import game as bow

    folder = Path(bow.__file__).parent / "scenarios"
    copy(folder / "duel.toml", tmp_path / "mine.toml")
    answer, _ = checked("mine.toml", cwd=tmp_path)
    assert (answer["ok"], answer["checks"][0]["kind"]) == (True, "scenario")
    (tmp_path / "mine.toml").write_text("players = 3\n")
    assert checked("mine.toml", cwd=tmp_path)[0]["ok"] is False


SHEETS = """[[unit]]
nmae = "tamer"
base = "trooper"
"""


def test_the_fault_of_sheets_and_scenarios_is_that_of_the_game_that_comes_furthest(tmp_path):
    (tmp_path / "units.toml").write_text(SHEETS)
    for game, name in {
        "minifig": "duel",
        "pirate_wars": "duel",
        "blade_and_bow": "marathon",
    }.items():
        shipped = files(f"brickphys.{game}") / "scenarios" / f"{name}.toml"
        text = shipped.read_text().replace("title =", "titel =")
        (tmp_path / f"{game}.toml").write_text(text)
    answer, status = checked(tmp_path)
    assert status == 2
    assert {Path(check["file"]).stem: check["fault"] for check in answer["checks"]} == {
        "units": "as a file of bow: unit[0].nmae: unknown key, did you mean 'name'?",
        **{
            game: f"as a file of {game}: titel: unknown key, did you mean 'title'?"
            for game in ("minifig", "pirate_wars", "blade_and_bow")
        },
    }


def test_of_a_folder_every_file_of_a_known_kind_is_checked(tmp_path):
    inner = tmp_path / "tables" / "home"
    inner.mkdir(parents=True)
    default_law().save(inner / "law.json")
    (tmp_path / "counts.csv").write_text(GOOD["counts.csv"][1])
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "notes.txt").write_text("nothing\n")
    answer, status = checked(tmp_path)
    assert (answer["ok"], status) == (True, 0)
    files = list(dict.fromkeys(check["file"] for check in answer["checks"]))
    assert files == [str(tmp_path / "counts.csv"), str(inner / "law.json")]
    assert answer["passed_over"] == [str(tmp_path / "other.csv")]
    *_, passed_over, last = brickphys("verify", tmp_path).stdout.splitlines()
    assert passed_over == f"{tmp_path / 'other.csv'}: skipped: unknown kind of file"
    assert last == "2 files: all right, 1 skipped"


def test_a_fault_does_not_begin_with_the_name_of_its_file_again(tmp_path):
    spoilt = {"study.toml": GOOD["study.toml"][1], "felt.toml": GOOD["felt.toml"][1]}
    for name, text in spoilt.items():
        (tmp_path / name).write_text(f"{text}colour = 3\n")
    answer, _ = checked(*spoilt, cwd=tmp_path)
    faults = [check["fault"] for check in answer["checks"]]
    assert len(faults) == 2
    assert not any(".toml: " in fault for fault in faults)


def test_a_folder_with_nothing_to_check_is_a_fault(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "counts.csv").write_text(GOOD["counts.csv"][1])
    told = brickphys("verify", "empty", "counts.csv", cwd=tmp_path)
    assert told.returncode == 2
    assert "fault: files of brickphys: there are none" in told.stdout
    assert told.stderr == "brickphys: 2 files: 1 with faults\n"


def test_a_law_whose_schema_is_damaged_is_refused_below_a_folder(tmp_path):
    law = json.dumps(default_law().document())
    (tmp_path / "law.json").write_text(law.replace('"schema"', '"schemb"'))
    answer, status = checked(tmp_path)
    assert (answer["ok"], status) == (False, 2)
    assert {check["kind"] for check in answer["checks"]} == {"law"}


def test_a_manifest_of_another_program_makes_no_batch(tmp_path):
    (tmp_path / "manifest.json").write_text('{"name": "a web page"}')
    law = default_law().document()
    (tmp_path / "law.json").write_text(json.dumps({**law, "seed": -1}))
    answer, status = checked(tmp_path)
    assert (answer["ok"], status) == (False, 2)
    assert {check["kind"] for check in answer["checks"]} == {"law"}
    assert answer["passed_over"] == [str(tmp_path / "manifest.json")]


def test_what_is_none_of_brickphys_is_one_line(tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "broken.json").write_bytes(b"\xff\xfe")
    told = brickphys("verify", "other.csv", "broken.json", cwd=tmp_path)
    assert told.returncode == 2
    assert "  fault: the kind of the file: is not known to brickphys" in told.stdout
    assert "is not UTF-8 text" in told.stdout
    assert told.stderr == "brickphys: 2 files: 2 with faults\n"
    assert_refused(
        brickphys("verify", "gone.json", cwd=tmp_path), "gone.json: there is no such file"
    )


def test_the_folder_of_a_batch_is_checked_with_its_shards(tmp_path):
    run_here(tmp_path / "results", tomllib.loads(GOOD["study.toml"][1]))
    answer, status = checked("results", cwd=tmp_path)
    assert (answer["ok"], status) == (True, 0), answer
    assert {check["kind"] for check in answer["checks"]} == {"batch"}
    (tmp_path / "results" / "counts.csv").write_text(GOOD["counts.csv"][1])
    answer, _ = checked("results", cwd=tmp_path)
    assert {check["kind"] for check in answer["checks"]} == {"batch", "home counts"}
    manifest = tmp_path / "results" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"seed": 1', '"seed": 2'))
    assert checked("results", cwd=tmp_path)[0]["ok"] is False
    (fault,) = [check["fault"] for check in checked("results", cwd=tmp_path)[0]["checks"][:1]]
    assert fault == "is not a manifest of a batch: it was edited"
    manifest.unlink()
    answer, _ = checked("results", cwd=tmp_path)
    assert (answer["ok"], answer["checks"][0]["kind"]) == (False, "batch")


def test_a_link_to_itself_is_a_fault_of_its_own(tmp_path):
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "counts.csv").write_text(GOOD["counts.csv"][1])
    answer, status = checked(tmp_path)
    assert status == 2
    faults = {Path(check["file"]).name: check["fault"] for check in answer["checks"]}
    assert faults["counts.csv"] is None
    assert faults["loop.json"].startswith("cannot be read: ")


def test_a_batch_that_cannot_be_checked_whole_is_a_fault_of_its_own(tmp_path):
    run_here(tmp_path / "results", tomllib.loads(GOOD["study.toml"][1]))
    (tmp_path / "results" / "shards" / "a.tmp").write_text("x")
    (tmp_path / "counts.csv").write_text(GOOD["counts.csv"][1])
    answer, status = checked(tmp_path)
    assert status == 2
    faults = {Path(check["file"]).name: check["fault"] for check in answer["checks"]}
    assert faults["counts.csv"] is None
    assert "shards/a.tmp: is not a file of a batch" in faults["results"]


def test_linked_folders_are_checked_and_links_that_lead_nowhere_are_faults(tmp_path):
    run_here(tmp_path / "elsewhere" / "results", tomllib.loads(GOOD["study.toml"][1]))
    folder = tmp_path / "folder"
    (folder / "more").mkdir(parents=True)
    (folder / "results").symlink_to(tmp_path / "elsewhere" / "results")
    (folder / "more" / "all").symlink_to(folder)
    (folder / "lost").symlink_to(tmp_path / "gone")
    (folder / "self").symlink_to("self")
    answer, status = checked(folder)
    assert status == 2
    faults = {(Path(check["file"]).name, check["fault"]) for check in answer["checks"]}
    assert {name for name, fault in faults if not fault} == {"results"}
    assert {name for name, fault in faults if fault} == {"lost", "self"}


def test_the_name_of_a_file_is_one_line(tmp_path):
    (tmp_path / "x\n  ok: all\n1 file: all right\n.csv").write_text(GOOD["counts.csv"][1])
    (tmp_path / "y\n  ok: all\n.json").write_text("[]")
    told = run("verify", tmp_path)
    assert len([line for line in told.stdout.splitlines() if not line.startswith("  ")]) == 3
    assert "1 file: all right" not in told.stdout.splitlines()


def test_a_law_is_known_by_what_its_reader_reads(tmp_path):
    law = json.dumps(default_law().document())
    texts = {
        "LAW.JSON": law,
        "blanks.json": " " * 110_000 + law,
        "escape.json": law.replace('"brickphys.law/', '"\\u0062rickphys.law/'),
        "decoy.json": '{"seed": "brickphys.none/1", ' + law[1:],
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "other.json").write_text('{"schema": 1}')
    answer, _ = checked(tmp_path)
    assert {Path(check["file"]).name for check in answer["checks"]} == set(texts)
    assert {check["kind"] for check in answer["checks"]} == {"law"}
    assert answer["passed_over"] == [str(tmp_path / "other.json")]


def test_a_folder_that_cannot_be_read_is_a_fault_of_its_own(tmp_path):
    number = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):  # its path is longer than a path may be: privileges do not help
        os.mkdir("x" * 250, dir_fd=number)
        inner = os.open("x" * 250, os.O_RDONLY, dir_fd=number)
        os.close(number)
        number = inner
    os.close(number)
    (tmp_path / "counts.csv").write_text(GOOD["counts.csv"][1])
    told = brickphys("verify", tmp_path)
    assert told.returncode == 2
    assert told.stdout.count("  fault: its content: cannot be read: ") == 1
    assert f"{tmp_path / 'counts.csv'}: home counts" in told.stdout
    assert told.stderr == "brickphys: 2 files: 1 with faults\n"


def test_folders_may_be_nested_deeper_than_functions(tmp_path):
    folder = tmp_path.joinpath(*["a"] * 300)
    folder.mkdir(parents=True)
    (folder / "a.csv").touch()
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        assert list(files_in(tmp_path)) == [folder / "a.csv"]
    finally:
        sys.setrecursionlimit(usual)
