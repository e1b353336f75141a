"""The glossary: terms of the pages are explained in a part that the keyboard opens."""

from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.view.app import elements as glossary
from tests.view.visits import visited


def test_each_term_is_asked_for_by_a_page():
    pages = "".join(path.read_text() for path in Path(glossary.__file__).parent.rglob("*page.py"))
    assert [term for term in glossary._MEANINGS if f'"{term}"' not in pages] == []


def test_a_term_is_explained_in_a_part_that_opens_by_the_keyboard():
    async def check(visit):
        found = visit.one(ui.html).content
        assert found.startswith("<details><summary>Terms of this page</summary>")
        assert "<dt>p-value</dt><dd>How often rolls" in found

    visited(lambda: glossary.glossary("p-value"), check)
