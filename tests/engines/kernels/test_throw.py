"""Each kernel of a throw of the reference alone: decisions, bounces, steps on the floor, and the loop over them."""

import math
from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from benchmarks.reference import SETTINGS
from benchmarks.reference import throw_kernel as throw
from brickphys.engines.compiled import (
    kernel_basins,
    kernel_body,
    kernel_motions,
    kernel_settings,
)
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map, slides_level
from brickphys.throws.flight import States
from brickphys.units import GRAVITY_M_S2
from tests.landings import hands
from tests.plain_kernels import PLAIN, SHAPES, points, put_down, random_motions, turned

GRAVITY = 1000 * GRAVITY_M_S2
close = partial(pytest.approx, rel=1e-9, abs=1e-9)
BLOCK = "cuboid:20x10x8"


def settings_of(friction=0.4, restitution=0.5, **changes):
    contact = ContactCoefficients(friction, restitution)
    return kernel_settings(contact, SETTINGS)._replace(**changes)


def solid_of(shape, touch_share=1e-4):
    return kernel_body(parse_shape(shape), touch_share)


def space_of(solid, motion, settings=None):
    """Return a workspace with the corners measured."""
    space = PLAIN.workspace(len(solid.x))
    PLAIN.measure_near(solid, motion, space.corners, (settings or settings_of()).step)
    return space


def standing(solid, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0), gap_mm=0.0):
    """Return the motion of a body that stands upright."""
    motion = np.zeros(13)
    motion[6], motion[7:10], motion[10:] = 1.0, velocity, spin
    put_down(solid, motion, gap_mm)
    return motion


def on_edge(solid, angle, **rates):
    """Return the motion of a body that is turned about the x axis, and stands on an edge."""
    motion = standing(solid, **rates)
    motion[3], motion[6] = math.sin(angle / 2), math.cos(angle / 2)
    put_down(solid, motion)
    return motion


def test_a_workspace_has_a_row_for_each_corner():
    corners, contacts = PLAIN.workspace(5)
    shapes = [array.shape for array in (*corners, *contacts)]
    assert shapes == [(5,), (5,), (5,), (1,), (5,), (5,), (5, 9), (5, 6), (5, 3), (5,)]
    kinds = "".join(array.dtype.kind for array in (*corners, *contacts))
    assert kinds == "ffiiiiffff"
    assert corners.number.tolist() == [0]
    assert contacts.before.tolist() == [-1] * 5


# --- decisions ---


@pytest.mark.parametrize("shape", ["2x2", "2x2:r1", "1x4:r0.2", "cuboid:10x12x14:r4"])
def test_the_basin_is_the_one_that_the_face_map_decides(shape):
    """Each direction alone, at a random height over the floor."""
    body, solid = parse_shape(shape), solid_of(shape, 0.0)
    basins, corners = kernel_basins(body), PLAIN.workspace(len(solid.x)).corners
    motions, found = random_motions(60), []
    motions[:, 2] = np.random.default_rng(1).uniform(20, 40, 60)
    for motion in motions:
        PLAIN.measure(solid, motion, corners)
        found.append(basins.pose[PLAIN.basin(solid, basins, motion, corners)])
    down = Rotation.from_quat(motions[:, 3:7]).inv().apply([0.0, 0.0, -1.0])
    assert found == face_map(body).decide(down).pose_index.tolist()


@pytest.mark.parametrize("shape", ["2x2", "cuboid:10x12x14:r1"])
def test_a_body_is_level_where_the_rule_of_sliding_says_so(shape):
    """Bodies that are about as level as the limit, on each facet."""
    body, count, rng = parse_shape(shape), 200, np.random.default_rng(3)
    solid, basins, settings = (
        kernel_body(body, 0.01),
        kernel_basins(body),
        settings_of(friction=0.3),
    )
    named = np.array([face.normal for face in body.faces])[
        rng.integers(len(body.faces), size=count)
    ]
    flat = [Rotation.align_vectors([[0, 0, -1]], [normal])[0].as_quat() for normal in named]
    tilted = Rotation.from_rotvec(2e-4 * rng.normal(size=(count, 3))) * Rotation.from_quat(flat)
    reach = (tilted.inv().apply([0.0, 0, -1.0]) @ body.vertices_mm.T).max(axis=1)
    position = np.zeros((count, 3))
    position[:, 2] = reach + body.edge_radius_mm + 1e-9
    velocity = rng.normal(size=(count, 3)) * (1.0, 1.0, 0.003)
    spin = rng.normal(size=(count, 3)) * (0.2, 0.2, 50.0)
    states = States(position, tilted.as_quat(), velocity, spin)
    found = []
    for motion in kernel_motions(states):
        corners = space_of(solid, motion, settings).corners
        facet = PLAIN.basin(solid, basins, motion, corners)
        found.append(PLAIN.slides_level(solid, basins, settings, motion, corners, facet))
    assert found == slides_level(body, 0.3, states).tolist()
    assert 0.1 < np.mean(found) < 0.9


