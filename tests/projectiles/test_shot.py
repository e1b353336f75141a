"""Shots of weapons: flights of missiles, and what ships."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.projectiles.flight import BOUNCED, DIRECT, ROLLED, GroundContact, flights
from brickphys.projectiles.live import live_shot
from brickphys.projectiles.shot import IMPACT_BINS, aim_law, shot_law
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import Projectile, weapon, weapons
from tests.projectiles.made_up_laws import made_up

INCH = 25.4
HERE = (0.0, 0.0)


def foot(inches, across_mm=0.0, facing_deg=180.0):
    return Standing(target("foot"), inches * INCH, across_mm, facing_deg)


def test_a_constant_impact_law_multiplies_the_hits():
    table = [foot(24), foot(26, 20.0)]
    law = shot_law(weapon("bow"), HERE, table, 0, {"foot": made_up(share=0.6)})
    assert law.knocked.share == pytest.approx(0.6 * law.aim.by_phase)
    assert law.knocked_by(1).share == pytest.approx(0.6 * law.aim.hit[1])


def test_intervals_are_inside_those_of_the_worst_cells():
    law = shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": made_up(share=0.6)})
    low, high = wilson(240, 400)
    hit = law.aim.hit[0]
    assert low * hit < law.knocked_by(0).low < law.knocked_by(0).share
    assert law.knocked_by(0).share < law.knocked_by(0).high < high * hit


def test_phases_with_the_same_counts_have_intervals_as_wide_as_one():
    kept = []
    for inches in (12, 48):  # nearly all hits are direct; a third come after a bounce
        law = shot_law(weapon("bow"), HERE, [foot(inches)], 0, {"foot": made_up(share=0.6)})
        parts, whole = law.knocked, law.knocked_by(0)
        assert parts.share[0, 0] > parts.share[0, 1] > 0
        kept.append((whole.high - whole.low) / (parts.high - parts.low)[0].sum())
    assert kept == pytest.approx([1.0, 1.0])


def test_only_the_bins_that_knock_over_count():
    cell = (slice(None), slice(None), slice(None), 2, 0)
    only = made_up(share=1.0, only=cell)
    law = shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": only})
    aim = aim_law(weapon("bow"), HERE, [foot(24)], 0, IMPACT_BINS)
    assert law.knocked.share[0] == pytest.approx(aim.shares[0, :, 2, 0])
    assert 0 < law.knocked.share[0, 0] < aim.by_phase[0, 0]


def test_the_side_that_faces_the_shooter_decides():
    rear = made_up(share=1.0, only=(2,))
    for facing_deg, share in ((180.0, 0.0), (0.0, 1.0)):
        law = shot_law(weapon("bow"), HERE, [foot(24, 0.0, facing_deg)], 0, {"foot": rear})
        assert law.knocked_by(0).share == pytest.approx(share * law.aim.hit[0])


def test_a_law_of_another_weapon_or_body_is_refused():
    with pytest.raises(InvalidValueError, match="round_1x1"):
        shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": made_up("round_1x1")})
    with pytest.raises(InvalidValueError, match="rider"):
        shot_law(weapon("bow"), HERE, [foot(24)], 0, {"foot": made_up(body="rider")})


def test_a_live_shot_is_the_same_by_seed():
    first, again, other = (live_shot(weapon("bow"), foot(6), 5, n) for n in (0, 0, 1))
    assert first == again
    assert first != other
    assert first.hit
    assert 0 < first.height_mm < 45
    assert abs(first.aside_mm) < 16
    assert first.speed_m_s == pytest.approx(8.0, rel=0.2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "inches", "body"),
    [("bow", 18, "foot"), ("small_catapult", 18, "foot"), ("big_catapult", 20, "dog")],
)
def test_live_shots_hit_as_often_as_the_law_says(name, inches, body):
    # the big stone often touches the table beside the dog, and hits it after that bounce
    count, one = 250, Standing(target(body), inches * INCH, 0.0, 90.0)
    shots = [live_shot(weapon(name), one, 3, n) for n in range(count)]
    law = aim_law(weapon(name), HERE, [one], 0)
    hit = law.hit[0]
    # a cylinder meets the figure a little more or less often than the ball of its mean size
    spare = 0.0 if name == "bow" else 0.03
    error = 4 * np.sqrt(hit * (1 - hit) / count) + spare
    assert abs(np.mean([shot.hit for shot in shots]) - hit) < error


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
