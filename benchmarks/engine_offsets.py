"""Engine offsets: Bullet and MuJoCo against `compiled` over all causes of a law, in one design.

All engines throw at the same points of table, mould, edges and hand. The offset is one of the logarithm of the odds of
a side, as in a law (`brickphys.calibration.systematic`); the points are those at the mean chance.
"""

import argparse
from math import exp

from brickphys.calibration.response_design import causes, sobol_points
from brickphys.calibration.systematic import moved_odds, throw_offset, throw_response
from brickphys.calibration.throwers import ThrowCell, Throwers
from brickphys.throws.conditions import SURFACES, preset, surface

SHAPE, PRESET, SEED = "2x2", "hand", 31
POINTS, THROWS_PER_POINT = 1024, 800
"""Points of the design, and throws by `compiled` at each."""
WORKERS = 2


def compare(name: str, throws: dict[str, int]) -> None:
    """Print a row for each engine on a surface."""
    on = surface(name)
    cell = ThrowCell(SHAPE, preset(PRESET), on.nominal, "compiled", (1,))
    with Throwers(SEED, WORKERS) as throwers:
        response = throw_response(throwers, cell, on, POINTS, THROWS_PER_POINT, SEED)
        assert response is not None
        values = sobol_points(causes(cell, on), POINTS, SEED)
        p = float(response.shares(values)[:, -1].mean())
        for number, (engine, count) in enumerate(throws.items(), 2):
            other = ThrowCell(SHAPE, preset(PRESET), on.nominal, engine, (number,))
            offset = throw_offset(throwers, other, on, response, count, SEED)
            assert offset is not None
            shift = 100 * (float(moved_odds(p, exp(offset.mean))) - p)
            error = 196 * offset.error * p * (1 - p)
            print(
                f"| {name} | {engine} | {count // POINTS * POINTS:,} | {shift:+.2f} ± {error:.2f} |",
                flush=True,
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bullet", type=int, default=81_920, help="throws by Bullet")
    parser.add_argument("--mujoco", type=int, default=20_480, help="throws by MuJoCo")
    parser.add_argument("--surfaces", nargs="*", default=["wood"], choices=SURFACES)
    given = parser.parse_args()
    print("| surface | engine | throws | minus compiled, points |\n|---|---|---|---|")
    for name in given.surfaces:
        compare(name, {"bullet": given.bullet, "mujoco": given.mujoco})


if __name__ == "__main__":
    main()
