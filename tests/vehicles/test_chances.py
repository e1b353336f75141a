"""Chances of hits if poses are in doubt: closed forms, and every sample against the exact move of its scene."""

import json
import re
from dataclasses import replace
from math import atan, degrees

import numpy as np
import pytest
from scipy.stats import norm

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.vehicles.chances import REPLICATES, outcomes_of
from brickphys.vehicles.course import resolve
from brickphys.vehicles.scene import Fixture, Unit, Vehicle
from brickphys.vehicles.scene_edit import moved, without
from brickphys.vehicles.scene_file import scene_geojson, scene_in, scene_tables
from brickphys.vehicles.sectors import Scheme, Sector
from tests.command_line import answer, assert_refused, run
from tests.command_line import brickphys as command
from tests.vehicles.test_outlines import random_tables

pytest.importorskip("shapely")


def tables(**more):
    """A square of 2 studs that goes straight on, past the corner of a wall."""
    return {
        "field": {"width": 60, "height": 40},
        "move": {"vehicle": "box"},
        "vehicle": [{"id": "box", "x": 5, "y": 20, "heading_deg": 0, "length": 2, "width": 2, "speed": 6}],
        "decor": [{"id": "wall", "polygon": [[20, 21.3], [60, 21.3], [60, 40], [20, 40]]}],
        **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("doubt", "deviation"),
    [
        ({"box": (0.5, 0.25, 0)}, 0.25),
        ({"box": (0, 0.3, 0), "wall": (0, 0.4, 0)}, 0.5),
        ({"wall": np.array([[0.04, 0.05, 0], [0.05, 0.09, 0], [0, 0, 0]])}, 0.3),
    ],
)
def test_a_square_hits_the_wall_beside_it_as_often_as_the_normal_law_says(doubt, deviation):
    """It hits if it is 0.3 studs off or more: a 95 % interval, and an error far below that of random draws."""
    found = brickphys.hit_chances(tables(), doubt=doubt, seed=7)
    expected = norm.sf(0.3 / deviation)
    assert found.hit.p == pytest.approx(expected, abs=1.5e-3)
    low, high = found.hit.ci95
    assert low - 5e-4 < expected < high + 5e-4
    assert high - low < 6e-3
    assert (found.things[0].thing.id, found.stopped) == ("wall", found.hit)


