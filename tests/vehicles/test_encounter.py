"""Encounters of scenes: numbers by hand, files, and refusals."""

import json

import numpy as np
import pytest

import brickphys
from brickphys.vehicles.encounter import SceneEncounters, encounters_of
from brickphys.vehicles.scene_file import parse_scene, scene_geojson, scene_in, scene_text
from tests.command_line import brickphys as run_command

TEXT = """[field]
width = 80
height = 80
[move]
vehicle = "car"
[[vehicle]]
id = "car"
x = 10.0
y = 30.0
heading_deg = 0.0
length = 10.0
width = 6.0
trajectory = [{ahead = 60.0, speed_studs_s = 10.0}]
[[vehicle]]
id = "truck"
x = 30.0
y = 10.0
heading_deg = 90.0
length = 16.0
width = 6.0
trajectory = [
    {wait_s = 0.5},
    {ahead = 20.0, speed_studs_s = 4.0, acceleration_studs_s2 = 0.5},
    {turn_deg = 90.0, pivot = [0.0, 10.0], speed_deg_s = 30.0},
]
"""


def test_the_contact_is_that_of_a_calculation_by_hand():
    """After 2 s the truck has gone 8 + 1 studs: its front is at the car, whose rear half is before it."""
    (one,) = encounters_of(parse_scene(TEXT)).document()
    assert (one["first"], one["second"]) == ("car", "truck")
    assert one["time_s"] == pytest.approx(2.5, abs=1e-9)
    assert one["point"] == pytest.approx([31.5, 27.0])
    assert one["normal"] == [0.0, 1.0]
    assert one["closing_studs_s"] == pytest.approx(5.0)
    assert (one["gap_studs"], one["pet_s"], one["passes_first"]) == (0.0, 0.0, None)
    first, second = one["delta_v_studs_s"]
    assert first / second == pytest.approx(16 / 10)  # as their lengths, since both are as wide


def test_pivots_and_headings_of_trajectories_are_those_of_the_vehicle():
    """The truck looks north when it turns about 10 studs to its left."""
    fast = TEXT.replace("speed_studs_s = 10.0", "speed_studs_s = 100.0")
    (one,) = encounters_of(parse_scene(fast)).document()
    nan = np.nan
    truck = [(0, 0, nan, 0, 0, 0.5), (0, 20, nan, 4, 0.5, 0), (20, 30, 90, 30, 0, 0)]
    met = brickphys.encounter(
        [(5, 27), (15, 27), (15, 33), (5, 33)], [(60, 0, nan, 100)],
        [(27, 2), (33, 2), (33, 18), (27, 18)], (truck, [0, 3]),
    )  # fmt: skip
    assert (one["time_s"], one["passes_first"]) == (None, "car")
    for name in ("gap_studs", "gap_at_s", "pet_s"):
        assert one[name] == pytest.approx(met.array[name][0], abs=1e-9), name


def test_vehicles_of_parts_meet_by_their_parts_and_weigh_what_their_outlines_do():
    """The car has a boom, 1 stud wide and 4 long, ahead: it is there 0.4 s earlier, in the lane of the truck."""
    boom = """part = [
        {name = "cab", polygon = [[-5, -3], [5, -3], [5, 3], [-5, 3]]},
        {name = "boom", capsule = [[5, 0], [8.5, 0]], radius = 0.5}]"""
    text = TEXT.replace("length = 10.0\nwidth = 6.0", boom).replace("wait_s = 0.5", "wait_s = 5.0")
    text = text.replace("y = 10.0", "y = 30.0").replace("heading_deg = 90.0", "heading_deg = 0.0")
    (one,) = encounters_of(parse_scene(text)).document()
    assert one["time_s"] == pytest.approx((22 - 19) / 10)
    assert (one["parts"], one["point"]) == (["boom", None], pytest.approx([22, 30]))
    assert one["masses_g"][0] / one["masses_g"][1] == pytest.approx(
        (60 + 3.5 + np.pi / 8) / 96, abs=1e-4
    )
    assert "car (boom)" in encounters_of(parse_scene(text)).text()


def test_files_keep_trajectories():
    scene = parse_scene(TEXT)
    assert parse_scene(scene_text(scene)) == scene
    assert scene_in(scene_geojson(scene)) == scene


def test_the_command_tells_it_of_one_scene_and_of_many(tmp_path):
    (tmp_path / "scene.toml").write_text(TEXT)
    found = run_command("collide", tmp_path / "scene.toml")
    assert "car      truck   2.500 s   (31.50, 27.00)" in found.stdout
    found = run_command("collide", tmp_path / "scene.toml", "--json")
    document = json.loads(found.stdout)
    assert document["encounters"] == encounters_of(parse_scene(TEXT)).document()
    lines = json.dumps({"id": "one", **scene_geojson(parse_scene(TEXT))}) + "\n"
    (tmp_path / "scenes.jsonl").write_text(lines)
    run_command("collide", tmp_path / "scenes.jsonl", "--out", tmp_path / "answers.jsonl")
    answer = json.loads((tmp_path / "answers.jsonl").read_text())
    assert answer["encounters"] == document["encounters"]


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("speed_studs_s = 10.0", "speed_studs_s = 0.0", "at speed 0 it never comes to its end, 60 away"),
        ("speed_studs_s = 10.0", "speed_studs_s = nan", "speed_studs_s: nan should be a finite number"),
        ("speed_studs_s = 10.0", "speed_deg_s = 10.0", "speed_studs_s is missing"),
        ("ahead = 60.0, ", "ahead = 60.0, speed_deg_s = 1.0, ", "speed_deg_s is not for such a piece"),
        ("wait_s = 0.5", "wait_s = -1.0", "trajectory[0] of 'truck': wait -1 is below 0"),
        ("wait_s = 0.5", "wait_s = 1.0, ahead = 1.0", "a piece that waits does nothing else"),
        ("acceleration_studs_s2 = 0.5", "acceleration_studs_s2 = -0.5", "it stops after 16 of 20"),
        ("y = 10.0", "y = 20.0", "'car' and 'truck' overlap at the start"),
        ("trajectory = [{ahead = 60.0, speed_studs_s = 10.0}]", "", "only 'truck' has one; in an encounter two move"),
        ('vehicle = "car"', 'vehicle = "car"\nlashed = ["truck"]', "where vehicles have trajectories, none is lashed"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_one_line(tmp_path, was, becomes, message):
    text = TEXT.replace(was, becomes)
    if "overlap" in message:
        text = text.replace("x = 30.0", "x = 16.0")
    (tmp_path / "scene.toml").write_text(text)
    found = run_command("collide", tmp_path / "scene.toml")
    assert found.returncode == 2
    assert message in found.stderr
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize(("undecided", "told"), [(["pet_s"], "undecided"), ([], "never")])
def test_what_the_search_did_not_find_is_not_told_as_never(undecided, told):
    fast = TEXT.replace("speed_studs_s = 10.0", "speed_studs_s = 100.0")
    (one,) = encounters_of(parse_scene(fast)).document()
    assert one["undecided"] == []
    shown = SceneEncounters(({**one, "pet_s": None, "undecided": undecided},)).text()
    (row,) = [line for line in shown.splitlines() if line.startswith("car")]
    assert told in row.split("studs at")[1]
