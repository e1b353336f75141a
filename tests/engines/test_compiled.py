"""The engine of compiled loops, and the reference, which throws one body after the other in other steps."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from benchmarks.lanes import stone
from benchmarks.reference import ReferenceEngine
from brickphys.engines.compiled import CompiledEngine, CompiledSettings, kernel_sector
from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions, ContactCoefficients, surface
from brickphys.throws.faces import face_map
from brickphys.throws.flight import fly, gap_mm, time_to_touch
from brickphys.throws.release import release
from brickphys.units import GRAVITY_M_S2
from tests.cases import few
from tests.landings import BRICK, DIE, FALSE_ALARM, WOOD, alike, hands, homogeneous, same_bits

DEFAULTS = CompiledSettings()
SHAPES = ("2x2", "1x2", "2x4", "plate:2x2", "coin:24x2", "d6:16", "cuboid:30x10x10")

COMPILED, REFERENCE = CompiledEngine(), ReferenceEngine()
BOTH = pytest.mark.parametrize("engine", [COMPILED, REFERENCE], ids=["compiled", "reference"])


def land(body, states, contact=WOOD, engine=COMPILED, **settings):
    return replace(engine, settings=replace(engine.settings, **settings)).land(
        body, contact, states
    )


# --- flight ---


@pytest.mark.parametrize("spin_rad_s", [3.0, 100.0], ids=["slow", "fast"])
@pytest.mark.parametrize(
    ("engine", "shape"),
    [(engine, shape) for engine in (COMPILED, REFERENCE) for shape in SHAPES],
    ids=lambda given: getattr(given, "name", given),
)
def test_flight_is_the_closed_form_one(engine, shape, spin_rad_s):
    body = parse_shape(shape)
    states = release(body, Conditions((3000.0, 3000.0), 1.0, spin_rad_s), 1, (), 0, 20)
    end = land(body, states, engine=engine, limit_s=0.4)
    exact = fly(body, states, end.time_s[:, None])
    assert end.time_s == pytest.approx(0.4, abs=1e-12)
    off = Rotation.from_quat(end.states.quaternion[:, 0]).inv()
    off = off * Rotation.from_quat(exact.quaternion[:, 0])
    assert off.magnitude().max() < 1e-5
    assert end.states.position_mm == pytest.approx(exact.position_mm, abs=1e-9)
    assert end.states.velocity_m_s == pytest.approx(exact.velocity_m_s, abs=1e-12)
    assert end.states.spin_rad_s == pytest.approx(exact.spin_rad_s, abs=1e-3)


# --- contacts ---


def after_first_bounce(body, states, contact, engine):
    """Return the bodies at their first touch, and a moment after it."""
    touch_s = time_to_touch(body, states.flat())
    before = fly(body, states, touch_s[:, None])
    return before, land(body, before, contact, engine, limit_s=1e-4, by_energy=False).states


@pytest.mark.parametrize("restitution", [0.0, 0.2, 0.5, 0.7])
@pytest.mark.parametrize("friction", [0.0, 0.4])
@BOTH
def test_central_vertex_impact_returns_exactly_the_restitution(engine, restitution, friction):
    on_vertex = Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0].as_quat()
    states = alike(20, DIE.radius_mm + np.linspace(5.0, 200.0, 20), on_vertex)
    before, after = after_first_bounce(
        DIE, states, ContactCoefficients(friction, restitution), engine
    )
    incoming = -before.velocity_m_s[:, 0, 2]
    gravity = GRAVITY_M_S2 * 1e-4  # of the moment in which the bounce is watched
    found = after.velocity_m_s[:, 0, 2] + (gravity if restitution else 0.0)
    assert found == pytest.approx(restitution * incoming, abs=gravity)


@pytest.mark.parametrize("friction", few([0.1, 0.4, 0.0, 1.0], 2))
@pytest.mark.parametrize(
    ("engine", "shape"),
    [(COMPILED, "2x2"), (COMPILED, "1x2"), (COMPILED, "d6:16"), (REFERENCE, "1x2")],
    ids=lambda given: getattr(given, "name", given),
)
def test_impact_at_one_corner_obeys_restitution_and_coulomb(engine, shape, friction):
    """From momentum alone: the corner sticks inside the friction cone, or slips on it against what remains."""
    body, restitution = parse_shape(shape), 0.5
    states = hands(body, 300)
    before, after = after_first_bounce(
        body, states, ContactCoefficients(friction, restitution), engine
    )
    # back to the very touch, since a flight can be undone
    after = fly(body, after, np.full((300, 1), -1e-4))
    turned = Rotation.from_quat(before.quaternion[:, 0])
    corners = np.einsum("nij,vj->nvi", turned.as_matrix(), body.vertices_mm / 1000)
    lowest = corners[np.arange(300), corners[..., 2].argmin(axis=1)]
    lowest[:, 2] -= body.edge_radius_mm / 1000

    def speed(state):
        return state.velocity_m_s[:, 0] + np.cross(state.spin_rad_s[:, 0], lowest)

    impulse = body.mass_g * (after.velocity_m_s - before.velocity_m_s)[:, 0]
    came, went = speed(before), speed(after)
    single = np.sort(corners[..., 2], axis=1)
    single = single[:, 1] - single[:, 0] > 1e-3  # no second corner within the watched moment
    single &= np.abs(went[:, 2] + restitution * came[:, 2]) < 1e-3
    assert single.mean() > 0.5
    push, pull = impulse[single, 2], np.linalg.norm(impulse[single, :2], axis=1)
    slip = went[single, :2]
    assert np.all(pull <= friction * push + 1e-6)
    slides = np.linalg.norm(slip, axis=1) > 1e-3
    assert pull[slides] == pytest.approx(friction * push[slides], rel=1e-3, abs=1e-6)
    against = (impulse[single, :2] * slip).sum(axis=1)[slides]
    assert against == pytest.approx(
        -pull[slides] * np.linalg.norm(slip[slides], axis=1), rel=1e-3, abs=1e-6
    )


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.7])
@pytest.mark.parametrize("body", [DIE, BRICK], ids=["d6", "2x2"])
@BOTH
def test_flat_drop_returns_the_restitution(engine, body, restitution):
    """All corners of an exactly flat hull touch at once here, and are solved together."""
    underside_mm = -body.vertices_mm[:, 2].min()
    states = alike(15, underside_mm + np.linspace(20.0, 200.0, 15))
    before, after = after_first_bounce(body, states, ContactCoefficients(0.4, restitution), engine)
    found = after.velocity_m_s[:, 0, 2] / -before.velocity_m_s[:, 0, 2]
    assert found == pytest.approx(restitution, abs=0.005)


# --- independence ---


@BOTH
def test_throw_is_bitwise_independent_of_the_number_of_threads(engine):
    states = hands(BRICK, 500, root=4)
    alone = land(BRICK, states, engine=engine)
    for threads in (2, 3, 7):
        assert same_bits(land(BRICK, states, engine=engine, threads=threads), alone)
    assert (
        land(BRICK, states[:2], engine=engine, threads=7).pose.tolist() == alone.pose[:2].tolist()
    )


@pytest.mark.parametrize("threads", [0, 257])
def test_impossible_number_of_threads_is_refused(threads):
    with pytest.raises(InvalidValueError, match=rf"threads {threads} is outside 1\.\.256"):
        CompiledSettings(threads=threads)


# --- what may not matter ---


@BOTH
def test_a_die_that_stands_on_its_edge_for_a_while_is_not_at_rest(engine):
    turned = Rotation.from_euler("x", np.pi / 4 + 1e-5)
    height_mm = -turned.apply(DIE.vertices_mm)[:, 2].min()
    end = land(DIE, alike(1, height_mm, turned.as_quat()), ContactCoefficients(0.4, 0.0), engine)
    assert end.time_s[0] > DEFAULTS.rest_s
    assert end.counts()["leaning"] == 0
    assert end.counts()["unsettled"] == 0


TRUSTED = [
    ContactCoefficients(f, e) for f in (0.05, 0.1, 0.25, 0.5, 1.0) for e in (0.0, 0.2, 0.5, 0.7)
]


@pytest.mark.parametrize("speed_m_s", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("friction", [0.1, 0.25, 0.4, 0.6, 1.0])
@BOTH
def test_a_sliding_block_is_decided_as_what_it_becomes(engine, friction, speed_m_s):
    """Below 1/3, half its width over half its height, it stays upright; above it may tip over."""
    block, contact = parse_shape("cuboid:10x10x30"), ContactCoefficients(friction, 0.3)
    states = alike(1, 15.0, velocity_m_s=(speed_m_s, 0, 0))
    early = land(block, states, contact, engine)
    late = land(block, states, contact, engine, by_energy=False)
    assert early.counts() == late.counts()
    if friction < 1 / 3:
        assert early.counts()["z"] == 1
        assert early.time_s[0] < 0.01 < late.time_s[0]
    if friction == 1.0 and speed_m_s == 3.0:
        assert early.counts()["z"] == 0


@pytest.mark.parametrize("contact", TRUSTED, ids=str)
@pytest.mark.parametrize("count", [250, pytest.param(25_000, marks=pytest.mark.slow)])
@BOTH
def test_every_throw_is_decided(engine, count, contact):
    assert land(BRICK, hands(BRICK, count, root=10), contact, engine).counts()["unsettled"] == 0


@pytest.mark.parametrize(
    "shape", ["1x1", "2x4", "plate:2x2", "cuboid:30x10x10", "d6:16", "coin:24x2"]
)
@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_other_shapes_are_decided_too(count, shape):
    body = parse_shape(shape)
    states = hands(body, count, root=14)
    for contact in (
        ContactCoefficients(0.05, 0.7),
        ContactCoefficients(0.05, 0.0),
        ContactCoefficients(1.0, 0.7),
        ContactCoefficients(1.0, 0.0),
    ):
        assert land(body, states, contact).counts()["unsettled"] == 0


def test_bricks_on_a_table_without_friction_are_decided_while_they_slide():
    end = land(BRICK, hands(BRICK, 300, root=15), ContactCoefficients(0.0, 0.5))
    assert end.counts()["unsettled"] == 0


def test_a_slab_that_rocks_upright_for_ever_counts_in_the_pose_that_it_cannot_leave():
    slab = parse_shape("cuboid:30x20x1")
    end = land(slab, hands(slab, 4000, root=3), WOOD)
    late = end.time_s >= 60.0
    assert late.any()
    assert set(end.pose[late, 0]) <= {end.poses.index("x"), end.poses.index("y")}


# --- two ways to the same shares ---


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        ("2x2", 20_000),
        ("d6:16", 5000),
        ("1x2", 10_000),
        ("cuboid:10x20x30", 10_000),
        pytest.param("2x2", 60_000, marks=pytest.mark.slow),
    ],
)
def test_shares_are_those_of_the_reference(shape, count):
    body = parse_shape(shape)
    usual = land(body, hands(body, count, root=11), engine=REFERENCE)
    assert homogeneous(usual, land(body, hands(body, count, root=12))) > FALSE_ALARM


@pytest.mark.parametrize(("corners", "count"), [(4, 4000), (60, 2000), (500, 300)])
def test_a_stone_of_any_number_of_corners_ends_as_in_the_reference(corners, count):
    body = stone(corners)
    ends = [
        land(body, hands(body, count), engine=REFERENCE),
        land(body, hands(body, count, root=2)),
    ]
    assert len(face_map(body).hull.corners_mm) >= corners
    assert homogeneous(*ends) > FALSE_ALARM
    assert max(end.energy_gain.max() for end in ends) < 1e-3


@pytest.mark.parametrize("shape", [*SHAPES, "1x1", "cuboid:10x20x30"])
def test_the_lowest_corner_is_an_image_of_one_in_the_sector(shape):
    body = parse_shape(shape)
    sector, corners = kernel_sector(body), face_map(body).hull.corners_mm
    up = np.random.default_rng(1).normal(size=(200, 3))
    image = np.where(sector.mirrors, -np.abs(up), up)
    heights = image @ np.array([sector.x, sector.y, sector.z])
    assert heights.min(axis=1) == pytest.approx((up @ corners.T).min(axis=1), abs=1e-12)
    sides = (up > 0).astype(int).T
    found = sector.corner[heights.argmin(axis=1), *sides]
    assert (up * corners[found]).sum(axis=1) == pytest.approx(heights.min(axis=1), abs=1e-12)


def test_a_brick_has_two_mirrors_and_a_die_three():
    assert [kernel_sector(body).mirrors for body in (BRICK, DIE)] == [
        (True, True, False),
        (True, True, True),
    ]
    assert len(kernel_sector(DIE).x) == 1


@pytest.mark.parametrize("shape", ["2x2", "1x2"])
def test_no_corner_stays_pressed_into_the_floor(shape):
    """So deep a corner may come in a step."""
    body = parse_shape(shape)
    end = land(body, hands(body, 200), by_energy=False)
    assert gap_mm(body, end.states).min() > -2.5e-3


@pytest.mark.slow
@pytest.mark.parametrize("surface_name", ["wood", "glass", "cloth"])
def test_the_share_of_sides_has_converged_with_the_step(surface_name):
    """The same bricks: within 0.05 points of a quarter of the step, and 5 standard errors."""
    states, contact = hands(BRICK, 100_000), surface(surface_name).nominal
    fine_steps = {
        "step_s": DEFAULTS.step_s / 4,
        "bounce_steps": DEFAULTS.bounce_steps * 4,
    }
    usual, fine = (land(BRICK, states, contact, **changes).pose for changes in ({}, fine_steps))
    side = BRICK.poses.index("side")
    changed = (usual == side).astype(int) - (fine == side)
    assert abs(changed.mean()) < 5e-4 + 5 * changed.std() / np.sqrt(len(changed))
