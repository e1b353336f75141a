import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from brickphys.calibration.plan import Plan
from brickphys.calibration.response_design import causes, moved, sobol_points
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings, BulletWorld
from brickphys.engines.client import connection
from brickphys.errors import DivergenceError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions, ContactCoefficients
from brickphys.throws.flight import States, angle_between, fly, gap_mm, time_to_touch
from brickphys.throws.release import PLANE, release
from brickphys.units import GRAVITY_M_S2, MM2_PER_UNIT2
from tests.cases import few, few_rows
from tests.landings import BRICK, DIE, FALSE_ALARM, WOOD, alike, hands, homogeneous

DEFAULTS = BulletSettings()


def land(body, states, contact=WOOD, **settings):
    return BulletEngine(BulletSettings(**settings)).land(body, contact, states)


# --- the body and its flight ---


@pytest.mark.parametrize("shape", ["2x2", "1x2", "coin:24x2", "plate:2x4", "d6:16"])
def test_mass_and_inertia_read_back_are_those_of_the_body(shape):
    body = parse_shape(shape)
    with connection() as client:
        world = BulletWorld([client], body, WOOD, PLANE, (1, 1), DEFAULTS)
        info = client.getDynamicsInfo(world._bricks[0][0], -1)
    assert info[0] == pytest.approx(body.mass_g, rel=1e-12)
    assert np.array(info[2]) * MM2_PER_UNIT2 == pytest.approx(body.inertia_g_mm2, rel=1e-12)


@pytest.mark.parametrize("speed_m_s", [0.3, 8.0], ids=["slow", "fast"])
@pytest.mark.parametrize("shape", ["2x2", "1x2", "coin:24x2"])
def test_stepped_fall_is_the_parabola_at_any_speed(shape, speed_m_s):
    """A clamp of velocities (1 m/s by default) and a damping would be seen here."""
    body = parse_shape(shape)
    states = release(body, Conditions((3000.0, 3000.0), speed_m_s, 3.0), 1, (), 0, 10)
    end = land(body, states, flights=False, by_energy=False, limit_s=0.2)
    exact = fly(body, states, end.time_s[:, None])
    assert end.states.velocity_m_s == pytest.approx(exact.velocity_m_s, abs=1e-10)
    # semi-implicit Euler adds half a step of the velocity gained
    lag_mm = 1000 * GRAVITY_M_S2 * end.time_s[0] * DEFAULTS.step_s / 2
    assert end.states.position_mm[..., :2] == pytest.approx(exact.position_mm[..., :2], abs=1e-6)
    assert end.states.position_mm[..., 2] + lag_mm == pytest.approx(
        exact.position_mm[..., 2], abs=1e-6
    )


