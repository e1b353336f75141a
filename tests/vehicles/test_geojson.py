"""GeoJSON and WKT: scenes and outlines, written and read again, and what is refused."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.vehicles.scene_file import scene_geojson
from brickphys.vehicles.validation.random_scenes import random_scene
from tests.command_line import brickphys as run_command

CAR = {"kind": "vehicle", "id": "jeep", "heading_deg": 90.0, "speed": 4}
OUTLINE = [[5, 3], [11, 3], [11, 13], [5, 13], [5, 3]]
WALL = [[0, 20], [30, 20], [30, 21], [0, 21], [0, 20]]


def feature(ring, **properties):
    return {
        "type": "Feature",
        "geometry": {"type": "Polygon", "coordinates": [ring]},
        "properties": properties,
    }


def collection(*features, **more):
    head = {"field": {"width": 48, "height": 32}, "move": {"vehicle": "jeep"}}
    return {"type": "FeatureCollection", **head, "features": list(features), **more}


SCENE = collection(feature(OUTLINE, **CAR), feature(WALL, id="wall"))


@given(st.integers(0, 10_000))
def test_a_scene_is_the_same_after_geojson(index):
    scene = random_scene(3, index).scene
    text = json.dumps(scene_geojson(scene))
    assert brickphys.scene(json.loads(text)) == scene


def test_a_vehicle_takes_what_it_lacks_from_its_outline(tmp_path):
    (car,) = brickphys.scene(SCENE).vehicles
    assert (car.x_studs, car.y_studs, car.length_studs, car.width_studs) == (8, 8, 10, 6)
    broad = collection(feature(OUTLINE, **CAR | {"heading_deg": 0}), feature(WALL, id="wall"))
    (car,) = brickphys.scene(broad).vehicles
    assert (car.length_studs, car.width_studs) == (6, 10)
    file = tmp_path / "scene.geojson"
    file.write_text(json.dumps(SCENE))
    assert brickphys.scene(file) == brickphys.scene(SCENE)
    found = brickphys.resolve(file)
    assert found.hits[0].distance_studs == 7
    again = found.geojson()
    assert again["features"][-1]["properties"]["kind"] == "hit"
    assert again["features"][-1]["geometry"] == {"type": "Point", "coordinates": [8.0, 20.0]}
    assert brickphys.scene(again) == found.scene


def test_a_point_is_a_centre():
    unit = {
        "type": "Feature",
        "properties": {"kind": "unit", "id": "u"},
        "geometry": {"type": "Point", "coordinates": [8, 16.5]},
    }
    scene = brickphys.scene(collection(*SCENE["features"], unit))
    assert scene.units[0].centre_studs == (8, 16.5)


LINE = {"type": "Feature", "geometry": {"type": "LineString"}}
HOLED = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [WALL, WALL]}}
BAD = {
    "properties: heading_deg is missing: an outline has no front": feature(OUTLINE, kind="vehicle"),
    "its outline is 1 studs off the rectangle of x, y, heading_deg, length and width": feature(
        OUTLINE, **CAR, x=9
    ),
    "properties.x: 'left' is not a number": feature(OUTLINE, **CAR, x="left"),
    "a vehicle is a rectangle, or has x, y and heading_deg; here are 3 corners": feature(
        OUTLINE[:3], **CAR
    ),
    "properties.kind: 'tank' is not vehicle, unit, decor": feature(OUTLINE, kind="tank"),
    "a LineString needs a radius in studs as a property": LINE,
    "a geometry of type 'MultiPoint' is not a Polygon": {
        "type": "Feature",
        "geometry": {"type": "MultiPoint"},
    },
    "several polygons, or one with holes, are not a rectangle": {
        **HOLED,
        "properties": {"kind": "unit"},
    },
    "'a' is not a position [x, y]": feature(["a"]),
    "not a Feature": 7,
    "it has no geometry": {"type": "Feature", "geometry": None, "properties": {"id": "wall"}},
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_feature_is_told_in_one_line(message):
    with pytest.raises(InvalidValueError) as raised:
        brickphys.scene(collection(BAD[message]))
    assert str(raised.value) == f"scene: GeoJSON: features[0]: {message}"


def test_unknown_members_and_missing_tables_are_told():
    with pytest.raises(InvalidValueError, match="unknown member 'fields'"):
        brickphys.scene(collection(fields=1))
    with pytest.raises(InvalidValueError, match=r"field: .*missing"):
        brickphys.scene({"type": "FeatureCollection", "features": []})
    with pytest.raises(InvalidValueError, match="crs: coordinates are studs of the field"):
        brickphys.scene(collection(crs={"type": "name"}))
    with pytest.raises(InvalidValueError, match="features: not a list"):
        brickphys.scene({"type": "FeatureCollection"})


def test_commands_read_geojson(tmp_path):
    file, lines = tmp_path / "scene.geojson", tmp_path / "scenes.jsonl"
    file.write_text(json.dumps(SCENE))
    assert "wall" in run_command("collide", file).stdout
    lines.write_text(json.dumps({"id": 1, **SCENE}) + "\n")
    answers = tmp_path / "answers.jsonl"
    run_command("collide", lines, "--out", answers)
    found = json.loads(answers.read_text())
    assert (found["id"], found["hits"][0]["distance"]) == ("1", 7.0)
    drawn = tmp_path / "out.geojson"
    run_command("collide", file, "--out", drawn)
    assert json.loads(drawn.read_text())["features"][-1]["properties"]["id"] == "wall"
    judged = run_command("validate", "collisions", lines, "--answers", answers, "--json")
    assert json.loads(judged.stdout)["right"] == 1


def test_decor_of_a_scene_may_be_wkt():
    tables = {
        "field": {"width": 48, "height": 32},
        "move": {"vehicle": "jeep"},
        "vehicle": [{"id": "jeep", "x": 8, "y": 8, "heading_deg": 90, "length": 10, "width": 6, "speed": 4}],
        "decor": [{"id": "wall", "polygon": "POLYGON ((0 20, 30 20, 30 21, 0 21, 0 20))"}],
    }  # fmt: skip
    assert brickphys.resolve(tables).hits[0].distance_studs == 7
    tables["decor"][0]["polygon"] = "LINESTRING (0 0, 1 1)"
    with pytest.raises(InvalidValueError, match="is not a POLYGON as WKT has it"):
        brickphys.scene(tables)


def test_outlines_are_read_and_written_as_wkt_and_geojson():
    texts = ["POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))", "polygon z((0 0 1, .5 1e1 1, -4. +2 1))"]
    found = brickphys.outlines(texts)
    for again in (
        found.wkt(),
        found.geojson(),
        [feature(one["coordinates"][0]) for one in found.geojson()],
    ):
        assert (brickphys.outlines(again).vertices_studs == found.vertices_studs).all()
    assert found.wkt()[0] == "POLYGON ((0.0 0.0, 4.0 0.0, 4.0 2.0, 0.0 2.0, 0.0 0.0))"
    assert len(brickphys.outlines(texts[0])) == 1
    shapely = pytest.importorskip("shapely")
    shapes = shapely.from_wkt(found.wkt())
    assert (brickphys.outlines(shapes).vertices_studs == found.vertices_studs).all()
    assert len(brickphys.outlines(shapes[0])) == 1
    assert [shapely.from_wkt(one).area for one in found.wkt()] == [8, 20.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("POLYGON EMPTY", "'POLYGON EMPTY': WKT is POLYGON ((0 0, 1 0, 1 1, 0 0))"),
        ("POLYGON ((0 0, 1 nan, 1 1))", "WKT is POLYGON"),
        ("POLYGON ((0 0, 9 0, 9 9), (1 1, 0 9, 2 2))", "its edges cross or run back over"),
        ("MULTIPOLYGON (((0 0, 1 0, 1 1))", "a bracket is missing: WKT is POLYGON"),
        ("LINESTRING (0 0, 1 1)", "is not a POLYGON as WKT has it"),
        ("", "'' is not a POLYGON as WKT has it"),
        ("POLYGON ((0 0, 2 2, 2 0, 0 2))", "its edges cross or run back over each other"),
    ],
)
def test_bad_wkt_is_told_in_one_line(text, message):
    with pytest.raises(InvalidValueError, match=f"^outline 0: .*{re.escape(message)}"):
        brickphys.outlines(text)
    with pytest.raises(InvalidValueError, match=r"^outline 1: 7 is not a list of corners"):
        brickphys.outlines([WALL_TEXT, 7])


WALL_TEXT = "POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))"
