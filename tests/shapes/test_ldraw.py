"""Models of LDraw: numbers by hand and by thrown bodies, what must not matter, scenes, and refusals."""

from math import cos, sin
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.vehicles.scene_file import parse_scene, read_scene, scene_text
from tests.command_line import answer, assert_refused
from tests.command_line import brickphys as run_command

CAR = Path(__file__).parents[1] / "reliability" / "example_files" / "car.mpd"
BODIES = {"3001": "2x4", "3004": "1x2", "3003": "2x2", "3020": "plate:2x4", "3024": "plate:1x1"}
UPRIGHT = ("1 0 0 0 1 0 0 0 1", "0 0 1 0 1 0 -1 0 0", "-1 0 0 0 1 0 0 0 -1", "0 0 -1 0 1 0 1 0 0")


def model(folder, text, name="m.ldr"):
    (folder / name).write_text(text)
    return brickphys.ldraw(folder / name)


def brick(at, part="3001", turn=UPRIGHT[0]):
    return f"1 4 {at} {turn} {part}.dat"


placed = st.tuples(
    st.sampled_from(sorted(BODIES)), st.integers(-4, 4), st.integers(-4, 4), st.integers(-9, 9),
    st.integers(0, 3),
)  # fmt: skip


@given(st.lists(placed, min_size=1, max_size=6, unique=True))
def test_bricks_on_the_grid_are_those_that_are_thrown(tmp_path_factory, bricks):
    """Masses and their centres are those of bodies with sharp edges; squares of one stud are counted one by one."""
    lines, cells, masses, centres, ends = [], set(), [], [], []
    for part, x, z, level, quarter in bricks:
        kind, _, studs = BODIES[part].rpartition(":")
        long_z, long_x = map(int, studs.split("x")[:: -1 if quarter % 2 else 1])
        high = 8 if kind else 24
        at = 20 * x + 10 * long_x, 8 * level, 20 * z + 10 * long_z
        lines.append(brick("{} {} {}".format(*at), part, UPRIGHT[quarter]))
        cells |= {(x + i, z + j) for i in range(long_x) for j in range(long_z)}
        body = parse_shape(f"{BODIES[part]}:r0")
        masses.append(body.mass_g)
        centres.append((-0.4 * at[2], 0.4 * at[0], body.centre_of_mass_mm - 0.4 * (at[1] + high)))
        ends += [8 * level, 8 * level + high]
    found = model(tmp_path_factory.mktemp("grid"), "\n".join(lines))
    assert found.outline_studs.area == pytest.approx(len(cells))
    xs, zs = np.array([*cells]).T
    assert (found.shape["length"], found.shape["width"]) == (np.ptp(zs) + 1, np.ptp(xs) + 1)
    assert found.shape["top"] == pytest.approx((max(ends) - min(ends)) / 8)
    assert found.mass.mass_g == pytest.approx(sum(masses))
    origin = -8 * (zs.min() + zs.max() + 1) / 2, 8 * (xs.min() + xs.max() + 1) / 2, -0.4 * max(ends)
    middle = np.average(centres, axis=0, weights=masses) - origin
    assert found.mass.centre_mm == pytest.approx(middle, abs=1e-9)


@given(st.floats(-3, 3))
def test_a_turned_model_is_the_same_model(tmp_path_factory, angle):
    """Its mass, its area and its moment about the axis of the turn stay, upright or tilted."""
    folder, (c, s), text = (
        tmp_path_factory.mktemp("turned"),
        (cos(angle), sin(angle)),
        CAR.read_text(),
    )
    plain = model(folder, text, "a.mpd")
    for turn, axis in ((f"{c} 0 {s} 0 1 0 {-s} 0 {c}", 2), (f"{c} {-s} 0 {s} {c} 0 0 0 1", 0)):
        other = model(folder, f"0 FILE all.ldr\n1 16 7 5 3 {turn} car.ldr\n{text}", "b.mpd")
        found = other.mass.mass_g, other.mass.inertia_g_mm2[axis, axis]
        assert found == pytest.approx((plain.mass.mass_g, plain.mass.inertia_g_mm2[axis, axis]))
        area = plain.outline_studs.area
        assert axis == 0 or other.outline_studs.area == pytest.approx(area, abs=1e-4)


