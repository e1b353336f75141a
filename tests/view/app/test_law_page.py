"""The pages of laws and of sheets: tables, pictures with what they show in words, and texts that are escaped."""

from dataclasses import replace
from functools import partial

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.registry import game
from brickphys.view.app.odds_page import law_page
from brickphys.view.app.sheet_page import sheet_page
from tests.view.visits import visited

pytestmark = pytest.mark.slow


def contents(visit):
    return "".join(
        one.content for one in visit.user.client.elements.values() if isinstance(one, ui.html)
    )


def test_a_law_has_a_table_and_a_picture():
    law = find_law("glass")

    async def check(visit):
        await visit.until(lambda: "<img" in contents(visit))
        assert '<th scope="row">studs up</th>' in contents(visit)
        assert f'alt="{law.line()}"' in contents(visit)
        assert visit.one(ui.select, "Law of bricks").value == "mine.json"
        told = [
            one.text for one in visit.user.client.elements.values() if isinstance(one, ui.label)
        ]
        assert any("by mine.json" in text for text in told)

    visited(partial(law_page, replace(law, name="mine.json")), check)


def test_a_file_with_the_name_of_a_shipped_law_is_told_apart():
    async def check(visit):
        await visit.until(lambda: "<table" in contents(visit))
        assert visit.one(ui.select, "Law of bricks").value == f"{DEFAULT} (file)"

    visited(partial(law_page, replace(find_law("glass"), name=DEFAULT)), check)


def test_sheets_are_drawn_and_written():
    bow = game("bow")

    async def check(visit):
        await visit.until(lambda: "<img" in contents(visit))
        assert "trooper" in contents(visit)
        assert [one["isSame"] for one in visit.shown] == [False]

    visited(partial(sheet_page, bow, bow.sheets("trooper")), check)
