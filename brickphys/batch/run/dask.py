"""Cluster: a crew that Dask distributed has, on this machine or on many (extra ``cluster``)."""

import asyncio
import logging
import math
import time
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from typing import Any, Self

from brickphys.batch.run.chunk import Job, Parcel, attempt, in_words
from brickphys.batch.run.executor import GUARD, Failure
from brickphys.errors import InvalidValueError, WorkerDiedError, WorkerStartError, needing
from brickphys.workers import without_ctrl_c

LOCAL = "local"
PATIENCE_S = 30.0
"""So long a scheduler is waited for: at the start, and when it is lost."""
_AHEAD = 2
"""Chunks that each worker is given, so that it never waits for the next."""
_LOOK_S = 0.5
"""So often the scheduler is asked who is there, and what they are at."""
_BEGUN = "brickphys-begun"
"""Under this topic workers tell the scheduler which chunk they have begun: Dask's own count begins with the imports."""


class DaskCrew:
    """The workers of a Dask scheduler.

    When the scheduler is lost it is waited for, and what was under way is done again.

    Parameters
    ----------
    address
        Of a scheduler, such as ``tcp://host:8786``, or ``"local"`` for one that is started here.
    workers
        How many processes a local one has.
    time_s
        A chunk that takes longer is given up, and its worker started anew.
    memory_mb
        What a process of a local one may use.
    patience_s
        How long a scheduler is waited for.

    Raises
    ------
    MissingExtraError
        Without Dask distributed.
    InvalidValueError
        If an address is none, or no scheduler is there.
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
        self._jobs: dict[Any, Job] = {}  # by future
        self._begun: dict[
            tuple[str, str], float
        ] = {}  # by key and worker, when it was first seen at work
        self._place: dict[str, str] = {}  # by key of what is given to a worker, which
        self._there = 0
        self._last_there = self._last_look = -math.inf

    def __enter__(self) -> Self:
        with without_ctrl_c(), ExitStack() as opened:
            if self._address == LOCAL:
                self._cluster = opened.enter_context(_local_cluster(self._workers, self._memory_mb))
            self._client = self._connected()
            opened.callback(lambda: self._client.close())  # by then it may be another one
            self._opened = opened.pop_all()
        self._last_there = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def free(self) -> int:
        """How many more chunks the workers can take."""
        self._look()
        return max(self._there * _AHEAD - len(self._jobs), 0)

    @property
    def busy(self) -> int:
        """How many chunks are under way."""
        return len(self._jobs)

    def submit(self, job: Job) -> None:
        """Send a chunk to the scheduler."""
        self._jobs[self._open.submit(_attempt, job, pure=False)] = job

    def results(self, timeout_s: float) -> list[tuple[Job, Parcel] | Failure]:
        """Wait until something is done; what takes too long is given up, and what was lost is sent again."""
        if self._is_lost():
            self._reconnect()
            return []
        self._look()
        if time.monotonic() - self._last_there > self._patience_s:
            raise WorkerDiedError(
                f"--dask {self._address}: no worker for {self._patience_s:g} s; the same command goes on"
            )
        self._wait(timeout_s)
        done = [future for future in self._jobs if future.status in ("finished", "error")]
        late = [
            future
            for future in self._jobs
            if future not in done and self._seconds(future) > self._time_s
        ]
        return [self._result(future) for future in done] + [self._late(future) for future in late]

    def _wait(self, timeout_s: float) -> None:
        """Wait until something is done, or lost with the scheduler."""
        if not self._jobs:  # for workers to come
            time.sleep(timeout_s)
            return
        with suppress(TimeoutError, CancelledError, asyncio.CancelledError):
            _distributed().wait(list(self._jobs), timeout_s, return_when="FIRST_COMPLETED")

    @property
    def _open(self) -> Any:
        if self._client is None:
            raise RuntimeError("a crew works only while its block runs")
        return self._client

    def _look(self) -> None:
        """Ask who is there, and what they are at; not too often."""
        now = time.monotonic()
        if now - self._last_look < _LOOK_S:
            return
        self._there, self._place, begun = 0, {}, []
        with suppress(OSError, CancelledError, asyncio.CancelledError, RuntimeError):
            if not self._is_lost():
                self._there, self._place, begun = self._open.run_on_scheduler(_at_work)
        self._last_look = now
        if self._there:
            self._last_there = now
        at_work = [(key, place) for key, place in begun if self._place.get(key) == place]
        self._begun = {one: self._begun.get(one, now) for one in at_work}

    def _seconds(self, future: Any) -> float:
        """Return how long a chunk has been at work where it is; to wait for its turn and to load is no work."""
        at = (future.key, self._place.get(future.key, ""))
        return time.monotonic() - self._begun.get(at, math.inf)

    def _is_lost(self) -> bool:
        lost = any(future.status in ("cancelled", "lost") for future in self._jobs)
        return lost or self._open.status != "running"

    def _connected(self) -> Any:
        """Return a client of the scheduler, once it is there."""
        address = self._address if self._cluster is None else self._cluster
        try:
            return _distributed().Client(address, timeout=self._patience_s)
        except (OSError, ValueError) as error:
            raise InvalidValueError(
                f"--dask {self._address}: no scheduler answered within {self._patience_s:g} s ({in_words(error)})"
            ) from None

    def _reconnect(self) -> None:
        """Wait for the scheduler to be back, and send what was under way again."""
        jobs = list(self._jobs.values())
        self._jobs.clear()
        self._open.close(timeout=1)
        try:
            self._client = self._connected()
        except InvalidValueError as error:
            raise WorkerDiedError(f"{error}; the same command goes on") from None
        for job in jobs:
            self.submit(job)

    def _result(self, future: Any) -> tuple[Job, Parcel] | Failure:
        job = self._jobs.pop(future)
        if future.status == "error":
            error = future.exception()
            if type(error).__name__ == "KilledWorker":  # several workers died of it
                return Failure(job, in_words(error))
            raise WorkerStartError(f"--dask {self._address}: {in_words(error)}") from None
        try:
            word: Parcel | str = future.result()
        # whatever Dask raises where a result is lost with its worker or the scheduler: the chunk is tried again
        except Exception as error:
            return Failure(job, in_words(error))
        return Failure(job, word) if isinstance(word, str) else (job, word)

    def _late(self, future: Any) -> Failure:
        """Give a chunk up that takes too long, and start its worker anew if somebody looks after it."""
        job, worker = self._jobs.pop(future), self._place[future.key]
        future.cancel(force=True)
        with suppress(ValueError):  # without a nanny it is busy until it is done
            self._open.restart_workers([worker], timeout=self._patience_s, raise_for_error=False)
        return Failure(job, f"took longer than {self._time_s:g} s")


def _attempt(job: Job) -> Parcel | str:
    """Do a chunk on a worker of Dask, and tell the scheduler when it begins."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    return attempt(job, lambda: worker.log_event(_BEGUN, [key, worker.address]))


def _at_work(dask_scheduler: Any) -> tuple[int, dict[str, str], list[tuple[str, str]]]:
    """Return how many workers a scheduler has, on which of them each chunk is, and which have begun where."""
    workers = dask_scheduler.workers
    place = {task.key: name for name, worker in workers.items() for task in worker.executing}
    begun = [tuple(told) for _, told in dask_scheduler.get_events(_BEGUN)]
    return len(workers), place, begun


def _distributed() -> Any:
    with needing("cluster", "Dask distributed"):
        import distributed
    for name in ("distributed", "distributed.client"):  # whatever is wrong, we say it in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _check_address(address: str) -> None:
    """Refuse what cannot be the address of a scheduler before anything is started for it."""
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

    # a worker that dies again while it is started anew must not be written off
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
