"""The result of a move as JSON and rows: a scene on whole studs, whose every number follows by hand."""

import tomllib

import pytest

import brickphys
from brickphys.vehicles.collision import scene as scene_of
from brickphys.vehicles.scene_file import parse_scene
from tests.jeep_scene import SIZE, jeep_scene

JEEP = jeep_scene(SIZE + "speed = 4\n", "{piece}\n")
SCENE = f"""{JEEP}[[unit]]
id = "peasant"
x = 18.5
y = 15.0
[[unit]]
id = "beside"
x = 22.5
y = 20.5
[[vehicle]]
id = "cart"
x = 30.0
y = 18.0
heading_deg = 90.0
length = 8.0
width = 4.0
speed = 2
"""
PEASANT = {
    "kind": "unit",
    "id": "peasant",
    "struck_by": "jeep",
    "part": None,
    "struck_part": None,
    "piece": 0,
    "distance": 3.0,
    "turned_deg": None,
    "impact_deg": 90.0,
    "point": [18.0, 15.0],
    "normal": [-1.0, 0.0],
    "edge": [[18.0, 15.5], [18.0, 14.5]],
    "pose": {"x": 13.0, "y": 16.0, "heading_deg": 0.0},
    "sector": None,
    "relative_speed": 4,
    "bricks": 4,
}
CART = {
    "kind": "vehicle",
    "id": "cart",
    "struck_by": "jeep",
    "part": None,
    "struck_part": None,
    "piece": 0,
    "distance": 13.0,
    "turned_deg": None,
    "impact_deg": 90.0,
    "point": [28.0, 16.5],
    "normal": [-1.0, 0.0],
    "edge": [[28.0, 22.0], [28.0, 14.0]],
    "pose": {"x": 23.0, "y": 16.0, "heading_deg": 0.0},
    "sector": "left",
    "relative_speed": 4,
    "bricks": 4,
}


def resolved(piece=""):
    return brickphys.resolve(SCENE.format(piece=piece), clearance_studs=3)


def test_a_straight_move_in_full():
    """The fronts meet at 18 and at 28; the figure beside is a stud from the side, first when the front is at 22."""
    found = resolved().document()
    assert found["move"] == {
        "vehicle": "jeep",
        "distance": 20.0,
        "travelled": 13.0,
        "stopped_by": ["cart"],
        "leaves_field": False,
        "pieces": [{"travelled": 13.0, "stopped_by": ["cart"]}],
        "end": {"x": 23.0, "y": 16.0, "heading_deg": 0.0},
        "lashed": [],
    }
    assert found["hits"] == [PEASANT, CART]
    beside = {"kind": "unit", "id": "beside", "clearance": 1.0, "piece": 0, "distance": 7.0}
    assert found["clearances"] == [{**beside, "turned_deg": None}]
    assert "clearances" not in brickphys.resolve(SCENE.format(piece="")).document()


def test_a_straight_move_in_words_and_rows():
    found = resolved()
    assert found.line() == "jeep at speed 4, 20 studs: stopped after 13.0 studs by cart; 2 hits"
    assert found.rows()[1] == {
        "hit": "cart",
        "kind": "vehicle",
        "distance_studs": 13.0,
        "turned_deg": None,
        "sector": "left",
        "bricks_to_resist": 4,
        "x_studs": 28.0,
        "y_studs": 16.5,
    }


def test_a_course_in_full():
    """Up to 0.1 studs before the figure, then half a turn about its middle, in which a corner sweeps over it."""
    found = resolved("[[move.piece]]\nahead = 2.9\n[[move.piece]]\nturn_deg = 180.0").document()
    assert [list(piece) for piece in found["move"]["pieces"]] == [
        ["travelled", "stopped_by"],
        ["turned_deg", "stopped_by"],
    ]
    assert found["move"]["pieces"][0] == {"travelled": 2.9, "stopped_by": []}
    assert found["move"]["end"] == pytest.approx({"x": 12.9, "y": 16.0, "heading_deg": 180.0})
    assert found["move"]["leaves_field"] is False
    hits = {hit["id"]: hit for hit in found["hits"]}
    assert (hits["peasant"]["piece"], hits["peasant"]["distance"]) == (1, None)
    assert 0.0 < hits["peasant"]["turned_deg"] < 180.0
    near = {miss["id"]: miss for miss in found["clearances"]}
    assert near.keys().isdisjoint(hits)
    assert all((miss["distance"] is None) == (miss["piece"] == 1) for miss in near.values())


def test_a_clearance_below_0_is_refused():
    with pytest.raises(brickphys.BrickphysError, match="clearance -1 is not 0 or more"):
        brickphys.resolve(SCENE.format(piece=""), clearance_studs=-1)
    assert brickphys.resolve(SCENE.format(piece=""), clearance_studs=0).misses == ()


def test_a_scene_is_taken_from_its_file_its_text_its_tables_itself_or_a_collision(tmp_path):
    text, path = SCENE.format(piece=""), tmp_path / "scene.toml"
    path.write_text(text)
    made = parse_scene(text)
    for source in (path, str(path), text, tomllib.loads(text), made, brickphys.resolve(made)):
        assert scene_of(source) == made


@pytest.mark.parametrize(
    ("sectors", "side", "bricks"),
    [(None, "front", 6), ("quadrant", "front", 6), ("corner", "left", 4), ("contact", "front", 6)],
)
def test_the_sectors_are_those_of_the_scheme_that_is_asked_for(sectors, side, bricks):
    """A corner of the cart is hit 32 degrees off its heading; the ray through its corner is 27 degrees off."""
    text = SCENE.format(piece="").replace("heading_deg = 90.0", "heading_deg = 160.0")
    hit = brickphys.resolve(text, sectors=sectors).document()["hits"][1]
    assert (hit["id"], hit["sector"], hit["bricks"]) == ("cart", side, bricks)
