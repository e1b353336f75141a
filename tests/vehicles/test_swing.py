"""Turns about a pivot against conservative advancement, and by hand."""

from math import atan2, degrees, hypot, radians

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.vehicles.polygon import rectangle
from brickphys.vehicles.sweep import Obstacles, Prism
from brickphys.vehicles.swing import depths_studs, first_overlap_rad, swing

sizes = st.floats(0.3, 12)
turning = st.builds(rectangle, st.floats(-4, 4), st.floats(-4, 4), st.floats(0, 360), sizes, sizes)
standing = st.builds(
    rectangle, st.floats(-12, 12), st.floats(-12, 12), st.floats(0, 360), sizes, sizes
)


def advance(shape, other, turn_rad):
    """Return the angle of first contact by conservative advancement: no point moves faster than the farthest one."""
    reach = max(hypot(*corner) for corner in shape.vertices_studs)
    angle = 0.0
    for _ in range(100_000):
        gap = -depths_studs(shape, other, np.array([angle]))[0]
        if gap <= 1e-10:
            return angle
        angle += gap / reach
        if angle > turn_rad:
            return None
    raise AssertionError("it does not converge")


@given(turning, standing, st.floats(0.01, 6.28))
def test_closed_form_is_where_conservative_advancement_ends(shape, other, turn_rad):
    if depths_studs(shape, other, np.zeros(1))[0] > -1e-6:
        assert first_overlap_rad(shape, other, 0.0) in (None, 0.0)
        return
    found, expected = first_overlap_rad(shape, other, turn_rad), advance(shape, other, turn_rad)
    if found is None:  # at most grazed
        deepest = depths_studs(shape, other, np.linspace(0, turn_rad, 20_001)).max()
        assert deepest <= 1e-6
    elif expected is None:  # met in the last bit of the turn
        assert found == pytest.approx(turn_rad, abs=1e-6)
    else:
        # advancement stops a hair before; where the way is nearly along the edge a hair is a longer way
        assert expected <= found + 1e-9
        assert depths_studs(shape, other, np.array([found]))[0] == pytest.approx(0.0, abs=1e-9)
        before = depths_studs(shape, other, np.linspace(0, found, 2001))
        assert before.max() <= 1e-9


@settings(deadline=None)  # the first one waits for Numba
@given(turning, standing, st.floats(-360, 360))
def test_turns_of_either_sense_are_mirror_images(shape, other, angle_deg):
    def mirrored(polygon):
        return type(polygon)((polygon.vertices_studs * [1, -1])[::-1])

    one = swing(Prism(shape, 0, 9), (0, 0), angle_deg, Obstacles.of([Prism(other, 0, 9)]))
    two = swing(
        Prism(mirrored(shape), 0, 9),
        (0, 0),
        -angle_deg,
        Obstacles.of([Prism(mirrored(other), 0, 9)]),
    )
    assert [s.angle_deg for s in one] == pytest.approx([-s.angle_deg for s in two], abs=1e-7)


def jeep():
    return Prism(rectangle(20.0, 20.0, 0.0, 10.0, 6.0), 0.0, 9.0)


def test_corner_that_swings_into_a_wall():
    """The front left corner, (5, 3) from the pivot, reaches the wall 5.5 away at the bearing of cosine 5.5 / r."""
    wall = Prism(rectangle(26.0, 20.0, 0.0, 1.0, 40.0), 0.0, 15.0)
    (met,) = swing(jeep(), (20.0, 20.0), -45.0, Obstacles.of([wall]))
    expected = degrees(np.arccos(5.5 / hypot(5, 3))) - degrees(atan2(3, 5))
    assert met.angle_deg == pytest.approx(expected, abs=1e-12)
    assert expected < 0


def test_turn_that_ends_before_the_wall_meets_nothing():
    wall = Obstacles.of([Prism(rectangle(26.0, 20.0, 0.0, 1.0, 40.0), 0.0, 15.0)])
    angle = abs(swing(jeep(), (20.0, 20.0), 45.0, wall)[0].angle_deg)
    assert not swing(jeep(), (20.0, 20.0), angle, wall)
    assert swing(jeep(), (20.0, 20.0), angle + 1e-6, wall)


def test_touch_at_the_start_counts_only_if_it_turns_inwards():
    beside = Obstacles.of([Prism(rectangle(25.5, 25.0, 0.0, 1.0, 8.0), 0.0, 15.0)])
    assert not swing(jeep(), (20.0, 20.0), 20.0, beside)
    assert swing(jeep(), (20.0, 20.0), -20.0, beside)[0].angle_deg == 0.0


def test_heights_that_only_touch_are_no_meeting():
    above = Obstacles.of([Prism(rectangle(26.0, 20.0, 0.0, 1.0, 40.0), 9.0, 15.0)])
    assert not swing(jeep(), (20.0, 20.0), 90.0, above)


def test_pivot_on_a_corner_is_no_special_case():
    post = Obstacles.of([Prism(rectangle(5.0, 3.0, 0.0, 1.0, 1.0), 0.0, 9.0)])
    mover = Prism(rectangle(0.0, 0.0, 0.0, 4.0, 2.0), 0.0, 9.0)
    assert not swing(mover, (2.0, 1.0), 30.0, post)
    assert all(0 <= met.angle_deg <= 90 for met in swing(mover, (4.5, 2.5), 90.0, post))


def test_overlap_at_the_start_is_met_at_once_and_order_is_by_angle():
    around = Obstacles.of(
        [
            Prism(rectangle(20.0, 25.5, 0.0, 1.0, 1.0), 0.0, 9.0),
            Prism(rectangle(20.0, 20.0, 0.0, 1.0, 1.0), 0.0, 9.0),
            Prism(rectangle(25.5, 22.5, 0.0, 1.0, 1.0), 0.0, 9.0),
        ]
    )
    met = swing(jeep(), (20.0, 20.0), 180.0, around)
    assert [s.index for s in met] == [1, 2, 0]
    assert met[0].angle_deg == 0.0


def test_ship_swings_about_its_rudder():
    """Its far corner describes a circle about the stern; the island's face is on that circle's way."""
    ship = Prism(rectangle(10.0, 0.0, 0.0, 20.0, 4.0), 0.0, 9.0)
    island = Prism(rectangle(10.0, 15.0, 0.0, 30.0, 10.0), 0.0, 9.0)
    (met,) = swing(ship, (0.0, 0.0), 90.0, Obstacles.of([island]))
    assert radians(met.angle_deg) == pytest.approx(np.arcsin(10 / hypot(20, 2)) - atan2(2, 20))
