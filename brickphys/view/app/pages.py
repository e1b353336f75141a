"""Pages: all pages of the app that NiceGUI makes, as an app of their own; what all of them have; how many are open."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from importlib import import_module

from fastapi import FastAPI
from nicegui import Client, app, ui
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from brickphys.errors import BrickphysError, in_words
from brickphys.view.app import start_page
from brickphys.view.app.access import TABLE
from brickphys.view.app.elements import StatusLine, UncorrectedNumber, heading, message
from brickphys.view.app.jobs import long, quick

_MORE = "More is told where the server was started. Load the page again to go on."


async def fill_by_module(name: str, given: Sequence[object]) -> None:
    """Fill a page by a function ``module:function`` below this package.

    The module is loaded when somebody comes, while the browser loads the rest of the page: physics takes a second.
    """
    waiting = ui.label("Loading ...").props("role=status").classes("brickphys-waiting")
    module_name, _, function = name.partition(":")
    loading = asyncio.ensure_future(quick(import_module, f"{__package__}.{module_name}"))
    client = ui.context.client
    await client.connected()
    module = await loading
    if client.is_deleted:  # its visitor has gone, or was a program that loads no more than the page
        return
    try:
        await getattr(module, function)(*given)
    except BrickphysError as error:  # a study whose folder has gone is no fault of the program
        fault(error)
    finally:
        if not client.is_deleted:
            waiting.delete()


def frame(title: str, address: str = "") -> None:
    """Add what all pages have: the title, the way to others, and a line for faults that no other line tells.

    A page without an `address` is for guests, too, who come to no other one.
    """
    ui.page_title(title or "brickphys")
    ui.add_head_html(f'<link rel="stylesheet" href="{start_page.PAGE_STYLE}">{start_page.PRELOADS}')
    ui.add_body_html(f'<script type="module" src="{start_page.AWAY}"></script>')
    ui.colors(primary="var(--accent)")
    ui.dark_mode(None)  # as the system has it
    with ui.element("div").classes("brickphys-top"):
        ui.link("brickphys", "/")
        if title:
            heading(title, 1)
        if address:
            with ui.element("nav").props('aria-label="Pages"'):
                for one in start_page.ENTRIES:
                    link = ui.link(one.title, one.address)
                    if one.address == address:
                        link.props("aria-current=page")
    line = StatusLine("alert")
    ui.context.client.on_exception(lambda error: line.refuse(fault_text(error)))


def fault_text(error: Exception) -> str:
    """Return an error as a line of a page; one that is not meant for people leads to the log of the server."""
    if isinstance(error, BrickphysError):
        return str(error)
    return f"This is a fault of the program: {in_words(error)}. {_MORE}"


def fault(error: Exception) -> None:
    """Tell why there is nothing to be seen."""
    with message("This page cannot be shown", fault_text(error)):
        ui.button("Try again", on_click=ui.navigate.reload)


MOST_PAGES, MOST_OF_LINK = 100, 40
"""In all, and by one link to a table: who watches keeps no seat empty."""
_FILES = "/_nicegui"
"""Where addresses begin that are not pages."""


class PageLimit:
    """Refuses further pages while as many are open as the server takes; else the app behind it answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        path = scope["path"]
        is_page = scope["type"] == "http" and not path.startswith(_FILES)
        if is_page and (full := _full(path)):
            reason = f"{full}: close one, wait a minute, and load this page again."
            page = start_page.message_page("No more pages", reason)
            await HTMLResponse(page, status_code=503)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _full(path: str) -> str:
    """Return why an address gets no further page; empty if it gets one."""
    if len(Client.instances) >= MOST_PAGES:
        return f"{MOST_PAGES} pages are open here, as many as this server takes"
    if path.startswith(TABLE):
        open_at = [one.request.url.path for one in Client.instances.values()]
        if open_at.count(path) >= MOST_OF_LINK:
            return f"{MOST_OF_LINK} pages are open by this link, as many as it takes"
    return ""


_RECONNECT_S = 20.0
"""How long a page may be away, such as one that draws on a slow machine, before its visitor counts as gone."""
_FILLED_S = 60.0
"""How long a page may take until it is filled, which loads libraries, on a slow machine."""


def all_pages(entries: Iterable[start_page.PageEntry]) -> FastAPI:
    """Return an app that makes the pages."""
    app.add_middleware(PageLimit)
    app.exception_handler(404)(_nothing_here)
    app.on_page_exception(_fault)
    app.on_shutdown(quick.stop)
    app.on_shutdown(long.stop)
    # Quasar's bar of requests has no name for screen readers; what takes long is told in words
    app.config.quasar_config["loadingBar"]["skipHijack"] = True
    add_pages(entries)
    found = FastAPI(openapi_url=None)
    ui.run_with(
        found,
        title="brickphys",
        language="en-US",
        gzip_middleware_factory=None,
        reconnect_timeout=_RECONNECT_S,
        show_welcome_message=False,
    )
    return found


def add_pages(entries: Iterable[start_page.PageEntry]) -> None:
    """Add pages to NiceGUI, those of the replays of games that were played here, and those of tables."""
    ui.button.default_props("no-caps unelevated")
    for field in (ui.input, ui.textarea, ui.select, ui.number, UncorrectedNumber):
        field.default_props("outlined stack-label")
    for entry in entries:
        ui.page(entry.address, response_timeout=_FILLED_S)(partial(_show, entry))

    @ui.page("/replay/{name}", response_timeout=_FILLED_S)
    async def replay(name: str) -> None:
        frame("Replay")
        await fill_by_module("battles.replay:named_replay", (name,))

    @ui.page("/table/{key}", response_timeout=_FILLED_S)
    async def table(key: str) -> None:
        frame("Table")
        await fill_by_module("battles.table_page:table_page", (key,))


async def _show(entry: start_page.PageEntry) -> None:
    frame(entry.title, entry.address)
    if isinstance(entry.fill, start_page.ModulePage):
        await fill_by_module(entry.fill.name, entry.fill.given())
    else:
        await entry.fill()


def _nothing_here(_: Request, __: Exception) -> Response:
    """Answer to an address that there is not; a page of NiceGUI would be a session more."""
    nothing = "There is no page at this address."
    page = start_page.message_page("No such page", nothing, "/", "To the start page")
    return HTMLResponse(page, status_code=404)


def _fault(error: Exception) -> None:
    frame("")
    fault(error)
