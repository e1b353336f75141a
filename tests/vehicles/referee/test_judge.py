"""Many answers judged: of a file, a function, a program; what cannot be judged is told, the rest is judged."""

import json
import math
import re
import sys
import time
from collections import Counter
from shutil import copy

import pytest

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.vehicles.referee import asking
from brickphys.vehicles.referee.asking import Program
from brickphys.vehicles.referee.judge import judge_files
from brickphys.vehicles.referee.scene_lines import answer_lines, random_lines, random_scenes
from brickphys.vehicles.scene_file import scene_tables
from tests.vehicles.referee.checkers import check

STRAIGHT = (
    "pair",
    "overlap",
    "parallel",
    "grazing",
    "end",
    "start",
    "simultaneous",
    "tie",
    "height",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with scenes and their answers, of which each test gets a copy."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "scenes.jsonl").write_text(random_lines(56, 1)[0])
    (folder / "answers.jsonl").write_text("".join(answer_lines(folder / "scenes.jsonl")))
    return folder


@pytest.fixture
def scenes(made, tmp_path):
    return copy(made / "scenes.jsonl", tmp_path / "scenes.jsonl")


@pytest.fixture
def answers(made, tmp_path):
    return copy(made / "answers.jsonl", tmp_path / "answers.jsonl")


def judged(scenes, answers):
    return judge_files(scenes, answers, progress=lambda *_: None)


def test_our_own_answers_are_right(scenes, answers):
    found = brickphys.judge(scenes, answers)
    assert (found.checked, found.right, found.problems) == (56, 56, ())


def test_headings_of_scenes_that_look_like_radians_are_noted(scenes, tmp_path, caplog):
    answer_lines(scenes)
    assert not caplog.messages
    lines = [json.loads(line) for line in scenes.read_text().splitlines()]
    for scene in lines:
        for vehicle in scene["vehicle"]:
            vehicle["heading_deg"] = math.radians(vehicle.get("heading_deg", 0) % 360)
    path = tmp_path / "radians.jsonl"
    path.write_text("".join(json.dumps(scene) + "\n" for scene in lines))
    answer_lines(path)
    assert [message.endswith("are they radians?") for message in caplog.messages] == [True]


@pytest.mark.parametrize("unit_studs", [1.0, 0.008])
def test_lengths_of_scenes_that_look_like_metres_are_noted(unit_studs, scenes, tmp_path, caplog):
    """A car of four studs is 32 mm long."""
    scene = json.loads(scenes.read_text().splitlines()[0])
    bare = {**scene, "unit": [], "decor": []}
    cars = [{**car, "length": 4 * unit_studs, "width": 2 * unit_studs} for car in scene["vehicle"]]
    path = tmp_path / "cars.jsonl"
    path.write_text(json.dumps({**bare, "vehicle": cars}) + "\n")
    answer_lines(path)
    noted = [message.endswith("are they metres?") for message in caplog.messages]
    assert noted == [True] * (unit_studs < 1)


def test_an_independent_checker_is_nowhere_wrong():
    drawn = [one for name, one in random_scenes(280, 2) if name.startswith(STRAIGHT)]
    found = brickphys.judge(drawn, check)
    assert (found.wrong, found.problems) == (0, ())
    assert 0 < found.undecided < found.checked / 5


def test_lines_that_cannot_be_used_are_told_and_the_rest_is_judged(scenes, answers, tmp_path):
    lines = answers.read_text().splitlines()
    bad = [
        lines[0],
        "{",
        '{"hits": []}',
        '{"id": "pair-1-1", "hits": [{"id": "other", "distance": NaN}]}',
        lines[2],
        lines[2],
        '{"id": "nosuch", "hits": []}',
        '{"id": "parallel-1-3", "hits": [], "colour": "red"}',
        "",
    ]
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join(bad))
    found = judged(scenes, path)
    assert (found.checked, found.right) == (2, 2)
    told = "\n".join(found.problems)
    for fault in (
        "line 2: not JSON",
        "line 3: the key 'id' is missing",
        "line 4: ",
        "line 6: id 'overlap-1-2' is also that of line 5",
        "no such scene for 1 answer to: 'nosuch'",
        "answer to parallel-1-3: colour: unknown key",
        "no answer to 53 scenes: ",
    ):
        assert fault in told


