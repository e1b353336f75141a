"""`collide` with a course, as programs and people meet it."""

import json
from math import hypot, radians

import pytest
from click.testing import CliRunner

from brickphys.cli.main import cli
from tests.jeep_scene import jeep_scene

COURSE = """[[move.piece]]
ahead = 4.0
[[move.piece]]
turn_deg = -60.0
[[move.piece]]
ahead = 9.0
"""
JEEP = jeep_scene(pieces=COURSE)
SCENE = f"""{JEEP}[[unit]]
id = "peasant"
x = 17.0
y = 16.0
[[unit]]
id = "archer"
x = 7.0
y = 21.0
[[decor]]
id = "wall"
polygon = [[19.5, 2], [20.5, 2], [20.5, 22], [19.5, 22]]
"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE)
    return str(path)


def test_json_tells_pieces_and_hits(scene):
    document = json.loads(CliRunner().invoke(cli, ["collide", scene, "--json"]).output)
    move, (first, second) = document["move"], document["hits"]
    straight, turn = move["pieces"]
    assert straight == {"travelled": 4.0, "stopped_by": []}
    assert turn["stopped_by"] == move["stopped_by"] == ["wall"]
    assert -60.0 < turn["turned_deg"] < 0.0
    assert (move["distance"], move["travelled"], move["leaves_field"]) == (13.0, 4.0, False)
    assert move["end"] == {"x": 14.0, "y": 16.0, "heading_deg": turn["turned_deg"]}
    assert (first["id"], first["piece"], first["distance"]) == ("peasant", 0, 1.5)
    assert (first["turned_deg"], first["impact_deg"]) == (None, 90.0)
    assert (second["id"], second["piece"], second["distance"]) == ("wall", 1, None)
    assert (first["normal"], first["pose"]) == (
        [-1.0, 0.0],
        {"x": 11.5, "y": 16.0, "heading_deg": 0.0},
    )
    assert sorted(first["edge"]) == [[16.5, 15.5], [16.5, 16.5]]
    assert second["turned_deg"] == turn["turned_deg"]
    assert second["pose"] == move["end"]
    assert 0 < second["impact_deg"] < 90


def test_json_tells_what_is_missed_if_asked(scene):
    words = ["collide", scene, "--clearance", "2", "--json"]
    (miss,) = json.loads(CliRunner().invoke(cli, words).output)["clearances"]
    assert (miss["kind"], miss["id"], miss["piece"]) == ("unit", "archer", 0)
    assert (miss["clearance"], miss["distance"], miss["turned_deg"]) == (1.5, 0.0, None)


def test_people_read_that_nothing_is_so_near(scene):
    result = CliRunner().invoke(cli, ["collide", scene, "--clearance", "1"])
    assert "no near miss within this distance" in result.output


def test_people_read_in_which_piece_it_stops(scene, tmp_path):
    result = CliRunner().invoke(cli, ["collide", scene, "--plot", str(tmp_path / "scene.png")])
    assert "a course of 3 pieces; stopped after -" in result.output
    assert "degrees of piece 1 by wall" in result.output
    assert (tmp_path / "scene.png").is_file()


def test_bodies_make_the_whole_course(tmp_path):
    """The wall stops the jeep in the turn, as the geometry says."""
    path = tmp_path / "fast.toml"
    fast = SCENE.replace("heading_deg = 0.0\n", "heading_deg = 0.0\nspeed = 3\n", 1)
    path.write_text(fast.replace("17.0\ny = 16.0", "40.0\ny = 28.0"))
    words = ["collide", str(path), "--physics", "--json"]
    found = json.loads(CliRunner().invoke(cli, words).stdout)
    reach = hypot(5.0, 3.0)  # of the corner that has the speed in a turn on the spot
    way = 4.0 - reach * radians(found["hits"][0]["turned_deg"])
    assert [hit["id"] for hit in found["hits"]] == ["wall"]
    assert not found["physics"]["differences"]
    assert found["physics"]["travelled"] == pytest.approx(way, abs=0.01)


def test_what_a_lashed_hull_strikes_is_told(tmp_path):
    """The prize sticks out to the left of the jeep, and a wall stands in its way only."""
    path = tmp_path / "lashed.toml"
    prize = '[[vehicle]]\nid="prize"\nx=10.0\ny=21.0\nheading_deg=0.0\nlength=10.0\nwidth=4.0\n'
    head, tail = SCENE.split("[[move.piece]]", 1)
    path.write_text(
        f'{head}lashed = ["prize"]\n[[move.piece]]{tail}{prize}'.replace(
            "x = 7.0\ny = 21.0", "x = 17.0\ny = 22.0"
        )
    )
    told = CliRunner().invoke(cli, ["collide", str(path)]).output
    assert told.startswith("jeep with prize lashed to it: ")
    rows = {line.split()[0]: line.split()[-1] for line in told.splitlines() if line}
    assert (rows["peasant"], rows["archer"]) == ("jeep", "prize")
    document = json.loads(CliRunner().invoke(cli, ["collide", str(path), "--json"]).output)
    assert document["move"]["lashed"] == ["prize"]
    assert {hit["id"]: hit["struck_by"] for hit in document["hits"]}["archer"] == "prize"
