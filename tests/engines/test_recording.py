"""Recordings of throws: the trajectory is the one that the engine counts, and it ends in the pose of the result."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import UNSETTLED
from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.recording import LONGEST_S, record, record_each
from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, SURFACES, ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.flight import States, angle_between, down, fly, free_time, gap_mm, turn
from brickphys.throws.release import FLAT_DEG, FLOORS, STUD_HEIGHT_MM, release
from tests.cases import few, few_rows

WOOD = SURFACES["wood"].nominal
BODY = parse_shape("2x2")
EVERY_S = 0.01


def hand(seed, bricks=1, preset="hand", floor="plane"):
    conditions = replace(PRESETS[preset], bricks=bricks)
    return release(BODY, conditions, seed, (9,), 0, 1, FLOORS[floor])


def lowest_mm(states):
    """The lowest corner of each brick, shape (frames, k)."""
    reach = -down(states.quaternion) @ BODY.vertices_mm.T
    return states.position_mm[..., 2] + reach.min(axis=-1) - BODY.edge_radius_mm


def checked(found, start, depth_mm=0.0):
    """Assert what holds for every recording."""
    states = found.states
    assert np.array_equal(states.position_mm[0], start.position_mm[0])
    assert states.quaternion[0] == pytest.approx(start.quaternion[0], abs=1e-12)
    assert len(states) * EVERY_S <= LONGEST_S + 2 * EVERY_S
    assert np.linalg.norm(states.quaternion, axis=-1) == pytest.approx(1.0, abs=1e-6)
    assert lowest_mm(states).min() > -0.1 - depth_mm
    steps = np.linalg.norm(np.diff(states.position_mm, axis=0), axis=-1)
    speeds = np.linalg.norm(states.velocity_m_s, axis=-1).max() + 1.0
    assert steps.max() < 1000.0 * speeds * EVERY_S


def in_flight(found, start):
    """Assert that the first frames are the free flight in closed form."""
    free_s = float(free_time(BODY, start)[0])
    for frame in range(int(free_s / EVERY_S)):
        exact = fly(BODY, start, np.full(start.position_mm.shape[:2], frame * EVERY_S))
        shown = found.states[frame]
        assert shown.position_mm == pytest.approx(exact.position_mm[0], abs=1e-6)
        assert angle_between(shown.quaternion, exact.quaternion[0]).max() < 1e-5


@pytest.mark.parametrize("seed", range(6))
def test_a_compiled_throw_ends_in_the_pose_that_is_counted(seed):
    start, engine = hand(seed), CompiledEngine()
    found = record(engine, BODY, WOOD, start, EVERY_S)
    checked(found, start)
    in_flight(found, start)
    landing = engine.land(BODY, WOOD, start)
    assert found.poses == landing.poses_of(0)
    last = found.states[-1]
    at_rest = face_map(BODY).pose_at_rest(down(last.quaternion), FLAT_DEG)
    assert landing.poses[int(at_rest[0])] == found.poses[0]
    assert np.abs(last.velocity_m_s).max() < 0.01
    settled = landing.time_s[0]  # decided here, and still moving
    before = int(settled / EVERY_S)
    known = replace(engine, settings=replace(engine.settings, limit_s=before * EVERY_S))
    same = known.land(BODY, WOOD, start).states
    assert np.array_equal(found.states.position_mm[before], same.position_mm[0])


@pytest.mark.parametrize(
    ("bricks", "floor"), few_rows([(1, "plane"), (3, "tray"), (3, "plane"), (1, "baseplate")], 2)
)
def test_a_hand_in_bullet_ends_in_the_poses_that_are_counted(bricks, floor):
    start, engine, ground = hand(2, bricks, "cup", floor), BulletEngine(), FLOORS[floor]
    found = record(engine, BODY, WOOD, start, EVERY_S, ground)
    checked(found, start, STUD_HEIGHT_MM if ground.studs else 0.0)
    assert found.poses == engine.land(BODY, WOOD, start, ground).poses_of(0)
    at_rest = face_map(BODY).pose_at_rest(down(found.states[-1].quaternion), ground.tilt_deg)
    assert tuple(found.landing.poses[index] for index in at_rest.tolist()) == found.poses
    if floor == "plane" and bricks == 1:
        in_flight(found, start)


@pytest.mark.parametrize(("engine", "bricks"), [(CompiledEngine(), 1), (BulletEngine(), 2)])
def test_hands_are_recorded_together_as_they_are_alone(engine, bricks):
    conditions = replace(PRESETS["drop"], bricks=bricks)
    start = release(BODY, conditions, 5, (9,), 0, 2, FLOORS["plane"])
    together = list(record_each(engine, BODY, WOOD, start, EVERY_S))
    assert len(together) == 2
    for hand, found in enumerate(together):
        alone = record(engine, BODY, WOOD, start[hand : hand + 1], EVERY_S)
        assert found.poses == alone.poses
        assert np.array_equal(found.moving, alone.moving)


@pytest.mark.parametrize("bricks", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_hands_that_share_a_world_of_studs_end_as_they_are_counted_together(bricks):
    engine = BulletEngine(replace(BulletEngine().settings, hands=4 if bricks > 1 else 2))
    conditions, ground = replace(PRESETS["hand"], bricks=bricks), FLOORS["baseplate"]
    group = engine.group_hands(bricks, ground)
    start = release(BODY, conditions, 5, (9,), 0, group, ground)
    landing = engine.land(BODY, WOOD, start, ground)
    found = list(record_each(engine, BODY, WOOD, start, EVERY_S, ground))
    assert [one.poses for one in found] == [landing.poses_of(hand) for hand in range(group)]
    for hand, one in enumerate(found):
        checked(one, start[hand : hand + 1], STUD_HEIGHT_MM)
        at_rest = face_map(BODY).pose_at_rest(down(one.states[-1].quaternion), ground.tilt_deg)
        assert tuple(landing.poses[index] for index in at_rest.tolist()) == one.poses
        (some,) = record_each(engine, BODY, WOOD, start, EVERY_S, ground, slice(hand, hand + 1))
        assert np.array_equal(some.states.position_mm, one.states.position_mm)
        if bricks > 1:  # one of so many is enough
            return


def test_the_result_is_told_in_words():
    found = record(BulletEngine(), BODY, WOOD, hand(2, 3, "cup"), EVERY_S)
    counts = sorted((found.poses.count(pose) for pose in set(found.poses)), reverse=True)
    assert [
        int(part.split()[0]) for part in found.result.removeprefix("stop: ").split(", ")
    ] == counts
    one = record(CompiledEngine(), BODY, WOOD, hand(0), EVERY_S)
    assert one.result == f"stops: {one.poses[0].replace('_', ' ')}"


def test_frames_are_closer_where_more_are_wanted():
    start = hand(3)
    coarse = record(CompiledEngine(), BODY, WOOD, start, EVERY_S)
    fine = record(CompiledEngine(), BODY, WOOD, start, EVERY_S / 4)
    assert np.array_equal(
        fine.states.position_mm[::4][: len(coarse.states)],
        coarse.states.position_mm[: len(fine.states.position_mm[::4])],
    )


def test_an_engine_that_records_nothing_says_so():
    with pytest.raises(InvalidValueError, match="the mujoco engine records no throw"):
        record(MujocoEngine(), BODY, WOOD, hand(0), EVERY_S)


FLAT_SHAPES = ("d6:16", "2x2", "1x2", "coin:20x2", "cuboid:10x12x60")


def placed(body, quaternion, height_mm, spin_rad_s, speed_m_s):
    """One body whose lowest corner is at a height."""
    reach = float(np.max(down(quaternion[None]) @ body.vertices_mm.T)) + body.edge_radius_mm
    rows = ([0.0, 0.0, height_mm + reach], quaternion, speed_m_s, spin_rad_s)
    return States(*(np.reshape(np.array(row, float), (1, 1, -1)) for row in rows))


def starts(body, rng):
    """How it begins: a face, an edge or a corner down, all but level, or anyhow."""
    corners = body.vertices_mm
    faces = ConvexHull(corners).equations[:, :3]
    one, other = rng.choice(len(corners), 2, replace=False)
    face = faces[rng.integers(len(faces))]
    downward = {
        "flat": face,
        "all but flat": face + rng.normal(0, 1e-5, 3),
        "edge": corners[one] + corners[other] + 1e-6,
        "corner": corners[one],
        "random": rng.normal(size=3),
    }
    return {name: _turned(way / np.linalg.norm(way)) for name, way in downward.items()}


def _turned(way):
    """The rotation that takes a direction of the body down."""
    axis = np.cross(way, [0.0, 0.0, -1.0])
    if np.linalg.norm(axis) < 1e-12:
        return np.array([0.0, 0.0, 0.0, 1.0] if way[2] < 0 else [1.0, 0.0, 0.0, 0.0])
    return turn(axis / np.linalg.norm(axis) * np.arccos(np.clip(-way[2], -1.0, 1.0)))


@pytest.mark.parametrize(
    ("shape", "engine"),
    few_rows([(s, e) for s in FLAT_SHAPES for e in (BulletEngine(), CompiledEngine())], 2),
)
@pytest.mark.parametrize("restitution", few([0.5, 0.0, 0.7]))
def test_a_recording_stays_above_the_floor_and_ends_as_it_is_counted(shape, engine, restitution):
    """A body that falls flat bounces in closed form, and the bounces that Bullet skips are shown.

    Bullet may be as deep in the floor as a body moves in one of its steps: 0.5 mm.
    """
    body, rng = parse_shape(shape), np.random.default_rng(7)
    contact = ContactCoefficients(0.4, restitution)
    for name, quaternion in starts(body, rng).items():
        spin, speed = rng.normal(0, 20, 3), [*rng.normal(0, 0.5, 2), 0.0]
        for moves in (False, True):
            start = placed(
                body, quaternion, rng.uniform(20, 250), moves * spin, moves * np.array(speed)
            )
            found = record(engine, body, contact, start, EVERY_S)
            told = (name, moves)
            assert gap_mm(body, found.states).min() > -0.5, told
            pose = face_map(body).pose_at_rest(down(found.states[-1].quaternion), FLAT_DEG)
            is_cut = len(found.states) * EVERY_S > LONGEST_S  # a coin may roll on its rim then
            if found.poses[0] != UNSETTLED and not is_cut:
                assert found.landing.poses[int(pose[0])] == found.poses[0], told


def test_the_bounces_of_a_cube_that_falls_flat_are_shown():
    """It rises to e squared times the height after each bounce, and the recording is as long as the throw."""
    cube, e = parse_shape("d6:16"), 0.5
    start = placed(cube, np.array([0.0, 0.0, 0.0, 1.0]), 200.0, [0.0] * 3, [0.0] * 3)
    found = record(BulletEngine(), cube, ContactCoefficients(0.4, e), start, 0.0005)
    height_mm = gap_mm(cube, found.states)[:, 0]
    tops = [
        height_mm[i]
        for i in range(1, len(height_mm) - 1)
        if height_mm[i - 1] < height_mm[i] >= height_mm[i + 1]
    ]
    assert tops[:4] == pytest.approx(
        [200.0 * e**2, 200.0 * e**4, 200.0 * e**6, 200.0 * e**8], abs=0.05
    )
    assert len(height_mm) * 0.0005 >= found.landing.time_s[0]
