"""The start page and the first picture of a file are there while pages are being loaded; others wait for theirs."""

import asyncio
from contextlib import asynccontextmanager
from threading import Event

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from httpx import ASGITransport, AsyncClient
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from brickphys.errors import InvalidValueError
from brickphys.view.app import server
from brickphys.view.app.server import StartPages
from brickphys.view.app.start_page import (
    ENTRIES,
    PICTURE,
    WHOLE,
    FirstPicture,
    PageEntry,
    module_files,
    start_page,
)
from tests.view.visits import in_loop

PATIENCE_S = 300.0


@asynccontextmanager
async def visited(server):
    """Yield a visitor of a server that runs."""
    transport = ASGITransport(server.app, raise_app_exceptions=False)
    running, visitor = (
        server.app.router.lifespan_context(server.app),
        AsyncClient(transport=transport, base_url="http://here"),
    )
    async with running, visitor:
        yield visitor


@in_loop
async def test_the_start_page_waits_for_nothing_and_the_others_for_themselves():
    go_on = Event()

    def load():
        assert go_on.wait(PATIENCE_S)
        return Starlette(routes=[Route("/play", lambda _: PlainTextResponse("a game"))])

    async with visited(StartPages(ENTRIES, load, lambda: None)) as visitor:
        wanted = asyncio.create_task(visitor.get("/play"))
        assert "Throw lab" in (await visitor.get("/")).text
        style = await visitor.get("/brickphys/app/app.css")
        assert style.headers["content-type"].startswith("text/css")
        again = await visitor.get("/brickphys/app/app.css", headers={"accept-encoding": "identity"})
        assert again.text == style.text  # the first one was compressed
        assert not wanted.done()
        go_on.set()
        assert (await wanted).text == "a game"
        assert (await visitor.get("/none")).status_code == 404


@in_loop
async def test_pages_that_cannot_be_loaded_end_the_server():
    ended = Event()

    def load():
        raise ImportError("no NiceGUI here")

    server = StartPages(ENTRIES, load, ended.set)
    async with visited(server) as visitor:
        assert (await visitor.get("/play")).status_code == 500
    assert ended.is_set()
    assert str(server.fault) == "no NiceGUI here"


async def nothing():
    """Fill no page."""


def shown_file(first, read=None):
    """Return the page of a file."""
    return PageEntry("/file", "a.toml", "a scene", nothing, read, first)


def empty():
    """Return an empty picture."""
    return FirstPicture("", "text/html")


def waiting(go_on):
    """Return what loads pages once it may."""

    def load():
        assert go_on.wait(PATIENCE_S)
        return Starlette(routes=[Route("/file", lambda _: PlainTextResponse("the page"))])

    return load


@in_loop
async def test_the_first_picture_of_a_file_stands_in_for_its_page():
    go_on = Event()
    opened = PageEntry(
        "/file",
        "<a>.toml",
        "a scene",
        nothing,
        first=lambda: FirstPicture("<p>a picture</p>", "text/html"),
    )
    async with visited(StartPages((opened, *ENTRIES), waiting(go_on), lambda: None)) as visitor:
        whole = asyncio.create_task(visitor.get(WHOLE))
        first = await visitor.get("/file")
        assert "<h1>&lt;a&gt;.toml</h1>" in first.text
        assert "/brickphys/app/first.js" in first.text
        picture = await visitor.get(PICTURE)
        assert picture.text == "<p>a picture</p>"
        assert picture.headers["content-type"].startswith("text/html")
        for answer in first, picture:
            assert answer.headers["cache-control"] == "no-store"
        assert not whole.done()
        go_on.set()
        assert (await whole).status_code == 204
        assert (await visitor.get("/file")).text == "the page"


@pytest.mark.parametrize("asked", [WHOLE, "/play"])
@in_loop
async def test_the_pages_are_loaded_once_the_picture_is_there_and_somebody_wants_them(asked):
    is_drawn, loads = Event(), []

    def picture():
        assert is_drawn.wait(PATIENCE_S)
        return FirstPicture("", "text/html")

    def load():
        loads.append(is_drawn.is_set())
        return Starlette(routes=[Route("/play", lambda _: PlainTextResponse("a game"))])

    opened = shown_file(picture)
    async with visited(StartPages((opened,), load, lambda: None)) as visitor:
        assert (await visitor.get("/file")).status_code == 200  # waits for no picture
        is_drawn.set()
        assert (await visitor.get(PICTURE)).status_code == 200
        assert loads == []
        assert (await visitor.get(asked)).status_code in (200, 204)
        assert loads == [True]


