"""Porch: answers with the start page, the first picture of a file and the player's files, while pages are loaded."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from brickphys.errors import BrickphysError
from brickphys.view.app.entry import Entry
from brickphys.view.app.modules import WHOLE, module_files
from brickphys.view.app.start_page import start_page


class Porch:
    """What stands before the pages; ``app`` answers, and whoever wants a page waits until it is loaded.

    A page that has a first picture gives that until then. It is made before the pages are loaded: two threads of
    Python take as long as one after the other.

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
        self._entries, self._load, self._give_up = tuple(entries), load, give_up
        self._pictures: dict[str, str] = {}
        self._pages: Starlette | None = None
        self._is_pictured, self._is_decided = asyncio.Event(), asyncio.Event()
        self._is_over = asyncio.Event()
        self.fault: Exception | None = None
        given = {**module_files(), "/": (start_page(self._entries), "text/html")}
        self.app = Starlette(
            routes=[
                *(Route(address, _giver(*content)) for address, content in given.items()),
                Route(WHOLE, self._tell_whole),
                Mount("/", self._lead),
            ],
            middleware=[Middleware(GZipMiddleware)],
            lifespan=self._open,
        )

    async def _lead(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead to another page, once it is there; until then to its first picture, if it has one."""
        await self._is_pictured.wait()
        if not self._is_decided.is_set() and (text := self._pictures.get(scope["path"])):
            answer = HTMLResponse(text, headers={"Cache-Control": "no-store"})
            await answer(scope, receive, send)
            return
        await self._is_decided.wait()
        if self._pages is None:
            raise RuntimeError("the pages could not be loaded")
        await self._pages(scope, receive, send)

    async def _tell_whole(self, _: Request) -> Response:
        """Answer once the pages are there, or will never be."""
        await self._is_decided.wait()
        return Response(status_code=503 if self._pages is None else 204)

    @asynccontextmanager
    async def _open(self, _: Starlette) -> AsyncIterator[None]:
        """Load the pages beside the server, until it ends."""
        loading = asyncio.create_task(self._keep())
        yield
        self._is_over.set()
        await loading

    async def _keep(self) -> None:
        try:
            self._pictures = await asyncio.to_thread(_pictures, self._entries)
            self._is_pictured.set()
            pages = await asyncio.to_thread(self._load)
            async with pages.router.lifespan_context(pages):
                self._pages = pages
                self._is_decided.set()
                await self._is_over.wait()
        except Exception as error:  # whatever it is, the server ends with it
            self.fault = error
            self._is_decided.set()
            self._is_pictured.set()
            self._give_up()


def _pictures(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the first pictures by the addresses of their pages; a page whose picture is impossible tells why."""
    found = {}
    for entry in entries:
        with suppress(BrickphysError):
            if entry.first is not None:
                found[entry.address] = entry.first()
    return found


def _giver(text: str, kind: str) -> Callable[[Request], Response]:
    def give(_: Request) -> Response:
        return Response(
            text, media_type=kind
        )  # one for each: what compresses it changes its headers

    return give
