"""Bodies at their release, and in free flight."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.stats import chi2, chisquare, kstest

from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws import flight
from brickphys.throws.conditions import MAX_BRICKS, PRESETS, Conditions
from brickphys.throws.faces import face_map
from brickphys.throws.release import release, uniform_rotations, uniforms_per_hand
from brickphys.units import GRAVITY_M_S2
from tests.cases import few, few_rows

BRICK = parse_shape("2x2")
HAND, CUP = PRESETS["hand"], PRESETS["cup"]
FALSE_ALARM = 1e-4
"""Of every single test on random numbers in this file; seeds are fixed."""


def arrays(states):
    return states.position_mm, states.quaternion, states.velocity_m_s, states.spin_rad_s


def spread(sample, variance):
    """Return whether the mean square of normal numbers agrees with their variance."""
    return chi2.cdf((sample**2).sum() / variance, sample.size)


@given(
    st.integers(1, 6),
    st.lists(st.integers(1, 20), min_size=1, max_size=6),
    st.integers(0, 2**53 - 1),
)
def test_states_do_not_depend_on_chunking(bricks, chunks, root):
    conditions = replace(HAND, bricks=bricks)
    firsts = np.cumsum([0, *chunks])
    parts = [
        release(BRICK, conditions, root, (1,), int(first), count)
        for first, count in zip(firsts, chunks, strict=False)
    ]
    whole = release(BRICK, conditions, root, (1,), 0, sum(chunks))
    joined = flight.States.concatenate(parts)
    assert all(np.array_equal(a, b) for a, b in zip(arrays(joined), arrays(whole), strict=True))


@pytest.mark.parametrize("bricks", [1, 2, MAX_BRICKS])
def test_states_are_those_of_hands_of_bricks(bricks):
    states = release(BRICK, replace(HAND, bricks=bricks), 1, (), 0, 5)
    assert states.position_mm.shape == states.velocity_m_s.shape == (5, bricks, 3)
    assert states.quaternion.shape == (5, bricks, 4)
    assert np.linalg.norm(states.quaternion, axis=-1) == pytest.approx(1.0, abs=1e-14)
    assert np.all(states.velocity_m_s[..., 2] == 0)


def test_every_uniform_of_the_address_is_used_and_no_other():
    assert [uniforms_per_hand(k) for k in (1, 2, 6)] == [12, 21, 57]


@pytest.mark.parametrize("bricks", [1, 3])
def test_orientation_is_uniform_on_so3(bricks):
    """The angle of a uniform rotation has the density (1 - cos a) / pi; each column is uniform on the sphere."""
    states = release(BRICK, replace(HAND, bricks=bricks), 3, (bricks,), 0, 30_000 // bricks)
    q = states.quaternion.reshape(-1, 4)
    angle = 2 * np.arccos(np.minimum(np.abs(q[:, 3]), 1.0))
    assert kstest(angle, lambda a: (a - np.sin(a)) / np.pi).pvalue > FALSE_ALARM
    turned = uniform_about(q)
    assert kstest(turned, lambda a: (a - np.sin(a)) / np.pi).pvalue > FALSE_ALARM
    for axis in np.eye(3):
        column = flight.rotate(q, np.broadcast_to(axis, (len(q), 3)))
        # Archimedes: every coordinate of a uniform point on the sphere is uniform
        assert all(kstest(part, "uniform", (-1, 2)).pvalue > FALSE_ALARM for part in column.T)
        longitude = np.arctan2(column[:, 1], column[:, 0])
        assert kstest(longitude, "uniform", (-np.pi, 2 * np.pi)).pvalue > FALSE_ALARM


def uniform_about(q):
    """Return the angles of the rotations relative to a fixed one: the uniform law is invariant."""
    fixed = np.array([0.1, -0.7, 0.5, 0.5])
    return 2 * np.arccos(np.minimum(np.abs(q @ (fixed / np.linalg.norm(fixed))), 1.0))


def test_corners_of_the_unit_cube_become_unit_quaternions():
    u = np.array([[a, b, c] for a in (0.0, 1.0) for b in (0.0, 1.0) for c in (0.0, 1.0)])
    assert np.linalg.norm(uniform_rotations(u), axis=-1) == pytest.approx(1.0)


@pytest.mark.parametrize("conditions", [HAND, CUP], ids=["hand", "cup"])
@pytest.mark.parametrize("bricks", [1, 2, 6])
def test_one_brick_has_the_same_speed_and_spin_in_any_hand(conditions, bricks):
    states = release(BRICK, replace(conditions, bricks=bricks), 4, (bricks,), 0, 20_000)
    for brick in (0, bricks - 1):  # bricks of one hand are not independent: one at a time
        for axis in (0, 1):
            share = spread(states.velocity_m_s[:, brick, axis], conditions.speed_m_s**2)
            assert FALSE_ALARM / 2 < share < 1 - FALSE_ALARM / 2
        for axis in (0, 1, 2):
            share = spread(states.spin_rad_s[:, brick, axis], conditions.spin_rad_s**2)
            assert FALSE_ALARM / 2 < share < 1 - FALSE_ALARM / 2
    one = states.velocity_m_s[:, 0, 0] / conditions.speed_m_s
    assert kstest(one, "norm").pvalue > FALSE_ALARM


def test_share_of_the_velocity_that_is_common_is_one_minus_the_scatter():
    states = release(BRICK, replace(HAND, bricks=2, scatter=0.3), 5, (), 0, 20_000)
    vx = states.velocity_m_s[..., 0]
    # standard error of a correlation of .7: (1 - .49) / sqrt(n) = .0036; 4 of them, 6e-5
    assert np.corrcoef(vx.T)[0, 1] == pytest.approx(0.7, abs=0.0145)


def test_heights_fill_their_range_brick_by_brick():
    states = release(BRICK, replace(HAND, bricks=3), 6, (), 0, 10_000)
    height = states.position_mm[..., 2]
    assert 100 <= height.min() < 100.1
    assert 299.9 < height.max() <= 300
    assert kstest(height[:, 1], "uniform", (100, 200)).pvalue > FALSE_ALARM
    assert np.corrcoef(height[:, :2].T)[0, 1] == pytest.approx(0, abs=0.039)  # 3.9 standard errors


@pytest.mark.parametrize("shape", ["2x2", "2x8", "coin:24x2"])
@pytest.mark.parametrize("bricks", [2, 7, MAX_BRICKS])
def test_bricks_of_a_hand_start_apart_in_any_orientation(shape, bricks):
    body = parse_shape(shape)
    flat = Conditions((200.0, 200.0), 1.0, 30.0, bricks=bricks)
    states = release(body, flat, 7, (), 0, 20)
    i, j = np.triu_indices(bricks, k=1)
    between = np.linalg.norm(states.position_mm[:, i] - states.position_mm[:, j], axis=-1)
    assert between.min() >= 2 * body.radius_mm
    # and side by side: each has a neighbour at the distance of the grid
    assert between.min() == pytest.approx(2.1 * body.radius_mm)


def test_hand_is_turned_at_random():
    states = release(BRICK, replace(HAND, bricks=2), 8, (), 0, 5000)
    along = states.position_mm[:, 1] - states.position_mm[:, 0]
    angle = np.arctan2(along[:, 1], along[:, 0])
    assert kstest(angle, "uniform", (-np.pi, 2 * np.pi)).pvalue > FALSE_ALARM


def test_start_inside_the_floor_is_refused():
    low = Conditions((BRICK.radius_mm - 0.01, 200.0), 1.0, 30.0)
    with pytest.raises(InvalidValueError, match=r"of 2x2 .* would start inside the floor"):
        release(BRICK, low, 1, (), 0, 1)


def test_start_that_just_fits_over_the_floor_is_allowed():
    low = Conditions((BRICK.radius_mm, BRICK.radius_mm), 1.0, 30.0)
    states = release(BRICK, low, 1, (), 0, 100)
    reach = flight.rotate(states.quaternion[:, 0, None], BRICK.vertices_mm[None])[..., 2].min()
    assert reach + BRICK.radius_mm >= -1e-9


SYMMETRIC = ("2x2", "coin:24x2", "d6:16", "cuboid:30x10x10", "cuboid:10x30x10")
ASYMMETRIC = ("1x2", "2x4", "cuboid:10x10.5x20", "plate:1x8")
SHAPES = SYMMETRIC + ASYMMETRIC
CLAIMED_RAD_A_TURN = 1e-6


def thrown(shape, spin_rad_s, count, height_mm=300.0):
    """Return a body and states in the air; a third rises, a third falls."""
    body = parse_shape(shape)
    conditions = Conditions((height_mm, height_mm), 1.0, spin_rad_s)
    states = release(body, conditions, 11, (), 0, count).flat()
    states.velocity_m_s[::3, 2] = 1.5
    states.velocity_m_s[1::3, 2] = -0.5
    return body, states


def flown(body, states, time_s):
    return flight.fly(body, states, np.full(len(states), time_s))


def newton_euler(body, state, time_s):
    """Integrate the rotation matrix and the angular momentum in the world frame: none of the code's own variables."""
    moments = np.array(body.inertia_g_mm2)
    start = Rotation.from_quat(state.quaternion).as_matrix()
    momentum = start @ (moments * (start.T @ state.spin_rad_s))

    def rates(_, y):
        matrix = y.reshape(3, 3)
        spin = matrix @ ((matrix.T @ momentum) / moments)
        return np.cross(spin, matrix, axisb=0, axisc=0).ravel()

    exact = solve_ivp(rates, (0, time_s), start.ravel(), method="DOP853", rtol=1e-12, atol=1e-13)
    matrix = exact.y[:, -1].reshape(3, 3)
    return Rotation.from_matrix(matrix), matrix @ ((matrix.T @ momentum) / moments)


