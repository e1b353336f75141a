"""Serve: starts the server of the pages and opens the browser."""

import socket
from collections.abc import Callable
from secrets import token_urlsafe

from nicegui import app, ui
from starlette.responses import Response

from brickphys.errors import InvalidValueError
from brickphys.view.app.entry import Entry
from brickphys.view.app.gate import LOCAL, PARAMETER, Gate
from brickphys.view.app.modules import module_files
from brickphys.view.app.pages import add_pages

HOST, PORT = "127.0.0.1", 8765


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
    """
    number = _free_port(host, port)
    is_local = host in LOCAL or host == "::1"
    token = "" if is_local else token_urlsafe(16)
    app.add_middleware(Gate, hosts=LOCAL if is_local else (), token=token)
    for address, (text, kind) in module_files().items():
        app.get(address)(_giver(text, kind))
    add_pages(opened)
    path = (opened.address if opened else "/") + (f"?{PARAMETER}={token}" if token else "")
    tell(f"http://{host}:{number}{path}")
    ui.run(
        host=host,
        port=number,
        title="brickphys",
        language="en-US",
        reload=False,
        show=path if show else False,
        show_welcome_message=False,
    )


def _giver(text: str, kind: str) -> Callable[[], Response]:
    def give() -> Response:
        return Response(text, media_type=kind)

    return give


def _free_port(host: str, port: int | None) -> int:
    """Return the port if it is free; without one the usual one, or any that is free."""
    for wanted in (PORT, 0) if port is None else (port,):
        try:
            with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                one.bind((host, wanted))
                found: int = one.getsockname()[1]
                return found
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else "no such port"
    where = host if port is None else f"{host}:{port}"
    raise InvalidValueError(f"{where}: the server cannot have this address: {reason}")
