"""Each kernel of free flight alone, against closed forms, scipy's rotations and conservation laws."""

import math
from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from brickphys.engines.compiled import kernel_body
from brickphys.engines.kernels import flight_kernel, vectors
from brickphys.engines.kernels.vectors import LANES
from brickphys.shapes.catalogue import parse_shape
from brickphys.units import GRAVITY_M_S2
from tests.plain_kernels import PLAIN, SHAPES, plain, points, put_down, random_motions, turned

GRAVITY = 1000 * GRAVITY_M_S2
IN_LANES = plain(vectors, flight_kernel)
"""Kernels on vectors, which are arrays here."""
close = partial(pytest.approx, rel=1e-12, abs=1e-9)


@pytest.fixture(params=SHAPES)
def solid(request):
    return solid_of(request.param)


def solid_of(shape):
    return kernel_body(parse_shape(shape), 1e-3)


def corners_of(solid):
    return PLAIN.workspace(len(solid.x)).corners


def corners_at(height, rise, listed=()):
    """Return corners of these heights and speeds, of which some are listed as near."""
    corners = PLAIN.workspace(len(height)).corners
    corners.height[:], corners.rise[:] = height, rise
    corners.near[: len(listed)], corners.number[0] = listed, len(listed)
    return corners


def measured(solid, motion):
    corners = corners_of(solid)
    PLAIN.measure(solid, motion, corners)
    return corners


# --- corners ---


def test_the_normal_of_the_floor_is_up_in_the_body_frame():
    for motion in random_motions(20):
        assert PLAIN.floor_normal(motion) == close(turned(motion).inv().apply([0, 0, 1]))


def test_corners_have_the_height_and_speed_of_points_of_a_rigid_body(solid):
    for motion in random_motions(5):
        corners, arm = corners_of(solid), turned(motion).apply(points(solid))
        bound = PLAIN.measure(solid, motion, corners)
        spin = turned(motion).apply(motion[10:])
        assert corners.height == close(motion[2] - solid.edge + arm[:, 2])
        assert corners.rise == close(motion[9] + np.cross(spin, arm)[:, 2])
        assert bound == close(solid.radius * math.hypot(spin[0], spin[1]))


def test_every_corner_that_touches_the_floor_soon_is_listed_before(solid):
    ahead_s = 1e-3
    for motion in random_motions(20, speed_mm_s=300.0, spin_rad_s=50.0):
        put_down(solid, motion, 0.3)
        corners, touching = corners_of(solid), set()
        least = PLAIN.measure_near(solid, motion, corners, ahead_s)
        listed = corners.near[: corners.number[0]].tolist()
        assert listed == sorted(set(listed))
        assert least == (corners.height[listed].min() if listed else math.inf)
        for _ in range(10):
            PLAIN.fly(solid, motion, ahead_s / 10)
            below = measured(solid, motion).height <= solid.touch
            touching |= set(np.flatnonzero(below).tolist())
        assert touching <= set(listed)


@pytest.mark.parametrize("speed", [-400.0, 0.0, 400.0])
def test_corners_are_listed_up_to_twice_the_way_that_they_can_fall(speed):
    solid, motion, ahead_s = solid_of("cuboid:10x10x30"), np.zeros(13), 1e-3
    motion[6], motion[9] = 1.0, speed
    way = max(GRAVITY * ahead_s - speed, 0.0) * ahead_s
    limit = solid.touch + 2 * way
    for height, number in ((limit - 1e-6, 4), (limit + 1e-6, 0)):
        put_down(solid, motion, height)
        corners = corners_of(solid)
        least = PLAIN.measure_near(solid, motion, corners, ahead_s)
        assert corners.number[0] == number
        assert least == (close(height) if number else math.inf)


def test_spin_brings_corners_down_from_twice_its_way():
    solid, motion, ahead_s = solid_of("cuboid:30x10x10"), np.zeros(13), 1e-3
    motion[6], motion[9], motion[11] = 1.0, 500.0, 80.0
    way = (solid.radius * 80.0 - 500.0 + GRAVITY * ahead_s) * ahead_s
    for height, number in ((2 * way + solid.touch - 1e-6, 4), (2 * way + solid.touch + 1e-6, 0)):
        put_down(solid, motion, height)
        corners = corners_of(solid)
        PLAIN.measure_near(solid, motion, corners, ahead_s)
        assert corners.number[0] == number


def test_a_corner_at_the_limit_itself_is_listed():
    solid, motion = solid_of("cuboid:10x10x30"), np.zeros(13)
    motion[6], motion[9] = 1.0, 500.0
    put_down(solid, motion, 0.01)
    corners = measured(solid, motion)
    limit = solid._replace(touch=float(corners.height.min()))
    assert PLAIN.measure_near(limit, motion, corners, 1e-3) == limit.touch
    assert corners.number[0] == 4


