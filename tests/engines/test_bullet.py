from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from scipy.stats import chi2_contingency, chisquare

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_settings import BulletSettings
from brickphys.engines.bullet_world import BulletWorld
from brickphys.engines.client import connection
from brickphys.errors import DivergenceError, InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, Conditions
from brickphys.throws.flight import fly, gap_mm, time_to_touch
from brickphys.throws.floors import PLANE
from brickphys.throws.release import release
from brickphys.throws.rotations import down
from brickphys.throws.states import States
from brickphys.throws.surfaces import Contact
from brickphys.units import GRAVITY_M_S2, MM2_PER_UNIT2

BRICK, DIE = parse_shape("2x2"), parse_shape("d6:16")
WOOD = Contact(0.4, 0.5)
DEFAULTS = BulletSettings()
FALSE_ALARM = 1e-4
"""Of every single chi2 test in this file; seeds are fixed."""
STATES = ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s")


def hands(body, count, bricks=1, root=1):
    return release(body, replace(PRESETS["hand"], bricks=bricks), root, (), 0, count)


def land(body, states, contact=WOOD, **settings):
    return BulletEngine(BulletSettings(**settings)).land(body, contact, states)


def alike(count, height_mm, turned=(0, 0, 0, 1), velocity_m_s=(0, 0, 0)):
    """Return `count` single bricks that do not spin; heights may differ."""
    position = np.zeros((count, 1, 3))
    position[:, 0, 2] = height_mm
    return States(
        position,
        np.tile(np.array(turned, dtype=float), (count, 1, 1)),
        np.tile(np.array(velocity_m_s, dtype=float), (count, 1, 1)),
        np.zeros((count, 1, 3)),
    )


def same_bits(a, b):
    return np.array_equal(a.pose, b.pose) and all(
        np.array_equal(getattr(a.states, name), getattr(b.states, name)) for name in STATES
    )


def homogeneous(*landings):
    """Return the p value of the hypothesis that all landings have the same shares."""
    table = np.array([list(landing.counts().values()) for landing in landings])
    return chi2_contingency(table[:, table.any(axis=0)]).pvalue


# --- the body and its flight ---


@pytest.mark.parametrize("shape", ["2x2", "1x2", "coin:24x2", "plate:2x4", "d6:16"])
def test_mass_and_inertia_read_back_are_those_of_the_body(shape):
    body = parse_shape(shape)
    with connection() as (module, client):
        world = BulletWorld(module, client, body, WOOD, PLANE, (1, 1), DEFAULTS)
        info = module.getDynamicsInfo(world._bricks[0][0], -1, physicsClientId=client)
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
        with connection() as (module, client):
            settings = BulletSettings(step_s=1 / steps_a_second)
            world = BulletWorld(module, client, body, WOOD, PLANE, (20, 1), settings)
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
    with connection() as (module, client):
        world = BulletWorld(module, client, body, contact, PLANE, (count, 1), settings)
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
        found = rebounds(DIE, states, Contact(0.4, restitution), settings, 0.003)
        assert found == pytest.approx(restitution, abs=GRAVITY_M_S2 * settings.step_s / speed)


def flat_rebounds(body, restitution, step_s):
    underside_mm = -body.vertices_mm[:, 2].min()
    states = alike(15, underside_mm + np.linspace(20.0, 200.0, 15))
    return rebounds(body, states, Contact(0.4, restitution), BulletSettings(step_s=step_s), 0.002)


@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.7])
@pytest.mark.parametrize("body", [DIE, BRICK], ids=["d6", "2x2"])
def test_flat_drop_loses_up_to_a_quarter_of_its_speed_to_one_corner_but_never_gains(
    body, restitution
):
    """A flat hull meets the floor in one corner first and starts to turn: its centre returns less than e.

    The loss itself does not vanish with the step, but its dependence on height and phase does.
    """
    fine = flat_rebounds(body, restitution, DEFAULTS.step_s / 4)
    coarse = flat_rebounds(body, restitution, DEFAULTS.step_s * 2)
    for found in (fine, flat_rebounds(body, restitution, DEFAULTS.step_s)):
        assert found.max() < restitution + 0.01
        assert found.min() > restitution - 0.27
    assert np.ptp(fine) < 0.02
    assert np.ptp(fine) < np.ptp(coarse)


