"""Throws a second of the reference engine against a plain PyBullet loop, and memory for a million throws.

Run by ``make bench``. Both throw the same bricks with the same time step on one core, in turns, so that a machine that
slows down slows both.
"""

import argparse
import resource
import statistics
import sys
import time

from benchmarks import naive_pybullet
from brickphys.calibration.drop import drop
from brickphys.calibration.throwers import Cell
from brickphys.engines.bullet import BulletEngine
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset
from brickphys.throws.release import release
from brickphys.throws.surfaces import surface

ROUNDS = 3
NAIVE_THROWS = 150
ENGINE_THROWS = 2048


def compare() -> None:
    """Print throws a second of both, round by round, and the median of the ratios."""
    engine, body = BulletEngine(), parse_shape("2x2")
    contact, conditions = surface("wood").nominal, preset("hand")
    step_s = engine.settings.step_s
    engine.land(body, contact, release(body, conditions, 0, (0,), 0, 2))
    print(f"2x2, hand, wood, one core, time step 1/{1 / step_s:.0f} s")
    print(
        f"{'round':>6}{'naive /s':>12}{'bullet /s':>12}{'ratio':>8}   side, naive    side, bullet"
    )
    ratios = []
    for number in range(ROUNDS):
        states = release(body, conditions, 1, (number,), 0, ENGINE_THROWS)
        start = time.perf_counter()
        rested, sides = naive_pybullet.throw(body, contact, states[:NAIVE_THROWS], step_s)
        naive = NAIVE_THROWS / (time.perf_counter() - start)
        start = time.perf_counter()
        landing = engine.land(body, contact, states)
        fast = ENGINE_THROWS / (time.perf_counter() - start)
        ratios.append(fast / naive)
        share = landing.counts()["side"] / ENGINE_THROWS
        print(
            f"{number + 1:>6}{naive:>12.0f}{fast:>12.0f}{ratios[-1]:>8.1f}   "
            f"{sides}/{rested} of {NAIVE_THROWS:<5} {share:.3f}"
        )
    print(f"median ratio: {statistics.median(ratios):.1f}\n")


def memory(throws: int, workers: int) -> None:
    """Print the largest memory of this process and of its workers over so many throws."""
    cell = Cell("2x2", preset("hand"), surface("wood").nominal, "bullet", (1,))
    result = drop(cell, throws, seed=1, workers=workers)
    own = _megabytes(resource.RUSAGE_SELF)
    largest = _megabytes(resource.RUSAGE_CHILDREN) if workers > 1 else 0.0
    print(
        f"{throws} throws with {workers} worker(s) in {result.seconds:.0f} s: this process {own:.0f} MB, largest "
        f"worker {largest:.0f} MB, all together at most {own + workers * largest:.0f} MB (aim: below 500 MB)"
    )


def _megabytes(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def main() -> None:
    """Run the comparison, then the memory measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--memory-throws", type=int, default=100_000, help="1000000 takes a quarter of an hour"
    )
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    compare()
    sys.stdout.flush()
    memory(arguments.memory_throws, arguments.workers)


if __name__ == "__main__":
    main()
