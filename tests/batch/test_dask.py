"""A Dask cluster does the same work: the same rows, whoever dies, and whoever was gone for a while."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from batches import (
    DROP,
    HANDS,
    PATIENCE_S,
    STARTED,
    STOPPING,
    InProcess,
    call,
    completed,
    drawn,
    kept,
    numbers,
    pebbles,
    run_here,
    spec,
    start,
    study_file,
    table_bytes,
)

from brickphys.batch.kinds.study_type import Limits
from brickphys.batch.run.chunk import Chunk, ChunkJob
from brickphys.batch.store.store import JOURNAL, open_store, running_store
from brickphys.batch.study.spec import canonical
from brickphys.errors import InvalidValueError, WorkerStartError

pytest.importorskip("distributed", reason="needs the extra cluster")

RUNS = 800
WAIT_S = 0.01


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def scheduler(self) -> subprocess.Popen[bytes]:
        words = ["--host", "127.0.0.1", "--port", self.port, "--no-dashboard", "--no-show"]
        return self._start("dask_scheduler", *words)

    def worker(self, *more: object) -> subprocess.Popen[bytes]:
        words = [self.address, "--nthreads", 1, "--no-dashboard", "--memory-limit", 0, *more]
        return self._start("dask_worker", *words)

    def _start(self, module: str, *words: object) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *map(str, words)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)
        STARTED.append(process)
        return process

    def close(self) -> None:
        for process in self.processes:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def cluster():
    made = Cluster()
    yield made
    made.close()


def whole(folder: Path, tables) -> bytes:
    return table_bytes(run_here(folder / "whole", tables, InProcess()))


def test_a_scheduler_that_is_not_there_is_told_after_a_stated_wait() -> None:
    from brickphys.batch.run.dask import DaskExecutor

    with (
        pytest.raises(InvalidValueError, match=r"tcp://127.0.0.1:9: .* answered within 0\.5 s"),
        DaskExecutor("tcp://127.0.0.1:9", 1, 10.0, patience_s=0.5),
    ):
        pass


@pytest.mark.parametrize(
    "address",
    [
        "nowhere",
        "tcp://",
        "tcp://host",
        "tcp://:8786",
        "tcp://host:99999",
        "http://127.0.0.1:80",
        "",
    ],
)
def test_what_is_no_address_is_told_without_waiting(address: str) -> None:
    from brickphys.batch.run.dask import DaskExecutor

    with pytest.raises(InvalidValueError, match=f"--dask {address}: an address of a scheduler has"):
        DaskExecutor(address, 1, 10.0)


def test_what_a_worker_cannot_make_ready_stops_the_run() -> None:
    from distributed import LocalCluster

    from brickphys.batch.run.dask import DaskExecutor

    job = ChunkJob(Chunk(0, 0, 4), "nonesuch", "{}", "{}", 5, Limits(time_s=10.0))
    here = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    )
    words = "--dask tcp.*: a worker cannot begin: unknown kind 'nonesuch'"
    with (
        here,
        DaskExecutor(here.scheduler_address, 1, 10.0) as executor,
        pytest.raises(WorkerStartError, match=words),
    ):
        completed(executor, executor.submit(job))


def test_threads_of_one_worker_take_turns(tmp_path: Path) -> None:
    """A world of PyBullet is no place for two."""
    from distributed import LocalCluster

    from brickphys.batch.run.dask import DaskExecutor

    study = spec(HANDS)
    settings = [canonical(study.settings(cell)) for cell in range(2)]
    jobs = [
        ChunkJob(Chunk(run % 2, run // 2, 1), "drop", settings[run % 2], "{}", 5, study.limits)
        for run in range(6)
    ]
    here = LocalCluster(
        n_workers=1, threads_per_worker=4, processes=False, protocol="tcp", dashboard_address=None
    )
    with here, DaskExecutor(here.scheduler_address, 1, 1e6) as executor:
        futures = [executor.submit(job) for job in jobs]
        with running_store(tmp_path / "batch", study) as store:
            for future in futures:
                store.add(completed(executor, future).result())
    assert table_bytes(open_store(tmp_path / "batch")) == whole(tmp_path, HANDS)


def test_a_chunk_is_timed_on_each_worker_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker was lost, and it is on another: what it took before, and loading there, is none of its time."""
    from brickphys.batch.run import dask as cluster

    answers = iter([[], ["A"], ["A"], [], ["B"]])
    clock = iter(range(0, 1000, 10))

    class Client:
        status = "running"

        def run_on_scheduler(self, _: object) -> tuple[int, list[tuple[str, str]]]:
            return 2, [("chunk", worker) for worker in next(answers)]

    executor = cluster.DaskExecutor("tcp://127.0.0.1:9", 1, 10.0)
    executor._client = Client()
    monkeypatch.setattr(cluster.time, "monotonic", lambda: float(next(clock)))
    started = []
    for _ in range(5):
        executor._look()
        started.append(dict(executor._started))
    first, again = {("chunk", "A"): 10.0}, {("chunk", "B"): 40.0}
    assert started == [{}, first, first, {}, again]


@pytest.mark.parametrize("executing", ["A", "B"])
def test_a_chunk_has_started_only_where_it_is_now(executing: str) -> None:
    from brickphys.batch.run import dask as cluster

    task = SimpleNamespace(key="chunk")
    workers = {
        name: SimpleNamespace(executing=[task] if name == executing else []) for name in "AB"
    }
    logged = [(1.0, ["chunk", "A"])]
    scheduler = SimpleNamespace(workers=workers, get_events=lambda _: logged)
    at_work = [("chunk", "A")] if executing == "A" else []
    assert cluster._at_work(scheduler) == (2, at_work)


