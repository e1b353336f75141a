"""Crashes: the same move as bodies and as geometry, blows, falls and masses."""

from dataclasses import replace
from functools import cache
from math import acos, degrees, hypot, inf, nan

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.shapes.assembly import assembly, assembly_names
from brickphys.throws.conditions import ContactCoefficients
from brickphys.units import STUD_MM
from brickphys.vehicles.course import resolve
from brickphys.vehicles.crash import (
    VEHICLE_DENSITY_G_CM3,
    _drive,
    block,
    crash,
    mass_of,
    riders,
    simulated,
)
from brickphys.vehicles.crash_outcome import Crash, RuleDifference, differences, standing
from brickphys.vehicles.scene import (
    Bounds,
    Fixture,
    Scene,
    ThingType,
    Unit,
    Vehicle,
)
from tests.cases import few_rows
from tests.vehicles.physics.momentum import momenta_g_m_s

FIELD = Bounds(60.0, 60.0)


def jeep(x=10.0, y=16.0, heading=0.0, speed=5, name="jeep", **more):
    more = {"model": "jeep", **more}
    return Vehicle(name, x, y, heading, 10.0, 6.0, speed=speed, **more)


def wall(x=30.0):
    return Fixture("wall", ((x, 5.0), (x + 1, 5.0), (x + 1, 27.0), (x, 27.0)))


def scene(mover, *others):
    return Scene.of(FIELD, mover.id, (mover, *others))


def outcome(result: Crash, name):
    return next(o for o in result.outcomes if o.id == name)


# --- geometry and bodies ---


def random_scene(rng, course=lambda _: ()):
    """Return a scene in which something is hit, alone by a tenth of a stud or degree, and not from the start."""
    while True:
        things = [_vehicle(rng, "mover", int(rng.integers(1, 13))), _vehicle(rng, "other", 0)]
        decor = [_decor(rng, f"decor {n}") for n in range(2)]
        units = [Unit(f"unit {n}", *(rng.integers(0, 60, 2) + 0.5).tolist()) for n in range(4)]
        try:
            made = Scene(FIELD, "mover", tuple(things), tuple(units), tuple(decor))
            made = replace(made, course=tuple(course(rng)))
        except InvalidValueError:
            continue
        ways = [(hit.piece, hit.at) for hit in resolve(made).hits]
        if ways and ways[0][1] > 0 and (ways[1:] or [(99, 0)])[0] > (ways[0][0], ways[0][1] + 0.1):
            return made


def _vehicle(rng, name, speed):
    x, y, heading = rng.uniform((6, 6, -180), (54, 54, 180)).tolist()
    length, width = rng.uniform((4, 2), (14, 8)).tolist()
    return Vehicle(name, x, y, heading, length, width, speed=speed)


def _decor(rng, name):
    angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
    corners = rng.uniform(6, 54, 2) + rng.uniform(1, 4) * np.column_stack(
        [np.cos(angles), np.sin(angles)]
    )
    return Fixture(name, tuple((x, y) for x, y in corners.tolist()))


def check_first_contact(seed, count):
    """Compare distance, point and normal of the first contact with those of the exact sweep.

    Boxes and hulls are stepped by up to 1.2 mm (0.15 studs) and put back to the touch by depth and speed.
    """
    rng = np.random.default_rng(seed)
    off = []
    for _ in range(count):
        made = random_scene(rng)
        exact = resolve(made).hits[0]
        touched = [i for i in crash(made, limit_s=0.02).impacts if i.travelled_studs is not None]
        first = min(touched, key=lambda impact: impact.travelled_studs)
        assert (first.first, first.second) == ("mover", exact.id)
        cosine = float(np.dot(first.normal[:2], exact.contact.normal))
        off.append(
            (
                abs(first.travelled_studs - exact.distance_studs),
                hypot(*np.subtract(first.point_studs, exact.contact.point_studs)),
                degrees(acos(min(1.0, cosine))),
            )
        )
    return np.array(off)


