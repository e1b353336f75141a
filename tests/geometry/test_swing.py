"""Turns about a pivot against conservative advancement with shapely, and by hand."""

from math import atan2, degrees, hypot, radians

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, convex_polygon, rectangle
from brickphys.geometry.sweep import swing
from tests.geometry import plain_swing

shapely = pytest.importorskip("shapely")

sizes = st.floats(0.3, 12)
turning = st.builds(rectangle, st.floats(-4, 4), st.floats(-4, 4), st.floats(0, 360), sizes, sizes)
standing = st.builds(
    rectangle, st.floats(-12, 12), st.floats(-12, 12), st.floats(0, 360), sizes, sizes
)


NANODEGREE = radians(1e-9)
ROUNDING = 1e-13
"""Studs: shapely finds so small a distance, instead of none, between outlines whose edges lie on one line."""


def first_overlap_rad(shape, other, turn_rad):
    """Return how far a polygon turns about the origin until it overlaps another; None if it does not."""
    met = swing(Prism(shape, 0, 9), (0, 0), degrees(turn_rad), Obstacles.of([Prism(other, 0, 9)]))
    return radians(met[0].angle_deg) if met else None


def turned(shape, angles_rad):
    """Return shapely's polygons of a footprint that has turned about the origin."""
    corners = shape.vertices_studs @ [1, 1j] * np.exp(1j * np.atleast_1d(angles_rad))[:, None]
    return shapely.polygons(np.stack([corners.real, corners.imag], axis=-1))


def drawn_in(shape, by_studs):
    return shapely.buffer(shapely.Polygon(shape.vertices_studs), -by_studs, join_style="mitre")


def advance(shape, other, turn_rad):
    """Return the angle of first contact by conservative advancement: no point moves faster than the farthest one."""
    reach, still = max(hypot(*corner) for corner in shape.vertices_studs), drawn_in(other, 0.0)
    angle = 0.0
    for _ in range(100_000):
        (gap,) = shapely.distance(turned(shape, angle), still)
        if gap <= ROUNDING:
            return angle
        angle += gap / reach
        if angle > turn_rad:
            return None
    return angle  # it creeps up to a graze


CONCENTRIC = (0.0, 1.2196041277286218, 222.02635049269125, 0.30078125)


@given(turning, standing, st.floats(0.01, 6.28))
@example(rectangle(*CONCENTRIC, 4.188126306425497), rectangle(*CONCENTRIC, 1.2196041277286218), 1.0)
def test_closed_form_is_where_conservative_advancement_ends(shape, other, turn_rad):
    found = first_overlap_rad(shape, other, turn_rad)
    if shapely.distance(turned(shape, 0.0), drawn_in(other, 0.0))[0] <= ROUNDING:
        touches = shapely.distance(turned(shape, 0.0), drawn_in(other, 1.01e-9))[0] == 0
        assert found == 0.0 or not touches
        return
    until = turn_rad if found is None else found
    grid = turned(shape, np.linspace(0, until, 2001))
    assert shapely.distance(grid, drawn_in(other, 1.01e-9)).min() > 0  # no hit is missed on the way
    expected = advance(shape, other, turn_rad)
    if found is not None:
        assert expected is not None
        assert expected <= found + 1e-12
        before = shapely.distance(turned(shape, found - 1e-6), drawn_in(other, 0.0))[0]
        if before > 1e-8:  # no graze, of which rounding moves the first touch farther
            just_before, just_after = shapely.distance(
                turned(shape, found + np.array([-NANODEGREE, NANODEGREE])), drawn_in(other, 0.0)
            )
            assert just_before > 0
            assert just_after == 0


@given(
    turning,
    st.lists(standing, max_size=6),
    st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    st.floats(-360, 360),
)
def test_compiled_loop_finds_what_whole_arrays_find(shape, others, pivot, angle_deg):
    mirror = [1, -1 if angle_deg < 0 else 1]

    def seen(polygon):
        corners = (polygon.vertices_studs - pivot) * mirror
        return type(polygon)(corners[:: mirror[1]])

    turn_rad = radians(abs(angle_deg))
    found = {
        index: plain_swing.first_overlap_rad(seen(shape), seen(other), turn_rad)
        for index, other in enumerate(others)
    }
    expected = {index: degrees(angle) for index, angle in found.items() if angle is not None}
    met = swing(
        Prism(shape, 0, 9), pivot, angle_deg, Obstacles.of([Prism(other, 0, 9) for other in others])
    )
    assert {s.number: abs(s.angle_deg) for s in met} == pytest.approx(expected, abs=1e-7)


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


@pytest.mark.parametrize(("depth", "hits"), [(0.5e-9, 0), (1.5e-9, 1), (1e-6, 1)])
def test_last_sliver_of_a_turn_counts_beyond_the_tolerance(depth, hits):
    """The corner, (5, 3) from the pivot, enters the wall 5.5 away at sqrt(5^2 + 3^2 - 5.5^2) studs a radian."""
    wall = Obstacles.of([Prism(rectangle(26.0, 20.0, 0.0, 1.0, 40.0), 0.0, 15.0)])
    touch = np.arccos(5.5 / hypot(5, 3)) - atan2(3, 5)
    turn = touch - depth / np.sqrt(5**2 + 3**2 - 5.5**2)
    met = swing(jeep(), (20.0, 20.0), degrees(turn), wall)
    assert [s.angle_deg for s in met] == pytest.approx([degrees(touch)] * hits, abs=1e-12)


