"""Time and memory of `infer` with 3,000,000 hands, against a plain reading of the file by pyarrow.

Run with ``python -m benchmarks.home_counts``.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS = 3_000_000
PLAIN = "import sys, pyarrow.csv; print(pyarrow.csv.read_csv(sys.argv[1]).num_rows)"


def write_counts(path: Path, rows: int) -> None:
    """Write hands of one to six bricks, of which two in five stop on a side."""
    rng = random.Random(1)
    hands = (rng.randint(1, 6) for _ in range(rows))
    lines = (f"{k},{sum(rng.random() < 0.42 for _ in range(k))}\n" for k in hands)
    with path.open("w", encoding="utf-8") as file:
        file.write("bricks,score\n")
        file.writelines(lines)


def cost(*words: str) -> tuple[float, float]:
    """Return the seconds of the processor and the greatest memory (MB) of a program."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, sys.executable, *words],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def main() -> None:
    """Print the figures of both programs and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.csv"
        write_counts(path, ROWS)
        for name, words in (
            ("infer", ("-m", "brickphys", "infer", str(path), "--seed", "1")),
            ("pyarrow", ("-c", PLAIN, str(path))),
        ):
            seconds, megabytes = cost(*words)
            print(f"{name:8} {seconds:6.1f} s  {megabytes:5.0f} MB")


if __name__ == "__main__":
    main()
