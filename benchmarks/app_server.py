"""App server: `brickphys view` in a process of its own, for benchmarks, tests and pictures."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from brickphys.view.app.access import COOKIE, kept_token

_ANSWER_S = 60.0
table_links: dict[str, dict[str, str]] = {}
"""The links to the seats of the table that a server has laid, by its address."""
_COOKIES: dict[str, dict[str, str]] = {}
"""What browsers have that were at the address with the token, by the address of each server."""


@contextmanager
def served(*words: str | Path, port: int | None = None) -> Iterator[str]:
    """Start the app, and yield its address without a path once it is printed.

    With a port the app listens, but may not have read the file yet that it shows. A browser has to be invited. Of a
    table that it lays, `table_links` has the links.
    """
    command = [sys.executable, "-m", "brickphys", "view", *words, "--no-browser", "--json"]
    command += [] if port is None else ["--port", str(port)]
    # NiceGUI looks for the variables of pytest, and then starts no server
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own) as server:
        assert server.stdout is not None
        try:
            if port is None:
                found = json.loads(server.stdout.readline())
                address = found["address"].partition("?")[0].removesuffix("/file").rstrip("/")
                table_links[address] = found.get("table", {})
            else:
                address = f"http://127.0.0.1:{port}"
                _wait_for(port)
            name = f"{COOKIE}_{address.rpartition(':')[2]}"
            _COOKIES[address] = {"name": name, "value": kept_token(), "url": address}
            yield address
        finally:
            server.terminate()


def invite(context: Any) -> None:
    """Give a browser's context of Playwright the cookies that it would have from the addresses with the token."""
    context.add_cookies([*_COOKIES.values()])


def _wait_for(port: int) -> None:
    """Wait until the server listens."""
    end = time.monotonic() + _ANSWER_S
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise TimeoutError(f"nothing answers at port {port}")
