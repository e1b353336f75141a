"""Shots: missiles, what stands, and what they knock over."""

import numpy as np
import pytest

from brickphys.engines import shoot as module
from brickphys.engines.block_world import BlockSettings
from brickphys.engines.shoot import shoot
from brickphys.engines.shot_world import Missile, StandingBody
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Part
from brickphys.shapes.solids import box, compose, cylinder
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, multiply, rotate, turn
from tests.cases import few

BALL = Missile(3.0, 0.12)
SIZE = (8.0, 16.0, 40.0)
CORNERS = np.array([(-4.0, -8.0), (4.0, -8.0), (4.0, 8.0), (-4.0, 8.0)])
TOWER = StandingBody((Part((0, 0, 20), SIZE),), compose([box((0, 0, 20), SIZE)], 0.6), CORNERS)
SMOOTH = ContactCoefficients(0.0, 0.5)


def level(speed, height, aside=0.0) -> States:
    """Balls that fly level along +x, at the given speeds, heights and distances from the middle."""
    speed, height, aside = np.broadcast_arrays(np.atleast_1d(speed), height, aside)
    n, zero = len(speed), np.zeros(len(speed))
    place = np.column_stack([zero - 50, aside, height])
    velocity = np.column_stack([speed, zero, zero])
    return States(place, np.tile([0.0, 0, 0, 1], (n, 1)), velocity, np.zeros((n, 3)))


def tipping_impulse(height_mm: float) -> float:
    """Impulse in g m/s that lifts the tower over its far edge: J = I w / z, w = sqrt(2 m g (r - h) / I)."""
    mass, h, half = TOWER.mass, 20.0, 4.0
    inertia = mass.inertia_g_mm2[1, 1] + mass.mass_g * (h * h + half * half)
    spin = np.sqrt(2 * mass.mass_g * 9810 * (np.hypot(h, half) - h) / inertia)
    return float(inertia * spin / height_mm / 1000)


def threshold(
    height_mm: float, settings: BlockSettings = module.SHOT_SETTINGS
) -> tuple[float, float]:
    """Least speed in m/s that knocks over, within 3 %, and its impulse in g m/s."""
    speeds = np.geomspace(0.5, 5.0, 26)
    for _ in range(2):
        shots = shoot(TOWER, BALL, level(speeds, height_mm), settings=settings)
        first = int(np.argmax(shots.knocked))
        assert first
        found = float(speeds[first]), -float(shots.impulse_g_m_s[first, 0])
        speeds = np.geomspace(speeds[first - 1], speeds[first], 4)
    return found


@pytest.mark.parametrize("height", [24.0, 38.0])
def test_tipping_impulse_above_the_centre_of_mass_is_that_about_the_far_edge(height):
    assert threshold(height)[1] == pytest.approx(tipping_impulse(height), rel=0.12)


def test_below_the_centre_of_mass_the_feet_are_kicked_away_sooner():
    assert threshold(8.0)[1] < 0.75 * tipping_impulse(8.0)


def test_threshold_agrees_with_half_the_step():
    step = module.SHOT_SETTINGS.step_s
    half = threshold(30.0, BlockSettings(step_s=step / 2))
    assert threshold(30.0) == pytest.approx(half, rel=0.04)


def test_slow_and_fast_balls_rebound_alike_with_any_step(monkeypatch):
    monkeypatch.setattr(
        module, "_LIMIT_S", 0.01
    )  # a tower that slides without friction never rests
    speeds = np.array([0.3, 3.0, 12.0, 30.0])
    mass = TOWER.mass.mass_g  # at the centre of mass, without friction, the tower only slides
    closed = 1.5 * BALL.mass_g * mass / (BALL.mass_g + mass)
    for step in (1 / 1000, 1 / 2000, 1 / 8000):
        shots = shoot(TOWER, BALL, level(speeds, 20.0), SMOOTH, SMOOTH, BlockSettings(step_s=step))
        assert -shots.impulse_g_m_s[:, 0] / speeds == pytest.approx([closed] * 4, rel=0.01)


def test_momentum_is_kept_on_a_smooth_table():
    momenta = []

    def watch(_, bodies, missiles):
        total = TOWER.mass.mass_g * bodies.velocity_m_s + BALL.mass_g * missiles.velocity_m_s
        momenta.append(total[0, :2])

    shoot(TOWER, BALL, level(2.0, 27.0, 5.0), floor=ContactCoefficients(0.0, 0.5), watch=watch)
    assert len(momenta) > 3
    assert np.array(momenta) == pytest.approx(np.tile([0.24, 0.0], (len(momenta), 1)), abs=1e-6)


def test_energy_does_not_grow():
    flights = level(np.linspace(1, 10, 24), np.linspace(4, 42, 24), np.linspace(-9, 9, 24))
    shots = shoot(TOWER, BALL, flights)
    assert shots.settled.all()
    assert shots.gain.max() < 0.02


