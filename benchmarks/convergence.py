"""Convergence study of the settings of Bullet; `limit` has those of the other engines.

`make convergence` prints the tables of docs/convergence.md.

Every variant uses different random numbers, as the chi-squared test of its pose counts against those of the defaults
requires. With some twenty tests, one p-value of 0.05 is expected by chance; significant are p-values below 0.002.
"""

import argparse
import operator
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import reduce
from multiprocessing import get_context

import numpy as np
from scipy.stats import chi2_contingency

from brickphys.calibration.throwers import Tally, tally
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.engines.engine import Engine
from brickphys.errors import DivergenceError
from brickphys.odds.distribution import wilson
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients, preset, surface
from brickphys.throws.release import BASEPLATE, PLANE, Floor, release

SEED = 20
CHUNK = 1024
DEFAULT = BulletSettings()
WOOD, GLASS = surface("wood").nominal, surface("glass").nominal


@dataclass(frozen=True)
class Variant:
    """A variant of the integration: its name, settings, contact coefficients and floor."""

    name: str
    settings: BulletSettings = DEFAULT
    contact: ContactCoefficients = WOOD
    floor: Floor = PLANE

    def engine(self) -> Engine:
        """Return the engine of the settings."""
        return BulletEngine(self.settings, max_restitution=1.0)


def at_step(step_s: float) -> BulletSettings:
    """Return the settings at another time step, with the breaking distance in proportion."""
    breaking_mm = DEFAULT.breaking_mm * step_s / DEFAULT.step_s
    return replace(DEFAULT, step_s=step_s, breaking_mm=breaking_mm)


SETTINGS = (
    Variant("defaults"),
    Variant("defaults, other bricks"),
    *(Variant(f"step 1/{n} s", at_step(1 / n)) for n in (500, 1000, 2000, 8000)),
    *(Variant(f"{n} iterations", replace(DEFAULT, iterations=n)) for n in (5, 10, 50, 200)),
    *(Variant(f"margin {x:g} mm", replace(DEFAULT, margin_mm=x)) for x in (0.0001, 0.01, 0.1, 1.0)),
    *(Variant(f"breaking {x:g} mm", replace(DEFAULT, breaking_mm=x)) for x in (0.01, 0.2)),
    *(Variant(f"ERP {x:g}", replace(DEFAULT, erp=x)) for x in (0.02, 0.2)),
    Variant("flight stepped", replace(DEFAULT, flights=False)),
    Variant("integrated to rest", replace(DEFAULT, by_energy=False)),
    *(Variant(f"a check every {x * 1e3:g} ms", replace(DEFAULT, check_s=x)) for x in (0.002, 0.02)),
    Variant("no bounce below 8 steps' fall", replace(DEFAULT, bounce_steps=8.0)),
    *(Variant(f"{n} hands a world", replace(DEFAULT, hands=n)) for n in (64, 1024)),
)
ON_GLASS = tuple(
    Variant(f"on glass, step 1/{n} s", at_step(1 / n), GLASS) for n in (4000, 1000, 2000, 8000)
)
ON_STUDS = tuple(
    Variant(
        f"on studs, step 1/{n} s", at_step(1 / n), surface(BASEPLATE.surface).nominal, BASEPLATE
    )
    for n in (4000, 2000, 8000)
)
RESTITUTIONS = tuple(
    Variant(f"e = {e:g}, step 1/{n} s", at_step(1 / n), ContactCoefficients(WOOD.friction, e))
    for e in (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
    for n in (2000, 4000, 8000)
)


def throw(variant: Variant, cell: int, first: int, count: int) -> Tally:
    """Throw one chunk of a variant."""
    body = parse_shape("2x2")
    states = release(body, preset("hand"), SEED, (cell,), first, count, variant.floor)
    return tally(variant.engine().land(body, variant.contact, states, variant.floor))


def study(variants: Sequence[Variant], throws: int, workers: int, first_cell: int) -> None:
    """Print a table: each variant's share of sides, and its poses against those of the first variant."""
    print("| variant | side | 95 % interval | p against the first | energy gain at most | s |")
    print("|---|---|---|---|---|---|")
    reference: Tally | None = None
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for number, variant in enumerate(variants):
            cell = first_cell + number
            start = time.perf_counter()
            futures = [
                pool.submit(throw, variant, cell, first, min(CHUNK, throws - first))
                for first in range(0, throws, CHUNK)
            ]
            total = total_of(futures)
            reference = reference or total
            answer = cells(total, reference)
            print(f"| {variant.name} | {answer} | {time.perf_counter() - start:.0f} |", flush=True)


def total_of(futures: Sequence["Future[Tally]"]) -> Tally | None:
    """Return the sum of all chunks; None if the engine diverged in one of them."""
    try:
        return reduce(operator.add, (future.result() for future in futures))
    except DivergenceError:
        for future in futures:
            future.cancel()
        return None


def cells(total: Tally | None, reference: Tally | None) -> str:
    """Return the measured cells of a variant's row."""
    if total is None or reference is None:
        return "diverges | | |"
    low, high = wilson(total.sides, total.bricks)
    agrees = "" if total is reference else f"{p_value(reference, total):.3f}"
    share = total.sides / total.bricks
    return f"{share:.4f} | {low:.4f} to {high:.4f} | {agrees} | {total.energy_gain:.4f}"


def p_value(one: Tally, other: Tally) -> float:
    """Return the p-value of equal shares of poses in both tallies."""
    table = np.array([list(one.counts.values()), list(other.counts.values())])
    return float(chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue)


def main() -> None:
    """Run all studies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=20_480, help="throws a variant")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--only", nargs="*", default=[""], help="variants whose names contain one of these"
    )
    arguments = parser.parse_args()
    for variants, throws, first_cell in (
        (SETTINGS, arguments.throws, 0),
        (ON_GLASS, arguments.throws, 60),
        (ON_STUDS, arguments.throws // 10, 80),
        (RESTITUTIONS, arguments.throws // 4, 100),
    ):
        wanted = [v for v in variants if any(part in v.name for part in arguments.only)]
        if wanted:
            study(wanted, throws, arguments.workers, first_cell)
            print()


if __name__ == "__main__":
    main()