def momentum_and_energy(body, states):
    moments = np.array(body.inertia_g_mm2)
    turned = Rotation.from_quat(states.quaternion)
    own = turned.inv().apply(states.spin_rad_s)
    return turned.apply(moments * own), (moments * own**2).sum(axis=1) / 2


def same_bits(a, b):
    return all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s")
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_symmetric_tops_are_told_from_asymmetric_ones(shape):
    assert (flight.symmetry_axis(parse_shape(shape)) is None) == (shape in ASYMMETRIC)


@pytest.mark.parametrize("spin_rad_s", [3.0, 150.0], ids=["slow", "fast"])
@pytest.mark.parametrize("shape", [*few(SYMMETRIC, 2), *few(ASYMMETRIC, 2)])
def test_rotation_agrees_with_the_newton_euler_equations(shape, spin_rad_s):
    body, states = thrown(shape, spin_rad_s, 2)
    time_s = 0.15
    end = flown(body, states, time_s)
    for i in range(len(states)):
        turns = max(1.0, np.linalg.norm(states.spin_rad_s[i]) * time_s / (2 * np.pi))
        rotation, spin = newton_euler(body, states[i], time_s)
        off = (rotation.inv() * Rotation.from_quat(end.quaternion[i])).magnitude()
        assert off < CLAIMED_RAD_A_TURN * turns
        assert end.spin_rad_s[i] == pytest.approx(spin, abs=1e-6 * turns * spin_rad_s)


