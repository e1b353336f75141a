"""Compulsory moves: the book's own, and the seven situations that nuPlan's collision metric distinguishes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.vehicles.collision import Collision
from brickphys.vehicles.course import NamedObstacles, compulsory_move, relative_speed, resolve
from brickphys.vehicles.scene import Bounds, Fixture, Scene, ThingType, Unit, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector

FIELD = Bounds(48.0, 32.0)


def jeep(x=10.0, y=16.0, heading=0.0, speed=2, name="jeep", **more):
    return Vehicle(name, x, y, heading, 10.0, 6.0, speed=speed, **more)


def wall(x=22.0, name="wall", **more):
    return Fixture(name, ((x, 10.0), (x + 1, 10.0), (x + 1, 22.0), (x, 22.0)), **more)


def square(x, y):
    return ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))


def move(mover, *others, scheme=Scheme.QUADRANT, field=FIELD):
    return resolve(Scene.of(field, mover.id, (mover, *others), scheme=scheme))


def told(result):
    return [(hit.type.value, hit.id, round(hit.distance_studs, 9)) for hit in result.hits]


# --- the book ---


def test_bow_3_6_1_horse_at_speed_2_and_the_peasant():
    horse = Vehicle("horse", 5.0, 16.0, 0.0, 5.0, 2.0, speed=2)
    result = move(horse, Unit("peasant", 12.5, 16.5))
    (hit,) = result.hits
    assert (hit.type, hit.sector(Scheme.QUADRANT)) == (ThingType.UNIT, None)
    assert relative_speed(horse, hit, Scheme.QUADRANT) == 2
    assert hit.distance_studs == 4.5
    assert result.travelled_studs == 10.0  # units do not stop a vehicle
    assert not result.stopped_by


def test_bow_3_6_2_jeep_at_speed_2_and_the_wall():
    result = move(jeep(), wall())
    (hit,) = result.hits
    assert (hit.type, hit.distance_studs) == (ThingType.DECOR, 7.0)
    assert relative_speed(jeep(), hit, Scheme.QUADRANT) == 2
    assert hit.contact.point_studs == (22.0, 16.0)
    assert (result.travelled_studs, result.stopped_by) == (7.0, ("wall",))
    assert result.end_studs == (17.0, 16.0)


def test_bow_3_3_turn_of_20_degrees_then_20_studs_at_speed_4_then_turn_of_45():
    first = jeep(heading=20.0, speed=4)
    result = move(first)
    assert result.distance_studs == result.travelled_studs == 20.0
    assert result.end_studs == pytest.approx((10.0 + 18.7938524157, 16.0 + 6.8404028665))
    onward = jeep(*result.end_studs, heading=20.0 + 45.0, speed=1)
    end = move(onward).end_studs
    assert end == pytest.approx(
        (result.end_studs[0] + 2.1130913087, result.end_studs[1] + 4.5315389352)
    )


# --- the seven situations ---


@pytest.mark.parametrize(
    ("other", "sector", "speed"),
    [
        (jeep(25, 16, 180, 3, "other"), Sector.FRONT, 5),  # head on
        (jeep(25, 16, 0, 1, "other"), Sector.REAR, 1),  # run into from behind
        (jeep(25, 16, 0, 3, "other"), Sector.REAR, 1),  # the faster one is ahead
        (jeep(24, 16, 90, 3, "other"), Sector.LEFT, 2),  # lateral
        (jeep(24, 16, -90, 3, "other"), Sector.RIGHT, 2),
        (jeep(25, 16, 0, 0, "other"), Sector.REAR, 2),  # the other is stopped
        (jeep(25, 16, 180, 0, "other"), Sector.FRONT, 2),
    ],
    ids=["front", "rear", "rear, faster", "left", "right", "stopped, rear", "stopped, front"],
)
def test_sector_and_relative_speed_of_a_hit_vehicle(other, sector, speed):
    (hit,) = move(jeep(), other).hits
    assert hit.sector(Scheme.QUADRANT) is sector
    assert relative_speed(jeep(), hit, Scheme.QUADRANT) == speed


def test_stopped_mover_hits_nothing():
    result = move(jeep(speed=0), jeep(12, 16, 0, 3, "other"), Unit("unit", 10.0, 16.0))
    assert (result.hits, result.travelled_studs, result.distance_studs) == ((), 0.0, 0.0)
    assert (result.stopped_by, result.leaves_field, result.end) == ((), False, (10.0, 16.0, 0.0))


def test_several_at_once_are_told_by_kind_and_name():
    left = jeep(25, 20.5, 0, 0, "b car", top_plates=9)
    right = jeep(25, 11.5, 0, 0, "a car")
    result = move(jeep(), left, right, Unit("z", 20.5, 16.0), wall(20.0))
    assert told(result) == [
        ("unit", "z", 5.0),
        ("decor", "wall", 5.0),
        ("vehicle", "a car", 5.0),
        ("vehicle", "b car", 5.0),
    ]
    assert result.stopped_by == ("wall", "a car", "b car")


def test_nothing_in_the_way():
    result = move(jeep(), wall(30.0), Unit("peasant", 10.0, 25.0))
    assert (result.hits, result.travelled_studs, result.leaves_field) == ((), 10.0, False)


# --- what stops, what does not ---


def test_nothing_behind_the_stop_is_hit():
    result = move(jeep(), wall(20.0), Unit("behind", 22.5, 16.0), Unit("before", 16.5, 16.0))
    assert told(result) == [("unit", "before", 1.0), ("decor", "wall", 5.0)]


def test_touch_at_the_start_and_driving_away_is_no_hit():
    assert not move(jeep(), wall(4.0), Unit("beside", 10.0, 19.5)).hits


def test_touch_at_the_end_is_no_hit_and_a_little_more_is():
    assert not move(jeep(), wall(25.0)).hits
    assert not move(jeep(), wall(25.0 - 0.5e-9)).hits
    assert told(move(jeep(), wall(25.0 - 2e-9))) == [("decor", "wall", 9.999999998)]
    assert told(move(jeep(), wall(25.0 - 1e-6))) == [("decor", "wall", 9.999999)]


def test_overlap_at_the_start_is_a_hit_at_the_centre_of_what_is_common():
    result = move(jeep(), wall(14.0))
    (hit,) = result.hits
    assert (hit.distance_studs, result.travelled_studs) == (0.0, 0.0)
    assert hit.contact.point_studs == pytest.approx((14.5, 16.0))


@pytest.mark.parametrize(("behind", "stops"), [(0.5e-9, ("a", "b")), (2e-9, ("a",))])
def test_what_is_met_within_the_tolerance_is_met_at_once(behind, stops):
    result = move(
        jeep(), Fixture("a", square(20.0, 14.0)), Fixture("b", square(20.0 + behind, 17.0))
    )
    assert result.stopped_by == stops
    assert {hit.distance_studs for hit in result.hits} == {5.0}


def test_contact_scheme_goes_by_the_quadrant_for_an_overlap_at_the_start():
    """The mover is to the left of the other one, though its way enters the other one's rear face."""
    other = jeep(14.0, 11.0, 0.0, 1, "other")
    for scheme in (Scheme.QUADRANT, Scheme.CONTACT):
        (hit,) = move(jeep(), other, scheme=scheme).hits
        assert (hit.distance_studs, hit.contact.edge) == (0.0, None)
        assert hit.sector(scheme) is Sector.LEFT
    behind = jeep(18.0 + 2e-9, 11.0, 0.0, 1, "other")
    (hit,) = move(jeep(8.0), behind, scheme=Scheme.CONTACT).hits
    assert hit.sector(Scheme.CONTACT) is Sector.REAR


