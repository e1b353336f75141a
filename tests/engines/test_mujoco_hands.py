"""Bodies that meet each other, and walls, in MuJoCo."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.mujoco import MujocoEngine, box_gap_mm
from brickphys.engines.mujoco_world import MujocoSettings
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import BRICK_ON_BRICK, PRESETS
from brickphys.throws.flight import energy_height_mm, gap_mm
from brickphys.throws.release import BASEPLATE, PLANE, TRAY, release
from brickphys.units import GRAVITY_M_S2
from tests.landings import BRICK, DIE, FALSE_ALARM, SOFT, WOOD, hands, homogeneous

pytest.importorskip("mujoco", reason="the extra mujoco is not installed")


def land(body, states, floor=PLANE, settings=SOFT, **changes):
    return MujocoEngine(replace(settings, **changes)).land(body, WOOD, states, floor)


def pairs(count, places_mm, velocities_m_s):
    """Return hands of two bodies that are upright and do not spin."""
    states = hands(DIE, count, 2).map(np.zeros_like)
    states.position_mm[:], states.velocity_m_s[:] = places_mm, velocities_m_s
    states.quaternion[..., 3] = 1.0
    return states


def angular_momentum(body, states):
    """Return that of each hand about its middle, over the mass of a body; shape (n, 3), mm2/s."""
    turn = Rotation.from_quat(states.quaternion.reshape(-1, 4))
    spin = turn.apply(states.spin_rad_s.reshape(-1, 3), inverse=True)
    own = turn.apply(spin * body.inertia_g_mm2) / body.mass_g
    arm = states.position_mm - states.position_mm.mean(axis=1, keepdims=True)
    return (np.cross(arm, 1000 * states.velocity_m_s) + own.reshape(arm.shape)).sum(axis=1)


def test_dice_that_meet_face_to_face_return_the_restitution_and_mirror_each_other():
    states = pairs(16, [[-9, 0, 1000], [9, 0, 1000]], [[1, 0, 0], [-1, 0, 0]])
    states.position_mm[..., 0] += np.outer(np.linspace(0.0, 1 / 80, 16), [-1, 1])
    end = land(DIE, states, settings=MujocoSettings(limit_s=0.004)).states
    assert end.velocity_m_s[:, 1, 0].mean() == pytest.approx(BRICK_ON_BRICK.restitution, abs=0.02)
    assert end.velocity_m_s[:, 0] * [-1, 1, 1] == pytest.approx(end.velocity_m_s[:, 1], abs=1e-9)
    assert end.spin_rad_s == pytest.approx(0.0, abs=1e-6)


def test_bricks_that_meet_in_the_air_keep_both_momenta_and_lose_energy():
    states = hands(BRICK, 20, 2, root=5)
    states.position_mm[:] = [[-25, 0, 1000], [25, 0, 1000]]
    states.velocity_m_s[:] = [[1, 0, 0], [-1, 0, 0]]
    end = land(BRICK, states, settings=MujocoSettings(limit_s=0.05)).states
    assert end.velocity_m_s.sum(axis=1)[:, :2] == pytest.approx(0.0, abs=1e-12)
    was = angular_momentum(BRICK, states)
    assert angular_momentum(BRICK, end) == pytest.approx(was, abs=0.002 * np.abs(was).max())
    lost_mm = (energy_height_mm(BRICK, states) - energy_height_mm(BRICK, end)).sum(axis=1)
    assert lost_mm.min() > 1.0
    assert np.all(end.position_mm[:, 0, 0] < end.position_mm[:, 1, 0])


def test_a_tile_slides_on_another_as_far_as_coulomb_friction_lets_it():
    tile, speed = parse_shape("cuboid:40x40x5"), 0.3
    states = pairs(1, [[0, 0, 2.5], [0, 0, 7.5]], [[0, 0, 0], [speed, 0, 0]])
    end = land(tile, states, settings=MujocoSettings(by_energy=False)).states
    slid_m = (end.position_mm[0, 1, 0] - end.position_mm[0, 0, 0]) / 1000
    way_m = speed**2 / (2 * BRICK_ON_BRICK.friction * GRAVITY_M_S2)
    assert slid_m == pytest.approx(way_m, rel=0.01)


def test_a_brick_on_the_studs_of_another_stays_there():
    foot_mm, head_mm = (
        np.abs(BRICK.vertices_mm[:, 2]).max() + 0.2,
        BRICK.vertices_mm[:, 2].max() + 0.2,
    )
    states = pairs(1, [[0, 0, foot_mm], [1.3, 2.1, 2 * foot_mm + head_mm]], np.zeros(3))
    end = land(BRICK, states, by_energy=False)
    assert end.states.position_mm == pytest.approx(states.position_mm, abs=0.02)


def test_boxes_around_two_dice_are_as_far_apart_as_their_nearest_points():
    states = pairs(1, [[0, 0, 8], [0, 25, 12]], np.zeros(3))
    states.quaternion[0, 1] = Rotation.from_euler("z", 45, degrees=True).as_quat()
    assert box_gap_mm(DIE, states[:, 0], states[:, 1]) == pytest.approx(25 - 8 * (1 + 2**0.5))


@pytest.mark.parametrize(
    ("floor", "depth_mm"),
    [(PLANE, 0.0), (TRAY, 0.0), (BASEPLATE, 1.7)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_hands_gain_no_energy_and_rest_on_the_floor_and_in_the_tray(floor, depth_mm):
    states = release(BRICK, replace(PRESETS["hand"], bricks=3), 1, (), 0, 3, floor)
    end = land(BRICK, states, floor=floor, by_energy=False)
    assert end.energy_gain.max() < 0.002
    assert gap_mm(BRICK, end.states).min() > -0.05 - depth_mm
    assert end.counts()["unsettled"] == 0
    assert (np.abs(end.states.position_mm[..., :2]).max() < 125.0) == (floor is TRAY)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bricks", "floor", "count"), [(3, PLANE, 150), (1, BASEPLATE, 80), (3, BASEPLATE, 16)]
)
def test_hands_score_as_with_bullet(bricks, floor, count):
    conditions = replace(PRESETS["hand"], bricks=bricks)
    starts = [release(BRICK, conditions, root, (), 0, count, floor) for root in (21, 22)]
    ours = land(BRICK, starts[0], floor, MujocoSettings())
    bullet = BulletEngine().land(BRICK, WOOD, starts[1], floor)
    assert homogeneous(ours, bullet) > FALSE_ALARM


@pytest.mark.parametrize("along", [0, 1])
def test_dice_bounce_back_from_the_walls(along):
    states, near_mm = pairs(1, [0, 0, 1000], np.zeros(3)), 125.0 - DIE.radius_mm
    states.position_mm[0, :, along], states.velocity_m_s[0, :, along] = (near_mm, -near_mm), (1, -1)
    end = land(DIE, states, floor=TRAY, limit_s=0.02).states.velocity_m_s[0]
    assert end[:, along] == pytest.approx([-WOOD.restitution, WOOD.restitution], abs=0.03)
    assert end[:, 1 - along] == pytest.approx(0.0, abs=1e-4)