UNGUARDED = """
from brickphys.batch.run.dask import DaskExecutor
with DaskExecutor("local", 2, 10.0):
    pass
"""


def test_workers_that_never_come_up_are_one_line(tmp_path: Path) -> None:
    program = tmp_path / "run.py"
    program.write_text(UNGUARDED)
    words = [sys.executable, str(program)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "WorkerStartError: --dask local: worker processes end before they have begun" in last
    assert 'the guard `if __name__ == "__main__":`' in last


def test_a_cluster_that_was_started_here_ends_even_if_it_cannot_be_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from brickphys.batch.run import dask as cluster

    ended: list[bool] = []
    here = contextlib.closing(SimpleNamespace(close=lambda: ended.append(True)))
    monkeypatch.setattr(cluster, "_local_cluster", lambda *_: here)
    executor = cluster.DaskExecutor("local", 1, 10.0, patience_s=0.1)
    monkeypatch.setattr(executor, "_connect", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError), executor:
        pass
    assert ended == [True]


def test_a_local_cluster_comes_to_the_same(tmp_path: Path) -> None:
    study, folder = study_file(tmp_path, DROP), tmp_path / "batch"
    done = numbers("run", study, "--out", folder, "--workers", 2, "--dask", "local")
    assert (done["done"], done["pending"]) == (240, 0)
    assert table_bytes(open_store(folder)) == whole(tmp_path, DROP)


@pytest.mark.slow
def test_a_local_cluster_ends_with_ctrl_c(tmp_path: Path) -> None:
    tables = pebbles(RUNS, wait_s=WAIT_S)
    study, folder = study_file(tmp_path, tables), tmp_path / "batch"
    process = start("run", study, "--out", folder, "--workers", 2, "--dask", "local")
    kept(folder, 2, process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert errors == f"{STOPPING}brickphys: interrupted: the same command goes on with {folder}\n"
    numbers("run", study, "--out", folder, "--workers", 2)
    assert table_bytes(open_store(folder)) == whole(tmp_path, pebbles(RUNS))


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_a_chunk(cluster: Cluster, tmp_path: Path) -> None:
    cluster.scheduler()
    first, _ = cluster.worker("--no-nanny"), cluster.worker("--no-nanny")
    study, folder = study_file(tmp_path, pebbles(RUNS, wait_s=WAIT_S)), tmp_path / "batch"
    process = start("run", study, "--out", folder, "--dask", cluster.address)
    kept(folder, 3, process)
    end(first)
    kept(folder, 5, process)
    cluster.worker("--no-nanny")
    output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert f"{RUNS} games done, 0 failed, 0 pending" in output
    assert table_bytes(open_store(folder)) == whole(tmp_path, pebbles(RUNS))


@pytest.mark.slow
def test_a_scheduler_lost_and_back(cluster: Cluster, tmp_path: Path) -> None:
    scheduler = cluster.scheduler()
    cluster.worker()
    study, folder = study_file(tmp_path, pebbles(RUNS, wait_s=WAIT_S)), tmp_path / "batch"
    process = start("run", study, "--out", folder, "--dask", cluster.address)
    kept(folder, 3, process)
    end(scheduler)
    time.sleep(3)
    assert process.poll() is None
    lines = (folder / JOURNAL).read_bytes().count(b"\n")
    cluster.scheduler()
    cluster.worker()
    kept(folder, lines + 2, process)
    output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert f"{RUNS} games done, 0 failed, 0 pending" in output
    assert table_bytes(open_store(folder)) == whole(tmp_path, pebbles(RUNS))


@pytest.mark.slow
def test_a_scheduler_lost_for_good(cluster: Cluster, tmp_path: Path) -> None:
    scheduler = cluster.scheduler()
    worker = cluster.worker()
    study, folder = study_file(tmp_path, pebbles(RUNS, wait_s=WAIT_S)), tmp_path / "batch"
    process = start("run", study, "--out", folder, "--dask", cluster.address)
    kept(folder, 3, process)
    end(scheduler)
    end(worker)
    output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, output) == (1, "")
    assert "no scheduler answered within 30 s" in errors
    assert "the same command goes on" in errors
    assert errors.count("\n") == 1
    assert numbers("run", study, "--out", folder, "--workers", 2)["done"] == RUNS
    assert table_bytes(open_store(folder)) == whole(tmp_path, pebbles(RUNS))


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hangs", "dies"])
def test_a_run_that_hangs_or_kills_its_worker_fails_alone(fault: str, tmp_path: Path) -> None:
    tables = pebbles(8, {"time_s": 10}, **{fault: 0.1})
    made = [run for run, name in enumerate(drawn(tables)) if name == fault]
    while len(made) != 1:
        tables["seed"] += 1
        made = [run for run, name in enumerate(drawn(tables)) if name == fault]
    study, folder = study_file(tmp_path, tables), tmp_path / "batch"
    status, output, errors = call("run", study, "--out", folder, "--workers", 2, "--dask", "local")
    assert (status, errors) == (0, "")
    assert "7 games done, 1 failed, 0 pending" in output
    failed = [row for row in open_store(folder).rows().to_pylist() if row["error"]]
    assert [row["run"] for row in failed] == made
    words = "took longer than 10 s" if fault == "hangs" else "KilledWorker"
    assert words in failed[0]["error"]
