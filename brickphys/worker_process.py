"""Worker process: starts, and does jobs until its pipe closes."""

import os
import pickle
import re
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, Pipe
from typing import TypeVar

from brickphys.errors import in_words, is_short_of_memory
from brickphys.notes import show_notes
from brickphys.signals import without_ctrl_c

J = TypeVar("J")
R = TypeVar("R")

NO_MEMORY = 12
"""Exit status of a process that has too little memory to say so."""
_MEGABYTE = 2**20
_STDERR = 2
_ERROR = re.compile(r"[\w.]*(Error|Exception)\b")
_LONGEST = 2**16
"""Bytes of standard error that are read."""
_STARTING = threading.Lock()


class WorkerProcess:
    """A process that does jobs, and the pipe to it; no other process has its other end, so it closes with the process.

    Each job has two answers: when it starts, and when it ends.
    """

    def __init__(
        self,
        prepare: Callable[[J], object] | None,
        run: Callable[[J], R],
        memory_mb: int | None,
        notes: bool,
    ) -> None:
        context = get_context("spawn")
        self.pipe, theirs = Pipe()
        with without_ctrl_c(signal.SIGTERM), _stderr_heard() as (self._heard, stderr):
            arguments = (theirs, stderr, prepare, run, memory_mb, notes)
            self.process = context.Process(target=_serve, args=arguments)
            self.process.start()
        theirs.close()

    def end(self, *, at_once: bool) -> None:
        """Close the pipe, and wait for the end of the process; or kill it."""
        if at_once:
            self.process.kill()
        self.pipe.close()
        self.process.join()
        if self._heard is not None:
            self._heard.close()

    def last_error(self) -> str:
        """Return the error that ended the process before its first job; empty if it told none."""
        if self._heard is None:
            return ""
        os.set_blocking(self._heard.fileno(), False)
        with suppress(OSError):
            text = os.read(self._heard.fileno(), _LONGEST).decode(errors="replace")
            errors = [line for line in text.splitlines() if _ERROR.match(line)]
            return errors[-1].rstrip(": ") if errors else ""
        return ""


@contextmanager
def _stderr_heard() -> Iterator[tuple[Connection | None, Connection | None]]:
    """Give a process that starts in this block a pipe as standard error; yield its other end, and our standard error.

    The process takes ours once it is ready for jobs. So an error of its start, which may be that this process was
    killed in the middle of it, is not printed by Python.
    """
    try:
        ours = os.dup(_STDERR) if os.name != "nt" else None
    except OSError:  # it is closed
        ours = None
    if ours is None:
        yield None, None
        return
    heard, theirs = Pipe(duplex=False)
    with theirs, Connection(ours, readable=False) as stderr, _STARTING:
        os.dup2(theirs.fileno(), _STDERR)
        try:
            yield heard, stderr
        finally:
            os.dup2(ours, _STDERR)


def _serve(
    pipe: Connection,
    stderr: Connection | None,
    prepare: Callable[[J], object] | None,
    run: Callable[[J], R],
    memory_mb: int | None,
    notes: bool,
) -> None:
    """Do the jobs that come through a pipe until it closes; this is a worker process."""
    if notes:
        show_notes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if memory_mb is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * _MEGABYTE,) * 2)
    if stderr is not None:
        os.dup2(stderr.fileno(), _STDERR)
        stderr.close()
    with suppress(EOFError, OSError):
        try:
            while True:
                job = pipe.recv()
                loaded = attempt(prepare, job) if prepare else None
                pipe.send(loaded if isinstance(loaded, Exception) else None)
                pipe.send(attempt(run, job))
        except MemoryError:  # for a job, or for its result
            os._exit(NO_MEMORY)


def attempt(function: Callable[[J], R], job: J) -> R | Exception:
    """Return what a function returns or raises, with the traceback as a note; an error that can be sent.

    Whatever was raised for lack of memory is a MemoryError.
    """
    try:
        return function(job)
    except Exception as error:
        if is_short_of_memory(error):
            return error if type(error) is MemoryError else MemoryError(in_words(error))
        error.add_note(traceback.format_exc())
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # an exception with arguments of its own
            return RuntimeError(in_words(error))
        return error


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
