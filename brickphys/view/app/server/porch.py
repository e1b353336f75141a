"""Porch: answers with the start page, the first page of a file and the player's files, while pages are loaded."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Thread
from typing import TypeVar

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from brickphys.errors import BrickphysError
from brickphys.view.app.entry import Entry, FirstPicture
from brickphys.view.app.first_page import first_page
from brickphys.view.app.modules import PICTURE, WHOLE, module_files
from brickphys.view.app.start_page import start_page

PATIENCE_S = 5.0
_KEPT_NOWHERE = {"Cache-Control": "no-store"}
_T = TypeVar("_T")


class Porch:
    """What stands before the pages; ``app`` answers, and whoever wants a page waits until it is loaded.

    The page of a file gives way to its first page until then. The pages are loaded once that shows the first picture,
    or after `PATIENCE_S`: two threads of Python take as long as one after the other, and the browser draws meanwhile.

    Parameters
    ----------
    entries
        The pages to which the start page leads; one of them at most shows a file.
    load
        Returns the app of all other pages; is called in a thread, since it takes a second.
    give_up
        Is called where the file cannot be shown, or the app cannot be loaded; ``fault`` is then the reason.
    is_read
        Is called once the file is read, or at once if there is none.
    compresses
        Whether answers are compressed, which takes longer than it saves where the browser is on this machine.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        load: Callable[[], Starlette],
        give_up: Callable[[], None],
        is_read: Callable[[], None] = lambda: None,
        *,
        compresses: bool = True,
    ) -> None:
        entries = tuple(entries)
        self._load, self._give_up, self._is_read = load, give_up, is_read
        self._opened = next((one for one in entries if one.first is not None), None)
        self._picture: FirstPicture | None = None
        self._pages: Starlette | None = None
        self._is_pictured, self._is_decided = asyncio.Event(), asyncio.Event()
        self._is_wanted, self._is_over = asyncio.Event(), asyncio.Event()
        self._has_visitor = False
        self._is_told = asyncio.Event()
        self.fault: Exception | None = None
        given = {**module_files(), "/": (start_page(entries), "text/html")}
        self.app = Starlette(
            routes=[
                *(Route(address, _giver(*content)) for address, content in given.items()),
                Route(PICTURE, self._give_picture),
                Route(WHOLE, self._tell_whole),
                Mount("/", self._lead),
            ],
            middleware=[Middleware(GZipMiddleware)] if compresses else [],
            lifespan=self._open,
        )

    async def _lead(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead to another page, once it is there; until then to the first page of a file, if it is that of the file."""
        opened = self._opened
        if opened is not None and opened.address == scope["path"] and self._pages is None:
            self._has_visitor = True
            answer = HTMLResponse(
                first_page(opened.title, is_drawn=opened.is_drawn), headers=_KEPT_NOWHERE
            )
            await answer(scope, receive, send)
            return
        self._is_wanted.set()
        await self._is_decided.wait()
        if self._pages is None:
            raise RuntimeError("the pages could not be loaded")
        await self._pages(scope, receive, send)

    async def _give_picture(self, _: Request) -> Response:
        """Answer with the first picture of the file, or the reason why there is none, once either is known."""
        await self._is_pictured.wait()
        if self.fault is not None:
            self._is_told.set()
        if isinstance(self.fault, BrickphysError):
            return PlainTextResponse(str(self.fault), status_code=422, headers=_KEPT_NOWHERE)
        if (found := self._picture) is None:
            return Response(status_code=404)
        return Response(found.text, media_type=found.kind, headers=_KEPT_NOWHERE)

    async def _tell_whole(self, _: Request) -> Response:
        """Answer once the pages are there, or will never be."""
        self._is_wanted.set()
        await self._is_decided.wait()
        return Response(status_code=503 if self._pages is None else 204)

    @asynccontextmanager
    async def _open(self, _: Starlette) -> AsyncIterator[None]:
        """Load the pages beside the server, until it ends."""
        loading = asyncio.create_task(self._keep())
        yield
        self._is_over.set()
        if not self._is_decided.is_set():
            loading.cancel()
        with suppress(asyncio.CancelledError):
            await loading

    async def _keep(self) -> None:
        try:
            await self._show_file()
            pages = await _beside(self._load)
            async with pages.router.lifespan_context(pages):
                self._pages = pages
                self._is_decided.set()
                await self._is_over.wait()
        except Exception as error:  # whatever it is, the server ends with it
            self.fault = error
            self._is_decided.set()
            self._is_pictured.set()
            if self._has_visitor:
                await _wait_for(self._is_told)
            self._give_up()

    async def _show_file(self) -> None:
        """Read the file, if there is one, and make its first picture; then wait until the whole page is wanted."""
        opened = self._opened
        if opened is not None and opened.read is not None:
            await _beside(opened.read)
        self._is_read()
        if opened is not None:
            self._picture = await _beside(partial(_picture, opened))
        self._is_pictured.set()
        if opened is not None:
            await _wait_for(self._is_wanted)


async def _wait_for(event: asyncio.Event) -> None:
    """Wait for an event, for `PATIENCE_S` at most."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), PATIENCE_S)


async def _beside(call: Callable[[], _T]) -> _T:
    """Return what a call returns that is done in a thread of its own; the end of the program does not wait for it."""
    found = Future[_T]()

    def work() -> None:
        found.set_running_or_notify_cancel()
        try:
            found.set_result(call())
        except BaseException as error:
            found.set_exception(error)

    Thread(target=work, daemon=True).start()
    return await asyncio.wrap_future(found)


def _picture(opened: Entry) -> FirstPicture | None:
    """Return the first picture of a page; None if it is impossible: the page itself tells why."""
    with suppress(BrickphysError):
        return None if opened.first is None else opened.first()
    return None


def _giver(text: str, kind: str) -> Callable[[Request], Response]:
    def give(_: Request) -> Response:
        return Response(
            text, media_type=kind
        )  # one for each: what compresses it changes its headers

    return give
