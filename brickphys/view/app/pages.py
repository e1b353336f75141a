"""Pages: all pages of the app that NiceGUI makes, as an app of their own."""

from collections.abc import Iterable

from fastapi import FastAPI
from nicegui import app, ui
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from brickphys.view.app.entry import Entry
from brickphys.view.app.frame import fault_text, fill_by_module, frame
from brickphys.view.app.jobs import long, quick
from brickphys.view.app.server.crowd import Crowd
from brickphys.view.app.start_page import unknown_page

_PATIENCE_S = 20.0
"""How long a page may be away, such as one that draws on a slow machine, before its visitor counts as gone."""
_FILLED_S = 60.0
"""How long a page may take until it is filled, which loads libraries, on a slow machine."""


def all_pages(entries: Iterable[Entry]) -> FastAPI:
    """Return an app that makes the pages."""
    app.add_middleware(Crowd)
    app.exception_handler(404)(_nothing_here)
    app.on_page_exception(_fault)
    app.on_shutdown(quick.stop)
    app.on_shutdown(long.stop)
    add_pages(entries)
    found = FastAPI(openapi_url=None)
    ui.run_with(
        found,
        title="brickphys",
        language="en-US",
        gzip_middleware_factory=None,
        reconnect_timeout=_PATIENCE_S,
        show_welcome_message=False,
    )
    return found


def add_pages(entries: Iterable[Entry]) -> None:
    """Add pages to NiceGUI, and that of the replays of games that were played here."""
    ui.button.default_props("no-caps")
    for entry in entries:
        add_page(entry)

    @ui.page("/replay/{name}", response_timeout=_FILLED_S)
    async def replay(name: str) -> None:
        frame("Replay")
        await fill_by_module("battles.named_replay", (name,))


def add_page(entry: Entry) -> None:
    """Add a page to the server."""

    @ui.page(entry.address, response_timeout=_FILLED_S)
    async def shown() -> None:
        frame(entry.title)
        await entry.fill()


def _nothing_here(_: Request, __: Exception) -> Response:
    """Answer to an address that there is not; a page of NiceGUI would be a session more."""
    return HTMLResponse(unknown_page(), status_code=404)


def _fault(error: Exception) -> None:
    """Fill the page in whose place an error came."""
    frame("")
    ui.label(fault_text(error)).props("role=alert")