def test_first_contact_is_where_the_exact_sweep_says():
    distance, point, angle = check_first_contact(seed=3, count=5).T
    assert distance.max() < 0.001
    assert (
        np.median(point) < 0.01
    )  # where edges are nearly parallel, a hair decides how much of them touches
    assert angle.max() < 0.1


@pytest.mark.slow
def test_first_contact_in_two_hundred_scenes():
    """A step sees a grazed corner late, and from another side; edges that are nearly parallel touch at a hair."""
    distance, point, angle = check_first_contact(seed=7, count=200).T
    assert np.percentile(distance, 98) < 0.01
    assert distance.max() < 0.05
    assert np.percentile(point, 95) < 0.1
    assert np.percentile(angle, 98) < 0.05


# --- overlaps at the start ---


def rammed():
    """Return a scene whose mover overlaps a car, a post and a figure at the start, each on another side."""
    x, y = 32.46, 31.05
    post = Fixture("post", ((x - 0.68, y - 0.7), (x + 0.68, y - 0.7), (x + 0.68, y + 0.7), (x - 0.68, y + 0.7)),
                 top_plates=7.82)  # fmt: skip
    mover = Vehicle("mover", 30.0, 30.0, 0.0, 4.19, 2.65, speed=12)
    car = Vehicle("car", 27.93, 32.1, 102.69, 8.22, 4.96)
    return scene(mover, car, Unit("figure", 25.92, 30.42), post)


def test_overlaps_at_the_start_make_no_energy():
    """Newton's restitution at several contacts that contradict each other would give 9 % more than there was."""
    result = crash(rammed())
    assert result.settled
    assert outcome(result, "mover").moved_studs < 12.0


def pile(rng):
    """Return a scene whose mover overlaps several things, which overlap each other."""

    def near(half):
        return [float(30.0 + value) for value in rng.uniform(-half, half)]

    mover = Vehicle("mover", 30.0, 30.0, 0.0, *rng.uniform((4, 2), (12, 8)).tolist(),
                    speed=int(rng.integers(1, 13)))  # fmt: skip
    others = []
    for n in range(int(rng.integers(5, 20))):
        x, y = near(np.array([5.0, 3.0]))
        (long, broad), heading = rng.uniform((4, 2), (12, 8)).tolist(), float(rng.uniform(0, 360))
        a, b = long / 4, broad / 4
        corners = ((x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b))
        others.append(
            (
                Unit(f"{n}", x, y),
                Unit(f"{n}", x, y),
                Vehicle(f"{n}", x, y, heading, long, broad),
                Fixture(f"{n}", corners, top_plates=float(rng.uniform(2, 15))),
            )[int(rng.integers(4))]
        )
    return scene(mover, *others)


FLUNG_MM = 40.0
"""Farther nothing comes in 16 ms unless a fault flings it away: the mover goes 8 mm, others are pushed up to 19."""


@pytest.mark.slow
def test_no_pile_of_three_hundred_diverges():
    """Things that bounce as if of rubber make most; the first 16 ms, of a move of 0.4 s, show it."""
    for seed in range(300):
        scene = pile(np.random.default_rng([seed, 11]))
        found = simulated(scene, between=ContactCoefficients(0.4, 1.0), limit_s=-0.385)
        poses = found.recording.poses
        assert np.abs(poses[..., :3] - poses[0, :, :3]).max() < FLUNG_MM


# --- blows and what comes of them ---


@pytest.mark.parametrize(
    ("heading", "closing"), [(180.0, 0.8), (90.0, 0.5), (0.0, 0.2)], ids=["front", "side", "rear"]
)
def test_closing_speed_is_the_relative_speed_of_the_rule(heading, closing):
    """BOW 3.6.3: the sum in front, the mover's at the sides, the difference at the rear."""
    result = crash(scene(jeep(), jeep(30.0, 16.0, heading, 3, "other")))
    assert result.impacts[0].closing_speed_m_s == pytest.approx(closing, abs=1e-6)


