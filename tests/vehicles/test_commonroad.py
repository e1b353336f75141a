"""Scenarios of CommonRoad: numbers by hand, samples of random ways by other means, and refusals."""

from itertools import pairwise
from math import cos, hypot, inf, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import shapely

from brickphys.errors import InvalidValueError
from brickphys.vehicles.commonroad import read_commonroad
from tests.command_line import answer, assert_refused, brickphys

TRAFFIC = Path(__file__).parents[1] / "reliability" / "example_files" / "traffic.xml"
TEXT = TRAFFIC.read_text()
SAMPLES = 100
"""Samples of a step."""


def read(folder, text):
    (folder / "traffic.xml").write_text(text)
    return read_commonroad(folder / "traffic.xml")


def test_the_contact_is_that_of_a_calculation_by_hand():
    """From step 2 the car brakes by 8 m/s2; its front is then 3.75 m from the rear of the parked car."""
    traffic = read_commonroad(TRAFFIC)
    parked, walker, _ = traffic.encounters().document()
    root = sqrt(10**2 - 4 * 4 * 3.75)
    assert (parked["first"], parked["second"]) == ("11", "12")
    assert parked["time_s"] == pytest.approx(1 + (10 - root) / 8, abs=1e-9)
    assert parked["closing_studs_s"] == pytest.approx(root)
    assert parked["point"] == pytest.approx([17.75, 2.2])
    assert parked["ttc_s"] == pytest.approx(13.75 / 10)
    ours, theirs = parked["delta_v_studs_s"]
    assert ours / theirs == pytest.approx((4 * 2) / (4.5 * 1.8))  # masses are as areas
    assert (walker["first"], walker["second"], walker["time_s"]) == ("11", "13", None)
    assert walker["gap_at_s"] == pytest.approx(2.0)  # at step 4
    dx, dy = 17.75 - 15, 4 - 2.4
    assert walker["gap_studs"] == pytest.approx(hypot(dx, dy) - 0.4, abs=0.4 * 0.0012)


def test_the_scenario_says_what_it_leaves_out():
    traffic = read_commonroad(TRAFFIC)
    (left,) = traffic.left_out
    assert (
        left
        == "left out: dynamicObstacle 14 (line 30): line 33: its position is an area, not a point"
    )
    assert traffic.unread == ("1 location", "1 scenarioTags", "1 planningProblem")
    assert [(one.id, one.kind, one.moves) for one in traffic.obstacles] == [
        ("11", "parkedVehicle", False),
        ("12", "car", True),
        ("13", "pedestrian", True),
    ]


def test_circles_and_concave_outlines_are_exact(tmp_path):
    """The pedestrian walks into the bend of an L, 0.1 m beside one arm of it."""
    ell = [(0, 0), (9, 0), (9, 1), (1, 1), (1, 9), (0, 9)]
    points = "".join(f"<point><x>{x + 13.5}</x><y>{y + 0.8}</y></point>" for x, y in ell)
    rectangle = "<rectangle><length>4.5</length><width>1.8</width></rectangle>"
    text = TEXT.replace(rectangle, f"<polygon>{points}</polygon>", 1)
    traffic = read(tmp_path, text.replace("<x>20</x>", "<x>0</x>", 1))
    (found,) = [one for one in traffic.encounters().document() if one["second"] == "13"][:1]
    assert found["time_s"] is None
    assert found["gap_studs"] == pytest.approx(15 - 0.4 - 14.5, abs=1e-9)


