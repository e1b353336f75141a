"""Shares of sides by the MuJoCo engine for several contact times and time steps: the table in docs/engines.md.

Each row throws different bricks.
"""

import argparse

from brickphys.calibration.throwers import tally
from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_world import MujocoSettings
from brickphys.odds.distribution import wilson
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset, surface
from brickphys.throws.release import release

SEED = 21
ROWS = ((1e-3, 16), (5e-4, 16), (2e-4, 16), (1e-4, 16), (2e-4, 8), (2e-4, 32))
"""Contact time in s, and time steps in it."""


def main() -> None:
    """Throw the bricks of every row and print its share of sides."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=4000, help="throws a row")
    parser.add_argument("--surface", default="glass")
    arguments = parser.parse_args()
    body, contact = parse_shape("2x2"), surface(arguments.surface).nominal
    print("| contact, ms | steps in it | side | 95 % interval | energy gain at most |")
    print("|---|---|---|---|---|")
    for row, (contact_s, steps) in enumerate(ROWS):
        settings = MujocoSettings(contact_s, contact_s / steps, 2 * contact_s)
        states = release(body, preset("hand"), SEED, (row,), 0, arguments.throws)
        fallen = tally(MujocoEngine(settings).land(body, contact, states))
        low, high = wilson(fallen.sides, fallen.bricks)
        print(
            f"| {1000 * contact_s:g} | {steps} | {fallen.sides / fallen.bricks:.4f} | {low:.4f} to {high:.4f} | "
            f"{fallen.energy_gain:.1g} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