def test_speed_and_energy_go_with_the_scale():
    slow, fast = (crash(scene(jeep(), wall()), scale_m_s=s) for s in (0.05, 0.1))
    assert (slow.speed_m_s, fast.speed_m_s) == (0.25, 0.5)
    mass_g = assembly("jeep").mass_g
    assert fast.energy_mj == pytest.approx(mass_g * 0.5**2 / 2, rel=1e-6)
    assert slow.energy_mj == pytest.approx(fast.energy_mj / 4, rel=1e-6)
    for scale in (-1.0, 0.0, 1e-300, 0.0099, 1.01, nan):
        with pytest.raises(InvalidValueError, match=r"for a point of speed is not from 0\.01 to 1"):
            crash(scene(jeep()), scale_m_s=scale)


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize(
    "more",
    [{}, {"model": None}, {"model": None, "length_studs": 6.0, "width_studs": 4.0}],
    ids=["model", "box", "small"],
)
def test_wall_throws_a_vehicle_back_by_the_restitution(more, friction):
    """Friction on the floor acts after the impact, not in it: delta-v and lost energy are those of the formulas."""
    mover = replace(jeep(), **more)
    floor = ContactCoefficients(friction, 0.5)
    result = simulated(scene(mover, wall()), floor=floor, limit_s=5.0 if friction else 0.0)
    impact = result.impacts[0]
    assert impact.travelled_studs == pytest.approx(20.0 - mover.length_studs / 2, abs=1e-3)
    assert impact.delta_v_m_s[0] == pytest.approx(0.5 * 1.5, rel=1e-3)
    assert impact.delta_v_m_s[1] == 0.0
    mass_g = mass_of(mover).mass_g
    assert impact.impulse_mn_s == pytest.approx(mass_g * 0.75, rel=1e-3)
    assert impact.energy_lost_mj == pytest.approx(mass_g * 0.5**2 / 2 * 0.75, rel=1e-3)
    if friction == 0.4:  # it comes back at 0.25 m/s and slides 0.25**2 / (2 mu g) = 8 mm = 1 stud
        back = 30.0 - mover.length_studs / 2 - outcome(result, mover.id).end_studs[0]
        assert back == pytest.approx(1.0, abs=0.25)


def test_faster_vehicles_knock_figures_over_and_slow_ones_push_them():
    horse = Vehicle("horse", 8.0, 16.0, 0.0, 6.0, 2.0, 0.0, 12.0, 1, "horse")
    slow = crash(scene(horse, Unit("figure", 14.5, 16.5)), scale_m_s=0.05)
    fast = crash(scene(replace(horse, speed=6), Unit("figure", 14.5, 16.5)))
    assert not outcome(slow, "figure").knocked_over
    assert outcome(fast, "figure").knocked_over
    assert outcome(fast, "figure").tilt_deg == pytest.approx(90.0, abs=2.0)


@cache
def pushed():
    """A jeep at speed 2 that pushes a figure."""
    return crash(scene(jeep(speed=2), Unit("figure", 17.5, 16.5)))


def test_move_without_a_stop_ends_where_the_rule_says():
    result = pushed()
    assert result.travelled_studs == pytest.approx(10.0, abs=1e-6)
    assert result.settled
    ends = {v.id: v for v in standing(result) if isinstance(v, Vehicle)}
    assert (ends["jeep"].x_studs, ends["jeep"].y_studs) == pytest.approx((20.0, 16.0), abs=1e-3)
    assert [o.type for o in result.outcomes] == [ThingType.VEHICLE, ThingType.UNIT]


def test_energy_put_in_is_that_at_the_start_and_what_the_drive_adds():
    """It does not matter that the drive stops the mover in the end."""
    start_mj = assembly("jeep").mass_g * 0.2**2 / 2
    assert crash(scene(jeep(speed=2))).energy_mj == pytest.approx(start_mj, rel=1e-6)
    hit = pushed()
    assert hit.travelled_studs == pytest.approx(10.0, abs=1e-6)  # the drive has regained the speed
    least_mj = hit.impacts[0].impulse_mn_s * 0.2 / 2
    most_mj = 0.4 * assembly("jeep").mass_g * 9.81 * 0.08  # grip over the ten studs of the move
    assert least_mj < hit.energy_mj - start_mj < most_mj


