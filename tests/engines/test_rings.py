"""Bodies of revolution as rings: closed forms of rolling and wobbling, what is conserved, shares, and the early end."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.engines.compiled import CompiledEngine, CompiledSettings, kernel_settings, turned
from brickphys.engines.kernels.ring_kernel import RIM_RAD_S, throw_all
from brickphys.engines.kernels.rows import COLUMNS
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, ContactCoefficients
from brickphys.throws.flight import angle_between, rotate
from brickphys.throws.release import release
from brickphys.throws.rings import Rings, rings_of
from tests.cases import few
from tests.landings import FALSE_ALARM, alike, homogeneous, same_bits

THICK, NICKEL = parse_shape("coin:20x7.08:r0.35"), parse_shape("coin:21.21x1.95:r0.3")
TABLE = ContactCoefficients(0.25, 0.5)
ROUGH = ContactCoefficients(5.0, 0.0, 0.0, 0.0)
R, G = 20.0, 9810.0
DISC = Rings(
    2,
    np.zeros(1),
    np.array([R]),
    0.0,
    R,
    R**2 / 4,
    R**2 / 2,
    np.empty(0),
    np.array([R]),
    np.array([np.inf]),
    np.zeros(1, dtype=np.intp),
)
"""A thin homogeneous disc."""


def landed(body, preset, count, contact=TABLE, root=1, **settings):
    states = release(body, PRESETS[preset], root, (), 0, count)
    return CompiledEngine(CompiledSettings(**settings)).land(body, contact, states)


def rolled(spin, tilt, time_s, contact=ROUGH, step_s=5e-4, velocity=(0.0, 0.0, 0.0)):
    """Return the motion of the disc after a time; its axis leans by `tilt` from the vertical towards +x."""
    motion = np.zeros((1, 13))
    motion[0, 2] = R * np.sin(tilt)
    motion[0, 3:7] = 0.0, np.sin(tilt / 2), 0.0, np.cos(tilt / 2)
    motion[0, 7:10], motion[0, 10:] = velocity, spin
    settings = CompiledSettings(step_s=step_s, by_energy=False, limit_s=time_s, rest_m_s=0.0)
    law = tuple(kernel_settings(contact, settings))
    tables = tuple(DISC), 1e-3, 1e-6, contact.rolling_mm, contact.drilling_mm, law
    ends, measures = np.zeros((1, 2), dtype=np.intp), np.zeros((1, 2))
    throw_all(tables, np.zeros((4, COLUMNS)), motion, ends, measures)
    assert measures[0, 1] < 0.05
    return motion[0]


def axis(motion):
    return rotate(motion[3:7], np.array([0.0, 0.0, 1.0]))


# --- closed forms ---


@pytest.mark.parametrize("slope", [0.1, 0.3, 0.8])
def test_eulers_disc_precesses_as_in_theory_and_better_with_a_finer_step(slope):
    """On a point at rest under the centre, Omega^2 = 4 g / (R sin slope); the spin is Omega sin slope, up the slope."""
    turns = np.sqrt(4 * G / (R * np.sin(slope)))
    spin = turns * np.sin(slope) * np.array([-np.cos(slope), 0.0, np.sin(slope)])
    error = []
    for step_s in (2e-4, 5e-5):
        d = np.array([axis(rolled(spin, slope, t, step_s=step_s)) for t in np.arange(1, 9) * 0.02])
        azimuth = np.unwrap([0.0, *np.arctan2(d[:, 1], d[:, 0])], period=2 * np.pi)
        expected = turns * np.arange(9) * 0.02
        azimuth += (
            2
            * np.pi
            * np.cumsum(
                np.round(
                    (np.diff(expected, prepend=0.0) - np.diff(azimuth, prepend=0.0)) / (2 * np.pi)
                )
            )
        )
        error.append(abs(azimuth[-1] / expected[-1] - 1))
    assert error[0] < 0.08
    assert error[1] < 0.025
    assert error[1] < 0.5 * error[0]


@pytest.mark.parametrize("speed", [30.0, 60.0])
def test_an_upright_rolling_disc_wobbles_as_in_theory(speed):
    """nu^2 = 12/5 w^2 - 4/5 g/R, of a disc that rolls without slip."""
    tilt = np.pi / 2 - 1e-3
    times = np.linspace(0.0, 0.4, 101)[1:]
    spin = speed * np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    lean = [
        axis(rolled(spin, tilt, t, velocity=(0.0, -speed * R, 0.0), step_s=1e-4))[2] for t in times
    ]
    phase = np.unwrap(
        np.angle(np.fft.ifft(np.fft.fft(lean - np.mean(lean)) * (np.fft.fftfreq(100) > 0)))
    )
    rate = np.polyfit(times[20:80], phase[20:80], 1)[0]
    assert rate == pytest.approx(np.sqrt(2.4 * speed**2 - 0.8 * G / R), rel=0.03)


def test_rolling_slows_as_the_law_says():
    """(R^2 + R^2/2) dw/dt = - arm g w / 30."""
    contact, speed = replace(ROUGH, rolling_mm=0.2), 40.0
    found = rolled((speed, 0, 0), np.pi / 2, 1.0, contact, velocity=(0.0, -speed * R, 0.0))
    slowed = np.exp(-0.2 * G / RIM_RAD_S / (1.5 * R**2))
    assert found[10] == pytest.approx(speed * slowed, rel=1e-4)
    assert found[8] == pytest.approx(-speed * R * slowed, rel=1e-4)


def test_a_time_limit_that_rounding_leaves_a_remainder_of_changes_nothing():
    """A disc that rolls hardly changes in a step, whether or not the limit is a multiple of it."""
    contact, spin, velocity = (
        replace(ROUGH, rolling_mm=0.2),
        (40.0, 0.0, 0.0),
        (0.0, -40.0 * R, 0.0),
    )
    ends = [
        rolled(spin, np.pi / 2, number * 7e-4, contact, step_s=7e-4, velocity=velocity)
        for number in range(1, 80)
    ]
    assert np.array([end[7:13] for end in ends]) == pytest.approx(
        np.tile([0.0, -40.0 * R, 0.0, 40.0, 0.0, 0.0], (79, 1)), abs=0.01 * 40.0 * R
    )


def test_drilling_slows_by_its_arm():
    contact = ContactCoefficients(0.0, 0.0, 0.0, 0.05)
    found = rolled((0, 0, 20.0), np.pi / 2, 0.1, contact)
    assert found[12] == pytest.approx(20.0 - 0.1 * 0.05 * G / (R**2 / 4), rel=1e-6)


@pytest.mark.parametrize("shape", ["coin:20x2", "coin:20x7.08:r0.35"])
def test_a_level_coin_slides_v2_over_2_mu_g(shape):
    body, contact = parse_shape(shape), ContactCoefficients(0.3, 0.5)
    height_mm = body.centre_of_mass_mm
    end = CompiledEngine(CompiledSettings(by_energy=False)).land(
        body, contact, alike(1, height_mm, velocity_m_s=(0.5, 0, 0))
    )
    assert end.poses_of(0) == ("heads",)
    assert end.states.position_mm[0, 0, 0] == pytest.approx(250.0 / (2 * 0.3 * 9.81), rel=0.005)


# --- what holds of every throw ---


def test_without_friction_what_symmetry_conserves_is_conserved():
    """The spin about the axis, the angular momentum about the vertical and the horizontal velocity."""
    states = release(THICK, PRESETS["hand"], 1, (), 0, 50)
    contact = ContactCoefficients(0.0, 0.5, 0.0, 0.0)
    end = CompiledEngine(CompiledSettings(by_energy=False, limit_s=0.6)).land(
        THICK, contact, states
    )

    def kept(s):
        d = rotate(s.quaternion[:, 0], np.array([0.0, 0.0, 1.0]))
        a, _, c = THICK.inertia_g_mm2
        own = (s.spin_rad_s[:, 0] * d).sum(axis=1)
        vertical = a * s.spin_rad_s[:, 0, 2] + (c - a) * own * d[:, 2]
        return np.column_stack([own, vertical / a, s.velocity_m_s[:, 0, :2]])

    assert (end.states.spin_rad_s - states.spin_rad_s).any(axis=(1, 2)).all()
    assert kept(end.states) == pytest.approx(kept(states), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("restitution", few([0.5, 0.0, 0.7], 1))
@pytest.mark.parametrize("friction", few([0.25, 0.0, 0.05, 1.0], 2))
@pytest.mark.parametrize("shape", ["coin:24x2", "coin:15.5x15.5:r0.3"])
def test_no_throw_gains_energy_or_stays_open(shape, friction, restitution):
    end = landed(parse_shape(shape), "hand", 1500, ContactCoefficients(friction, restitution))
    assert end.energy_gain.max() < 1e-3
    assert end.counts()["unsettled"] == end.counts()["leaning"] == 0


@pytest.mark.parametrize(
    ("body", "preset"), [(THICK, "toss"), (THICK, "hand"), (NICKEL, "hand"), (NICKEL, "drop")]
)
@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_early_end_finds_the_pose_in_which_the_body_comes_to_rest(count, body, preset):
    early = landed(body, preset, count)
    late = landed(body, preset, count, by_energy=False, limit_s=300.0)
    assert early.pose.tolist() == late.pose.tolist()
    assert early.time_s.mean() < 0.9 * late.time_s.mean()


def test_a_throw_depends_on_its_own_start_alone():
    engine = CompiledEngine()
    states = release(NICKEL, PRESETS["hand"], 5, (), 0, 120)
    whole = engine.land(NICKEL, TABLE, states)
    threads = replace(engine, settings=replace(engine.settings, threads=3))
    assert same_bits(threads.land(NICKEL, TABLE, states), whole)
    assert same_bits(engine.land(NICKEL, TABLE, states[70:90]), whole[70:90])


# --- shares ---


@pytest.mark.parametrize(
    ("shape", "preset", "pose", "count", "low", "high"),
    [
        ("coin:20x7.08:r0.35", "toss", ("edge",), 4000, 0.11, 0.15),  # counted: .132
        ("coin:15.5x15.5:r0.26", "drop", ("heads", "tails"), 2000, 0.36, 0.44),  # 0.38
        ("coin:21.21x1.95:r0.3", "drop", ("edge",), 20_000, 2e-4, 2.5e-3),
    ],
)
def test_shares_are_those_of_the_prototype_and_of_counts(shape, preset, pose, count, low, high):
    found = landed(parse_shape(shape), preset, count).counts()
    assert low < sum(found[one] for one in pose) / count < high


@pytest.mark.slow
@pytest.mark.parametrize("body", [THICK, parse_shape("coin:15.5x15.5")], ids=["coin", "cylinder"])
def test_rings_have_the_shares_of_a_rim_of_facets_where_losses_hardly_matter(body, monkeypatch):
    rings = landed(body, "toss", 3000)
    monkeypatch.setattr("brickphys.engines.compiled.rings_of", lambda _: None)
    facets = landed(body, "toss", 3000, root=2)
    assert homogeneous(rings, facets) > FALSE_ALARM


def test_a_coin_whose_axis_is_another_one_is_thrown_alike():
    """The same solid with its axis along x or y: the same throws, in a frame that is turned."""
    coin = landed(THICK, "hand", 60)
    start = release(THICK, PRESETS["hand"], 1, (), 0, 60)
    for axis_number, order in ((0, [2, 0, 1]), (1, [1, 2, 0])):
        a, _, c = THICK.inertia_g_mm2
        body = replace(
            THICK,
            vertices_mm=THICK.vertices_mm[:, order],
            inertia_g_mm2=tuple([a, a, c][k] for k in order),
            faces=tuple(
                replace(face, normal=tuple(face.normal[k] for k in order)) for face in THICK.faces
            ),
        )
        assert rings_of(body).axis == axis_number
        states = turned(start.flat(), axis_number, -1).map(lambda array: array[:, None])
        end = CompiledEngine().land(body, TABLE, states)
        assert end.pose.tolist() == coin.pose.tolist()
        back = turned(end.states.flat(), axis_number).quaternion
        assert (
            np.median(angle_between(back, coin.states.quaternion[:, 0])) < 1e-6
        )  # but for last bits
