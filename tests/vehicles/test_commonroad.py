"""Scenarios of CommonRoad: numbers by hand, samples of random ways by other means, and refusals."""

from itertools import pairwise
from math import cos, hypot, sin, sqrt
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
SAMPLES = 100  # of a step


def read(folder, text):
    (folder / "traffic.xml").write_text(text)
    return read_commonroad(folder / "traffic.xml")


def met_in(traffic):
    return traffic.encountered().met.document()


def test_the_contact_is_that_of_a_calculation_by_hand():
    """From step 2 the car brakes by 8 m/s2; its front is then 3.75 m from the rear of the parked car."""
    parked, walker, _ = met_in(read_commonroad(TRAFFIC))
    root = sqrt(10**2 - 4 * 4 * 3.75)
    assert parked["time_s"] == pytest.approx(1 + (10 - root) / 8, abs=1e-9)
    assert parked["closing_studs_s"] == pytest.approx(root)
    assert parked["point"] == pytest.approx([17.75, 2.2])
    assert parked["ttc_s"] == pytest.approx(13.75 / 10)
    assert (walker["second"], walker["time_s"]) == ("13", None)
    assert walker["gap_studs"] == pytest.approx(hypot(17.75 - 15, 4 - 2.4) - 0.4)


def test_the_scenario_says_what_it_leaves_out():
    traffic = read_commonroad(TRAFFIC)
    why = "left out: dynamicObstacle 14 (line 30): line 33: its position is an area, not a point"
    assert traffic.left_out == (why, "not read: 1 location, 1 scenarioTags, 1 planningProblem")
    assert [one.kind for one in traffic.obstacles] == ["parkedVehicle", "car", "pedestrian"]


def random_text(seed: int) -> str:
    """Four bodies that turn as they drive; steps take 0.5 s."""
    rng, made = np.random.default_rng(seed), []
    for number in range(4):
        x, y, heading = rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-3, 3)
        states = []
        for step in range(int(rng.integers(3)), 6):
            place = f"<position><point><x>{x}</x><y>{y}</y></point></position><time><exact>{step}</exact></time>"
            states.append(f"{place}<orientation><exact>{heading}</exact></orientation>")
            heading += rng.choice([0.0, rng.uniform(-0.6, 0.6)])
            x, y = x + 2 * cos(heading), y + 2 * sin(heading)
        size = f"<length>{rng.uniform(2, 5)}</length><width>{rng.uniform(1, 2)}</width>"
        rest = "".join(f"<state>{one}</state>" for one in states[1:])
        head = f'id="{number}"><type>car</type><shape><rectangle>{size}</rectangle></shape>'
        way = f"<initialState>{states[0]}</initialState><trajectory>{rest}</trajectory>"
        made.append(f"<dynamicObstacle {head}{way}</dynamicObstacle>")
    return f'<commonRoad commonRoadVersion="2020a" timeStepSize="0.5">{"".join(made)}</commonRoad>'


def samples(body, first, last):
    """Outlines at many moments: between two states by powers of the motion from one to the other."""

    def frame(state):
        c, s, at = cos(state.heading_rad), sin(state.heading_rad), state.place_m
        return np.array([[c, -s, at.real], [s, c, at.imag], [0, 0, 1]])

    corners = np.column_stack([body.outline_m.corners_studs(0), np.ones(4)]).T
    frames = [frame(one) for one in body.states if first <= one.step <= last]
    found = []
    for at, other in pairwise(frames):
        part = scipy.linalg.expm(scipy.linalg.logm(other @ np.linalg.inv(at)).real / SAMPLES)
        for _ in range(SAMPLES):
            found.append(shapely.Polygon((at @ corners)[:2].T))
            at = part @ at
    return [*found, shapely.Polygon((frames[-1] @ corners)[:2].T)]


@pytest.mark.parametrize("seed", range(3))
def test_random_ways_are_those_of_samples(tmp_path, seed):
    """A body moves by less than 5 m in a step, so between samples a gap changes by less than 0.1 m."""
    traffic = read(tmp_path, random_text(seed))
    pairs = list(traffic.pairs())
    assert len(pairs) == 6
    for (one, other, first, last), found in zip(pairs, met_in(traffic), strict=True):
        gaps = shapely.distance(samples(one, first, last), samples(other, first, last))
        if found["time_s"] is None:
            assert found["gap_studs"] - 1e-9 <= gaps.min() <= found["gap_studs"] + 0.1
        else:
            number = (found["time_s"] / 0.5 - first) * SAMPLES
            assert (gaps[: int(number - 1e-6) + 1] > 0).all() or number == 0
            assert gaps[: int(number) + 2].min() < 0.1


