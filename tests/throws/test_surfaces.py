"""Floors, surfaces and conditions of throws: those that ship, those of files, and impossible ones."""

import math
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from brickphys.engines.bullet import BulletEngine
from brickphys.errors import InvalidValueError
from brickphys.odds.provenance import (
    MAX_FRICTION,
    MAX_HEIGHT_MM,
    MAX_SPEED_M_S,
    MAX_SPIN_RAD_S,
)
from brickphys.seeds import uniforms
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import (
    BRICK_ON_BRICK,
    MAX_BRICKS,
    PRESETS,
    SURFACES,
    Conditions,
    ContactCoefficients,
    Surface,
    parse_surface,
    preset,
    surface,
)
from brickphys.throws.release import BASEPLATE, FLOORS, PLANE, TRAY, floor, release


@pytest.mark.parametrize("name", SURFACES)
def test_surface_knows_its_name_and_its_source(name):
    assert surface(name).name == name
    assert surface(name).source


@pytest.mark.parametrize("name", SURFACES)
def test_nominal_contact_is_inside_both_ranges(name):
    found = surface(name)
    assert found.friction[0] < found.nominal.friction < found.friction[1]
    assert found.restitution[0] < found.nominal.restitution < found.restitution[1]


@pytest.mark.parametrize("name", SURFACES)
def test_ends_of_the_ranges_are_contacts_that_the_reference_engine_trusts(name):
    found = surface(name)
    for friction, restitution in zip(found.friction, found.restitution, strict=True):
        assert (
            ContactCoefficients(friction, restitution).restitution <= BulletEngine().max_restitution
        )


def test_bricks_meet_each_other_as_a_contact_that_the_reference_engine_trusts():
    assert BRICK_ON_BRICK.restitution <= BulletEngine().max_restitution


@pytest.mark.parametrize(
    ("given", "nearest"), [("woood", "wood"), ("Glas", "glass"), ("clot", "cloth")]
)
def test_unknown_surface_names_the_nearest(given, nearest):
    with pytest.raises(InvalidValueError, match=f"surface '{given}': did you mean '{nearest}'"):
        surface(given)


def test_unknown_surface_far_from_all_names_them_all():
    with pytest.raises(InvalidValueError, match="known: wood, glass, cloth"):
        surface("lava")


@pytest.mark.parametrize("friction", [-0.1, MAX_FRICTION + 0.1, math.nan, math.inf, -math.inf])
def test_impossible_friction_is_refused(friction):
    with pytest.raises(InvalidValueError, match=f"friction {friction:g} is outside 0 to 5"):
        ContactCoefficients(friction, 0.5)


@pytest.mark.parametrize("restitution", [-0.1, 1.01, math.nan, math.inf, -math.inf])
def test_impossible_restitution_is_refused(restitution):
    with pytest.raises(InvalidValueError, match=f"restitution {restitution:g} is outside 0 to 1"):
        ContactCoefficients(0.4, restitution)


def test_limits_themselves_are_contacts():
    assert ContactCoefficients(0.0, 0.0).friction == 0.0
    assert ContactCoefficients(MAX_FRICTION, 1.0).restitution == 1.0


FELT = """name = "felt"
friction = [0.5, 0.7]
restitution = [0.1, 0.3]
source = "supposed"
"""


def test_a_surface_file_has_the_form_of_those_that_ship(tmp_path):
    folder = files("brickphys.throws") / "materials"
    for name, shipped in SURFACES.items():
        text = (folder / f"{name}.toml").read_text(encoding="utf-8")
        read = parse_surface(text.replace(f'"{name}"', '"mine"', 1), "mine.toml")
        assert replace(read, name=name) == shipped
    assert len(list(folder.iterdir())) == len(SURFACES)