@pytest.mark.parametrize("shape", ["2x2", "1x2", "coin:24x2"])
@pytest.mark.parametrize(("spin_rad_s", "limit_rad"), [(3.0, 1e-4), (30.0, 6e-3)])
def test_stepped_rotation_between_two_looks_is_the_torque_free_one(shape, spin_rad_s, limit_rad):
    """The error grows as spin squared times step times time; longer flights are flown in closed form."""
    body = parse_shape(shape)
    states = release(body, Conditions((3000.0, 3000.0), 1.0, spin_rad_s), 1, (), 0, 20)

    def error(steps_a_second):
        with connection() as client:
            settings = BulletSettings(step_s=1 / steps_a_second)
            world = BulletWorld([client], body, WOOD, PLANE, (20, 1), settings)
            for hand in range(20):
                world.put(hand, states[hand])
            world.step(steps_a_second // 250)
            end = world.get(list(range(20))).flat()
        exact = fly(body, states.flat(), np.full(20, 1 / 250))
        off = Rotation.from_quat(end.quaternion).inv() * Rotation.from_quat(exact.quaternion)
        return off.magnitude().max()

    coarse, fine = error(2000), error(4000)
    assert coarse < limit_rad
    assert fine < 0.6 * coarse


# --- contacts ---


def rebounds(body, states, contact, settings, watch_s):
    """Return the largest upward speed within `watch_s` over the speed of impact, for every brick."""
    count = len(states)
    rows = list(range(count))
    with connection() as client:
        world = BulletWorld([client], body, contact, PLANE, (count, 1), settings)
        if settings.flights:
            states = fly(body, states, time_to_touch(body, states.flat())[:, None])
        for hand in rows:
            world.put(hand, states[hand])
        incoming = -states.velocity_m_s[:, 0, 2]
        best = np.full(count, -np.inf)
        for _ in range(round(watch_s / settings.step_s)):
            world.step(1)
            speed = world.get(rows).velocity_m_s[:, 0, 2]
            falling = ~np.isfinite(best) & (speed < -incoming + GRAVITY_M_S2 * settings.step_s / 2)
            falling &= speed < 0
            incoming = np.where(falling & (-speed > incoming), -speed, incoming)
            best = np.where(falling, best, np.maximum(best, speed))
    return best / incoming


@pytest.mark.parametrize("flights", [True, False], ids=["flown", "stepped"])
@pytest.mark.parametrize("restitution", [0.0, 0.2, 0.5, 0.7])
def test_central_vertex_impact_returns_the_restitution_at_any_phase_of_the_step(
    flights, restitution
):
    """To within the speed that gravity adds in a step, 0.005 m/s: 0.01 at half a metre a second."""
    settings = BulletSettings(flights=flights)
    on_vertex = Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0].as_quat()
    for speed in (0.5, 1.0, 2.5):
        phase_mm = np.linspace(0.0, 1000 * speed * settings.step_s, 20)
        states = alike(20, DIE.radius_mm + 0.5 + phase_mm, on_vertex, (0, 0, -speed))
        found = rebounds(DIE, states, ContactCoefficients(0.4, restitution), settings, 0.003)
        assert found == pytest.approx(restitution, abs=GRAVITY_M_S2 * settings.step_s / speed)


@pytest.mark.parametrize("friction", [0.05, 1.0])
@pytest.mark.parametrize("restitution", [0.3, 0.6])
@pytest.mark.parametrize(
    ("shape", "turned_deg"),
    few_rows(
        [
            ("d6:16", 0),
            ("2x2", 180),
            ("plate:2x2", 90),
            *((shape, turned_deg) for shape in ("2x2", "1x2") for turned_deg in (0, 90)),
            ("1x2", 180),
        ],
        2,
    ),
)
def test_flat_drop_bounces_for_as_long_as_the_geometric_series(
    shape, turned_deg, restitution, friction
):
    """All corners of the face bounce together. Rest is noticed at a check."""
    body = parse_shape(shape)
    tipped = Rotation.from_euler("x", turned_deg, degrees=True)
    turned = Rotation.from_euler("z", [[0], [23], [45], [80]], degrees=True) * tipped
    lowest = tipped.apply(body.vertices_mm)[:, 2].min() - body.edge_radius_mm
    height_mm = np.array([20.0, 50.0, 100.0, 300.0])
    states = replace(alike(4, height_mm - lowest), quaternion=turned.as_quat()[:, None])
    end = land(body, states, ContactCoefficients(friction, restitution), by_energy=False)
    fall_s = np.sqrt(2 * height_mm / 1000 / GRAVITY_M_S2)
    ideal_s = fall_s * (1 + restitution) / (1 - restitution)
    assert end.time_s - DEFAULTS.rest_s == pytest.approx(ideal_s, rel=0.05)
    assert gap_mm(body, end.states) == pytest.approx(0.0, abs=DEFAULTS.sunk_mm + 1e-9)
    drift_mm = end.states.position_mm[..., :2] - states.position_mm[..., :2]
    assert np.abs(drift_mm).max() < DEFAULTS.sunk_mm
    assert angle_between(end.states.quaternion, states.quaternion).max() < 1e-3
    assert end.energy_gain.max() < 1e-5


