"""Dask: an executor with the workers of a Dask scheduler, on this machine or on many (extra ``cluster``)."""

import asyncio
import logging
import math
import threading
import time
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from typing import Any, Self

from brickphys.batch.run.chunk import ChunkJob, ChunkResult, prepare_chunk, run_chunk
from brickphys.errors import (
    InterruptedRunError,
    InvalidValueError,
    WorkerDiedError,
    WorkerStartError,
    in_words,
    needing,
)
from brickphys.signals import without_ctrl_c
from brickphys.worker_process import attempt
from brickphys.workers import GUARD

LOCAL = "local"
PATIENCE_S = 30.0
"""Time to wait for a scheduler: at the start, and when it is lost."""
_AHEAD = 2
"""Chunks that each worker is given, so that it never waits for the next."""
_LOOK_S = 0.5
"""Time between questions to the scheduler."""
_STARTED = "brickphys-started"
"""Topic under which a worker logs the chunks that it starts: Dask's own time of a task begins with the imports."""
_ONE_AT_A_TIME = threading.Lock()
"""A world is for one thread at a time; a worker of Dask may have several."""


class DaskExecutor:
    """An executor with the workers of a Dask scheduler.

    When the scheduler is lost, the executor waits for it and submits again what was not done.

    Parameters
    ----------
    address
        Address of a scheduler, such as ``tcp://host:8786``, or ``"local"`` to start one here.
    workers
        Number of processes of a local one.
    time_s
        A chunk that takes longer is given up, and its worker is started again.
    memory_mb
        Memory of a process of a local one; None for no limit.
    patience_s
        Time to wait for a scheduler.

    Raises
    ------
    MissingExtraError
        Without Dask distributed.
    InvalidValueError
        If an address is malformed, or no scheduler answers.
    """

    def __init__(
        self,
        address: str,
        workers: int,
        time_s: float,
        memory_mb: int | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        _distributed()
        if address != LOCAL:
            _check_address(address)
        self._address, self._workers = address, workers
        self._time_s, self._memory_mb, self._patience_s = time_s, memory_mb, patience_s
        self._opened = ExitStack()
        self._cluster: Any = None
        self._client: Any = None
        self._jobs: dict[Any, tuple[ChunkJob, Future[ChunkResult]]] = {}  # by the future of Dask
        self._started: dict[
            tuple[str, str], float
        ] = {}  # by key and worker: when it was first seen
        self._alive = 0
        self._last_alive = self._last_look = -math.inf

    def __enter__(self) -> Self:
        with without_ctrl_c(), ExitStack() as opened:
            if self._address == LOCAL:
                self._cluster = opened.enter_context(_local_cluster(self._workers, self._memory_mb))
            self._client = self._connect()
            opened.callback(lambda: self._client.close())  # by then it may be another one
            self._opened = opened.pop_all()
        self._last_alive = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def free(self) -> int:
        """How many more chunks the workers can take."""
        self._look()
        return max(self._alive * _AHEAD - len(self._jobs), 0)

    def submit(self, job: ChunkJob) -> Future[ChunkResult]:
        """Send a chunk to the scheduler."""
        future: Future[ChunkResult] = Future()
        self._send(job, future)
        return future

    def wait(self, timeout_s: float) -> None:
        """Wait until a chunk ends, at most `timeout_s`; see `Executor.wait`."""
        if self._is_lost():
            self._reconnect()
            return
        self._look()
        if time.monotonic() - self._last_alive > self._patience_s:
            raise WorkerDiedError(
                f"--dask {self._address}: no worker for {self._patience_s:g} s; the same command goes on"
            )
        if not self._jobs:  # there is no worker yet
            time.sleep(timeout_s)
            return
        with suppress(TimeoutError, CancelledError, asyncio.CancelledError):
            _distributed().wait(list(self._jobs), timeout_s, return_when="FIRST_COMPLETED")
        for task in [one for one in self._jobs if one.status in ("finished", "error")]:
            self._complete(task, self._jobs.pop(task)[1])
        now = time.monotonic()
        started = {key: (worker, since) for (key, worker), since in self._started.items()}
        for task in list(self._jobs):
            worker, since = started.get(task.key, ("", now))
            if now - since > self._time_s:
                self._give_up(task, worker)

    def _send(self, job: ChunkJob, future: Future[ChunkResult]) -> None:
        self._jobs[self._client.submit(_run, job, pure=False)] = job, future

    def _look(self) -> None:
        """Ask which workers are alive and which chunks they have started; not too often."""
        now = time.monotonic()
        if now - self._last_look < _LOOK_S:
            return
        self._alive, started = 0, []
        with suppress(OSError, CancelledError, asyncio.CancelledError, RuntimeError):
            if not self._is_lost():
                self._alive, started = self._client.run_on_scheduler(_at_work)
        self._last_look = now
        if self._alive:
            self._last_alive = now
        self._started = {one: self._started.get(one, now) for one in started}

    def _is_lost(self) -> bool:
        lost = any(task.status in ("cancelled", "lost") for task in self._jobs)
        return lost or self._client.status != "running"

    def _connect(self) -> Any:
        """Return a client of the scheduler, once it answers."""
        address = self._address if self._cluster is None else self._cluster
        try:
            return _distributed().Client(address, timeout=self._patience_s)
        except (OSError, ValueError) as error:
            raise InvalidValueError(
                f"--dask {self._address}: no scheduler answered within {self._patience_s:g} s ({in_words(error)})"
            ) from None

    def _reconnect(self) -> None:
        """Wait for the scheduler, and submit what is not done again."""
        jobs = list(self._jobs.values())
        self._jobs.clear()
        self._client.close(timeout=1)
        try:
            self._client = self._connect()
        except InvalidValueError as error:
            raise WorkerDiedError(f"{error}; the same command goes on") from None
        for job, future in jobs:
            self._send(job, future)

    def _complete(self, task: Any, future: Future[ChunkResult]) -> None:
        status = task.status
        try:
            result = task.result()
        except Exception as error:
            # a chunk that was lost with its worker or the scheduler, or that killed several, is tried again
            if status == "error" and type(error).__name__ != "KilledWorker":
                raise WorkerStartError(f"--dask {self._address}: {in_words(error)}") from None
            result = error
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)

    def _give_up(self, task: Any, worker: str) -> None:
        """Give a chunk up, and start its worker again if it has a nanny."""
        _, future = self._jobs.pop(task)
        task.cancel(force=True)
        with suppress(ValueError):  # without a nanny the worker is busy until the chunk ends
            self._client.restart_workers([worker], timeout=self._patience_s, raise_for_error=False)
        future.set_exception(InterruptedRunError(f"took longer than {self._time_s:g} s"))


