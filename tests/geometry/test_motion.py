"""Motions of bodies: contacts against shapely, the border against small steps, parts against the whole."""

from math import atan2, copysign, cos, degrees, hypot, inf, pi, radians, sin

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brickphys.geometry.motion import Rotation, Translation
from brickphys.geometry.obstacles import Obstacles, Prism, loose_parts
from brickphys.geometry.polygon import Polygon, rectangle, unit_vector
from brickphys.geometry.pose import Pose

SIZE = (100.0, 60.0)

places = st.floats(-12, 12)
sizes = st.floats(0.3, 12)
rectangles = st.builds(rectangle, places, places, st.floats(0, 360), sizes, sizes)
translations = st.builds(
    lambda deg, far: Translation(far, unit_vector(deg)), st.floats(0, 360), st.floats(0.1, 40)
)
rotations = st.builds(Rotation.by, st.tuples(places, places), st.floats(-360, 360))
motions = translations | rotations


def prism(shape, bottom=0.0, top=9.0):
    return Prism(shape, bottom, top)


def halves(x, y, heading, length, width):
    """Return the rear and the front half of a rectangle."""
    c, s = unit_vector(heading)
    return tuple(
        prism(rectangle(x + e * c, y + e * s, heading, length / 2, width))
        for e in (-length / 4, length / 4)
    )


@given(rectangles, rectangles, motions)
@example(rectangle(1, 8, 0, 2, 1), rectangle(0, 9, 0, 1, 1), Rotation.by((0.0, 9.0), -1.0))
def test_contact_is_where_both_touch_and_its_normal_parts_them(shape, other, motion):
    shapely = pytest.importorskip("shapely")
    around = Obstacles.of([prism(other)])
    for touch in motion.touches((prism(shape),), around):
        if touch.overlaps_at_start:
            continue
        met = motion.contact((prism(shape),), touch, around)
        there = motion.placed((prism(shape),), touch.at)[0].footprint
        spot = shapely.Point(met.point_studs)
        for polygon in (there, other):
            assert shapely.Polygon(polygon.vertices_studs).distance(spot) < 3e-9
        mine, theirs = (polygon.vertices_studs @ met.normal for polygon in (there, other))
        assert mine.min() > theirs.max() - 1e-8
        assert met.edge is None or met.on_face
        way = motion.way(met.point_studs)
        is_flush = np.count_nonzero(mine < mine.min() + 1e-6) > 1  # in a turn one end may part then
        if met.on_face and way is not None and not (is_flush and isinstance(motion, Rotation)):
            assert np.dot(way, met.normal) < 1e-6


@given(places, places, st.floats(0, 360), sizes, sizes, st.lists(rectangles, max_size=5), motions)
def test_two_halves_meet_what_the_whole_meets(x, y, heading, length, width, others, motion):
    around = Obstacles.of([prism(other) for other in others])
    whole = motion.touches((prism(rectangle(x, y, heading, length, width)),), around)
    parts = motion.touches(halves(x, y, heading, length, width), around)
    first = {touch.number: touch.at for touch in sorted(parts, key=lambda t: -t.at)}
    assert first == pytest.approx({touch.number: touch.at for touch in whole}, abs=1e-6)


@given(
    st.tuples(st.floats(0, 100), st.floats(0, 60)),
    st.tuples(st.floats(-20, 120), st.floats(-20, 80)),
    st.floats(-360, 360),
)
def test_border_on_an_arc_is_where_small_steps_cross_it(point, pivot, angle_deg):
    found = Rotation.by(pivot, angle_deg).to_border(point, SIZE)
    far, start = (
        hypot(point[0] - pivot[0], point[1] - pivot[1]),
        np.arctan2(point[1] - pivot[1], point[0] - pivot[0]),
    )
    steps = np.radians(np.linspace(0.0, angle_deg, 20_001))
    x, y = pivot[0] + far * np.cos(start + steps), pivot[1] + far * np.sin(start + steps)
    beyond = np.maximum.reduce([-x, -y, x - SIZE[0], y - SIZE[1]])
    off = np.flatnonzero(beyond > 1e-9)
    if found == inf:
        assert beyond.max() < 1e-6 * far + 1e-8
        return
    there = start + radians(np.copysign(found, angle_deg))
    x, y = pivot[0] + far * cos(there), pivot[1] + far * sin(there)
    assert min(abs(x), abs(y), abs(x - SIZE[0]), abs(y - SIZE[1])) < 1e-6
    if len(off):
        assert found <= abs(degrees(steps[off[0]])) + 1e-6
        assert beyond[np.abs(np.degrees(steps)) < found - 1e-5].max(initial=-1.0) < 1e-6


def test_centre_that_turns_about_itself_stays_on_the_field():
    assert Rotation.by((0.0, 0.0), 360.0).to_border((0.0, 0.0), SIZE) == inf