def test_a_surface_file_is_read_by_its_name(tmp_path):
    path = tmp_path / "felt.TOML"
    path.write_text(FELT)
    assert surface(str(path)) == Surface("felt", (0.5, 0.7), (0.1, 0.3), "supposed")
    assert surface(str(path)).nominal == ContactCoefficients(0.6, 0.2)


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('"felt"', '"wood"', "name: 'wood' is a surface that ships"),
        ('"felt"', '"Green felt"', "is not a name"),
        ("friction", "fricton", "fricton: unknown key, did you mean 'friction'?"),
        ("0.5, 0.7", "0.7, 0.5", r"friction \[0.7, 0.5\] is reversed"),
        ("0.7]", "0.7]\nimpact_friction = [0.4, 0.2]", r"friction \[0.4, 0.2\] is reversed"),
        ("0.7]", "0.7]\nimpact_friction = [0.4, 9]", "friction 9 is outside 0 to 5"),
        ("0.5, 0.7", "0.5", "friction: 1 value where at least 2 are needed"),
        ("0.5, 0.7", "-0.5, 0.7", "friction -0.5 is outside 0 to 5"),
        ("0.1, 0.3", "0.1, 1.3", "restitution 1.3 is outside 0 to 1"),
        ("0.1, 0.3", "nan, 0.3", "restitution.*finite number"),
        ('source = "supposed"', "", "source: missing"),
        ('"supposed"', '""', "source"),
        ("[0.5", "0.5", "not TOML"),
    ],
)
def test_a_fault_of_a_surface_file_is_told_with_its_place(before, after, fault):
    with pytest.raises(InvalidValueError, match=rf"^felt\.toml: .*{fault}"):
        parse_surface(FELT.replace(before, after), "felt.toml")


def test_a_surface_file_that_is_not_there_is_told():
    with pytest.raises(InvalidValueError, match=r"no_such\.toml: cannot be read"):
        surface("no_such.toml")


BRICK = parse_shape("2x2")


def test_a_misspelt_floor_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InvalidValueError, match="did you mean 'baseplate'"):
        floor("basplate")


@pytest.mark.parametrize("name", FLOORS)
def test_every_floor_is_made_of_a_known_surface(name: str) -> None:
    assert floor(name).surface in SURFACES


def test_only_walls_stop_a_flight() -> None:
    position, velocity = np.array([[0.0, 0.0, 100.0]]), np.array([[1.0, -2.0, 0.0]])
    for form in (PLANE, BASEPLATE):
        assert form.wall_time(position, velocity, 10.0)[0] == np.inf
        assert not form.near_wall(position, 1000.0).any()


def test_a_flight_to_the_wall_takes_distance_over_speed() -> None:
    """Against bisection on the position itself, for flights in all directions."""
    u = uniforms(1, (), 0, 200, 4)
    position = np.column_stack([200 * u[:, :2] - 100, np.full(200, 50.0)])
    velocity = np.column_stack([4 * u[:, 2:] - 2, np.zeros(200)])
    time = TRAY.wall_time(position, velocity, 10.0)
    there = position + 1000 * velocity * time[:, None]
    assert np.abs(there[:, :2]).max(axis=1) == pytest.approx(125.0 - 10.0)
    assert (time > 0).all()


def test_in_reach_of_a_wall_or_at_rest() -> None:
    position = np.array([[116.0, 0.0, 5.0], [0.0, -116.0, 5.0], [114.0, 0.0, 5.0]])
    velocity = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    assert TRAY.near_wall(position, 10.0).tolist() == [True, True, False]
    assert TRAY.wall_time(position, velocity, 10.0).tolist() == [0.0, 0.0, np.inf]


def test_no_place_between_studs_is_preferred_and_nothing_else_changes() -> None:
    plane = release(BRICK, PRESETS["drop"], 1, (4,), 0, 4000)
    studs = release(BRICK, PRESETS["drop"], 1, (4,), 0, 4000, BASEPLATE)
    shift = (studs.position_mm - plane.position_mm)[:, 0]
    assert (shift[:, 2] == 0).all()
    counts, _, _ = np.histogram2d(shift[:, 0], shift[:, 1], bins=4, range=[[0, 8], [0, 8]])
    assert counts.sum() == 4000
    assert ((counts - 250) ** 2 / 250).sum() < 44.3  # chi2 with 15 degrees of freedom, 1e-4
    for name in ("quaternion", "velocity_m_s", "spin_rad_s"):
        assert np.array_equal(getattr(plane, name), getattr(studs, name))