@pytest.mark.parametrize("shape", ["2x2", "1x2"])
@pytest.mark.parametrize("speed_m_s", [0.1, 15.0], ids=["slow", "fast"])
def test_centre_of_mass_falls_on_the_parabola(shape, speed_m_s):
    body, states = thrown(shape, 30.0, 5)
    states = replace(states, velocity_m_s=states.velocity_m_s * speed_m_s)
    t = np.linspace(0.0, 0.5, 5)
    end = flight.fly(body, states, t)
    metres = states.position_mm / 1000 + states.velocity_m_s * t[:, None]
    metres[:, 2] -= GRAVITY_M_S2 * t**2 / 2
    assert end.position_mm == pytest.approx(1000 * metres, abs=1e-9)
    change = end.velocity_m_s - states.velocity_m_s
    assert change == pytest.approx(np.outer(-GRAVITY_M_S2 * t, [0, 0, 1]), abs=1e-12)


@pytest.mark.parametrize("spin_rad_s", [3.0, 150.0], ids=["slow", "fast"])
@pytest.mark.parametrize("shape", [*few(SYMMETRIC, 2), *few(ASYMMETRIC, 2)])
def test_flight_keeps_angular_momentum_energy_and_unit_quaternions(shape, spin_rad_s):
    body, states = thrown(shape, spin_rad_s, 20)
    end = flown(body, states, 0.2)
    momentum, energy = momentum_and_energy(body, states)
    momentum_after, energy_after = momentum_and_energy(body, end)
    lost = np.linalg.norm(momentum_after - momentum, axis=1) / np.linalg.norm(momentum, axis=1)
    assert lost.max() < 1e-6
    assert energy_after == pytest.approx(energy, rel=1e-6)
    assert np.linalg.norm(end.quaternion, axis=1) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("shape", SHAPES)