def test_a_body_that_tumbles_fast_gains_nothing_from_the_steps():
    size, energies = (29.0, 8.0, 18.0), []
    solid = compose([box((0, 0, 9), size)], 0.24)
    body = StandingBody((Part((0, 0, 9), size),), solid, CORNERS * np.array([3.6, 1.0]))

    def watch(_, bodies, missiles):
        energies.append(float(body.energy_mm(bodies)[0]))

    shots = shoot(body, Missile(8.0, 1.9), level(9.0, 14.0, 3.0), watch=watch)
    assert shots.settled.all()
    assert shots.knocked.all()
    assert energies[0] > 1000.0
    assert max(energies) < 1.05 * energies[0]


def test_missiles_that_pass_or_meet_the_table_are_no_hits():
    flights = level([5.0, 5.0, 5.0, 5.0], [44.0, 42.0, 20.0, 2.0], [0.0, 0.0, 11.5, 0.0])
    shots = shoot(TOWER, BALL, flights)
    assert shots.hit.tolist() == [False, True, False, False]
    assert np.isnan(shots.contact_mm[0]).all()
    assert not shots.knocked[~shots.hit].any()


def test_first_contact_is_where_the_ball_touches():
    shots = shoot(TOWER, BALL, level([0.5, 30.0], [20.0, 42.0]))
    rim = 4 + np.sqrt(3.0**2 - 2.0**2)
    assert shots.contact_mm == pytest.approx(np.array([(-7, 0, 20), (-rim, 0, 42)]), abs=2e-3)


@pytest.mark.parametrize("missile", [BALL, Missile(4.0, 0.24, 9.6)])
def test_a_shot_is_the_same_alone_and_in_company(missile):
    rng = np.random.default_rng(4)
    flights = level(rng.uniform(1, 4, 40), rng.uniform(8, 40, 40), rng.uniform(-9, 9, 40))
    together = shoot(TOWER, missile, flights)
    for shot in (0, 13, 27, 28, 39):
        alone = shoot(TOWER, missile, flights[shot : shot + 1])
        assert alone.knocked[0] == together.knocked[shot]
        assert alone.impulse_g_m_s[0] == pytest.approx(together.impulse_g_m_s[shot], abs=1e-6)


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


BASE_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def tower(shift_mm: float = 0.0) -> StandingBody:
    """A box of 8 x 16 x 30 mm under a drum off its middle."""
    parts = (Part((0, 0, 15), (8, 16, 30)), Part((shift_mm, 1, 34), (6, 6, 8), is_round=True))
    mass = compose([box((0, 0, 15), (8, 16, 30)), cylinder((shift_mm, 1, 34), 6, 8)], 1.0)
    return StandingBody(parts, mass, BASE_CORNERS * np.array([4, 8]))


def leaning(body: StandingBody, way: float, angles: np.ndarray) -> States:
    """The body at rest, leaning by angles towards an azimuth, with its lowest corner on the table."""
    axis = np.array([-np.sin(way), np.cos(way), 0.0])
    turned = turn(angles[:, None] * axis)
    lowest = rotate(turned[:, None], body.corners_mm)[..., 2].min(axis=1)
    place = np.column_stack([np.zeros((len(angles), 2)), -lowest])
    rest = np.zeros_like(place)
    return States(place, multiply(turned, np.broadcast_to(body.axes[1], turned.shape)), rest, rest)


@pytest.mark.parametrize("shift", few([2.0, 0.0]))
def test_barrier_is_the_lowest_pass_of_all_directions(shift):
    body, angles = tower(shift), np.radians(np.linspace(0, 45, 451))
    peaks = [
        body.energy_mm(leaning(body, way, angles)).max()
        for way in np.radians(np.arange(0, 360, 2.0))
    ]
    assert min(peaks) == pytest.approx(body.barrier_mm, abs=2e-4)


def test_a_body_is_upright_until_its_centre_passes_the_edge():
    body = tower()
    x, _, height = body.mass.centre_mm
    over = np.arctan2(4 - x, height)
    angles = np.array([0.0, 0.5, 0.99, 1.01, 2.0, 0.5 * np.pi / over])
    assert body.upright(leaning(body, 0.0, over * angles)).tolist() == [True] * 3 + [False] * 3


def test_energy_is_height_plus_motion_and_sinking_takes_none():
    body = tower()
    rest = body.start.map(lambda array: np.tile(array, (3, 1)))
    position = rest.position_mm - [[0, 0, 0], [0, 0, 0.2], [0, 0, 0]]
    velocity = np.array([[0.0, 0, 0], [0, 0, 0], [0.6, 0, 0.8]])
    energy = body.energy_mm(States(position, rest.quaternion, velocity, rest.spin_rad_s))
    still = body.mass.centre_mm[2]
    assert energy == pytest.approx([still, still, still + 1000 / (2 * 9.81)])
