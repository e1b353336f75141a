"""How far bricks are moved out of the floor and of each other."""

import numpy as np
import pytest

from brickphys.engines.bullet_world import BrickContact, lift
from brickphys.throws.flight import States

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
