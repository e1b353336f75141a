"""A driven block pushes others as algebra and closed forms say; the first impact of each pair."""

from dataclasses import replace
from math import hypot, nan, sqrt

import numpy as np
import pytest

from brickphys.engines.block_impact import Drive, Impacts
from brickphys.engines.block_run import FRAME_S, run_blocks
from brickphys.engines.block_world import Block, BlockSettings, BlockWorld, principal_axes
from brickphys.engines.client import connection
from brickphys.errors import DivergenceError, InvalidValueError
from brickphys.geometry.polygon import rectangle
from brickphys.shapes.assembly import assembly
from brickphys.shapes.solids import box, compose
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import rotate
from brickphys.units import GRAVITY_M_S2, MM2_PER_UNIT2, MM_PER_UNIT

WOOD = ContactCoefficients(0.4, 0.5)
MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
"""Of a pose: y, and the turns about x and z."""
STANDS = Drive((0.0, 0.0), 0.0, frozenset())


def centred_rectangle(length, width):
    a, b = length / 2, width / 2
    return np.array([(-a, -b), (a, -b), (a, b), (-a, b)])


def brick(size_mm, x=0.0, y=0.0, density=1.0, **more):
    length, width, height = size_mm
    mass = compose([box((0.0, 0.0, height / 2), size_mm)], density)
    return Block(centred_rectangle(length, width), 0.0, height, mass, (x, y), **more)


def fixed(size_mm, x=0.0, y=0.0):
    length, width, height = size_mm
    return Block(centred_rectangle(length, width), 0.0, height, None, (x, y))


# --- the bodies ---


@pytest.mark.parametrize("name", ["jeep", "truck", "minifig", "horse"])
def test_mass_and_inertia_read_back_are_those_of_the_model(name):
    mass = assembly(name).hull.mass
    block = Block(centred_rectangle(80.0, 48.0), 0.0, 30.0, mass)
    with connection() as client:
        world = BlockWorld(client, [block], WOOD, WOOD, BlockSettings())
        info = client.getDynamicsInfo(world._bodies[0], -1)
        pose = world.poses(world.get())[0]
    assert info[0] == pytest.approx(mass.mass_g, rel=1e-12)
    moments = np.array(info[2]) * MM2_PER_UNIT2
    assert sorted(moments) == pytest.approx(np.linalg.eigvalsh(mass.inertia_g_mm2), rel=1e-9)
    assert pose == pytest.approx([0, 0, 0, 0, 0, 0, 1], abs=1e-9)


def test_principal_axes_give_the_tensor_back_and_stay_near_the_bodys_own():
    tensor = assembly("truck").hull.mass.inertia_g_mm2
    moments, quaternion = principal_axes(tensor)
    axes = rotate(np.broadcast_to(quaternion, (3, 4)), np.eye(3)).T
    assert axes @ np.diag(moments) @ axes.T == pytest.approx(tensor, rel=1e-9, abs=1e-6)
    assert (np.diag(axes) > 0.9).all()


def test_outlines_that_are_no_rectangle_are_hulls():
    triangle = np.array([(0.0, 0.0), (10.0, 0.0), (0.0, 10.0)])
    assert Block(triangle, 0.0, 5.0, None).box_mm is None
    assert brick((4.0, 6.0, 5.0)).box_mm == pytest.approx([4.0, 6.0, 5.0])


def test_impossible_blocks_are_refused():
    with pytest.raises(InvalidValueError, match="top, 3 mm, is not above its bottom, 5 mm"):
        Block(centred_rectangle(1.0, 1.0), 5.0, 3.0, None)


def test_blocks_without_friction_between_them_have_that_of_the_floor():
    """A block that is let go at 0.3 m/s slides 0.3**2 / (2 mu g), as with friction between blocks."""
    blocks = [brick((20.0, 20.0, 10.0), is_held=False)]
    drive = Drive((0.3, 0.0), 400.0, frozenset(), edge_mm=8.0)
    for between in (ContactCoefficients(0.0, 0.0), WOOD):
        found = run_blocks(blocks, drive, between, WOOD)
        slid_mm = found.poses[-1, 0, 0] - found.poses[0, 0, 0] - found.driven_mm
        assert slid_mm == pytest.approx(300.0**2 / (2 * 0.4 * 9806.65), rel=0.03)


