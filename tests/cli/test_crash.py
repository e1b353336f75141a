"""`collide --physics` and `--animate`, as programs and people meet them."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from brickphys.cli.main import cli
from brickphys.vehicles.crash import crash
from brickphys.vehicles.scene_file import parse_scene
from tests.command_line import answer, assert_refused, brickphys
from tests.jeep_scene import jeep_scene

run = partial(brickphys, "collide")

JEEP = jeep_scene('model = "jeep"\nspeed = 3\n')
SCENE = f"""{JEEP}[[unit]]
id = "peasant"
x = 18.5
y = 16.5
[[decor]]
id = "wall"
polygon = [[22, 6], [23, 6], [23, 12], [22, 12]]
"""
HORSE = """
[field]
width = 120
height = 32
[move]
vehicle = "horse"
[[vehicle]]
id = "horse"
model = "horse"
x = 8.0
y = 16.0
heading_deg = 0.0
speed = 12
[[decor]]
id = "wall"
polygon = [[20, 10], [21, 10], [21, 22], [20, 22]]
top = 9.0
"""


@pytest.fixture
def scene_file(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE)
    return path


def test_physics_is_one_more_key(scene_file: Path):
    plain = answer("collide", scene_file)
    more = answer("collide", scene_file, "--physics")
    physics = more.pop("physics")
    assert more == plain
    expected = crash(parse_scene(SCENE))
    assert physics["speed_m_s"] == pytest.approx(0.3)
    assert [i["second"] for i in physics["impacts"]] == [i.second for i in expected.impacts]
    assert [o["id"] for o in physics["outcomes"]] == ["jeep", "peasant", "wall"]
    assert set(physics["thrown_to"]) == {"peasant"}
    x, y = physics["thrown_to"]["peasant"]
    assert (x % 1, y % 1) == (0.5, 0.5)


def test_scale_and_surface_are_used(scene_file: Path):
    words = ("--physics", "--speed-scale", "0.05", "--surface", "glass", "--json")
    physics = json.loads(run(scene_file, *words).stdout)["physics"]
    assert physics["speed_m_s"] == pytest.approx(0.15)


def test_tables_tell_the_crash(scene_file: Path):
    told = run(scene_file, "--physics").stdout
    assert "rigid bodies: jeep starts at 0.3 m/s" in told
    assert "tilt, moved, nearest" in " ".join(told.split())
    assert "knocked over" in told


def test_energies_are_said_of_an_empty_field_and_of_a_figure(scene_file: Path):
    """The jeep of 32.8 g has 1.48 mJ at 0.3 m/s; places are doubtful only after figures."""
    doubt = "Places after figures are struck differ by some studs with step and processor"
    told = run(scene_file, "--physics").stdout
    assert doubt in told
    scene_file.write_text(SCENE.split("[[unit]]")[0])
    told = run(scene_file, "--physics").stdout
    assert "first impacts take 0.00 of the 1.48 mJ of kinetic energy put in" in told
    assert doubt not in told


def test_impacts_name_whose_change_of_velocity_they_tell(scene_file: Path):
    told = run(scene_file, "--physics").stdout
    head = [" ".join(line.split()) for line in told.splitlines()]
    units = "impact of with studs studs m/s mN s first, m/s second, m/s mJ"
    assert (
        "after, at, closing, impulse, delta-v of the of the energy lost,"
        in head[: head.index(units)]
    )
    (impact, *_) = answer("collide", scene_file, "--physics")["physics"]["impacts"]
    assert impact["impulse_mn_s"] > 0
    assert len(impact["delta_v_m_s"]) == 2


def test_crew_that_is_thrown_off_is_told_with_a_free_stud(tmp_path: Path):
    """A horse stops at a low wall; its rider flies over it."""
    path = tmp_path / "horse.toml"
    path.write_text(HORSE)
    told = run(path, "--physics", "--speed-scale", "0.2").stdout
    (row,) = [line for line in told.splitlines() if line.startswith("horse/rider")]
    assert "thrown off" in row
    assert row.endswith(")")
    physics = answer("collide", path, "--physics", "--speed-scale", "0.2")["physics"]
    assert physics["riders"][0]["thrown_off"]
    assert physics["thrown_to"]["horse/rider"]


def test_a_vehicle_without_speed_stands_still_and_is_not_filmed(scene_file: Path):
    scene_file.write_text(SCENE.replace("speed = 3", "speed = 0"))
    assert run(scene_file, "--physics").stdout.endswith("rigid bodies: jeep stands still\n")
    assert_refused(run(scene_file, "--animate", "f.gif"), "jeep stands still: nothing to film")


def test_film_is_written_and_not_overwritten(scene_file: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("brickphys.plots.physics_film.MOST_FRAMES", 2)  # a whole one takes long
    film = tmp_path / "film.gif"
    first = CliRunner().invoke(cli, ["collide", str(scene_file), "--animate", str(film)])
    assert (first.exit_code, first.stderr) == (0, f"film: {film}\n")
    assert "rigid bodies: jeep" in first.stdout
    assert film.read_bytes()[:6] == b"GIF89a"
    again = run(scene_file, "--animate", film)
    assert_refused(again, "exists already; --force replaces it")
