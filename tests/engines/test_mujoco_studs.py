"""MuJoCo on studs: rests that geometry foretells, energy that never grows, and what a plane does where it is flat."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_world import build, pack, patch_places, unpack
from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, ContactCoefficients
from brickphys.throws.flight import fly, time_to_touch, unrotate
from brickphys.throws.release import BASEPLATE, PLANE, release
from brickphys.units import GRAVITY_M_S2
from tests.cases import few, few_rows
from tests.landings import BRICK, DIE, RESTS_ON_STUDS, SOFT, WOOD, alike, placed, same_bits

mujoco = pytest.importorskip("mujoco", reason="the extra mujoco is not installed")
rollout = pytest.importorskip("mujoco.rollout", reason="the extra mujoco is not installed")


def land(states, body=BRICK, contact=WOOD, floor=BASEPLATE, **changes):
    return MujocoEngine(replace(SOFT, **changes)).land(body, contact, states, floor)


def thrown(count, bricks=1, root=1):
    conditions = replace(PRESETS["hand"], bricks=bricks)
    return release(BRICK, conditions, root, (), 0, count, BASEPLATE)


@pytest.mark.parametrize("radius", few([0.2, 0.0]))
@pytest.mark.parametrize(("x_mm", "y_mm", "turned_deg", "rest_mm", "expected"), RESTS_ON_STUDS)
def test_a_brick_let_down_rests_where_geometry_says(
    x_mm, y_mm, turned_deg, rest_mm, expected, radius
):
    body = parse_shape("2x2", edge_radius_mm=radius)
    states = placed(x_mm, y_mm, rest_mm + 0.2, turned_deg)
    end = land(states, body, ContactCoefficients(0.4, 0.0))
    assert end.poses_of(0) == (expected,)
    assert end.states.position_mm[0, 0] == pytest.approx([x_mm, y_mm, rest_mm], abs=0.002)


@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.7])
def test_a_corner_on_a_stud_rebounds_as_on_the_plane(restitution):
    on_vertex = Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0].as_quat()
    start = alike(8, DIE.radius_mm + np.linspace(0.0, 0.06, 8), on_vertex, (0, 0, -1))
    start.position_mm[..., :2] = 4.0, -12.0
    contact, short = ContactCoefficients(0.4, restitution), {"limit_s": 0.004}
    stud, plane = (land(start, DIE, contact, floor, **short).states for floor in (BASEPLATE, PLANE))
    assert plane.velocity_m_s[..., 2].min() > 0.1
    assert stud.velocity_m_s == pytest.approx(plane.velocity_m_s, abs=1e-5)
    assert stud.spin_rad_s == pytest.approx(0.0, abs=1e-2)


@pytest.mark.parametrize("friction", few([0.8, 0.2]))
@pytest.mark.parametrize(
    ("shape", "share"), [("cuboid:60x50x5:r0.2", 0.005), ("cuboid:60x50x5", 0.05)]
)
def test_a_tile_slides_across_the_studs_as_far_as_coulomb_friction_lets_it(shape, share, friction):
    states, speed = placed(3.0, 1.0, 2.5), 0.5
    states.velocity_m_s[..., 0] = speed
    end = land(states, parse_shape(shape), ContactCoefficients(friction, 0.5))
    slid_m = (end.states.position_mm[0, 0, 0] - 3.0) / 1000
    assert slid_m == pytest.approx(speed**2 / (2 * friction * GRAVITY_M_S2), rel=share)
    assert end.states.position_mm[0, 0, 2] == pytest.approx(2.5, abs=1e-3)


@pytest.mark.parametrize(
    ("friction", "restitution"), few_rows([(0.4, 0.5), (0.05, 0.7), (0.9, 0.7)])
)
def test_the_largest_energy_of_two_milliseconds_never_grows(friction, restitution):
    """Among studs too, and with what springs hold; the engine compares flights alone."""
    states = thrown(12, root=3).flat()
    states = fly(BRICK, states, time_to_touch(BRICK, states))[:, None]
    model = build(BRICK, ContactCoefficients(friction, restitution), SOFT, 1, BASEPLATE, 20.0)
    parts, steps = 40, round(0.002 / SOFT.step_s)
    laid = np.broadcast_to(patch_places(states)[:, None], (12, parts * steps, 3))
    rows, _ = rollout.rollout(
        model, mujoco.MjData(model), pack(states), laid,
        control_spec=mujoco.mjtState.mjSTATE_MOCAP_POS, nstep=parts * steps,
    )  # fmt: skip
    end = unpack(rows.reshape(-1, rows.shape[-1]))
    turning = unrotate(end.quaternion, end.spin_rad_s) ** 2 @ BRICK.inertia_g_mm2 / BRICK.mass_g
    twice_mm2_s2 = 1e6 * (end.velocity_m_s**2).sum(axis=-1) + turning
    energy_mm = end.position_mm[..., 2] + twice_mm2_s2 / (2000 * GRAVITY_M_S2)
    most_mm = energy_mm.reshape(12, parts, steps).max(axis=-1)
    assert (np.diff(most_mm, axis=1) / most_mm[:, :1]).max() < 2e-4
    assert most_mm[:, -1].mean() < 0.8 * most_mm[:, 0].mean()


def test_studs_follow_a_brick_as_if_they_were_everywhere_and_throws_are_independent(monkeypatch):
    hands = thrown(4, bricks=2, root=4)
    hands.position_mm[..., 2] /= 5
    found = land(hands, limit_s=0.25)
    assert np.abs(found.states.position_mm - hands.position_mm)[..., :2].max() > 24.0
    assert same_bits(land(hands[1:2], limit_s=0.25), found[1:2])
    monkeypatch.setattr(
        "brickphys.engines.mujoco.build", lambda *args: build(*args[:-1], args[-1] + 16.0)
    )
    assert same_bits(land(hands, limit_s=0.25), found)


def test_studs_repeat_every_eight_millimetres():
    here = placed(1.5, 2.25, 20.0, (20, 30, 40))
    there = here.map(np.copy)
    there.position_mm[..., :2] += [8.0 * 25, -8.0 * 11]
    ends = [land(states, limit_s=0.15).states for states in (here, there)]
    shift_mm = ends[1].position_mm - ends[0].position_mm
    assert shift_mm[0, 0] == pytest.approx([200.0, -88.0, 0.0], abs=0.05)
    assert ends[0].position_mm[0, 0, 2] < 7.0  # it has met studs


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        ("cuboid:90x90x90", "reaches 78 mm from its centre of mass is too large for studs"),
        ("2x2:r0.6", r"2x2:r0\.6: on studs .* thinnest part, 0\.55 mm"),
    ],
)
def test_bodies_that_studs_cannot_bear_are_refused(shape, told):
    with pytest.raises(InvalidValueError, match=told):
        land(placed(0.0, 0.0, 100.0), parse_shape(shape))
