"""Dask: an executor with the workers of a Dask scheduler, on this machine or on many (extra ``cluster``).

The scheduler needs no brickphys: what its workers do is sent by value.
"""

import asyncio
import logging
import math
import pickle
import queue
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from brickphys.batch.chunk import ChunkJob, ChunkResults, prepare_chunk, run_chunk
from brickphys.errors import (
    InterruptedRunError,
    InvalidValueError,
    ShortOfMemoryError,
    WorkerDiedError,
    WorkerStartError,
    in_words,
    is_short_of_memory,
    needing,
)
from brickphys.reading import read_json
from brickphys.signals import is_asked, without_ctrl_c
from brickphys.stamp import Stamp, module_files, stamp_of
from brickphys.text import listed
from brickphys.workers import GUARD, attempt

LOCAL = "local"
WAIT_S = 30.0
"""Time to wait for a scheduler, and for a first worker: at the start, and when all are lost."""
_AHEAD = 2
"""Chunks that each worker is given, so that it never waits for the next."""
_LOOK_S = 0.5
"""Time between questions to the scheduler."""
_ANSWER_S = 10.0
"""Time for one answer of the scheduler. It is asked again until `WAIT_S` is over, and Ctrl-C works in between."""
_HANDSHAKE_S = 5.0
"""Time that a client may need to give up beyond its own limit."""
_CLOSING_S = 0.5
"""Time for a cluster to close after a request to stop."""
_RESTART_S = 30.0
"""Time for a worker to start again."""
_FETCHES = 8
"""Results that are on their way at the same time: over a slow network one takes a while."""
_LOST = (OSError, RuntimeError, CancelledError, asyncio.CancelledError)
"""What Dask raises where a scheduler or a worker is lost, and while it closes."""


@dataclass
class _Sent:
    """A chunk that was sent; `worker` has started it at `since`."""

    job: ChunkJob
    future: Future[ChunkResults]
    task: Any = None
    worker: str = ""
    since: float = math.inf