def test_vehicle_that_stands_stands():
    result = crash(scene(jeep(speed=0), Unit("figure", 17.5, 16.5)))
    assert result.impacts == ()
    assert result.energy_mj == pytest.approx(0.0, abs=1e-6)
    assert all(o.moved_studs < 1e-3 and o.settled for o in result.outcomes)


def test_same_scene_same_crash():
    made = scene(jeep(), Unit("figure", 20.5, 16.5), wall())
    first, second = crash(made, limit_s=0.1), crash(made, limit_s=0.1)
    assert first == second
    assert np.array_equal(first.recording.poses, second.recording.poses)


@pytest.mark.parametrize("limit_s", [-1.0, 0, nan, inf])
def test_a_limit_that_is_no_time_is_refused(limit_s):
    with pytest.raises(InvalidValueError, match=r"^limit_s: .* s is not a time above 0$"):
        crash(scene(jeep(), wall()), limit_s=limit_s)


def test_friction_and_restitution_are_taken_as_a_pair():
    made = scene(jeep(), jeep(22.0, 16.0, 0.0, 0, "other"))
    pair, contact = (0.3, 0.2), ContactCoefficients(0.3, 0.2)
    crashes = [
        crash(made, limit_s=0.1, **coefficients)
        for coefficients in (
            {"floor": pair, "between": pair},
            {"floor": contact, "between": contact},
            {},
        )
    ]
    assert crashes[0] == crashes[1] != crashes[2]
    with pytest.raises(InvalidValueError, match=r"between: 0.3 is not .* or a pair of numbers"):
        crash(made, between=0.3)
    with pytest.raises(InvalidValueError, match="restitution 2 is outside 0 to 1"):
        crash(made, floor=(0.3, 2))


def test_vehicles_that_do_not_bounce_go_on_together():
    """Restitution 0 between things, on wood: each gets the common speed, and half of the energy is lost."""
    box = Vehicle("mover", 10.0, 16.0, 0.0, 10.0, 6.0, speed=6)
    made = scene(box, replace(box, id="other", x_studs=26.0, speed=0))
    (impact,) = crash(made, between=(0.4, 0.0)).impacts
    assert impact.delta_v_m_s == pytest.approx((0.3, 0.3), rel=1e-2)
    assert impact.energy_lost_mj == pytest.approx(mass_of(box).mass_g * 0.6**2 / 4, rel=1e-2)


@pytest.mark.parametrize("speed", [4, 6])
def test_slides_after_an_impact_are_right_to_seven_hundredths_of_a_stud(speed):
    """Equal boxes go on with 1/4 and 3/4 of the speed, and slide v**2 / (2 mu g)."""
    box = Vehicle("mover", 10.0, 16.0, 0.0, 10.0, 6.0, speed=speed)
    result = crash(scene(box, replace(box, id="other", x_studs=28.0, speed=0)))
    slides = [(share * 100.0 * speed) ** 2 / (2 * 0.4 * 9806.65) / 8.0 for share in (0.25, 0.75)]
    ends = [one.moved_studs for one in result.outcomes]
    assert ends == pytest.approx([8.0 + slides[0], slides[1]], abs=0.07)
    assert max(abs(one.heading_deg) for one in result.outcomes) < 1.0