def test_two_flights_one_after_the_other_are_one(shape):
    body, states = thrown(shape, 40.0, 20)
    once = flown(body, states, 0.17)
    twice = flown(body, flown(body, states, 0.06), 0.11)
    off = Rotation.from_quat(once.quaternion).inv() * Rotation.from_quat(twice.quaternion)
    assert off.magnitude().max() < 5 * CLAIMED_RAD_A_TURN
    assert twice.position_mm == pytest.approx(once.position_mm, abs=1e-9)
    assert twice.spin_rad_s == pytest.approx(once.spin_rad_s, abs=1e-4)


def test_flight_of_no_time_changes_nothing():
    for shape in ("2x2", "1x2"):
        body, states = thrown(shape, 40.0, 5)
        end = flown(body, states, 0.0)
        assert end.quaternion == pytest.approx(states.quaternion, abs=1e-14)
        assert end.spin_rad_s == pytest.approx(states.spin_rad_s, rel=1e-13)
        assert np.array_equal(end.position_mm, states.position_mm)


SPINNING = few_rows(
    [
        *product(("2x2",), (3.0, 150.0)),
        *(("1x2:r1", 3.0), ("coin:24x2", 30.0), ("d6:16:r7", 150.0), ("1x2", 30.0), ("2x4", 0.0)),
        ("1x2:r1", 150.0),
        *product(("2x2", "1x2:r1"), (0.0, 30.0)),
        *(("coin:24x2", speed) for speed in (0.0, 3.0, 150.0)),
        *(("d6:16:r7", speed) for speed in (0.0, 3.0, 30.0)),
        *(("1x2", speed) for speed in (0.0, 3.0, 150.0)),
        *(("2x4", speed) for speed in (3.0, 30.0, 150.0)),
        *product(("d6:16",), (0.0, 3.0, 30.0, 150.0)),
    ],
    7,
)


@pytest.mark.parametrize(("shape", "spin_rad_s"), SPINNING)
def test_no_earlier_touch_is_jumped_over(shape, spin_rad_s):
    body, now = thrown(shape, spin_rad_s, 30, height_mm=45.0)
    time_s = flight.time_to_touch(body, now)
    assert np.all(time_s > 0)
    looks = 100
    for _ in range(looks - 1):
        now = flight.fly(body, now, time_s / looks)
        assert np.all(flight.gap_mm(body, now) > 0)
    now = flight.fly(body, now, time_s / looks)
    assert np.all(
        flight.gap_mm(body, now) >= -1e-5
    )  # rounding, and the error of the asymmetric flight