@pytest.mark.parametrize("restitution", few([0.3, 0.02, 0.6]))
def test_a_brick_that_lands_flat_and_slides_is_slowed_by_friction_in_every_bounce(restitution):
    """A brick that slides is not stopped with its bounces, however short these are."""
    friction, height_mm, speed_m_s = 0.05, 50.0, 1.0
    states = alike(1, BRICK.centre_of_mass_mm + height_mm, velocity_m_s=(speed_m_s, 0, 0))
    end = land(BRICK, states, ContactCoefficients(friction, restitution), by_energy=False)
    impact_m_s = np.sqrt(2 * GRAVITY_M_S2 * height_mm / 1000)
    way_m = speed_m_s * impact_m_s / GRAVITY_M_S2
    while impact_m_s > 1e-6:
        speed_m_s -= friction * (1 + restitution) * impact_m_s
        impact_m_s *= restitution
        way_m += speed_m_s * 2 * impact_m_s / GRAVITY_M_S2
    way_m += speed_m_s**2 / (2 * friction * GRAVITY_M_S2)
    assert end.states.position_mm[0, 0, 0] == pytest.approx(1000 * way_m, rel=0.01)


# --- depth ---


@pytest.mark.parametrize("friction", few([0.4, 0.05, 0.15, 1.0]))
@pytest.mark.parametrize("turned", [(0, 0, 0, 1), (1, 0, 0, 0)], ids=["upright", "on its studs"])
def test_a_brick_that_slides_flat_does_not_sink(turned, friction):
    """It stands on one corner at a time; the others fall until the check lifts it."""
    height_mm = (BRICK.vertices_mm[:, 2] * (1 if turned[0] else -1)).max() + 0.001
    states = alike(1, height_mm, turned, velocity_m_s=(1.0, 0, 0))
    end = land(BRICK, states, ContactCoefficients(friction, 0.0), by_energy=False)
    assert abs(gap_mm(BRICK, end.states)[0, 0]) < 0.02
    way_mm = 1000 / (2 * friction * GRAVITY_M_S2)
    assert end.states.position_mm[0, 0, 0] == pytest.approx(way_mm, abs=0.5)


@pytest.mark.parametrize(
    ("shape", "count", "friction", "restitution"),
    [
        # coins roll for long
        pytest.param(
            *(shape, count, *contact),
            marks=[pytest.mark.slow] if shape != "2x2" or contact != (0.4, 0.5) else [],
        )
        for contact in ((0.4, 0.5), (0.1, 0.3), (0.5, 0.0))
        for shape, count in (("2x2", 6), ("plate:2x4", 6), ("coin:24x2", 2))
    ],
)
def test_no_body_rests_in_the_floor(shape, count, friction, restitution):
    body = parse_shape(shape)
    contact = ContactCoefficients(friction, restitution)
    end = land(body, hands(body, count), contact, by_energy=False)
    assert gap_mm(body, end.states).min() > -0.05
    assert end.energy_gain.max() < 0.002


# --- independence ---


def overlap_mm(body, states, i, j):
    """Return the radius of the largest ball in the intersection of two bricks (negative: apart)."""
    planes = ConvexHull(body.vertices_mm).equations
    rows, bounds = [], []
    for brick in (i, j):
        normals = Rotation.from_quat(states.quaternion[brick]).apply(planes[:, :3])
        rows.append(np.column_stack([normals, np.ones(len(normals))]))
        bounds.append(normals @ states.position_mm[brick] - planes[:, 3])
    ball = linprog(
        [0, 0, 0, -1], np.vstack(rows), np.concatenate(bounds), bounds=[(None, None)] * 4
    )
    return ball.x[3]


def head_on(count):
    """Return pairs of bricks in the air that fly at each other at 2 m/s, in any orientation."""
    states = hands(BRICK, count, 2, root=5)
    states.position_mm[:] = [[-25, 0, 1000], [25, 0, 1000]]
    states.velocity_m_s[:] = [[1, 0, 0], [-1, 0, 0]]
    return states


def test_bricks_of_one_hand_collide_and_keep_their_momentum():
    states = head_on(20)
    end = land(BRICK, states, limit_s=0.1, flights=False)
    sideways = end.states.velocity_m_s[..., :2]
    assert sideways.sum(axis=1) == pytest.approx(0.0, abs=1e-12)
    # each is slower, and none has passed through the other
    assert np.all(sideways[:, 0, 0] < 0.6)
    assert np.all(end.states.position_mm[:, 0, 0] < end.states.position_mm[:, 1, 0])


