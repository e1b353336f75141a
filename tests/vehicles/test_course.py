"""Courses: pieces put together, what stops them, and the angle of impact."""

from math import acos, atan2, degrees, hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.geometry.obstacles import Prism
from brickphys.geometry.polygon import rectangle
from brickphys.geometry.pose import Pose
from brickphys.seeds import generator
from brickphys.vehicles.collision import Collision, near_misses
from brickphys.vehicles.course import Mover, NamedObstacles, follow
from brickphys.vehicles.scene import Bounds, Fixture, PivotTurn, Scene, Straight, Unit, Vehicle
from brickphys.vehicles.validation.random_things import random_thing, shifted
from tests.cases import examples

FIELD = Bounds(100.0, 60.0)


def ship(x=20.0, y=30.0, heading=0.0, name="ship"):
    return Vehicle(name, x, y, heading, 10.0, 6.0)


def wall(x, y, heading=0.0, length=1.0, width=20.0, name="wall"):
    corners = rectangle(x, y, heading, length, width).vertices_studs.tolist()
    return Fixture(name, tuple((x, y) for x, y in corners))


def run(course, *things, mover=None, **more):
    around = NamedObstacles.of(FIELD, things)
    return follow(mover or Mover.of(ship()), course, around, **more)


def told(result):
    return [
        (hit.id, hit.piece, round(hit.distance_studs, 6), hit.turned_deg) for hit in result.hits
    ]


def clutter(seed):
    rng = generator(seed)
    for number in range(12):
        x, y = rng.uniform(0, 100), rng.uniform(0, 60)
        yield shifted(random_thing(rng, f"thing {number}"), (x, y))


def test_straight_turn_straight_ends_where_arithmetic_says():
    result = run([Straight(10.0), PivotTurn(90.0), Straight(7.0)])
    assert result.end == Pose(30.0, 37.0, 90.0)
    assert [piece.turned_deg for piece in result.pieces] == [None, 90.0, None]
    assert (result.travelled_studs, result.distance_studs) == (17.0, 17.0)


def test_drift_keeps_the_heading():
    result = run([Straight(8.0, direction_deg=270.0)])
    assert result.end == Pose(20.0, 22.0, 0.0)


def test_turn_about_the_stern_carries_the_centre_along():
    result = run([PivotTurn(90.0, (-5.0, 0.0))])
    assert result.end == pytest.approx((15.0, 35.0, 90.0))


def test_nothing_after_a_stop_is_done():
    result = run(
        [Straight(10.0), PivotTurn(-90.0), Straight(9.0)], wall(31.0, 30.0), Unit("u", 20, 22)
    )
    assert told(result) == [("wall", 0, 5.5, None)]
    assert [piece.stopped_by for piece in result.pieces] == [("wall",)]
    assert result.end == Pose(25.5, 30.0, 0.0)


def test_turn_stops_within_a_piece():
    """The front left corner, (5, 3) from the centre, reaches the wall 5.5 away."""
    result = run([Straight(4.0), PivotTurn(-90.0)], wall(30.0, 30.0, width=40.0))
    expected = degrees(acos(5.5 / hypot(5, 3)) - atan2(3, 5))
    (hit,) = result.hits
    assert (hit.piece, hit.distance_studs) == (1, 0.0)
    assert hit.turned_deg == pytest.approx(expected, abs=1e-9)
    assert hit.contact.point_studs == pytest.approx((29.5, 30 + (9.0 + 25 - 5.5**2) ** 0.5))
    assert hit.contact.normal == (-1.0, 0.0)
    assert hit.pose == pytest.approx((24.0, 30.0, expected))
    assert result.pieces[1].turned_deg == hit.turned_deg
    assert result.stopped_by == ("wall",)


@given(heading=st.floats(0, 360), off=st.floats(-75, 75))
def test_impact_angle_is_that_between_way_and_face(heading, off):
    """A wall whose face is turned off by some angle is struck at 90 degrees less that."""
    start = Vehicle("ship", 50.0, 30.0, heading, 2.0, 2.0)
    c, s = start.heading
    long_wall = wall(50.0 + 9 * c, 30.0 + 9 * s, heading + off, 0.5, 400.0)
    result = run([Straight(500.0)], long_wall, mover=Mover.of(start))
    for hit in result.hits:
        assert hit.impact_deg == pytest.approx(90.0 - abs(off), abs=1e-6)


def test_impact_angle_of_a_turn_is_that_of_the_touching_point():
    """A corner at (5, 3) from the pivot turns onto a face 5.5 away: its way is square to its arm."""
    (hit,) = run([PivotTurn(-90.0)], wall(26.0, 30.0, width=40.0)).hits
    arm = hypot(5, 3)
    assert hit.impact_deg == pytest.approx(90 - degrees(acos((arm**2 - 5.5**2) ** 0.5 / arm)))