def test_flyer_passes_over_what_is_lower_and_hits_what_is_higher():
    flyer = jeep(bottom_plates=15.0, top_plates=20.0)
    assert not move(flyer, wall(20.0), Unit("below", 16.0, 16.0)).hits
    hit = move(flyer, wall(20.0, "tower", top_plates=30.0), Unit("below", 16.0, 16.0))
    assert told(hit) == [("decor", "tower", 5.0)]


def test_vehicle_leaves_when_its_centre_does():
    result = move(jeep(speed=10), Unit("beyond", 47.9, 28.0))
    assert result.leaves_field
    assert (result.travelled_studs, result.end_studs) == (38.0, (48.0, 16.0))


@given(x=st.floats(1, 47), y=st.floats(1, 31), heading=st.floats(0, 360))
def test_move_that_leaves_ends_on_the_border_and_not_beyond(x, y, heading):
    result = move(jeep(x, y, heading, speed=12))
    assert result.leaves_field
    end_x, end_y = result.end_studs
    assert 0 <= end_x <= 48
    assert 0 <= end_y <= 32
    assert min(end_x, 48 - end_x, end_y, 32 - end_y) == pytest.approx(0, abs=1e-12)


def test_centre_upon_the_border_has_not_left():
    assert not move(jeep(38.0)).leaves_field
    assert not move(jeep(38.0 + 0.5e-9)).leaves_field
    assert move(jeep(38.0 + 2e-9)).leaves_field
    along = move(jeep(x=10.0, y=0.0))
    assert (along.leaves_field, along.travelled_studs) == (False, 10.0)


@pytest.mark.parametrize(
    ("off", "stopped"), [(-1e-6, True), (0.0, True), (0.5e-9, True), (2e-9, False)]
)
def test_stop_at_the_border_is_a_stop(off, stopped):
    """The front right corner reaches the wall just before, when or just after the centre reaches the upper border."""
    x = 32.0 + 8.0 / 2**0.5 + off / 2**0.5
    beside = Fixture("wall", ((x, 20.0), (x + 1, 20.0), (x + 1, 40.0), (x, 40.0)))
    result = move(jeep(10.0, 10.0, 45.0, speed=10), beside)
    assert result.stopped_by == (("wall",) if stopped else ())
    assert result.leaves_field is not stopped
    assert result.travelled_studs == pytest.approx(22.0 * 2**0.5, abs=2e-6)