# --- blows ---


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("phase_mm", [0.0, 0.03, 0.09])
def test_head_on_blow_without_friction(restitution, phase_mm):
    """Delta-v, energy and momentum of a blow in one dimension, at any phase of the step."""
    first = brick((40.0, 20.0, 20.0))
    second = brick((60.0, 20.0, 20.0), 80.0 + phase_mm, velocity_m_s=(-0.3, 0.0), is_held=True)
    slippery = ContactCoefficients(0.0, restitution)
    drive = Drive((0.5, 0.0), 500.0, frozenset({1}))
    (impact,) = run_blocks([first, second], drive, slippery, slippery, limit_s=0.05).impacts
    m1, m2 = first.mass.mass_g, second.mass.mass_g
    reduced = m1 * m2 / (m1 + m2)
    assert impact.closing_m_s == pytest.approx(0.8, rel=1e-9)
    assert impact.driven_mm == pytest.approx(30.0 + phase_mm, abs=0.002)
    assert impact.normal == pytest.approx([-1.0, 0.0, 0.0], abs=1e-9)
    assert impact.point_mm == pytest.approx([50.0 + phase_mm, 0.0, 10.0], abs=1e-6)
    change = 0.8 * (1 + restitution) * reduced
    assert impact.delta_v_m_s[:, 0] == pytest.approx([-change / m1, change / m2], rel=1e-2)
    assert impact.delta_v_m_s[:, 1:] == pytest.approx(0.0, abs=1e-6)
    assert np.array([m1, m2]) @ impact.delta_v_m_s == pytest.approx(0.0, abs=1e-9)
    lost = reduced * (1 - restitution**2) * 0.8**2 / 2
    assert impact.energy_lost_mj == pytest.approx(lost, rel=1e-2)


def test_wall_that_is_touched_at_the_start_is_hit_at_once():
    drive = Drive((0.5, 0.0), 100.0, frozenset({1}))
    found = run_blocks(
        [brick((40.0, 20.0, 20.0)), fixed((8.0, 90.0, 30.0), 24.0)], drive, WOOD, WOOD
    )
    (impact,) = found.impacts
    assert impact.driven_mm == pytest.approx(0.0, abs=1e-6)
    assert impact.closing_m_s == pytest.approx(0.5)
    assert impact.delta_v_m_s[0, 0] == pytest.approx(-0.75, rel=0.02)


def test_what_is_faster_ahead_takes_no_blow():
    second = brick((60.0, 20.0, 20.0), 80.0, velocity_m_s=(0.7, 0.0), is_held=True)
    drive = Drive((0.5, 0.0), 500.0, frozenset({1}))
    (impact,) = run_blocks([brick((40.0, 20.0, 20.0)), second], drive, WOOD, WOOD).impacts
    assert impact.closing_m_s == pytest.approx(-0.2, abs=1e-3)
    assert impact.delta_v_m_s == pytest.approx(0.0, abs=1e-9)


def test_gliding_along_a_wall_is_no_touch():
    wall = fixed((400.0, 8.0, 30.0), 100.0, 14.0)  # the side of the driven block lies on it
    drive = Drive((0.5, 0.0), 100.0, frozenset({1}))
    found = run_blocks([brick((40.0, 20.0, 20.0)), wall], drive, WOOD, WOOD)
    assert found.impacts == ()
    assert found.driven_mm == pytest.approx(100.0, abs=1e-6)
    assert found.poses[-1, 0, :2] == pytest.approx([100.0, 0.0], abs=1e-3)