@pytest.mark.parametrize("friction", [0.1, 0.2, 0.4, 0.8])
def test_sliding_distance_is_that_of_coulomb_friction(friction):
    """One step too long, v times the step in v2 / (2 mu g): within 1 % where the slide takes 200 steps."""
    speed, tile = 2.0, parse_shape("cuboid:40x40x5")
    end = land(
        tile,
        alike(1, 2.5, velocity_m_s=(speed, 0, 0)),
        Contact(friction, 0.0),
        by_energy=False,
    )
    slid_m = end.states.position_mm[0, 0, 0] / 1000
    assert slid_m == pytest.approx(speed**2 / (2 * friction * GRAVITY_M_S2), rel=0.01)
    assert end.counts()["z"] == 1


@pytest.mark.parametrize("restitution", [0.0, 0.35, 0.5, 0.7])
@pytest.mark.parametrize(
    ("flights", "share"), [(True, 0.005), (False, 0.2)], ids=["flown", "stepped"]
)
def test_no_throw_gains_energy_at_any_time(restitution, flights, share):
    """Bounces add at most 0.2 % of the release's energy; gyroscopic forces of stepped air some per cent."""
    end = land(BRICK, hands(BRICK, 100), Contact(0.4, restitution), flights=flights)
    assert end.energy_gain.max() <= share


# --- symmetry ---


def fair_faces(body, pose, count, root):
    """Return how often each face of a pose is the lowest at the end, by direction."""
    end = land(body, hands(body, count, root=root))
    lowest = down(end.states.quaternion)[end.pose == end.poses.index(pose)]
    normals = np.array([face.normal for face in body.faces if face.pose == pose])
    return np.bincount((lowest @ normals.T).argmax(axis=1), minlength=len(normals))


