"""Access: who may use the server.

A request is answered if it calls this machine by a known name and has the token; others may have accounts on this
machine. Connections that have not sent a whole request yet are limited in time and number.
"""

import asyncio
import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from typing import Any, ClassVar
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from brickphys.battles.start import state_folder
from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_RECORD_BYTES
from brickphys.view.app.start_page import refused_page

COOKIE, PARAMETER = "brickphys_token", "token"
_GUEST_COOKIE = "brickphys_table"
TABLE = "/table/"
"""Where the pages of tables are, each below it with a key, which lets who has it come in there."""
_OF_TABLES = ("/_nicegui", "/brickphys/", "/replay/")
"""Where addresses begin that the page of a table asks for: its files, its socket, its pictures, a game that is over."""
MOST_BYTES = MOST_RECORD_BYTES + 100_000
"""Of the body of a request: the largest file that a page takes is a replay."""
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What browsers are told with each answer: NiceGUI needs scripts within its pages, but nothing from elsewhere."""
_HOST = re.compile(r"(\[[^]]*\]|[^:]*)(:[0-9]*)?")
_READS = ("GET", "HEAD")
_NO_TABLE = "this link leads to no seat at a table here: ask who has sent it for another one"
_NO_TOKEN = (
    "the token is missing: open the address that the server has printed; "
    "who has the link of a seat opens that link again"
)


class AccessControl:
    """Refuses requests and sockets of others.

    A page of somebody else in the same browser can send requests to this machine, too: under a name of its own, so
    only the names of this machine are accepted in the header ``Host``; or under a name of this machine, so only pages
    of this server are accepted in the header ``Origin``, and no files are given to others.

    A `guest` has no token, but the key of a table in the address: that page is given, and what it is made of.

    `hosts` are the names, without port, by which the server is called; empty for any. The `token` has to be in the
    address once, and then in a cookie, whose name has the port: a browser sends cookies to all servers of a machine.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str],
        token: str,
        port: int,
        is_key: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._app, self._hosts, self._token = app, frozenset(hosts), token
        self._cookie, self._guest_cookie = f"{COOKIE}_{port}", f"{_GUEST_COOKIE}_{port}"
        self._is_key = is_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request or a socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, safely = Headers(scope=scope), _safely(send)
        host = headers.get("host", "").lower()
        found = _HOST.fullmatch(host)
        if self._hosts and (found is None or found[1] not in self._hosts):
            reason = "this server is not called by that name: open the address that it has printed"
        elif _is_foreign(headers, host):
            reason = "a page of another server has asked for this"
        elif self._token and (given := _given(scope)) is not None:
            await self._welcome(given, headers, scope, receive, safely)
            return
        elif self._token and not self._has_cookie(headers):
            reason = _NO_TABLE if scope["path"].startswith(TABLE) else _NO_TOKEN
            try:
                if (guest := await self._as_guest(scope, headers, safely)) is not None:
                    await self._app(scope, _Bounded(receive), guest)
                    return
            except InvalidValueError as error:  # of a table whose file was changed
                reason = str(error).rstrip(".")
        else:
            await self._app(scope, _Bounded(receive), safely)
            return
        await _refuse(reason, scope, receive, safely)

    async def _welcome(
        self, given: str, headers: Headers, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Take the token out of the address, where browsers would keep it; the cookie says that it was there."""
        is_right = self._is_token(given)
        if not (is_right or self._has_cookie(headers)):
            reason = "the token is another one: open the address that the server has printed last"
            await _refuse(reason, scope, receive, send)
            return
        answer = RedirectResponse(f"/{scope['path'].lstrip('/')}", status_code=303)
        answer.headers["Cache-Control"] = "no-store"
        if is_right:  # lax: links from elsewhere lead in; sockets and posts of other pages do not
            is_safe = scope.get("scheme") == "https"
            answer.set_cookie(
                self._cookie, self._token, httponly=True, samesite="lax", secure=is_safe
            )
        await answer(scope, receive, send)

    async def _as_guest(self, scope: Scope, headers: Headers, send: Send) -> Send | None:
        """Return what sends an answer to who has the key of a table; None if the request is of nobody like that."""
        path: str = scope["path"]
        if path.startswith(TABLE):
            key = path.removeprefix(TABLE)
            if not await asyncio.to_thread(self._is_key, key):
                return None
            cookie = f"{self._guest_cookie}={key}; Path=/; HttpOnly; SameSite=Lax"
            cookie += "; Secure" * (scope.get("scheme") == "https")
            return _safely(send, {"set-cookie": cookie})
        key = self._cookie_of(headers, self._guest_cookie)
        is_part = path.startswith(_OF_TABLES)
        return send if key and is_part and await asyncio.to_thread(self._is_key, key) else None

    def _has_cookie(self, headers: Headers) -> bool:
        return self._is_token(self._cookie_of(headers, self._cookie))

    @staticmethod
    def _cookie_of(headers: Headers, name: str) -> str:
        """Return the value of a cookie; empty if there is none."""
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(name)
        except CookieError:
            return ""
        return "" if found is None else found.value

    def _is_token(self, text: str) -> bool:
        return compare_digest(text.encode(errors="replace"), self._token.encode())


class _Bounded:
    """Receives no more of a body than `MOST_BYTES`, whatever its headers say; then the client counts as gone."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._bytes = receive, 0

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._bytes += len(message.get("body", b""))
            if self._bytes > MOST_BYTES:
                return {"type": "http.disconnect"}
        return message


def _safely(send: Send, headers: Mapping[str, str] = SECURITY_HEADERS) -> Send:
    """Return what sends an answer with the headers of all answers."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(headers)
        await send(message)

    return sent


def _is_foreign(headers: Headers, host: str) -> bool:
    """Whether a browser asks for a page of another server; a person who follows a link to here asks by herself."""
    origin = headers.get("origin")
    if origin is not None:
        return origin.lower().partition("://")[2] != host
    asked_by, wanted = headers.get("sec-fetch-site"), headers.get("sec-fetch-dest")
    return asked_by in ("cross-site", "same-site") and wanted != "document"


def _given(scope: Scope) -> str | None:
    """Return the token in the address of a page; None if there is none."""
    if scope["type"] != "http" or scope["method"] not in _READS:
        return None
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1"), keep_blank_values=True).get(PARAMETER, [None])[0]


async def _refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    is_shown = "text/html" in Headers(scope=scope).get("accept", "")  # else a program asks
    answer = HTMLResponse(refused_page(reason), 403) if is_shown else PlainTextResponse(reason, 403)
    await answer(scope, receive, send)


_TOKEN_FOLDER = "server"
_TOKEN = re.compile(r"[\w-]{22,64}", re.ASCII)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return token_urlsafe(16)


def kept_token() -> str:
    """Return the token of this user, the same at each start: pages that are open go on when the server is back.

    It is kept in a file that nobody else may read; where there can be none, each start has a new one.
    """
    folder = state_folder(_TOKEN_FOLDER)
    if folder is not None:
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _kept(folder / "token") or new_token()
    return new_token()


def _kept(path: Path) -> str:
    """Return the token in a file, which is made if it is not there; empty if others may read or write it."""
    with suppress(FileExistsError):
        number = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(new_token())
    found = path.lstat()
    if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o077):
        return ""
    text = path.read_text(encoding="ascii", errors="replace")
    return text if _TOKEN.fullmatch(text) else ""


HEADERS_S = 10.0
"""Time for the head of a request, and between two requests; a browser needs milliseconds."""
MOST_WAITING = 200
"""Connections without a request; the oldest gives way to the next, so whoever asks at once always comes in."""
MOST_OF_ADDRESS = 100
"""Of one address among them."""


class TimedConnection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection of uvicorn that waits for a request only for a while.

    uvicorn counts connections, but gives each all the time that it wants for the head of a request. A few hundred half
    requests, which need no token, would keep everybody out.
    """

    waiting: ClassVar[dict["TimedConnection", str]] = {}
    """Connections without a request, the oldest first, with their addresses."""
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; a whole head ends the wait."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the wait."""
        self._end()
        super().connection_lost(exc)

    def _look(self) -> None:
        is_taken = self.transport.is_closing() or self.transport.get_protocol() is not self
        if is_taken or not (self.cycle is None or self.cycle.response_complete):
            self._end()
        elif self._late is None:
            self._late = asyncio.get_running_loop().call_later(HEADERS_S, self.transport.abort)
            self.waiting[self] = self.client[0] if self.client else ""
            self._make_room()

    def _end(self) -> None:
        self.waiting.pop(self, None)
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _make_room(self) -> None:
        """Let the oldest connection go, of the same address or of all, if too many wait."""
        own = [one for one, address in self.waiting.items() if address == self.waiting[self]]
        for found, most in ((own, MOST_OF_ADDRESS), ([*self.waiting], MOST_WAITING)):
            if len(found) > most:
                oldest = found[0]
                oldest._end()
                oldest.transport.abort()