def test_figure_against_a_wall_ends_the_drive():
    figure, wall = brick((8.0, 8.0, 40.0), 80.0), fixed((8.0, 90.0, 50.0), 120.0)
    drive = Drive((0.3, 0.0), 300.0, frozenset({2}))
    found = run_blocks([brick((40.0, 20.0, 20.0), density=0.3), figure, wall], drive, WOOD, WOOD)
    assert found.settled.all()
    assert 84.0 < found.driven_mm < 96.0  # the wall is 96 mm ahead, the figure 8 mm thick


# --- friction and falling ---


def test_sliding_distance():
    """Stops after v2 / (2 mu g)."""
    block = brick((40.0, 30.0, 10.0), 0.0, 0.0, velocity_m_s=(0.6, 0.0))
    found = run_blocks([fixed((5.0, 5.0, 5.0), -100.0), block], STANDS, WOOD, WOOD)
    expected = 1000.0 * 0.6**2 / (2 * WOOD.friction * GRAVITY_M_S2)
    assert found.poses[-1, 1, 0] == pytest.approx(expected, rel=0.01)
    assert found.settled.all()


@pytest.mark.parametrize(("share", "falls"), [(0.93, False), (1.07, True)])
def test_tall_block_trips_over_a_kerb_if_it_is_fast_enough(share, falls):
    """It keeps its angular momentum about the kerb, and falls if that lifts its centre over the edge."""
    width, height = 10.0, 40.0
    radius = hypot(width, height) / 2
    arm = 4 * radius**2 / 3  # moment of inertia about the edge, over the mass
    rise = radius - height / 2
    critical = sqrt(2 * GRAVITY_M_S2 * rise / 1000.0 * arm) / (height / 2)
    tall = brick((width, 30.0, height), -width / 2 - 1.0, velocity_m_s=(share * critical, 0.0))
    kerb = fixed((10.0, 60.0, 0.2), 5.0)
    smooth = ContactCoefficients(0.0, 0.0)
    found = run_blocks([kerb, tall], STANDS, smooth, smooth, limit_s=1.5)
    tilts = np.degrees(np.arccos(np.clip(1 - 2 * (found.poses[:, 1, 3:5] ** 2).sum(axis=1), -1, 1)))
    assert (tilts.max() > 60.0) == falls


# --- what holds for all ---


def pile(mirrored=1.0):
    driven = brick((80.0, 48.0, 28.0), density=0.3)
    figure = brick((8.0, 8.0, 40.0), 60.0, mirrored * 12.0)
    car = brick(
        (80.0, 48.0, 28.0), 150.0, mirrored * 20.0, density=0.3, heading_deg=mirrored * 70.0
    )
    return [driven, figure, car]


def crash(blocks, **settings):
    drive = Drive((0.5, 0.0), 300.0, frozenset({2}))
    return run_blocks(blocks, drive, WOOD, WOOD, BlockSettings(**settings))


def test_same_start_same_bits():
    first, second = crash(pile()), crash(pile())
    assert np.array_equal(first.poses, second.poses)
    assert [i.energy_lost_mj for i in first.impacts] == [i.energy_lost_mj for i in second.impacts]


def test_mirrored_start_mirrored_crash():
    """The solver takes contact points one after the other, so what tumbles keeps the mirror only roughly."""
    one, other = crash(pile()), crash(pile(-1.0))
    ends = other.poses[-1, :, :3] * [1.0, -1.0, 1.0]
    assert one.poses[-1, [0, 2]] == pytest.approx(other.poses[-1, [0, 2]] * MIRROR, abs=1.5)
    assert np.hypot(*(one.poses[-1, 1, :2] - ends[1, :2])) < 8.0  # a stud
    first, second = one.impacts[0], other.impacts[0]
    assert first.closing_m_s == pytest.approx(second.closing_m_s, abs=1e-9)
    assert first.delta_v_m_s == pytest.approx(second.delta_v_m_s * [1.0, -1.0, 1.0], abs=2e-3)