def test_the_drive_ends_at_the_touch_and_the_time_when_rest_begins():
    box = Vehicle("mover", 10.0, 16.0, 0.0, 10.0, 6.0, speed=6)
    result = crash(scene(box, wall(25.0)))
    assert result.travelled_studs == result.impacts[0].travelled_studs
    assert result.travelled_studs == pytest.approx(10.0, abs=1e-3)
    frame_s = result.recording.frame_s
    ways_mm = np.linalg.norm(np.diff(result.recording.poses[:, 0, :3], axis=0), axis=1)
    last_s = (np.flatnonzero(ways_mm > 2.0 * frame_s)[-1] + 1) * frame_s
    assert result.time_s == pytest.approx(last_s, abs=2 * frame_s)
    assert crash(scene(jeep(speed=0))).time_s == 0.0


def test_impacts_and_outcomes_are_lines_and_answer_names_that_they_lack():
    found = crash(scene(jeep(speed=2), wall(16.5)), limit_s=0.01)
    for one, name, told in (
        (found.impacts[0], "delta_v", "Impact has no 'delta_v'; did you mean delta_v_m_s?"),
        (found.outcomes[0], "x", "ThingOutcome has no 'x': end_studs is (x, y)"),
    ):
        with pytest.raises(AttributeError) as caught:
            getattr(one, name)
        assert str(caught.value) == told
        assert repr(one).startswith("<jeep ")
        assert len(one.to_pandas()) == 1


@pytest.mark.parametrize(("more", "end_s"), few_rows([({"limit_s": 0.25}, 0.65), ({}, 5.4)]))
def test_what_slides_for_ever_is_given_up_after_the_limit(more, end_s):
    """On ice a move of 0.4 s never ends; frames are 8 ms apart."""
    made = replace(scene(jeep(speed=2), Unit("figure", 17.5, 16.5)), bounds=Bounds(9000.0, 60.0))
    result = crash(made, floor=ContactCoefficients(0.0, 0.0), **more)
    assert end_s <= result.time_s <= end_s + result.recording.frame_s
    assert not result.settled


# --- chains: figures between the mover and what it would hit ---


def head_on(*figures):
    """Return a jeep at speed 6 against a truck that comes at speed 4, with figures between them."""
    truck = Vehicle("truck", 60.0, 50.0, 180.0, 16.0, 7.0, 0.0, 16.0, 4, "truck")
    made = scene(jeep(30.0, 50.0, speed=6), truck, *figures)
    return replace(made, bounds=Bounds(120.0, 100.0))


ICE = {"floor": ContactCoefficients(0.0, 0.0), "between": ContactCoefficients(0.4, 0.5)}
ROWS = [
    (),
    (Unit("a", 40.5, 50.0),),
    (Unit("a", 40.5, 50.5),),
    (Unit("a", 40.5, 50.0), Unit("b", 46.5, 50.0)),
    (Unit("a", 40.5, 48.5), Unit("b", 42.5, 51.5), Unit("c", 44.5, 50.5), Unit("d", 47.5, 49.5)),
]


@pytest.mark.parametrize("figures", ROWS, ids=len)
def test_figures_in_between_do_not_swallow_a_crash(figures):
    """The truck's own speed comes into the crash, and all momentum stays: what a push reaches is let go.

    The figures slow the jeep before it is let go: four take 5 %. The truck brings a quarter of the energy or more.
    """
    result = crash(head_on(*figures), limit_s=0.3, **ICE)
    before = assembly("jeep").mass_g * 0.6 - assembly("truck").mass_g * 0.4
    after = momenta_g_m_s(result).sum(axis=0)
    assert after[0] == pytest.approx(before, rel=1e-3)
    trucks = assembly("truck").mass_g * 0.16 / 2
    brought = assembly("jeep").mass_g * 0.36 / 2 + trucks
    assert trucks > 0.25 * brought
    assert result.energy_mj == pytest.approx(brought, rel=0.1)
    assert all(impact.energy_lost_mj >= 0 for impact in result.impacts)
    assert 0 < result.energy_lost_mj < result.energy_mj
    assert outcome(result, "truck").was_hit


