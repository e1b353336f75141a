"""What must hold of every engine, with as many throws as each can afford."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import chisquare

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.engines.compiled import CompiledEngine, CompiledSettings
from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_world import MujocoSettings
from brickphys.engines.registry import ENGINES, engine
from brickphys.errors import DivergenceError, InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import down, gap_mm
from brickphys.units import GRAVITY_M_S2
from tests.cases import few
from tests.landings import BRICK, DIE, FALSE_ALARM, SOFT, WOOD, alike, hands, homogeneous, same_bits

TESTED = {
    "bullet": BulletEngine(),
    "compiled": CompiledEngine(),
    "mujoco": MujocoEngine(),
    "soft mujoco": MujocoEngine(SOFT),
}
EVERY = pytest.mark.parametrize("name", ["bullet", "compiled", "soft mujoco"])
BULLET, COMPILED, MUJOCO = BulletSettings(), CompiledSettings(), MujocoSettings()
CHANGES = [
    ("compiled", change)
    for change in (
        {"step_s": COMPILED.step_s / 2},
        {"step_s": COMPILED.step_s / 8},
        {"touch_share": COMPILED.touch_share / 10},
        {"bounce_steps": COMPILED.bounce_steps / 2},
        {"bounce_steps": COMPILED.bounce_steps * 4},
    )
]


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


def thrower_of(name):
    if "mujoco" in name:
        pytest.importorskip("mujoco", reason="the extra mujoco is not installed")
    return TESTED[name]


def land(name, body, states, contact=WOOD, **changes):
    thrower = thrower_of(name)
    return replace(thrower, settings=replace(thrower.settings, **changes)).land(
        body, contact, states
    )


@cache
def thrown_as_usual(name, count):
    return land(name, BRICK, hands(BRICK, count, root=7))


def test_all_engines_are_tested():
    assert {thrower.name for thrower in TESTED.values()} == set(ENGINES)


@pytest.mark.parametrize(
    ("name", "libraries"),
    [
        ("bullet", {"pybullet"}),
        ("compiled", {"numba", "llvmlite"}),
        ("mujoco", {"mujoco"}),
    ],
)
def test_engine_is_found_by_its_name(name, libraries):
    thrower_of(name)
    assert engine(name).name == name
    assert set(engine(name).versions) == libraries


# --- contacts ---


@pytest.mark.parametrize("friction", few([0.4, 0.1, 0.2, 0.8]))
@pytest.mark.parametrize(("name", "error"), [("bullet", 0.01), ("compiled", 0.005)])
def test_sliding_distance_is_that_of_coulomb_friction(name, error, friction):
    """Bullet is one step too long, v times the step in v2 / (2 mu g): within 1 % where the slide takes 200 steps."""
    speed, tile = 2.0, parse_shape("cuboid:40x40x5")
    states = alike(1, 2.5, velocity_m_s=(speed, 0, 0))
    end = land(name, tile, states, ContactCoefficients(friction, 0.0), by_energy=False)
    slid_m = end.states.position_mm[0, 0, 0] / 1000
    assert slid_m == pytest.approx(speed**2 / (2 * friction * GRAVITY_M_S2), rel=error)
    assert end.counts()["z"] == 1


@pytest.mark.parametrize(
    ("name", "shape", "contact", "count", "share", "sunk_mm", "changes"),
    # bullet's bounces add at most 0.2 %, gyroscopic forces of stepped air some per cent; a brick may be decided within
    # an impact
    [
        ("bullet", "2x2", ContactCoefficients(0.4, e), 20, share, 0.5, {"flights": flights})
        for flights, share in ((True, 0.005), (False, 0.2))
        for e in (0.0, 0.35, 0.5, 0.7)
    ]
    + [
        (
            *("compiled", shape, ContactCoefficients(f, e), 60),
            *(1e-4, 1e-3 * parse_shape(shape).radius_mm, {}),
        )
        for shape in ("2x2", "d6:16", "2x2:r0.3", "d6:16:r5", "1x2")
        for f in (0.05, 0.4, 1.0)
        for e in (0.0, 0.3, 0.5, 0.7)
    ]
    + [
        pytest.param(
            *("mujoco", "2x2", ContactCoefficients(f, e), 8, 0.001, 0.05, {}),
            marks=[pytest.mark.slow] if f < 1.0 or e != 0.7 else [],  # bricks slide for long
        )
        for f in (0.05, 1.0)
        for e in (0.0, 0.5, 0.7)
    ],
    ids=str,
)
def test_no_throw_gains_energy_at_any_time(name, shape, contact, count, share, sunk_mm, changes):
    body = parse_shape(shape)
    end = land(name, body, hands(body, count), contact, **changes)
    assert end.energy_gain.max() <= share
    assert end.counts()["unsettled"] == 0
    assert np.all(gap_mm(body, end.states) > -sunk_mm)


# --- rounded edges ---


def rolling_over_its_edge(die, share):
    """Return a die that lies flat and turns about its lower edge, with a share of the energy that takes it over.

    The edge of the core is at rest in neither case: the die rolls on the rounded edge, so at first it turns about the
    line of contact below the core's edge.
    """
    half = 8.0
    core = half - die.edge_radius_mm
    barrier_mm = np.sqrt(2) * core + die.edge_radius_mm - half
    square_mm2 = (
        die.inertia_g_mm2[1] / die.mass_g + core**2 + half**2
    )  # by the parallel-axis theorem
    spin = np.sqrt(2 * share * 1000 * GRAVITY_M_S2 * barrier_mm / square_mm2)
    states = alike(1, half)
    states.spin_rad_s[0, 0, 1] = spin
    states.velocity_m_s[0, 0] = spin * np.array([half, 0, core]) / 1000
    return states


@pytest.mark.parametrize("by_energy", [True, False], ids=["decided", "at rest"])
@pytest.mark.parametrize("radius", few([2.0, 0.5, 5.0]))
@EVERY
def test_rounded_die_rolls_over_its_edge_with_the_energy_of_the_barrier(name, radius, by_energy):
    """Neither slip nor impact takes energy on the way, so a few hundredths of it decide."""
    die = parse_shape("d6:16", edge_radius_mm=radius)
    rough = ContactCoefficients(1.0, 0.0)
    for share, number in ((0.96, "3"), (1.04, "6")):
        end = land(name, die, rolling_over_its_edge(die, share), rough, by_energy=by_energy)
        assert end.counts()[number] == 1


@pytest.mark.parametrize(
    ("name", "error"), [("compiled", 0.002), ("bullet", 0.01), ("mujoco", 0.002)]
)
def test_die_that_is_nearly_a_ball_slides_until_it_rolls_at_five_sevenths(name, error):
    ball, friction, speed = parse_shape("d6:16:r7.99"), 0.2, 0.5
    sliding_s = 2 * speed / (7 * friction * GRAVITY_M_S2)
    states = alike(1, 8.0, velocity_m_s=(speed, 0, 0))
    end = land(
        *(name, ball, states, ContactCoefficients(friction, 0.0)),
        by_energy=False,
        limit_s=1.5 * sliding_s,
    )
    assert end.states.velocity_m_s[0, 0, 0] == pytest.approx(5 / 7 * speed, rel=error)
    assert end.states.spin_rad_s[0, 0, 1] == pytest.approx(5 / 7 * speed / 0.008, rel=error)


@pytest.mark.parametrize("shape", ["2x2:r0.3", "d6:16:r4"])
@EVERY
def test_rounded_body_that_falls_flat_rests_at_the_height_of_its_face(name, shape):
    body = parse_shape(shape)
    states = alike(1, body.centre_of_mass_mm + 0.02)
    end = land(name, body, states, ContactCoefficients(0.4, 0.0), by_energy=False)
    assert end.states.position_mm[0, 0, 2] == pytest.approx(body.centre_of_mass_mm, abs=0.01)


# --- symmetry ---


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("bullet", 120),
        ("compiled", 6000),
        ("soft mujoco", 60),
        slow("bullet", 6000),
        slow("soft mujoco", 4000),
    ],
)
def test_die_lands_on_each_number_a_sixth_of_the_time(name, count):
    counts = land(name, DIE, hands(DIE, count, root=2)).counts()
    numbered = [counts[str(number)] for number in range(1, 7)]
    assert count - sum(numbered) <= count / 10_000  # as many as may be unsettled
    assert chisquare(numbered).pvalue > FALSE_ALARM


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("bullet", 100),
        ("compiled", 6000),
        slow("bullet", 4000),
        slow("soft mujoco", 2000),
    ],
)
def test_four_sides_of_a_square_brick_are_equal(name, count):
    end = land(name, BRICK, hands(BRICK, count, root=3))
    lowest = down(end.states.quaternion)[end.pose == end.poses.index("side")]
    normals = np.array([face.normal for face in BRICK.faces if face.pose == "side"])
    sides = np.bincount((lowest @ normals.T).argmax(axis=1), minlength=4)
    assert len(sides) == 4
    assert chisquare(sides).pvalue > FALSE_ALARM


# --- independence ---


@pytest.mark.parametrize(
    ("name", "shape", "bricks", "count", "changes", "apart"),
    [
        ("bullet", "2x2", 1, 9, {"flights": True}, {"hands": 7}),
        ("bullet", "2x2", 2, 8, {"flights": True}, {"hands": 7}),
    ]
    + [
        slow("bullet", shape, 1, 9, {"flights": flights}, {"hands": 7})
        for shape, flights in (("2x2", False), ("d6:16", True), ("d6:16", False))
    ]
    + [slow("bullet", "2x2", 3, 8, {"flights": on}, {"hands": 7}) for on in (True, False)]
    + [("compiled", shape, 1, 300, {}, {"threads": 3}) for shape in ("2x2", "1x2", "d6:16")]
    + [("soft mujoco", "2x2", 1, 8, {}, {}), slow("soft mujoco", "2x2", 3, 8, {}, {})],
    ids=str,
)
def test_throw_is_bitwise_independent_of_other_throws(name, shape, bricks, count, changes, apart):
    """All hands of a bullet world start in the same place: if hands met, or shared a solver, this would show."""
    body = parse_shape(shape)
    states = hands(body, count, bricks, root=4)
    together = land(name, body, states, **changes)
    assert same_bits(together, land(name, body, states, **changes, **apart))
    parts = (slice(0, 1), slice(7, 8), slice(3 * count // 4, None), slice(None, None, -1))
    for part in parts:
        assert same_bits(land(name, body, states[part], **changes), together[part])


# --- what may not matter ---


@pytest.mark.parametrize(
    ("name", "change", "count"),
    [(*case, 3000) for case in CHANGES]
    + [slow(*case, 60_000) for case in CHANGES]
    + [
        slow("bullet", change, 1500)
        for change in (
            {"margin_mm": BULLET.margin_mm * 0.1},
            {"margin_mm": BULLET.margin_mm * 5},
            {"step_s": BULLET.step_s / 2},
            {"iterations": BULLET.iterations * 3},
            {"flights": False},
            {"hands": 64},
        )
    ]
    + [slow("mujoco", {"step_s": MUJOCO.step_s / 2}, 300)],
    ids=str,
)
def test_shares_do_not_depend_on_a_setting(name, change, count):
    # different throws, so that the samples are independent
    usual = thrown_as_usual(name, count)
    other = land(name, BRICK, hands(BRICK, count, root=8), **change)
    assert homogeneous(usual, other) > FALSE_ALARM


@pytest.mark.parametrize(
    ("name", "shape", "contact", "count"),
    [("bullet", "2x2", WOOD, 20), ("soft mujoco", "2x2", WOOD, 4)]
    + [slow("bullet", "2x2", ContactCoefficients(0.4, e), 600) for e in (0.0, 0.25, 0.5, 0.7)]
    + [slow("soft mujoco", "2x2", WOOD, 250)]
    + [
        ("compiled", shape, contact, 100)
        for shape, contact in (
            ("2x2", ContactCoefficients(0.1, 0.7)),
            ("d6:16", ContactCoefficients(1.0, 0.0)),
            ("1x2", WOOD),
            ("plate:2x2", ContactCoefficients(1.0, 0.0)),
            ("plate:2x4", ContactCoefficients(0.1, 0.7)),
            ("2x2:r0.3", WOOD),
        )
    ]
    + [
        slow("compiled", shape, contact, 3000)
        for shape in ("2x2", "1x2", "plate:2x2", "2x2:r0.3")
        for contact in (WOOD, ContactCoefficients(0.1, 0.7), ContactCoefficients(1.0, 0.0))
    ]
    + [
        slow("compiled", "2x2", ContactCoefficients(f, e), 1500)
        for f in (0.1, 0.4, 1.0)
        for e in (0.0, 0.35, 0.7)
    ]
    + [
        slow("compiled", shape, WOOD, 1500)
        for shape in ("1x2", "2x4", "2x8", "plate:2x4", "cuboid:30x10x10")
    ],
    ids=str,
)
def test_deciding_by_energy_names_the_pose_in_which_every_brick_comes_to_rest(
    name, shape, contact, count
):
    """2,400 throws of bullet over its trusted range, 57,000 of compiled."""
    body = parse_shape(shape)
    states = hands(body, count, root=9)
    early, late = (land(name, body, states, contact, by_energy=on) for on in (True, False))
    assert np.array_equal(early.pose, late.pose)
    assert early.time_s.mean() < late.time_s.mean()


@pytest.mark.parametrize(
    ("name", "shape", "count", "times"),
    [
        ("bullet", "2x2:r0.3", 80, 20),
        ("mujoco", "2x2", 12, 20),
        slow("bullet", "2x2", 150, 20),
        slow("bullet", "2x2", 5000, 10),
        slow("mujoco", "2x2", 1000, 20),
    ]
    + [
        slow(name, shape, count, 20)
        for shape in (
            "2x2:r0.1",
            "2x2:r0.3",
            "1x2:r0.3",
            "cuboid:10x10x20:r1",
            "cuboid:10x10x20:r3",
        )
        for name, count in (("bullet", 600), ("mujoco", 120))
    ],
)
def test_shares_on_wood_are_those_of_the_compiled_engine(name, shape, count, times):
    body = parse_shape(shape)
    usual = land(name, body, hands(body, count, root=11))
    fast = land("compiled", body, hands(body, times * count, root=12))
    assert homogeneous(usual, fast) > FALSE_ALARM


# --- every throw is counted, or refused ---


def test_bricks_thrown_together_are_refused():
    with pytest.raises(
        InvalidValueError, match="3 bodies a hand: the compiled engine throws at most 1"
    ):
        land("compiled", BRICK, hands(BRICK, 2, 3))


@EVERY
def test_no_throws_are_refused(name):
    with pytest.raises(InvalidValueError, match="no throws to land"):
        land(name, BRICK, hands(BRICK, 1)[:0])


@pytest.mark.parametrize("restitution", [0.71, 0.9])
@EVERY
def test_restitution_beyond_the_trusted_range_is_refused(name, restitution):
    with pytest.raises(InvalidValueError, match=f"restitution {restitution} is outside 0 to 0.7"):
        land(name, BRICK, hands(BRICK, 1), ContactCoefficients(0.4, restitution))


@EVERY
def test_largest_trusted_restitution_is_accepted(name):
    contact = ContactCoefficients(0.4, TESTED[name].max_restitution)
    assert land(name, BRICK, hands(BRICK, 5), contact).counts()["unsettled"] == 0


@EVERY
def test_throws_out_of_time_are_unsettled(name):
    assert land(name, BRICK, hands(BRICK, 20), limit_s=0.001).counts()["unsettled"] == 20


@EVERY
def test_states_that_are_not_numbers_are_a_divergence(name):
    states = hands(BRICK, 3)
    states.velocity_m_s[1, 0, 0] = np.nan
    with pytest.raises(DivergenceError, match="1 throw of 2x2 diverged"):
        land(name, BRICK, states)
