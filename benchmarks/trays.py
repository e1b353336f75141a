"""Shares of poses in trays of two sizes, by the compiled engine, Bullet and MuJoCo, and whether they agree.

Run it with ``python -m benchmarks.trays``: it prints the table of ``docs/engines.md``.
"""

import argparse
import itertools
import time
from dataclasses import replace

import numpy as np

from brickphys.calibration.agreement import homogeneity
from brickphys.engines.registry import ENGINES
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, surface
from brickphys.throws.release import TRAY, release

SHAPES, SURFACES, INSIDE_MM = ("2x2", "1x2", "d6:16"), ("wood", "glass", "cloth"), (250.0, 90.0)
POSES = {"2x2": "side", "1x2": "side", "d6:16": "1"}


def main() -> None:
    """Print a row for each tray, body and surface, and the mean differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiled", type=int, default=20_000)
    parser.add_argument("--bullet", type=int, default=1024)
    parser.add_argument("--mujoco", type=int, default=64)
    throws = vars(parser.parse_args())
    off: dict[str, list[tuple[float, float]]] = {"bullet": [], "mujoco": []}
    for inside_mm, shape, name in itertools.product(INSIDE_MM, SHAPES, SURFACES):
        body, tray = parse_shape(shape), replace(TRAY, inside_mm=inside_mm)
        shares, counts, row = {}, {}, f"| {inside_mm:.0f} | {shape} | {name} |"
        for cell, (engine, count) in enumerate(throws.items()):
            states, start = (
                release(body, PRESETS["hand"], 7, (cell,), 0, count, tray),
                time.process_time(),
            )
            found = ENGINES[engine].land(body, surface(name).nominal, states, tray).counts()
            seconds = time.process_time() - start
            share = found[POSES[shape]] / count
            variance = share * (1 - share) / count
            shares[engine], counts[engine] = (share, variance), list(found.values())
            row += f" {100 * share:.1f} ± {196 * variance**0.5:.1f}, {100 * found['leaning'] / count:.1f} |"
            row += f" {count / seconds:,.0f} |" if engine != "mujoco" else ""
        for engine, differences in off.items():
            (one, first), (two, second) = shares["compiled"], shares[engine]
            differences.append((one - two, first + second))
            p_value = homogeneity(np.array([counts["compiled"], counts[engine]]))[2]
            row += f" {p_value:.2f} |"
        print(row, flush=True)
    for engine, differences in off.items():
        mean, variance = np.array(differences).mean(axis=0)
        error = 196 * (variance / len(differences)) ** 0.5
        print(f"compiled minus {engine}, points: {100 * mean:+.2f} ± {error:.2f}")


if __name__ == "__main__":
    main()
