"""Limit: shares of the engine `compiled` and of the reference against the limit of small steps, with the same bricks.

The first row of a table is the limit: `compiled` with a step of 1/8000 s, whose corners bounce from a quarter of the
default's speed on. The 95 % error of a difference counts the bricks that end on a side with one of both only. All other
rows of it have the speed of the default, but those that tell another one.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from benchmarks.reference import ReferenceEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Engine
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset, surface
from brickphys.throws.release import release
from brickphys.units import Mask

SEED, CHUNK = 21, 16_384
SURFACES = ("wood", "glass", "cloth")
LIMIT = 8000
"""Steps a second of the limit."""
COMPILED, REFERENCE = CompiledEngine(), ReferenceEngine()


def compiled(steps_a_second: float = 1 / COMPILED.settings.step_s, bounce: float = 1.0) -> Engine:
    """Return the engine with another step, and a share of the default's speed that does not bounce."""
    usual = COMPILED.settings
    steps = bounce * usual.bounce_steps * usual.step_s * steps_a_second
    return replace(COMPILED, settings=replace(usual, step_s=1 / steps_a_second, bounce_steps=steps))


VARIANTS: dict[str, Engine] = {
    f"limit: 1/{LIMIT} s": compiled(LIMIT, 1 / 4),
    "compiled, its defaults (1/500 s, 4.9 mm/s)": COMPILED,
    **{f"compiled, 1/{n} s": compiled(n) for n in (250, 1000, 2000, 8000)},
    **{
        f"compiled, bounces from {4.9 * share:.3g} mm/s on": compiled(bounce=share)
        for share in (1 / 2, 2)
    },
    **{
        f"compiled, touch share {share:g}": replace(
            COMPILED, settings=replace(COMPILED.settings, touch_share=share)
        )
        for share in (1e-4, 1e-5, 1e-7, 1e-8, 1e-9)
    },
    "reference, its defaults (1/2000 s, touch share 1e-4)": REFERENCE,
    **{
        f"reference, touch share {share:g}": replace(
            REFERENCE, settings=replace(REFERENCE.settings, touch_share=share)
        )
        for share in (1e-5, 1e-6)
    },
    "reference, 1/8000 s": replace(
        REFERENCE, settings=replace(REFERENCE.settings, step_s=1 / 8000)
    ),
}


def sides(engine: Engine, table: str, throws: int) -> tuple[Mask, float]:
    """Return which bricks end on a side, shape (throws,), and the largest gain of energy."""
    body, contact, hand = parse_shape("2x2"), surface(table).nominal, preset("hand")
    parts, gain = [], 0.0
    for first in range(0, throws, CHUNK):
        count = min(CHUNK, throws - first)
        end = engine.land(body, contact, release(body, hand, SEED, (), first, count))
        parts.append(end.pose[:, 0] == end.poses.index("side"))
        gain = max(gain, float(end.energy_gain.max()))
    return np.concatenate(parts), gain


def study(table: str, throws: int, names: Sequence[str]) -> None:
    """Print a table: the share of sides of each variant, and its difference from the first."""
    print(f"| {table}, {throws} throws a row | side, % | minus the limit, points | energy gain |")
    print("|---|---|---|---|")
    limit: Mask | None = None
    for name in names:
        side, gain = sides(VARIANTS[name], table, throws)
        limit = side if limit is None else limit
        shift = 100 * (side.mean() - limit.mean())
        error = 100 * 1.96 * sqrt(((side != limit).mean() - (shift / 100) ** 2) / throws)
        difference = "" if limit is side else f"{shift:+.3f} ± {error:.3f}"
        print(f"| {name} | {100 * side.mean():.2f} | {difference} | {gain:.4f} |", flush=True)
    print()


def main() -> None:
    """Print a table for each surface."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=400_000, help="throws a row")
    parser.add_argument("--only", nargs="*", default=[""], help="rows that contain one of these")
    parser.add_argument("--surfaces", nargs="*", default=SURFACES, choices=SURFACES)
    arguments = parser.parse_args()
    first, *others = VARIANTS
    names = [first, *(n for n in others if any(part in n for part in arguments.only))]
    for table in arguments.surfaces:
        study(table, arguments.throws, names)


if __name__ == "__main__":
    main()