@pytest.mark.parametrize(
    ("listed", "expected"), [((), 4), ((0, 2, 3), 2), ((1,), 1), ((3, 2), 2), ((0, 1), 1)]
)
def test_the_lowest_corner_is_sought_among_those_listed(listed, expected):
    assert PLAIN.lowest(corners_at([5.0, 4.0, 3.0, 6.0, 2.0], np.zeros(5), listed)) == expected


def test_the_first_of_two_equally_low_corners_is_the_lowest():
    assert PLAIN.lowest(corners_at([5.0, 3.0, 3.0], np.zeros(3))) == 1


def test_energy_is_the_height_to_which_it_would_lift_the_body(solid):
    for motion in random_motions(5):
        v, w = motion[7:10], motion[10:]
        kinetic = (v @ v + (np.array(solid.inertia) * w) @ w * solid.per_mass) / 2
        assert PLAIN.energy_mm(solid, motion, 3.0) == close(motion[2] + kinetic / GRAVITY)
        assert PLAIN.energy_mm(solid, motion, 0.5) == close(motion[2] + kinetic / GRAVITY)
        assert PLAIN.energy_mm(solid, motion, -0.1) == close(motion[2] + 0.1 + kinetic / GRAVITY)


# --- flight ---


def test_the_centre_of_mass_falls_on_a_parabola():
    for motion in random_motions(5):
        before, t = motion.copy(), 0.3
        PLAIN.fall(motion, t)
        expected = before[:3] + before[7:10] * t - [0, 0, GRAVITY * t * t / 2]
        assert motion[:3] == close(expected)
        assert motion[7:10] == close(before[7:10] - [0, 0, GRAVITY * t])
        assert np.array_equal(motion[3:7], before[3:7])
        assert np.array_equal(motion[10:], before[10:])


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 0.3, 0.5, 0.500001, 1.0, 3.0, 40.0])
def test_sine_and_cosine_of_half_an_angle(angle):
    share, cosine = PLAIN._half_sine(angle**2)
    assert share * angle == pytest.approx(math.sin(angle / 2), rel=1e-15, abs=1e-15)
    assert share == pytest.approx(math.sin(angle / 2) / angle if angle else 0.5, rel=1e-14)
    assert cosine == pytest.approx(math.cos(angle / 2), abs=1e-15)


def test_a_turn_in_the_body_frame_comes_first():
    for motion, other in zip(random_motions(5), random_motions(5, seed=2), strict=True):
        expected = turned(motion) * turned(other)
        PLAIN._turn(motion, *other[3:7])
        assert (turned(motion).inv() * expected).magnitude() < 1e-12
        assert np.linalg.norm(motion[3:7]) == close(1.0)


def test_a_quaternion_of_nearly_unit_length_is_normalised():
    for motion in random_motions(5):
        before = motion.copy()
        motion[3:7] *= 1 + 1e-6
        PLAIN._normalise(motion)
        assert motion[3:7] == pytest.approx(before[3:7], abs=3e-12)
        assert np.array_equal(np.delete(motion, range(3, 7)), np.delete(before, range(3, 7)))


def test_spin_changes_by_eulers_equations(solid):
    moments = np.array(solid.inertia)
    for motion in random_motions(5):
        w = motion[10:]
        assert PLAIN.spin_change(solid, *w) == close(np.cross(moments * w, w) / moments)


def rotated(solid, motion, time_s):
    """Return orientation and spin (body frame) of a free rotation, integrated by scipy."""
    moments = np.array(solid.inertia)

    def rates(_, state):
        q, w = state[:4], state[4:]
        vector = 0.5 * (q[3] * w + np.cross(q[:3], w))
        return [*vector, -0.5 * q[:3] @ w, *(np.cross(moments * w, w) / moments)]

    start = motion[[3, 4, 5, 6, 10, 11, 12]]
    exact = solve_ivp(rates, (0, time_s), start, "DOP853", rtol=1e-11, atol=1e-12)
    return Rotation.from_quat(exact.y[:4, -1]), exact.y[4:, -1]


@pytest.mark.parametrize("time_s", [0.002, 0.1])
def test_free_rotation_is_that_of_a_rigid_body_without_torque(solid, time_s):
    for motion in random_motions(2):
        before = motion.copy()
        orientation, spin = rotated(solid, motion, time_s)
        PLAIN.rotate_freely(solid, motion, time_s)
        assert (turned(motion).inv() * orientation).magnitude() < 1e-6
        assert motion[10:] == pytest.approx(spin, abs=1e-5)
        assert np.linalg.norm(motion[3:7]) == close(1.0)
        assert np.array_equal(motion[[0, 1, 2, 7, 8, 9]], before[[0, 1, 2, 7, 8, 9]])


