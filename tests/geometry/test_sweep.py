"""Sweeps: closed forms, another library's geometry, symmetries, and brute force."""

from dataclasses import replace
from math import cos, inf, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.geometry.motion import Translation, overlap_contact
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, Polygon, convex_polygon, rectangle, unit_vector
from brickphys.geometry.sweep import overlap, sweep, swing
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Straight, Vehicle
from brickphys.vehicles.validation.bisection import Leg, meetings

NEAR = 1e-6
HALF, TWICE = 0.5e-9, 2e-9
"""Of the tolerance: an overlap by half of it is none, one by twice as much is one."""
GAPS = [(0.0, 0), (NEAR, 0), (-HALF, 0), (-TWICE, 1), (-NEAR, 1)]
"""Between two things, in studs, and how many of them are hit."""
CAR = rectangle(0.0, 0.0, 0.0, 10.0, 6.0)


def prism(shape, bottom=0.0, top=9.0):
    return Prism(shape, bottom, top)


def touches(shape, *obstacles, heading_deg=0.0, length=20.0):
    return sweep(prism(shape), unit_vector(heading_deg), length, Obstacles.of(obstacles))


def contact(shape, *obstacles, heading_deg=0.0, length=20.0):
    """Return the contact with the first thing that a footprint meets."""
    ahead, around = Translation(length, unit_vector(heading_deg)), Obstacles.of(obstacles)
    return ahead.contact((prism(shape),), ahead.touches((prism(shape),), around)[0], around)


def box(x, y, width=2.0, height=2.0):
    """A box with its lower left corner there."""
    return prism(rectangle(x + width / 2, y + height / 2, 0.0, width, height))


def regular(corners, x=0.0, y=0.0, radius=1.0, turn=0.0):
    angles = 2 * pi * np.arange(corners) / corners + turn
    return Polygon(np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)]))


@st.composite
def polygons(draw, spread=20.0):
    """Convex polygons of 3 to 12 corners on an ellipse, anywhere near the origin."""
    count = draw(st.integers(3, 12))
    jitter = draw(st.lists(st.floats(-0.3, 0.3), min_size=count, max_size=count))
    long, short, turn = draw(st.floats(0.5, 6)), draw(st.floats(0.5, 6)), draw(st.floats(0, 6))
    x, y = draw(st.floats(-spread, spread)), draw(st.floats(-spread, spread))
    corners = []
    for index in range(count):
        angle = 2 * pi * (index + jitter[index]) / count
        u, v = long * cos(angle), short * sin(angle)
        corners.append((x + u * cos(turn) - v * sin(turn), y + u * sin(turn) + v * cos(turn)))
    return convex_polygon(corners)


headings = st.floats(0, 360) | st.sampled_from([0.0, 45.0, 90.0, 180.0, 270.0])


# --- closed forms ---


def test_head_on():
    (touch,) = touches(CAR, box(12, -1))
    assert (touch.distance_studs, touch.overlaps_at_start) == (7.0, False)
    met = contact(CAR, box(12, -1))
    assert (met.point_studs, met.normal, met.on_face) == ((12.0, 0.0), (-1.0, 0.0), True)


def test_corner_first():
    diamond = prism(rectangle(12.0, 0.0, 45.0, 2.0, 2.0))
    (touch,) = touches(CAR, diamond)
    assert touch.distance_studs == pytest.approx(12 - sqrt(2) - 5, abs=1e-12)
    met = contact(CAR, diamond)
    assert met.point_studs == pytest.approx((12 - sqrt(2), 0.0))
    assert (met.edge, met.on_face) == (None, True)


@pytest.mark.parametrize(("below", "on_face"), [(0.0, False), (1e-6, True), (0.5, True)])
def test_corner_that_meets_a_corner_is_on_no_face(below, on_face):
    """A corner that points ahead comes upon a face, or upon its lower end; then a front comes upon such a corner."""
    diamond = rectangle(0.0, 0.0, 45.0, sqrt(2), sqrt(2))
    post = box(5.0, -below, 2.0, 4.0)
    met = contact(diamond, post)
    assert (met.point_studs, met.on_face) == (pytest.approx((5.0, 0.0)), on_face)
    assert (met.edge is not None) == on_face
    if met.edge is not None:
        assert post.footprint.normals[met.edge] == pytest.approx((-1.0, 0.0))
    back = contact(post.footprint, prism(diamond), heading_deg=180.0)
    assert (back.point_studs, back.edge) == (pytest.approx((1.0, 0.0)), None)
    assert back.on_face == on_face
    above = prism(post.footprint.moved((0.0, 2 * below - 4.0)))  # the same at the upper end
    assert contact(diamond, above).on_face == on_face
    assert contact(above.footprint, prism(diamond), heading_deg=180.0).on_face == on_face


