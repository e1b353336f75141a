"""Strikes: figures tip as closed forms say, and draws are uniform, by address, over what can be hit."""

import numpy as np
import pytest

from brickphys.engines.shoot import shoot
from brickphys.projectiles.measure import Arrival, missile, standing_body, strike
from brickphys.projectiles.standing import Side
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon
from brickphys.throws.flight import States

FOOT, BB = target("foot"), weapon("bow").projectile


def from_behind(speeds: np.ndarray, height_mm: float) -> States:
    """Balls that fly level at the middle of a figure's back."""
    n, zero = len(speeds), np.zeros(len(speeds))
    place = np.column_stack([zero - 40, zero, zero + height_mm])
    velocity = np.column_stack([speeds, zero, zero])
    return States(place, np.tile([0.0, 0, 0, 1], (n, 1)), velocity, np.zeros((n, 3)))


def tipping_impulse(height_mm: float) -> float:
    """Impulse in g m/s at the back that lifts the figure over its toes: J = I w / z, w = sqrt(2 m g (r - h) / I)."""
    mass = FOOT.mass
    h, reach = mass.centre_mm[2], FOOT.base_mm[:, 0].max() - mass.centre_mm[0]
    inertia = mass.inertia_g_mm2[1, 1] + mass.mass_g * (h * h + reach * reach)
    spin = np.sqrt(2 * mass.mass_g * 9810 * (np.hypot(h, reach) - h) / inertia)
    return float(inertia * spin / height_mm / 1000)


def threshold(height_mm: float) -> float:
    """Impulse in g m/s of the slowest of many balls that knocks over."""
    speeds = np.geomspace(0.7, 4.0, 56)
    shots = shoot(standing_body(FOOT), missile(BB), from_behind(speeds, height_mm))
    first = int(np.argmax(shots.knocked))
    assert first
    return -float(shots.impulse_g_m_s[first, 0])


@pytest.mark.parametrize("height", [23.0, 32.0])
def test_above_the_centre_of_mass_a_figure_tips_over_its_toes(height):
    assert threshold(height) == pytest.approx(tipping_impulse(height), rel=0.12)


def test_below_it_the_feet_are_kicked_away_sooner():
    assert threshold(10.0) < 0.8 * tipping_impulse(10.0)


def test_draws_are_by_address_and_the_same_in_any_chunks():
    arrival = Arrival(3.0, 20.0, Side.SIDE)
    whole = strike(FOOT, BB, arrival, 7, 0, 30)
    parts = [strike(FOOT, BB, arrival, 7, first, 15) for first in (0, 15)]
    for name in ("height_mm", "aside_mm"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert getattr(whole, name) == pytest.approx(joined, abs=1e-9)
    assert np.array_equal(whole.knocked, np.concatenate([part.knocked for part in parts]))


def test_hits_from_the_front_lie_as_the_outline_does():
    found = strike(FOOT, BB, Arrival(12.0, 0.0, Side.FRONT), 3, 0, 500)
    # beyond the legs a ball meets the arms alone, 15.8 to 27 mm high
    wide = found.aside_mm > np.hypot(7.8, 3.9) + 3.05  # the legs at any bearing
    assert wide.any()
    assert np.all((found.height_mm[wide] > 12.8) & (found.height_mm[wide] < 30.0))
    assert found.height_mm.min() >= 3.0
    assert found.height_mm.max() <= 43.0


def test_stones_tumble_and_balls_do_not():
    stone = weapon("small_catapult").projectile
    found = strike(FOOT, stone, Arrival(4.5, 40.0, Side.FRONT), 2, 0, 60)
    assert 20 < len(found.knocked) < 60
    assert found.height_mm.min() < 25.0 < found.height_mm.max()
    assert found.knocked.mean() > 0.5
