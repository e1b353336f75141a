"""The gate of the app: who may come in."""

import asyncio

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from starlette.responses import PlainTextResponse

from brickphys.view.app.gate import COOKIE, LOCAL, MOST_BYTES, Gate


def answer(gate, path="/", kind="http", query="", **headers):
    """Return what a gate sends to a request: its messages."""
    sent = []
    scope = {
        "type": kind,
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    return sent


def status(*args, **headers):
    return answer(*args, **headers)[0].get("status")


@pytest.fixture
def local():
    return Gate(PlainTextResponse("in"), LOCAL, "")


@pytest.fixture
def guarded():
    return Gate(PlainTextResponse("in"), (), "secret")


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:1", "[::1]:80"])
def test_this_machine_comes_in_by_its_own_names(local, host):
    assert status(local, host=host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example:8765", "127.0.0.1.evil.example:8765", "", "127.0.0.2:1"]
)
def test_a_strange_name_is_refused(local, host):
    assert status(local, host=host) == 403


def test_a_socket_of_a_strange_name_is_closed(local):
    (message,) = answer(local, kind="websocket", host="evil.example:1")
    assert message["type"] == "websocket.close"


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address(guarded):
    (start, _) = answer(guarded, path="/file", query="token=secret", host="a:1")
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert start["status"] == 303
    assert headers["location"] == "/file"
    assert headers["set-cookie"].startswith(f"{COOKIE}=secret;")
    assert "HttpOnly" in headers["set-cookie"]


@pytest.mark.parametrize(
    ("query", "cookie"),
    [("", ""), ("token=wrong", ""), ("token=", ""), ("", f"{COOKIE}=wrong"), ("", "nonsense;;=")],
)
def test_without_the_token_nobody_comes_in(guarded, query, cookie):
    assert status(guarded, query=query, cookie=cookie, host="a:1") == 403


def test_with_the_cookie_one_comes_in(guarded):
    assert status(guarded, cookie=f"other=1; {COOKIE}=secret", host="a:1") == 200


def test_a_socket_needs_the_cookie(guarded):
    (message,) = answer(guarded, kind="websocket", query="token=secret", host="a:1")
    assert message["type"] == "websocket.close"


def received(parts):
    """Return the messages that an application behind the gate receives of a body in parts."""
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
    asyncio.run(Gate(app, LOCAL, "")(scope, receive, None))
    return found


def test_a_body_is_received_up_to_its_limit_and_no_farther():
    half = bytes(MOST_BYTES // 2)
    *taken, last = received([half, half, b"x", half, half])
    assert [message["body"] for message in taken] == [half, half]
    assert last == {"type": "http.disconnect"}