def test_a_hand_that_does_not_fit_into_the_tray_is_refused() -> None:
    many = Conditions((100.0, 300.0), 1.0, 30.0, bricks=60)
    with pytest.raises(InvalidValueError, match="do not fit into the tray"):
        release(parse_shape("2x4"), many, 1, (), 0, 1, TRAY)


HAND = PRESETS["hand"]
INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("name", PRESETS)
def test_preset_knows_its_name_and_releases_one_brick(name):
    assert preset(name).preset == name
    assert preset(name).bricks == 1


def test_hand_preset_is_the_documented_one():
    assert HAND.height_mm == (100.0, 300.0)
    assert (HAND.speed_m_s, HAND.spin_rad_s) == (1.0, 30.0)


def test_values_without_a_preset_are_called_custom():
    assert Conditions((50.0, 60.0), 1.0, 2.0).preset == "custom"


@pytest.mark.parametrize(
    ("given", "nearest"), [("hnad", "hand"), ("Drop", "drop"), ("cupp", "cup"), ("HAND", "hand")]
)
def test_unknown_preset_names_the_nearest(given, nearest):
    with pytest.raises(
        InvalidValueError, match=f"unknown preset '{given}': did you mean '{nearest}'"
    ):
        preset(given)


def test_unknown_preset_far_from_all_names_them_all():
    with pytest.raises(InvalidValueError, match="known: hand, gentle, toss, roll, drop, cup, flip"):
        preset("trebuchet")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"height_mm": (-1.0, 10.0)}, "height_mm -1 is outside 0 to 5000"),
        ({"height_mm": (0.0, 10.0)}, "height_mm 0 must be above 0"),
        ({"height_mm": (10.0, 10_000.0)}, "height_mm 10000 is outside"),
        ({"height_mm": (NAN, 10.0)}, "height_mm nan is outside"),
        ({"height_mm": (10.0, INF)}, "height_mm inf is outside"),
        ({"height_mm": (300.0, 100.0)}, "300:100 is reversed: write 100:300"),
        ({"speed_m_s": -0.1}, "speed_m_s -0.1 is outside 0 to 20"),
        ({"speed_m_s": 20.1}, "speed_m_s 20.1 is outside"),
        ({"speed_m_s": NAN}, "speed_m_s nan is outside"),
        ({"speed_m_s": INF}, "speed_m_s inf is outside"),
        ({"spin_rad_s": -1.0}, "spin_rad_s -1 is outside 0 to 500"),
        ({"spin_rad_s": 501.0}, "spin_rad_s 501 is outside"),
        ({"spin_rad_s": NAN}, "spin_rad_s nan is outside"),
        ({"spin_rad_s": -INF}, "spin_rad_s -inf is outside"),
        ({"scatter": -0.01}, "scatter -0.01 is outside 0 to 1"),
        ({"scatter": 1.01}, "scatter 1.01 is outside"),
        ({"scatter": NAN}, "scatter nan is outside"),
        ({"bricks": 0}, "bricks 0 is outside 1"),
        ({"bricks": -3}, "bricks -3 is outside 1"),
        ({"bricks": MAX_BRICKS + 1}, f"bricks {MAX_BRICKS + 1} is outside"),
    ],
)
def test_impossible_value_is_refused_with_the_value_and_its_limits(values, words):
    with pytest.raises(InvalidValueError) as caught:
        replace(HAND, **values)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [
        ("height_mm", (1e-3, 1e-3), (MAX_HEIGHT_MM, MAX_HEIGHT_MM)),
        ("speed_m_s", 0.0, MAX_SPEED_M_S),
        ("spin_rad_s", 0.0, MAX_SPIN_RAD_S),
        ("bricks", 1, MAX_BRICKS),
        ("scatter", 0.0, 1.0),
    ],
)
def test_limits_themselves_are_allowed_and_kept(name, lowest, highest):
    assert getattr(replace(HAND, **{name: lowest}), name) == lowest
    assert getattr(replace(HAND, **{name: highest}), name) == highest