@pytest.mark.parametrize(
    "count", [1500, pytest.param(30_000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_die_lands_on_each_number_a_sixth_of_the_time(count):
    counts = land(DIE, hands(DIE, count, root=2)).counts()
    numbered = sum(counts[str(number)] for number in range(1, 7))
    assert count - numbered <= count / 10_000  # as many as may be unsettled
    assert chisquare([counts[str(number)] for number in range(1, 7)]).pvalue > FALSE_ALARM


@pytest.mark.parametrize(
    "count", [800, pytest.param(20_000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_four_sides_of_a_square_brick_are_equal(count):
    sides = fair_faces(BRICK, "side", count, root=3)
    assert len(sides) == 4
    assert chisquare(sides).pvalue > FALSE_ALARM


# --- company ---


@pytest.mark.parametrize("flights", [True, False], ids=["flown", "stepped"])
@pytest.mark.parametrize(
    ("shape", "bricks", "count"), [("2x2", 1, 40), ("2x2", 3, 40), ("d6:16", 1, 40)]
)
def test_throw_is_bitwise_independent_of_its_company(shape, bricks, count, flights):
    """All hands of a world start in the same place: if hands met, or shared a solver, this would show."""
    body = parse_shape(shape)
    states = hands(body, count, bricks, root=4)
    together = land(body, states, flights=flights)
    assert same_bits(together, land(body, states, flights=flights, hands=7))
    for part in (slice(0, 1), slice(5, 6), slice(30, None), slice(None, None, -1)):
        apart = land(body, states[part], flights=flights)
        expected = replace(together, pose=together.pose[part], states=together.states[part])
        assert same_bits(apart, expected)


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


@pytest.mark.parametrize("step_s", [DEFAULTS.step_s, DEFAULTS.step_s / 4], ids=["default", "fine"])
def test_bricks_of_one_hand_overlap_by_no_more_than_they_approach_in_a_step(step_s):
    """A contact is seen when the bricks already overlap, and what overlaps is not pushed apart."""
    states = head_on(8)
    spin = np.linalg.norm(states.spin_rad_s, axis=-1).max()
    approach_mm = 1000 * (2.0 + 2 * spin * BRICK.radius_mm / 1000) * step_s
    for limit_s in np.arange(0.012, 0.04, 0.004):
        end = land(BRICK, states, limit_s=limit_s, flights=False, step_s=step_s, look_s=0.001)
        # the ball that fits into an overlap is half as wide as the overlap is deep
        worst = max(overlap_mm(BRICK, end.states[hand], 0, 1) for hand in range(8))
        assert worst < approach_mm / 2


def test_company_in_the_hand_changes_where_bricks_end():
    states = head_on(10)
    alone = land(
        BRICK, states.map(lambda a: a.reshape(20, 1, -1)), limit_s=0.1, flights=False
    ).states
    together = land(BRICK, states, limit_s=0.1, flights=False).states
    moved = np.linalg.norm(alone.position_mm.reshape(10, 2, 3) - together.position_mm, axis=-1)
    assert moved.min() > 1.0


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
    "count", [500, pytest.param(5000, marks=pytest.mark.slow)], ids=["few", "many"]
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {"margin_mm": DEFAULTS.margin_mm * 0.1},
        {"margin_mm": DEFAULTS.margin_mm * 5},
        {"step_s": DEFAULTS.step_s / 2},
        {"iterations": DEFAULTS.iterations * 3},
        {"flights": False},
        {"hands": 64},
    ],
    ids=str,
)
def test_shares_do_not_depend_on_a_setting(change):
    # different throws, so that the samples are independent
    usual = land(BRICK, hands(BRICK, 2000, root=7))
    other = land(BRICK, hands(BRICK, 2000, root=8), **change)
    assert homogeneous(usual, other) > FALSE_ALARM


@pytest.mark.parametrize(
    ("count", "restitution"),
    [(200, WOOD.restitution)]
    + [pytest.param(5000, e, marks=pytest.mark.slow) for e in (0.0, 0.25, 0.5, 0.7)],
)
def test_deciding_by_energy_names_the_pose_in_which_every_brick_comes_to_rest(count, restitution):
    """20,000 throws over the trusted range."""
    states, contact = hands(BRICK, count, root=9), Contact(WOOD.friction, restitution)
    early, late = land(BRICK, states, contact), land(BRICK, states, contact, by_energy=False)
    assert np.array_equal(early.pose, late.pose)
    assert early.time_s.mean() < late.time_s.mean()


# --- every throw is counted, or refused ---


@pytest.mark.parametrize("bricks", [1, 3])
def test_every_brick_is_counted_once(bricks):
    parts = [land(BRICK, hands(BRICK, 20, bricks, root)) for root in (10, 11)]
    total = {pose: sum(part.counts()[pose] for part in parts) for pose in parts[0].poses}
    assert tuple(total) == ("studs_up", "studs_down", "side", "leaning", "unsettled")
    assert sum(total.values()) == 40 * bricks


def test_throws_out_of_time_are_unsettled():
    end = land(BRICK, hands(BRICK, 20, 2), limit_s=0.001)
    assert end.counts()["unsettled"] == 40
    assert np.all(gap_mm(BRICK, end.states) > -0.5)


def test_no_throws_are_a_mistake_the_engine_does_not_hide():
    with pytest.raises(ValueError):
        land(BRICK, hands(BRICK, 1)[:0])


@pytest.mark.parametrize("restitution", [0.71, 0.9])
def test_restitution_beyond_the_trusted_range_is_refused(restitution):
    with pytest.raises(InvalidValueError, match=f"restitution {restitution} is outside 0 to 0.7"):
        land(BRICK, hands(BRICK, 1), Contact(0.4, restitution))


def test_largest_trusted_restitution_is_accepted():
    end = land(BRICK, hands(BRICK, 5), Contact(0.4, BulletEngine().max_restitution))
    assert end.counts()["unsettled"] == 0


def test_states_that_are_not_numbers_are_a_divergence():
    states = hands(BRICK, 3)
    states.velocity_m_s[1, 0, 0] = np.nan
    with pytest.raises(DivergenceError, match="1 throws of 2x2 diverged"):
        land(BRICK, states)


def test_energy_out_of_nothing_is_a_divergence():
    # a coin that spins this fast is more than explicit Euler bears
    coin = parse_shape("coin:24x2")
    states = release(coin, Conditions((3000.0, 3000.0), 0.0, 250.0), 12, (), 0, 5)
    with pytest.raises(DivergenceError, match="of coin:24x2 diverged: energy grew by"):
        land(coin, states, flights=False, step_s=1 / 500, by_energy=False)


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


@pytest.mark.parametrize("name", ["2x2", "plate:2x2"])
def test_a_brick_that_leans_on_another_is_not_decided_by_energy(name):
    body, states = parse_shape(name), propped(parse_shape(name), 16)
    decided = land(body, states, WOOD)
    rested = land(body, states, WOOD, by_energy=False)
    assert np.array_equal(decided.pose, rested.pose)
    assert rested.counts()["leaning"] > 0


@pytest.mark.parametrize(("name", "bricks"), [("2x2", 4), ("plate:2x4", 2), ("plate:2x2", 6)])
def test_hands_gain_no_energy_and_fall_as_when_integrated_to_rest(name, bricks):
    body = parse_shape(name)
    states = hands(body, 12, bricks=bricks)
    decided = land(body, states, WOOD)
    assert decided.energy_gain.max() <= 0.005
    assert np.array_equal(decided.pose, land(body, states, WOOD, by_energy=False).pose)