def test_finer_steps_end_in_the_same_place():
    """Vehicles within 2.5 mm, the figure that tumbles between them within two studs."""
    usual, finer = crash(pile()), crash(pile(), step_s=1 / 4000)
    off_mm = np.linalg.norm(usual.poses[-1, :, :3] - finer.poses[-1, :, :3], axis=1)
    assert off_mm[[0, 2]].max() < 2.5
    assert off_mm[1] < 16.0


def test_impacts_lose_energy_and_no_more_than_was_given():
    found = crash(pile())
    lost = [impact.energy_lost_mj for impact in found.impacts]
    assert len(lost) >= 2
    assert min(lost) > 0
    assert sum(lost) < found.energy_mj


def test_what_is_held_stays_until_it_is_touched():
    flyer = Block(
        centred_rectangle(40.0, 40.0), 50.0, 60.0, pile()[0].mass, (200.0, 0.0), is_held=True
    )
    found = run_blocks([*pile()[:1], flyer], Drive((0.5, 0.0), 300.0, frozenset({1})), WOOD, WOOD)
    assert found.poses[-1, 1] == pytest.approx(found.poses[0, 1], abs=1e-6)
    low = Block(
        centred_rectangle(40.0, 40.0), 20.0, 60.0, pile()[0].mass, (200.0, 0.0), is_held=True
    )
    found = run_blocks([*pile()[:1], low], Drive((0.5, 0.0), 300.0, frozenset({1})), WOOD, WOOD)
    assert found.poses[-1, 1, 2] < -10.0  # it lies on the floor, its frame's origin below


# --- chains ---

ICE = ContactCoefficients(0.0, 0.0)


def momentum_g_m_s(blocks, found, frame):
    """Return the momentum of all blocks between two frames, shape (3,)."""
    masses = np.array([block.mass.mass_g for block in blocks])
    centres = np.array([block.centre_mm for block in blocks])
    poses = found.poses[[frame, frame + 1]]
    moved_mm = np.diff(poses[..., :3] + rotate(poses[..., 3:], centres), axis=0)[0]
    return masses @ moved_mm / 1000.0 / FRAME_S


@pytest.mark.parametrize("figures", [0, 1, 2, 4])
def test_momentum_of_a_chain_on_ice(figures):
    """A mover, figures in a row and a vehicle that comes towards it keep their momentum, to a thousandth."""
    car = (60.0, 40.0, 20.0)
    row = [brick((8.0, 8.0, 40.0), 50.0 + 12.0 * n, 1.0 * n) for n in range(figures)]
    target = brick(car, 140.0, velocity_m_s=(-0.4, 0.0), is_held=True, density=0.6)
    blocks = [brick(car, density=0.3), *row, target]
    drive = Drive((0.6, 0.0), 400.0, frozenset({len(blocks) - 1}))
    found = run_blocks(blocks, drive, ContactCoefficients(0.4, 0.5), ICE, limit_s=0.0)
    first, last = blocks[0].mass.mass_g * 0.6, target.mass.mass_g * -0.4
    after = momentum_g_m_s(blocks, found, len(found.poses) - 2)
    assert after[0] == pytest.approx(first + last, abs=1e-3 * abs(first))
    assert found.energy_mj == pytest.approx((first * 0.6 - last * 0.4) / 2, rel=0.1)
    lost = [impact.energy_lost_mj for impact in found.impacts]
    assert min(lost) >= 0
    assert sum(lost) < found.energy_mj


def test_weight_does_not_move_what_is_held_while_another_block_comes_near():
    """PyBullet wakes blocks whose bounding boxes overlap; the held one stays where it is until it is touched."""
    slow = brick((8.0, 8.0, 8.0), 30.0, 50.0, velocity_m_s=(0.0, -0.5))
    held = brick((60.0, 60.0, 20.0), heading_deg=45.0, is_held=True)
    with connection() as client:
        world = BlockWorld(client, [slow, held], WOOD, ICE, BlockSettings())
        world.sleep(1)
        for _ in range(20):
            world.step({1})
            assert world.touches() == []
            world.get()
        place, _ = client.getBasePositionAndOrientation(world._bodies[1])
        low, high = world.bounds_mm().swapaxes(0, 1)
    assert ((low[0] < high[1]) & (high[0] > low[1])).all()
    assert np.array(place) * MM_PER_UNIT == pytest.approx([0.0, 0.0, 10.0], abs=1e-9)


