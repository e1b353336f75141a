"""Contact laws of the study in ``benchmarks/contact_physics.py``, against closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from benchmarks.contact_laws import REFERENCE_MM_S, LawEngine, Laws
from benchmarks.reference import SETTINGS, ReferenceEngine
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, fly, gap_mm, time_to_touch
from brickphys.units import GRAVITY_M_S2
from tests.cases import few
from tests.landings import BRICK, DIE, WOOD, alike, hands, same_bits

BALL = parse_shape("d6:16:r7.99")
BALL_MM = 8.0
GRAVITY_MM_S2 = 1000 * GRAVITY_M_S2
GYRATION = BALL.inertia_g_mm2[0] / (BALL.mass_g * BALL_MM**2)
"""Moment of inertia of the ball over m r2, about 2/5."""


def land(laws, body, states, contact=WOOD, **settings):
    return LawEngine(replace(SETTINGS, **settings), laws=laws).land(body, contact, states)


def ball(height_mm=BALL_MM, velocity_m_s=(0.0, 0.0, 0.0), spin_rad_s=(0.0, 0.0, 0.0)):
    states = alike(1, height_mm, velocity_m_s=velocity_m_s)
    return States(
        states.position_mm, states.quaternion, states.velocity_m_s, np.array([[spin_rad_s]])
    )


@pytest.mark.slow  # the compiler takes seconds
def test_without_other_laws_the_throws_are_those_of_the_engine():
    """Except for the last bit, since the compiler fuses other multiplications and additions."""
    states = hands(BRICK, 200)
    bare, engine = land(Laws(), BRICK, states), ReferenceEngine().land(BRICK, WOOD, states)
    assert np.array_equal(bare.pose, engine.pose)
    assert np.median(np.abs(bare.time_s - engine.time_s)) < 1e-9


@pytest.mark.parametrize("power", [0.1, 0.25])
def test_restitution_falls_with_the_power_of_the_speed(power):
    came, went = _vertex_impact(Laws(power=power), ContactCoefficients(0.0, 0.3))
    assert went == pytest.approx(0.3 * came * (REFERENCE_MM_S / 1000 / came) ** power, abs=1e-3)


def test_restitution_falls_at_low_speed():
    came, went = _vertex_impact(Laws(slow_mm_s=200.0), ContactCoefficients(0.4, 0.5))
    assert went == pytest.approx(0.5 * came * came / (came + 0.2), abs=1e-3)


def _vertex_impact(laws, contact):
    """Return the speeds in m/s before and after an impact, of dice that fall on a vertex from several heights."""
    on_vertex = Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0].as_quat()
    states = alike(20, DIE.radius_mm + np.linspace(20.0, 200.0, 20), on_vertex)
    before = fly(DIE, states, time_to_touch(DIE, states.flat())[:, None])
    after = land(laws, DIE, before, contact, limit_s=1e-5, by_energy=False).states
    return -before.velocity_m_s[:, 0, 2], after.velocity_m_s[:, 0, 2]


@pytest.mark.parametrize("share", [0.0, 0.4, 0.8])
def test_tangential_restitution_reverses_the_slip_of_a_ball(share):
    """It is the impulse that stops the slip, 1 + share times (R. L. Garwin, Am. J. Phys. 37, 1969)."""
    speed, spin = 0.3, -60.0
    states = ball(BALL_MM + 20.0, (speed, 0, 0), (0, spin, 0))
    touch_s = time_to_touch(BALL, states.flat())
    end = land(
        Laws(tangential=share), BALL, states, ContactCoefficients(2.0, 0.5),
        limit_s=float(touch_s[0]) + 1e-3, by_energy=False,
    )  # fmt: skip
    slip = speed - spin * BALL_MM / 1000
    change = -(1 + share) * slip / (1 + 1 / GYRATION)  # of the speed
    assert end.states.velocity_m_s[0, 0, 0] == pytest.approx(speed + change, abs=2e-3)
    turned = spin - change / GYRATION / (BALL_MM / 1000)
    assert end.states.spin_rad_s[0, 0, 1] == pytest.approx(turned, abs=0.3)


def test_tangential_restitution_stays_in_the_friction_cone():
    states = ball(BALL_MM + 20.0, (2.0, 0, 0))
    ends = [
        land(Laws(tangential=share), BALL, states, ContactCoefficients(0.1, 0.5), limit_s=0.08)
        for share in (0.0, 0.5)
    ]
    assert same_bits(*ends)


@pytest.mark.parametrize("length_mm", [0.1, 0.3])
def test_rolling_ball_stops_after_the_distance_of_its_resistance(length_mm):
    """The torque N l decelerates a rolling ball by g l / r / (1 + I / m r2)."""
    speed = 0.2
    states = ball(velocity_m_s=(speed, 0, 0), spin_rad_s=(0, speed / BALL_MM * 1000, 0))
    end = land(Laws(rolling_mm=length_mm), BALL, states, by_energy=False)
    deceleration = GRAVITY_M_S2 * length_mm / BALL_MM / (1 + GYRATION)
    assert end.states.position_mm[0, 0, 0] == pytest.approx(
        1000 * speed**2 / (2 * deceleration), rel=0.01
    )


def test_spinning_ball_stops_in_the_time_of_torsional_friction():
    spin, length_mm, friction = 50.0, 0.5, 0.4
    stops_s = BALL.inertia_g_mm2[2] * spin / (
        friction * length_mm * BALL.mass_g * GRAVITY_MM_S2
    )  # fmt: skip
    for share in (0.3, 0.9):
        end = land(
            Laws(torsion_mm=length_mm), BALL, ball(spin_rad_s=(0, 0, spin)),
            ContactCoefficients(friction, 0.0), by_energy=False, limit_s=share * stops_s,
        )  # fmt: skip
        assert end.states.spin_rad_s[0, 0, 2] == pytest.approx((1 - share) * spin, abs=0.01 * spin)
    after = land(
        Laws(torsion_mm=length_mm), BALL, ball(spin_rad_s=(0, 0, spin)),
        ContactCoefficients(friction, 0.0), by_energy=False, limit_s=1.02 * stops_s,
    )  # fmt: skip
    assert abs(after.states.spin_rad_s[0, 0, 2]) < 0.1


def test_fall_against_drag_approaches_its_final_speed():
    """With drag k v2, v = u tanh(g t / u) for u2 = g / k."""
    drag_per_mm, time_s = 1e-3, 0.25
    final = math.sqrt(GRAVITY_MM_S2 / drag_per_mm) / 1000
    end = land(Laws(drag_per_mm=drag_per_mm), BALL, ball(3000.0), limit_s=time_s)
    expected = final * math.tanh(GRAVITY_M_S2 * time_s / final)
    assert end.states.velocity_m_s[0, 0, 2] == pytest.approx(-expected, rel=0.005)


def test_spin_in_air_falls_as_its_drag_demands():
    spin, spin_drag, time_s = 100.0, 0.02, 0.25
    end = land(
        Laws(spin_drag=spin_drag), BALL, ball(3000.0, spin_rad_s=(0, spin, 0)), limit_s=time_s
    )
    assert end.states.spin_rad_s[0, 0, 1] == pytest.approx(
        spin / (1 + spin_drag * spin * time_s), rel=1e-6
    )


@pytest.mark.parametrize(
    "laws",
    [
        Laws(power=0.25),
        Laws(slow_mm_s=200.0),
        Laws(tangential=0.5),
        Laws(rolling_mm=0.3),
        Laws(torsion_mm=0.5),
        Laws(drag_per_mm=1e-3, spin_drag=1e-2),
    ],
    ids=lambda laws: next(name for name, value in laws._asdict().items() if value),
)
@pytest.mark.parametrize("shape", few(["2x2:r0.2", "d6:16", "1x2"]))
def test_no_law_adds_energy_or_leaves_a_throw_undecided(laws, shape):
    body = parse_shape(shape)
    for contact in (ContactCoefficients(0.1, 0.3), ContactCoefficients(1.0, 0.7)):
        end = land(laws, body, hands(body, 60), contact)
        assert end.energy_gain.max() <= 1e-4
        assert end.counts()["unsettled"] == 0
        assert np.all(gap_mm(body, end.states) > -2e-3 * body.radius_mm)
