"""A Dask cluster does the same work: the same rows, whoever dies, and whoever was gone for a while."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from benchmarks.dask_cluster import Cluster, end
from brickphys.batch import dask
from brickphys.batch.chunk import Chunk, ChunkJob, failed_result
from brickphys.batch.kinds.study_type import Limits
from brickphys.batch.spec import canonical
from brickphys.batch.store import JOURNAL, open_store, running_store
from brickphys.cli.batch import batch
from brickphys.errors import InvalidValueError, WorkerDiedError, WorkerStartError
from brickphys.stamp import stamp_here
from tests.batch.batches import (
    HANDS,
    PATIENCE_S,
    PEBBLES,
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

pytest.importorskip("distributed", reason="needs the extra cluster")

RUNS = 800
WAIT_S = 0.01


@pytest.fixture
def cluster():
    with Cluster() as made:
        yield made
        STARTED.extend(made.processes)


JOB = ChunkJob((Chunk(0, 0, 4),), ("{}",), "drop", "{}", 5, Limits(time_s=10.0), stamp_here())


def one_worker(threads: int) -> Any:
    """Return a cluster of this process with one worker."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=1,
        threads_per_worker=threads,
        processes=False,
        protocol="tcp",
        dashboard_address="127.0.0.1:0",
    )


def whole(folder: Path, tables) -> bytes:
    return table_bytes(run_here(folder / "whole", tables, InProcess()))


def test_a_scheduler_that_is_not_there_is_told_after_a_stated_wait() -> None:
    with (
        pytest.raises(InvalidValueError, match=r"tcp://127.0.0.1:9: .* answered within 0\.5 s"),
        dask.DaskExecutor("tcp://127.0.0.1:9", 1, 10.0, wait_s=0.5),
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
    with pytest.raises(InvalidValueError, match=f"--dask {address}: an address of a scheduler has"):
        dask.DaskExecutor(address, 1, 10.0)


def test_what_a_worker_cannot_make_ready_stops_the_run() -> None:
    job = replace(JOB, kind="nonesuch")
    here = one_worker(1)
    words = "--dask tcp.*: a worker cannot begin: unknown kind 'nonesuch'"
    with (
        here,
        dask.DaskExecutor(here.scheduler_address, 1, 10.0) as executor,
        pytest.raises(WorkerStartError, match=words),
    ):
        completed(executor, executor.submit(job))


BOTS = {"mybots": "from tactics import last as choose\n", "tactics": "def last(*_): ...\n"}


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of bots, and one beside it that it imports."""
    for name, text in BOTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_modules_that_are_not_installed_go_to_the_workers(own_bots: Path) -> None:
    packages = ("brickphys", "mybots", "pettingzoo", "six")
    job = replace(JOB, kind="nonesuch", stamp=stamp_here("mybots"), packages=packages)
    with (
        one_worker(1) as here,
        dask.DaskExecutor(here.scheduler_address, 1, 10.0) as executor,
    ):
        for _ in range(2):
            executor.submit(job)
        (worker,) = here.workers.values()
        sent = {path.name: path.read_text() for path in Path(worker.local_directory).glob("*.py")}
    assert sent == {f"{name}.py": text for name, text in BOTS.items()}


def test_a_package_that_a_worker_lacks_is_named_with_what_to_do() -> None:
    worker = SimpleNamespace(address="tcp://host:1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("distributed.get_worker", lambda: worker)
        address, found = dask.task_by_value()(stamp_here().document(), ["brickphys", "nobots"], b"")
    told = dask._refusal(stamp_here(), address, found)
    assert told.startswith(
        "the worker tcp://host:1 has no module nobots: install it there, or start the worker with"
        " PYTHONPATH=FOLDER; workers need the same installation"
    )


@pytest.mark.slow
def test_a_study_with_bots_of_its_own_runs_on_workers_that_began_without_them(
    tmp_path: Path, cluster: Cluster
) -> None:
    """The bots lie beside the study, and neither the runner nor the worker was started there."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "shooters.py").write_text(
        "from shooting import last\n\n\nclass Shooter:\n    choose = last\n\n"
        "    def __init__(self, game, law):\n        pass\n"
    )
    (here / "shooting.py").write_text(
        "def last(self, view, actions, rng):\n    return actions[-1]\n"
    )
    (here / "study.toml").write_text(
        'kind = "battle"\nseed = 1\nrepeats = 4\n[fixed]\ngame = "bow"\nscenario = "duel"\n'
        'bots = ["shooters:Shooter", "random"]\n'
    )
    cluster.scheduler()
    cluster.worker()
    words = ("run", here / "study.toml", "--trust")
    status, _, errors = call(*words, "--out", tmp_path / "far", "--dask", cluster.address)
    assert status == 0, errors
    status, _, errors = call(*words, "--out", tmp_path / "near")
    assert status == 0, errors
    assert table_bytes(open_store(tmp_path / "far")) == table_bytes(open_store(tmp_path / "near"))


