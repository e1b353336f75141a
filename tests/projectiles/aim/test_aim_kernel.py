"""Paths of the aim kernel alone, against integrals."""

from math import exp, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

from brickphys.projectiles.aim import aim_kernel
from brickphys.units import GRAVITY_M_S2

passing = getattr(aim_kernel._passing, "py_func", aim_kernel._passing)
GRAVITY = 1000.0 * GRAVITY_M_S2


@pytest.mark.parametrize("drag_per_mm", [0.0, 2e-4])
@pytest.mark.parametrize("way_mm", [0.0, 60.0, 250.0])
def test_a_path_in_air_has_the_height_slope_and_speed_of_quadratic_drag(way_mm, drag_per_mm):
    """The horizontal speed falls by the drag times the way, and gravity bends the path by g / speed2."""
    at, height, slope, speed = 100.0, 40.0, 0.3, 2500.0
    arc = np.array([at, height, slope, speed, drag_per_mm, 0.0])

    def bend(x):
        return GRAVITY / (speed * exp(-drag_per_mm * x)) ** 2

    found = passing(arc, at + way_mm, 500.0)
    rise = quad(lambda x: (way_mm - x) * bend(x), 0, way_mm)[0]
    assert found[0] == pytest.approx(height + slope * way_mm - rise, abs=1e-6)
    assert found[1] == pytest.approx(slope - quad(bend, 0, way_mm)[0], abs=1e-7)
    assert found[2] == pytest.approx(speed * exp(-drag_per_mm * way_mm), rel=1e-12)


def test_a_path_that_rolls_is_level_and_slows_down_to_rest():
    arc = np.array([100.0, 8.0, 0.3, 300.0, 0.0, aim_kernel._ROLLED])
    assert passing(arc, 140.0, 500.0) == (8.0, 0.0, sqrt(300.0**2 - 2 * 500.0 * 40.0))
    assert passing(arc, 200.0, 500.0) == (8.0, 0.0, 0.0)