def level_block(listed=4, **changes):
    """Return whether a block that lies flat is decided as it slides."""
    solid, basins = solid_of(BLOCK), kernel_basins(parse_shape(BLOCK))
    settings = settings_of(friction=0.3)
    motion = standing(solid, velocity=(500.0, 0.0, 0.0), spin=(0.0, 0.0, 9.0))
    corners = space_of(solid, motion).corners
    facet = int(PLAIN.basin(solid, basins, motion, corners))
    basins = basins._replace(
        tip_friction=np.full(len(basins.rest), changes.get("tip_friction", 0.9)),
        tip_spin=np.full(len(basins.rest), changes.get("tip_spin", 0.0)),
    )
    corners.number[0] = listed
    settings = settings._replace(level=changes.get("level", settings.level))
    return PLAIN.slides_level(solid, basins, settings, motion, corners, facet)


@pytest.mark.parametrize(
    ("change", "decided"),
    [
        ({}, True),
        ({"listed": 3}, True),
        ({"listed": 2}, False),  # on an edge
        ({"tip_friction": 0.3}, False),  # the friction itself
        ({"tip_friction": 0.31}, True),
        ({"tip_spin": 0.599 / 81}, True),
        ({"tip_spin": 0.601 / 81}, False),
        ({"level": 1e-9}, True),
        ({"level": -1e-9}, False),
    ],
    ids=str,
)
def test_a_level_block_is_decided_below_the_friction_and_spin_that_tip_it(change, decided):
    assert level_block(**change) == decided


def test_a_body_is_slow_below_both_limits():
    settings, motion = settings_of(rest_speed=2.0, rest_spin=0.5), np.zeros(13)
    rates = np.zeros((7, 6))
    for axis in range(6):
        rates[axis + 1, axis] = 1.99 if axis < 3 else 0.499
    for rate in rates:
        motion[7:] = rate
        assert PLAIN.is_slow(settings, motion)
        motion[7:] = rate * 1.01
        assert PLAIN.is_slow(settings, motion) == (not rate.any())
    for together, slow in ((0.99, True), (1.01, False)):
        motion[7:] = together * np.array([*[2.0 / math.sqrt(3)] * 3, 0, 0, 0])
        assert PLAIN.is_slow(settings, motion) == slow
        motion[7:] = together * np.array([0, 0, 0, *[0.5 / math.sqrt(3)] * 3])
        assert PLAIN.is_slow(settings, motion) == slow
    for at_limit in ([2.0, 0, 0, 0, 0, 0], [0, 0, 0, 0.5, 0, 0]):
        motion[7:] = at_limit
        assert not PLAIN.is_slow(settings, motion)


# --- bounces ---


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.7])
def test_a_corner_bounces_with_the_restitution(restitution, friction):
    settings, bounced = settings_of(friction, restitution), 0
    for shape in SHAPES[3:]:
        solid = solid_of(shape)
        for motion in random_motions(5, speed_mm_s=300.0):
            put_down(solid, motion)
            space, before = space_of(solid, motion, settings), motion.copy()
            low = int(space.corners.height.argmin())
            came = space.corners.rise[low]
            PLAIN.bounce(solid, settings, motion, space)
            PLAIN.measure(solid, motion, space.corners)
            bounced += came < 0
            expected = -restitution * came if came < -settings.bounce else max(came, 0.0)
            assert space.corners.rise[low] == close(expected)
            assert space.contacts.corner[0] == low
            assert np.array_equal(motion[:7], before[:7])
            assert np.all(space.contacts.before == -1)
    assert bounced > 5


