"""Engine offsets: Bullet and MuJoCo against `compiled` over all causes of a law, in one design.

All engines throw at the same points of table, mould, edges and hand. The offset is one of the logarithm of the odds of
a side, as in a law (`brickphys.calibration.systematic`); the points are those at the mean chance. ``--weights`` throws
nothing: it tells the nominal and the range of the shipped law of wood if the engines had other weights.
"""

import argparse
from math import exp

import numpy as np

from brickphys.calibration.response_design import causes, sobol_points
from brickphys.calibration.systematic import moved_odds, throw_offset, throw_response
from brickphys.calibration.throwers import ThrowCell, Throwers
from brickphys.odds.law_file import default_law
from brickphys.odds.provenance import ENGINE
from brickphys.throws.conditions import SURFACES, preset, surface
from brickphys.units import Array

SHAPE, PRESET, SEED = "2x2", "hand", 31
POINTS, THROWS_PER_POINT = 1024, 800
"""Points of the design, and throws by `compiled` at each."""
WORKERS = 2
MUJOCO = (-0.78, 0.62 / 1.96)
"""Offset of MuJoCo on wood and its standard error in points, by 20,480 throws (``--mujoco 20480``)."""
SPREAD = 1.0
"""Scale of the half-normal prior of the standard deviation between engines, in points."""
_DRAWS = 64  # of an offset, for each draw of the law


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


def alike(offsets: Array, rng: np.random.Generator, draws: int) -> Array:
    """Return draws of the mean of all engines, of which these are three: means and errors, shape (2, engines)."""
    means, errors = offsets
    spread = np.linspace(SPREAD / 200, 4 * SPREAD, 800)[:, None]
    weights = 1 / (errors**2 + spread**2)
    mean, error = (weights * means).sum(axis=1) / weights.sum(axis=1), weights.sum(axis=1) ** -0.5
    fit = (np.log(weights) - weights * (means - mean[:, None]) ** 2).sum(axis=1) / 2
    log_density = fit + np.log(error) - (spread[:, 0] / SPREAD) ** 2 / 2
    density = np.exp(log_density - log_density.max())
    chosen = rng.choice(len(density), draws, p=density / density.sum())
    return np.asarray(rng.normal(mean[chosen], error[chosen]))


def print_weights() -> None:
    """Print nominal and range of the shipped law, from its own draws, with other offsets of engines."""
    law, rng = default_law(), np.random.default_rng(SEED)
    assert law.posterior is not None
    assert law.systematic is not None
    bullet = law.systematic.sources[ENGINE]
    offsets = 100 * np.array([[0.0, bullet.shift], [0.0, bullet.error]])
    offsets = np.column_stack([offsets, MUJOCO])
    drawn = {name: np.array(law.posterior[name]) for name in ("p", "engine_offset")}
    own = np.repeat(moved_odds(drawn["p"], np.exp(-drawn["engine_offset"].mean())), _DRAWS)
    p = float(law.p)
    print(
        "| weight of compiled, Bullet, MuJoCo | offset, points | nominal, % | 90 % range, % |\n|---|---|---|---|"
    )
    shares = {"0, 1, 0 (shipped)": (0, 1, 0), "1, 0, 0": (1, 0, 0), "0, 0, 1": (0, 0, 1)}
    shares |= {"1/3, 1/3, 1/3": (1, 1, 1), "1/4, 1/4, 1/2": (1, 1, 2)}
    offsets_by = {
        said: rng.normal(*offsets[:, rng.choice(3, len(own), p=np.array(share) / sum(share))])
        for said, share in shares.items()
    }
    for said, moved in (offsets_by | {"alike": alike(offsets, rng, len(own))}).items():
        low, nominal, high = 100 * np.quantile(
            moved_odds(own, np.exp(moved / 100 / (p * (1 - p)))), (0.05, 0.5, 0.95)
        )
        print(
            f"| {said} | {moved.mean():+.2f} ± {1.96 * moved.std():.2f} | {nominal:.2f} | {low:.1f} to {high:.1f} |"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bullet", type=int, default=81_920, help="throws by Bullet")
    parser.add_argument("--mujoco", type=int, default=20_480, help="throws by MuJoCo")
    parser.add_argument("--surfaces", nargs="*", default=["wood"], choices=SURFACES)
    parser.add_argument("--weights", action="store_true", help="the law with other weights")
    given = parser.parse_args()
    if given.weights:
        print_weights()
        return
    print("| surface | engine | throws | minus compiled, points |\n|---|---|---|---|")
    for name in given.surfaces:
        compare(name, {"bullet": given.bullet, "mujoco": given.mujoco})


if __name__ == "__main__":
    main()
