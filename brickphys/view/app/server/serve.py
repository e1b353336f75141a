"""Serve: starts the server of the pages and opens the browser."""

import webbrowser
from collections.abc import Callable
from functools import partial
from threading import Thread

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from brickphys.view.app.entry import ENTRIES, Entry, ModulePage
from brickphys.view.app.server.arrivals import Arrival
from brickphys.view.app.server.gate import PARAMETER, Gate
from brickphys.view.app.server.place import taken_place
from brickphys.view.app.server.porch import Porch
from brickphys.view.app.server.token import kept_token, new_token

MOST_CONNECTIONS = 500
"""A browser has one that stays for each page, and a few more while it loads."""
HOST = "127.0.0.1"


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
        Page of the file that the command was given; None if there is none.
    tell
        Is called with the address, once the file is read.
    host
        Address of this machine by which others reach the server; by default only this machine does.
    port
        None for 8765, or a free one if that is taken.
    show
        Whether a browser is opened.

    Raises
    ------
    InvalidValueError
        If the server cannot have this address, or the file cannot be shown.
    """
    entries = ENTRIES if opened is None else (opened, *ENTRIES)
    with taken_place(host, port) as (place, doors):
        token = kept_token() if place.is_local else new_token()
        page = opened.address if opened else "/"
        address = f"{place.address}{page}?{PARAMETER}={token}"

        def give_up() -> None:
            server.should_exit = True

        porch = Porch(
            entries,
            partial(_pages, entries),
            give_up,
            partial(tell, address),
            compresses=not place.is_local,
        )
        server = _server(Gate(porch.app, place.names, token, place.port))
        if show:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        server.run(doors)
    if porch.fault is not None:
        raise porch.fault


def _server(app: ASGIApp) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Arrival,
            ws="wsproto",
            log_level="warning",
            limit_concurrency=MOST_CONNECTIONS,
        )
    )


def _pages(entries: tuple[Entry, ...]) -> Starlette:
    """Load NiceGUI, and return the app of all pages; that which somebody looks at is loaded with it."""
    from brickphys.view.app.pages import all_pages

    for entry in entries:
        if entry.first is not None and isinstance(entry.fill, ModulePage):
            entry.fill.load()
    return all_pages(entries)
