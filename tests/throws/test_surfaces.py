import math
from dataclasses import replace
from importlib.resources import files

import pytest

from brickphys.engines.bullet import BulletEngine
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import (
    BRICK_ON_BRICK,
    MAX_FRICTION,
    SURFACES,
    ContactCoefficients,
    Surface,
    parse_surface,
    surface,
)


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
