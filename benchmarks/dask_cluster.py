"""A Dask cluster on this machine, started as its user would: a process for the scheduler, two for each worker."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

Process = subprocess.Popen[bytes]


class Cluster:
    """A scheduler and workers, each a process of its own with what it starts; a context manager that ends them.

    Attributes
    ----------
    address
        That of the scheduler, also of one that is started again.
    workers
        Those that were started and not ended.
    """

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self.workers: list[Process] = []
        self.processes: list[Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            end(process)

    def scheduler(self, *more: object, env: Mapping[str, str] | None = None) -> Process:
        """Start the scheduler."""
        words = ["--host", "127.0.0.1", "--port", self._port, "--no-dashboard", "--no-show", *more]
        return self._start("scheduler", words, env, sys.executable)

    def worker(
        self,
        *more: object,
        env: Mapping[str, str] | None = None,
        address: str | None = None,
        python: str = sys.executable,
    ) -> Process:
        """Start a worker with its nanny, which starts it again when it dies."""
        words = [address or self.address, "--nthreads", 1, "--no-dashboard", "--memory-limit", 0]
        process = self._start("worker", [*words, *more], env, python)
        self.workers.append(process)
        return process

    def _start(
        self, role: str, words: list[object], env: Mapping[str, str] | None, python: str
    ) -> Process:
        process = subprocess.Popen(
            [python, "-P", "-m", f"distributed.cli.dask_{role}", *map(str, words)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | dict(env or {}),
            start_new_session=True,
        )
        self.processes.append(process)
        return process


def end(process: Process) -> None:
    """Kill a process with all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def at_work(nanny: Process) -> int | None:
    """Return the process that works for a nanny; None while there is none."""
    with suppress(OSError):  # a process ended while it was looked at
        for thread in Path(f"/proc/{nanny.pid}/task").iterdir():
            for pid in (thread / "children").read_text().split():
                if "resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_text():
                    return int(pid)
    return None