@pytest.mark.parametrize(("beyond", "leaves"), [(-1e-6, False), (0.5e-9, False), (2e-9, True)])
def test_arc_that_only_reaches_the_border_stays_on_the_field(beyond, leaves):
    """The highest point of a half circle lies so far beyond the upper border."""
    turn = Rotation.by((50.0, 50.0), 180.0)
    assert (turn.to_border((60.0 + beyond, 50.0), SIZE) < inf) == leaves


@given(st.builds(Pose, places, places, st.floats(0, 360)), motions, st.floats(0, 1))
def test_pose_and_body_are_moved_alike(pose, motion, share):
    at = share * motion.extent
    marks = [pose.on_field(mark) for mark in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))]
    (moved,) = motion.placed((prism(Polygon(np.array(marks))),), at)
    after = motion.pose(pose, at)
    expected = [after.on_field(mark) for mark in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))]
    np.testing.assert_allclose(moved.footprint.vertices_studs, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("gap", "level", "loose"),
    [
        (0.0, 0.0, []),
        (1e-10, 0.0, []),
        (1e-6, 0.0, [1]),
        (0.0, 9.0, []),
        (0.0, 9.0 + 5e-10, []),
        (0.0, 9.1, [1]),
        (0.0, -9.0 - 5e-10, []),
        (0.0, -9.1, [1]),
    ],
)
def test_hulls_side_by_side_hang_together_if_they_touch(gap, level, loose):
    hulls = (
        prism(rectangle(0.0, 0.0, 0.0, 20.0, 4.0)),
        prism(rectangle(3.0, 4.0 + gap, 0.0, 20.0, 4.0), level, level + 9.0),
    )
    assert loose_parts(hulls) == loose


def test_chain_of_parts_hangs_together_in_any_order():
    hulls = [prism(rectangle(0.0, 4.0 * row, 0.0, 20.0, 4.0)) for row in (0, 3, 1, 2, 5)]
    assert loose_parts(tuple(hulls)) == [4]


@given(st.tuples(places, places), st.floats(-360, 360), st.floats(0, 360), st.floats(0.01, 20))
def test_a_turned_point_goes_across_its_arm_and_the_pivot_goes_nowhere(pivot, turn, bearing, far):
    motion, arm = Rotation.by(pivot, turn), unit_vector(bearing)
    x, y = motion.way((pivot[0] + far * arm[0], pivot[1] + far * arm[1]))
    sense = copysign(1.0, turn)
    assert (x, y) == pytest.approx((-sense * arm[1], sense * arm[0]), abs=1e-6)
    assert motion.way(pivot) is None


@pytest.mark.parametrize(
    ("heading", "extent", "way"),
    [
        (0.0, 100.0, 20.0),
        (90.0, 100.0, 30.0),
        (180.0, 100.0, 10.0),
        (270.0, 100.0, 20.0),
        (0.0, 19.0, inf),
        (0.0, 20.0 + 5e-10, inf),
        (0.0, 20.0 + 2e-9, 20.0),
        (atan2(3, 4) * 180 / pi, 100.0, 25.0),
    ],
)
def test_a_straight_way_to_the_border_in_closed_form(heading, extent, way):
    """From 10, 20 on a field of 30 x 50."""
    found = Translation(extent, unit_vector(heading)).to_border((10.0, 20.0), (30.0, 50.0))
    assert found == pytest.approx(way)


@pytest.mark.parametrize("beyond", [-0.25, 0.0, 5e-10])
def test_who_stands_at_the_border_leaves_after_what_is_left_of_the_way(beyond):
    for point, heading in (((30.0 + beyond, 20.0), 0.0), ((-beyond, 20.0), 180.0)):
        found = Translation(5.0, unit_vector(heading)).to_border(point, (30.0, 50.0))
        assert found == max(-beyond, 0.0)


@pytest.mark.parametrize("side", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("before_deg", [40.0, 0.25, 1e-8, 0.0])
def test_an_arc_leaves_a_square_field_where_its_cosine_says(side, sense, before_deg):
    """An arc of radius 10 about a pivot 5 from a side goes beyond it at 60 degrees from its normal."""
    (nx, ny), arm = unit_vector(side), unit_vector(side - sense * (60.0 + before_deg))
    pivot = (15.0 + 10.0 * nx, 15.0 + 10.0 * ny)
    point = (pivot[0] + 10.0 * arm[0], pivot[1] + 10.0 * arm[1])
    found = Rotation.by(pivot, sense * 120.0).to_border(point, (30.0, 30.0))
    assert found == pytest.approx(before_deg, abs=1e-7)
    assert found >= 0.0
    if before_deg > 1.0:
        assert Rotation.by(pivot, sense * (before_deg - 0.1)).to_border(point, (30.0, 30.0)) == inf