def random_text(seed: int, far: float = 0.0) -> str:
    """Four bodies that turn as they drive; steps take 0.5 s."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(4):
        x, y, heading = rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-3, 3)
        states = []
        for step in range(int(rng.integers(3)), 6):
            place = f"<position><point><x>{far + x}</x><y>{far + y}</y></point></position>"
            exact = f"<orientation><exact>{heading}</exact></orientation><time><exact>{step}</exact></time>"
            states.append(place + exact)
            heading += rng.choice([0.0, rng.uniform(-0.6, 0.6)])
            x, y = x + 2 * cos(heading), y + 2 * sin(heading)
        size = f"<length>{rng.uniform(2, 5)}</length><width>{rng.uniform(1, 2)}</width>"
        rest = "".join(f"<state>{one}</state>" for one in states[1:])
        made.append(
            f'<dynamicObstacle id="{number}"><type>car</type><shape><rectangle>{size}</rectangle></shape>'
            f"<initialState>{states[0]}</initialState><trajectory>{rest}</trajectory></dynamicObstacle>"
        )
    return f'<commonRoad commonRoadVersion="2020a" timeStepSize="0.5">{"".join(made)}</commonRoad>'


def frame(state):
    """The matrix that moves an outline to a state."""
    c, s = cos(state.heading_rad), sin(state.heading_rad)
    return np.array([[c, -s, state.place_m.real], [s, c, state.place_m.imag], [0, 0, 1]])


def samples(body, first, last):
    """Outlines at many moments: between two states by powers of the motion from one to the other."""
    corners = np.column_stack([body.outline_m.corners_studs(0), np.ones(4)]).T
    states = [one for one in body.states if first <= one.step <= last]
    found = []
    for one, other in pairwise(states):
        motion = scipy.linalg.logm(frame(other) @ np.linalg.inv(frame(one))).real
        part = scipy.linalg.expm(motion / SAMPLES)
        at = frame(one)
        for _ in range(SAMPLES):
            found.append(shapely.Polygon((at @ corners)[:2].T))
            at = part @ at
    return [*found, shapely.Polygon((frame(states[-1]) @ corners)[:2].T)]


@pytest.mark.parametrize("seed", range(3))
def test_random_ways_are_those_of_samples(tmp_path, seed):
    """A body moves by less than 5 m in a step, so between samples a gap changes by less than 0.1 m."""
    traffic = read(tmp_path, random_text(seed))
    pairs = list(traffic.pairs())
    met = traffic.encounters().document()
    assert len(met) == len(pairs) == 6
    for (one, other, first, last), found in zip(pairs, met, strict=True):
        gaps = shapely.distance(samples(one, first, last), samples(other, first, last))
        if found["time_s"] is None:
            assert found["gap_studs"] - 1e-9 <= gaps.min() <= found["gap_studs"] + 0.1
        else:
            number = (found["time_s"] / 0.5 - first) * SAMPLES
            assert (gaps[: int(number - 1e-6) + 1] > 0).all() or number == 0
            assert gaps[: int(number) + 2].min() < 0.1


def test_bodies_far_from_the_origin_meet_as_near_it(tmp_path):
    """As in coordinates of a map, of which doubles have 1e-9 m."""
    near = read(tmp_path, random_text(1)).encounters().document()
    far = read(tmp_path, random_text(1, far=5_000_000)).encounters().document()
    for one, other in zip(near, far, strict=True):
        assert (one["time_s"] is None) == (other["time_s"] is None)
        assert one["gap_studs"] == pytest.approx(other["gap_studs"], abs=1e-6)
        if one["point"]:
            assert np.subtract(other["point"], one["point"]) == pytest.approx([5e6, 5e6], abs=1e-5)


def test_version_2018b_says_the_same(tmp_path):
    old = TEXT.replace("2020a", "2018b")
    for role in ("static", "dynamic"):
        old = old.replace(f"<{role}Obstacle ", "<obstacle ").replace(f"</{role}Ob", "</ob")
    old = old.replace("<type>", "<role>dynamic</role><type>").replace(
        "<role>dynamic</role><type>parked", "<role>static</role><type>parked"
    )
    assert read(tmp_path, old).encounters() == read_commonroad(TRAFFIC).encounters()


BOMB = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]>'
BAD = [
    ("commonRoad", "openDrive", "<openDrive> of version None is not <commonRoad>"),
    ("2020a", "2017a", "of version '2017a' is not"),
    ('timeStepSize="0.5"', "", "timeStepSize: None is not a number"),
    ('timeStepSize="0.5"', 'timeStepSize="0"', "timeStepSize: '0' is not a number from 0 to 60"),
    ("<commonRoad ", f"{BOMB}<commonRoad ", "has a document type"),
    ("</commonRoad>", "", "not XML: "),
    (' id="12"', "", r"dynamicObstacle \? \(line 10\): id is missing"),
    ('id="12"', 'id="11"', r"dynamicObstacle 11 \(line 10\): its id is that of another one"),
    ("<x>2</x>", "<x>nan</x>", "12 .*: line 13: x: 'nan' is not a number"),
    ("<x>7</x>", "<x>1e999</x>", r"12 .*: line 15: x: '1e999' is not a number"),
    ("<length>4.0<", "<length>0<", "12 .*: length: '0' is not a number from 0.001"),
    ("<radius>0.4<", "<radius>-1<", "13 .*: radius: '-1' is not a number from"),
    ("<x>7</x>", "<x>1e5</x>", r"its bodies are 99998 m apart, more than 10000"),
    (
        "<x>1</x><y>0</y>",
        "<x>1e4</x><y>0</y>",
        "14 .*: shape: it reaches 10000 m, more than 1000",
    ),
    ("<x>1</x><y>0</y>", "<x>-1</x><y>0</y>", "14 .*: outline 0: all corners lie on one line"),
    ("<time><exact>2<", "<time><exact>4<", "12 .*: its time step 1 is followed by 4"),
    ("<time><exact>2<", "<time><exact>1.5<", "time: 1.5 is not a number of steps"),
    ("<type>car</type>", "", "12 .*: type is missing"),
    ("dynamicObstacle", "phantomObstacle", "no two bodies, one of which moves, are there together"),
]


@pytest.mark.parametrize(("old", "new", "fault"), BAD)
def test_what_is_wrong_is_told_in_one_line(tmp_path, old, new, fault):
    changed = TEXT.replace(old, new, -1 if old in ("commonRoad", "dynamicObstacle") else 1)
    with pytest.raises(InvalidValueError, match=fault) as error:
        read(tmp_path, changed)
    assert "\n" not in str(error.value)


LEFT = [
    ("<exact>10</exact>", "<intervalStart>9</intervalStart>", "velocity is not exact"),
    ("<trajectory>", "<occupancySet/><old>", "its way is a set of areas"),
    ("<circle>", "<lanelet>1</lanelet><circle>", "its shape is a lanelet"),
]


@pytest.mark.parametrize(("old", "new", "why"), LEFT)
def test_what_is_not_exact_is_left_out(tmp_path, old, new, why):
    changed = TEXT.replace(old, new, 1)
    if "<old>" in new:
        changed = changed.replace("</trajectory>", "</old>", 1)
    left = read(tmp_path, changed).left_out
    assert why in left[0]
    assert "dynamicObstacle 14" in left[-1]


def test_the_command_tells_encounters(tmp_path):
    found = answer("collide", TRAFFIC, "--clearance", 1, cwd=tmp_path)
    assert found["encounters"] == read_commonroad(TRAFFIC).encounters(1.0).document()
    assert [one["second"] for one in found["encounters"]] == ["12", "13"]
    told = brickphys("collide", TRAFFIC, cwd=tmp_path).stdout
    assert "ZAM_Crossing-1_1_T-1: 3 bodies, 2 of them moving, steps 0 to 4 of 0.5 s" in told
    assert "left out: dynamicObstacle 14" in told
    assert "not read: 1 location" in told
    result = brickphys("collide", TRAFFIC, "--plot", "a.png", cwd=tmp_path)
    assert_refused(result, "--plot is not for a scenario of CommonRoad")
    assert_refused(brickphys("collide", TRAFFIC, "--clearance", -1, cwd=tmp_path), "is not 0 or")
    near = brickphys("collide", TRAFFIC, "--clearance", 0, cwd=tmp_path).stdout
    assert "11          12" in near
    assert "13" not in near.split("\n\n")[1]
    result = brickphys("validate", "collisions", TRAFFIC, cwd=tmp_path)
    assert_refused(result, "scenarios of CommonRoad are for `brickphys collide`")
    assert len(read_commonroad(TRAFFIC).encounters(inf).document()) == 3