@pytest.mark.slow
def test_threads_of_one_worker_take_turns(tmp_path: Path) -> None:
    """A world of PyBullet is no place for two."""
    tables = HANDS | {"repeats": 2}
    study = spec(tables)
    settings = [canonical(study.settings(cell)) for cell in range(2)]
    jobs = [
        replace(
            JOB,
            chunks=(Chunk(run % 2, run // 2, 1),),
            settings=(settings[run % 2],),
            limits=study.limits,
        )
        for run in range(4)
    ]
    here = one_worker(4)
    with here, dask.DaskExecutor(here.scheduler_address, 1, 1e6) as executor:
        futures = [executor.submit(job) for job in jobs]
        with running_store(tmp_path / "batch", study) as store:
            for future in futures:
                store.add(*completed(executor, future).result())
    assert table_bytes(open_store(tmp_path / "batch")) == whole(tmp_path, tables)


class FakeTask:
    """A task of a client that a test ends as it likes."""

    def __init__(self) -> None:
        self.status, self.outcome, self.cancelled = "pending", None, False

    def add_done_callback(self, call: Any) -> None:
        self.call = call

    def end(self, status: str, outcome: Any) -> None:
        self.status, self.outcome = status, outcome
        self.call(self)

    def result(self, timeout: float) -> Any:
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome

    def cancel(self, force: bool) -> None:
        self.cancelled = True


class FakeClient:
    """A client of a scheduler with the workers A and B."""

    def __init__(self) -> None:
        self.status, self.alive = "running", ["A", "B"]
        self.tasks: dict[str, FakeTask] = {}
        self.restarted: list[str] = []

    def submit(self, *_: object, key: str, pure: bool) -> FakeTask:
        self.tasks[key] = FakeTask()
        return self.tasks[key]

    def nthreads(self, callback_timeout: float) -> dict[str, int]:
        return dict.fromkeys(self.alive, 1)

    def subscribe_topic(self, topic: str, call: Any) -> None:
        self.call = call

    def restart_workers(self, workers: list[str], *_: object) -> None:
        self.restarted += workers

    def close(self, timeout: float) -> None:
        self.status = "closed"


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch):
    """Return an executor of a scheduler that a test plays, its clients, and its clock."""
    clients: list[FakeClient] = []
    clock = SimpleNamespace(now=0.0)
    distributed = SimpleNamespace(
        Client=lambda *_, **__: clients.append(FakeClient()) or clients[-1]
    )
    monkeypatch.setattr(dask, "_distributed", lambda: distributed)
    monkeypatch.setattr(dask, "_LOOK_S", 0.0)
    monkeypatch.setattr(dask.time, "monotonic", lambda: clock.now)
    with dask.DaskExecutor("tcp://127.0.0.1:9", 0, 10.0) as executor:
        yield executor, clients, clock


def ended(executor: Any, future: Future[Any]) -> None:
    while not future.done():
        executor.wait(0.05)


def test_a_chunk_is_timed_on_each_worker_by_itself(faked) -> None:
    """Its worker was lost, and it is on another: what it took before, and loading there, is none of its time."""
    executor, [client], clock = faked
    future = executor.submit(JOB)
    [key] = client.tasks
    clock.now = 100.0  # in a queue, or loading
    executor.wait(0.0)
    client.call((0.0, [key, "A"]))
    clock.now, client.alive = 150.0, ["B"]
    executor.wait(0.0)
    assert not future.done()
    client.call((0.0, ["of another runner", "B"]))
    client.call((0.0, [key, "B"]))
    clock.now = 160.0
    executor.wait(0.0)
    assert not future.done()
    clock.now = 160.1
    executor.wait(0.0)
    assert "took longer than 10 s" in str(future.exception())
    assert client.tasks[key].cancelled
    executor._threads.shutdown()
    assert client.restarted == ["B"]


def test_a_result_that_is_lost_on_its_way_is_fetched_again(faked) -> None:
    executor, [client], _ = faked
    future = executor.submit(JOB)
    [task] = client.tasks.values()
    task.end("finished", OSError("the line was cut"))
    executor.wait(0.1)
    task.outcome = "A", (failed_result(JOB.chunks[0], "none"),)
    ended(executor, future)
    assert future.result()[0].chunks == JOB.chunks


def test_a_result_of_before_the_scheduler_was_lost_does_not_count(faked) -> None:
    executor, clients, _ = faked
    future = executor.submit(JOB)
    [old] = clients[0].tasks.values()
    clients[0].status = "connecting"
    executor.wait(0.0)
    assert [client.status for client in clients] == ["closed", "running"]
    old.end("finished", ("A", (failed_result(JOB.chunks[0], "old"),)))
    executor.wait(0.5)
    assert not future.done()
    [task] = clients[1].tasks.values()
    task.end("finished", ("A", (failed_result(JOB.chunks[0], "new"),)))
    ended(executor, future)
    assert executor.free == 4


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e9", "soon"])
def test_an_impossible_wait_is_told(seconds: str) -> None:
    words = ["study.toml", "--out", "there", "--dask", "local", "--dask-wait", seconds]
    with pytest.raises(click.BadParameter, match="is not"):
        batch.commands["run"].make_context("run", words)


def test_a_faulty_configuration_of_dask_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "distributed.py").write_text("raise ValueError('dask.yaml is malformed')")
    monkeypatch.delitem(sys.modules, "distributed")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidValueError, match=r"Dask distributed: .*dask\.yaml is malformed"):
        dask.DaskExecutor("tcp://127.0.0.1:9", 0, 10.0)


