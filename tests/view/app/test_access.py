"""Access to the app: who may come in."""

import asyncio

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from starlette.responses import PlainTextResponse

from brickphys.view.app.access import COOKIE, MOST_BYTES, AccessControl
from brickphys.view.app.server import LOCAL

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
