"""On a Dask cluster, no row is lost, doubled or of other physics, whatever is killed, late, or of another version."""

import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import brickphys
from benchmarks.cluster_kills import killed, rows, study, undisturbed
from benchmarks.dask_cluster import Cluster, at_work, end
from brickphys.batch.store import JOURNAL

pytest.importorskip("distributed", reason="needs the extra cluster")
pytestmark = pytest.mark.slow

PATIENCE_S = 300
THROWS = 120_000
SCENES = """
kind = "collide"
seed = 5
repeats = 2500
[fixed]
scene = "random"
[grid]
sectors = ["quadrant", "corner"]
"""


@pytest.fixture
def cluster():
    with Cluster() as made:
        yield made


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(SCENES)
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the rows of the undisturbed study."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "study.toml").write_text(SCENES)
    return undisturbed(folder / "study.toml", folder / "batch").rows


def run(spec: Path, address: str, *words: object) -> subprocess.Popen[str]:
    folder = spec.parent / "batch"
    command = [sys.executable, "-m", "brickphys", "batch", "run", spec, "--out", folder]
    return subprocess.Popen(
        list(map(str, [*command, "--dask", address, "--dask-wait", PATIENCE_S, *words])),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(runner: subprocess.Popen[str]) -> tuple[int, str]:
    """Return the exit status and standard error of a runner."""
    try:
        errors = runner.communicate(timeout=PATIENCE_S)[1]
    finally:
        runner.kill()
    return runner.returncode, errors


def until(happens: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.05)


def chunks(spec: Path) -> int:
    journal = spec.parent / "batch" / JOURNAL
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def more_rows(spec: Path) -> None:
    """Wait until rows are kept that are not there yet."""
    before = chunks(spec)
    until(lambda: chunks(spec) > before)


def test_workers_killed_every_few_seconds(tmp_path):
    spec = tmp_path / "study.toml"
    spec.write_text(study(THROWS))
    seen = killed(spec, tmp_path / "killed", 3, 2.0, random.Random(1))
    assert seen.kills >= 2
    assert seen.rows.equals(undisturbed(spec, tmp_path / "whole").rows)


def test_all_are_lost_and_others_come_later(cluster, spec, whole, no_package):
    """The worker in the middle of a chunk, the scheduler too, then all workers; a scheduler needs no brickphys."""
    scheduler, worker = cluster.scheduler(env=no_package), cluster.worker()
    runner = run(spec, cluster.address)
    more_rows(spec)
    end(scheduler)
    end(worker)
    cluster.scheduler(env=no_package)
    time.sleep(1.0)
    other = cluster.worker()
    more_rows(spec)
    end(other)
    time.sleep(1.0)
    cluster.worker("--nthreads", 3)
    assert ended(runner) == (0, "")
    assert rows(spec.parent / "batch", 0).equals(whole)


@pytest.fixture
def no_package(tmp_path):
    """Return the environment of a process that finds nothing in brickphys."""
    (tmp_path / "none" / "brickphys").mkdir(parents=True)
    (tmp_path / "none" / "brickphys" / "__init__.py").touch()
    return {"PYTHONPATH": str(tmp_path / "none")}


@pytest.fixture
def other_physics(tmp_path):
    """Return the environment of a process whose gravity is another."""
    copy = tmp_path / "other" / "brickphys"
    package = Path(brickphys.__file__).parent
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    units = copy / "units.py"
    units.write_text(units.read_text().replace("9.8", "9.7"))
    assert units.read_text() != (package / "units.py").read_text()
    return {"PYTHONPATH": str(copy.parent)}


@pytest.mark.parametrize("fault", ["no_package", "other_physics"])
def test_a_worker_with_another_package_ends_the_run(fault, cluster, spec, request):
    cluster.scheduler()
    cluster.worker(env=request.getfixturevalue(fault))
    status, errors = ended(run(spec, cluster.address))
    words = {
        "no_package": "cannot load brickphys (ModuleNotFoundError: No module named 'brickphys.batch')",
        "other_physics": "would compute other rows: the sources of base have changed",
    }
    assert (status, errors.count("\n")) == (2, 1)
    assert f"brickphys: --dask {cluster.address}: the worker tcp://127.0.0.1:" in errors
    assert f" {words[fault]}; workers need the same installation as the runner" in errors
    assert chunks(spec) == 0


def test_a_scheduler_that_hangs_is_told_and_one_that_wakes_goes_on(cluster, spec, whole):
    scheduler = cluster.scheduler()
    nanny = cluster.worker()
    until(lambda: at_work(nanny))
    runner = run(spec, cluster.address, "--dask-wait", 5)
    more_rows(spec)
    scheduler.send_signal(signal.SIGSTOP)
    status, errors = ended(runner)
    assert (status, errors.count("\n")) == (1, 1)
    assert "no answer of the scheduler for 5 s; --dask-wait waits longer, and the same" in errors
    scheduler.send_signal(signal.SIGCONT)
    assert ended(run(spec, cluster.address)) == (0, "")
    assert rows(spec.parent / "batch", 0).equals(whole)


class SlowLine:
    """A port of this machine that passes on what it gets to another, `delay_s` later; a context manager."""

    def __init__(self, target: str, delay_s: float) -> None:
        host, port = target.removeprefix("tcp://").split(":")
        self._target, self._delay_s = (host, int(port)), delay_s
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = [self._listener]

    def __enter__(self) -> "SlowLine":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for line in self._open:
            line.close()

    def _accept(self) -> None:
        while select.select([self._listener], [], []):
            try:
                near, _ = self._listener.accept()
            except OSError:  # closed
                return
            self._open.append(near)
            try:
                far = socket.create_connection(self._target)
            except OSError:  # the scheduler has not begun to listen
                near.close()
                continue
            self._open.append(far)
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(2**16):
                time.sleep(self._delay_s)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return


def test_over_a_slow_network(cluster, spec, whole):
    cluster.scheduler()
    cluster.worker()
    cluster.worker()
    with SlowLine(cluster.address, 0.3) as line:
        assert ended(run(spec, line.address)) == (0, "")
    assert rows(spec.parent / "batch", 0).equals(whole)
