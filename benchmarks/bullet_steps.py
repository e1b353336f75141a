"""Bullet's steps: the share of sides at five time steps over all causes of a law, and the trend towards no step.

Bounces amplify the difference of two steps: throws with the same start end hardly more often alike than others do
(the last two columns), so a difference of two steps has nearly the error of two shares. All throws together, fitted as
a polynomial of the step, have a smaller one: the trend tells how far the default is from the limit.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, sqrt

import numpy as np

import brickphys
from benchmarks.convergence import DEFAULT, at_step
from brickphys.calibration.response_design import causes, moved, sobol_points
from brickphys.calibration.systematic import BULLET_TO_LIMIT, moved_odds
from brickphys.calibration.throwers import ThrowCell
from brickphys.engines.bullet import BulletEngine
from brickphys.throws.conditions import preset, surface
from brickphys.throws.release import release
from brickphys.units import Array, Mask

SURFACES = ("wood", "glass", "cloth")
SHAPE, PRESET, SEED = "2x2", "hand", 37
POINTS = 64
STEPS = (500, 1000, 2000, 4000, 8000)
"""Steps a second; the default is among them."""
USUAL = STEPS.index(round(1 / DEFAULT.step_s))


@dataclass(frozen=True)
class Trend:
    """The share at the default's step minus that without a step, by a polynomial of the step, in points."""

    bias: float
    error: float
    """Standard error."""
    z: float
    """Highest coefficient of the polynomial over its standard error."""


def throws(name: str, each: int) -> Mask:
    """Return which bricks end on a side, shape (points, bricks, steps): the same starts at each step."""
    on = surface(name)
    cell = ThrowCell(SHAPE, preset(PRESET), on.nominal, "bullet", (1,))
    uncertain = causes(cell, on)
    sides = np.empty((POINTS, each, len(STEPS)), dtype=bool)
    for number, point in enumerate(sobol_points(uncertain, POINTS, SEED)):
        at = moved(cell, uncertain, point, number)
        body = at.body
        starts = release(body, at.conditions, SEED, at.address, 0, each)
        for place, steps in enumerate(STEPS):
            end = BulletEngine(at_step(1 / steps)).land(body, at.contact, starts)
            sides[number, :, place] = np.isin(
                end.pose[:, 0], [end.poses.index(pose) for pose in body.scoring]
            )
    return sides


def trend(sides: Mask, degree: int) -> Trend:
    """Return the trend of throws, shape (points, bricks, steps); its error is that of a sum over each brick."""
    step = STEPS[USUAL] / np.array(STEPS)
    rows = np.linalg.pinv(step[:, None] ** np.arange(degree + 1))
    bricks = sides.reshape(-1, len(STEPS)).astype(float)
    bias, highest = bricks @ rows[1:].sum(axis=0), bricks @ rows[degree]
    error, tail = (x.std() / sqrt(len(x)) for x in (bias, highest))
    return Trend(100 * float(bias.mean()), 100 * float(error), float(highest.mean() / tail))


def print_steps(name: str, sides: Mask) -> None:
    """Print a row for each step."""
    print(
        f"| {name}, {sides[..., 0].size:,} throws a row | side, % | minus the default, points |",
        end="",
    )
    print(" end otherwise, % | if independent, % |\n|---|---|---|---|---|")
    p = sides.mean(axis=1)
    for place, steps in enumerate(STEPS):
        row = f"| 1/{steps} s | {100 * p[:, place].mean():.2f} |"
        if place == USUAL:
            print(f"{row} | | |")
            continue
        other = sides[..., place] != sides[..., USUAL]
        shift = (p[:, place] - p[:, USUAL]).mean()
        error = 1.96 * sqrt((other.mean() - shift**2) / other.size)
        chance = expected(p[:, place], p[:, USUAL])
        print(
            f"{row} {100 * shift:+.2f} ± {100 * error:.2f} | {100 * other.mean():.1f} | {100 * chance:.1f} |"
        )
    print(flush=True)


def expected(one: Array, other: Array) -> float:
    """Return how many independent throws with these shares end otherwise, in the mean over the points."""
    return float((one * (1 - other) + other * (1 - one)).mean())


def print_trends(sides: Mapping[str, Mask]) -> None:
    """Print the trends of each surface and of all together."""
    print(
        "| surface | polynomial | default minus the limit, points | z of its highest term |\n|---|---|---|---|"
    )
    together = {"all": np.concatenate(list(sides.values()))} if len(sides) > 1 else {}
    for name, one in {**sides, **together}.items():
        for degree, said in ((1, "line"), (2, "parabola")):
            found = trend(one, degree)
            print(
                f"| {name} | {said} | {found.bias:+.2f} ± {1.96 * found.error:.2f} | {found.z:+.1f} |"
            )
    print_biases(sides)


def print_biases(sides: Mapping[str, Mask]) -> None:
    """Print the bias of each surface by the line, their mean, and nominals by a surface's own bias instead."""
    print(
        "\n| surface | bias by the line, logarithm of odds | nominal, % | by its own bias, % |\n|---|---|---|---|"
    )
    biases = []
    for name, one in sides.items():
        usual, nominal = one[..., USUAL], float(brickphys.law(name).p)
        p = float(usual.sum() + 1) / (usual.size + 2)  # never 0 or 1
        biases.append(trend(one, 1).bias / 100 / (p * (1 - p)))
        own = float(moved_odds(nominal, exp(-biases[-1] - BULLET_TO_LIMIT.mean)))
        print(f"| {name} | {biases[-1]:+.4f} | {100 * nominal:.1f} | {100 * own:.2f} |")
    mean, error = float(np.mean(biases)), 0.0
    if (count := len(biases)) > 1:
        error = float(np.std(biases, ddof=1)) * sqrt(1 + 1 / count)
    print(f"\nmean {mean:+.4f}, standard error for another surface {error:.4f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=20_480, help="throws a surface and step")
    parser.add_argument("--surfaces", nargs="*", default=SURFACES, choices=SURFACES)
    given = parser.parse_args()
    sides = {}
    for name in given.surfaces:
        sides[name] = throws(name, max(1, given.throws // POINTS))
        print_steps(name, sides[name])
    print_trends(sides)


if __name__ == "__main__":
    main()
