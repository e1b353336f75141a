"""Served: the app in a process of its own, and a tab of a browser that hears what goes wrong in it."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def served(*words: str | Path, port: int | None = None) -> Iterator[str]:
    """Start the app, and yield its address without a path."""
    command = [sys.executable, "-m", "brickphys", "view", *words, "--no-browser", "--json"]
    command += [] if port is None else ["--port", str(port)]
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own)
    try:
        found = json.loads(server.stdout.readline())["address"].removesuffix("/file").rstrip("/")
        _wait_for(int(found.rpartition(":")[2]))
        yield found
    finally:
        server.terminate()
        server.wait(30)
        server.stdout.close()


def _wait_for(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise TimeoutError(f"nothing answers at port {port}")


@contextlib.contextmanager
def tab(browser: object, **options: object) -> Iterator[object]:
    """Open a tab: its ``troubles`` are errors of its programs, ``asked`` the addresses that it has loaded."""
    context = browser.new_context(**options)
    found = context.new_page()
    found.set_default_timeout(120_000)
    found.troubles = []
    found.on("pageerror", lambda error: found.troubles.append(str(error)))
    found.asked = []
    found.on("request", lambda request: found.asked.append(request.url))
    yield found
    context.close()
