"""The start page: plain HTML that leads to every page, and writes what it is given as text."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from brickphys.view.app.start_page import ENTRIES, PageEntry, start_page


async def nothing():
    pass


def test_it_leads_to_every_page_and_escapes_names_of_files():
    page = start_page((PageEntry("/file", "<b>\x1b.toml", "the scene", nothing), *ENTRIES))
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "\x1b" not in page
    assert [page.count(f'href="{one.address}"') for one in ENTRIES] == [1] * len(ENTRIES)


def test_it_tells_what_a_player_can_do_without_words_for_developers():
    page = start_page(ENTRIES)
    assert "Begin with" in page
    for word in ("--html", "sweep", "bots", "replay, play"):
        assert word not in page
