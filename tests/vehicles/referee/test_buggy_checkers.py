"""Four checkers with a bug each are exposed: the fault has its name, its cause, and a small scene that shows it."""

import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.plots.vehicles import fault_figure
from brickphys.vehicles.referee.fault import FaultKind
from brickphys.vehicles.referee.scene_lines import random_scenes
from brickphys.vehicles.scene_file import read_scene, scene_tables
from brickphys.view.judgement import judgement_page
from tests.vehicles.referee import checkers


def drawn(kind, count, root=1):
    """Return the first random scenes of a kind."""
    named = (one for one in random_scenes(count * 14, root) if one[0].startswith(f"{kind}-"))
    return [scene for _, scene in named]


@pytest.fixture(scope="module")
def found():
    """What is found in the answers of each checker."""
    scenes = {
        "tunnelling": drawn("clutter", 20, 3) + drawn("start", 20),
        "wrong_pivot": drawn("swing", 5),
        "circles": drawn("pair", 4),
        "early_exit": drawn("overlap", 10),
    }
    return {
        name: brickphys.judge(scenes[name], checker) for name, checker in checkers.BUGGY.items()
    }


@pytest.mark.parametrize(
    ("checker", "kinds", "cause"),
    [
        ("tunnelling", {FaultKind.TUNNELLING}, "steps too coarse"),
        (
            "wrong_pivot",
            {FaultKind.EARLY, FaultKind.LATE, FaultKind.FALSE},
            "wrong pivot: it turns about the centre",
        ),
        (
            "circles",
            {FaultKind.EARLY, FaultKind.FALSE},
            "circle for corners: the outline of the mover is the circle around it",
        ),
        (
            "early_exit",
            {FaultKind.MISSED},
            "it depends on the direction, as sorting along one axis",
        ),
    ],
)
def test_a_bug_has_its_name_and_a_small_scene(found, checker, kinds, cause, tmp_path):
    judgement = found[checker]
    case = next(case for case in judgement.cases if case.fault.cause.startswith(cause))
    assert case.fault.kind in kinds
    assert case.is_shrunk
    assert len(case.scene.things) <= 3
    digits = sum(map(len, re.findall(r"\.(\d+)", str(scene_tables(case.scene)))))
    assert digits < 60  # a random scene has some hundreds
    files = judgement.save(tmp_path / "faults")
    small = next(path for path in files if case.fault.scene in path.stem.split("-")[-1:])
    assert read_scene(small) == case.scene
    tables = {"id": "small", **scene_tables(case.scene)}
    again = brickphys.judge([case.scene], [{"hits": checkers.BUGGY[checker](tables)}])
    assert again.wrong == 1


def test_a_report_page_draws_the_worst_cases_and_loads_nothing(found):
    judgement = found["circles"]
    judgement = replace(judgement, problems=("scene 7: it <raises>",), cases=judgement.cases[:1])
    page = judgement_page(judgement, "Collisions by <mine>")
    assert page.count('<img src="data:image/png;base64,') == 1
    assert "<mine>" not in page
    assert "<raises>" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "circle for corners" in page
    assert isinstance(fault_figure(judgement.cases[0]), Figure)


def test_a_used_folder_is_refused(found, tmp_path):
    (tmp_path / "mine").touch()
    with pytest.raises(InvalidValueError, match="not a new or empty folder"):
        found["circles"].save(tmp_path)


JEEP = {"id": "jeep", "x": 8, "y": 10, "heading_deg": 30, "length": 10, "width": 6, "speed": 4}
POST = {"id": "post", "x": 20.0, "y": 18.0}
BASE = {"field": {"width": 60, "height": 60}, "move": {"vehicle": "jeep"}, "vehicle": [JEEP]}


@pytest.mark.parametrize(
    ("changed", "factor", "cause"),
    [
        ({}, 0.008, "wrong unit: metres, not studs"),
        ({}, 8.0, "wrong unit: millimetres, not studs"),
        ({"vehicle": [{**JEEP, "heading_deg": -30.0}]}, 1.0, "headings are counted clockwise"),
        ({"unit": [{**POST, "bottom": 0.0}]}, 1.0, "heights are ignored"),
        ({"vehicle": [{**JEEP, "length": 6, "width": 10}]}, 1.0, "length and width are swapped"),
    ],
)
def test_what_explains_a_fault_is_told(changed, factor, cause):
    """The answer is that of another scene, or in another unit."""
    scene = {**BASE, "unit": [{**POST, "bottom": 10.0}] if "heights" in cause else [POST]}
    if "clockwise" in cause:
        scene["vehicle"], scene["unit"] = [{**JEEP, "y": 30}], [{**POST, "y": 21.0}]
        changed = {"vehicle": [{**JEEP, "y": 30, "heading_deg": -30.0}]}
    hits = brickphys.resolve({**scene, **changed}).document()["hits"]
    said = [{"id": hit["id"], "distance": hit["distance"] * factor} for hit in hits]
    assert said
    (case,) = brickphys.judge([scene], [{"hits": said}]).cases
    assert case.fault.cause.startswith(cause)
    assert not case.is_shrunk  # nobody can be asked again


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        (lambda at: float(np.float32(at)), "rounding: to single precision (float32)"),
        (lambda at: round(at, 3), "rounding: to 3 digits after the point"),
        (lambda at: float(f"{at:.3g}"), "rounding: to 3 significant digits"),
        (lambda at: at + 1e-6, "off by a constant: 1e-06 studs"),
        (lambda at: at - 1e-6, "off by a constant: 1e-06 studs"),
        (lambda at: at * (1 + 3e-7), ""),
    ],
)
def test_rounding_and_an_offset_have_no_other_name(changed, cause):
    """Of 60 scenes; mirrored ones are among them, which are right to a millionth if headings are counted clockwise."""
    scenes = [scene for _, scene in random_scenes(60, 1) if not scene.course]
    every = [brickphys.resolve(scene).document()["hits"] for scene in scenes]
    answers = [
        {"hits": [{"id": hit["id"], "distance": changed(hit["distance"])} for hit in hits]}
        for hits in every
    ]
    found = brickphys.judge(scenes, answers)
    assert found.wrong > 20
    assert {case.fault.cause for case in found.cases} == {cause}


def test_a_cause_must_give_the_answer_again():
    """A thing above the mover is hit where nobody who ignores heights would hit it."""
    scene = {**BASE, "unit": [{**POST, "bottom": 10.0}]}
    flat = brickphys.resolve({**BASE, "unit": [POST]}).document()["hits"][0]["distance"]
    found = [
        brickphys.judge([scene], [{"hits": [{"id": "post", "distance": flat + more}]}])
        for more in (0.0, 0.5)
    ]
    assert [bool(one.cases[0].fault.cause) for one in found] == [True, False]


def test_angles_in_radians_are_told():
    scene = {**BASE, "move": {"vehicle": "jeep", "piece": [{"turn_deg": 90, "pivot": [-4, 0]}]}}
    scene["unit"] = [{**POST, "x": 8.0, "y": 16.5}]
    (hit,) = brickphys.resolve(scene).document()["hits"]
    said = [{"id": "post", "turned_deg": hit["turned_deg"] * 3.141592653589793 / 180}]
    (case,) = brickphys.judge([scene], [{"hits": said}]).cases
    assert case.fault.cause == "wrong unit: radians, not degrees"
