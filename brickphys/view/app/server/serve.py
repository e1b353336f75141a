"""Serve: starts the server of the pages and opens the browser."""

import socket
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from secrets import token_urlsafe
from threading import Thread

from nicegui import app, ui
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from brickphys.errors import InterruptedRunError
from brickphys.view.app.entry import Entry, fault_text, frame
from brickphys.view.app.jobs import long, quick
from brickphys.view.app.modules import module_files
from brickphys.view.app.pages import add_pages
from brickphys.view.app.server.crowd import MOST_CONNECTIONS, Crowd
from brickphys.view.app.server.gate import PARAMETER, Gate
from brickphys.view.app.server.place import Place, free_place

HOST = "127.0.0.1"
_WAIT_S = 0.1


def serve(
    opened: Entry | None,
    tell: Callable[[str], None],
    host: str = HOST,
    port: int | None = None,
    *,
    show: bool = True,
) -> None:
    """Serve the pages until Ctrl-C.

    Parameters
    ----------
    opened
        See `pages.add_pages`.
    tell
        Is called with the address, before anybody can come.
    host
        Address of this machine by which others reach the server; by default only this machine does.
    port
        None for 8765, or a free one if that is taken.
    show
        Whether a browser is opened.

    Raises
    ------
    InvalidValueError
        If the server cannot have this address.
    InterruptedRunError
        If the server does not start.
    """
    place = free_place(host, port)
    token = "" if place.is_local else token_urlsafe(16)
    app.add_middleware(Crowd)
    app.add_middleware(Gate, hosts=place.names, token=token, port=place.port)
    for address, (text, kind) in module_files().items():
        app.get(address)(_giver(text, kind))
    app.exception_handler(404)(_nothing_here)
    app.on_page_exception(_fault)
    app.on_shutdown(quick.stop)
    app.on_shutdown(long.stop)
    add_pages(opened)
    path = (opened.address if opened else "/") + (f"?{PARAMETER}={token}" if token else "")
    tell(f"{place.address}{path}")
    if show:
        Thread(target=_show, args=(place, path), daemon=True).start()
    try:
        ui.run(
            host=place.host,
            port=place.port,
            title="brickphys",
            language="en-US",
            reload=False,
            show=False,
            show_welcome_message=False,
            limit_concurrency=MOST_CONNECTIONS,
        )
    except SystemExit as end:
        if end.code:
            raise InterruptedRunError(f"{place.address}: the server does not start") from None


def _giver(text: str, kind: str) -> Callable[[], Response]:
    def give() -> Response:
        return Response(text, media_type=kind)

    return give


def _nothing_here(_: Request, __: Exception) -> Response:
    """Answer to an address that there is not; a page of NiceGUI would be a session more."""
    return PlainTextResponse("There is no such page; the first one is at /", status_code=404)


def _fault(error: Exception) -> None:
    """Fill the page in whose place an error came."""
    frame("")
    ui.label(fault_text(error)).props("role=alert")


def _show(place: Place, path: str) -> None:
    """Open the browser as soon as the server answers."""
    while True:
        with suppress(OSError), socket.create_connection(place.door, timeout=1):
            break
        time.sleep(_WAIT_S)
    webbrowser.open(f"{place.address}{path}")
