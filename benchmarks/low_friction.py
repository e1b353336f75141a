"""Low friction: shares, times and unsettled bricks of all engines down to friction 0.

``python -m benchmarks.low_friction`` prints the tables of docs/validation.md, part by part (some ten minutes on an idle
core); ``--only shares --only speeds`` prints some.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import click
import numpy as np

from brickphys.calibration.agreement import homogeneity
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.engines.compiled import CompiledEngine, CompiledSettings
from brickphys.engines.engine import Engine, Landing
from brickphys.engines.mujoco import MujocoEngine
from brickphys.odds.distribution import wilson
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, ContactCoefficients
from brickphys.throws.release import FLOORS, PLANE, Floor, release

ENGINES: Mapping[str, Engine] = {
    "compiled": CompiledEngine(),
    "bullet": BulletEngine(),
    "mujoco": MujocoEngine(),
}
HALF_STEPS: Mapping[str, Engine] = {
    "compiled": CompiledEngine(replace(CompiledSettings(), step_s=CompiledSettings().step_s / 2)),
    "bullet": BulletEngine(replace(BulletSettings(), step_s=BulletSettings().step_s / 2)),
}
THROWS = {"compiled": 40_000, "bullet": 2000, "mujoco": 150}
FRICTIONS = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
RESTITUTION, ROOT = 0.5, 21
BRICK = parse_shape("2x2")


def thrown(
    engine: Engine,
    friction: float,
    count: int,
    faster: float = 1.0,
    bricks: int = 1,
    floor: Floor = PLANE,
    address: int = 0,
) -> Landing:
    """Return hands of 2x2 thrown by hand, with `faster` times the horizontal speed."""
    conditions = replace(PRESETS["hand"], bricks=bricks)
    states = release(BRICK, conditions, ROOT, (address,), 0, count, floor)
    states.velocity_m_s[..., :2] *= faster
    return engine.land(BRICK, ContactCoefficients(friction, RESTITUTION), states, floor)


def row(label: str, landing: Landing) -> str:
    """Return a row: share of sides with its interval, unsettled bricks, longest time and largest gain of energy."""
    counts, bricks = landing.counts(), landing.pose.size
    low, high = wilson(counts["side"], bricks)
    return (
        f"| {label} | {bricks} | {100 * counts['side'] / bricks:.1f} ({100 * low:.1f} to {100 * high:.1f}) "
        f"| {counts['unsettled']} | {landing.time_s.max():.2f} | {landing.energy_gain.max():.5f} |"
    )


def p_value(*landings: Landing) -> float:
    """Return the p-value of the hypothesis that all landings have the same shares of all poses."""
    return homogeneity(np.array([list(landing.counts().values()) for landing in landings]))[2]


def shares() -> None:
    """Print all engines at each friction; each throws other bricks."""
    for friction in FRICTIONS:
        landings = [
            thrown(engine, friction, THROWS[name], address=i)
            for i, (name, engine) in enumerate(ENGINES.items())
        ]
        for name, landing in zip(ENGINES, landings, strict=True):
            print(row(f"{friction:g}, {name}", landing), flush=True)
        pairs = [f"{p_value(landings[0], other):.3f}" for other in landings[1:]]
        print(f"friction {friction:g}: p compiled-bullet, compiled-mujoco: {', '.join(pairs)}")


def speeds() -> None:
    """Print throws without friction of which only the horizontal speed differs; it cannot matter."""
    for name, engine in ENGINES.items():
        still, *moving = [thrown(engine, 0.0, THROWS[name], faster) for faster in (0.0, 1.0, 3.0)]
        for faster, landing in zip((1, 3), moving, strict=True):
            changed = int((landing.pose != still.pose).sum())
            print(
                f"{name}: {changed} of {landing.pose.size} poses at {faster} times the speed are not those at speed 0; "
                f"p {p_value(still, landing):.3f}",
                flush=True,
            )


def steps() -> None:
    """Print compiled and bullet with half the time step, for the same bricks as in `shares`."""
    for friction in (0.0, 0.01):
        for i, (name, engine) in enumerate(HALF_STEPS.items()):
            landing = thrown(engine, friction, THROWS[name], address=i)
            usual = thrown(ENGINES[name], friction, THROWS[name], address=i)
            print(row(f"{friction:g}, {name}, half the step", landing), end=" ")
            print(f"p {p_value(usual, landing):.3f}", flush=True)


def together() -> None:
    """Print hands, and single bricks on other floors, at the least friction and below it."""

    class Unlimited(BulletEngine):
        def least_friction(self, bricks: int, floor: Floor) -> float:
            return 0.0

    cases = {"hands of 4": (4, "plane", 8), "tray": (1, "tray", 32)}
    for what, (bricks, floor, count) in (cases | {"baseplate": (1, "baseplate", 32)}).items():
        for friction in (0.05, 0.01, 0.0):
            landing = thrown(Unlimited(), friction, count, bricks=bricks, floor=FLOORS[floor])
            print(row(f"{what}, {friction:g}", landing), flush=True)


PARTS: Mapping[str, Callable[[], None]] = {
    part.__name__: part for part in (shares, speeds, steps, together)
}


@click.command()
@click.option("--only", type=click.Choice(list(PARTS)), multiple=True, help="These parts.")
def main(only: tuple[str, ...]) -> None:
    """Print the parts."""
    for name in only or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
