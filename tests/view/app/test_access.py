"""Access to the server: who may come in, connections without a request, and how many pages are open."""

import asyncio
import os
import re
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import Client
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from brickphys.errors import InvalidValueError
from brickphys.view.app import access
from brickphys.view.app.access import (
    COOKIE,
    MOST_BYTES,
    MOST_OF_ADDRESS,
    AccessControl,
    TimedConnection,
    kept_token,
)
from brickphys.view.app.pages import MOST_OF_LINK, MOST_PAGES, PageLimit
from brickphys.view.app.server import LOCAL, MOST_CONNECTIONS, _server, listening_address
from brickphys.view.app.start_page import alone

PORT = 8765
NAMED = f"{COOKIE}_{PORT}"


def answer(control, path="/", kind="http", query="", method="GET", **headers):
    """Return what an access control sends to a request: its messages; of names of headers `_` is a dash."""
    sent = []
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    asyncio.run(control(scope, receive, send))
    return sent


def status(*args, **headers):
    return answer(*args, **headers)[0].get("status")


def headers_of(start):
    return {name.decode(): value.decode() for name, value in start["headers"]}


@pytest.fixture
def local():
    return AccessControl(PlainTextResponse("in"), LOCAL, "", PORT)


@pytest.fixture
def guarded():
    return AccessControl(PlainTextResponse("in"), (), "secret", PORT)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8765", "localhost:1", "[::1]:80", "localhost", "[::1]", "LocalHost:80"]
)
def test_this_machine_comes_in_by_its_own_names(local, host):
    assert status(local, host=host) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8765",
        "127.0.0.1.evil.example:8765",
        "",
        "127.0.0.2:1",
        "[::1",
        "a:1:localhost",
    ],
)
def test_a_strange_name_is_refused(local, host):
    assert status(local, host=host) == 403


def test_a_socket_of_a_strange_name_is_closed(local):
    (message,) = answer(local, kind="websocket", host="evil.example:1")
    assert message["type"] == "websocket.close"


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "http://localhost:3000", "null", "", "http://localhost:1@evil"],
)
def test_a_page_of_another_server_reaches_nothing(local, kind, origin):
    (first, *_) = answer(local, kind=kind, host="localhost:1", origin=origin, method="POST")
    assert first.get("status", first["type"]) in (403, "websocket.close")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_of_this_server_reaches_it(local, method):
    assert status(local, host="localhost:1", origin="http://localhost:1", method=method) == 200
    assert answer(local, kind="websocket", host="localhost:1", origin="http://localhost:1")


@pytest.mark.parametrize(
    ("site", "dest", "expected"),
    [
        ("cross-site", "document", 200),  # a link is followed
        ("cross-site", "image", 403),
        ("cross-site", "iframe", 403),
        ("same-site", "script", 403),  # another server of this machine
        ("same-origin", "script", 200),
        ("none", "document", 200),
    ],
)
def test_files_are_given_to_own_pages_only(local, site, dest, expected):
    asked = {"sec_fetch_site": site, "sec_fetch_dest": dest}
    assert status(local, host="localhost:1", **asked) == expected


