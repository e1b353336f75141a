"""Bullet on studs and between walls: rests that geometry foretells, and nothing that a plane does not have."""

from dataclasses import fields, replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import chi2_contingency

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings, BulletWorld
from brickphys.engines.client import connection
from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, Conditions, ContactCoefficients
from brickphys.throws.flight import States, gap_mm
from brickphys.throws.release import BASEPLATE, PLANE, TRAY, release
from tests.cases import few
from tests.landings import BRICK, RESTS_ON_STUDS, WOOD, placed

DEAD = ContactCoefficients(0.4, 0.0)


def land(states, floor, body=BRICK, contact=WOOD, **settings):
    return BulletEngine(BulletSettings(**settings)).land(body, contact, states, floor)


def pose(landing):
    return landing.poses[landing.pose[0, 0]]


@pytest.fixture(scope="module")
def thrown_on_studs():
    """Bricks of the hand at rest on the baseplate."""
    return land(release(BRICK, PRESETS["hand"], 1, (1,), 0, 8, BASEPLATE), BASEPLATE)


def same_bits(a, b):
    return np.array_equal(a.pose, b.pose) and np.array_equal(
        a.states.position_mm, b.states.position_mm
    )


# --- rounded edges ---


def world_gap_mm(body, states, floor, others):
    """Return Bullet's least distance between the first brick of a hand and `others`, bodies that a world names."""
    with connection() as client:
        shape = states.position_mm.shape[:2]
        world = BulletWorld([client], body, WOOD, floor, shape, BulletSettings())
        world.put(0, states[0])
        found = [
            10 * point[8]
            for other in others(world)
            for point in client.getClosestPoints(world._bricks[0][0], other, 10)
        ]
    return min(found)


@pytest.mark.parametrize("turned_deg", [(45, 0, 0), (30, 20, 10), (0, 0, 0), (180, 0, 0)], ids=str)
@pytest.mark.parametrize("radius", few([0.3, 0.0, 0.1, 0.5], 2))
def test_rounded_brick_over_a_stud_is_as_far_as_its_lowest_point(radius, turned_deg):
    """Over the middle of a stud the floor is flat. Bullet sees parts here."""
    body = parse_shape("2x2", edge_radius_mm=radius)
    states = placed(4.0, 4.0, 20.0, turned_deg)
    lowest = Rotation.from_quat(states.quaternion[0, 0]).apply(body.vertices_mm)
    under = lowest[:, 2] < lowest[:, 2].min() + 1e-6
    states.position_mm[0, 0, :2] -= lowest[under][0, :2]
    gap = world_gap_mm(body, states, BASEPLATE, lambda world: world._floors[0]._tiles.values())
    assert gap == pytest.approx(gap_mm(body, states)[0, 0], abs=2e-3)


@pytest.mark.parametrize("turned_deg", [(45, 0, 0), (30, 20, 10), (0, 0, 0), (160, 30, 0)], ids=str)
@pytest.mark.parametrize("radius", [0.0, 0.2, 0.5])
def test_rounded_brick_over_the_plane_between_studs_is_as_far_as_its_lowest_point(
    radius, turned_deg
):
    body = parse_shape("2x2", edge_radius_mm=radius)
    states = placed(4.0, 4.0, 30.0, turned_deg)
    gap = world_gap_mm(body, states, BASEPLATE, lambda _: [0])  # the first body is the plane
    assert gap - 1.7 == pytest.approx(gap_mm(body, states)[0, 0], abs=2e-3)


@pytest.mark.parametrize("radius", [0.1, 2.0, 6.0])
def test_two_rounded_dice_are_as_far_apart_as_their_edges(radius):
    """One stands on an edge, turned by a quarter against the other's; both edges are rounded."""
    die = parse_shape("d6:16", edge_radius_mm=radius)
    upper, lower = placed(0, 0, 60.0, (45, 0, 0)), placed(0, 0, 30.0, (0, 45, 0))
    pair = States(
        *(
            np.concatenate([getattr(upper, field.name), getattr(lower, field.name)], axis=1)
            for field in fields(States)
        )
    )
    gap = world_gap_mm(die, pair, PLANE, lambda world: world._bricks[0][1:])
    assert gap == pytest.approx(30.0 - 2 * ((8 - radius) * np.sqrt(2) + radius), abs=2e-3)


def test_radius_too_large_for_the_parts_is_refused_on_studs():
    body = parse_shape("2x2", edge_radius_mm=0.6)
    with pytest.raises(InvalidValueError, match=r"2x2:r0\.6: on studs .* thinnest part, 0\.55 mm"):
        land(placed(0, 0, 30), BASEPLATE, body)


