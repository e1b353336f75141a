"""Server: its address, what it answers while the pages are being loaded, and its start.

- The address is one of this machine, at a free port; by default only this machine reaches it.
- Until the pages are loaded, the server answers with the start page, the first page of a file and the player's files.
"""

import asyncio
import gc
import os
import socket
import ssl
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from brickphys.errors import BrickphysError, InvalidValueError
from brickphys.text import shown
from brickphys.view.app import access, start_page

PORT = 8765
LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""Names by which this machine calls itself."""
_OUTSIDE = ("192.0.2.1", 9)
"""An address for documentation: nothing is sent to it, the system only tells which of its own it would use."""


@dataclass(frozen=True)
class ServerAddress:
    """Where the server is reached."""

    host: str
    """Name or number of an address of this machine, as it was given."""
    numbers: tuple[str, ...]
    """All of its numbers, where the server listens."""
    port: int
    """At each of them."""
    is_safe: bool = False
    """Whether what is sent is encrypted (TLS)."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return all(ip_address(number.partition("%")[0]).is_loopback for number in self.numbers)

    @property
    def is_everywhere(self) -> bool:
        """Whether it is reached by every address of this machine."""
        return any(ip_address(number.partition("%")[0]).is_unspecified for number in self.numbers)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, without port, by which a browser may call it; empty for any."""
        own = map(_bracketed, (self.host.lower(), *self.numbers))
        return (*LOCAL, *own) if self.is_local else ()

    @property
    def address(self) -> str:
        """What people open, without a path: of a server that is reached by every address, one that others reach.

        That is a number: names lead nowhere in many homes. Only a certificate is for a name.
        """
        machine = socket.gethostname if self.is_safe else _number
        name = machine() if self.is_everywhere else self.host
        return f"http{'s' * self.is_safe}://{_bracketed(name)}:{self.port}"


@contextmanager
def listening_address(
    host: str, port: int | None
) -> Iterator[tuple[ServerAddress, list[socket.socket]]]:
    """Take the place where the server is to be reached (see `serve`), with sockets that listen there already.

    They are given back after the block. Without a port it is 8765, or a free one if that is taken. InvalidValueError if
    the server cannot have this address.
    """
    name = host.removeprefix("[").removesuffix("]")
    if not name:
        raise InvalidValueError("the host is empty: give a name or number, such as 127.0.0.1")
    with ExitStack() as stack:
        sockets = [stack.enter_context(listener) for listener in _sockets(name, port)]
        numbers = tuple(listener.getsockname()[0] for listener in sockets)
        yield ServerAddress(name, numbers, sockets[0].getsockname()[1]), sockets


def _sockets(name: str, port: int | None) -> list[socket.socket]:
    reason = ""
    for wanted in (PORT, 0) if port is None else (port,):
        try:
            return _listening(name, wanted)
        except socket.gaierror as error:
            reason = error.strerror or "it has no number"
            break
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
        except (ValueError, OverflowError):  # no name or no number of a port
            reason = "there is no such address"
            break
    called = shown(name) if port is None else f"{shown(name)}, port {port}"
    raise InvalidValueError(f"{called}: the server cannot have this address: {reason}")


def _listening(name: str, port: int) -> list[socket.socket]:
    """Return sockets that listen at all numbers of a name, at one port: localhost may have two."""
    sockets = list[socket.socket]()
    with ExitStack() as stack:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
        for kind, _, _, _, (number, _, *zone) in dict.fromkeys(found):
            is_both = number == "::" and socket.has_dualstack_ipv6()
            where = (number, port, *zone)
            listener = socket.create_server(where, family=kind, dualstack_ipv6=is_both)
            sockets.append(stack.enter_context(listener))
            port = listener.getsockname()[1]
        stack.pop_all()
    return sockets


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _number() -> str:
    """Return the number by which others reach this machine; its own one if there is no network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(_OUTSIDE)
        return str(one.getsockname()[0])
    return LOCAL[0]


MOST_WAIT_S = 5.0
_NO_STORE = {"Cache-Control": "no-store"}
_T = TypeVar("_T")