@pytest.mark.parametrize("heading", [0.0, 33.0, 90.0, 200.0])
@pytest.mark.parametrize(
    ("low", "high"), [(-1.0, 2.0), (-5.0, 1.0), (1.0, 5.0), (-5.0, 9.0), (-3.0, 3.0)]
)
def test_faces_meet_in_the_middle_of_what_they_share(heading, low, high):
    """The front of the car runs from -3 to 3; the wall before it from low to high."""
    post = rectangle(9.0, (low + high) / 2, 0.0, 2.0, high - low).turned((0, 0), heading)
    met = contact(CAR.turned((0, 0), heading), prism(post), heading_deg=heading)
    back = contact(post, prism(CAR.turned((0, 0), heading)), heading_deg=heading + 180.0)
    aside, (c, s) = (max(low, -3.0) + min(high, 3.0)) / 2, unit_vector(heading)
    for one, far, normal, there in ((met, 8.0, (-c, -s), post), (back, 5.0, (c, s), CAR)):
        assert one.point_studs == pytest.approx((far * c - aside * s, far * s + aside * c))
        assert one.normal == pytest.approx(normal)
        assert one.edge == (3 if there is post else 1)
        assert one.on_face


@pytest.mark.parametrize("heading", [0.0, 90.0, 180.0, 270.0])
def test_the_edge_that_is_touched_faces_the_mover(heading):
    x, y = unit_vector(heading)
    post = box(12 * x - 1, 12 * y - 1)
    met = contact(rectangle(0.0, 0.0, 0.0, 3.0, 3.0), post, heading_deg=heading)
    assert met.edge is not None
    assert post.footprint.normals[met.edge] == pytest.approx((-x, -y))
    assert met.point_studs == pytest.approx((11 * x, 11 * y))


@pytest.mark.parametrize("heading", [0.0, 30.0, 90.0, 217.3])
@pytest.mark.parametrize(("gap", "hits"), GAPS)
def test_slide_along_an_edge_is_no_hit(heading, gap, hits):
    turned = CAR.turned((0, 0), heading)
    wall = rectangle(15.0, 3.5 + gap, 0.0, 12.0, 1.0).turned((0, 0), heading)
    assert len(touches(turned, prism(wall), heading_deg=heading)) == hits


@pytest.mark.parametrize("heading", [0.0, 30.0, 90.0, 217.3])
@pytest.mark.parametrize(("gap", "hits"), GAPS)
def test_touch_exactly_at_the_end_is_no_hit(heading, gap, hits):
    turned = CAR.turned((0, 0), heading)
    wall = rectangle(25.5 + gap, 0.0, 0.0, 1.0, 4.0).turned((0, 0), heading)
    assert len(touches(turned, prism(wall), heading_deg=heading)) == hits


@pytest.mark.parametrize(("gap", "hits"), GAPS)
def test_touch_at_the_start_and_driving_away_is_no_hit(gap, hits):
    assert len(touches(CAR, box(-7.0 - gap, -1))) == hits


def test_touch_at_the_start_and_driving_on_is_a_hit_at_once():
    (touch,) = touches(CAR, box(5.0, -1))
    assert (touch.distance_studs, touch.overlaps_at_start) == (0.0, False)


@pytest.mark.parametrize(("depth", "hits"), [(TOLERANCE, 0), (2 * TOLERANCE, 1)])
def test_an_overlap_by_the_tolerance_is_none_beside_the_lane_behind_and_in_height(depth, hits):
    """The mover's sides are at 0, where numbers are as fine as that."""
    ahead, beside = rectangle(2.0, -1.0, 0.0, 4.0, 2.0), box(9.0, -depth)
    assert len(touches(ahead, beside)) == hits
    behind = prism(convex_polygon([(-2.0, -2.0), (depth, -2.0), (depth, 0.0), (-2.0, 0.0)]))
    assert len(touches(ahead, behind)) == hits
    assert overlap(prism(ahead), behind) == bool(hits)
    above = replace(box(9.0, -1.0), bottom_plates=-3.0, top_plates=depth)
    assert len(touches(ahead, above)) == hits


@pytest.mark.parametrize(("depth", "overlaps"), [(TOLERANCE, False), (2 * TOLERANCE, True)])
def test_who_is_in_a_thing_by_the_tolerance_meets_it_ahead_and_does_not_overlap_it_yet(
    depth, overlaps
):
    (touch,) = touches(rectangle(-2.0, 0.0, 0.0, 4.0, 2.0), box(-depth, -1.0))
    assert (touch.distance_studs, touch.overlaps_at_start) == (0.0, overlaps)


