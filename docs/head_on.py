"""Makes the figures on head-on impacts in validation.md, in a checkout: python -m docs.head_on."""

from dataclasses import replace
from itertools import product

import click

from brickphys.engines.block_world import BlockSettings, BlockWorld
from brickphys.engines.client import connection
from brickphys.throws.conditions import BRICK_ON_BRICK, surface
from brickphys.units import STUD_MM
from brickphys.vehicles.crash import SPEED_SCALE_M_S, block, crash, mass_of
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Thing, Vehicle

SPEED = 6
SPEED_M_S = SPEED_SCALE_M_S * SPEED
WALL_STUDS = 30.0
WALL = Fixture("wall", ((30.0, 6.0), (31.0, 6.0), (31.0, 26.0), (30.0, 26.0)), top_plates=30.0)
VEHICLES = {
    "jeep": Vehicle("mover", 10.0, 16.0, 0.0, 10.0, 6.0, speed=SPEED, model="jeep"),
    "truck": Vehicle("mover", 10.0, 16.0, 0.0, 16.0, 7.0, 0.0, 16.0, SPEED, "truck"),
    "box of 10 x 6 studs, 9 plates high": Vehicle("mover", 10.0, 16.0, 0.0, 10.0, 6.0, speed=SPEED),
    "box of 6 x 4, 9 high": Vehicle("mover", 10.0, 16.0, 0.0, 6.0, 4.0, speed=SPEED),
    "box of 4 x 4, 12 high": Vehicle("mover", 10.0, 16.0, 0.0, 4.0, 4.0, 0.0, 12.0, SPEED),
}


def first_impact(mover: Vehicle, other: Thing) -> tuple[float, float]:
    """Return the delta-v of the mover in m/s, and the lost energy in mJ, of its impact with another thing."""
    vehicles = (mover, other) if isinstance(other, Vehicle) else (mover,)
    decor = (other,) if isinstance(other, Fixture) else ()
    impact = crash(Scene(Bounds(80.0, 32.0), mover.id, vehicles, (), decor)).impacts[0]
    return impact.delta_v_m_s[0], impact.energy_lost_mj


def by_formula(mover: Vehicle, other: Thing) -> tuple[float, float]:
    """Return what `first_impact` gives by the formulas for one dimension."""
    masses_g = [mass.mass_g for mass in map(mass_of, (mover, other)) if mass]
    reduced_g = 1.0 / sum(1.0 / mass_g for mass_g in masses_g)
    e = BRICK_ON_BRICK.restitution
    return (1 + e) * SPEED_M_S * reduced_g / masses_g[0], reduced_g * SPEED_M_S**2 / 2 * (1 - e**2)


def wall_gives_m_s(vehicle: Vehicle, step_s: float) -> float:
    """Return the whole impulse of the wall on a vehicle in the step of the impact, over the vehicle's mass.

    The vehicle is let go just before that step, as at the end of its drive.
    """
    ahead = (WALL_STUDS - vehicle.length_studs / 2) * STUD_MM + 0.3
    moving = replace(block(vehicle), position_mm=(ahead, vehicle.y_studs * STUD_MM), is_held=True)
    settings, floor = BlockSettings(step_s=step_s), surface("wood").nominal
    with connection() as client:
        blocks = [moving, block(WALL)]
        world = BlockWorld(client, blocks, BRICK_ON_BRICK, floor, settings)
        world.release(0)
        states = world.get()
        states.velocity_m_s[0] = (SPEED_M_S, 0.0, 0.0)
        world.put(0, states)
        world.step(set())
        (touch,) = world.touches()
        return float(-touch.impulses_g_m_s[:, 0].sum() / world.masses_g[0])


def main() -> None:
    """Print the table of impacts on a wall, and the largest errors of impacts of two vehicles."""
    for name, vehicle in VEHICLES.items():
        whole = [f"{wall_gives_m_s(vehicle, step_s):.4f}" for step_s in (1 / 1000, 1 / 8000)]
        (change, lost_mj), (_, right_mj) = first_impact(vehicle, WALL), by_formula(vehicle, WALL)
        cells = (name, *whole, f"{change:.4f}", f"{lost_mj:.3f}", f"{right_mj:.3f}")
        click.echo(f"| {' | '.join(cells)} |")
    errors = []
    for mover, other in product(VEHICLES.values(), repeat=2):
        ahead = 40.0 + other.length_studs / 2
        standing = replace(other, id="other", x_studs=ahead, speed=0)
        found, right = first_impact(mover, standing), by_formula(mover, standing)
        errors.append([abs(a / b - 1) for a, b in zip(found, right, strict=True)])
    changes, losses = zip(*errors, strict=True)
    click.echo(f"{len(errors)} pairs: delta-v {max(changes):.2%}, lost energy {max(losses):.2%}")


if __name__ == "__main__":
    main()