@pytest.mark.parametrize("gap", [1e-10, 5e-10, 2e-9, 1e-7])
def test_corner_that_touches_just_before_the_next_one_is_the_first(gap):
    """Both corners of a ship's side come upon a face nearly at once; the outer one, 20 studs from the pivot, first."""
    ship = rectangle(12.5, 0.0, 0.0, 15.0, 4.0)
    island = rectangle(10.0, 4.5 + gap, 0.0, 60.0, 5.0).turned((0, 0), 30.0)
    found = first_overlap_rad(ship, island, 1.0)
    expected = np.arcsin((2 + gap) / hypot(20, 2)) - atan2(2, 20) + radians(30.0)
    assert abs(found - expected) < NANODEGREE


def test_touch_at_the_start_counts_only_if_it_turns_inwards():
    beside = Obstacles.of([Prism(rectangle(25.5, 25.0, 0.0, 1.0, 8.0), 0.0, 15.0)])
    assert not swing(jeep(), (20.0, 20.0), 20.0, beside)
    (met,) = swing(jeep(), (20.0, 20.0), -20.0, beside)
    assert (str(met.angle_deg), met.overlaps_at_start) == ("0.0", False)


def test_heights_that_only_touch_are_no_meeting():
    heights = ((9.0, 15.0), (-3.0, 0.0), (-3.0, TOLERANCE), (-3.0, 2 * TOLERANCE), (8.0, 15.0))
    around = Obstacles.of([Prism(rectangle(26.0, 20.0, 0.0, 1.0, 40.0), *each) for each in heights])
    assert [met.number for met in swing(jeep(), (20.0, 20.0), 90.0, around)] == [3, 4]


@pytest.mark.parametrize(("depth", "overlaps"), [(TOLERANCE, False), (2 * TOLERANCE, True)])
def test_an_overlap_by_the_tolerance_is_none_at_the_start(depth, overlaps):
    """The mover's front is at 0, where numbers are as fine as that; it turns away from the post."""
    mover = Prism(rectangle(-2.0, 0.0, 0.0, 4.0, 2.0), 0.0, 9.0)
    post = Prism(convex_polygon([(-depth, -9.0), (5.0, -9.0), (5.0, 0.5), (-depth, 0.5)]), 0.0, 9.0)
    met = swing(mover, (0.0, 5.0), -5.0, Obstacles.of([post]))
    assert [each.overlaps_at_start for each in met] == [True] * overlaps


def test_pivot_on_a_corner_is_no_special_case():
    post = Obstacles.of([Prism(rectangle(5.0, 3.0, 0.0, 1.0, 1.0), 0.0, 9.0)])
    mover = Prism(rectangle(0.0, 0.0, 0.0, 4.0, 2.0), 0.0, 9.0)
    assert not swing(mover, (2.0, 1.0), 30.0, post)
    assert all(0 <= met.angle_deg <= 90 for met in swing(mover, (4.5, 2.5), 90.0, post))


@pytest.mark.parametrize("arm", [0.5, 1.0, 2.0, 20.0])
def test_a_corner_on_an_arm_of_any_length_rises_to_half_of_it_at_30_degrees(arm):
    needle = convex_polygon([(0.0, -0.01), (arm, 0.0), (0.0, 0.01)])
    ceiling = Prism(rectangle(0.0, arm / 2 + 1, 0.0, 3 * arm, 2.0), 0.0, 9.0)
    (met,) = swing(Prism(needle, 0, 9), (0.0, 0.0), 90.0, Obstacles.of([ceiling]))
    assert met.angle_deg == pytest.approx(30.0, abs=1e-9)


def test_a_face_in_line_with_the_pivot_is_met_by_the_corner_beside_it():
    """A corner of the mover is the pivot, and the line of the face runs through it."""
    mover = convex_polygon([(0.0, 0.0), (5.0, 1.0), (4.0, 2.0)])
    floor = Prism(rectangle(4.5, -1.0, 0.0, 3.0, 2.0), 0.0, 9.0)
    (met,) = swing(Prism(mover, 0, 9), (0.0, 0.0), -60.0, Obstacles.of([floor]))
    assert met.angle_deg == pytest.approx(-degrees(atan2(1, 5)), abs=1e-9)


def test_overlap_at_the_start_is_met_at_once_and_order_is_by_angle():
    around = Obstacles.of(
        [
            Prism(rectangle(20.0, 25.5, 0.0, 1.0, 1.0), 0.0, 9.0),
            Prism(rectangle(20.0, 20.0, 0.0, 1.0, 1.0), 0.0, 9.0),
            Prism(rectangle(25.5, 22.5, 0.0, 1.0, 1.0), 0.0, 9.0),
        ]
    )
    met = swing(jeep(), (20.0, 20.0), 180.0, around)
    assert [s.number for s in met] == [1, 2, 0]
    assert met[0].angle_deg == 0.0
    assert [s.overlaps_at_start for s in met] == [True, False, False]


def test_ship_swings_about_its_rudder():
    """Its far corner describes a circle about the stern; the island's face is on that circle's way."""
    ship = Prism(rectangle(10.0, 0.0, 0.0, 20.0, 4.0), 0.0, 9.0)
    island = Prism(rectangle(10.0, 15.0, 0.0, 30.0, 10.0), 0.0, 9.0)
    (met,) = swing(ship, (0.0, 0.0), 90.0, Obstacles.of([island]))
    assert radians(met.angle_deg) == pytest.approx(np.arcsin(10 / hypot(20, 2)) - atan2(2, 20))
