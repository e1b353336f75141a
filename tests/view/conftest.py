"""A real browser: the Chromium of the system, without a window and with WebGL in software."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="module")
def what_other_tests_left_is_not_searched() -> None:
    """Each simulated visit searches for garbage twice; what modules before have left need not be looked at."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def browser(request) -> Iterator[object]:
    """Yield the browser; a test that needs it is skipped where there is none.

    A module with ``HAS_WEBGL = False`` gets one that draws nothing in three dimensions.
    While it runs, the thread has an event loop, and tests of other modules start loops of their own.
    """
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    from benchmarks.chromium import chromium

    with ExitStack() as stack:
        try:
            found = stack.enter_context(
                chromium(has_webgl=getattr(request.module, "HAS_WEBGL", True))
            )
        except FileNotFoundError as error:
            pytest.skip(str(error))
        yield found


class OpenedPage:
    """A page from disk, and everything that went wrong in it."""

    def __init__(self, browser: object, path: Path, **options: object) -> None:
        self.troubles: list[str] = []
        self.asked: list[str] = []
        context = browser.new_context(**options)
        self.page = context.new_page()
        self.page.set_default_timeout(300_000)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.resolve().as_uri())
        self.close = context.close

    def _heard(self, message: object) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)


@pytest.fixture
def opened(browser):
    """Return what opens pages; they are closed after the test."""
    pages = []

    def open_page(path: Path, **options: object) -> OpenedPage:
        pages.append(OpenedPage(browser, path, **options))
        return pages[-1]

    yield open_page
    for one in pages:
        one.close()