class DaskExecutor:
    """An executor with the workers of a Dask scheduler.

    When the scheduler is lost, the executor waits for it and submits again what was not done. A chunk whose worker is
    lost goes to another one. No worker begins a job unless its stamp equals that of the job. MissingExtraError without
    Dask distributed; InvalidValueError if an address is malformed, or no scheduler answers.

    Parameters
    ----------
    address
        Address of a scheduler, such as ``tcp://host:8786``; or its scheduler file, whose name ends in ``.json``; or
        ``"local"`` to start one here.
    workers
        Number of processes of a local one. For another one: while it has fewer workers, chunks for so many are waiting
        there, by which an adaptive cluster grows; 0 for those that it has.
    time_s
        A chunk that takes longer is given up, and its worker is started again.
    memory_mb
        Memory of a process of a local one; None for no limit.
    wait_s
        Time to wait for a scheduler, and for a first worker.
    """

    def __init__(
        self,
        address: str,
        workers: int,
        time_s: float,
        memory_mb: int | None = None,
        wait_s: float = WAIT_S,
    ) -> None:
        _distributed()
        if address != LOCAL and not _is_file(address):
            _check_address(address)
        self._address, self._workers = address, workers
        self._time_s, self._memory_mb, self._wait_s = time_s, memory_mb, wait_s
        self._opened = ExitStack()
        self._cluster: Any = None
        self._client: Any = None
        self._sent: dict[str, _Sent] = {}  # by the key of the task
        self._lent: set[Path] = set()  # modules that the workers have got from here
        self._ended: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._alive: set[str] = set()  # addresses of workers
        self._last_answer = self._last_alive = self._last_look = -math.inf

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            if self._address == LOCAL:
                with without_ctrl_c():
                    self._cluster = opened.enter_context(
                        _local_cluster(self._workers, self._memory_mb)
                    )
            opened.callback(self._disconnect)
            self._threads = ThreadPoolExecutor(_FETCHES, "brickphys-fetch")
            opened.callback(lambda: self._threads.shutdown(wait=False, cancel_futures=True))
            self._last_answer = time.monotonic()
            while self._client is None:
                try:
                    self._connect()
                except WorkerDiedError as error:  # nothing is begun yet
                    raise InvalidValueError(str(error)) from None
            self._opened = opened.pop_all()
        self._last_alive = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        if not is_asked():
            self._opened.close()
            return
        closing = threading.Thread(target=self._opened.close, daemon=True)
        closing.start()
        for worker in active_children() if self._cluster else ():  # it ends what it has begun first
            worker.kill()
        closing.join(_CLOSING_S)

    @property
    def free(self) -> int:
        """How many more chunks the workers can take."""
        if self._is_lost():
            return 0
        self._look()
        workers = max(len(self._alive), self._workers, 1)  # an adaptive cluster may begin with none
        return max(workers * _AHEAD - len(self._sent), 0)

    def submit(self, job: ChunkJob) -> Future[ChunkResults]:
        """Send a chunk to the scheduler."""
        future: Future[ChunkResults] = Future()
        self._send(job, future)
        return future

    def wait(self, timeout_s: float) -> None:
        """Wait until a chunk ends, at most `timeout_s`; see `Executor.wait`."""
        if self._is_lost():
            self._reconnect()
            return
        self._look()
        self._check_patience()
        with suppress(queue.Empty):
            self._complete(*self._ended.get(timeout=timeout_s))
            for _ in range(self._ended.qsize()):
                self._complete(*self._ended.get())
        now = time.monotonic()
        for key, sent in list(self._sent.items()):
            late = now - sent.since > self._time_s and sent.task.status == "pending"
            if late and sent.worker in self._alive:
                self._give_up(key)

    def _send(self, job: ChunkJob, future: Future[ChunkResults]) -> None:
        key = f"brickphys-{uuid4().hex}"
        sent = self._sent[key] = _Sent(job, future)
        self._lend(job.packages)
        words = job.stamp.document(), job.packages, pickle.dumps(job)
        sent.task = self._client.submit(task_by_value(), *words, key=key, pure=False)
        sent.task.add_done_callback(lambda task: self._threads.submit(self._fetch, key, task))

    def _lend(self, packages: Sequence[str]) -> None:
        """Give all workers, those that come later too, the modules of games and bots that are not installed."""
        from distributed.diagnostics.plugin import UploadFile

        for path in [path for name in packages for path in module_files(name)]:
            if path not in self._lent:
                with suppress(*_LOST):  # a client that is lost sends everything again
                    upload = UploadFile(str(path), load=False)
                    self._client.register_plugin(upload, name=f"brickphys-{uuid4().hex}")
                self._lent.add(path)

    def _fetch(self, key: str, task: Any) -> None:
        """Wait for the result of a task in a thread of its own."""
        try:
            found = task.result(timeout=_ANSWER_S)
        except BaseException as error:
            found = error
            # the line is cut, or its worker is lost: not at once again
            if task.status == "finished":
                time.sleep(_LOOK_S)
        self._ended.put((key, found))

    def _note_start(self, event: tuple[float, tuple[str, str]]) -> None:
        """Note that a worker has started a chunk; the client calls it, in a thread of its own."""
        key, worker = event[1]
        if sent := self._sent.get(key):
            sent.worker, sent.since = worker, time.monotonic()

    def _look(self) -> None:
        """Ask which workers are alive; not too often."""
        if time.monotonic() - self._last_look < _LOOK_S:
            return
        with suppress(*_LOST):
            self._alive = set(self._client.nthreads(callback_timeout=_ANSWER_S))
            self._last_answer = time.monotonic()
        self._last_look = time.monotonic()
        if self._alive:
            self._last_alive = self._last_look

    def _check_patience(self) -> None:
        now = time.monotonic()
        for what, last in (
            ("no answer of the scheduler", self._last_answer),
            ("no worker", self._last_alive),
        ):
            if now - last > self._wait_s:
                raise WorkerDiedError(
                    f"--dask {self._address}: {what} for {self._wait_s:g} s; --dask-wait waits longer,"
                    " and the same command continues"
                )

    def _is_lost(self) -> bool:
        if self._client is None or self._client.status != "running":
            return True
        return any(sent.task.status in ("cancelled", "lost") for sent in self._sent.values())

    def _connect(self) -> None:
        """Try once to reach the scheduler; raise WorkerDiedError if it has been too long."""
        left = self._last_answer + self._wait_s - time.monotonic()
        address = self._address if self._cluster is None else self._cluster
        try:
            if _is_file(self._address):
                address = _address_in(self._address)
            self._client = _client(address, max(min(left, _ANSWER_S), 0.1))
        except OSError as error:
            if left <= 0:
                raise WorkerDiedError(
                    f"--dask {self._address}: no scheduler answered within {self._wait_s:g} s ({in_words(error)})"
                ) from None
            time.sleep(_LOOK_S)
            return
        except (ImportError, RuntimeError, TypeError, ValueError) as error:
            raise InvalidValueError(f"--dask {self._address}: {in_words(error)}") from None
        self._client.subscribe_topic(STARTED, self._note_start)
        self._lent.clear()  # a scheduler that was started again knows none
        self._last_answer = time.monotonic()

    def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(*_LOST):
                client.close(timeout=1)

    def _reconnect(self) -> None:
        """Try to reach the scheduler again, and submit what is not done."""
        self._disconnect()
        try:
            self._connect()
        except WorkerDiedError as error:
            raise WorkerDiedError(f"{error}; the same command continues") from None
        if self._client is not None:
            again, self._sent = list(self._sent.values()), {}
            for sent in again:
                self._send(sent.job, sent.future)

    def _complete(self, key: str, found: Any) -> None:
        """Pass on what came of a task; fetch it again if it was lost on the way."""
        sent = self._sent.get(key)
        if sent is None or sent.task.status in ("cancelled", "lost"):
            return  # given up, or to be sent again
        if isinstance(found, BaseException) and sent.task.status != "error":
            self._threads.submit(self._fetch, key, sent.task)
            return
        worker, result = ("", found) if isinstance(found, BaseException) else found
        # an error of the task itself is no fault of the chunk, unless several workers died with it
        if isinstance(found, BaseException) and type(found).__name__ != "KilledWorker":
            kind = ShortOfMemoryError if isinstance(found, ShortOfMemoryError) else WorkerStartError
            raise kind(f"--dask {self._address}: {in_words(found)}")
        if isinstance(result, str | dict):
            raise WorkerStartError(
                f"--dask {self._address}: {_refusal(sent.job.stamp, worker, result)}"
            )
        del self._sent[key]
        if isinstance(result, BaseException):
            sent.future.set_exception(result)
        else:
            sent.future.set_result(result)

    def _give_up(self, key: str) -> None:
        """Give a chunk up, and start its worker again; without a nanny it is busy until the chunk ends."""
        sent, client = self._sent.pop(key), self._client
        sent.task.cancel(force=True)
        self._threads.submit(client.restart_workers, [sent.worker], _RESTART_S, False)
        sent.future.set_exception(InterruptedRunError(f"took longer than {self._time_s:g} s"))


