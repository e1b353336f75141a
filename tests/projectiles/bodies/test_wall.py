"""Walls: courses in bond, their mass, and what the aim law and the engine make of them."""

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.projectiles.measure import Arrival, strike
from brickphys.projectiles.shot import Bins, aim_law
from brickphys.projectiles.standing import Side, Standing
from brickphys.projectiles.target import brick_wall
from brickphys.projectiles.weapons import weapon
from brickphys.shapes.brick import brick


def test_courses_are_whole_and_their_joints_are_offset():
    wall = brick_wall(4, 12)
    assert len(wall.parts) == 3 + 4 + 3 + 4
    assert wall.height_mm == pytest.approx(38.4)
    assert wall.mass_g == pytest.approx(10 * brick(2, 4).mass_g + 4 * brick(2, 2).mass_g)
    for course in range(4):
        ends = [
            (part.centre_mm[1] - part.size_mm[1] / 2, part.centre_mm[1] + part.size_mm[1] / 2)
            for part in wall.parts
            if part.low_mm == pytest.approx(9.6 * course)
        ]
        assert np.ravel(ends)[[0, -1]] == pytest.approx([-48, 48])
        assert np.ravel(ends)[1:-1:2] == pytest.approx(np.ravel(ends)[2::2])
        inner = [-16, 16] if course % 2 == 0 else [-32, 0, 32]
        assert np.ravel(ends)[2::2] == pytest.approx(inner)


@pytest.mark.parametrize(("courses", "length"), [(0, 8), (2, 6), (1, 0)])
def test_impossible_walls_are_refused(courses, length):
    with pytest.raises(InvalidValueError, match="wall"):
        brick_wall(courses, length)


def test_a_wall_may_have_any_number_of_bricks_but_the_engine_takes_few_as_one_body():
    wall, stone = brick_wall(16, 64), weapon("big_catapult").projectile
    assert len(wall.parts) == 8 * 16 + 8 * 17
    with pytest.raises(InvalidValueError, match="264 parts: the bullet engine takes at most 16"):
        strike(wall, stone, Arrival(2.0, 0.0, Side.FRONT), 1, 0, 1)


def test_the_aim_law_says_which_course_is_hit():
    wall, courses = brick_wall(4, 12), tuple(9.6 * np.arange(5))
    standing = [Standing(wall, 914.4, 0.0, 180.0)]
    law = aim_law(weapon("big_catapult"), (0.0, 0.0), standing, 0, Bins(courses))
    direct = law.shares[0, 0].sum(axis=-1)
    assert direct.sum() == pytest.approx(law.by_phase[0, 0])
    assert direct.argmax() == 3  # a stone that falls meets the top most
    assert direct[1:].min() > 0  # the lowest is as high as the radius of the stone


def test_a_wall_that_stands_free_tips_over_its_far_edge():
    wall, stone = brick_wall(4, 12), weapon("big_catapult").projectile
    mass, h, half = wall.mass, wall.mass.centre_mm[2], 8.0
    inertia = mass.inertia_g_mm2[1, 1] + mass.mass_g * (h * h + half * half)
    spin = np.sqrt(2 * mass.mass_g * 9810 * (np.hypot(h, half) - h) / inertia)
    impulse = inertia * spin / wall.height_mm / 1000  # g m/s, at the top
    least = impulse / (1.5 * stone.mass_g)  # no stone gives more than (1 + e) m v
    slow = strike(wall, stone, Arrival(round(0.95 * least, 3), 0.0, Side.FRONT), 1, 0, 60)
    assert len(slow.knocked) > 20
    assert not slow.knocked.any()
    fast = strike(wall, stone, Arrival(5.0, 0.0, Side.FRONT), 1, 0, 40)
    assert fast.knocked[fast.height_mm > h].mean() > 0.7