@pytest.mark.parametrize(("shape", "spin_rad_s"), SPINNING)
def test_flight_ends_at_the_touch(shape, spin_rad_s):
    body, now = thrown(shape, spin_rad_s, 30, height_mm=45.0)
    calls = (
        1 if shape in ("2x2", "d6:16") and spin_rad_s <= 30 else 20
    )  # the others may need more advances than one call makes
    for _ in range(calls):
        now = flight.fly(body, now, flight.time_to_touch(body, now))
    gap = flight.gap_mm(body, now)
    assert np.all(gap >= -1e-5)
    assert np.all(gap <= flight.TOUCH_MM + 1e-5)


def test_first_touch_of_a_body_that_does_not_turn_is_that_of_free_fall():
    body, states = thrown("2x2", 0.0, 30)
    gap_m = flight.gap_mm(body, states) / 1000
    up = states.velocity_m_s[:, 2]
    exact = (up + np.sqrt(up**2 + 2 * GRAVITY_M_S2 * gap_m)) / GRAVITY_M_S2
    found = flight.time_to_touch(body, states)
    assert np.all(found <= exact + 1e-12)
    assert found == pytest.approx(exact, abs=1e-6)  # TOUCH_MM at 1 m/s


def test_gap_under_edges_and_corners_of_a_rounded_cube_is_the_closed_form():
    """An edge of a sharp cube at the height of a flat one would be 0.414 r lower, a corner 0.732 r."""
    body, radius = parse_shape("d6:16:r3"), 3.0
    directions = np.array([[0, 0, -1.0], [0, -1, -1], [-1, -1, -1]])
    turned = Rotation.concatenate(
        [Rotation.align_vectors([[0, 0, -1.0]], [direction])[0] for direction in directions]
    )
    states = flight.States(np.zeros((3, 3)), turned.as_quat(), np.zeros((3, 3)), np.zeros((3, 3)))
    saved = radius * (np.sqrt([1, 2, 3]) - 1)
    assert -flight.gap_mm(body, states) == pytest.approx(8 * np.sqrt([1, 2, 3]) - saved)


def test_body_that_is_nearly_a_ball_touches_when_a_ball_does():
    body, states = thrown("d6:16:r7.999", 50.0, 30)
    height_m, up = (states.position_mm[:, 2] - 8) / 1000, states.velocity_m_s[:, 2]
    exact = (up + np.sqrt(up**2 + 2 * GRAVITY_M_S2 * height_m)) / GRAVITY_M_S2
    assert flight.time_to_touch(body, states) == pytest.approx(exact, abs=3e-6)


@pytest.mark.parametrize("height_mm", [0.0, flight.TOUCH_MM / 2, -1.0])
def test_body_that_touches_has_no_flight(height_mm):
    body, states = thrown("2x2", 20.0, 10)
    lowered = states.position_mm - np.outer(flight.gap_mm(body, states) - height_mm, [0, 0, 1])
    assert np.all(flight.time_to_touch(body, replace(states, position_mm=lowered)) == 0)


@pytest.mark.parametrize("shape", SHAPES)
def test_flight_is_bitwise_independent_of_other_bodies(shape):
    body, states = thrown(shape, 40.0, 50)
    time_s = np.linspace(0.0, 0.2, 50)
    together = flight.fly(body, states, time_s)
    for part in (slice(0, 1), slice(7, 8), slice(3, 20), slice(20, 50, 3)):
        assert same_bits(flight.fly(body, states[part], time_s[part]), together[part])


@pytest.mark.parametrize("shape", ["2x2", "coin:24x2", "d6:16", "1x2"])
def test_first_touch_is_bitwise_independent_of_other_bodies(shape):
    body, states = thrown(shape, 20.0, 60)
    together = flight.time_to_touch(body, states)
    some = range(0, len(states), 4)
    alone = [flight.time_to_touch(body, states[i : i + 1])[0] for i in some]
    assert np.array_equal(alone, together[some])
    for part in (slice(3, 20), slice(20, 50, 3)):
        assert np.array_equal(flight.time_to_touch(body, states[part]), together[part])


