"""Sectors of a hit vehicle, and the relative speeds of BOW 3.6.3."""

from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.geometry.motion import ContactPoint, Translation
from brickphys.geometry.polygon import TOLERANCE, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.vehicles.course import Hit, relative_speed
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, sector

CAR = (10.0, 6.0)
MIRRORED = {
    Sector.FRONT: Sector.FRONT,
    Sector.REAR: Sector.REAR,
    Sector.LEFT: Sector.RIGHT,
    Sector.RIGHT: Sector.LEFT,
}
bearings = st.floats(-180, 180, exclude_min=True)


@pytest.mark.parametrize(
    ("bearing", "side"),
    [
        (0.0, Sector.FRONT),
        (45.0, Sector.FRONT),
        (45.0 + 0.5e-9, Sector.FRONT),
        (45.0 + TOLERANCE, Sector.FRONT),
        (135.0 - TOLERANCE, Sector.REAR),
        (45.0 + 2e-9, Sector.LEFT),
        (-45.0, Sector.FRONT),
        (-46.0, Sector.RIGHT),
        (90.0, Sector.LEFT),
        (135.0 - 2e-9, Sector.LEFT),
        (135.0 - 0.5e-9, Sector.REAR),
        (135.0, Sector.REAR),
        (-135.0, Sector.REAR),
        (180.0, Sector.REAR),
    ],
)
def test_boundaries_of_quadrants_belong_to_front_and_rear(bearing, side):
    assert sector(Scheme.QUADRANT, bearing, *CAR) is side


def test_rays_of_the_corner_scheme_run_through_the_corners():
    corner = degrees(atan2(6.0, 10.0))
    assert sector(Scheme.CORNER, corner, *CAR) is Sector.FRONT
    assert sector(Scheme.CORNER, corner + 0.5e-9, *CAR) is Sector.FRONT
    assert sector(Scheme.CORNER, corner + 2e-9, *CAR) is Sector.LEFT
    assert sector(Scheme.CORNER, -180.0 + corner + 2e-9, *CAR) is Sector.RIGHT
    assert sector(Scheme.CORNER, corner - 180.0, *CAR) is Sector.REAR


def test_side_of_a_vehicle_as_thin_as_a_needle_begins_just_off_its_heading():
    for off in (0.1, 1.0, 90.0, 179.9):
        assert sector(Scheme.CORNER, off, 1000.0, 1.0) is Sector.LEFT
        assert sector(Scheme.CORNER, -off, 1000.0, 1.0) is Sector.RIGHT


@given(bearings)
def test_square_vehicle_has_the_same_sectors_in_both_schemes_of_rays(bearing):
    assert sector(Scheme.CORNER, bearing, 7.0, 7.0) is sector(Scheme.QUADRANT, bearing, 7.0, 7.0)


@pytest.mark.parametrize("scheme", Scheme)
@given(bearing=bearings, edge=st.sampled_from([None, 0, 1, 2, 3]))
def test_left_and_right_are_mirror_images(scheme, bearing, edge):
    mirrored_edge = {0: 2, 2: 0}.get(edge, edge)
    side = sector(scheme, bearing, *CAR, edge)
    assert sector(scheme, -bearing, *CAR, mirrored_edge) is MIRRORED[side]


@pytest.mark.parametrize(
    ("edge", "side"), list(enumerate([Sector.RIGHT, Sector.FRONT, Sector.LEFT, Sector.REAR]))
)
def test_contact_scheme_goes_by_the_face_and_else_by_the_quadrant(edge, side):
    assert sector(Scheme.CONTACT, 10.0, *CAR, edge) is side
    assert sector(Scheme.CONTACT, 10.0, *CAR, None) is Sector.FRONT


@pytest.mark.parametrize(
    ("bearing", "mover_speed", "speed", "bricks"),
    [(0.0, 4, 3, 7), (90.0, 4, 3, 4), (-90.0, 4, 3, 4), (180.0, 4, 3, 1), (180.0, 3, 4, 1)],
)
def test_relative_speed_is_sum_in_front_difference_behind_and_the_movers_aside_bow_3_6_3(
    bearing, mover_speed, speed, bricks
):
    mover, other = (Vehicle("v", 0.0, 0.0, 0.0, *CAR, speed=s) for s in (mover_speed, speed))
    contact = ContactPoint((0.0, 0.0), (1.0, 0.0), None, on_face=False)
    start = Pose(*unit_vector(bearing), 0.0)
    hit = Hit(other, 0, Translation(1.0, (1.0, 0.0)), start, 0.0, contact, 0)
    assert relative_speed(mover, hit, Scheme.QUADRANT) == bricks