@pytest.mark.parametrize(
    "step_s", few([DEFAULTS.step_s, DEFAULTS.step_s / 4]), ids=["default", "fine"]
)
def test_bricks_of_one_hand_overlap_by_no_more_than_they_approach_in_a_step(step_s):
    """A contact is seen when the bricks already overlap, and what overlaps is not pushed apart."""
    states = head_on(8)
    spin = np.linalg.norm(states.spin_rad_s, axis=-1).max()
    approach_mm = 1000 * (2.0 + 2 * spin * BRICK.radius_mm / 1000) * step_s
    for limit_s in np.arange(0.012, 0.04, 0.004):
        end = land(BRICK, states, limit_s=limit_s, flights=False, step_s=step_s, check_s=0.001)
        # the ball that fits into an overlap is half as wide as the overlap is deep
        worst = max(overlap_mm(BRICK, end.states[hand], 0, 1) for hand in range(8))
        assert worst < approach_mm / 2


def test_other_bricks_of_a_hand_change_where_bricks_end():
    states = head_on(10)
    alone = land(
        BRICK, states.map(lambda a: a.reshape(20, 1, -1)), limit_s=0.1, flights=False
    ).states
    together = land(BRICK, states, limit_s=0.1, flights=False).states
    moved = np.linalg.norm(alone.position_mm.reshape(10, 2, 3) - together.position_mm, axis=-1)
    assert moved.min() > 1.0


@pytest.mark.parametrize("restitution", few([0.5, 0.0]))
def test_bricks_of_one_hand_rest_neither_in_the_floor_nor_in_each_other(restitution):
    states = hands(BRICK, 2, bricks=4, root=3)
    end = land(BRICK, states, ContactCoefficients(0.2, restitution), by_energy=False)
    assert gap_mm(BRICK, end.states).min() > -0.05
    pairs = itertools.combinations(range(4), 2)
    # the ball that fits into an overlap is half as wide as the overlap is deep
    assert (
        max(overlap_mm(BRICK, end.states[hand], i, j) for i, j in pairs for hand in range(2))
        < 0.025
    )


def test_flat_drops_do_not_change_the_other_throws_of_their_world():
    """Contacts are looked for in their worlds once more."""
    thrown, flat = hands(BRICK, 40), alike(40, 50.0 + np.arange(40.0))
    both = States.concatenate([thrown[:20], flat, thrown[20:]])
    alone, mixed = land(BRICK, thrown), land(BRICK, both)
    of_thrown = np.r_[0:20, 60:80]
    assert np.array_equal(mixed.states.position_mm[of_thrown], alone.states.position_mm)
    assert np.array_equal(mixed.time_s[of_thrown], alone.time_s)


# --- what may not matter ---


def twice(body):
    """Return a body of twice the length and the same material."""
    return replace(
        body,
        vertices_mm=2 * body.vertices_mm,
        mass_g=8 * body.mass_g,
        inertia_g_mm2=tuple(32 * moment for moment in body.inertia_g_mm2),
    )


