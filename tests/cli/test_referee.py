"""`collide SCENES.jsonl --out` and `validate collisions` that judges, as programs and people meet them."""

import json
import shlex
import sys
from shutil import copytree

import pytest

from tests.command_line import answer, assert_refused, brickphys, run

MINE = """
import json, sys
for line in sys.stdin:
    scene = json.loads(line)
    print(json.dumps({"id": scene["id"], "hits": []}))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("referee")
    run("validate", "collisions", "--scenes", 28, "--seed", 1, "--write", "s.jsonl", cwd=folder)
    run("collide", "s.jsonl", "--out", "a.jsonl", cwd=folder)
    (folder / "mine.py").write_text(MINE)
    return folder


@pytest.fixture
def folder(made, tmp_path):
    return copytree(made, tmp_path, dirs_exist_ok=True)


def test_scenes_are_written_once_and_are_the_same_for_a_seed(folder):
    words = ("validate", "collisions", "--scenes", 28, "--seed", 1, "--write", "s.jsonl")
    before = (folder / "s.jsonl").read_text()
    assert_refused(brickphys(*words, cwd=folder), "--write s.jsonl: exists already")
    document = answer(*words, "--force", cwd=folder)
    assert (document["scenes"], document["seed"], len(document["digest"])) == (28, 1, 16)
    assert (folder / "s.jsonl").read_text() == before
    assert len(before.splitlines()) == 28


def test_answers_have_the_form_of_collide(folder):
    lines = [json.loads(line) for line in (folder / "a.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines[:2]] == ["clutter-1-0", "pair-1-1"]
    assert {"id", "move", "hits"} == set(lines[0])
    assert {"travelled", "stopped_by", "leaves_field"} <= set(lines[0]["move"])
    assert_refused(
        brickphys("collide", "s.jsonl", "--out", "a.jsonl", cwd=folder), "exists already"
    )
    near = answer("collide", "s.jsonl", "--out", "b.jsonl", "--clearance", 2, cwd=folder)
    assert near["scenes"] == 28
    assert "clearances" in json.loads((folder / "b.jsonl").read_text().splitlines()[0])


def test_with_a_bad_line_all_are_told_and_nothing_is_written(folder):
    lines = (folder / "s.jsonl").read_text().splitlines()
    lines[3:5] = ['{"id": 7}', "{"]
    (folder / "bad.jsonl").write_text("\n".join(lines))
    result = brickphys("collide", "bad.jsonl", "--out", "c.jsonl", cwd=folder)
    assert_refused(result, "bad.jsonl: ", "line 4: field: missing", "line 5: not JSON")
    assert not (folder / "c.jsonl").exists()
    (folder / "none.jsonl").write_text("")
    result = brickphys("collide", "none.jsonl", "--out", "c.jsonl", cwd=folder)
    assert_refused(result, "there is no scene in it")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("collide s.jsonl", "many scenes need --out"),
        ("collide s.jsonl --out s.jsonl --force", "are the same file"),
        ("collide s.jsonl --out x.jsonl --plot p.png", "--plot is for one scene"),
        ("collide s.toml --out x.jsonl", "--out is for scenes as JSON Lines"),
        ("validate collisions s.jsonl", "add --answers or --program"),
        ("validate collisions --answers a.jsonl", "--answers needs the file of its scenes"),
        ("validate collisions s.jsonl --answers a.jsonl --program x", "exclude each other"),
        (
            "validate collisions s.jsonl --answers a.jsonl --scenes 3",
            "--scenes is for random scenes, not for answers",
        ),
        (
            "validate collisions s.jsonl --write x.jsonl",
            "SCENES is for one scene, not for writing scenes",
        ),
        ("validate collisions s.toml --answers a.jsonl", "are JSON Lines"),
        ("validate collisions s.toml --seed 3", "--seed is for random scenes, not for one scene"),
        ("validate collisions s.jsonl --answers nosuch.jsonl", "nosuch.jsonl: cannot be read"),
        ("validate collisions s.jsonl --program nosuch", "'nosuch': cannot be started"),
        ("validate collisions s.jsonl --answers a.jsonl --tolerance 5", "tolerance 5 is outside"),
        ("validate collisions --scenes 0 --write x.jsonl", "scenes 0 is outside"),
        ("validate collisions --scenes 0 --corpus new", "scenes 0 is outside"),
        ("validate collisions --corpus .", "--corpus .: not a new or empty folder"),
        ("validate collisions --corpus new --force", "not for writing a corpus"),
        ("validate collisions --scenes 3 --write x.csv", "--write x.csv: the name must end in"),
        ("collide s.jsonl --out a.csv", "--out a.csv: the name must end in .jsonl, .ndjson or"),
        ("collide s.jsonl --out a.jsonl.gz", "--out a.jsonl.gz: the name must end in"),
        ("validate collisions s.jsonl --answers mine.py", "no answer could be judged: mine.py: "),
        ("validate collisions s.jsonl --answers s.jsonl", "no answer could be judged: answer to "),
        *(
            (
                f"validate collisions --scenes 3 --program '{program}' --out new --report new.html",
                told,
            )
            for program, told in (
                ("true", "no answer could be judged: no answer to 3 scenes"),
                ("echo hello", "no answer could be judged: answer: not JSON"),
                ("yes", "no answer could be judged: answer: not JSON"),
            )
        ),
    ],
)
def test_what_makes_no_sense_is_refused(folder, words, told):
    assert_refused(brickphys(*shlex.split(words), cwd=folder), told)
    assert not {"new", "new.html", "x.csv", "a.csv"} & {path.name for path in folder.iterdir()}


def test_answers_are_judged(folder):
    words = ("validate", "collisions", "s.jsonl", "--answers", "a.jsonl", "--workers", 1)
    assert (
        "28 answers judged to 1e-09 studs and degrees; none is wrong"
        in run(*words, cwd=folder).stdout
    )
    document = answer(*words, cwd=folder)
    assert [document[key] for key in ("checked", "right", "wrong", "undecided")] == [28, 28, 0, 0]
    assert document["faults"] == []


def test_parquet_stands_for_json_lines(folder):
    """The digests are those of the lines, whatever the form of the files."""
    run("validate", "collisions", "--scenes", 28, "--seed", 1, "--write", "s.parquet", cwd=folder)
    lines = answer("collide", "s.jsonl", "--out", "b.jsonl", cwd=folder)
    rows = answer("collide", "s.parquet", "--out", "a.parquet", cwd=folder)
    assert rows["digest"] == lines["digest"]
    judged = answer("validate", "collisions", "s.parquet", "--answers", "a.parquet", cwd=folder)
    assert (judged["checked"], judged["wrong"]) == (28, 0)


def test_a_program_is_judged_by_random_scenes_or_by_a_file(folder):
    program = f"{sys.executable} mine.py"
    common = ("--program", program, "--workers", 1)
    document = answer("validate", "collisions", "s.jsonl", *common, fails=1, cwd=folder)
    assert document["checked"] == 28
    assert document["wrong"] == len(document["faults"]) > 10
    assert set(document["faults"][0]) >= {"scene", "kind", "seen", "right"}
    assert document["faults"][0]["seen"] is None
    drawn = answer(
        "validate", "collisions", "--scenes", 28, "--seed", 1, *common, fails=1, cwd=folder
    )
    assert drawn["faults"] == document["faults"]
    told = run("validate", "collisions", "s.jsonl", *common, fails=1, cwd=folder)
    assert "missed hit" in told.stdout
    assert "answer: no hit; right: distance" in told.stdout
    assert told.stderr.endswith(f"brickphys: {document['wrong']} of 28 answers wrong\n")


def test_a_corpus_is_written_with_answers_that_are_right(folder):
    words = ("validate", "collisions", "--scenes", 38, "--seed", 1, "--corpus")
    document = answer(*words, "new", cwd=folder)
    assert (document["scenes"], document["seed"]) == (38, 1)
    assert set(document["files"]) == {"scenes.jsonl.gz", "answers.jsonl.gz"}
    files = [f"new/{name}.jsonl.gz" for name in ("scenes", "answers")]
    judged = ("validate", "collisions", files[0], "--answers")
    assert answer(*judged, files[1], "--workers", 1, cwd=folder)["right"] == 38
    assert answer("collide", files[0], "--out", "c.jsonl", cwd=folder)["scenes"] == 38
    packed = (folder / files[1]).read_bytes()
    for damaged in (packed[:-20], b"plain", packed[:40] + b"x" * 40, packed + b"more"):
        (folder / "bad.gz").write_bytes(damaged)
        assert_refused(brickphys(*judged, "bad.gz", cwd=folder), "bad.gz: not a whole gzip file")
    told = run(*words, "again", cwd=folder).stdout
    assert all(digest in told for digest in document["digests"].values())


def test_the_worst_cases_are_written_and_drawn(folder):
    (folder / "empty.jsonl").write_text(
        "".join(json.dumps({"id": f"overlap-1-{number}", "hits": []}) + "\n" for number in (2, 16))
    )
    words = ("validate", "collisions", "s.jsonl", "--answers", "empty.jsonl", "--workers", 1)
    written = ("--out", "faults", "--report", "page.html")
    document = answer(*words, *written, fails=1, cwd=folder)
    assert document["checked"] == document["undecided"] + document["wrong"] + document["right"] == 2
    assert len(document["files"]) == len(document["cases"]) == document["wrong"] > 0
    assert all((folder / name).is_file() for name in document["files"])
    assert "<h1>Collisions by empty.jsonl</h1>" in (folder / "page.html").read_text()
    run("collide", document["files"][0], cwd=folder)
    for words_again, told in (
        (written, "page.html: exists already"),
        (written[:2], "faults: not a"),
    ):
        assert_refused(brickphys(*words, *words_again, cwd=folder), told)
    result = brickphys(*words, "--report", "page.txt", cwd=folder)
    assert_refused(result, "--report page.txt: the name must end in .html or .htm")