def test_scenes_that_cannot_be_used_are_told_and_the_rest_is_judged(scenes, answers):
    lines = scenes.read_text().splitlines()
    broken = json.loads(lines[1])
    broken["vehicle"][0]["heading_deg"] = "north"
    scenes.write_text("\n".join([lines[0], json.dumps(broken), "[1]", lines[0]]))
    found = judged(scenes, answers)
    assert found.right == 1
    told = "\n".join(found.problems)
    for fault in ("pair-1-1: vehicle[0].heading_deg", "line 3: [1] is not", "line 4: id 'clutter"):
        assert fault in told
    scenes.write_text("\n")
    with pytest.raises(InvalidValueError, match="no scene to judge by"):
        judged(scenes, answers)


def test_a_closed_ring_is_read():
    ring = [[22, 10], [23, 10], [23, 22], [22, 22], [22, 10]]
    jeep = {"id": "j", "x": 8, "y": 16, "heading_deg": 0, "length": 10, "width": 6, "speed": 4}
    tables = {"field": {"width": 48, "height": 32}, "move": {"vehicle": "j"}, "vehicle": [jeep]}
    scene = {**tables, "decor": [{"id": "wall", "polygon": ring}]}
    assert brickphys.judge([scene], lambda _: [{"id": "wall", "distance": 9}]).right == 1


def test_a_function_that_raises_hangs_or_returns_nonsense_loses_one_scene(monkeypatch):
    drawn = [scene for _, scene in random_scenes(14, 1)]

    def mine(scene):
        if scene["id"] == "1":
            raise KeyError("top")
        if scene["id"] == "2":
            time.sleep(0.4)
        if scene["id"] == "3":
            return {"hits": [object()]}
        if scene["id"] == "4":
            return [{"id": "thing", "distance": float("nan")}]
        if scene["id"] == "5":
            sys.exit("enough")
        return {"id": scene["id"], **brickphys.resolve(scene).document()} | {"schema": 1}

    def plain(scene):
        found = mine(scene)
        if isinstance(found, dict):
            found.pop("schema", None)
        return found

    found = brickphys.judge(drawn, plain, limit_s=0.2)
    told = "\n".join(found.problems)
    for fault in (
        "scene 1: it raises KeyError: 'top' (test_judge.py line",
        "scene 2: no answer within 0.2 s",
        "scene 3: TypeError: a object cannot be written as JSON",
        "scene 4: ",
        "scene 5: it raises SystemExit: enough",
    ):
        assert fault in told
    assert found.right == 9
    monkeypatch.setattr(asking, "MOST_FAILURES", 2)
    found = brickphys.judge(drawn, lambda scene: scene["nosuch"])
    assert found.problems[2].startswith("the other scenes are not asked")
    assert found.problems[3].startswith("no answer to 12 scenes")


def test_lines_of_a_file_are_scenes_with_their_ids(scenes):
    lines = [json.loads(line) for line in scenes.read_text().splitlines()]
    found = brickphys.judge(lines, lambda scene: brickphys.resolve(scene).document()["hits"])
    assert found.right + found.undecided == len(lines)
    listed = [{"id": one["id"], "hits": brickphys.resolve(one).document()["hits"]} for one in lines]
    assert brickphys.judge(lines, listed).line() == found.line()
    assert brickphys.judge(scenes, listed).line() == found.line()
    told = brickphys.judge(lines, listed[::-1]).problems[0]
    assert told == f"scene {lines[0]['id']}: the answer has the id of another scene"
    with pytest.raises(InvalidValueError, match=r"scenes\[1\]: id .* is also that of another"):
        brickphys.judge(lines[:1] * 2, listed)
    for hits in (None, 5, (1,), [("wall", 2.0)], {"hits": None}):
        told = brickphys.judge(lines, lambda _, hits=hits: hits).problems[0]
        assert "should be a list of hits" in told