# --- studs ---


@pytest.mark.parametrize(("x_mm", "y_mm", "turned_deg", "rest_mm", "expected"), RESTS_ON_STUDS)
def test_a_brick_let_down_rests_where_geometry_says(x_mm, y_mm, turned_deg, rest_mm, expected):
    end = land(placed(x_mm, y_mm, rest_mm + 0.2, turned_deg), BASEPLATE, contact=DEAD)
    assert pose(end) == expected
    assert end.states.position_mm[0, 0, 2] == pytest.approx(rest_mm, abs=0.05)


def test_a_large_cuboid_lies_on_the_tops_of_the_studs():
    body = parse_shape("cuboid:60x50x10")
    end = land(placed(3.0, 1.0, 5.5), BASEPLATE, body, DEAD)
    assert end.states.position_mm[0, 0, 2] == pytest.approx(5.0, abs=0.05)


@pytest.mark.slow
def test_a_tilted_brick_is_called_by_the_face_that_it_nearly_lies_on(thrown_on_studs):
    end = thrown_on_studs
    normals = {face.normal: face.pose for face in BRICK.faces}
    turns = Rotation.from_quat(end.states.quaternion[:, 0])
    tilt = np.array([turns.apply(normal)[:, 2] for normal in normals])
    nearest = np.array(list(normals.values()))[tilt.argmin(axis=0)]
    angle = np.degrees(np.arccos(np.clip(-tilt.min(axis=0), -1, 1)))
    expected = np.where(angle <= 30.0, nearest, "leaning")
    assert [end.poses[i] for i in end.pose[:, 0]] == expected.tolist()
    assert (angle > 3.0).any()  # some do lie tilted


