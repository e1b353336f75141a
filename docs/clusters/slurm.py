"""A study on a SLURM cluster; docs/batch.md explains it.

``sbatch --cpus-per-task 2 --mem 6G --time 2-0 --wrap "python slurm.py STUDY --out DIR"`` starts this program in a job
of its own, which lasts as long as the study: it is scheduler and runner, and submits the jobs of the workers with
dask-jobqueue. The same command continues a study.
"""

import argparse
import subprocess
import sys
from contextlib import suppress

from dask_jobqueue import SLURMCluster

WORKERS_A_JOB = 16
"""A worker a core: throws and games use one."""
MEMORY_A_WORKER_GB = 1.5
WALLTIME = "01:00:00"
LIFETIME_MIN, STAGGER_MIN = 50, 8
"""Workers end by themselves in the last minutes of a job, not all in the same one: chunks that wait there are moved."""
LOOK_S = 10
"""Time between looks for jobs that have ended."""
SETTINGS = ("NUMBA_NUM_THREADS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
"""Of the worker processes. Nodes with different processors also need ``NUMBA_CPU_NAME=generic``, here and above."""


def cluster(partition: str, account: str | None, constraint: str | None) -> SLURMCluster:
    """Return a cluster without workers; its scheduler is in this process."""
    return SLURMCluster(
        job_name="brickphys",
        queue=partition,
        account=account,
        cores=WORKERS_A_JOB,
        processes=WORKERS_A_JOB,
        memory=f"{WORKERS_A_JOB * MEMORY_A_WORKER_GB:g}GB",
        walltime=WALLTIME,
        job_extra_directives=[f"--constraint={constraint}"] if constraint else [],
        job_script_prologue=[f"export {setting}" for setting in SETTINGS],
        worker_extra_args=[
            "--lifetime",
            f"{LIFETIME_MIN}m",
            "--lifetime-stagger",
            f"{STAGGER_MIN}m",
        ],
        local_directory="/tmp",  # of the node; workers keep nothing
        python=sys.executable,  # the environment is on a disk that all nodes see
    )


def replace_lost(made: SLURMCluster, jobs: int, seen: set[str]) -> None:
    """Submit new jobs for those that had workers, which are in `seen`, and have none any more."""
    alive = [str(worker["name"]) for worker in made.scheduler_info["workers"].values()]
    working = {
        job for job in made.worker_spec if any(f"{name}-".startswith(f"{job}-") for name in alive)
    }
    seen |= working
    if lost := [job for job in made.worker_spec if job in seen - working]:
        made.sync(made.scale_down, lost)
        made.scale(jobs=jobs)


def main() -> None:
    """Run a study with the workers of SLURM jobs, and end with the exit status of the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study")
    parser.add_argument("--out", required=True, help="folder of the batch, on a disk that lasts")
    parser.add_argument("--jobs", type=int, default=4, help="jobs at the same time")
    parser.add_argument("--partition", default="compute")
    parser.add_argument("--account")
    parser.add_argument("--constraint", help="feature of nodes with equal processors")
    parser.add_argument("--wait", type=int, default=86_400, help="seconds in the queue, at most")
    asked = parser.parse_args()
    with cluster(asked.partition, asked.account, asked.constraint) as made:
        made.scale(jobs=asked.jobs)
        words = [asked.study, "--out", asked.out, "--dask", made.scheduler_address]
        command = [sys.executable, "-m", "brickphys", "batch", "run", *words]
        runner = subprocess.Popen([*command, "--dask-wait", str(asked.wait)])
        seen: set[str] = set()
        while runner.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                runner.wait(LOOK_S)
            replace_lost(made, asked.jobs, seen)
    sys.exit(runner.returncode)


if __name__ == "__main__":
    main()
