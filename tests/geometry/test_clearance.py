"""Nearest approaches: against shapely's distances at small steps, and by hand."""

from math import hypot, radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.geometry.clearance import approaches, nearest_point, nearest_points
from brickphys.geometry.motion import Rotation, Translation
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, rectangle, unit_vector
from tests.geometry.test_motion import halves, motions, places, prism, rectangles, sizes

STEPS = 150


@given(rectangles, rectangles, motions)
def test_nearest_approach_is_the_least_of_shapelys_distances(shape, other, motion):
    shapely = pytest.importorskip("shapely")
    around = Obstacles.of([prism(other)])
    if motion.touches((prism(shape),), around):
        return
    (found,) = approaches((prism(shape),), motion, motion.extent, 1e3, around)
    still = shapely.Polygon(other.vertices_studs)

    def gaps(places):
        corners = [motion.placed((prism(shape),), at)[0].footprint.vertices_studs for at in places]
        return shapely.distance(shapely.polygons(np.array(corners)), still)

    steps = np.linspace(0.0, motion.extent, STEPS + 1)
    least = gaps(steps).min()
    reach = max(hypot(*corner) for corner in shape.vertices_studs) + 20
    is_turn = isinstance(motion, Rotation)
    step = motion.extent / STEPS * (radians(1) * reach if is_turn else 1.0)
    assert least - step - 1e-9 <= found.distance_studs <= least + 1e-9
    assert gaps([found.at])[0] == pytest.approx(found.distance_studs, abs=1e-9)
    assert (
        gaps(np.linspace(0.0, found.at, 50)[:-1]).min(initial=np.inf) > found.distance_studs - 1e-9
    )


@given(
    rectangles,
    st.lists(st.tuples(rectangles, st.sampled_from([0.0, 5.0, 9.0])), min_size=1, max_size=8),
    motions,
    st.floats(0.0, 30.0),
)
def test_obstacles_within_a_distance_are_those_of_all_that_come_so_near(
    shape, others, motion, within
):
    """Those that begin at the top of the body are above it."""
    prisms = [prism(other, bottom, 15.0) for other, bottom in others]
    near = []
    for number, each in enumerate(prisms):
        alone = approaches((prism(shape),), motion, motion.extent, 1e6, Obstacles.of([each]))
        assert len(alone) == (each.bottom_plates < 9.0)
        near += [
            one._replace(number=number) for one in alone if one.distance_studs <= within + TOLERANCE
        ]
    assert approaches((prism(shape),), motion, motion.extent, within, Obstacles.of(prisms)) == near


@pytest.mark.parametrize("seed", range(6))
def test_a_post_beside_the_ring_of_a_turn_is_passed_at_its_distance(seed):
    """A small body on a long arm, about a pivot anywhere."""
    rng = np.random.default_rng(seed)
    (x, y), (at, there) = rng.uniform(-40, 40, 2), rng.uniform(0, 360, 2)
    arm, gap = rng.uniform(15, 30), rng.uniform(0.5, 3)
    c, s = unit_vector(at)
    body = (prism(rectangle(x + arm * c, y + arm * s, at, 1.0, 1.0)),)
    c, s = unit_vector(there)
    far = hypot(arm + 0.5, 0.5) + gap + 0.5  # the outer corners come nearest
    post = Obstacles.of([prism(rectangle(x + far * c, y + far * s, there, 1.0, 1.0))])
    turn = Rotation.by((x, y), 360.0 if seed % 2 else -360.0)
    (found,) = approaches(body, turn, 360.0, gap + 0.01, post)
    assert found.distance_studs == pytest.approx(gap, abs=1e-6)
    assert approaches(body, turn, 360.0, gap - 0.01, post) == []


@given(places, places, st.floats(0, 360), sizes, sizes, rectangles, motions)
def test_two_halves_come_as_near_as_the_whole(x, y, heading, length, width, other, motion):
    around = Obstacles.of([prism(other)])
    whole = (prism(rectangle(x, y, heading, length, width)),)
    if not motion.touches(whole, around):
        for parts in (halves(x, y, heading, length, width), whole * 2):
            (one,), (two,) = (
                approaches(body, motion, motion.extent, 1e3, around) for body in (whole, parts)
            )
            assert one.distance_studs == pytest.approx(two.distance_studs, abs=1e-9)
            at = motion.placed(whole, two.at)[0].footprint
            assert hypot(*np.subtract(*nearest_points(at, other))) <= one.distance_studs + 2e-9


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("aside", [0.0, 5e-10, -5e-10, 1e-6])
def test_of_two_parts_that_come_as_near_the_first_to_do_so_counts(order, aside):
    """Two boxes, the second 4 studs behind and a hair nearer or farther; the post is abreast after 3 and 7 studs."""
    parts = (
        prism(rectangle(0.0, 0.0, 0.0, 2.0, 2.0)),
        prism(rectangle(-4.0, aside, 0.0, 2.0, 2.0)),
    )
    post = Obstacles.of([prism(rectangle(5.0, 3.0, 0.0, 2.0, 2.0))])
    (found,) = approaches(parts[::order], Translation(20.0, (1.0, 0.0)), 20.0, 5.0, post)
    assert found.at == pytest.approx(7.0 if aside > TOLERANCE else 3.0, abs=1e-3)
    assert found.distance_studs == pytest.approx(1.0, abs=2e-6)