def test_touch_ahead_at_the_start_is_a_stop_after_zero_without_a_sign():
    result = move(jeep(), wall(15.0))
    assert str(result.travelled_studs) == str(result.hits[0].distance_studs) == "0.0"


def test_sliver_far_from_the_origin_is_hit_where_it_is():
    needle = Fixture("needle", ((1004.9999999985, 1000), (1025, 999.9995), (1025, 1000.0005)))
    (hit,) = move(jeep(1000.0, 1000.0, speed=1), needle, field=Bounds(2000.0, 2000.0)).hits
    assert hit.contact.point_studs == pytest.approx((1005.0, 1000.0), abs=1e-6)


def test_sliver_that_is_overlapped_by_little_is_hit_where_both_are():
    """Their common area rounds away, seven thousand studs from the origin and 7 studs from the sliver's other end."""
    needle = Fixture(
        "needle",
        (
            (7067.104985666537, 7264.306555747946),
            (7074.182816846586, 7264.306555747946),
            (7069.464262726553, 7264.306555885105),
        ),
    )
    place = (7076.810152908819, 7264.258556638464, 359.999999999999)
    mover = Vehicle("m", *place, 5.254672126484708, 1.497223734576165, speed=5)
    (hit,) = move(mover, needle, field=Bounds(9999.0, 9990.0)).hits
    assert hit.contact.point_studs == pytest.approx((7074.182816846586, 7264.306555747946))


def test_wall_of_many_nearly_collinear_corners_is_hit_at_its_bulge():
    """Its middle reaches 5e-8 studs into the lane, fifty times the tolerance, in steps that are each within it."""
    steps = [number / 199 for number in range(200)]
    low = [(10.0 + 20 * step, 19.0 - 5e-8 * 4 * step * (1 - step)) for step in steps]
    lane_side = Fixture("wall", (*low, (30.0, 21.0), (10.0, 21.0)))
    result = move(jeep(8.0, heading=0.0, speed=4), lane_side)
    assert result.stopped_by == ("wall",)


@pytest.mark.parametrize("scheme", Scheme)
@given(
    y=st.floats(3, 29),
    heading=st.floats(0, 360),
    speed=st.integers(1, 12),
    hit_heading=st.floats(0, 360),
)
def test_mirrored_scene_has_mirrored_sectors(scheme, y, heading, speed, hit_heading):
    """Mirrored at the axis of a field that is symmetric about it; ties of contact are left out by their measure."""
    other = jeep(24.0, 16.0, hit_heading, 1, "other")
    twin = jeep(24.0, 16.0, -hit_heading, 1, "other")
    result = move(jeep(8.0, y, heading, speed), other, scheme=scheme)
    mirrored = move(jeep(8.0, 32.0 - y, -heading, speed), twin, scheme=scheme)
    swap = {Sector.LEFT: Sector.RIGHT, Sector.RIGHT: Sector.LEFT}
    sides = [hit.sector(scheme) for hit in mirrored.hits]
    assert [hit.sector(scheme) for hit in result.hits] == [swap.get(s, s) for s in sides]
    assert result.travelled_studs == pytest.approx(mirrored.travelled_studs, abs=1e-7)


def test_prepared_obstacles_leave_the_mover_out_and_are_updated_by_name():
    mover, other = jeep(), jeep(25, 16, 180, 3, "other")
    obstacles = NamedObstacles.of(FIELD, [mover, other])
    assert told(compulsory_move(mover, 10.0, obstacles)) == [("vehicle", "other", 5.0)]
    moved = obstacles.updated({"other"}, [replace(other, x_studs=26.0), Unit("unit", 17.5, 16.0)])
    assert told(compulsory_move(mover, 10.0, moved)) == [
        ("unit", "unit", 2.0),
        ("vehicle", "other", 6.0),
    ]
    assert told(compulsory_move(mover, 10.0, obstacles)) == [("vehicle", "other", 5.0)]


def test_distance_is_what_is_asked_for_whatever_the_speed():
    result = compulsory_move(jeep(speed=0), 3.25, NamedObstacles.of(FIELD, []))
    assert (result.distance_studs, result.end_studs) == (3.25, (13.25, 16.0))


@pytest.mark.parametrize("heading", [0.0, 90.0, 180.0, 270.0])
def test_the_edge_that_is_touched_goes_through_the_contact(heading):
    """Each side of a wall, the last of which ends at its first corner; the mover stands 7 studs off."""
    aside = 7.0 * np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
    corners = tuple((24.0 + x, 16.0 + y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    mover = jeep(*(np.array([24.0, 16.0]) - aside).tolist(), heading)
    made = Scene(FIELD, mover.id, (mover,), (), (Fixture("wall", corners),), Scheme.QUADRANT)
    (hit,) = Collision(made, move(mover, Fixture("wall", corners))).document()["hits"]
    begin, end = np.array(hit["edge"])
    assert (np.round(end - begin) != 0).tolist().count(True) == 1
    assert np.hypot(*(end - begin)) == pytest.approx(2.0)
    way = (np.array(hit["point"]) - begin) @ (end - begin) / 4.0
    assert 0.0 <= way <= 1.0
    assert begin + way * (end - begin) == pytest.approx(hit["point"])
