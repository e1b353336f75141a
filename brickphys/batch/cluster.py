"""Cluster: a crew that Dask distributed has, on this machine or on many (extra ``cluster``)."""

import asyncio
import time
from concurrent.futures import CancelledError
from types import TracebackType
from typing import Any, Self

from brickphys.batch.chunk import Job, Parcel, in_words, perform
from brickphys.batch.crew import Failure
from brickphys.errors import InvalidValueError, MissingExtraError, WorkerDiedError

LOCAL = "local"
PATIENCE_S = 30.0
"""So long a scheduler is waited for: at the start, and when it is lost."""
_AHEAD = 2
"""Chunks that each worker is given, so that it never waits for the next."""


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
        If there is no scheduler.
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
        self._address, self._workers = address, workers
        self._time_s, self._memory_mb, self._patience_s = time_s, memory_mb, patience_s
        self._cluster: Any = None
        self._client: Any = None
        self._jobs: dict[Any, tuple[Job, float]] = {}  # by future

    def __enter__(self) -> Self:
        if self._address == LOCAL:
            self._cluster = _local_cluster(self._workers, self._memory_mb)
        self._client = self._connected()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for closing in (self._client, self._cluster):
            if closing is not None:
                closing.close()

    @property
    def free(self) -> int:
        """How many more chunks the workers can take."""
        return max(len(self._workers_now()) * _AHEAD - len(self._jobs), 0)

    @property
    def busy(self) -> int:
        """How many chunks are under way."""
        return len(self._jobs)

    def submit(self, job: Job) -> None:
        """Send a chunk to the scheduler."""
        future = self._open.submit(perform, job, pure=False)
        self._jobs[future] = (job, time.monotonic())

    def results(self, timeout_s: float) -> list[tuple[Job, Parcel] | Failure]:
        """Wait until something is done; what takes too long is given up, and what was lost is sent again."""
        wait = _distributed().wait
        if self._is_lost():
            self._reconnect()
            return []
        try:
            wait(list(self._jobs), timeout_s, return_when="FIRST_COMPLETED")
        except TimeoutError:
            pass
        except (CancelledError, asyncio.CancelledError):  # lost with the scheduler
            return []
        found: list[tuple[Job, Parcel] | Failure] = []
        for future, (job, since) in list(self._jobs.items()):
            if future.status in ("finished", "error"):
                found.append(self._result(future, job))
            elif time.monotonic() - since > self._time_s:
                found += self._late(future, job)
        return found

    @property
    def _open(self) -> Any:
        if self._client is None:
            raise RuntimeError("a crew works only while its block runs")
        return self._client

    def _workers_now(self) -> dict[str, Any]:
        if self._is_lost():
            return {}
        workers: dict[str, Any] = self._open.scheduler_info(n_workers=-1)["workers"]
        return workers

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
        jobs = [job for job, _ in self._jobs.values()]
        self._jobs.clear()
        self._open.close(timeout=1)
        try:
            self._client = self._connected()
        except InvalidValueError as error:
            raise WorkerDiedError(f"{error}; the same command goes on") from None
        for job in jobs:
            self.submit(job)

    def _result(self, future: Any, job: Job) -> tuple[Job, Parcel] | Failure:
        del self._jobs[future]
        try:
            return job, future.result()
        except Exception as error:  # KilledWorker: several workers died of it
            return Failure(job, in_words(error))

    def _late(self, future: Any, job: Job) -> list[Failure]:
        """Give a chunk up that takes too long, and start its worker anew; one that only waits is left alone."""
        holders = [worker for worker, keys in self._open.processing().items() if future.key in keys]
        running = {key for keys in self._executing().values() for key in keys}
        if future.key not in running:
            self._jobs[future] = (job, time.monotonic())
            return []
        del self._jobs[future]
        future.cancel(force=True)
        self._open.restart_workers(holders, timeout=self._patience_s, raise_for_error=False)
        return [Failure(job, f"took longer than {self._time_s:g} s")]

    def _executing(self) -> dict[str, Any]:
        """Return the keys on which each worker is at work just now."""
        found: dict[str, Any] = self._open.run(_executing_keys)
        return found


def _executing_keys(dask_worker: Any) -> list[str]:
    return [task.key for task in dask_worker.state.executing]


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError(
            "--dask needs Dask distributed: pip install 'brickphys[cluster]'"
        ) from None
    return distributed


def _local_cluster(workers: int, memory_mb: int | None) -> Any:
    return _distributed().LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",  # the usual port may be taken
        memory_limit=f"{memory_mb}MB" if memory_mb else 0,
        silence_logs=50,
    )