@pytest.mark.parametrize("heading_deg", [0.0, 60.0, 70.0, 80.0])
@pytest.mark.parametrize("speed_m_s", [5e-4, 0.05, 0.5])
def test_what_is_let_go_keeps_what_pushed_it(heading_deg, speed_m_s):
    """A block on ice pushes a held one through a third, at a flat angle or slowly: no momentum in plan is lost."""
    turned = np.radians(heading_deg)
    normal = np.array([np.cos(turned), np.sin(turned)])
    far = 4.0 * np.abs(normal).sum() + 20.0  # the middle touches it with a corner
    pusher = brick((8.0, 8.0, 40.0), -8.005, velocity_m_s=(speed_m_s, 0.0))
    held = brick(
        (40.0, 40.0, 40.0),
        *(far * normal).tolist(),
        heading_deg=heading_deg,
        velocity_m_s=(0.0, 0.02),
        is_held=True,
    )
    middle = brick((8.0, 8.0, 40.0), velocity_m_s=tuple((-1e-6 * normal).tolist()))
    blocks = [pusher, middle, held]
    found = run_blocks(blocks, STANDS, ContactCoefficients(0.4, 0.5), ICE, limit_s=0.05)
    before = sum(b.mass.mass_g * np.array(b.velocity_m_s) for b in (pusher, middle))
    after = momentum_g_m_s(blocks, found, len(found.poses) - 2)[:2]
    let_go = np.any(found.poses[-1, 2, :3] != found.poses[0, 2, :3])
    expected = before + let_go * held.mass.mass_g * np.array(held.velocity_m_s)
    assert after == pytest.approx(expected, abs=1e-6 * abs(before[0]))


def test_block_that_is_let_go_takes_its_load_along():
    """The rider of a car that hits a wall flies on at the speed of the car."""
    car = brick((60.0, 40.0, 20.0), density=0.3)
    rider = replace(brick((8.0, 8.0, 40.0), is_held=True, carrier=0), bottom_mm=20.0, top_mm=60.0)
    rider = replace(rider, mass=replace(rider.mass, centre_mm=np.array([0.0, 0.0, 40.0])))
    wall = fixed((8.0, 90.0, 15.0), 100.0)
    drive = Drive((0.5, 0.0), 300.0, frozenset({2}))
    found = run_blocks([car, rider, wall], drive, WOOD, WOOD)
    ridden = found.poses[: int(0.13 / FRAME_S), :2, 0]
    assert ridden[:, 1] == pytest.approx(ridden[:, 0], abs=1e-9)
    assert found.poses[-1, 1, 0] > found.poses[-1, 0, 0] + 20.0
    assert (found.impacts[0].first, found.impacts[0].second) == (0, 2)


def test_what_is_pushed_over_the_edge_falls_off_the_table():
    """Blocks stand near two edges of the table; each is pushed over one of them."""
    blocks = [brick((40.0, 20.0, 20.0), 60.0, 50.0), brick((8.0, 8.0, 40.0), 95.0, 50.0)]
    drive = Drive((0.5, 0.0), 30.0, frozenset())
    found = run_blocks(blocks, drive, WOOD, WOOD, table_mm=(110.0, 100.0))
    assert found.fallen == {1}
    assert found.settled.all()
    assert found.poses[-1, 1, 2] < -50.0
    wide = run_blocks(blocks, drive, WOOD, WOOD, table_mm=(300.0, 100.0))
    assert wide.fallen == set()