def test_closing_speed_of_a_pushed_figure_and_a_vehicle_includes_its_own_speed():
    """The figure flies at the jeep at most at 1.5 times the jeep's speed, the truck comes with 0.4 m/s."""
    result = crash(head_on(Unit("a", 40.5, 50.0)))
    impact = next(i for i in result.impacts if {i.first, i.second} == {"a", "truck"})
    assert 0.6 + 0.4 < impact.closing_speed_m_s < 0.9 + 0.4 + 0.1


@pytest.mark.slow
def test_trucks_behind_four_figures_are_moved():
    """A truck of speed 4 at any heading, which stops the jeep by the rule, is reached and moved by the bodies."""
    rng = np.random.default_rng(4)
    checked = 0
    while checked < 25:
        figures = [Unit(f"u{n}", *(rng.uniform((38, 47), (48, 53))).tolist()) for n in range(4)]
        made = head_on(*figures)
        turned = replace(
            made.vehicles[1],
            y_studs=float(rng.uniform(46, 54)),
            heading_deg=float(rng.uniform(0, 360)),
        )
        made = replace(made, vehicles=(made.mover, turned))
        if "truck" not in resolve(made).stopped_by:
            continue
        checked += 1
        assert outcome(crash(made), "truck").moved_studs > 0.01


# --- ledges, the edge of the table, riders ---


def test_figure_that_is_thrown_off_a_ledge_falls():
    ledge = Fixture(
        "ledge", ((25.0, 10.0), (32.0, 10.0), (32.0, 22.0), (25.0, 22.0)), top_plates=6.0
    )
    on_top = Unit("figure", 30.5, 16.5, 6.0, 18.5)
    truck = Vehicle(
        "truck", 15.0, 16.0, 0.0, 12.0, 6.0, 6.0, 22.0, speed=4
    )  # it hovers at the ledge's height
    result = crash(scene(truck, on_top, ledge))
    place = result.recording.poses[-1][1]
    assert outcome(result, "figure").end_studs[0] > 32.0
    assert place[2] == pytest.approx(
        -6.0 * 3.2, abs=0.5
    )  # of its frame, whose origin was on the table
    still = crash(scene(replace(truck, y_studs=30.0), on_top, ledge))
    assert outcome(still, "figure").moved_studs == pytest.approx(0.0, abs=1e-6)


def test_what_is_thrown_over_the_border_falls_off_the_table():
    result = crash(scene(jeep(46.0, 16.0, speed=2), Unit("figure", 58.5, 16.0)))
    assert outcome(result, "figure").fell_off
    assert outcome(result, "figure").left_field
    assert result.settled
    assert differences(resolve(scene(jeep(46.0, 16.0, speed=2))), result)[-1] == RuleDifference(
        "figure", "stays on the table", "falls off the table"
    )


def test_vehicle_that_drives_over_the_border_falls_off_the_table_and_a_flyer_does_not():
    made = scene(jeep(56.0, speed=3))
    result = crash(made)
    assert outcome(result, "jeep").fell_off
    assert result.travelled_studs == pytest.approx(4.0, abs=0.1)
    assert differences(resolve(made), result) == []
    flyer = crash(scene(jeep(56.0, speed=3, bottom_plates=9.0, top_plates=18.0)))
    assert not outcome(flyer, "jeep").fell_off
    assert outcome(flyer, "jeep").left_field


def test_rider_is_thrown_over_a_wall():
    """A horse stops at a low wall; its rider, who sits higher, flies on and lands beyond."""
    horse = Vehicle("horse", 8.0, 16.0, 0.0, 6.0, 2.0, 0.0, 12.0, 12, "horse")
    low = replace(wall(20.0), top_plates=9.0)
    result = crash(scene(horse, low), 0.2)
    (rider,) = result.riders
    assert rider.id == "horse/rider"
    assert rider.end_studs[0] > 21.0
    assert rider.thrown_off
    assert outcome(result, "horse").end_studs[0] < 20.0
    assert result.recording.riders == ("horse/rider",)


