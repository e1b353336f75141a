"""Porch: answers with the start page and the player's files at once, while the other pages are being loaded."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from brickphys.view.app.entry import Entry
from brickphys.view.app.modules import module_files
from brickphys.view.app.start_page import start_page


class Porch:
    """What stands before the pages; ``app`` answers, and whoever wants a page waits until it is loaded.

    Parameters
    ----------
    entries
        The pages to which the start page leads.
    load
        Returns the app of all other pages; is called in a thread, since it takes a second.
    give_up
        Is called where it cannot be loaded; ``fault`` is then the reason.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        load: Callable[[], Starlette],
        give_up: Callable[[], None],
    ) -> None:
        self._load, self._give_up = load, give_up
        self._pages: Starlette | None = None
        self._is_decided, self._is_over = asyncio.Event(), asyncio.Event()
        self.fault: Exception | None = None
        given = {**module_files(), "/": (start_page(entries), "text/html")}
        self.app = Starlette(
            routes=[
                *(Route(address, _giver(*content)) for address, content in given.items()),
                Mount("/", self._lead),
            ],
            middleware=[Middleware(GZipMiddleware)],
            lifespan=self._open,
        )

    async def _lead(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead to another page, once it is there."""
        await self._is_decided.wait()
        if self._pages is None:
            raise RuntimeError("the pages could not be loaded")
        await self._pages(scope, receive, send)

    @asynccontextmanager
    async def _open(self, _: Starlette) -> AsyncIterator[None]:
        """Load the pages beside the server, until it ends."""
        loading = asyncio.create_task(self._keep())
        yield
        self._is_over.set()
        await loading

    async def _keep(self) -> None:
        try:
            pages = await asyncio.to_thread(self._load)
            async with pages.router.lifespan_context(pages):
                self._pages = pages
                self._is_decided.set()
                await self._is_over.wait()
        except Exception as error:  # whatever it is, the server ends with it
            self.fault = error
            self._is_decided.set()
            self._give_up()


def _giver(text: str, kind: str) -> Callable[[Request], Response]:
    def give(_: Request) -> Response:
        return Response(
            text, media_type=kind
        )  # one for each: what compresses it changes its headers

    return give
