from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, kstest

from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import MAX_BRICKS, PRESETS, Conditions
from brickphys.throws.flight import States, rotate
from brickphys.throws.release import release, uniform_rotations, uniforms_per_hand

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
    joined = States.concatenate(parts)
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
        column = rotate(q, np.broadcast_to(axis, (len(q), 3)))
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
    reach = rotate(states.quaternion[:, 0, None], BRICK.vertices_mm[None])[..., 2].min()
    assert reach + BRICK.radius_mm >= -1e-9
