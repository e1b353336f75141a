"""Chromium: the browser of the system, without a window, for benchmarks, tests and pictures; it draws in software."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--no-sandbox",  # in a container, as root, the sandbox cannot start
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield the browser.

    Raises
    ------
    FileNotFoundError
        If none is installed.
    """
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        raise FileNotFoundError(f"no browser: none of {', '.join(_NAMES)} is installed")
    with sync_playwright() as player:
        found = player.chromium.launch(executable_path=program, args=_FLAGS)
        yield found
        found.close()
