"""The start page is there while the other pages are being loaded; who wants another one waits."""

import asyncio
from contextlib import asynccontextmanager
from threading import Event

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from httpx import ASGITransport, AsyncClient
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from brickphys.view.app.entry import ENTRIES
from brickphys.view.app.server.porch import Porch

PATIENCE_S = 30.0


@asynccontextmanager
async def visited(porch):
    """Yield a visitor of a server that runs."""
    transport = ASGITransport(porch.app, raise_app_exceptions=False)
    running, visitor = (
        porch.app.router.lifespan_context(porch.app),
        AsyncClient(transport=transport, base_url="http://here"),
    )
    async with running, visitor:
        yield visitor


def test_the_start_page_waits_for_nothing_and_the_others_for_themselves():
    go_on = Event()

    def load():
        assert go_on.wait(PATIENCE_S)
        return Starlette(routes=[Route("/play", lambda _: PlainTextResponse("a game"))])

    async def check():
        async with visited(Porch(ENTRIES, load, lambda: None)) as visitor:
            wanted = asyncio.create_task(visitor.get("/play"))
            assert "Throw lab" in (await visitor.get("/")).text
            style = await visitor.get("/brickphys/app/app.css")
            assert style.headers["content-type"].startswith("text/css")
            again = await visitor.get(
                "/brickphys/app/app.css", headers={"accept-encoding": "identity"}
            )
            assert again.text == style.text  # the first one was compressed
            assert not wanted.done()
            go_on.set()
            assert (await wanted).text == "a game"
            assert (await visitor.get("/none")).status_code == 404

    asyncio.run(check())


def test_pages_that_cannot_be_loaded_end_the_server():
    ended = Event()

    def load():
        raise ImportError("no NiceGUI here")

    async def check():
        porch = Porch(ENTRIES, load, ended.set)
        async with visited(porch) as visitor:
            assert (await visitor.get("/play")).status_code == 500
        assert ended.is_set()
        assert str(porch.fault) == "no NiceGUI here"

    asyncio.run(check())
