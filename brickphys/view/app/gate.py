"""Gate: lets in who comes by a known name of this machine and, where others can reach it, has the token."""

from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from secrets import compare_digest
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brickphys.reading import MOST_RECORD_BYTES

COOKIE, PARAMETER = "brickphys_token", "token"
MOST_BYTES = MOST_RECORD_BYTES + 100_000
"""Of the body of a request: the largest file that a page takes is a replay."""
LOCAL = ("127.0.0.1", "localhost", "[::1]")


class Gate:
    """Refuses requests and sockets of others.

    A page of somebody else in the same browser can send requests to this machine, too, under a name of its own; so
    only the names of this machine are accepted in the header ``Host``.

    Parameters
    ----------
    app
        What is behind the gate.
    hosts
        Names, without port, by which the server is called; empty for any.
    token
        What has to be in the address once, and then in a cookie; empty for none.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str) -> None:
        self._app, self._hosts, self._token = app, frozenset(hosts), token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request or a socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._hosts and headers.get("host", "").rpartition(":")[0] not in self._hosts:
            await _refuse("this server is not called by that name", scope, receive, send)
        elif not self._token or self._has_cookie(headers):
            await self._app(scope, _Bounded(receive), send)
        elif scope["type"] == "http" and self._is_token(_parameter(scope)):
            answer = RedirectResponse(scope["path"], status_code=303)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            await answer(scope, receive, send)
        else:
            await _refuse(
                "the token is missing: open the address that the server has printed",
                scope,
                receive,
                send,
            )

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return found is not None and self._is_token(found.value)

    def _is_token(self, text: str) -> bool:
        return compare_digest(text.encode(), self._token.encode())


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


def _parameter(scope: Scope) -> str:
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get(PARAMETER, [""])[0]


async def _refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    await PlainTextResponse(reason, status_code=403)(scope, receive, send)
