"""Missiles: mass properties, and how far they reach below their centre."""

import numpy as np
import pytest

from brickphys.engines.shot_world import Missile
from brickphys.errors import InvalidValueError
from brickphys.throws.flight import rotate, turn


def test_moments_are_those_of_the_handbook():
    assert Missile(3.0, 0.12).moments_g_mm2 == pytest.approx((0.432, 0.432, 0.432))
    across = 1.9 * (3 * 8.0**2 + 19.2**2) / 12
    assert Missile(8.0, 1.9, 19.2).moments_g_mm2 == pytest.approx((across, across, 1.9 * 32))


def test_depth_of_a_cylinder_is_that_of_its_lowest_rim_point():
    missile, angle = Missile(8.0, 1.9, 19.2), np.linspace(0, 2 * np.pi, 2001)
    rims = [
        np.column_stack([8 * np.cos(angle), 8 * np.sin(angle), 0 * angle + z]) for z in (-9.6, 9.6)
    ]
    for axis in ([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [1.1, 0.4, 2.0], [np.pi / 2, 0.0, 0.0]):
        turned = turn(np.array(axis))
        lowest = rotate(turned, np.concatenate(rims))[:, 2].min()
        assert missile.depth_mm(turned) == pytest.approx(-lowest, abs=1e-4)


@pytest.mark.parametrize("sizes", [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, -1.0)])
def test_impossible_missiles_are_refused(sizes):
    with pytest.raises(InvalidValueError):
        Missile(*sizes)
