"""A scene in words and rows, and the heading of decor."""

from dataclasses import replace
from math import cos, radians, remainder, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.vehicles.course import NamedObstacles, resolve
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle, with_mover

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
def test_the_heading_of_decor_is_that_of_its_first_edge_counter_clockwise(steps, radius, middle):
    """Corners on a circle, either way round: the chord is square to the bearing of its middle."""
    first, *others = steps
    others.sort(key=lambda step: (step - first) % 72)
    for order in (others, others[::-1]):
        angles = [radians(5.0 * step) for step in (first, *order)]
        corners = tuple((middle[0] + radius * cos(a), middle[1] + radius * sin(a)) for a in angles)
        chord = 5.0 * (first + others[0]) / 2 + 90.0 + 180.0 * (others[0] < first)
        off = remainder(Fixture("d", corners).heading_deg - chord, 360.0)
        assert off == pytest.approx(0.0, abs=1e-4)


@given(st.floats(0.0, 48.0), st.floats(0.0, 32.5), st.floats(0.0, 359.0), st.integers(0, 8))
def test_a_scene_with_its_mover_elsewhere_is_the_scene_made_so(x, y, heading_deg, speed):
    assert SCENE.mover is JEEP  # it is remembered
    mover = replace(JEEP, x_studs=x, y_studs=y, heading_deg=heading_deg, speed=speed)
    found = with_mover(SCENE, mover)
    assert found == replace(SCENE, vehicles=(mover,))
    assert found.mover is mover
    around = NamedObstacles.of(SCENE.bounds, SCENE.things)
    assert resolve(found, around).hits == resolve(found).hits
    assert SCENE.mover is JEEP


def test_a_mover_that_cannot_be_there_is_refused_as_in_a_scene():
    outside = replace(JEEP, x_studs=-1.0)
    with pytest.raises(InvalidValueError) as found:
        with_mover(SCENE, outside)
    with pytest.raises(InvalidValueError) as made:
        replace(SCENE, vehicles=(outside,))
    assert str(found.value) == str(made.value)