def test_the_car_is_that_of_a_calculation_by_hand():
    """A floor of 2 x 8 studs with two pairs of wheels that are 0.8 studs wide and 1.8 across."""
    car = brickphys.ldraw(CAR)
    assert car.outline_studs.area == pytest.approx(16 + 4 * 0.8 * 1.8)
    assert [car.shape[key] for key in ("length", "width", "top")] == [8.0, 3.6, 7.5]
    assert car.left_out == ("left out: line 10: '6141.dat' is not a known part",)
    tyre = next(part for part in car.parts if part.number == "3641").mass()
    assert tyre.mass_g == pytest.approx(np.pi * (7.2**2 - 4**2) * 6.4 * 1.15e-3)
    assert car.mass.centre_mm[1] == pytest.approx(0.0, abs=1e-9)
    assert [one.piece.colour for one in car.parts][:3] == ["dark_grey", "black", "white"]


LINE = "1 4 0 0 0 1 0 0 0 1 0 0 0 1"
MANY = "".join(f"0 FILE {n}\n" + f"{LINE} {n + 1}\n" * 9 for n in range(9))
BAD = [
    ("0 FILE ", "no part of it is known"),
    (f"{LINE} nothing.dat", "no part of it is known; left out: line 1: 'nothing.dat'"),
    (brick("nan 0 0"), "line 1: not a colour, 12 numbers and a file"),
    ("0 hello\n1 4 0 0 0 1 0 0 0 1 0 3001.dat", "line 2: not a colour, 12 numbers and a file"),
    (
        brick("0 0 0", turn="-1 0 0 0 1 0 0 0 1"),
        "line 1: its matrix mirrors, stretches or shears '3001.dat'",
    ),
    (brick("0 0 0", turn="1 0.3 0 0 1 0 0 0 1"), "line 1: its matrix mirrors, stretches"),
    (f"0 FILE a.ldr\n{LINE} A.LDR", "line 2: 'a.ldr' uses itself"),
    (f"0 FILE a.ldr\n{LINE} b.ldr\n0 FILE b.ldr\n{LINE} a.ldr", "line 4: 'a.ldr' uses itself"),
    (MANY, "more than 10,000 lines are used"),
]


@pytest.mark.parametrize(("text", "fault"), BAD)
def test_what_is_wrong_is_told_in_one_line(tmp_path, text, fault):
    with pytest.raises(InvalidValueError, match=fault) as error:
        model(tmp_path, text, "m.mpd")
    assert "\n" not in str(error.value)


SCENE = """
field = {width = 48, height = 32}
move = {vehicle = "mine"}
decor = [{id = "post", polygon = [[20, 17.2], [21, 17.2], [21, 19], [20, 19]]}]
vehicle = [{id = "mine", ldraw = "car.mpd", x = 8.0, y = 16.0, heading_deg = 0.0, speed = 4}]
"""


def test_a_scene_takes_the_shape_of_a_model(tmp_path, caplog):
    """The front wheel, which ends 2.9 studs ahead of the middle, meets the post; the body would miss it."""
    (tmp_path / "car.mpd").write_bytes(CAR.read_bytes())
    (tmp_path / "s.toml").write_text(SCENE)
    scene = read_scene(tmp_path / "s.toml")
    (hit,) = brickphys.resolve(scene).hits
    assert hit.distance_studs == pytest.approx(20 - 8 - 2.9)
    assert "car.mpd: left out: line 10: '6141.dat'" in caplog.text
    assert parse_scene(scene_text(scene)) == scene
    with pytest.raises(InvalidValueError, match="ldraw: only a scene file names files"):
        parse_scene(SCENE)


def test_the_command_shows_a_model(tmp_path):
    found = answer("collide", CAR, "--plot", "car.png", cwd=tmp_path)
    assert found["mass_g"] == pytest.approx(brickphys.ldraw(CAR).mass.mass_g)
    assert (tmp_path / "car.png").is_file()
    told = run_command("collide", CAR, cwd=tmp_path).stdout
    assert "13 parts, 8 x 3.6 studs, 7.5 plates high, 11.75 g\n" in told
    result = run_command("collide", CAR, "--physics", cwd=tmp_path)
    assert_refused(result, "--physics is not for a model of LDraw")