def test_no_bodies_fly_nowhere():
    body, states = thrown("1x2", 40.0, 3)
    none: flight.States = states[:0]
    assert len(flight.fly(body, none, np.zeros(0))) == 0
    assert flight.time_to_touch(body, none).shape == (0,)


@pytest.mark.parametrize("pose", ["studs_up", "side", "studs_down"])
def test_a_brick_that_is_picked_up_starts_on_its_face_with_any_heading(pose):
    states = release(BRICK, replace(HAND, start=pose, bricks=2), 7, (), 0, 4000)
    q = states.quaternion.reshape(-1, 4)
    faces = face_map(BRICK).normals_of(pose)
    cosines = flight.down(q) @ faces.T
    assert cosines.max(axis=1) == pytest.approx(1.0, abs=1e-12)
    counts = np.bincount(cosines.argmax(axis=1), minlength=len(faces))
    assert len(faces) == (4 if pose == "side" else 1)
    assert len(faces) == 1 or chisquare(counts).pvalue > FALSE_ALARM
    level = flight.rotate(q, np.array([0.6, 0.8, 0.0]) if pose != "side" else np.eye(3)[2])
    longitude = np.arctan2(level[:, 1], level[:, 0])
    assert kstest(longitude, "uniform", (-np.pi, 2 * np.pi)).pvalue > FALSE_ALARM
    spins = states.spin_rad_s
    assert FALSE_ALARM < spread(spins[:, 0], HAND.spin_rad_s**2) < 1 - FALSE_ALARM


@pytest.mark.parametrize("share", [0.25, 1.0])
def test_a_share_of_bricks_starts_as_picked_up_in_any_pose_and_the_rest_anyhow(share):
    brick, n = parse_shape("2x4"), 20_000
    picked = replace(PRESETS["hand"], picked_up=share)
    states = release(brick, picked, 1, (0,), 0, n)
    q = states.quaternion[:, 0]
    down = flight.down(q)
    for pose in ("studs_up", "studs_down", "side"):
        normals = face_map(brick).normals_of(pose)
        lying = (down @ normals.T > 1 - 1e-9).sum(axis=0)
        assert np.abs(lying - share * n / 3 / len(normals)).max() < 5 * np.sqrt(n / 3)
    free = q[(down @ face_map(brick).hull.normals.T).max(axis=1) < 1 - 1e-9]
    assert (
        len(free) == 0 or kstest(flight.down(free)[:, 2], "uniform", (-1, 2)).pvalue > FALSE_ALARM
    )


def test_a_coin_that_is_flipped_turns_over_about_a_level_diameter():
    body = parse_shape("coin:24x2")
    states = release(body, PRESETS["flip"], 8, (), 0, 4000)
    q, spin = states.quaternion[:, 0], states.spin_rad_s[:, 0]
    axis = flight.rotate(q, np.eye(3)[2])
    assert spin[:, 2] == pytest.approx(0.0, abs=1e-9)
    assert (axis * spin).sum(axis=1) == pytest.approx(0.0, abs=1e-9)
    rate = np.linalg.norm(spin, axis=1) / PRESETS["flip"].spin_rad_s
    assert kstest(rate, "uniform", (2 / 3, 2 / 3)).pvalue > FALSE_ALARM
    assert kstest(np.arccos(axis[:, 2]), "uniform", (0, np.pi)).pvalue > FALSE_ALARM


def test_a_start_that_a_body_has_not_is_refused():
    with pytest.raises(
        InvalidValueError, match="unknown start 'side': known: any, flip, heads, tails"
    ):
        release(parse_shape("coin:24x8"), replace(HAND, start="side"), 1, (), 0, 1)
