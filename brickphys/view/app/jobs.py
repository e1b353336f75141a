"""Jobs: what takes longer than a moment is done in threads, beside the loop that answers all visitors.

So many jobs are done at once, so many more wait, and further ones are refused. Long ones have threads of their own: a
click waits for no bot of somebody else.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Generic, TypeVar

from nicegui import background_tasks, ui

from brickphys.errors import BrickphysError
from brickphys.view.app.elements import StatusLine

R = TypeVar("R")


class BusyError(BrickphysError, RuntimeError):
    """The server has so much to do that it takes no more."""


async def at_work(button: ui.element, job: Callable[[], Awaitable[None]]) -> None:
    """Do what a button begins, unless it is being done; unlike a button that is disabled, it keeps the keyboard."""
    if "loading" in button.props:
        return
    button.props("loading")
    try:
        await job()
    finally:
        if not button.is_deleted:
            button.props(remove="loading")


class Jobs:
    """Does jobs in threads: so many at once; `most` are done or wait, and of one page `most_of_page`."""

    def __init__(self, name: str, threads: int, most: int, most_of_page: int) -> None:
        self._pool = ThreadPoolExecutor(threads, name)
        self._most, self._most_of_page = most, most_of_page
        self._of_pages = Counter[str]()
        self._lock = Lock()

    async def __call__(self, function: Callable[..., R], *given: object) -> R:
        """Return what a function returns for arguments; the loop goes on meanwhile. BusyError if there is too much."""
        page = _page()
        self._begin(page)
        try:
            future = self._pool.submit(function, *given)
        except RuntimeError:  # the server stops
            self._end(page)
            raise asyncio.CancelledError from None
        future.add_done_callback(lambda _: self._end(page))
        return await asyncio.wrap_future(future)

    def stop(self) -> None:
        """Do no job any more that has not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin(self, page: str) -> None:
        with self._lock:
            if page and self._of_pages[page] >= self._most_of_page:
                raise BusyError("This page computes so much already: wait until it is done.")
            if self._of_pages.total() >= self._most:
                raise BusyError(
                    f"The server has {self._most} things to compute already: try again in a moment."
                )
            self._of_pages[page] += 1

    def _end(self, page: str) -> None:
        with self._lock:
            self._of_pages[page] -= 1
            if not self._of_pages[page]:
                del self._of_pages[page]


def _page() -> str:
    """Return the page for which something is done; empty if what was clicked is not on it any more."""
    try:
        return str(ui.context.client.id)
    except RuntimeError:
        return ""


quick = Jobs("quick", 4, 100, 10)
"""Jobs of a second or less."""
long = Jobs("long", 4, 100, 3)
"""Jobs that may take longer."""


class Latest(Generic[R]):
    """Computes what was asked last; what was asked before it and has not begun is dropped.

    `show` is called with the result, unless something else was asked meanwhile; the line tells what is wrong.
    """

    def __init__(self, jobs: Jobs, show: Callable[[R], None], line: StatusLine) -> None:
        self._jobs, self._show, self._line = jobs, show, line
        self._client = ui.context.client
        self._asked: Callable[[], R] | None = None
        self._number, self._is_busy = 0, False

    def ask(self, function: Callable[[], R]) -> None:
        """Compute something, and show it."""
        self.drop()
        self._asked = function
        if not self._is_busy:
            self._is_busy = True
            background_tasks.create(self._answer(), context=self._client)

    def drop(self) -> None:
        """Show nothing of what was asked before."""
        self._asked = None
        self._number += 1

    async def _answer(self) -> None:
        try:
            while (asked := self._asked) is not None:
                self._asked, number = None, self._number
                with self._line.reporting_faults():
                    found = await self._jobs(asked)
                    if number == self._number:
                        self._show(found)
        finally:
            self._is_busy = False