@pytest.mark.parametrize(("overhang_mm", "falls"), [(19.0, False), (21.0, True)])
def test_block_tips_over_the_edge_beyond_its_middle(overhang_mm, falls):
    block = brick((40.0, 20.0, 20.0), 100.0 - 20.0 + overhang_mm, 50.0, velocity_m_s=(1e-3, 0.0))
    found = run_blocks(
        [fixed((5.0, 5.0, 5.0), 20.0, 20.0), block], STANDS, WOOD, WOOD, table_mm=(100.0, 100.0)
    )
    assert (found.fallen == {1}) == falls


def test_driven_block_falls_off_the_table_where_its_drive_ends():
    drive = Drive((0.5, 0.0), 300.0, frozenset(), edge_mm=50.0)
    found = run_blocks(
        [brick((40.0, 20.0, 20.0), 50.0, 50.0)], drive, WOOD, WOOD, table_mm=(100.0, 100.0)
    )
    assert found.fallen == {0}
    assert found.driven_mm == pytest.approx(50.0, abs=0.6)


def test_time_limit_is_an_outcome():
    block = brick((40.0, 30.0, 10.0), velocity_m_s=(0.6, 0.0))
    found = run_blocks([fixed((5.0, 5.0, 5.0), -100.0), block], STANDS, WOOD, WOOD, limit_s=0.05)
    assert found.settled.tolist() == [False, False]


def test_divergence_is_told():
    block = brick((40.0, 30.0, 10.0), velocity_m_s=(nan, 0.0))
    with pytest.raises(DivergenceError, match="diverged"):
        run_blocks([fixed((5.0, 5.0, 5.0), -100.0), block], STANDS, WOOD, WOOD)


SPEED_M_S = 0.6
DENSITY_G_CM3 = 0.28
SIZES_MM = [(48.0, 32.0, 28.8), (80.0, 48.0, 28.8), (32.0, 32.0, 38.4)]


def car(size_mm, x=0.0, **more):
    length, width, height = size_mm
    mass = compose([box((0.0, 0.0, height / 2), size_mm)], DENSITY_G_CM3)
    corners = rectangle(0.0, 0.0, 0.0, length, width).vertices_studs
    return Block(corners, 0.0, height, mass, (x, 0.0), **more)


def fixed_block(size_mm, x, y=0.0):
    length, width, height = size_mm
    corners = rectangle(0.0, 0.0, 0.0, length, width).vertices_studs
    return Block(corners, 0.0, height, None, (x, y))


def step_into(walls, size_mm, floor=WOOD, step_s=1 / 1000, released=True):
    """Return the mass of a car, the impulse of all walls on it in the one step of its impact, and the impacts.

    Its front is 0.3 mm behind the plane x = 0 when the step begins. What is released just before it, as at the end of
    a drive, has its contact with the floor after that with the wall, and the solver finds another answer.
    """
    moving = car(size_mm, 0.3 - size_mm[0] / 2, velocity_m_s=(SPEED_M_S, 0.0), is_held=released)
    settings = BlockSettings(step_s=step_s)
    with connection() as client:
        world = BlockWorld(client, [moving, *walls], WOOD, floor, settings)
        if released:
            world.release(0)
            started = world.get()
            started.velocity_m_s[0] = (SPEED_M_S, 0.0, 0.0)
            world.put(0, started)
        before = world.get()
        world.step(set())
        touches, after = world.touches(), world.get()
        impulse = sum(touch.impulses_g_m_s.sum(axis=0) for touch in touches)
        impacts = Impacts(world.masses_g, settings.bounce_m_s)
        impacts.note(touches, before, after, 0.0)
    return moving.mass.mass_g, impulse, impacts.done()


WALL = fixed_block((8.0, 160.0, 60.0), 4.0)
HALVES = [fixed_block((8.0, 80.0, 60.0), 4.0, -40.0), fixed_block((8.0, 80.0, 60.0), 4.0, 40.0)]


