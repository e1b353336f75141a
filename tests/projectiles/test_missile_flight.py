"""Flights: vacuum, integrated paths, bounces and rolling against closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from brickphys.projectiles.flight import BOUNCED, DIRECT, ROLLED, GroundContact, flights
from brickphys.projectiles.weapons import weapon, weapons

G = 9.81
WOOD = GroundContact(restitution=0.5, friction=0.3, rolling=0.02)


def flown(speed, elevation, release_mm=30.0, drag=0.0, radius_mm=3.0, ground=WOOD):
    return flights(
        np.atleast_1d(np.asarray(speed, float)),
        np.atleast_1d(np.asarray(elevation, float)),
        release_mm,
        radius_mm,
        drag,
        ground,
    )


def total_speed(there):
    """Speed along the path of the first flight."""
    return there.speed_m_s[0] * np.hypot(1.0, there.slope[0])


@given(st.floats(1.0, 12.0), st.floats(-20.0, 60.0))
def test_in_vacuum_the_path_is_the_parabola_and_lands_at_its_range(speed, elevation):
    path = flown(speed, elevation)
    c, s = np.cos(np.radians(elevation)), np.sin(np.radians(elevation))
    range_m = speed * c * (speed * s + np.sqrt((speed * s) ** 2 + 2 * G * 0.027)) / G
    assert path.start_m[0, path.phase[0] == BOUNCED][0] == pytest.approx(range_m, rel=1e-7)
    x = 0.6 * range_m
    there = path.at(x)
    assert there.height_m[0] == pytest.approx(0.03 + x * s / c - G / 2 * (x / speed / c) ** 2)
    assert total_speed(there) ** 2 == pytest.approx(speed**2 - 2 * G * (there.height_m[0] - 0.03))


def integrated(speed, elevation, release_m, drag, x):
    """Height, slope and horizontal speed at a distance, by a solver of order 8."""
    rise = np.radians(elevation)

    def rates(_t, y):
        total = np.hypot(y[2], y[3])
        return [y[2], y[3], -drag * total * y[2], -G - drag * total * y[3]]

    def there(_t, y):
        return y[0] - x

    there.terminal = True
    start = [0.0, release_m, speed * np.cos(rise), speed * np.sin(rise)]
    end = solve_ivp(rates, (0, 9), start, "DOP853", events=there, rtol=1e-9, atol=1e-10).y[:, -1]
    return end[1], end[3] / end[2], end[2]


@pytest.mark.parametrize("share", [0.3, 0.7, 1.0])
@pytest.mark.parametrize("name", weapons())
def test_paths_with_drag_agree_with_a_solver_until_they_land(name, share):
    one = weapon(name)
    for speed in one.speed_range_m_s:
        for elevation in (2.0, 20.0) if one.elevation_deg is None else (30.0, one.elevation_deg):
            drag = one.projectile.drag_per_m
            path = flown(speed, elevation, one.release_mm, drag, one.projectile.radius_mm)
            x = share * path.start_m[0, path.phase[0] == BOUNCED][0] - 1e-6
            height, slope, fast = integrated(speed, elevation, one.release_mm / 1000, drag, x)
            there = path.at(x)
            assert there.height_m[0] == pytest.approx(height, abs=1.5e-3)
            assert there.slope[0] == pytest.approx(slope, abs=0.01)
            assert there.speed_m_s[0] == pytest.approx(fast, rel=0.006)


def test_a_flat_ball_slows_down_exponentially():
    there = flown(8.0, 4.0, drag=0.067).at(0.8)
    assert total_speed(there) == pytest.approx(8.0 * np.exp(-0.067 * 0.8), rel=0.01)


def test_hops_rise_by_the_square_of_restitution_and_never_gain_energy():
    path = flown(3.0, 30.0)
    starts = np.flatnonzero(path.phase[0] == BOUNCED)
    rise = (path.slope * path.speed_m_s)[0, starts]
    assert rise[1:] / rise[:-1] == pytest.approx(0.5)
    speed = path.speed_m_s[0]
    assert (np.diff(speed) <= 1e-12).all()


def test_enough_friction_leaves_a_rolling_ball_five_sevenths_of_its_speed():
    path = flown(3.0, 30.0, ground=GroundContact(0.5, 5.0, 0.02))
    level = 3.0 * np.cos(np.radians(30.0))
    assert path.speed_m_s[0, -1] == pytest.approx(5 / 7 * level)


def test_a_little_friction_takes_its_share_of_the_vertical_impulse():
    path = flown(8.0, 0.0, ground=GroundContact(0.5, 0.1, 0.02))
    down = np.sqrt(2 * G * 0.027)
    after = path.speed_m_s[0, path.phase[0] == BOUNCED][0]
    assert after == pytest.approx(8.0 - 0.1 * 1.5 * down)


def test_a_ball_rolls_to_rest_where_friction_has_taken_its_energy():
    path = flown(2.0, 5.0)
    first, fast = path.start_m[0, -1], path.speed_m_s[0, -1]
    rest = first + fast**2 / (2 * WOOD.rolling * G)
    half = path.at((first + rest) / 2)
    assert half.phase[0] == ROLLED
    assert half.speed_m_s[0] == pytest.approx(fast / np.sqrt(2))
    assert half.height_m[0] == pytest.approx(0.003)
    assert path.at(rest + 0.1).speed_m_s[0] == 0.0


def test_flights_are_independent_of_each_other():
    many = flown([2.0, 8.0, 5.0], [30.0, -3.0, 10.0], drag=0.067)
    for i, (speed, elevation) in enumerate(((2.0, 30.0), (8.0, -3.0), (5.0, 10.0))):
        for x in (0.1, 0.4, 0.9):
            alone = flown(speed, elevation, drag=0.067).at(x)
            assert alone.height_m[0] == pytest.approx(many.at(x).height_m[i], abs=1e-6)
    assert many.at(0.001).phase.tolist() == [DIRECT] * 3
