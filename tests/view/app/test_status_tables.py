"""Tables of a game beside the picture: narrow ones are tables, wide ones lists, without letters of the map."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.rules.report.story import status_text
from brickphys.view.app.battles.picture import show_status
from brickphys.view.app.page_html import html_list
from tests.view.visits import visited

NARROW = [("", "ship", "crew"), ("A", "black_pearl", "4 of 4")]
WIDE = [("", *"abcdefg", ""), ("A", "swift", "1", "", "3", "4", "5", "6", "sunk")]
PEOPLE = [("", "kind"), ("roland", "soldier")]


def shown(*tables):
    """Return what is shown of tables, as HTML."""
    found = []

    async def check(visit):
        elements = visit.user.client.elements.values()
        found.extend(one.content for one in elements if isinstance(one, ui.html))

    visited(lambda: show_status(ui.element(), status_text("Round 1", "", tables)), check)
    return found


def test_letters_of_the_map_in_text_are_left_out():
    (table,) = shown(NARROW)
    assert "<caption>Round 1</caption>" in table
    assert '<th scope="row">black pearl</th><td>4 of 4</td>' in table


def test_a_name_without_a_heading_keeps_its_column():
    _, table = shown(NARROW, PEOPLE)
    assert "<caption>kind</caption>" in table
    assert '<th scope="row">roland</th><td>soldier</td>' in table


def test_a_table_that_is_too_wide_is_a_list_without_its_empty_cells():
    (found,) = shown(WIDE)
    assert "<table" not in found
    assert "<b>swift</b><span><small>b</small> 1</span><span><small>d</small> 3</span>" in found
    assert "<span><small></small> sunk</span>" in found


def test_the_texts_of_a_list_are_escaped():
    found = html_list("<i>", ("<i>", "<i>"), [("<i>", "<i>")])
    assert found.count("&lt;i&gt;") == 4
    assert "<i>" not in found