@pytest.mark.parametrize("corners", range(3, 13))
@pytest.mark.parametrize(("depth", "hits"), [(NEAR, 1), (TWICE, 1), (HALF, 0), (-NEAR, 0)])
def test_corner_that_grazes_the_lane(corners, depth, hits):
    shape = regular(corners, turn=-pi / 2)  # a corner points down
    met = touches(CAR, prism(shape.moved((15.0, 3.0 + 1.0 - depth))))
    assert len(met) == hits
    for touch in met:  # the corner is at x = 15 and the front of the car at 5
        assert 9.9 < touch.distance_studs <= 10.0


@pytest.mark.parametrize("corners", range(3, 13))
def test_polygon_of_any_number_of_corners_is_touched_at_its_first(corners):
    shape = regular(corners, x=20.0, turn=pi)  # a corner points back
    (touch,) = touches(CAR, prism(shape))
    assert touch.distance_studs == pytest.approx(20 - 1 - 5, abs=1e-12)


def test_simultaneous_hits_are_all_told_and_none_stops_another():
    met = touches(CAR, box(12, -3), box(12, 1), box(16, -1))
    assert [(touch.number, touch.distance_studs) for touch in met] == [
        (0, 7.0),
        (1, 7.0),
        (2, 11.0),
    ]


@pytest.mark.parametrize(
    ("bottom", "top", "hits"),
    [
        (9.0, 12.0, 0),
        (9.0 - HALF, 12.0, 0),
        (9.0 - TWICE, 12.0, 1),
        (-3.0, 0.0, 0),
        (-3.0, HALF, 0),
        (-3.0, TWICE, 1),
        (4.0, 5.0, 1),
    ],
)
def test_heights_that_only_touch_are_no_hit(bottom, top, hits):
    assert len(touches(CAR, replace(box(12, -1), bottom_plates=bottom, top_plates=top))) == hits


@pytest.mark.parametrize(("gap", "hits"), GAPS)
def test_overlap_now_is_one_beyond_the_tolerance(gap, hits):
    assert overlap(prism(CAR), box(5.0 + gap, -1)) == bool(hits)


def test_no_way_finds_what_overlaps_now():
    assert [touch.overlaps_at_start for touch in touches(CAR, box(4.0, -1), length=0.0)] == [True]
    assert not touches(CAR, box(5.0, -1), length=0.0)


# --- another library ---


@given(
    shapes=st.lists(polygons(), min_size=1, max_size=5),
    heading=headings,
    speed=st.integers(1, 12),
    size=st.tuples(st.floats(0.5, 20), st.floats(0.5, 8)),
)
def test_hits_and_distances_are_those_of_bisection_with_shapely(shapes, heading, speed, size):
    pytest.importorskip("shapely")
    mover = Vehicle("mover", 100.0, 100.0, heading, *size, speed=speed)
    decor = [
        Fixture(str(i), tuple(map(tuple, (shape.vertices_studs + 100).tolist())))
        for i, shape in enumerate(shapes)
    ]
    scene = Scene(Bounds(200.0, 200.0), "mover", (mover,), (), tuple(decor))
    (met,) = meetings([Leg.first(scene, Straight(5.0 * speed))])
    around = Obstacles.of([piece.prism for piece in decor])
    told = sweep(mover.prism, unit_vector(heading), 5.0 * speed, around)
    ours = {str(touch.number): touch for touch in told}
    for name, meeting in met.items():
        if meeting.is_hit is not None:
            assert (name in ours) == meeting.is_hit
        if meeting.is_hit:
            # to rounding, which a shallow angle makes larger along the way
            slope = _slope(mover.prism, heading, around.prisms[int(name)])
            off = abs(ours[name].distance_studs - meeting.at)
            assert off * slope < 1e-12
            assert ours[name].overlaps_at_start == meeting.overlaps_at_start


def _slope(mover, heading_deg, obstacle):
    x, y = unit_vector(heading_deg)
    normal = contact(mover.footprint, obstacle, heading_deg=heading_deg, length=60.0).normal
    return abs(normal[0] * x + normal[1] * y)


# --- symmetries and brute force ---


@given(
    mover=polygons(5.0),
    shapes=st.lists(polygons(), min_size=1, max_size=5),
    heading=st.floats(0, 360),
    turn=st.floats(0, 360),
    shift=st.tuples(st.floats(-50, 50), st.floats(-50, 50)),
)
def test_turned_and_shifted_world_has_the_same_touches(mover, shapes, heading, turn, shift):
    def elsewhere(shape):
        return shape.turned((3.0, -2.0), turn).moved(shift)

    here = touches(mover, *map(prism, shapes), heading_deg=heading)
    there = touches(
        elsewhere(mover), *(prism(elsewhere(s)) for s in shapes), heading_deg=heading + turn
    )
    assert [t.number for t in here] == [t.number for t in there]
    assert [t.distance_studs for t in here] == pytest.approx(
        [t.distance_studs for t in there], abs=1e-6
    )