def test_what_never_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    never = SimpleNamespace(Client=lambda *_, **__: threading.Event().wait())
    monkeypatch.setattr(dask, "_distributed", lambda: never)
    monkeypatch.setattr(dask, "_HANDSHAKE_S", 0.1)
    with (
        pytest.raises(InvalidValueError, match=r"no scheduler answered within 0\.1 s"),
        dask.DaskExecutor("tcp://127.0.0.1:9", 0, 10.0, wait_s=0.1),
    ):
        pass


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"address": 5}', None])
def test_a_file_that_names_no_scheduler_is_told(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "scheduler.json"
    if text is not None:
        path.write_text(text)
    with (
        pytest.raises(
            InvalidValueError, match=r"--dask .*scheduler\.json|an address of a scheduler"
        ),
        dask.DaskExecutor(str(path), 0, 10.0, wait_s=0.0),
    ):
        pass


def test_a_scheduler_file_is_read_again_when_the_scheduler_is_lost(
    faked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor, clients, _ = faked
    executor._address = str(tmp_path / "scheduler.json")
    Path(executor._address).write_text('{"address": "tcp://10.0.0.2:8786"}')
    asked: list[str] = []
    make = dask._client
    monkeypatch.setattr(dask, "_client", lambda *words: asked.append(words[0]) or make(*words))
    clients[0].status = "closed"
    executor.wait(0.0)
    assert asked == ["tcp://10.0.0.2:8786"]
    assert len(clients) == 2


def test_a_cluster_without_workers_gets_chunks_by_which_it_grows(faked) -> None:
    executor, [client], clock = faked
    client.alive = []
    assert executor.free == 2
    executor._workers = 40
    assert executor.free == 80
    clock.now = 30.0
    executor.wait(0.0)
    clock.now = 30.1
    with pytest.raises(WorkerDiedError, match="no worker for 30 s; --dask-wait"):
        executor.wait(0.0)


def test_a_scheduler_that_does_not_answer_is_told(faked, monkeypatch: pytest.MonkeyPatch) -> None:
    executor, [client], clock = faked
    monkeypatch.setattr(client, "nthreads", lambda **_: (_ for _ in ()).throw(TimeoutError()))
    clock.now = 30.1
    with pytest.raises(WorkerDiedError, match="no answer of the scheduler for 30 s"):
        executor.wait(0.0)


def test_a_worker_with_another_stamp_is_refused(faked) -> None:
    executor, [client], _ = faked
    future = executor.submit(JOB)
    [task] = client.tasks.values()
    other = stamp_here().document()
    other["versions"]["numpy"] = "1.0"
    task.end("finished", ("tcp://far:1", other))
    words = "the worker tcp://far:1 would compute other rows: .*numpy is 1.0, was"
    with pytest.raises(WorkerStartError, match=words):
        ended(executor, future)


UNGUARDED = """
from brickphys.batch.dask import DaskExecutor
with dask.DaskExecutor("local", 2, 10.0):
    pass
"""


@pytest.mark.slow
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
    ended: list[bool] = []
    here = contextlib.closing(SimpleNamespace(close=lambda: ended.append(True)))
    monkeypatch.setattr(dask, "_local_cluster", lambda *_: here)
    executor = dask.DaskExecutor("local", 1, 10.0, wait_s=0.1)
    monkeypatch.setattr(executor, "_connect", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError), executor:
        pass
    assert ended == [True]


@pytest.mark.slow
def test_a_local_cluster_comes_to_the_same(tmp_path: Path) -> None:
    study, folder = study_file(tmp_path, PEBBLES), tmp_path / "batch"
    done = numbers("run", study, "--out", folder, "--workers", 2, "--dask", "local")
    assert (done["done"], done["pending"]) == (120, 0)
    assert table_bytes(open_store(folder)) == whole(tmp_path, PEBBLES)


@pytest.mark.slow
def test_a_local_cluster_ends_with_ctrl_c(tmp_path: Path) -> None:
    tables = pebbles(RUNS, wait_s=WAIT_S)
    study, folder = study_file(tmp_path, tables), tmp_path / "batch"
    process = start("run", study, "--out", folder, "--workers", 2, "--dask", "local")
    kept(folder, 2, process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert errors == f"{STOPPING}brickphys: interrupted: the same command continues {folder}\n"
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
    assert "the same command continues" in errors
    assert errors.count("\n") == 1
    assert numbers("run", study, "--out", folder, "--workers", 2)["done"] == RUNS
    assert table_bytes(open_store(folder)) == whole(tmp_path, pebbles(RUNS))


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hangs", "dies"])
def test_a_run_that_hangs_or_kills_its_worker_fails_alone(fault: str, tmp_path: Path) -> None:
    tables = pebbles(5, {"time_s": 20}, **{fault: 0.1})  # a busy machine needs a while for others
    made = [run for run, name in enumerate(drawn(tables)) if name == fault]
    while len(made) != 1:
        tables["seed"] += 1
        made = [run for run, name in enumerate(drawn(tables)) if name == fault]
    study, folder = study_file(tmp_path, tables), tmp_path / "batch"
    status, output, errors = call("run", study, "--out", folder, "--workers", 2, "--dask", "local")
    assert (status, errors) == (0, "")
    assert "4 games done, 1 failed, 0 pending" in output
    failed = [row for row in open_store(folder).rows().to_pylist() if row["error"]]
    assert [row["run"] for row in failed] == made
    words = "took longer than 20 s" if fault == "hangs" else "KilledWorker"
    assert words in failed[0]["error"]
