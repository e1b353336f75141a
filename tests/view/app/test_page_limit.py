"""So many pages at once, and no more."""

import asyncio

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import Client
from starlette.responses import PlainTextResponse

from brickphys.view.app.pages import MOST_PAGES, PageLimit


def answer(path, kind="http"):
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(PageLimit(PlainTextResponse("in"))({"type": kind, "path": path}, None, send))
    return sent[0]["status"], sent[1]["body"].decode()


@pytest.mark.parametrize(
    ("path", "expected"), [("/odds", 503), ("/play", 503), ("/_nicegui/x.js", 200)]
)  # fmt: skip
def test_where_enough_pages_are_open_no_other_one_is_built(monkeypatch, path, expected):
    monkeypatch.setattr(Client, "instances", dict.fromkeys(range(MOST_PAGES - 1)))
    assert answer(path)[0] == 200
    monkeypatch.setattr(Client, "instances", dict.fromkeys(range(MOST_PAGES)))
    status, text = answer(path)
    assert status == expected
    assert (f"{MOST_PAGES} pages are open here" in text) == (expected == 503)
