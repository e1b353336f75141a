"""Bearings and arcs: the angle off a heading, and limits that belong to the arc."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.geometry.polygon import unit_vector
from brickphys.geometry.pose import bearing_deg, is_in_arc, turn_deg

coordinates = st.floats(-50, 50)
places = st.tuples(coordinates, coordinates)


@given(places, st.floats(-3600, 3600), st.floats(-179.9, 179.9), st.floats(0.1, 50))
def test_bearing_is_the_angle_off_the_heading(at, heading, off, distance):
    c, s = unit_vector(heading + off)
    found = bearing_deg(at, heading, (at[0] + distance * c, at[1] + distance * s))
    assert found == pytest.approx(off, abs=1e-6)


@given(st.floats(0, 360), st.floats(-179.9, 179.9))
def test_a_turn_leads_from_heading_to_heading(heading, angle):
    assert turn_deg(heading, heading + angle) == pytest.approx(angle, abs=1e-9)


@pytest.mark.parametrize(
    ("other", "bearing"),
    [((8.0, 4.0), 0.0), ((3.0, 9.0), 90.0), ((-2.0, 4.0), 180.0), ((3.0, -1.0), -90.0)],
)
def test_bearings_along_the_axes_are_exact_and_behind_is_half_a_turn(other, bearing):
    assert bearing_deg((3.0, 4.0), 0.0, other) == bearing
    assert bearing_deg((3.0, 4.0), 360.0, other) == bearing
    assert turn_deg(0.0, 180.0) == turn_deg(0.0, -180.0) == turn_deg(270.0, 90.0) == 180.0


def test_point_upon_point_counts_as_ahead():
    assert bearing_deg((3.0, 4.0), 77.0, (3.0, 4.0)) == 0.0


@given(st.floats(-720, 720), places, places)
def test_whole_circle_holds_everything_and_two_halves_do(heading, at, other):
    assert is_in_arc(heading, 360.0, at, other)
    ahead = is_in_arc(heading, 180.0, at, other)
    assert ahead or is_in_arc(heading + 180.0, 180.0, at, other)


def test_limits_belong_to_the_arc():
    assert is_in_arc(30.0, 180.0, (0, 0), (-0.5, 3**0.5 / 2))
    assert not is_in_arc(29.9, 180.0, (0, 0), (-0.5, 3**0.5 / 2))
    assert is_in_arc(0.0, 90.0, (0, 0), (5, 5))
    assert not is_in_arc(0.0, 90.0, (0, 0), (5, 5.01))
