import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_world import (
    MIN_RESTITUTION,
    MujocoSettings,
    build,
    pack,
    returned_share,
    spring,
    unpack,
)
from brickphys.engines.registry import engine
from brickphys.errors import DivergenceError, InvalidValueError, MissingExtraError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions, ContactCoefficients
from brickphys.throws.flight import fly, time_to_touch
from brickphys.throws.release import release
from brickphys.units import GRAVITY_M_S2
from tests.cases import few
from tests.landings import BRICK, DIE, SOFT, WOOD, alike, hands

mujoco = pytest.importorskip("mujoco", reason="the extra mujoco is not installed")
rollout = pytest.importorskip("mujoco.rollout", reason="the extra mujoco is not installed")

DEFAULTS = MujocoSettings()


def land(body, states, contact=WOOD, settings=SOFT, **changes):
    return MujocoEngine(replace(settings, **changes)).land(body, contact, states)


def track(body, states, contact, duration_s, settings=DEFAULTS):
    """Step bodies (n,) and return all their states, (n, steps)."""
    model = build(body, contact, settings)
    steps = round(duration_s / settings.step_s)
    rows, _ = rollout.rollout(model, mujoco.MjData(model), pack(states), nstep=steps)
    flat = unpack(rows.reshape(-1, rows.shape[-1]))
    return flat.map(lambda array: array.reshape(len(states), steps, -1))


@pytest.mark.parametrize("ask", [lambda e: e.versions, lambda e: e.land(DIE, WOOD, hands(DIE, 1))])
def test_without_mujoco_the_extra_to_install_is_named(monkeypatch, ask):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r'pip install "brickphys\[mujoco\]"') as caught:
        ask(engine("mujoco"))
    assert isinstance(caught.value, InvalidValueError)  # bad input on the command line


# --- the body and its flight ---


@pytest.mark.parametrize("shape", ["2x2", "1x2", "coin:24x2", "plate:2x4", "d6:16"])
def test_mass_and_inertia_read_back_are_those_of_the_body(shape):
    body = parse_shape(shape)
    model = build(body, WOOD, DEFAULTS)
    assert model.body_mass[1] == pytest.approx(body.mass_g, rel=1e-12)
    assert 100 * model.body_inertia[1] == pytest.approx(body.inertia_g_mm2, rel=1e-12)
    assert np.array_equal(model.body_ipos[1], [0, 0, 0])
    assert np.array_equal(model.body_iquat[1], [1, 0, 0, 0])
    assert not model.dof_damping.any()


@pytest.mark.parametrize("speed_m_s", [0.3, 8.0], ids=["slow", "fast"])
@pytest.mark.parametrize("shape", ["2x2", "1x2", "coin:24x2"])
def test_stepped_flight_is_the_closed_form_one(shape, speed_m_s):
    body, duration_s = parse_shape(shape), 0.02
    states = release(body, Conditions((3000.0, 3000.0), speed_m_s, 30.0), 1, (), 0, 10).flat()
    end = track(body, states, WOOD, duration_s)[:, -1]
    exact = fly(body, states, np.full(10, duration_s))
    assert end.velocity_m_s == pytest.approx(exact.velocity_m_s, abs=1e-10)
    # semi-implicit Euler adds half a step of the velocity gained
    lag_mm = 1000 * GRAVITY_M_S2 * duration_s * DEFAULTS.step_s / 2
    assert end.position_mm + np.array([0, 0, lag_mm]) == pytest.approx(exact.position_mm, abs=1e-6)
    off = Rotation.from_quat(end.quaternion).inv() * Rotation.from_quat(exact.quaternion)
    assert off.magnitude().max() < 1e-3


def test_throws_fly_to_their_first_touch_in_closed_form():
    states = hands(BRICK, 20)
    touch_s = time_to_touch(BRICK, states.flat())
    end = land(BRICK, states, limit_s=touch_s.min())
    exact = fly(BRICK, states, end.time_s[:, None])
    assert end.time_s == pytest.approx(touch_s.min(), abs=1e-9)
    assert end.states.velocity_m_s == pytest.approx(exact.velocity_m_s, abs=1e-9)


# --- contacts ---