def test_free_rotation_keeps_angular_momentum_and_energy(solid):
    moments = np.array(solid.inertia)
    tolerance = 1e-12 if sum(solid.axis) else 1e-6
    for motion in random_motions(2, seed=3):
        momentum = turned(motion).apply(moments * motion[10:])
        energy = motion[10:] @ (moments * motion[10:])
        for _ in range(3):
            PLAIN.rotate_freely(solid, motion, 0.02)
        assert motion[10:] @ (moments * motion[10:]) == pytest.approx(energy, rel=tolerance)
        now = turned(motion).apply(moments * motion[10:])
        assert now == pytest.approx(momentum, abs=tolerance * np.linalg.norm(momentum))


def test_lanes_turn_bodies_each_by_its_own_time(solid):
    """As many as a vector has lanes, with spins and times of their own; one lane waits."""
    rows, rng = random_motions(LANES, spin_rad_s=30.0, seed=4).T.copy(), np.random.default_rng(5)
    before, time_s = rows.copy(), rng.uniform(0.0, 0.05, LANES)
    time_s[3] = 0.0
    IN_LANES.rotate_freely(solid, rows, time_s)
    moments = np.array(solid.inertia)
    for lane in range(LANES):
        orientation, spin = rotated(solid, before[:, lane], time_s[lane])
        assert (turned(rows[:, lane]).inv() * orientation).magnitude() < 1e-6
        assert rows[10:, lane] == pytest.approx(spin, abs=1e-4)
        momentum, now = (turned(m[:, lane]).apply(moments * m[10:, lane]) for m in (before, rows))
        assert now == pytest.approx(momentum, abs=1e-6 * np.linalg.norm(momentum))
        energy, after = (m[10:, lane] @ (moments * m[10:, lane]) for m in (before, rows))
        assert after == pytest.approx(energy, rel=1e-6)
    assert np.array_equal(rows[:, 3], before[:, 3])


def test_a_lane_whose_spin_is_lost_ends(solid):
    rows = random_motions(LANES).T.copy()
    rows[10, 0], rows[11, 1] = np.inf, np.nan
    with np.errstate(all="ignore"):
        IN_LANES.rotate_freely(solid, rows, np.full(LANES, 0.01))
    assert np.isfinite(rows[:, 2:]).all()


@pytest.mark.parametrize(("turn_rad", "steps"), [(0.0, 1), (0.04, 1), (0.06, 2), (0.49, 10)])
def test_asymmetric_rotation_is_stepped_by_its_angle(turn_rad, steps, monkeypatch):
    solid, motion, calls = solid_of("1x2"), random_motions(1)[0], []
    rates = PLAIN._rates
    namespace = PLAIN._rotate_asymmetric.__globals__
    monkeypatch.setitem(namespace, "_rates", lambda *state: calls.append(1) or rates(*state))
    PLAIN.rotate_freely(solid, motion, turn_rad / np.linalg.norm(motion[10:]))
    assert len(calls) == 4 * steps


def test_a_flight_is_a_fall_and_a_rotation(solid):
    motion = random_motions(1)[0]
    expected = motion.copy()
    PLAIN.fall(expected, 0.05)
    PLAIN.rotate_freely(solid, expected, 0.05)
    PLAIN.fly(solid, motion, 0.05)
    assert np.array_equal(motion, expected)


# --- the next touch ---


def test_the_bound_of_acceleration_is_that_of_the_spin(solid):
    moments = np.array(solid.inertia)
    for motion in random_motions(5):
        w = motion[10:]
        square, change = w @ w, np.linalg.norm(np.cross(moments * w, w) / moments)
        if not sum(solid.axis):  # the largest that they can become
            square = ((moments * w) @ (moments * w)) / moments.min() ** 2
            change = square * (moments.max() - moments.min()) / moments.min()
        bound = PLAIN.acceleration_bound(solid, motion)
        assert bound == close(GRAVITY + solid.radius * (square + change))


def test_no_point_accelerates_more_than_the_bound(solid):
    h = 1e-5
    for motion in random_motions(5, spin_rad_s=50.0):
        bound, before = PLAIN.acceleration_bound(solid, motion), measured(solid, motion)
        PLAIN.fly(solid, motion, h)
        assert np.all((before.rise - measured(solid, motion).rise) / h < bound)


