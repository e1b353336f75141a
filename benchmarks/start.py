"""Time of the compiled engine: its first start, a later start, and a share with a half-width of 0.001.

Run by ``make bench``. Each figure is that of one command line with its workers: wall time, which other processes
lengthen, and processor time. For the first start, Numba's cache directory is empty.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

THROWS = 795_000
"""Enough for a 95 % half-width of 0.001 if up to 29.1 % of all bricks stop on a side (on wood 29.0 % do)."""


def drop(throws: int, workers: int, cache: str) -> tuple[float, float, float]:
    """Return wall time and processor time of one `brickphys drop` in s, and the half-width of its interval."""
    command = [sys.executable, "-c", "from brickphys.cli.main import main; main()"]
    options = ["--engine", "compiled", "--throws", str(throws), "--workers", str(workers)]
    start, before = time.perf_counter(), _processor_s()
    done = subprocess.run(
        [*command, "drop", "2x2", *options, "--seed", "1", "--json"],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        capture_output=True,
        check=True,
    )
    seconds, processor_s = time.perf_counter() - start, _processor_s() - before
    low, high = json.loads(done.stdout)["ci95"]
    return seconds, processor_s, (high - low) / 2


def _processor_s() -> float:
    """Return the processor time of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=THROWS)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        first = drop(1, 1, cache)
        again = min(drop(1, 1, cache) for _ in range(3))
    with tempfile.TemporaryDirectory() as cache:
        cold = drop(arguments.throws, arguments.workers, cache)
    print("2x2, hand, wood, compiled engine; load average", *(f"{x:.1f}" for x in os.getloadavg()))
    print("                                       wall, s   processor, s")
    print(f"one throw, from an empty cache         {first[0]:>7.2f}{first[1]:>15.2f}   (aim: 2)")
    print(f"one throw, later                       {again[0]:>7.2f}{again[1]:>15.2f}   (aim: 0.3)")
    print(
        f"{arguments.throws} throws from a cold start   {cold[0]:>7.1f}{cold[1]:>15.1f}   (aim: 8 with two "
        f"workers; half-width {cold[2]:.5f}, aim: 0.001)"
    )


if __name__ == "__main__":
    main()