@pytest.mark.parametrize("speed", [0.5, 0.999, 1.0, 1.001, 3.0])
def test_corners_slower_than_the_threshold_stop(speed):
    solid, settings = solid_of(BLOCK), settings_of()
    came = speed * settings.bounce
    motion = standing(solid, velocity=(0.0, 0.0, -came))
    PLAIN.bounce(solid, settings, motion, space_of(solid, motion, settings))
    expected = 0.5 * came if speed > 1 else 0.0
    assert motion[9] == pytest.approx(expected, abs=2e-3 * settings.bounce)


def test_each_corner_of_an_edge_has_its_own_target():
    """One comes fast and bounces, the other comes slowly and stops."""
    solid, settings = solid_of("cuboid:40x10x10"), settings_of(friction=0.0)
    rates = {"velocity": (0.0, 0.0, -100.0), "spin": (0.0, 4.8 / math.sqrt(0.5), 0.0)}
    motion = on_edge(solid, math.pi / 4, **rates)
    space = space_of(solid, motion, settings)
    below = np.flatnonzero(space.corners.height <= solid.touch)
    came = space.corners.rise[below]
    assert sorted(came) == pytest.approx([-196.0, -4.0])
    PLAIN.bounce(solid, settings, motion, space)
    PLAIN.measure(solid, motion, space.corners)
    expected = np.where(came < -50, -0.5 * came, 0.0)
    assert space.corners.rise[below] == pytest.approx(expected, abs=2e-3 * settings.bounce)


@pytest.mark.parametrize(("share", "touches"), [(0.5, True), (1.0, True), (1.001, False)])
def test_a_corner_touches_up_to_the_limit(share, touches):
    solid, settings = solid_of(BLOCK), settings_of()
    motion = standing(solid, velocity=(0.0, 0.0, -100.0), gap_mm=0.01)
    space = space_of(solid, motion, settings)
    solid = solid._replace(touch=float(space.corners.height[space.corners.near[0]]) / share)
    PLAIN.bounce(solid, settings, motion, space)
    assert (motion[9] > 0) == touches


# --- steps on the floor ---


@pytest.mark.parametrize("shape", SHAPES)
def test_spin_lifts_a_corner_as_the_rotation_does(shape):
    solid, h = solid_of(shape), 1e-5
    corners = PLAIN.workspace(len(solid.x)).corners
    for motion in random_motions(3):
        rises = []
        for time_s in (-h, 2 * h):
            PLAIN.rotate_freely(solid, motion, time_s)
            PLAIN.measure(solid, motion, corners)
            rises.append(corners.rise.copy())
        PLAIN.rotate_freely(solid, motion, -h)
        found = points(solid) @ PLAIN._lift(solid, motion)
        assert found == pytest.approx((rises[1] - rises[0]) / (2 * h), rel=1e-6, abs=0.05)


@pytest.mark.parametrize(
    ("height", "rise", "share"),
    [
        (0.02, -100.0, 0.4),  # reaches the floor after 0.2 ms
        (0.02, -41.0, 0.02 / 41 * 2000),
        (0.02, -39.0, 1.0),  # not within the step
        (0.001, -9.0, 1.0),  # will not bounce
        (0.0, -100.0, 1.0),  # touches already
        (0.02, 100.0, 1.0),
    ],
)
def test_a_step_ends_where_the_first_corner_will_bounce(height, rise, share):
    solid, settings = solid_of(BLOCK)._replace(touch=0.0005), settings_of()
    corners = PLAIN.workspace(len(solid.x)).corners
    corners.height[:], corners.rise[:] = 0.0, 0.0
    corners.height[5], corners.rise[5] = height, rise
    corners.height[7], corners.rise[7] = 0.001, -1000.0  # not listed
    corners.near[:3], corners.number[0] = [2, 5, 6], 3
    assert PLAIN._step_length(solid, settings, corners) == close(share * settings.step)


def test_the_earliest_of_two_bounces_ends_the_step():
    solid, settings = solid_of(BLOCK), settings_of()
    corners = PLAIN.workspace(len(solid.x)).corners
    corners.height[:3], corners.rise[:3] = [0.02, 0.01, 0.03], -100.0
    corners.near[:3], corners.number[0] = [0, 1, 2], 3
    assert PLAIN._step_length(solid, settings, corners) == close(1e-4)


