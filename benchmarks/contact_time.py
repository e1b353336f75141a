"""Do the shares of the MuJoCo engine depend on how long its contacts last? Prints a table for docs/engines.md.

Every row throws bricks of its own, with 16 steps a contact unless it says otherwise.
"""

import argparse

from brickphys.calibration.tally import tally, wilson
from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_model import MujocoSettings
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset
from brickphys.throws.release import release
from brickphys.throws.surfaces import surface

SEED = 21
ROWS = ((1e-3, 16), (5e-4, 16), (2e-4, 16), (1e-4, 16), (2e-4, 8), (2e-4, 32))
"""Contact time in s, and steps in it."""


def main() -> None:
    """Throw every row and print its share of sides."""
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
