"""Dask task: what a Dask worker does for a runner on another machine; the scheduler needs no brickphys."""

import pickle
import threading
from collections.abc import Callable, Sequence
from typing import Any

from brickphys.batch.run.chunk import ChunkJob, ChunkResults, prepare_chunk, run_chunk
from brickphys.errors import ShortOfMemoryError, WorkerStartError, in_words, is_short_of_memory
from brickphys.worker_process import attempt

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
            from brickphys.batch.run.dask_task import run_sent
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

    Raises
    ------
    ShortOfMemoryError, WorkerStartError
        If the chunk cannot be prepared: no run is to blame.
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
