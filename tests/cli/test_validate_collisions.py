"""`validate collisions`, as programs and people meet it."""

import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from brickphys.cli import validate_collisions as command
from brickphys.cli.main import cli
from brickphys.errors import InvalidValueError
from brickphys.vehicles.course import NamedObstacles, compulsory_move
from brickphys.vehicles.scene import distance_studs
from brickphys.vehicles.validation import validate as validation
from tests import command_line
from tests.command_line import assert_refused, brickphys
from tests.jeep_scene import jeep_scene

pytest.importorskip("shapely")


def run(*words, cwd):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        return CliRunner().invoke(
            cli,
            ["validate", "collisions", "--seed", "3", "--workers", "1", *words],
            catch_exceptions=False,
            standalone_mode=False,
        )


def run_through(*words, **how):
    """Run the command to its end, with its exit status."""
    return command_line.run("validate", "collisions", *words, **how)


def test_json_keeps_its_contract(tmp_path):
    document = json.loads(run("--scenes", "48", "--json", cwd=tmp_path).output)
    assert (document["checked"], document["seed"], document["undecided"]) == (48, 3, 0)
    assert sum(document["disagreements"].values()) == 0
    assert {"hits", "distance", "sector", "pybullet: touch"} <= set(document["disagreements"])
    assert set(document["scenes"].values()) == {2}
    assert document["compared"]["hits"] > 0
    assert document["compared"]["touches"] > 0
    assert set(document["sectors"]) == {"quadrant", "corner", "contact"}
    assert document["files"] == []
    assert list(tmp_path.iterdir()) == []


def test_table_tells_people(tmp_path):
    output = run("--scenes", "110", cwd=tmp_path).output
    assert "no disagreement in 110 scenes" in output
    assert "normal points out of" in output
    assert "the bricks to resist differ" in output


def test_without_pybullet_there_are_no_sectors_to_tell(tmp_path):
    output = run("--scenes", "11", "--no-pybullet", cwd=tmp_path).output
    assert "PyBullet" not in output
    assert "no disagreement in 11 scenes" in output


def test_disagreements_are_counted_and_written(tmp_path, monkeypatch):
    def blind(scene):
        obstacles = NamedObstacles.of(scene.bounds, scene.things).updated({"thing"})
        return compulsory_move(scene.mover, distance_studs(scene.mover.speed), obstacles)

    monkeypatch.setattr(validation, "resolve", blind)
    result = run_through(
        "--scenes", "11", "--json", "--seed", 3, "--workers", 1, fails=1, cwd=tmp_path
    )
    assert re.fullmatch(r"brickphys: \d+ disagreements\n", result.stderr.splitlines(True)[-1])
    document = json.loads(result.stdout)
    assert document["disagreements"]["hits"] > 0
    assert document["files"]
    assert all((tmp_path / name).is_file() for name in document["files"])
    assert {path.name for path in tmp_path.iterdir()} == {"collisions-3"}


def test_used_folder_is_refused_before_anything_is_done(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "_collisions_document", lambda *_: pytest.fail("it ran"))
    (tmp_path / "collisions-3").mkdir()
    (tmp_path / "collisions-3" / "mine.toml").touch()
    with pytest.raises(InvalidValueError, match="collisions-3: not a new or empty folder"):
        run("--scenes", "11", "--json", cwd=tmp_path)


COURSE = """[[move.piece]]
ahead = 4.0
[[move.piece]]
turn_deg = -60.0
"""
JEEP = jeep_scene(pieces=COURSE)
SCENE = f"""{JEEP}[[decor]]
id = "wall"
polygon = [[19.5, 2], [20.5, 2], [20.5, 22], [19.5, 22]]
"""


def test_scene_of_ones_own_is_checked(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE)
    words = ["validate", "collisions", str(path)]
    document = json.loads(CliRunner().invoke(cli, [*words, "--json"]).output)
    assert (document["checked"], document["undecided"], document["details"]) == (1, 0, [])
    assert document["compared"] == {"legs": 2, "hits": 1, "touches": 1, "rests": 0}
    told = CliRunner().invoke(cli, words).output
    assert told.startswith("no disagreement; compared: 2 pieces, 1 hit, 1 contact of PyBullet")


def test_mistake_in_a_scene_of_ones_own_is_told(tmp_path, monkeypatch):
    resolve = validation.resolve

    def late(scene):
        move = resolve(scene)
        return replace(move, hits=tuple(hit._replace(at=hit.at + 1e-6) for hit in move.hits))

    monkeypatch.setattr(validation, "resolve", late)
    (tmp_path / "scene.toml").write_text(SCENE)
    result = run_through("scene.toml", fails=1, cwd=tmp_path)
    assert result.stdout.startswith("distance: wall: ")
    assert "1 disagreement; compared" in result.stdout
    assert result.stderr == "brickphys: 1 disagreement\n"


def test_trajectories_are_said_not_to_be_checked(tmp_path):
    size = "x = 40\nheading_deg = 0\nlength = 4\nwidth = 4\ntrajectory = [{wait_s = 1.0}]\n"
    moving = "".join(f'[[vehicle]]\nid = "m{y}"\ny = {y}\n{size}' for y in (10, 30))
    (tmp_path / "both.toml").write_text(SCENE + moving)
    told = run_through("both.toml", cwd=tmp_path).stdout
    assert "2 pieces" in told
    assert "trajectories and clearances are not compared" in told
    (tmp_path / "still.toml").write_text(
        (SCENE + moving).replace(COURSE, "").replace("speed = 4", "speed = 0")
    )
    result = brickphys("validate", "collisions", "still.toml", cwd=tmp_path)
    assert_refused(result, "trajectories are not checked; brickphys collide still.toml tells")


def test_options_of_random_scenes_are_refused_for_a_file(tmp_path):
    (tmp_path / "scene.toml").write_text(SCENE)
    words = ["validate", "collisions", str(tmp_path / "scene.toml"), "--scenes", "5"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert "--scenes is for random scenes" in result.output