def test_where_corners_meet_there_is_no_impact_angle():
    corner = wall(40.0, 39.0, 0.0, 10.0, 2.0, "corner")
    (hit,) = run([Straight(20.0, degrees(atan2(5, 10)))], corner).hits
    assert (hit.contact.edge, hit.contact.on_face, hit.impact_deg) == (None, False, None)
    assert min(abs(hit.parting_deg - degrees(atan2(*way))) for way in ((5, 10), (10, 5))) < 1e-9


def test_a_name_that_a_hit_does_not_have_is_answered_with_what_to_write():
    (hit,) = run([Straight(20.0)], Unit("a", 30.5, 30.0)).hits
    with pytest.raises(
        AttributeError, match=r"Hit has no 'impulse': brickphys\.crash gives impulses"
    ):
        _ = hit.impulse
    with pytest.raises(AttributeError, match="Hit has no 'mass'; it has at, contact"):
        _ = hit.mass


def test_overlap_at_the_start_is_hit_at_once_and_has_no_impact_angle():
    (hit,) = run([PivotTurn(45.0)], wall(20.0, 30.0, width=2.0)).hits
    assert (hit.turned_deg, hit.impact_deg) == (0.0, None)
    assert hit.contact.point_studs == pytest.approx((20.0, 30.0))


def test_who_stops_a_mover_is_up_to_the_caller():
    things = (wall(30.0, 30.0), Unit("swimmer", 26.5, 30.0))
    assert run([Straight(20.0)], *things).stopped_by == ("wall",)
    aground = run([Straight(20.0)], *things, stops=lambda thing: thing.id == "swimmer")
    assert told(aground) == [("swimmer", 0, 1.0, None)]
    assert run([Straight(20.0)], *things, stops=lambda _: False).travelled_studs == 20.0


def test_thing_that_does_not_stop_is_hit_once():
    result = run(
        [Straight(6.0), PivotTurn(90.0), PivotTurn(180.0), Straight(9.0)], Unit("u", 26.5, 30.0)
    )
    assert told(result) == [("u", 0, 1.0, None)]


def test_centre_leaves_the_field_on_an_arc():
    result = run([PivotTurn(180.0, (0.0, 50.0)), Straight(5.0)])
    assert result.leaves_field
    assert len(result.pieces) == 1
    assert result.end.x_studs == pytest.approx(20.0 + (50.0**2 - 20.0**2) ** 0.5)
    assert result.end.y_studs == pytest.approx(60.0)


def test_nothing_beyond_the_border_is_hit():
    result = run([PivotTurn(180.0, (0.0, 50.0))], wall(60.0, 85.0, 0.0, 10.0, 10.0))
    assert (result.hits, result.leaves_field) == ((), True)


@given(st.integers(0, 10**6), st.lists(st.floats(0.5, 12), min_size=2, max_size=5))
def test_straight_pieces_in_a_row_are_one_long_piece(seed, lengths):
    things = list(clutter(seed))
    whole = run([Straight(sum(lengths))], *things)
    parts = run([Straight(length) for length in lengths], *things)
    assert [hit.id for hit in whole.hits] == [hit.id for hit in parts.hits]
    assert parts.travelled_studs == pytest.approx(whole.travelled_studs, abs=1e-7)
    assert (parts.stopped_by, parts.leaves_field) == (whole.stopped_by, whole.leaves_field)
    gone = [sum(lengths[: hit.piece]) + hit.distance_studs for hit in parts.hits]
    assert gone == pytest.approx([hit.distance_studs for hit in whole.hits], abs=1e-7)


@given(st.integers(0, 10**6), st.lists(st.floats(1, 60), min_size=2, max_size=5), st.floats(-9, 9))
def test_turns_in_a_row_about_one_pivot_are_one_turn(seed, angles, ahead):
    things = list(clutter(seed))
    whole = run([PivotTurn(sum(angles), (ahead, 2.0))], *things)
    parts = run([PivotTurn(angle, (ahead, 2.0)) for angle in angles], *things)
    assert [hit.id for hit in whole.hits] == [hit.id for hit in parts.hits]
    turned = sum(piece.turned_deg for piece in parts.pieces)
    assert turned == pytest.approx(whole.pieces[0].turned_deg, abs=1e-6)
    assert (parts.stopped_by, parts.leaves_field) == (whole.stopped_by, whole.leaves_field)


def test_lashed_hulls_move_as_one_and_do_not_hit_each_other():
    tow = ship(y=36.0, name="prize")
    both = Mover.of(ship(), [tow])
    reef = wall(40.0, 37.0, 0.0, 2.0, 2.0, "reef")
    result = run([Straight(30.0)], ship(), tow, reef, mover=both)
    assert told(result) == [("reef", 0, 14.0, None)]
    assert result.hits[0].part == 1
    assert not run([Straight(30.0)], ship(), reef).hits


def test_lashed_hulls_that_do_not_touch_are_refused():
    with pytest.raises(InvalidValueError, match="'ship' falls apart: nothing joins 'prize' to it"):
        Mover.of(ship(), [ship(y=36.1, name="prize")])


