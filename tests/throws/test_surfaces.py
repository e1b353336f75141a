import math

import pytest

from brickphys.engines.bullet import BulletEngine
from brickphys.errors import InvalidValueError
from brickphys.throws.surfaces import (
    BRICK_ON_BRICK,
    MAX_FRICTION,
    SURFACES,
    ContactCoefficients,
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
