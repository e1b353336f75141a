"""Throws of the compiled engine in a tray, against closed forms, symmetry, its own throws to rest, and Bullet."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.recording import record
from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, ContactCoefficients, surface
from brickphys.throws.flight import States, gap_mm, multiply, rotate
from brickphys.throws.release import PLANE, TRAY, release
from tests.cases import few, few_rows
from tests.landings import BRICK, DIE, FALSE_ALARM, WOOD, alike, hands, homogeneous, same_bits

COMPILED = CompiledEngine()
SMALL = replace(TRAY, inside_mm=60.0)


def land(states, body=BRICK, contact=WOOD, floor=TRAY, **settings):
    return replace(COMPILED, settings=replace(COMPILED.settings, **settings)).land(
        body, contact, states, floor
    )


def beyond_walls_mm(body, states, floor):
    """Return how far each body reaches into the walls, shape (n,)."""
    shape = states.position_mm.shape
    arms = [rotate(states.quaternion, np.broadcast_to(arm, shape)) for arm in body.vertices_mm]
    reach = np.abs(np.array(arms) + states.position_mm)[..., :2].max(axis=(0, 2, 3))
    return reach + body.edge_radius_mm - floor.inside_mm / 2


def about_z(states, degrees):
    turn = Rotation.from_euler("z", degrees, degrees=True)
    turned = np.tile(turn.as_quat(), (*states.quaternion.shape[:-1], 1))
    return States(
        rotate(turned, states.position_mm),
        multiply(turned, states.quaternion),
        rotate(turned, states.velocity_m_s),
        rotate(turned, states.spin_rad_s),
    )


@pytest.mark.parametrize("restitution", few([0.5, 0.0, 0.7]))
@pytest.mark.parametrize(
    "towards", [(1, 0), (-1, 0), (0, 1), (0, -1)], ids=["east", "west", "north", "south"]
)
def test_a_corner_that_strikes_a_wall_straight_returns_with_the_restitution(towards, restitution):
    """A die flies with a corner ahead, so that friction, which acts upwards as it falls, does not matter."""
    ahead = Rotation.align_vectors([[*towards, 0]], [[1, 1, 1]])[0].as_quat()
    velocity = np.array([*towards, 0.0])
    start = alike(1, 3000.0, ahead, velocity)
    contact = ContactCoefficients(0.4, restitution)
    reach = DIE.radius_mm
    time_s = (125.0 - reach) / 1000.0 + 0.02
    end = land(start, DIE, contact, limit_s=time_s).states
    assert end.velocity_m_s[0, 0, :2] == pytest.approx(-restitution * velocity[:2], abs=1e-9)
    place = (125.0 - reach - restitution * 20.0) * velocity[:2]
    assert end.position_mm[0, 0, :2] == pytest.approx(place, abs=2e-3)


@pytest.mark.parametrize("floor", [TRAY, SMALL], ids=["tray", "small"])
@pytest.mark.parametrize("name", few(["wood", "glass", "cloth"]))
@pytest.mark.parametrize(
    "body", [BRICK, *few([DIE, parse_shape("1x2:r0.3")])], ids=lambda b: b.name
)
def test_throws_gain_no_energy_and_rest_inside(body, name, floor):
    states = release(body, PRESETS["hand"], 1, (), 0, 300, floor)
    end = land(states, body, surface(name).nominal, floor, by_energy=False)
    assert end.energy_gain.max() < 1e-3
    assert beyond_walls_mm(body, end.states, floor).max() < 5e-3
    assert np.abs(gap_mm(body, end.states)).max() < 5e-3
    assert "unsettled" not in {pose for hand in range(300) for pose in end.poses_of(hand)}


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_walls_are_alike(degrees):
    """Throws that are turned with the tray stay turned, until bounces have magnified the rounding."""
    start = hands(BRICK, 200)
    end, turned = (land(one, limit_s=0.15).states for one in (start, about_z(start, degrees)))
    assert beyond_walls_mm(BRICK, end, replace(TRAY, inside_mm=240.0)).max() > 0.0
    off = about_z(end, degrees).position_mm - turned.position_mm
    assert np.median(np.abs(off)) < 1e-9
    assert (np.abs(off) < 1e-3).mean() > 0.98


def test_in_a_tray_that_is_too_wide_to_be_reached_a_throw_has_the_bits_of_one_on_the_plane():
    states = hands(BRICK, 200)
    plane = COMPILED.land(BRICK, WOOD, states, PLANE)
    assert same_bits(plane, land(states, floor=replace(TRAY, inside_mm=20000.0)))
    near = np.abs(plane.states.position_mm[..., :2]).max(axis=(1, 2)) > 150.0
    assert near.sum() > 100
    assert not same_bits(plane[near], land(states)[near])


@pytest.mark.parametrize("floor", few([TRAY, SMALL]), ids=["tray", "small"])
def test_a_pose_that_energy_decides_is_that_at_rest(floor):
    states = release(BRICK, PRESETS["hand"], 3, (), 0, 500, floor)
    cloth = surface("cloth").nominal
    decided, rested = (
        land(states, BRICK, cloth, floor),
        land(states, BRICK, cloth, floor, by_energy=False),
    )
    assert (decided.pose == rested.pose).all()
    assert decided.counts()["leaning"] > 0
    assert decided.time_s.mean() < rested.time_s.mean()


def test_a_throw_is_the_same_in_any_chunk_and_thread():
    states = hands(BRICK, 40)
    whole = land(states)
    assert same_bits(whole[10:20], land(states[10:20]))
    assert same_bits(whole, land(states, threads=3))


def test_a_brick_leans_on_a_wall_with_enough_friction_alone():
    tilted = Rotation.from_euler("y", 60, degrees=True)
    corners = tilted.apply(BRICK.vertices_mm)
    start = alike(1, 0.01 - corners[:, 2].min() + BRICK.edge_radius_mm, tilted.as_quat())
    start.position_mm[..., 0] = 124.99 - corners[:, 0].max() - BRICK.edge_radius_mm
    rough, smooth = ContactCoefficients(1.5, 0.0), ContactCoefficients(0.05, 0.0)
    assert land(start, contact=rough).counts()["leaning"] == 1
    assert land(start, contact=rough, floor=PLANE).counts()["leaning"] == 0
    assert land(start, contact=smooth).counts()["leaning"] == 0


def test_a_recorded_throw_stays_in_the_tray():
    film = record(COMPILED, BRICK, WOOD, hands(BRICK, 1, root=2), 0.02, TRAY)
    inside = replace(TRAY, inside_mm=249.99)
    assert beyond_walls_mm(BRICK, film.states, inside).max() < 0.02


@pytest.mark.parametrize(
    ("shape", "floor"),
    few_rows([("2x2", SMALL), ("2x2", TRAY), ("1x2", SMALL)]),
)
def test_shares_are_those_of_bullet(shape, floor):
    body = parse_shape(shape)
    ours = land(release(body, PRESETS["hand"], 1, (), 0, 20_000), body, floor=floor)
    theirs = BulletEngine().land(body, WOOD, release(body, PRESETS["hand"], 2, (), 0, 256), floor)
    assert homogeneous(ours, theirs) > FALSE_ALARM


def test_needles_are_refused_near_walls_where_they_would_fly_in_ever_shorter_pieces():
    needle = parse_shape("cuboid:60x1x1")
    thrown = replace(PRESETS["hand"], height_mm=(100.0, 100.0))
    states = release(needle, thrown, 1, (1,), 0, 4, TRAY)
    with pytest.raises(InvalidValueError, match="too slender for the compiled engine in a tray"):
        land(states, needle)
    assert len(land(states, needle, floor=PLANE).pose) == 4