def test_version_2018b_says_the_same(tmp_path):
    old = TEXT.replace("2020a", "2018b").replace("  <type>", "  <role>dynamic</role><type>")
    old = old.replace("dynamic</role><type>parked", "static</role><type>parked")
    for role in ("static", "dynamic"):
        old = old.replace(f"<{role}Obstacle ", "<obstacle ").replace(f"</{role}Ob", "</ob")
    assert met_in(read(tmp_path, old)) == met_in(read_commonroad(TRAFFIC))


BOMB = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]>'
BAD = [
    ("commonRoad", "openDrive", "<openDrive> of version None is not <commonRoad>"),
    ("2020a", "2017a", "of version '2017a' is not"),
    ('timeStepSize="0.5"', 'timeStepSize="0"', "timeStepSize: '0' is not a number above 0, to 60"),
    ('timeStepSize="0.5"', "", "timeStepSize is missing"),
    ("<exact>0</exact></orientation>", "<exact>90.0</exact></orientation>", "11 .*: 90 .* degrees"),
    ("<commonRoad ", f"{BOMB}<commonRoad ", "has a document type"),
    ("</commonRoad>", "", "not XML: "),
    (' id="12"', "", r"dynamicObstacle \? \(line 10\): its id is missing"),
    ('id="12"', 'id="11"', r"dynamicObstacle 11 \(line 10\): its id is that of another one"),
    ("<x>2</x>", "<x>nan</x>", "12 .*: line 13: x: 'nan' is not a number"),
    ("<length>4.0<", "<length>0<", "12 .*: length: '0' is not a number from 0.001"),
    ("<x>7</x>", "<x>1e5</x>", r"its bodies are 99998 m apart, more than 10000"),
    ("<x>1</x><y>0</y>", "<x>1e4</x><y>0</y>", "14 .*: shape: it reaches 10000 m, more than 1000"),
    ("<x>1</x><y>0</y>", "<x>-1</x><y>0</y>", "14 .*: outline 0: all corners lie on one line"),
    ("<time><exact>2<", "<time><exact>4<", "12 .*: its time step 1 is followed by 4: it needs a state for each step"),
    ("dynamicObstacle", "phantomObstacle", "no two bodies, one of which moves, are there together"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "fault"), BAD)
def test_what_is_wrong_is_told_in_one_line(tmp_path, old, new, fault):
    changed = TEXT.replace(old, new, -1 if old in ("commonRoad", "dynamicObstacle") else 1)
    with pytest.raises(InvalidValueError, match=fault) as error:
        read(tmp_path, changed)
    assert "\n" not in str(error.value)


def test_what_is_not_exact_is_left_out(tmp_path):
    for old, new, why in (
        ("<exact>10</exact>", "<intervalStart>9</intervalStart>", "velocity is not exact"),
        ("<trajectory/>", "<occupancySet/>", "a position is an area"),
        ("<circle>", "<lanelet>1</lanelet><circle>", "its shape is a lanelet"),
    ):
        left = read(tmp_path, TEXT.replace(old, new, 1)).left_out
        assert why.replace("a position", "its position") in left[0]


def test_velocities_far_off_the_positions_are_told(tmp_path):
    """10 m/s are stated at first and later 50 m/s; the way is 5 m in 0.5 s."""
    told = read(
        tmp_path, TEXT.replace("<exact>10<", "<exact>50<").replace("<exact>50<", "<exact>10<", 1)
    )
    assert "which count: 12 at step 0: 30, not 10 m/s" in told.encountered().text()


def test_the_command_tells_encounters(tmp_path):
    found = answer("collide", TRAFFIC, "--clearance", 1, cwd=tmp_path)
    assert found["encounters"] == read_commonroad(TRAFFIC).encountered(1.0).met.document()
    told = brickphys("collide", TRAFFIC, cwd=tmp_path).stdout
    assert "velocities" not in told
    (tmp_path / "two.txt").write_text(TEXT)
    assert "ZAM_Crossing-1_1_T-1: 3 bodies, 2 of them moving, steps 0 to 4 of 0.5 s" in told
    for words, fault in (
        (("collide", TRAFFIC, "--plot", "a.png"), "--plot is not for a scenario"),
        (("collide", TRAFFIC, "--clearance", -1), "clearance -1 is not 0 or more"),
        (("validate", "collisions", TRAFFIC), "`brickphys collide FILE.xml`\n"),
        (("collide", "two.txt"), "collide FILE.xml`; name it .xml\n"),
    ):
        assert_refused(brickphys(*words, cwd=tmp_path), fault)