class StartPages:
    """What stands before the pages; ``app`` answers, and whoever wants a page waits until it is loaded.

    The page of a file gives way to its first page until then. The pages are loaded once that shows the first picture,
    or after `MOST_WAIT_S`: two threads of Python take as long as one after the other, and the browser draws meanwhile.

    `load` returns the app of all other pages, in a thread of its own; `give_up` is called where the file cannot be
    shown or the app not be loaded, for the reason `fault`; `is_read` once the file is read, or at once if there is
    none. To compress answers takes longer than it saves where the browser is on this machine.
    """

    def __init__(
        self,
        entries: Iterable[start_page.PageEntry],
        load: Callable[[], Starlette],
        give_up: Callable[[], None],
        is_read: Callable[[], None] = lambda: None,
        *,
        compresses: bool = True,
    ) -> None:
        entries = tuple(entries)
        self._load, self._give_up, self._is_read = load, give_up, is_read
        self._opened = next((one for one in entries if one.first is not None), None)
        self._picture: start_page.FirstPicture | None = None
        self._pages: Starlette | None = None
        self._is_pictured, self._is_decided = asyncio.Event(), asyncio.Event()
        self._is_wanted, self._is_over = asyncio.Event(), asyncio.Event()
        self._has_visitor, self._is_fault_sent = False, asyncio.Event()
        self.fault: Exception | None = None
        given = {**start_page.module_files(), "/": (start_page.start_page(entries), "text/html")}
        self.app = Starlette(
            routes=[
                *(Route(address, _giver(*content)) for address, content in given.items()),
                Route(start_page.PICTURE, self._give_picture),
                Route(start_page.WHOLE, self._tell_whole),
                Route(start_page.TABLES, _give_tables),
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
            page = start_page.first_page(opened.title, is_drawn=opened.is_drawn)
            await HTMLResponse(page, headers=_NO_STORE)(scope, receive, send)
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
            self._is_fault_sent.set()
        if isinstance(self.fault, BrickphysError):
            return PlainTextResponse(str(self.fault), status_code=422, headers=_NO_STORE)
        if (found := self._picture) is None:
            return Response(status_code=404)
        return Response(found.text, media_type=found.kind, headers=_NO_STORE)

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
                await _wait_for(self._is_fault_sent)
            self._give_up()

    async def _show_file(self) -> None:
        """Read the file, if there is one, and make its first picture; then wait until the whole page is wanted."""
        opened = self._opened
        if opened is not None and opened.read is not None:
            await _beside(opened.read)
        self._is_read()
        if opened is None:
            self._is_pictured.set()
            return
        self._picture = await _beside(partial(_picture, opened))
        self._is_pictured.set()
        await _wait_for(self._is_wanted)


async def _wait_for(event: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), MOST_WAIT_S)


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


def _picture(opened: start_page.PageEntry) -> start_page.FirstPicture | None:
    """Return the first picture of a page; None if it is impossible: the page itself tells why."""
    with suppress(BrickphysError):
        return None if opened.first is None else opened.first()
    return None


async def _give_tables(_: Request) -> Response:
    """Answer with what there is to watch; where no page of that kind was wanted yet, that is nothing."""
    names = {"tables": "tables", "games": "battles.replay"}
    modules = {key: sys.modules.get(f"brickphys.view.app.{name}") for key, name in names.items()}
    found = {key: one.told() if one else [] for key, one in modules.items()}
    return JSONResponse(found, headers=_NO_STORE)


def _giver(text: str | bytes, kind: str) -> Callable[[Request], Response]:
    """Return what answers with a new response each time: what compresses it changes its headers."""
    return lambda _: Response(text, media_type=kind)


class Certificate(NamedTuple):
    """The files by which a server is known, and what it sends is encrypted."""

    chain: Path
    """Its certificate, in PEM, with those that vouch for it."""
    key: Path

    def checked(self) -> dict[str, Path]:
        """Return the options of uvicorn; InvalidValueError if the files are no certificate with its key."""
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.chain, self.key, "")
        except (OSError, ValueError) as error:  # an error of SSL is one of these
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
            raise InvalidValueError(
                f"{self.chain}, {self.key}: no certificate with its key: {reason}"
            ) from None
        return {"ssl_certfile": self.chain, "ssl_keyfile": self.key}


MOST_CONNECTIONS = 500
"""A browser has one that stays for each page, and a few more while it loads."""
HOST = "127.0.0.1"


def serve(
    opened: start_page.PageEntry | None,
    tell: Callable[[str], None],
    host: str = HOST,
    port: int | None = None,
    *,
    show: bool = True,
    certificate: Certificate | None = None,
) -> None:
    """Serve the pages until Ctrl-C.

    Raises InvalidValueError if the server cannot have this address, or the file cannot be shown.

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
    certificate
        With which the server encrypts what it sends; None to send everything as it is.
    """
    tls = {} if certificate is None else certificate.checked()
    entries = start_page.ENTRIES if opened is None else (opened, *start_page.ENTRIES)
    with listening_address(host, port) as (found, sockets):
        at = replace(found, is_safe=bool(tls))
        token = access.kept_token() if at.is_local else access.new_token()
        page = opened.address if opened else "/"
        address = f"{at.address}{page}?{access.PARAMETER}={token}"

        def give_up() -> None:
            server.should_exit = True

        load, is_read = partial(_pages, entries), partial(tell, address)
        start_pages = StartPages(entries, load, give_up, is_read, compresses=not at.is_local)
        control = access.AccessControl(start_pages.app, at.names, token, at.port, _is_key)
        server = _server(control, **tls)
        if show:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        server.run(sockets)
    if start_pages.fault is not None:
        raise start_pages.fault


def _is_key(key: str) -> bool:
    """Whether somebody has the key of a table."""
    from brickphys.view.app.tables import is_key  # loads the rules

    return is_key(key)


def _server(app: ASGIApp, **tls: Path) -> uvicorn.Server:
    most: dict[str, Any] = {"log_level": "warning", "limit_concurrency": MOST_CONNECTIONS}
    most |= tls
    return uvicorn.Server(uvicorn.Config(app, http=access.TimedConnection, ws="wsproto", **most))


def _pages(entries: tuple[start_page.PageEntry, ...]) -> Starlette:
    """Load NiceGUI, and return the app of all pages; that which somebody looks at is loaded with it."""
    from brickphys.view.app.pages import all_pages

    for entry in entries:
        if entry.first is not None and isinstance(entry.fill, start_page.ModulePage):
            entry.fill.load()
    found = all_pages(entries)
    gc.freeze()  # what is loaded stays: garbage of pages and games is looked for among the rest alone
    gc.set_threshold(2_000, 10, 5)  # and far more often than in short commands
    return found