@pytest.mark.parametrize("rise", [-800.0, -1e-3, 0.0, 1e-3, 800.0])
@pytest.mark.parametrize("room", [1e-12, 1e-3, 50.0])
def test_time_of_a_fall_is_the_positive_root_without_cancellation(room, rise):
    time_s = PLAIN.drop_time(room, rise, GRAVITY)
    other = 2 * rise / GRAVITY - time_s  # the negative root
    assert time_s > 0
    assert -other * time_s == pytest.approx(2 * room / GRAVITY, rel=1e-12 if rise <= 0 else 1e-3)


def test_a_point_on_the_floor_falls_at_once():
    assert PLAIN.drop_time(0.0, 0.0, GRAVITY) == 0.0
    assert PLAIN.drop_time(0.0, -5.0, GRAVITY) == 0.0


def test_the_bounding_sphere_touches_first():
    solid, motion = solid_of("2x2:r0.2"), np.zeros(13)
    motion[2], motion[6] = solid.radius + 50.0, 1.0
    assert PLAIN._sphere_time(solid, motion) == close(math.sqrt(100.0 / GRAVITY))
    motion[9] = -300.0
    t = PLAIN._sphere_time(solid, motion)
    assert 50.0 - 300.0 * t - GRAVITY * t * t / 2 == close(0.0)
    for inside in (0.0, -0.1):
        motion[2] = solid.radius + inside
        assert PLAIN._sphere_time(solid, motion) == 0.0


def test_the_safe_time_is_the_least_of_all_corners():
    rng = np.random.default_rng(1)
    for _ in range(40):
        height, rise = rng.uniform(-0.2, 5.0, 6), 500.0 * rng.normal(size=6)
        times = [PLAIN.drop_time(max(h, 0.0), r, 2e4) for h, r in zip(height, rise, strict=True)]
        for first in range(6):
            time_s, setter = PLAIN._safe_time(corners_at(height, rise), first, 2e4)
            assert time_s == pytest.approx(min(times), rel=1e-12)
            assert times[setter] == pytest.approx(time_s, rel=1e-9)


def test_the_corner_that_limits_the_time_stays_if_no_other_is_earlier():
    corners = corners_at([2.0, 1.0, 3.0], [-10.0, -10.0, -10.0])
    assert PLAIN._safe_time(corners, 1, 2e4)[1] == 1
    assert PLAIN._safe_time(corners, 0, 2e4)[1] == 1


def test_a_flight_ends_where_the_first_corner_touches_the_floor(solid):
    for motion in random_motions(3, height_mm=80.0):
        start, corners = motion.copy(), measured(solid, motion)
        time_s = PLAIN.fly_to_touch(solid, motion, corners, 1.0)
        assert 0 < time_s < 1.0
        low = corners.height.argmin()
        assert corners.height[low] == pytest.approx(solid.touch / 2, abs=0.51 * solid.touch)
        assert corners.rise[low] <= 0
        assert np.array_equal(corners.height, measured(solid, motion).height)
        for share in np.linspace(0, 0.999, 12):  # nothing touched before
            earlier = start.copy()
            PLAIN.fly(solid, earlier, share * time_s)
            assert measured(solid, earlier).height.min() > 0
        PLAIN.fly(solid, start, time_s)
        assert motion == pytest.approx(start, abs=1e-3)


def test_a_flight_ends_at_its_limit_of_time(solid):
    motion = random_motions(1, height_mm=3000.0)[0]
    before = motion.copy()
    assert PLAIN.fly_to_touch(solid, motion, measured(solid, motion), 0.0) == 0.0
    assert np.array_equal(motion, before)
    assert PLAIN.fly_to_touch(solid, motion, measured(solid, motion), 0.1) == close(0.1)
    PLAIN.fly(solid, before, 0.1)
    assert motion == pytest.approx(before, abs=1e-4)


def test_corners_that_have_just_bounced_fly_on():
    solid, motion = solid_of("cuboid:10x10x30"), np.zeros(13)
    motion[6], motion[9] = 1.0, 200.0
    put_down(solid, motion)
    time_s = PLAIN.fly_to_touch(solid, motion, measured(solid, motion), 1.0)
    assert time_s == pytest.approx(400.0 / GRAVITY, rel=1e-3)
    assert motion[9] == pytest.approx(-200.0, rel=1e-2)


@pytest.mark.parametrize(("above", "flies"), [(0.0, False), (1e-6, True)])
def test_a_corner_touches_up_to_the_limit_itself(above, flies):
    solid, motion = solid_of("cuboid:10x10x30"), np.zeros(13)
    motion[6] = 1.0
    put_down(solid, motion, 0.01)
    corners = measured(solid, motion)
    limit = solid._replace(touch=float(corners.height.min()) - above)
    assert (PLAIN.fly_to_touch(limit, motion, corners, 1.0) > 0) == flies
