"""Connections that send half a request keep nobody out; the token of this machine's user."""

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from brickphys.view.app import access
from brickphys.view.app.access import MOST_OF_ADDRESS, TimedConnection, kept_token
from brickphys.view.app.server import MOST_CONNECTIONS, _server, listening_address

HALF = b"GET / HTTP/1.1\r\nHost: a\r\nX-Hal"
IN = PlainTextResponse("in")
WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


def with_server(script: Callable[[int], Awaitable[None]], app: ASGIApp = IN) -> None:
    """Run a script with the port of a server that answers everything."""

    async def run() -> None:
        with listening_address("127.0.0.1", None) as (place, doors):
            server = _server(app)
            running = asyncio.create_task(server.serve(doors))
            while not server.started:
                await asyncio.sleep(0.01)
            try:
                await script(place.port)
            finally:
                server.should_exit = True
                await running

    asyncio.run(run())


async def answered(port: int) -> bytes:
    """Return the first line that the server answers to a whole request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(WHOLE)
    line = await reader.readline()
    writer.close()
    return line


def test_half_requests_of_hundreds_keep_nobody_out() -> None:
    async def script(port: int) -> None:
        halves = []
        for _ in range(MOST_CONNECTIONS + 20):
            halves.append(await asyncio.open_connection("127.0.0.1", port))
            halves[-1][1].write(HALF)
        assert b"200" in await answered(port)
        assert len(TimedConnection.waiting) <= MOST_OF_ADDRESS
        with suppress(ConnectionError):
            assert await halves[0][0].read() == b""  # the oldest gave way
        for _, writer in halves:
            writer.close()

    with_server(script)
    assert not TimedConnection.waiting


@pytest.mark.parametrize("sent", [b"", HALF, WHOLE + HALF], ids=["nothing", "half", "second"])
def test_a_connection_has_so_much_time_for_a_request(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "HEADERS_S", 0.2)

    async def script(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        with suppress(ConnectionError):
            found = await reader.read()
            assert (b"200" in found) == (sent.startswith(WHOLE))
        writer.close()

    with_server(script)


def test_a_request_that_is_being_answered_has_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "HEADERS_S", 0.05)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.3)
        await PlainTextResponse("late")(scope, receive, send)

    async def script(port: int) -> None:
        assert b"200" in await answered(port)

    with_server(script, slow)


def test_the_token_of_a_user_is_kept_where_nobody_else_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    first = kept_token()
    assert len(first) >= 22
    assert kept_token() == first
    (path,) = tmp_path.rglob("token")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)  # others may have read it
    assert kept_token() != first
    path.chmod(0o600)
    for text in ("", "short", "a" * 30 + "\n"):
        path.write_text(text)
        assert kept_token() not in (text, first)


@pytest.mark.parametrize("place", [None, Path(os.devnull)])
def test_without_a_folder_each_start_has_a_token_of_its_own(
    place: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "state_folder", lambda _: place)
    assert kept_token() != kept_token()