@pytest.mark.parametrize("step_s", [1 / 1000, 1 / 8000])
@pytest.mark.parametrize("released", [False, True])
@pytest.mark.parametrize("size_mm", SIZES_MM)
def test_a_wall_also_holds_against_friction_on_the_floor(size_mm, released, step_s):
    """The whole impulse is the rebound and the friction of weight and of what the wall presses the car down with.

    How hard a wall presses by friction a car that it does not lift is not determined.
    """
    mass_g, impulse, _ = step_into([WALL], size_mm, step_s=step_s, released=released)
    pressed_m_s = GRAVITY_M_S2 * step_s - impulse[2] / mass_g
    expected_m_s = 1.5 * SPEED_M_S + WOOD.friction * pressed_m_s
    assert -impulse[0] / mass_g == pytest.approx(expected_m_s, rel=1e-5)
    assert expected_m_s > 1.5 * SPEED_M_S * (1 + 5e-5)


@pytest.mark.parametrize("floor", [WOOD, ContactCoefficients(0.0, 0.5)], ids=["wood", "ice"])
@pytest.mark.parametrize("walls", [[WALL], HALVES], ids=["one", "halves"])
@pytest.mark.parametrize("released", [False, True])
@pytest.mark.parametrize("size_mm", SIZES_MM)
def test_an_impact_on_a_wall_is_the_rebound_alone(size_mm, released, walls, floor):
    mass_g, _, impacts = step_into(walls, size_mm, floor, released=released)
    assert len(impacts) == len(walls)
    for impact in impacts:
        assert impact.delta_v_m_s[0, 0] == pytest.approx(-1.5 * SPEED_M_S, rel=1e-6)
        assert impact.delta_v_m_s[1] == pytest.approx(0.0)
    given = sum(impact.impulse_g_m_s for impact in impacts)
    assert given[0] == pytest.approx(-1.5 * SPEED_M_S * mass_g, rel=1e-6)
    lost_mj = sum(impact.energy_lost_mj for impact in impacts)
    assert lost_mj == pytest.approx(mass_g * SPEED_M_S**2 / 2 * 0.75, rel=1e-4)


def test_what_an_impact_turns_keeps_its_whole_impulse():
    """A figure trips over a kerb: the floor holds its foot, and that is no error of the step."""
    kerb = fixed_block((8.0, 160.0, 5.0), 4.0)
    _, impulse, (impact,) = step_into([kerb], (8.0, 8.0, 40.0))
    assert impact.impulse_g_m_s == pytest.approx(impulse, rel=1e-12)


SAME, HIGHER = (80.0, 48.0, 28.8), (128.0, 56.0, 51.2)


@pytest.mark.parametrize(
    ("size_mm", "restitution", "rel"), [(SAME, 0.0, 1e-2), (SAME, 0.5, 1e-4), (HIGHER, 0.5, 1e-2)]
)
@pytest.mark.parametrize("held", [False, True], ids=["stands", "comes"])
def test_head_on_blow_on_a_floor_with_friction(size_mm, restitution, rel, held):
    """The second car stands, or comes with 0.3 m/s. Without restitution the two lean on each other afterwards."""
    own_m_s = -0.3 * held
    second = car(size_mm, 150.07, velocity_m_s=(own_m_s, 0.0), is_held=held)
    blocks = [car((48.0, 32.0, 28.8)), second]
    between = ContactCoefficients(0.4, restitution)
    floor = replace(WOOD, restitution=restitution)
    drive = Drive((SPEED_M_S, 0.0), 300.0, frozenset({1}))
    soon_after_s = -0.3  # before the end of the drive, had nothing stopped it
    (impact,) = run_blocks(blocks, drive, between, floor, limit_s=soon_after_s).impacts
    masses = np.array([block.mass.mass_g for block in blocks])
    closing, reduced = SPEED_M_S - own_m_s, 1.0 / (1.0 / masses).sum()
    change = closing * (1 + restitution) * reduced / masses
    assert impact.delta_v_m_s[:, 0] == pytest.approx([-change[0], change[1]], rel=rel)
    assert masses @ impact.delta_v_m_s == pytest.approx(0.0, abs=1e-9)
    lost_mj = reduced * (1 - restitution**2) * closing**2 / 2
    assert impact.energy_lost_mj == pytest.approx(lost_mj, rel=rel)