def stepped(solid, motion, settings, number):
    """Make steps on the floor; return their whole time."""
    space, time_s = space_of(solid, motion, settings), 0.0
    for _ in range(number):
        time_s += PLAIN.contact_step(solid, settings, motion, space, 1.0)
        PLAIN.measure_near(solid, motion, space.corners, settings.step)
    return time_s


def test_a_block_at_rest_stays_where_it_is():
    solid, settings = solid_of("2x2:r0.2"), settings_of()
    motion = standing(solid)
    before = motion.copy()
    assert stepped(solid, motion, settings, 20) == close(20 * settings.step)
    assert motion == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.3])
def test_a_block_slides_with_the_deceleration_of_coulomb_friction(friction):
    solid, settings = solid_of("cuboid:40x40x4"), settings_of(friction)
    motion = standing(solid, velocity=(300.0, -400.0, 0.0))
    time_s = stepped(solid, motion, settings, 20)
    speed = 500.0 - friction * GRAVITY * time_s
    way = 500.0 * time_s - friction * GRAVITY * time_s**2 / 2
    assert motion[7:10] == pytest.approx([0.6 * speed, -0.8 * speed, 0.0], abs=1e-3)
    # velocity changes before the position, so the way is half a step short
    short = friction * GRAVITY * time_s * settings.step / 2
    assert motion[:2] == pytest.approx([0.6 * (way - short), -0.8 * (way - short)], abs=1e-3)
    assert motion[2] == pytest.approx(2.0, abs=1e-5)


def test_a_tilted_block_falls_over_its_edge_as_a_pendulum():
    solid, settings = solid_of("cuboid:40x10x10"), settings_of(friction=2.0, restitution=0.0)
    start = math.pi / 4 + 0.1
    motion = on_edge(solid, start)
    time_s = stepped(solid, motion, settings, 120)
    arm = math.hypot(5.0, 5.0)
    rate = GRAVITY * arm / (solid.inertia[0] * solid.per_mass + arm**2)
    exact = solve_ivp(lambda _, y: [y[1], rate * math.sin(y[0])], (0, time_s), [0.1, 0.0])
    angle, spin = exact.y[:, -1]
    assert 0.2 < angle < 0.5
    assert turned(motion).as_euler("xyz")[0] == pytest.approx(math.pi / 4 + angle, abs=3e-3)
    assert motion[10] == pytest.approx(spin, rel=0.01)
    assert motion[2] == pytest.approx(arm * math.cos(angle), abs=0.02)
    assert motion[[4, 5, 11, 12]] == pytest.approx(0, abs=1e-4)


def test_a_corner_about_which_the_body_turns_stays_on_the_floor_to_second_order():
    """Without the rise by its spin, it would leave the floor by w2 r t2 / 2 in a step."""
    solid, settings = solid_of("cuboid:40x10x10"), settings_of(friction=2.0, restitution=0.0)
    spin = 20.0
    motion = on_edge(solid, math.pi / 4 + 0.2, spin=(spin, 0.0, 0.0))
    arm = turned(motion).apply(points(solid))
    motion[7:10] = -np.cross([spin, 0, 0], arm[arm[:, 2].argmin()] * [0, 1, 1])
    space = space_of(solid, motion, settings)
    for _ in range(5):
        PLAIN.contact_step(solid, settings, motion, space, 1.0)
        PLAIN.measure_near(solid, motion, space.corners, settings.step)
        assert abs(space.corners.height.min()) < 0.02 * spin**2 * 7.0 * settings.step**2 / 2


@pytest.mark.parametrize(
    ("gap", "fall", "met"),
    [
        (0.002, 3.0, True),  # slow, within the step
        (0.005, 3.0, False),  # not within the step
        (0.002, 6.0, False),  # will bounce
        (0.002, -20.0, False),  # rises
    ],
)
def test_a_corner_that_comes_slowly_stops_on_the_floor(gap, fall, met):
    solid, settings = solid_of("cuboid:40x40x4", 1e-6), settings_of()
    motion = standing(solid, velocity=(0.0, 0.0, -fall), gap_mm=gap)
    step = stepped(solid, motion, settings, 1)
    assert step == settings.step
    free = 2.0 + gap - (fall + GRAVITY * step) * step
    assert motion[2] == pytest.approx(2.0 if met else free, abs=1e-5)
    if met:
        assert motion[9] == pytest.approx(-gap / step, abs=0.02)