def test_passing_by_a_post():
    """The lane ends 3 studs to the left; the post is abreast of the front after 4 studs."""
    post = Obstacles.of([prism(rectangle(10.0, 5.0, 0.0, 2.0, 2.0))])
    car = (prism(rectangle(0.0, 0.0, 0.0, 10.0, 6.0)),)
    ahead = Translation(30.0, (1.0, 0.0))
    assert approaches(car, ahead, 30.0, 5.0, post) == [(0, 1.0, 4.0)]
    assert approaches(car, ahead, 2.0, 5.0, post) == [(0, pytest.approx(hypot(1, 2)), 2.0)]
    assert approaches(car, ahead, 30.0, 0.9, post) == []


def test_what_is_above_or_below_is_no_near_miss():
    car, ahead = (prism(rectangle(0.0, 0.0, 0.0, 10.0, 6.0)),), Translation(30.0, (1.0, 0.0))
    heights = ((9.0, 12.0), (-3.0, 0.0), (-3.0, TOLERANCE), (-3.0, 2 * TOLERANCE), (8.0, 12.0))
    around = Obstacles.of([Prism(rectangle(10.0, 5.0, 0.0, 2.0, 2.0), *each) for each in heights])
    assert [one.number for one in approaches(car, ahead, 30.0, 5.0, around)] == [3, 4]


@given(st.floats(-180.0, 180.0), st.floats(0.0, 9.0), st.floats(-20.0, 20.0), st.floats(1.0, 12.0))
def test_a_gap_that_stays_the_same_is_reached_where_it_begins(heading, gap, ahead, length):
    """A box beside the lane, parallel to it: the gap is constant from where the two are abreast."""
    c, s = unit_vector(heading)
    aside = 3.0 + gap + 2.0
    x, y = 50.0 + ahead * c - aside * s, 50.0 + ahead * s + aside * c
    box = Obstacles.of([prism(rectangle(x, y, heading, length, 4.0))])
    car = (prism(rectangle(50.0, 50.0, heading, 10.0, 6.0)),)
    way = Translation(40.0, (c, s))
    (found,) = approaches(car, way, 40.0, 20.0, box)
    abreast = ahead - length / 2 - 5.0
    if ahead + length / 2 > -5.0:
        assert found.distance_studs == pytest.approx(gap, abs=1e-9)
        # where the gap closes in slowly it is as good as reached a little before
        assert found.at == pytest.approx(max(abreast, 0.0), abs=1e-4)
        (limit,) = approaches(car, way, 40.0, gap, box)
        assert limit == found


def test_a_turn_that_comes_nearest_four_times_is_told_at_the_first():
    """A square turns about its own centre: each of its corners comes nearest to the post once."""
    post = Obstacles.of([prism(rectangle(0.0, 0.0, 0.0, 2.0, 2.0))])
    car = (prism(rectangle(10.0, 0.0, 0.0, 4.0, 4.0)),)
    about = Rotation.by((10.0, 0.0), 360.0)
    (found,) = approaches(car, about, 360.0, 20.0, post)
    assert found.at == pytest.approx(45.0, abs=1e-6)


@given(rectangles, rectangles)
def test_nearest_points_are_as_far_apart_as_shapely_says(one, other):
    shapely = pytest.importorskip("shapely")
    plans = [shapely.Polygon(each.vertices_studs) for each in (one, other)]
    gap = shapely.distance(*plans)
    if gap:
        ends = nearest_points(one, other)
        assert hypot(*np.subtract(*ends)) == pytest.approx(gap, abs=1e-9)
        for plan, end in zip(plans, ends, strict=True):
            assert shapely.distance(plan, shapely.Point(end)) < 1e-9
        corner = other.vertices_studs[0]
        foot = shapely.Point(nearest_point(one, tuple(corner)))
        assert shapely.distance(plans[0], foot) < 1e-9
        far = shapely.distance(plans[0], shapely.Point(corner))
        assert shapely.distance(foot, shapely.Point(corner)) == pytest.approx(far, abs=1e-9)
