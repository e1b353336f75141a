"""Gate: lets in who comes by a known name of this machine and has the token."""

import re
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from secrets import compare_digest
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brickphys.reading import MOST_RECORD_BYTES

COOKIE, PARAMETER = "brickphys_token", "token"
MOST_BYTES = MOST_RECORD_BYTES + 100_000
"""Of the body of a request: the largest file that a page takes is a replay."""
SAFE = {
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


class Gate:
    """Refuses requests and sockets of others.

    A page of somebody else in the same browser can send requests to this machine, too: under a name of its own, so
    only the names of this machine are accepted in the header ``Host``; or under a name of this machine, so only pages
    of this server are accepted in the header ``Origin``, and no files are given to others.

    Parameters
    ----------
    app
        What is behind the gate.
    hosts
        Names, without port, by which the server is called; empty for any.
    token
        What has to be in the address once, and then in a cookie; empty for none.
    port
        Of the server; a browser sends cookies to all servers of a machine, so their names differ.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str, port: int) -> None:
        self._app, self._hosts, self._token = app, frozenset(hosts), token
        self._cookie = f"{COOKIE}_{port}"

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
            reason = "the token is missing: open the address that the server has printed"
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
            answer.set_cookie(self._cookie, self._token, httponly=True, samesite="lax")
        await answer(scope, receive, send)

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return found is not None and self._is_token(found.value)

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


def _safely(send: Send) -> Send:
    """Return what sends an answer with the headers of all answers."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(SAFE)
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
    await PlainTextResponse(reason, status_code=403)(scope, receive, send)
