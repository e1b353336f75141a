"""Landings of several corners, and bricks that are moved out of what they are in."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from brickphys.engines.bullet import bounce_out, level_landings
from brickphys.engines.bullet_world import BrickContact, BulletSettings, lift
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.flight import States, rotate
from brickphys.units import GRAVITY_M_S2
from tests.landings import BRICK, alike

SETTINGS = BulletSettings()
DEPTH_MM = SETTINGS.sunk_mm


def corners_mm(body, states):
    """Return the corners of single bricks, the edge radius lower, shape (n, corners, 3)."""
    arms = np.broadcast_to(body.vertices_mm, (len(states), *body.vertices_mm.shape))
    return states.position_mm + rotate(states.quaternion, arms) - [0.0, 0.0, body.edge_radius_mm]


def touching(body, turned, gap_mm=0.0):
    low = turned.apply(body.vertices_mm)[:, 2].min() - body.edge_radius_mm
    return alike(1, gap_mm - low, turned.as_quat())


@pytest.mark.parametrize("yaw_deg", [0, 30, 45])
@pytest.mark.parametrize("shape", ["2x2", "1x8:r0", "plate:2x4:r0.3"])
def test_a_brick_on_its_underside_stands_on_each_of_its_corners_in_turn(shape, yaw_deg):
    body = parse_shape(shape)
    states = touching(body, Rotation.from_euler("z", yaw_deg, degrees=True), gap_mm=0.0005)
    rows, lowered, tilted = level_landings(body, states, DEPTH_MM)
    assert rows.tolist() == [0]
    under = np.flatnonzero(body.vertices_mm[:, 2] < body.vertices_mm[:, 2].min() + 1e-9)
    flat = corners_mm(body, lowered)[0]
    assert flat[under, 2] == pytest.approx(-DEPTH_MM, abs=1e-9)
    poses = [corners_mm(body, pose)[0] for pose in tilted]
    lowest = [int(pose[:, 2].argmin()) for pose in poses]
    assert sorted(lowest) == under.tolist()
    for pose, corner in zip(poses, lowest, strict=True):
        assert pose[corner] == pytest.approx(flat[corner], abs=1e-12)
        assert pose[under, 2].max() < 0.0  # Bullet keeps the contacts of all corners


def test_a_brick_on_an_edge_stands_on_both_its_ends():
    states = touching(BRICK, Rotation.from_euler("xz", [30, 20], degrees=True))
    _, lowered, tilted = level_landings(BRICK, states, DEPTH_MM)
    ends = np.flatnonzero(corners_mm(BRICK, lowered)[0, :, 2] < -DEPTH_MM + 1e-9)
    assert len(ends) == 2
    assert {int(corners_mm(BRICK, pose)[0, :, 2].argmin()) for pose in tilted} == set(ends.tolist())


def test_bricks_on_a_corner_or_in_the_air_are_left_alone():
    on_corner = touching(BRICK, Rotation.from_euler("xy", [20, 20], degrees=True))
    in_air = touching(BRICK, Rotation.identity(), gap_mm=0.01)
    rows, _, _ = level_landings(BRICK, States.concatenate([on_corner, in_air]), DEPTH_MM)
    assert not len(rows)


def test_of_a_hand_only_the_brick_that_lands_is_moved():
    landing = touching(BRICK, Rotation.identity())
    other = touching(BRICK, Rotation.from_euler("xy", [20, 20], degrees=True))
    pair = States(
        *(
            np.concatenate([a, b], axis=1)
            for a, b in zip(vars(landing).values(), vars(other).values(), strict=True)
        )
    )
    _, lowered, tilted = level_landings(BRICK, pair, DEPTH_MM)
    for states in (lowered, *tilted):
        assert np.array_equal(states.position_mm[0, 1], pair.position_mm[0, 1])
        assert np.array_equal(states.quaternion[0, 1], pair.quaternion[0, 1])


# --- bounces in closed form ---


def falling(body, turned, speed_m_s, slide_m_s=0.0, spin_rad_s=0.0):
    """Return a brick that touches the floor and falls, and slides or spins about a horizontal axis."""
    states = touching(body, turned)
    velocity = np.array([slide_m_s, 0.0, -speed_m_s])
    spin = np.array([0.0, spin_rad_s, 0.0])
    return States(
        states.position_mm,
        states.quaternion,
        states.velocity_m_s + velocity,
        states.spin_rad_s + spin,
    )


@pytest.mark.parametrize("restitution", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("turned_deg", [0, 90, 180])
def test_bounces_on_a_face_take_as_long_as_all_their_flights(turned_deg, restitution):
    start = falling(BRICK, Rotation.from_euler("x", turned_deg, degrees=True), 1.4)
    end, time_s = bounce_out(BRICK, start, restitution, SETTINGS)
    flights_s = [2 * 1.4 * restitution**n / GRAVITY_M_S2 for n in range(1, 60)]
    assert time_s == pytest.approx(sum(flights_s))
    assert np.array_equal(end.position_mm, start.position_mm)
    assert np.array_equal(end.quaternion, start.quaternion)
    assert not end.velocity_m_s.any()
    assert not end.spin_rad_s.any()


@pytest.mark.parametrize("restitution", [0.01, 0.6])
@pytest.mark.parametrize("speed_m_s", [0.04, 1.4])
def test_a_brick_that_turns_or_slides_out_of_its_place_bounces_on(speed_m_s, restitution):
    upright = Rotation.identity()
    bounces_s = 2 * speed_m_s * restitution / (1 - restitution) / GRAVITY_M_S2
    most_m_s = DEPTH_MM / 1000 / max(bounces_s, SETTINGS.check_s)
    most_rad_s = 1000 * most_m_s / BRICK.radius_mm
    for share, stops in ((0.99, True), (1.01, False)):
        for slide_m_s, spin_rad_s in ((share * most_m_s, 0.0), (0.0, share * most_rad_s)):
            start = falling(BRICK, upright, speed_m_s, slide_m_s, spin_rad_s)
            end, time_s = bounce_out(BRICK, start, restitution, SETTINGS)
            assert time_s.item() == pytest.approx(bounces_s if stops else 0.0)
            assert np.array_equal(end.velocity_m_s, start.velocity_m_s * (not stops))
            assert np.array_equal(end.spin_rad_s, start.spin_rad_s * (not stops))


@pytest.mark.parametrize(
    ("turned", "restitution"),
    [
        (Rotation.from_euler("x", 0.02, degrees=True), 0.5),
        (Rotation.from_euler("x", 30, degrees=True), 0.5),
        (Rotation.identity(), 0.0),
    ],
    ids=["tilted", "on an edge", "without a bounce"],
)
def test_other_landings_are_left_to_bullet(turned, restitution):
    start = falling(BRICK, turned, 1.4)
    end, time_s = bounce_out(BRICK, start, restitution, SETTINGS)
    assert not time_s.any()
    assert np.array_equal(end.velocity_m_s, start.velocity_m_s)


def test_bounces_without_loss_take_longer_than_any_limit():
    _, time_s = bounce_out(BRICK, falling(BRICK, Rotation.identity(), 1.4), 1.0, SETTINGS)
    assert time_s > 1000 * SETTINGS.limit_s


UP = np.array([0.0, 0.0, 1.0])
STEP_S = 0.01


def states(bricks, rise_m_s=0.0, spin_rad_s=(0.0, 0.0, 0.0)):
    zero = np.zeros((1, bricks, 3))
    turned = np.tile([0.0, 0.0, 0.0, 1.0], (1, bricks, 1))
    return States(zero, turned, zero + rise_m_s * UP, zero + np.array(spin_rad_s))


def on_floor(depth_mm, brick=0, x_mm=0.0):
    return BrickContact(((0, brick), None), np.array([x_mm, 0.0, 0.0]), UP, depth_mm)


def test_a_brick_is_moved_by_its_deepest_contact_along_the_normal():
    touches = [on_floor(depth) for depth in (0.1, 0.3, -0.2, 0.2)]
    assert lift(touches, states(1), STEP_S)[0, 0] == pytest.approx(0.3 * UP)


def test_the_floor_may_be_the_first_body():
    touch = BrickContact((None, (0, 0)), np.zeros(3), -UP, 0.3)
    assert lift([touch], states(1), STEP_S)[0, 0] == pytest.approx(0.3 * UP)


def test_walls_and_floor_each_move_a_brick_along_their_normal():
    wall = BrickContact(((0, 0), None), np.zeros(3), np.array([1.0, 0.0, 0.0]), 0.4)
    assert lift([on_floor(0.3), wall], states(1), STEP_S)[0, 0] == pytest.approx([0.4, 0.0, 0.3])


def test_a_contact_that_parts_by_itself_is_left_alone():
    """At 0.02 m/s a brick rises 0.2 mm in 10 ms."""
    rising = states(1, rise_m_s=0.02)
    assert not lift([on_floor(0.19)], rising, STEP_S).any()
    assert lift([on_floor(0.21)], rising, STEP_S).any()
    # a turn about y at 2 rad/s moves what is 10 mm off by 0.2 mm up on one side and down on the other
    turning = states(1, spin_rad_s=(0.0, 2.0, 0.0))
    assert not lift([on_floor(0.19, x_mm=-10.0)], turning, STEP_S).any()
    assert lift([on_floor(0.19, x_mm=10.0)], turning, STEP_S).any()


@pytest.mark.parametrize("depths_mm", [(0.4, 0.001), (0.001, 0.4), (0.3, 0.2)])
def test_a_pile_is_out_of_the_floor_and_of_itself(depths_mm):
    on_other = BrickContact(((0, 1), (0, 0)), np.zeros(3), UP, depths_mm[1])
    shift = lift([on_floor(depths_mm[0]), on_other], states(2), STEP_S)[0, :, 2]
    left = np.array([depths_mm[0] - shift[0], depths_mm[1] - shift[1] + shift[0]])
    assert left.max() < 0.005
    assert shift.max() <= sum(depths_mm) + 1e-12