PROGRAM = """
import json, sys
for line in sys.stdin:
    scene = json.loads(line)
    name = scene.pop("id")
    kind = name.split("-")[0]
    if kind == "pair":
        raise ValueError("no pairs")
    if kind == "overlap":
        sys.exit(3)
    if kind == "parallel":
        print("words")
    elif kind == "end":
        print(json.dumps({"id": name, "hits": [{"id": "nosuch", "distance": 1.0}]}))
    elif kind != "grazing":
        print(json.dumps({"id": name, "hits": []}))
"""


def test_a_program_that_crashes_loses_one_scene(tmp_path, scenes):
    (tmp_path / "mine.py").write_text(PROGRAM)
    lines = scenes.read_text().splitlines(keepends=True)[:8]
    scenes.write_text("".join(lines))
    found = judged(scenes, Program(f"{sys.executable} {tmp_path / 'mine.py'}", 60.0))
    told = "\n".join(found.problems)
    for fault in (
        "scene pair-1-1: it ends with status 1: ValueError: no pairs",
        "scene overlap-1-2: it ends with status 3",
        "answer: not JSON",
        "no answer to 2 scenes: 'parallel-1-3'; 'grazing-1-4'",
    ):
        assert fault in told
    assert found.checked == 4
    kinds = Counter(one.kind.value for one in found.faults)
    assert kinds["false hit"] == 1


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("while True: print('y')", "it writes lines that are not answers|no answer within 1 s"),
        (
            "import sys\nwhile True: sys.stdout.write('y' * 65536)",
            "not answers|no answer within 1 s",
        ),
        ("", "no answer to 2 scenes|no answer within 1 s"),
        ("import os, time\nos.close(1)\ntime.sleep(60)", "no answer within 1 s"),
        ("import os, time\nos.fork() or time.sleep(60)", "no answer within 1 s"),
        ("import os\nos.abort()", "it is ended by signal 6|no answer within 1 s"),
    ],
)
def test_a_program_that_misbehaves_is_ended(scenes, tmp_path, script, told):
    (tmp_path / "mine.py").write_text(script)
    scenes.write_text("".join(scenes.read_text().splitlines(keepends=True)[:2]))
    found = judged(scenes, Program(f"{sys.executable} {tmp_path / 'mine.py'}", 1.0))
    assert found.checked == 0
    assert re.search(told, "\n".join(found.problems))
    assert "no answer could be judged" in found.text()


def test_a_function_that_changes_its_scene_changes_nothing_else():
    drawn = [scene for _, scene in random_scenes(14, 1)]

    def mine(scene):
        scene["vehicle"].clear()
        return []

    same = brickphys.judge(drawn, [{"hits": []}] * 14)
    assert brickphys.judge(drawn, mine).by_kind.keys() == same.by_kind.keys()


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x1b[31m", "x" * 101, 1.5, None, True, []])
def test_an_id_is_a_short_text_on_one_line_or_a_whole_number(scenes, answers, name):
    lines = scenes.read_text().splitlines()
    scenes.write_text("\n".join([lines[0], json.dumps({**json.loads(lines[1]), "id": name})]))
    found = judged(scenes, answers)
    assert any("line 2.id" in told for told in found.problems)
    assert found.right == 1


@pytest.mark.parametrize("command", ["", "'", "no-such-program --fast"])
def test_a_program_that_cannot_be_started_is_refused(scenes, command):
    with pytest.raises(InvalidValueError, match=r"empty|quotation|cannot be started"):
        judged(scenes, Program(command, 1.0))


def test_values_that_nobody_can_mean_are_refused():
    drawn = [scene_tables(scene) for _, scene in random_scenes(1, 1)]
    for wrong in ({"tolerance": 0.0}, {"tolerance": 1.0}, {"limit_s": 0.0}, {"workers": 0}):
        with pytest.raises(InvalidValueError, match="outside"):
            brickphys.judge(drawn, lambda _: [], **wrong)
    with pytest.raises(InvalidValueError, match="no scene"):
        brickphys.judge([], lambda _: [])


def test_random_scenes_are_the_same_for_a_seed():
    assert random_lines(14, 3) == random_lines(14, 3)
    assert random_lines(14, 3)[1] != random_lines(14, 4)[1]
