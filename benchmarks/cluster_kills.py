"""A study on a Dask cluster whose workers are killed again and again, against the same study on this machine.

``python -m benchmarks.cluster_kills`` throws a million bricks on four workers and kills one every ten seconds: two of
three times the process that works, which its nanny starts again, else the nanny with it, as when a machine is lost; a
new worker follows. The rows must equal those of an undisturbed run, one by one.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from benchmarks.dask_cluster import Cluster, Process, at_work, end
from brickphys.batch.chunk import CELL, RUN
from brickphys.batch.store import open_store

EDGES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35)
"""Edge radii in mm, one a cell."""
_MACHINE_LOST = 3
"""Every so many kills, the nanny dies too."""
_PATIENCE_S = 300
"""Time without any worker: on a busy machine each takes a while to start."""


class Seen(NamedTuple):
    """What came of a study: its rows, in order; seconds; workers killed."""

    rows: pa.Table
    seconds: float
    kills: int


def study(throws: int) -> str:
    """Return a study of so many throws of the compiled engine."""
    return (
        f'kind = "drop"\nseed = 1\nrepeats = {throws // len(EDGES)}\n'
        f'[fixed]\nshape = "2x2"\nengine = "compiled"\n[grid]\nedge_radius_mm = {list(EDGES)}\n'
    )


def start_run(spec: Path, folder: Path, *words: object) -> subprocess.Popen[bytes]:
    """Start the command that runs a study."""
    command = [sys.executable, "-m", "brickphys", "batch", "run", spec, "--out", folder, *words]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)


def undisturbed(spec: Path, folder: Path, workers: int = 2) -> Seen:
    """Run a study on this machine."""
    begun = time.perf_counter()
    status = start_run(spec, folder, "--workers", workers).wait()
    return Seen(rows(folder, status), time.perf_counter() - begun, 0)


def killed(spec: Path, folder: Path, workers: int, every_s: float, rng: random.Random) -> Seen:
    """Run a study on a cluster, and kill a worker every `every_s` seconds, if rows were kept since the last time."""
    with Cluster() as cluster:
        cluster.scheduler()
        for _ in range(workers):
            cluster.worker()
        begun, kills, stored = time.perf_counter(), 0, 0
        runner = start_run(spec, folder, "--dask", cluster.address, "--dask-wait", _PATIENCE_S)
        while runner.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                runner.wait(every_s)
                break
            before, stored = stored, len(list(folder.glob("shards/*")))
            if stored > before:
                kills += _kill(cluster, rng, whole=kills % _MACHINE_LOST == _MACHINE_LOST - 1)
        return Seen(rows(folder, runner.wait()), time.perf_counter() - begun, kills)


def _kill(cluster: Cluster, rng: random.Random, *, whole: bool) -> int:
    """Kill a worker that works; return how many were killed."""
    working = [(nanny, pid) for nanny in cluster.workers if (pid := at_work(nanny))]
    if not working:
        return 0
    nanny, pid = rng.choice(working)
    if whole:
        _replace(cluster, nanny)
    else:
        os.kill(pid, signal.SIGKILL)
    return 1


def _replace(cluster: Cluster, nanny: Process) -> None:
    end(nanny)
    cluster.workers.remove(nanny)
    cluster.worker()


def rows(folder: Path, status: int) -> pa.Table:
    """Return the rows of a study that ended with an exit status, in order."""
    if status:
        raise SystemExit(f"the run ended with exit status {status}")
    found = open_store(folder).rows()
    ordered = found.select(sorted(found.column_names))
    return ordered.sort_by([(CELL, "ascending"), (RUN, "ascending")]).combine_chunks()


def main() -> None:
    """Compare a study on a cluster with kills with an undisturbed one, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--every", type=float, default=10.0, help="seconds between kills")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = folder / "study.toml"
        spec.write_text(study(asked.throws))
        seen = killed(spec, folder / "killed", asked.workers, asked.every, random.Random(1))
        on = f"on {asked.workers} workers, of which {seen.kills} were killed"
        print(f"{seen.rows.num_rows:,} throws {on}: {seen.seconds:.0f} s")
        whole = undisturbed(spec, folder / "whole")
        print(f"{whole.rows.num_rows:,} throws undisturbed: {whole.seconds:.0f} s")
    equal = seen.rows.equals(whole.rows)
    print(f"rows equal in all {len(whole.rows.column_names)} columns: {'yes' if equal else 'NO'}")
    sys.exit(not equal)


if __name__ == "__main__":
    main()
