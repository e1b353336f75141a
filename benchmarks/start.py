"""Wall time of the compiled engine: its first start, a later start, and a share with a half-width of 0.001.

Run by ``make bench``. Each figure is the wall time of one process of the command line. For the first start, Numba's
cache directory is empty.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

THROWS = 825_000
"""Enough for a 95 % half-width of 0.001 if a third of all bricks stop on a side."""


def drop(throws: int, workers: int, cache: str) -> tuple[float, float]:
    """Return the wall time of one `brickphys drop` in s, and the half-width of its interval."""
    command = [sys.executable, "-c", "from brickphys.cli.main import main; main()"]
    options = ["--engine", "compiled", "--throws", str(throws), "--workers", str(workers)]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "drop", "2x2", *options, "--seed", "1", "--json"],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        capture_output=True,
        check=True,
    )
    seconds = time.perf_counter() - start
    low, high = json.loads(done.stdout)["ci95"]
    return seconds, (high - low) / 2


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=THROWS)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        first, _ = drop(1, 1, cache)
        again = min(drop(1, 1, cache)[0] for _ in range(3))
    with tempfile.TemporaryDirectory() as cache:
        cold, half_width = drop(arguments.throws, arguments.workers, cache)
    print("2x2, hand, wood, compiled engine; load average", *(f"{x:.1f}" for x in os.getloadavg()))
    print(f"one throw, compiled for the first time: {first:6.1f} s")
    print(f"one throw, from Numba's cache:          {again:6.2f} s (aim: below 1)")
    print(
        f"{arguments.throws} throws from a cold start, {arguments.workers} workers: {cold:.1f} s to a half-width "
        f"of {half_width:.5f} (aim: below 30 s to 0.001)"
    )


if __name__ == "__main__":
    main()