@given(
    mover=polygons(5.0),
    shapes=st.lists(polygons(), min_size=2, max_size=6),
    heading=headings,
    data=st.data(),
)
def test_order_of_the_obstacles_does_not_matter(mover, shapes, heading, data):
    order = data.draw(st.permutations(range(len(shapes))))
    first = touches(mover, *map(prism, shapes), heading_deg=heading)
    second = touches(mover, *(prism(shapes[i]) for i in order), heading_deg=heading)
    assert {(t.number, t.distance_studs) for t in first} == {
        (order[t.number], t.distance_studs) for t in second
    }


@given(
    mover=polygons(30.0),
    shapes=st.lists(polygons(60.0), min_size=1, max_size=30),
    heading=headings,
    length=st.floats(0, 60),
)
def test_index_finds_what_a_look_at_everything_finds(mover, shapes, heading, length):
    around = Obstacles.of([prism(shape) for shape in shapes])
    everything = replace(around, largest_studs=inf)
    way = (prism(mover), unit_vector(heading), length)
    assert len(everything.between(0.0, 0.0)) == len(shapes)
    assert sweep(*way, around) == sweep(*way, everything)


@given(
    mover=polygons(5.0),
    shapes=st.lists(polygons(), max_size=6),
    more=st.lists(polygons(), max_size=4),
    heading=headings,
    data=st.data(),
)
def test_updated_obstacles_are_those_prepared_anew(mover, shapes, more, heading, data):
    gone = data.draw(st.sets(st.integers(0, len(shapes) - 1))) if shapes else set()
    left = [shape for index, shape in enumerate(shapes) if index not in gone]
    updated = Obstacles.of([*map(prism, shapes)]).updated(gone, [*map(prism, more)])
    anew = Obstacles.of([prism(shape) for shape in [*left, *more]])
    assert [p.footprint for p in updated.prisms] == [*left, *more]
    path = (prism(mover), unit_vector(heading), 20.0)
    assert sweep(*path, updated) == sweep(*path, anew)
    assert swing(prism(mover), (1.0, 2.0), 90.0, updated) == swing(
        prism(mover), (1.0, 2.0), 90.0, anew
    )


@pytest.mark.parametrize("seed", range(10))
def test_replaced_obstacles_are_those_prepared_anew(seed):
    """One after the other, more often than there is room for their edges."""
    rng = np.random.default_rng(seed)

    def one():
        place, corners = rng.uniform(-30, 30, 2), int(rng.integers(3, 9))
        return prism(regular(corners, *place, radius=rng.uniform(0.5, 4)))

    prisms = [one() for _ in range(int(rng.integers(1, 7)))]
    around = Obstacles.of(prisms)
    for _ in range(80):
        index = int(rng.integers(len(prisms)))
        prisms[index] = one()
        around = around.replaced(index, prisms[index])
        anew = Obstacles.of(prisms)
        assert around.prisms == tuple(prisms)
        assert (around.heads[:, :6] == anew.heads[:, :6]).all()
        assert (around.by_x == anew.by_x).all()
        assert (around.sorted_x_studs == anew.sorted_x_studs).all()
        assert around.largest_studs >= anew.largest_studs
        for head, each in zip(around.heads, prisms, strict=True):
            first, count = int(head[6]), int(head[5])
            assert (around.edges[first : first + count] == each.footprint.edges).all()


@given(mover=polygons(), shape=polygons(), heading=headings)
def test_mover_and_obstacle_may_change_places(mover, shape, heading):
    """A meets B after as far as B, driven the other way, meets A."""
    forth = touches(mover, prism(shape), heading_deg=heading)
    back = touches(shape, prism(mover), heading_deg=heading + 180.0)
    assert [t.distance_studs for t in forth] == pytest.approx(
        [t.distance_studs for t in back], abs=1e-6
    )


@pytest.mark.parametrize("away", [0.0, 1e3, -1e6])
def test_where_things_overlap_at_the_start_is_the_middle_of_what_they_share(away):
    mover, hit = rectangle(away, 500.0, 0.0, 10.0, 6.0), rectangle(away + 4.0, 500.5, 0.0, 6.0, 2.0)
    met = overlap_contact(mover, hit)
    assert met.point_studs == pytest.approx((away + 3.0, 500.5), rel=0, abs=1e-8)
    assert (met.edge, met.on_face) == (None, False)