@in_loop
async def test_the_pages_are_loaded_in_the_end_though_nobody_asks(monkeypatch):
    monkeypatch.setattr(server, "MOST_WAIT_S", 0.01)
    is_loaded = Event()

    def load():
        is_loaded.set()
        return Starlette()

    opened = shown_file(empty)
    async with visited(StartPages((opened,), load, lambda: None)):
        assert await asyncio.to_thread(is_loaded.wait, PATIENCE_S)


@in_loop
async def test_a_file_of_which_there_is_no_picture_waits_for_its_page():
    go_on = Event()

    def impossible():
        raise InvalidValueError("no models")

    opened = shown_file(impossible)
    async with visited(StartPages((opened,), waiting(go_on), lambda: None)) as visitor:
        assert "/brickphys/app/first.js" in (await visitor.get("/file")).text
        assert (await visitor.get(PICTURE)).status_code == 404
        go_on.set()
        assert (await visitor.get(WHOLE)).status_code == 204
        assert (await visitor.get("/file")).text == "the page"


@in_loop
async def test_a_fault_in_the_picture_ends_the_server_and_is_told():
    ended = Event()

    def faulty():
        raise ZeroDivisionError("1 / 0")

    opened = shown_file(faulty)
    server = StartPages((opened,), Starlette, ended.set)
    async with visited(server) as visitor:
        assert (await visitor.get(PICTURE)).status_code == 404
        assert (await visitor.get(WHOLE)).status_code == 503
        assert (await visitor.get("/")).status_code == 200
    assert ended.is_set()
    assert isinstance(server.fault, ZeroDivisionError)


@in_loop
async def test_a_file_is_read_while_the_first_page_is_there_and_then_the_address_is_told():
    go_on, steps = Event(), []

    def read():
        assert go_on.wait(PATIENCE_S)
        steps.append("read")

    opened = shown_file(empty, read)
    server = StartPages((opened,), Starlette, lambda: None, lambda: steps.append("told"))
    async with visited(server) as visitor:
        assert (await visitor.get("/file")).status_code == 200
        assert steps == []
        go_on.set()
        assert (await visitor.get(PICTURE)).status_code == 200
        assert steps == ["read", "told"]


@in_loop
async def test_without_a_file_the_address_is_told_at_once():
    told = []
    async with visited(StartPages(ENTRIES, Starlette, lambda: None, lambda: told.append(1))) as one:
        assert (await one.get("/")).status_code == 200
        assert told == [1]


@in_loop
async def test_a_file_that_cannot_be_shown_ends_the_server_once_the_page_has_told_why():
    ended, told = Event(), []

    def read():
        raise InvalidValueError("a.toml: no scene")

    opened = shown_file(empty, read)
    server = StartPages((opened,), Starlette, ended.set, lambda: told.append(1))
    async with visited(server) as visitor:
        assert (await visitor.get("/file")).status_code == 200
        answer = await visitor.get(PICTURE)
        assert (answer.status_code, answer.text) == (422, "a.toml: no scene")
    assert await asyncio.to_thread(ended.wait, PATIENCE_S)
    assert isinstance(server.fault, InvalidValueError)
    assert told == []


def test_a_server_that_is_ended_does_not_wait_until_its_file_is_read():
    go_on = Event()

    async def check():
        opened = shown_file(empty, go_on.wait)
        async with visited(StartPages((opened,), Starlette, lambda: None)) as visitor:
            assert (await visitor.get("/file")).status_code == 200
        assert not go_on.is_set()

    asyncio.run(asyncio.wait_for(check(), PATIENCE_S))
    go_on.set()


def test_it_leads_to_every_page_and_escapes_names_of_files():
    page = start_page((PageEntry("/file", "<b>\x1b.toml", "the scene", nothing), *ENTRIES))
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "\x1b" not in page
    cards = page.partition("brickphys-cards")[2]
    assert [cards.count(f'href="{one.address}"') for one in ENTRIES] == [1] * len(ENTRIES)
    assert all(f'src="/brickphys/app{one.address}.webp"' in cards for one in ENTRIES)
    assert all(f"/brickphys/app{one.address}.webp" in module_files() for one in ENTRIES)


def test_it_tells_what_a_player_can_do_without_words_for_developers():
    page = start_page(ENTRIES)
    assert "Begin with" in page
    for word in ("--html", "sweep", "bots", "replay, play"):
        assert word not in page