def _run(job: ChunkJob) -> ChunkResult | Exception:
    """Do a chunk on a worker of Dask, and log when it starts; an error of `prepare_chunk` is one of the worker."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    with _ONE_AT_A_TIME:
        try:
            prepare_chunk(job)
        except Exception as error:
            raise WorkerStartError(f"a worker cannot begin: {in_words(error)}") from None
        worker.log_event(_STARTED, [key, worker.address])
        return attempt(run_chunk, job)


def _at_work(dask_scheduler: Any) -> tuple[int, list[tuple[str, str]]]:
    """Return how many workers a scheduler has, and which chunks have started on the worker that has them now."""
    workers = dask_scheduler.workers
    has = {(task.key, name) for name, worker in workers.items() for task in worker.executing}
    started = {tuple(logged) for _, logged in dask_scheduler.get_events(_STARTED)}
    return len(workers), list(has & started)


def _distributed() -> Any:
    with needing("cluster", "Dask distributed"):
        import distributed
    for name in ("distributed", "distributed.client"):  # an error is reported in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _check_address(address: str) -> None:
    """Refuse a malformed address before anything is started for it."""
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import backends

    try:
        protocol, place = parse_address(address, strict=True)
        host, port = parse_host_port(place)
    except ValueError:
        protocol, host, port = "", "", 0
    if not (host and 0 < port < 65536 and protocol in backends):
        raise InvalidValueError(
            f"--dask {address}: an address of a scheduler has a protocol, a host and a port, such as"
            " tcp://192.168.1.5:8786; local starts one here"
        )


def _local_cluster(workers: int, memory_mb: int | None) -> Any:
    import dask

    # do not give up a worker that dies again while it restarts
    dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"})
    try:
        return _distributed().LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # the usual port may be taken
            memory_limit=f"{memory_mb}MB" if memory_mb else 0,
            silence_logs=50,
        )
    except RuntimeError as error:
        raise WorkerStartError(
            f"--dask {LOCAL}: worker processes end before they have begun ({error}): {GUARD}"
        ) from None