@pytest.mark.parametrize("host", ["localhost:1", "evil.example"])
def test_each_answer_forbids_frames_guesses_and_what_comes_from_elsewhere(local, host):
    found = headers_of(answer(local, host=host)[0])
    assert found["x-frame-options"] == "DENY"
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "same-origin"
    policy = found["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address(guarded):
    (start, _) = answer(guarded, path="/file", query="token=secret", host="a:1")
    found = headers_of(start)
    assert start["status"] == 303
    assert found["location"] == "/file"
    assert found["cache-control"] == "no-store"
    cookie = found["set-cookie"].lower()
    assert cookie.startswith(f"{NAMED}=secret;")
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


@pytest.mark.parametrize("given", ["secret", "old"])
def test_an_address_with_a_token_is_never_kept_by_who_is_in_already(guarded, given):
    (start, _) = answer(guarded, query=f"token={given}", cookie=f"{NAMED}=secret", host="a:1")
    assert start["status"] == 303
    assert headers_of(start)["location"] == "/"


def test_the_way_in_leads_to_no_other_server(guarded):
    (start, _) = answer(guarded, path="//evil.example/x", query="token=secret", host="a:1")
    assert headers_of(start)["location"] == "/evil.example/x"


def test_the_cookie_of_another_server_of_this_machine_is_another_one(guarded):
    assert status(guarded, cookie=f"{COOKIE}_1=secret", host="a:1") == 403


@pytest.mark.parametrize(
    ("query", "cookie"),
    [
        ("", ""),
        ("token=wrong", ""),
        ("token=", ""),
        ("token=%C3%A4", ""),
        ("token=wrong", f"{NAMED}=wrong"),
        ("", f"{NAMED}=wrong"),
        ("", "nonsense;;="),
    ],
)
def test_without_the_token_nobody_comes_in(guarded, query, cookie):
    assert status(guarded, query=query, cookie=cookie, host="a:1") == 403


def test_with_the_cookie_one_comes_in(guarded):
    assert status(guarded, cookie=f"other=1; {NAMED}=secret", host="a:1") == 200


def test_a_socket_needs_the_cookie(guarded):
    (message,) = answer(guarded, kind="websocket", query="token=secret", host="a:1")
    assert message["type"] == "websocket.close"


def received(parts):
    """Return the messages that an application behind the access control receives of a body in parts."""
    found, bodies = [], iter(parts)

    async def app(scope, receive, send):
        while True:
            message = await receive()
            found.append(message)
            if message["type"] != "http.request" or not message["more_body"]:
                return

    async def receive():
        return {"type": "http.request", "body": next(bodies), "more_body": True}

    scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost:1")]}
    asyncio.run(AccessControl(app, LOCAL, "", PORT)(scope, receive, None))
    return found


def test_a_body_is_received_up_to_its_limit_and_no_farther():
    half = bytes(MOST_BYTES // 2)
    *taken, last = received([half, half, b"x", half, half])
    assert [message["body"] for message in taken] == [half, half]
    assert last == {"type": "http.disconnect"}


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
    monkeypatch.setattr(access, "HEADERS_S", 0.5)

    async def script(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        with suppress(ConnectionError):
            found = await reader.read()
            assert (b"200" in found) == (sent.startswith(WHOLE))
        writer.close()

    with_server(script)


def test_a_request_that_is_being_answered_has_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "HEADERS_S", 0.5)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(1.0)
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


@pytest.mark.parametrize(
    ("path", "expected"), [("/odds", 503), ("/play", 503), ("/_nicegui/x.js", 200)]
)  # fmt: skip
def test_where_enough_pages_are_open_no_other_one_is_built(monkeypatch, path, expected):
    monkeypatch.setattr(Client, "instances", dict.fromkeys(range(MOST_PAGES - 1)))
    limit = PageLimit(PlainTextResponse("in"))
    assert status(limit, path) == 200
    monkeypatch.setattr(Client, "instances", dict.fromkeys(range(MOST_PAGES)))
    start, body = answer(limit, path)
    assert start["status"] == expected
    assert (f"{MOST_PAGES} pages are open here" in body["body"].decode()) == (expected == 503)


def test_one_link_to_a_table_takes_no_page_of_the_others(monkeypatch):
    watching = SimpleNamespace(request=SimpleNamespace(url=SimpleNamespace(path="/table/watch")))
    monkeypatch.setattr(Client, "instances", dict.fromkeys(range(MOST_OF_LINK), watching))
    limit = PageLimit(PlainTextResponse("in"))
    assert status(limit, "/table/red") == 200
    start, body = answer(limit, "/table/watch")
    assert start["status"] == 503
    assert f"{MOST_OF_LINK} pages are open by this link" in body["body"].decode()


KEY = "table.key"


def guest(path, kind="http", key=KEY, **headers):
    """Return what somebody gets who has the key of a table, or says so."""
    control = AccessControl(answering, (), "token", PORT, lambda one: one == KEY)
    cookie = {"cookie": f"brickphys_table_{PORT}={key}"} if key else {}
    return answer(control, path, kind, **cookie, **headers)


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await PlainTextResponse("in")(scope, receive, send)
    else:
        await send({"type": "websocket.accept"})


def test_a_key_leads_to_its_table_and_what_that_is_made_of():
    page = guest(f"/table/{KEY}", key="")[0]
    assert page["status"] == 200
    cookies = [value for name, value in page["headers"] if name == b"set-cookie"]
    assert cookies == [f"brickphys_table_{PORT}={KEY}; Path=/; HttpOnly; SameSite=Lax".encode()]
    for path in ("/brickphys/app/live.js", "/_nicegui/x.js", "/replay/x"):
        assert guest(path)[0]["status"] == 200
    assert guest("/_nicegui_ws/socket.io", "websocket")[0]["type"] == "websocket.accept"


@pytest.mark.parametrize(
    "path", ["/", "/play", "/throw", "/file", "/tables.json", "/table/other", "/table/"]
)
def test_a_key_leads_to_nothing_else(path):
    assert guest(path)[0]["status"] == 403


@pytest.mark.parametrize("key", ["", "other", "table.key2"])
def test_who_has_another_key_gets_nothing(key):
    assert guest("/brickphys/app/live.js", key=key)[0]["status"] == 403
    assert guest("/_nicegui_ws/socket.io", "websocket", key)[0]["type"] == "websocket.close"


def test_the_key_of_a_table_is_sent_back_only_where_all_is_encrypted_if_it_came_so():
    control = AccessControl(answering, (), "token", PORT, lambda one: one == KEY)
    sent = []

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": f"/table/{KEY}", "query_string": b""}
    asyncio.run(control(scope | {"headers": [], "scheme": "https"}, receive, send))
    (cookie,) = (value for name, value in sent[0]["headers"] if name == b"set-cookie")
    assert cookie.endswith(b"; Secure")


@pytest.mark.parametrize(
    ("address", "is_alone"),
    [
        ("http://127.0.0.1:8765/?token=x", True),
        ("http://localhost:1/play", True),
        ("http://[::1]:80/", True),
        ("http://192.0.2.7:8765/", False),
        ("https://box.example/", False),
    ],
)
def test_links_that_lead_nowhere_on_other_machines_are_told(address, is_alone):
    assert ("--host 0.0.0.0" in alone(address)) == is_alone


def test_who_comes_to_a_table_whose_file_was_changed_is_told():
    def refuse(key):
        raise InvalidValueError("The file was changed.")

    control = AccessControl(answering, (), "token", PORT, refuse)
    start, body = answer(control, f"/table/{KEY}")
    assert (start["status"], body["body"]) == (403, b"The file was changed")


@pytest.mark.parametrize("path", ["/", "/table/old.key"])
def test_who_may_not_come_in_sees_a_page_that_needs_no_other_file(path):
    control = AccessControl(answering, (), "token", PORT)
    start, body = answer(control, path, accept="text/html,*/*")
    assert start["status"] == 403
    assert (b"content-type", b"text/html; charset=utf-8") in start["headers"]
    page = body["body"].decode()
    assert "No way in" in page
    assert not re.search(r"@import|<link rel=.stylesheet|<script", page)
    assert answer(control, path, accept="*/*")[1]["body"].decode() in page.lower()