def test_rider_of_a_vehicle_that_nothing_stops_stays_on_it():
    horse = Vehicle("horse", 8.0, 16.0, 0.0, 6.0, 2.0, 0.0, 12.0, 2, "horse")
    (rider,) = crash(scene(horse)).riders
    assert not rider.thrown_off


def test_figure_that_is_squeezed_changes_its_velocity_by_what_all_others_do_to_it():
    """Between jeep and truck it is struck from both sides: no body gets faster than restitution could make it."""
    truck = Vehicle("truck", 34.0, 16.0, 180.0, 16.0, 6.0, 0.0, 16.0, 3, "truck")
    pete = Unit("pete", 24.5, 16.5)
    result = crash(scene(replace(jeep(), speed=6, model="jeep"), pete, truck), scale_m_s=0.3)
    fastest = 1.5 * (6 + 3) * 0.3
    blows = [impact for impact in result.impacts if "pete" in (impact.first, impact.second)]
    pete_g = mass_of(pete).mass_g
    assert max(blow.impulse_mn_s / pete_g for blow in blows) > 3 * fastest
    for blow in blows:
        assert blow.delta_v_m_s[blow.first != "pete"] < fastest


# --- rule and bodies ---


def test_rule_and_bodies_agree_where_nothing_is_in_between():
    made = scene(jeep(), wall())
    assert differences(resolve(made), crash(made)) == []
    made = scene(jeep(speed=2), Unit("figure", 18.5, 16.5))
    assert differences(resolve(made), crash(made)) == []


# --- masses ---


def test_things_weigh_what_their_models_weigh():
    built = assembly("jeep")
    crew_g = sum(rider.mass.mass_g for _, rider in riders(jeep()))
    assert mass_of(jeep()).mass_g + crew_g == pytest.approx(built.mass_g)
    assert mass_of(Unit("u", 1.0, 1.0)).mass_g == pytest.approx(assembly("minifig").mass_g)
    assert mass_of(wall()) is None


def test_density_of_a_vehicle_without_a_model_lies_amid_those_of_the_models():
    built = [assembly(name) for name in assembly_names() if assembly(name).kind == "vehicle"]
    densities = [
        1000.0 * thing.mass_g / float(np.prod(thing.hull.prism.size_mm)) for thing in built
    ]
    assert np.median(densities) == pytest.approx(VEHICLE_DENSITY_G_CM3, abs=0.02)
    box = mass_of(jeep(model=None))
    assert box.centre_mm == pytest.approx([0.0, 0.0, 14.4])
    flyer = mass_of(jeep(model=None, bottom_plates=10.0, top_plates=20.0))
    assert flyer.mass_g == pytest.approx(0.28e-3 * 80 * 48 * 32)
    assert flyer.centre_mm == pytest.approx([0.0, 0.0, 48.0])


def test_body_of_decor_has_its_corners():
    slanted = Fixture("d", ((20.0, 10.0), (24.0, 13.0), (21.0, 17.0), (17.0, 14.0)))
    body = block(slanted)
    assert body.box_mm == pytest.approx([40.0, 40.0, 48.0])
    assert body.mass is None


def test_progress_is_told_for_each_frame_up_to_the_time_of_rest():
    told = []
    found = simulated(scene(jeep(speed=1), wall()), progress=lambda *ms: told.append(ms))
    times, limits = zip(*told, strict=True)
    assert list(times) == sorted(set(times))
    assert len(times) == len(found.recording.poses) - 1
    assert set(limits) == {round(1000 * (5 * STUD_MM / 1000 / 0.1 + 5.0))}


@pytest.mark.parametrize(("bottom_plates", "ends"), [(0.0, True), (0.5, False), (3.0, False)])
def test_only_what_is_on_the_table_falls_off_it(bottom_plates, ends):
    """The drive ends at the border, where it falls; a flyer goes on."""
    mover = jeep(speed=6, x=FIELD.width_studs - 8.0, bottom_plates=bottom_plates)
    edge_mm = _drive(scene(mover), (mover,), 0.1).edge_mm
    assert (edge_mm < inf) is ends
