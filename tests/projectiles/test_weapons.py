"""Weapons: drag from the data, the limit of toys, names."""

from math import pi

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.projectiles.weapons import Projectile, weapon, weapons


def test_drag_of_a_ball_is_the_known_one():
    ball = weapon("bow").projectile
    assert ball.drag_per_m == pytest.approx(1.2 * 0.47 * pi * 0.003**2 / (2 * 0.00012))
    assert ball.drag_per_m == pytest.approx(0.067, abs=0.001)


def test_mean_projected_area_of_a_cylinder_is_that_of_random_directions():
    stone = Projectile("stone", "cylinder", 8.0, 9.6, 0.24, 0.8, 0.3)
    along = np.random.default_rng(4).uniform(0, 1, 100_000)  # cosine of the axis to the view
    seen = pi * 16 * along + 8 * 9.6 * np.sqrt(1 - along**2)
    assert stone.area_mm2 == pytest.approx(seen.mean(), abs=4 * seen.std() / 100_000**0.5)


@pytest.mark.parametrize("name", weapons())
def test_every_weapon_is_a_toy_and_says_its_source(name):
    one = weapon(name)
    assert one.projectile.energy_j(one.speed_range_m_s[1]) < 0.08
    assert one.speed_range_m_s[0] <= one.speed_m_s <= one.speed_range_m_s[1]
    assert one.source


def test_the_limit_of_toys_is_36_m_s_for_a_ball():
    assert weapon("bow").at_speed(36.5, any_speed=True).speed_m_s == 36.5
    with pytest.raises(InvalidValueError, match=r"above the limit of toys, 0\.08 J"):
        weapon("bow").at_speed(36.6)
    with pytest.raises(InvalidValueError, match="outside 5 to 12 m/s"):
        weapon("bow").at_speed(36.5)
    with pytest.raises(InvalidValueError, match="must be above 0"):
        weapon("bow").at_speed(0.0, any_speed=True)


def test_unknown_weapons_are_told_the_nearest():
    with pytest.raises(
        InvalidValueError, match="unknown weapon 'crosbow': did you mean 'crossbow'"
    ):
        weapon("crosbow")