def _distributed() -> Any:
    with needing("cluster", "Dask distributed"):
        try:
            import distributed
        except ValueError as error:  # a file of Dask's configuration that is no YAML
            raise InvalidValueError(f"Dask distributed: {in_words(error)}") from None
    for name in ("distributed", "distributed.client"):  # an error is reported in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _client(address: Any, timeout_s: float) -> Any:
    """Return a client; it is made in a thread, since what is no scheduler may keep it waiting for ever.

    OSError if no scheduler answers.
    """
    made: Future[Any] = Future()

    def make() -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # other versions: stamps tell what matters
                made.set_result(
                    _distributed().Client(address, timeout=timeout_s, set_as_default=False)
                )
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=make, daemon=True).start()
    return made.result(timeout_s + _HANDSHAKE_S)


def _refusal(ours: Stamp, worker: str, found: Any) -> str:
    """Return why a worker may not take part: what it cannot load, or a stamp that is another."""
    same = "; workers need the same installation as the runner (docs/batch.md)"
    if isinstance(found, str):
        return f"the worker {worker} {found}{same}"
    try:
        differences = listed(ours.differences(stamp_of(found)))
    except InvalidValueError as error:
        differences = str(error)
    return f"the worker {worker} would compute other rows: {differences}{same}"


def _is_file(address: str) -> bool:
    return address.endswith(".json")


def _address_in(name: str) -> str:
    """Return the address in a scheduler file, which a scheduler that starts again may replace.

    OSError if it is not there, or not yet whole; InvalidValueError if it has no address.
    """
    try:
        address = str(read_json(name)["address"])
    except (InvalidValueError, KeyError, TypeError) as error:
        raise OSError(f"no scheduler file yet: {in_words(error)}") from None
    _check_address(address)
    return address


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


STARTED = "brickphys-started"
"""Topic under which a worker logs the chunks that it starts: Dask's own time of a task begins with the imports."""
_ONE_AT_A_TIME = threading.Lock()
"""A world is for one thread at a time; a worker of Dask may have several."""


def task_by_value() -> Callable[[dict[str, Any], Sequence[str], bytes], tuple[str, Any]]:
    """Return the function that workers call with the stamp of the runner, the packages in it, and a pickled job.

    Dask pickles a function inside a function by its code, not by its name. So the scheduler needs no brickphys, and a
    worker that has another one compares stamps all the same. It returns its address, and what came of the job: its
    result or an error; a stamp as a JSON object if the worker has another one; a text if brickphys, or a module of
    somebody else, is not there.
    """

    def task(stamp: dict[str, Any], packages: Sequence[str], job: bytes) -> tuple[str, Any]:
        from importlib.util import find_spec

        from distributed import get_worker

        worker = get_worker()
        try:
            from brickphys.batch.dask import run_sent
            from brickphys.stamp import stamp_here
        except ImportError as error:
            return worker.address, f"cannot load brickphys ({type(error).__name__}: {error})"
        lacking = [name for name in packages if find_spec(name.partition(".")[0]) is None]
        if lacking:
            told = f"has no module {lacking[0]}: install it there, or start the worker with"
            return worker.address, f"{told} PYTHONPATH=FOLDER"
        found = stamp_here(*packages)
        if found.differences(type(found)(**stamp)):
            return worker.address, found.document()
        return worker.address, run_sent(worker, job)

    return task


def run_sent(worker: Any, sent: bytes) -> ChunkResults | Exception:
    """Do a pickled chunk on a worker of Dask, and log when it starts.

    ShortOfMemoryError, WorkerStartError if the chunk cannot be prepared: no run is to blame.
    """
    job: ChunkJob = pickle.loads(sent)
    key = worker.get_current_task()
    with _ONE_AT_A_TIME:
        try:
            prepare_chunk(job)
        except Exception as error:
            if is_short_of_memory(error):
                raise ShortOfMemoryError(
                    f"memory is short: a worker cannot begin: {in_words(error)}"
                ) from None
            raise WorkerStartError(f"a worker cannot begin: {in_words(error)}") from None
        worker.log_event(STARTED, [key, worker.address])
        return attempt(run_chunk, job)