@pytest.mark.parametrize(
    "count", [80, pytest.param(3000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_shares_do_not_depend_on_the_scale(count):
    """Newton's laws keep their form if times grow with the root of lengths; contacts know no length."""
    states = hands(BRICK, count, root=6)
    larger = States(
        2 * states.position_mm,
        states.quaternion,
        np.sqrt(2) * states.velocity_m_s,
        states.spin_rad_s / np.sqrt(2),
    )
    small, large = land(BRICK, states), land(twice(BRICK), larger)
    assert homogeneous(small, large) > FALSE_ALARM


# --- every throw is counted, or refused ---


@pytest.mark.parametrize("bricks", [1, 3])
def test_every_brick_is_counted_once(bricks):
    parts = [land(BRICK, hands(BRICK, 2, bricks, root)) for root in (10, 11)]
    total = {pose: sum(part.counts()[pose] for part in parts) for pose in parts[0].poses}
    assert tuple(total) == ("studs_up", "studs_down", "side", "leaning", "unsettled")
    assert sum(total.values()) == 4 * bricks


def test_throws_out_of_time_are_unsettled():
    end = land(BRICK, hands(BRICK, 20, 2), limit_s=0.001)
    assert end.counts()["unsettled"] == 40
    assert np.all(gap_mm(BRICK, end.states) > -0.5)


def test_energy_out_of_nothing_is_a_divergence():
    # a coin that spins this fast is more than explicit Euler bears
    coin = parse_shape("coin:24x2")
    states = release(coin, Conditions((3000.0, 3000.0), 0.0, 250.0), 12, (), 0, 5)
    with pytest.raises(DivergenceError, match="of coin:24x2 diverged: energy grew by"):
        land(coin, states, flights=False, step_s=1 / 500, by_energy=False)


def test_a_world_on_studs_that_gains_energy_is_thrown_again_in_finer_steps():
    """The point 367 of the shipped law's design: one of its bricks gained 38 % of its energy."""
    plan = Plan(floor="baseplate")
    uncertain = causes(plan.cell(1), plan.material)
    point = sobol_points(uncertain, 1024, 2026)[367]
    cell = moved(plan.cell(1), uncertain, point, 367)
    states = release(cell.body, cell.conditions, 2026, cell.address, 0, 16, cell.floor)
    with pytest.raises(DivergenceError, match="energy grew by 38%"):
        BulletEngine().land(cell.body, cell.contact, states, cell.floor, watch=lambda *_: None)
    end = BulletEngine().land(cell.body, cell.contact, states, cell.floor)
    assert end.counts()["unsettled"] == 0
    assert end.energy_gain.max() < 0.02


# --- bricks of one hand that hold each other up ---


def propped(body, count):
    """Return hands of two bricks at rest: one flat, the other with its underside on the first one's edge or studs."""
    centre, half = body.centre_of_mass_mm, 7.9
    top = body.vertices_mm[:, 2].max() + centre
    tilt = np.arcsin(top / (2 * half)) + np.radians(np.linspace(1, 8, count))
    quaternion = np.zeros((count, 2, 4))
    quaternion[:, 0, 3] = 1.0
    quaternion[:, 1, 1], quaternion[:, 1, 3] = np.sin(-tilt / 2), np.cos(tilt / 2)
    position = np.zeros((count, 2, 3))
    position[:, 0, 2] = centre
    # the line of the underside, from the floor up, passes all corners of the flat brick
    x, z = body.vertices_mm[:, 0], body.vertices_mm[:, 2] + centre
    foot = (x - z / np.tan(tilt)[:, None]).min(axis=1) - 0.02
    position[:, 1, 0] = foot + half * np.cos(tilt) - centre * np.sin(tilt)
    position[:, 1, 2] = half * np.sin(tilt) + centre * np.cos(tilt)
    return States(position, quaternion, np.zeros((count, 2, 3)), np.zeros((count, 2, 3)))


@pytest.mark.parametrize("name", few(["plate:2x2", "2x2"]))
def test_a_brick_that_leans_on_another_is_not_decided_by_energy(name):
    body, states = parse_shape(name), propped(parse_shape(name), 6)
    decided = land(body, states, WOOD)
    rested = land(body, states, WOOD, by_energy=False)
    assert np.array_equal(decided.pose, rested.pose)
    assert rested.counts()["leaning"] > 0


@pytest.mark.parametrize(
    ("name", "bricks", "count"),
    [
        ("2x2", 3, 3),
        pytest.param("2x2", 4, 6, marks=pytest.mark.slow),
        pytest.param("plate:2x4", 2, 6, marks=pytest.mark.slow),
        pytest.param("plate:2x2", 6, 6, marks=pytest.mark.slow),
    ],
)
def test_hands_gain_no_energy_and_fall_as_when_integrated_to_rest(name, bricks, count):
    body = parse_shape(name)
    states = hands(body, count, bricks=bricks)
    decided = land(body, states, WOOD)
    assert decided.energy_gain.max() <= 0.005
    assert np.array_equal(decided.pose, land(body, states, WOOD, by_energy=False).pose)
