"""Chromium: the browser of the system, without a window, for benchmarks, tests and pictures; it draws in software."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = {
    True: ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"),
    False: ("--disable-gpu", "--disable-3d-apis"),
}
"""By whether there is WebGL."""
_ALWAYS = ("--no-sandbox",)
"""In a container, as root, the sandbox cannot start."""


@contextmanager
def chromium(*, has_webgl: bool = True) -> Iterator[Browser]:
    """Yield the browser.

    Parameters
    ----------
    has_webgl
        False for one that draws nothing in three dimensions.

    Raises
    ------
    FileNotFoundError
        If none is installed.
    """
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        raise FileNotFoundError(f"no browser: none of {', '.join(_NAMES)} is installed")
    with sync_playwright() as player:
        found = player.chromium.launch(executable_path=program, args=(*_FLAGS[has_webgl], *_ALWAYS))
        yield found
        found.close()