def test_a_corner_that_comes_fast_is_met_at_the_floor_with_its_speed():
    solid, settings = solid_of("cuboid:40x40x4", 1e-6), settings_of()
    motion = standing(solid, velocity=(0.0, 0.0, -100.0), gap_mm=0.01)
    space = space_of(solid, motion, settings)
    space.contacts.before[:] = 3
    step = PLAIN.contact_step(solid, settings, motion, space, 1.0)
    assert step == close(1e-4)
    assert motion[9] == close(-100.0 - GRAVITY * step)
    assert motion[2] == close(2.01 - 0.01 - GRAVITY * step**2)
    assert np.all(space.contacts.before == -1)


def test_a_step_is_at_most_as_long_as_asked_and_only_whole_ones_are_remembered():
    solid, settings = solid_of(BLOCK), settings_of()
    for longest, remembered in ((1.0, 4), (settings.step, 4), (1e-4, 0)):
        motion = standing(solid)
        space = space_of(solid, motion, settings)
        step = PLAIN.contact_step(solid, settings, motion, space, longest)
        assert step == min(longest, settings.step)
        assert (space.contacts.before >= 0).sum() == remembered


# --- the next event ---


@pytest.mark.parametrize(
    ("gap", "fall", "stuck", "event"),
    [
        (0.0, 100.0, False, "bounce"),
        (0.0, 100.0, True, "step"),
        (0.0, 5.0, False, "step"),
        (0.0, -5.0, False, "step"),
        (0.0, -100.0, False, "flight"),
        (10.0, 100.0, False, "flight"),
        (0.005, 0.0, False, "flight"),  # listed, but in the air
    ],
)
def test_a_body_bounces_or_steps_or_flies(gap, fall, stuck, event):
    solid, settings = solid_of(BLOCK), settings_of()
    motion = standing(solid, velocity=(0.0, 0.0, -fall), gap_mm=gap)
    expected, space = motion.copy(), space_of(solid, motion, settings)
    spent = PLAIN._advance(solid, settings, motion, space, 0.2, stuck)
    again = space_of(solid, expected, settings)
    if event == "bounce":
        PLAIN.bounce(solid, settings, expected, again)
        time_s = 0.0
    elif event == "step":
        time_s = PLAIN.contact_step(solid, settings, expected, again, 0.2)
    else:
        time_s = PLAIN.fly_to_touch(solid, expected, again.corners, 0.2)
        assert time_s > 0
    assert spent == time_s
    assert np.array_equal(motion, expected)


@pytest.mark.parametrize(("factor", "event"), [(1.0, "step"), (1.001, "bounce or flight")])
@pytest.mark.parametrize("way", [-1.0, 1.0])
def test_a_corner_at_the_threshold_itself_stays(way, factor, event):
    solid, settings = solid_of(BLOCK), settings_of()
    motion = standing(solid, velocity=(0.0, 0.0, way * factor * settings.bounce))
    spent = PLAIN._advance(solid, settings, motion, space_of(solid, motion, settings), 0.2, False)
    assert (spent == settings.step) == (event == "step")


def test_the_fastest_corner_that_touches_counts():
    """One end of an edge comes down fast, the other one rises."""
    solid, settings = solid_of("cuboid:40x10x10"), settings_of()
    motion = on_edge(solid, math.pi / 4, spin=(0.0, 5.0, 0.0))
    assert PLAIN._advance(solid, settings, motion, space_of(solid, motion), 0.2, False) == 0.0


# --- whole throws ---


def thrown(solid, basins, settings, motion):
    return PLAIN.throw(solid, basins, settings, motion, PLAIN.workspace(len(solid.x)))


def test_a_throw_does_not_depend_on_the_one_before():
    solid, basins = solid_of(BLOCK), kernel_basins(parse_shape(BLOCK))
    settings = settings_of(by_energy=False, limit=0.02)
    space = PLAIN.workspace(len(solid.x))
    space.contacts.before[:], space.contacts.impulse[:] = np.arange(len(solid.x)), 1e3
    motion = standing(solid)
    again = motion.copy()
    assert PLAIN.throw(solid, basins, settings, motion, space) == thrown(
        solid, basins, settings, again
    )
    assert np.array_equal(motion, again)


