"""Impacts on a floor with friction, against the formulas for one dimension and the balance of momentum in a step."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.engines.block_impact import Drive, Impacts
from brickphys.engines.block_run import run_blocks
from brickphys.engines.block_world import Block, BlockSettings, BlockWorld
from brickphys.engines.client import connection
from brickphys.geometry.polygon import rectangle
from brickphys.shapes.solids import box, compose
from brickphys.throws.conditions import ContactCoefficients
from brickphys.units import GRAVITY_M_S2

WOOD = ContactCoefficients(0.4, 0.5)
SPEED_M_S = 0.6
DENSITY_G_CM3 = 0.28
SIZES_MM = [(48.0, 32.0, 28.8), (80.0, 48.0, 28.8), (32.0, 32.0, 38.4)]


def car(size_mm, x=0.0, **more):
    length, width, height = size_mm
    mass = compose([box((0.0, 0.0, height / 2), size_mm)], DENSITY_G_CM3)
    corners = rectangle(0.0, 0.0, 0.0, length, width).vertices_studs
    return Block(corners, 0.0, height, mass, (x, 0.0), **more)


def fixed(size_mm, x, y=0.0):
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


WALL = fixed((8.0, 160.0, 60.0), 4.0)
HALVES = [fixed((8.0, 80.0, 60.0), 4.0, -40.0), fixed((8.0, 80.0, 60.0), 4.0, 40.0)]


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
    kerb = fixed((8.0, 160.0, 5.0), 4.0)
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