def test_any_convex_outline_follows_a_course():
    """A bow that is a triangle runs its tip into the wall."""
    corners = rectangle(20.0, 30.0, 0.0, 10.0, 6.0).vertices_studs.tolist()
    hull = Fixture("hull", (*map(tuple, corners[:2]), (29.0, 30.0), *map(tuple, corners[2:])))
    mover = Mover("ship", Pose(20.0, 30.0, 0.0), (hull.prism,), frozenset())
    (hit,) = run([Straight(20.0)], wall(40.0, 30.0), mover=mover).hits
    assert hit.distance_studs == pytest.approx(10.5)
    assert hit.contact.point_studs == pytest.approx((39.5, 30.0))


def test_flyer_turns_over_what_is_lower():
    mover = Mover(
        "flyer", Pose(20.0, 30.0, 0.0), (Prism(ship().prism.footprint, 20.0, 24.0),), frozenset()
    )
    assert not run([PivotTurn(90.0)], wall(26.0, 30.0, width=40.0), mover=mover).hits


@settings(max_examples=examples(0.5))
@given(st.integers(0, 10**6))
def test_replaced_obstacles_are_those_prepared_anew(seed):
    rng = generator(seed)
    things = list(clutter(seed))
    around = NamedObstacles.of(FIELD, things)
    for _ in range(30):
        number = int(rng.integers(len(things)))
        moved = shifted(random_thing(rng, things[number].id), (rng.uniform(0, 100), 30.0))
        around, things[number] = around.replaced(moved), moved
    anew = NamedObstacles.of(FIELD, things)
    for course in ([Straight(30.0)], [PivotTurn(200.0, (3.0, 9.0))]):
        one, other = (follow(Mover.of(ship()), course, each) for each in (around, anew))
        assert one == other


@pytest.mark.parametrize(
    ("course", "things", "ending"),
    [
        ([], [], "it stands still"),
        ([Straight(9.0)], [], "completed"),
        ([Straight(9.0), PivotTurn(90.0)], [], "completed"),
        ([Straight(9.0)], [wall(31.0, 30.0)], "stopped after 5.5 studs by wall"),
        (
            [Straight(4.0), Straight(9.0), PivotTurn(90.0)],
            [wall(31.0, 25.0, width=10.0), wall(31.0, 35.0, width=10.0, name="house")],
            "stopped after 1.5 studs of piece 1 by house and wall",
        ),
        ([PivotTurn(-90.0)], [wall(26.0, 30.0, width=40.0)], "stopped after -11.6 degrees by wall"),
        ([Straight(99.0)], [], "leaves the field after 80.0 studs"),
        ([Straight(4.0), Straight(99.0)], [], "leaves the field after 76.0 studs of piece 1"),
    ],
)
def test_ending_is_told_in_words(course, things, ending):
    assert run(course, *things).ending == ending


# --- near misses ---


def test_near_misses_tell_where_on_the_course_they_are_nearest():
    """The lane is 3 studs to each side; the post is abreast of the front after 5 studs, and what is hit is no miss."""
    post, far = wall(31.0, 35.0, 0.0, 2.0, 2.0, "post"), wall(90.0, 55.0, 0.0, 1.0, 1.0, "far")
    around = NamedObstacles.of(FIELD, [ship(), post, far, Unit("u", 27.5, 30.0)])
    mover = Mover.of(ship())
    move = follow(mover, [Straight(2.0), Straight(20.0), PivotTurn(20.0)], around)
    (miss,) = near_misses(mover, move, around, 10.0)
    assert (miss.thing, miss.clearance_studs) == (post, 1.0)
    assert (miss.number, miss.piece.at) == (1, 3.0)
    assert [one.thing.id for one in near_misses(mover, move, around, 100.0)] == ["post", "far"]
    assert not near_misses(mover, move, around, 0.5)


def test_near_miss_that_stays_as_near_is_told_where_it_first_is():
    """Three pieces along a wall that is 2 studs off the side, and another 3 studs off the other side."""
    things = [wall(50.0, 36.0, 0.0, 99.0, 2.0, "left"), wall(50.0, 23.5, 0.0, 99.0, 1.0, "right")]
    around, mover = NamedObstacles.of(FIELD, [ship(), *things]), Mover.of(ship())
    move = follow(mover, [Straight(5.0)] * 3, around)
    near = near_misses(mover, move, around, 10.0)
    told = [(one.thing.id, one.clearance_studs, one.number, one.piece.at) for one in near]
    assert told == [("left", 2.0, 0, 0.0), ("right", 3.0, 0, 0.0)]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([Straight(10.0)], "10 studs"),
        ([PivotTurn(-90.0)], "a turn by -90 degrees"),
        ([Straight(4.0), PivotTurn(-90.0)], "a course of 2 pieces"),
    ],
)
def test_what_a_mover_should_do_in_words(pieces, words):
    scene = Scene(FIELD, "ship", (ship(),))
    assert Collision(scene, run(pieces)).wanted == words