def test_studs_repeat_every_eight_millimetres():
    here = placed(1.5, 2.25, 40.0, (20, 30, 40))
    there = here.map(np.copy)
    there.position_mm[..., :2] += [8.0 * 25, -8.0 * 11]
    sharp = parse_shape("2x2:r0")  # Bullet finds contacts of rounded edges to less digits
    a, b = (land(states, BASEPLATE, sharp, limit_s=0.15) for states in (here, there))
    shift = b.states.position_mm - a.states.position_mm
    # contacts amplify last bits, which depend on the processor
    assert shift[0, 0] == pytest.approx([200.0, -88.0, 0.0], abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(("bricks", "count"), [(1, 12), (6, 2)])
def test_what_goes_far_stays_on_studs(bricks, count):
    """A cuboid too wide to sink between studs would lie 1.7 mm lower where there are none."""
    body = parse_shape("cuboid:12x12x6")
    fast = Conditions((15.0, 60.0), 1.5, 0.0, bricks=bricks)
    end = land(
        release(body, fast, 2, (), 0, count, BASEPLATE),
        BASEPLATE,
        body,
        ContactCoefficients(0.2, 0.3),
    )
    settled = end.pose != len(end.poses) - 1
    assert settled.mean() > 0.6
    far = np.abs(end.states.position_mm[..., :2]).max(axis=-1)
    assert far.max() > 200
    assert end.states.position_mm[settled][:, 2].min() > 2.5


def test_a_brick_too_fast_for_the_studs_that_there_are_is_counted_as_unsettled():
    fast = replace(PRESETS["hand"], height_mm=(20.0, 20.0), speed_m_s=20.0)
    end = land(release(BRICK, fast, 1, (), 0, 8, BASEPLATE), BASEPLATE)
    assert (end.pose == len(end.poses) - 1).any()


def test_a_hand_falls_as_if_studs_were_everywhere(monkeypatch):
    """Tiles that follow the bricks are the floor that a wide square of tiles is.

    Bullet finds contacts of rounded edges to less digits, which many impacts magnify, so the bricks are sharp.
    """
    wide = replace(PRESETS["hand"], height_mm=(30.0, 60.0), bricks=4, scatter=0.5)
    sharp = parse_shape("2x2:r0")
    hands = release(sharp, wide, 1, (), 0, 6, BASEPLATE)
    followed = land(hands, BASEPLATE, sharp, limit_s=0.2)
    square = [(x, y) for x in range(-12, 12) for y in range(-12, 12)]
    monkeypatch.setattr("brickphys.engines.bullet_world._tiles_under", lambda *_: square)
    everywhere = land(hands, BASEPLATE, sharp, limit_s=0.2)
    spread = everywhere.states.position_mm
    assert np.abs(spread[..., :2]).max() > 50.0  # beyond what lies under them at first
    assert np.abs(followed.states.position_mm - spread).max() < 1e-6


def test_bodies_too_large_for_the_studs_that_there_are_are_refused():
    with pytest.raises(InvalidValueError, match="too large for studs"):
        land(placed(0, 0, 300.0), BASEPLATE, parse_shape("cuboid:200x200x200"))


def test_long_bricks_need_too_many_parts():
    with pytest.raises(InvalidValueError, match="at most 16"):
        land(placed(0, 0, 80.0), BASEPLATE, parse_shape("2x8"))


# --- walls ---


def test_a_throw_that_meets_no_wall_falls_as_on_the_plane():
    hands = release(BRICK, PRESETS["drop"], 1, (), 0, 30)
    felt = ContactCoefficients(0.6, 0.1)
    tray, plane = land(hands, TRAY, contact=felt), land(hands, PLANE, contact=felt)
    near = np.abs(plane.states.position_mm[:, 0, :2]).max(axis=1) < 80.0
    assert near.sum() > 10
    for i in np.flatnonzero(near):
        assert same_bits(tray[i : i + 1], plane[i : i + 1])


def test_nothing_leaves_the_tray():
    hands = release(BRICK, replace(PRESETS["hand"], speed_m_s=3.0), 1, (), 0, 12)
    end = land(hands, TRAY, by_energy=False)
    assert np.abs(end.states.position_mm[..., :2]).max() < 125.0
    assert set(np.unique(end.pose)) <= set(range(len(end.poses) - 1))  # all settled
    plane = land(hands, PLANE)
    assert np.abs(plane.states.position_mm[..., :2]).max() > 250.0


@pytest.mark.parametrize("restitution", few([0.3, 0.0]))
def test_nothing_rests_in_the_floor_or_walls_of_the_tray(restitution):
    hands = release(BRICK, replace(PRESETS["hand"], speed_m_s=2.0), 1, (), 0, 10)
    end = land(hands, TRAY, contact=ContactCoefficients(0.1, restitution), by_energy=False)
    corners = Rotation.from_quat(end.states.quaternion[:, 0])
    places = np.stack([corners.apply(corner) for corner in BRICK.vertices_mm])
    places += end.states.position_mm[:, 0]
    assert places[..., 2].min() > -0.05
    assert np.abs(places[..., :2]).max() < 125.05


def test_a_brick_against_the_wall_leans():
    tilted = Rotation.from_euler("y", 60, degrees=True)
    reach = -(tilted.apply(BRICK.vertices_mm)[:, 2]).min()
    right = tilted.apply(BRICK.vertices_mm)[:, 0].max()
    start = placed(125.0 - right - 0.01, 0.0, reach + 0.01, (0, 60, 0))
    end = land(start, TRAY, contact=ContactCoefficients(1.5, 0.0))
    assert pose(end) == "leaning"
    assert pose(land(start, PLANE, contact=ContactCoefficients(1.5, 0.0))) != "leaning"


# --- both ---


@pytest.mark.slow
@pytest.mark.parametrize("floor", [BASEPLATE, TRAY], ids=lambda floor: floor.name)
def test_a_throw_depends_at_most_on_its_group(floor):
    engine = BulletEngine(BulletSettings(hands=2))
    group = engine.group_hands(1, floor)
    assert group == (2 if floor.studs else 1)
    hands = release(BRICK, PRESETS["hand"], 3, (), 0, 4, floor)
    together = engine.land(BRICK, WOOD, hands, floor)
    for first in (0, 2):
        fewer = engine.land(BRICK, WOOD, hands[first : first + group], floor)
        assert same_bits(fewer, together[first : first + group])


def test_contacts_add_no_energy(thrown_on_studs):
    in_the_tray = land(release(BRICK, PRESETS["hand"], 5, (), 0, 5, TRAY), TRAY)
    for end in (thrown_on_studs, in_the_tray):
        assert end.energy_gain.max() < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("floor", [BASEPLATE, TRAY], ids=lambda floor: floor.name)
def test_half_the_step_moves_no_share(floor):
    usual = land(release(BRICK, PRESETS["hand"], 1, (), 0, 150, floor), floor)
    finer = land(
        release(BRICK, PRESETS["hand"], 2, (), 0, 150, floor),
        floor,
        step_s=BulletSettings().step_s / 2,
    )
    table = np.array([list(end.counts().values()) for end in (usual, finer)])
    assert chi2_contingency(table[:, table.any(axis=0)]).pvalue > 1e-4