def test_a_heading_in_doubt_leads_past_a_corner_as_often_as_the_normal_law_says():
    """A tiny square goes 30 studs: it hits a wall that begins 15 studs ahead and half a stud aside."""
    raw = tables()
    raw["vehicle"][0] |= {"length": 0.002, "width": 0.002}
    raw["decor"][0]["polygon"] = [[20, 20.5], [20.001, 20.5], [20.001, 40], [20, 40]]
    for deviation in (1.0, 4.0):
        found = brickphys.hit_chances(raw, doubt={"box": (0, 0, deviation)}, seed=3)
        assert found.hit.p == pytest.approx(
            norm.sf(degrees(atan(0.5 / 15)) / deviation), abs=1.5e-3
        )


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Of 60 intervals of 95 % fewer than 50 hold it with a chance below 1e-4."""
    expected = norm.sf(0.3 / 0.25)
    doubt, holds = {"box": (0.5, 0.25, 0)}, 0
    for seed in range(60):
        low, high = brickphys.hit_chances(tables(), doubt=doubt, samples=64, seed=seed).hit.ci95
        holds += low <= expected <= high
    assert holds >= 50


def off(scene, name, x, y, turn_deg):
    """The scene with a thing elsewhere."""
    thing = next(one for one in scene.things if one.id == name)
    if isinstance(thing, Fixture | Unit):
        return moved(scene, name, x, y, turn_deg)
    there = replace(
        thing,
        x_studs=thing.x_studs + x,
        y_studs=thing.y_studs + y,
        heading_deg=thing.heading_deg + turn_deg,
    )
    return replace(scene, vehicles=tuple(there if one is thing else one for one in scene.vehicles))


@pytest.mark.parametrize("seed", range(6))
def test_every_sample_is_the_exact_move_of_its_scene(seed):
    """Outlines of any form, courses, stops, the border and sectors."""
    raw = random_tables(seed)
    raw["vehicle"].append(
        {"id": "van", "x": 38.0, "y": 30.0, "heading_deg": 120.0, "length": 9.0, "width": 5.0}
    )
    raw["move"]["sectors"] = [scheme.value for scheme in Scheme][seed % 3]
    raw["vehicle"][0]["speed"], raw["unit"] = 7, [{"id": "guard", "x": 31.0, "y": 27.0}]
    scene, rng = scene_in(raw), np.random.default_rng(seed)
    names = ["truck", "van", "guard", "thing 1", "thing 2"]
    drawn = {name: rng.normal(0, (1.5, 1.5, 20), (30, 3)) for name in names}
    drawn["guard"][:, 2] = 0  # a figure has no heading
    found = outcomes_of(scene, drawn)
    count = 0
    for number in range(30):
        there = scene
        try:
            for name in names:
                there = off(there, name, *drawn[name][number].tolist())
        except InvalidValueError:  # no scene has a thing off the field
            continue
        move = resolve(there)
        assert {name for name, hits in found.hits.items() if hits[number]} == {
            hit.id for hit in move.hits
        }
        assert found.stopped[number] == bool(move.stopped_by)
        for hit in move.hits:
            side = hit.sector(there.scheme)
            if side:
                assert list(Sector)[int(found.sides[hit.id][number])] is side
        count += len(move.hits)
    assert count


def test_sectors_add_up_to_the_chance_of_a_hit():
    raw = tables()
    raw["vehicle"].append(
        {"id": "car", "x": 25, "y": 21, "heading_deg": 90, "length": 8, "width": 4}
    )
    found = brickphys.hit_chances(
        raw, doubt={"box": (0.5, 3, 20), "car": (1, 1, 60)}, seed=2, samples=256
    )
    car = next(one for one in found.things if one.thing.id == "car")
    assert sum(chance.p for chance in car.sectors.values()) == pytest.approx(car.hit.p)
    assert sum(chance.p > 0 for chance in car.sectors.values()) == 4
    again = brickphys.hit_chances(
        raw, doubt={"box": (0.5, 3, 20), "car": (1, 1, 60)}, seed=2, samples=256
    )
    assert again.document() == found.document()
    assert {row["id"] for row in found.rows()} == {"car", "wall"}
    assert "on left" in found.text()
    assert repr(found).startswith("<box: hits something with a chance of ")


def test_what_never_or_always_happens_has_an_interval_too():
    found = brickphys.hit_chances(tables(), doubt={"box": (0, 0.001, 0)}, seed=1)
    assert found.hit.p == 0
    assert found.hit.ci95 == (0, pytest.approx(3.689 / (REPLICATES * 2048), rel=1e-3))
    low, high = brickphys.hit_chances(
        tables(), doubt={"wall": (0, 0, 0), "box": (0, 0, 0)}, seed=1
    ).hit.ci95
    assert (low, high) == found.hit.ci95
    raw = tables()
    raw["vehicle"][0]["y"] = 25
    assert brickphys.hit_chances(raw, doubt={"box": (0, 0.001, 0)}, seed=1).hit.ci95[1] == 1


BAD = {
    "doubt.box: standard deviation -1 is below 0": [0, -1, 0],
    "doubt.box: the covariance is not symmetric": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]],
    "doubt.box: variance -1 is below 0": [[1, 0, 0], [0, -1, 0], [0, 0, 1]],
    "doubt.box: the covariance is not positive semidefinite": [[1, 2, 0], [2, 1, 0], [0, 0, 1]],
    "doubt.box: [1, 2] is neither 3 standard deviations nor 3 x 3 numbers": [1, 2],
    "doubt.box: 'much' is neither 3 standard deviations nor 3 x 3 numbers": "much",
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_doubt_is_told_in_one_line(message, tmp_path):
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(tables(doubt={"box": BAD[message]})))
    assert_refused(command("collide", file), message)
    with pytest.raises(InvalidValueError, match="doubt: unknown thing 'bux'"):
        brickphys.scene(tables(doubt={"bux": [1, 1, 1]}))
    with pytest.raises(InvalidValueError, match="no pose is in doubt"):
        brickphys.hit_chances(tables())
    with pytest.raises(InvalidValueError, match=r"samples 1 is outside 2\.\."):
        brickphys.hit_chances(tables(), doubt={"box": [1, 1, 1]}, samples=1)


def test_the_command_tells_chances(tmp_path):
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(tables(doubt={"wall": [0, 0.4, 0]})))
    found = answer("collide", file, "--doubt", "0,0.3,0", "--seed", 7)["chances"]
    assert found["hit"]["p"] == pytest.approx(norm.sf(0.6), abs=1.5e-3)
    assert found["things"][0]["id"] == "wall"
    assert found["seed"] == 7
    assert "95 % interval" in run("collide", file, "--seed", 1).stdout
    assert "chances" not in answer("collide", write(tmp_path, tables()))
    assert_refused(command("collide", file, "--doubt", "1,x,3"), "--doubt 1,x,3: not three numbers")
    twice = command("collide", file, "--doubt", "0,1,3", "--doubt", "box=1,1,3")
    assert_refused(twice, "--doubt box=1,1,3: there is one of box already")
    assert_refused(command("collide", file, "--doubt", "bux=1,1,3"), "doubt: unknown thing 'bux'")
    for numbers, fault in (
        ("-1,0,0", "standard deviation -1 is"),
        ("nan,1,1", "[nan, 1.0, 1.0] is"),
    ):
        assert_refused(
            command("collide", file, f"--doubt={numbers}"), f"--doubt {numbers}: {fault}"
        )
        deviations = [float(number) for number in numbers.split(",")]
        with pytest.raises(InvalidValueError, match=f"^doubt of 'box': {re.escape(fault)}"):
            brickphys.hit_chances(file, doubt={"box": deviations})
    none = command("collide", file, "--doubt=0,0,0", "--doubt", "wall=0,0,0").stdout
    assert "no pose is in doubt: all deviations are 0" in none


def test_small_doubts_of_headings_are_not_taken_for_radians(caplog):
    """All headings are within 6.28 degrees, and so is the turn of the course."""
    raw = tables(doubt={"box": [0, 0, 1.5], "wall": [0, 0.1, 1.0]})
    raw["move"]["piece"] = [{"turn_deg": 3.5}]
    brickphys.hit_chances(raw, seed=1, samples=16)
    assert "radians" not in caplog.text


def test_it_is_told_that_trajectories_know_no_doubt():
    raw = tables(doubt={"box": [0, 0, 1.5]})
    raw["vehicle"][0]["trajectory"] = [{"wait_s": 1.0}]
    other = {"id": "far", "x": 45, "y": 3, "heading_deg": 0, "length": 1, "width": 1}
    raw["vehicle"].append({**other, "trajectory": [{"wait_s": 1.0}]})
    assert "encounters know no doubt" in brickphys.hit_chances(raw, seed=1, samples=16).text()


def write(folder, raw):
    file = folder / "plain.json"
    file.write_text(json.dumps(raw))
    return file


def test_a_doubt_stays_with_its_thing():
    scene = brickphys.scene(tables(doubt={"wall": [0, 0.4, 0]}))
    assert scene_in(scene_tables(scene)) == scene_in(scene_geojson(scene)) == scene
    assert without(scene, "wall").doubt == ()
    assert all(isinstance(one, Vehicle) for one in without(scene, "wall").things)
