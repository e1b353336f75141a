"""Live shots: where they meet the target, what stops them before, and that they agree with each other."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.projectiles.bodies.catalogue import target
from brickphys.projectiles.impact.live_shot import live_shot
from brickphys.projectiles.weapons import Scatter, weapon

EXACT = Scatter(0.0, 0.0, 0.0)
BOW = replace(weapon("bow"), scatter=EXACT)


def test_an_exact_shot_hits_the_middle_and_one_aside_goes_where_it_points():
    shot = live_shot(BOW, target("foot"), 24.0, 0.0, 1)
    assert shot.passing == "direct"
    assert shot.is_hit
    assert shot.is_knocked_over
    assert shot.height_mm == pytest.approx(20.0, abs=1.5)
    assert shot.aside_mm == pytest.approx(0.0, abs=1e-6)
    wild = live_shot(replace(BOW, scatter=Scatter(0.0, 1.0, 0.0)), target("foot"), 12.0, 30.0, 3)
    there = 12 * 25.4 * np.tan(np.radians(wild.azimuth_deg))
    assert wild.is_hit == (abs(there) < 14)
    assert wild.aside_mm == pytest.approx(there, abs=0.4)


def test_impact_is_slower_than_release_by_drag():
    shot = live_shot(BOW, target("foot"), 72.0, 0.0, 1)
    drag = BOW.projectile.drag_per_m
    assert shot.impact_m_s == pytest.approx(8.0 * np.exp(-drag * 72 * 0.0254), rel=0.03)


def test_a_shot_that_is_low_meets_the_wall_and_a_weak_one_falls_short():
    walled = target("foot:wall3")
    low = replace(BOW, scatter=Scatter(0.0, 0.0, 3.0))
    shots = [live_shot(low, walled, 24.0, 0.0, seed) for seed in range(6)]
    assert {shot.passing for shot in shots if not shot.is_hit} >= {"wall"}
    assert all(shot.elevation_deg < 3 for shot in shots if shot.passing == "wall")
    weak = replace(weapon("small_catapult"), scatter=Scatter(0.8, 0.0, 0.0))
    assert "short" in {
        live_shot(weak, target("foot"), 60.0, 0.0, seed).passing for seed in range(8)
    }


def test_a_target_out_of_range_is_refused():
    with pytest.raises(InvalidValueError, match="outside 0 to 20 in"):
        live_shot(weapon("spear"), target("foot"), 24.0, 0.0, 1)