@pytest.mark.parametrize("damping_ratio", [0.0, 0.05, 0.3, 0.8, 1.0, 1.5, 4.0])
def test_damped_spring_returns_what_its_closed_form_says(damping_ratio):
    def motion(_t, state):
        return state[1], -state[0] - 2 * damping_ratio * state[1]

    def no_force(_t, state):
        return state[0] + 2 * damping_ratio * state[1]

    no_force.terminal, no_force.direction = True, -1
    start = [0.0, 1.0]  # inwards
    end = solve_ivp(motion, (0, 100), start, events=no_force, rtol=1e-10, atol=1e-12)
    found = -end.y_events[0][0][1]
    assert returned_share(damping_ratio) == pytest.approx(found, abs=1e-7)


@pytest.mark.parametrize("restitution", [0.0, 0.05, 0.2, 0.5, 0.7])
def test_central_vertex_impact_returns_the_restitution_on_average_over_the_phase_of_the_step(
    restitution,
):
    """Within 0.02 on average, and 0.05 each: a contact has some sixteen steps, and any of them may be its first."""
    on_vertex = Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0].as_quat()
    for speed in (0.5, 1.0, 2.5):
        phase_mm = np.linspace(0.0, 1000 * speed * DEFAULTS.step_s, 40)
        states = alike(40, DIE.radius_mm + phase_mm, on_vertex, (0, 0, -speed)).flat()
        path = track(DIE, states, ContactCoefficients(0.4, restitution), 2 * DEFAULTS.contact_s)
        found = path.velocity_m_s[:, :, 2].max(axis=1) / speed
        assert found.mean() == pytest.approx(max(restitution, MIN_RESTITUTION), abs=0.02)
        assert np.abs(found - restitution).max() < 0.05


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.4, 1.0])
def test_impact_at_one_corner_obeys_coulomb_and_about_the_restitution(friction):
    """From momentum alone. The spring knows nothing of friction, which moves the corner up or down as well."""
    restitution, count, contact_s = 0.5, 300, 2 * DEFAULTS.contact_s
    states = hands(BRICK, count).flat()
    before = fly(BRICK, states, time_to_touch(BRICK, states))
    after = track(BRICK, before, ContactCoefficients(friction, restitution), contact_s)[:, -1]
    corners = Rotation.from_quat(before.quaternion).as_matrix() @ BRICK.vertices_mm.T / 1000
    corners = np.swapaxes(corners, 1, 2)
    lowest = corners[np.arange(count), corners[..., 2].argmin(axis=1)]

    def speed(state):
        return state.velocity_m_s + np.cross(state.spin_rad_s, lowest)

    came, went = speed(before), speed(after)
    heights = np.sort(corners[..., 2], axis=1)
    single = heights[:, 1] - heights[:, 0] > 2e-3  # no second corner within the watched time
    assert single.mean() > 0.2
    weight = np.array([0, 0, GRAVITY_M_S2 * contact_s])
    impulse = (after.velocity_m_s - before.velocity_m_s + weight)[single]
    pull = np.linalg.norm(impulse[:, :2], axis=1)
    # without friction MuJoCo takes 0.00001
    assert np.all(pull <= max(friction, 2e-5) * impulse[:, 2] * (1 + 1e-4))
    returned = -went[single, 2] / came[single, 2]
    assert np.abs(returned - restitution).max() < 0.06 + 0.3 * friction
    assert np.median(returned) == pytest.approx(restitution, abs=0.05)


@pytest.mark.parametrize("friction", few([0.4, 0.1, 0.2, 0.8]))
def test_sliding_distance_is_that_of_coulomb_friction_and_the_slide_stays_down(friction):
    speed, tile = 1.0, parse_shape("cuboid:40x40x5")
    states = alike(1, 2.5, velocity_m_s=(speed, 0, 0)).flat()
    path = track(
        tile, states, ContactCoefficients(friction, 0.0), 1.05 * speed / friction / GRAVITY_M_S2
    )
    slid_m = path.position_mm[0, -1, 0] / 1000
    assert slid_m == pytest.approx(speed**2 / (2 * friction * GRAVITY_M_S2), rel=0.002)
    assert path.velocity_m_s[0, -1] == pytest.approx(0.0, abs=1e-3)
    assert path.position_mm[0, :, 2].max() < 2.5 + 0.05


def test_soft_contact_lets_the_brick_sink_in_farther():
    assert spring(0.5, SOFT).stiffness < spring(0.5, DEFAULTS).stiffness / 20


# --- every throw is counted, or refused ---


def test_energy_out_of_nothing_is_a_divergence():
    """A step that is as long as the contact makes springs into slings."""
    with pytest.raises(DivergenceError, match="energy grew by"):
        land(BRICK, hands(BRICK, 20), step_s=SOFT.contact_s / 1.5)
