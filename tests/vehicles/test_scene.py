"""A scene in words and rows, and the heading of decor."""

from math import atan2, cos, degrees, radians, remainder, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LinearRing

from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle

JEEP = Vehicle("jeep", 10.0, 16.0, 30.0, 10.0, 6.0, 1.0, 9.5)
GUARD = Unit("guard", 18.5, 16.5)
HILL = Fixture("hill", ((22.0, 10.0), (28.0, 10.0), (22.0, 16.0)), top_plates=3.0)
SCENE = Scene(Bounds(48.0, 32.5), "jeep", (JEEP,), (GUARD,), (HILL,))


def test_a_scene_in_words():
    assert SCENE.line() == ("scene of 48 x 32.5 studs: 1 vehicle, 1 unit, 1 of decor; jeep moves")


def test_a_row_is_the_middle_of_a_thing_and_its_heights():
    columns = ("id", "kind", "x_studs", "y_studs", "bottom_plates", "top_plates")
    assert [tuple(row) for row in SCENE.rows()] == [columns] * 3
    assert [tuple(row.values()) for row in SCENE.rows()] == [
        ("guard", "unit", 18.5, 16.5, 0.0, 12.5),
        ("hill", "decor", pytest.approx(24.0), pytest.approx(12.0), 0.0, 3.0),
        ("jeep", "vehicle", pytest.approx(10.0), pytest.approx(16.0), 1.0, 9.5),
    ]


@given(
    st.lists(st.integers(0, 71), min_size=3, max_size=8, unique=True),
    st.floats(0.01, 50.0),
    st.tuples(st.floats(-100.0, 100.0), st.floats(-100.0, 100.0)),
)
def test_the_heading_of_decor_is_the_way_round_it_from_its_first_corner(steps, radius, middle):
    """Corners on a circle in any order of a way round; Shapely tells which way round they are."""
    first, *others = steps
    others.sort(key=lambda step: (step - first) % 72)
    for order in (others, others[::-1]):
        angles = [radians(5.0 * step) for step in (first, *order)]
        corners = [(middle[0] + radius * cos(a), middle[1] + radius * sin(a)) for a in angles]
        next_one = corners[1] if LinearRing(corners).is_ccw else corners[-1]
        way = degrees(atan2(next_one[1] - corners[0][1], next_one[0] - corners[0][0]))
        assert Fixture("d", tuple(corners)).heading_deg == way
        expected = 5.0 * (first + others[0]) / 2 + 90.0
        assert remainder(way - expected - 180.0 * (others[0] < first), 360.0) == pytest.approx(
            0.0, abs=1e-4
        )
