"""Which side is hit from every bearing: each scheme by its own definition, wherever the vehicle stands."""

from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, sector
from docs.sector_rings import sectors_around

LENGTH, WIDTH = 12.0, 4.0
SIDES = {0.0: Sector.FRONT, 90.0: Sector.LEFT, 180.0: Sector.REAR, -90.0: Sector.RIGHT}
places = st.floats(-500, 500)
sizes = st.floats(0.5, 30)


def vehicle(x: float = 0.0, y: float = 0.0, heading_deg: float = 0.0) -> Vehicle:
    return Vehicle("hit", x, y, heading_deg, LENGTH, WIDTH)


@given(places, places, st.floats(-180, 180), sizes, sizes)
def test_square_on_every_scheme_names_the_face(x, y, heading_deg, length, width):
    found = sectors_around(vehicle(x, y, heading_deg), length, width, list(SIDES))
    assert set(found) == set(Scheme)
    for sectors in found.values():
        assert sectors == list(SIDES.values())


@given(st.lists(st.floats(-180, 180), max_size=8), sizes, sizes)
def test_rays_depend_on_the_bearing_alone(bearings, length, width):
    found = sectors_around(vehicle(heading_deg=30.0), length, width, bearings)
    for scheme in (Scheme.QUADRANT, Scheme.CORNER):
        assert found[scheme] == [sector(scheme, b, LENGTH, WIDTH) for b in bearings]


@pytest.mark.parametrize("offset", [-20.0, -3.0, 3.0, 20.0])
def test_a_mover_like_a_needle_touches_the_face_between_the_corners(offset):
    corner = degrees(atan2(WIDTH, LENGTH))
    found = sectors_around(vehicle(), 0.01, 0.01, [corner + offset])
    assert found[Scheme.CONTACT] == [Sector.LEFT if offset > 0 else Sector.FRONT]
