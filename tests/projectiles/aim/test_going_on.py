"""What a heavy stone keeps of its speed after a hit, against PyBullet."""

import numpy as np
import pytest

from brickphys.engines.shoot import shoot
from brickphys.projectiles.aim_kernel import _kept
from brickphys.projectiles.measure import missile, standing_body
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon
from brickphys.throws.flight import States
from brickphys.throws.release import uniform_rotations


@pytest.mark.slow
def test_a_big_stone_keeps_the_share_that_a_free_rigid_body_leaves_it():
    stone, foot, count = weapon("big_catapult").projectile, target("foot"), 120
    rng = np.random.default_rng(1)
    aside, height = rng.uniform(-18, 18, count), rng.uniform(12, 45, count)
    place = np.stack([np.full(count, 80.0), aside, height], axis=1)
    flying = np.tile([-3.0, 0.0, 0.0], (count, 1))
    states = States(place, uniform_rotations(rng.random((count, 3))), flying, np.zeros((count, 3)))
    shots = shoot(standing_body(foot), missile(stone), states)
    kept = 1 - shots.impulse_g_m_s[shots.hit, 0] / (stone.mass_g * 3.0)
    mass, middle, _, _, across, upright = foot.mass_row
    body = np.array([0.0, 0.0, mass, middle, across, upright, 0.0])
    expected = [
        _kept.py_func(stone.mass_g, 0.5, body, z, min(abs(y), 12.0))
        for y, z in shots.contact_mm[shots.hit, 1:]
    ]
    assert shots.hit.sum() > 80
    assert kept.mean() == pytest.approx(np.mean(expected), abs=0.06)