def pose_of(shape, tilt, **changes):
    """Return the end of a body that is let go on its edge, turned by `tilt` about the x axis."""
    body, solid = parse_shape(shape), solid_of(shape)
    motion = on_edge(solid, tilt)
    end, pose, time_s, _ = thrown(solid, kernel_basins(body), settings_of(**changes), motion)
    return end, face_map(body).poses[pose], time_s


@pytest.mark.parametrize(("tilt", "pose"), [(0.1, "z"), (math.pi / 4 - 0.1, "z"), (0.9, "y")])
def test_a_block_without_the_energy_to_turn_over_is_decided(tilt, pose):
    end, found, time_s = pose_of("cuboid:30x10x10", tilt)
    assert (end, found) == (PLAIN.DECIDED, pose)
    assert time_s <= settings_of().step  # at once


def test_a_block_is_decided_below_the_barrier_and_its_slack_only():
    """At 44.9 degrees its energy is 7.0711 mm (1 - 1.5e-6), below the barrier by 1.1e-5 mm."""
    tilt = math.radians(44.9)
    for slack, at_once in ((0.0, True), (1.0, False)):
        _, pose, time_s = pose_of("cuboid:30x10x10", tilt, slack=slack)
        assert pose == "z"
        assert (time_s <= settings_of().step) == at_once


def test_a_sliding_block_is_decided_although_it_has_energy():
    solid, basins = solid_of(BLOCK), kernel_basins(parse_shape(BLOCK))
    for by_energy, expected in ((True, PLAIN.DECIDED), (False, PLAIN.OUT_OF_TIME)):
        motion = standing(solid, velocity=(3000.0, 0.0, 0.0))
        settings = settings_of(friction=0.1, by_energy=by_energy, limit=0.01)
        assert thrown(solid, basins, settings, motion)[0] == expected


def all_thrown(code, body, settings):
    """Throw four bodies by a function such as `throw_all`; return ends, measures and motions."""
    motions, work = (
        kernel_motions(hands(body, 4).flat()),
        PLAIN.workspace(len(kernel_body(body, 1e-4).x)),
    )
    ends, measures = np.full((4, 2), -1), np.full((4, 2), -1.0)
    given = map(tuple, (kernel_body(body, 1e-4), kernel_basins(body), settings, map(tuple, work)))
    code(*given, motions, ends, measures)
    return ends, measures, motions


@pytest.mark.parametrize("shape", ["d6:16:r2", "1x2:r0.3"])
def test_machine_code_throws_as_its_source_does(shape):
    """It fuses multiplications and additions, so the last bits differ, and each bounce adds to that."""
    body = parse_shape(shape)
    codes = throw.throw_all, PLAIN.throw_all
    (ends, measures, _), (found, by_source, _) = (all_thrown(c, body, settings_of()) for c in codes)
    assert ends.tolist() == found.tolist()
    assert set(ends[:, 0]) == {PLAIN.DECIDED}
    assert measures == pytest.approx(by_source, rel=1e-3, abs=1e-6)
    early = settings_of(by_energy=False, limit=0.2)
    (*_, motions), (*_, expected) = (all_thrown(c, body, early) for c in codes)
    assert motions == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_throws_write_their_ends_in_their_rows():
    body, solid = parse_shape(BLOCK), solid_of(BLOCK)
    motions = np.array([standing(solid), on_edge(solid, math.pi / 2)])
    ends, measures = np.full((2, 2), -1), np.full((2, 2), -1.0)
    work, settings = map(tuple, PLAIN.workspace(len(solid.x))), tuple(settings_of(slack=0.0))
    given = tuple(solid), tuple(kernel_basins(body)), settings, tuple(work)
    PLAIN.throw_all(*given, motions, ends, measures)
    poses = face_map(body).poses
    assert ends[:, 0].tolist() == [PLAIN.DECIDED] * 2
    assert [poses[pose] for pose in ends[:, 1]] == ["z", "y"]
    assert np.all((measures >= 0) & (measures <= settings_of().step))
