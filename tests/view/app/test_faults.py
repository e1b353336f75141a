"""What no page foresees is a line on the page; a page that is not there, or cannot be made, is no dead end."""

import asyncio

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import Client, app, ui

from brickphys.errors import InvalidValueError
from brickphys.view.app import pages
from brickphys.view.app.pages import fill_by_module, frame
from brickphys.view.app.start_page import PageEntry
from tests.view.visits import simulated, tells

TOLD = "This is a fault of the program: ZeroDivisionError: division by zero."


def visited(fill, check):
    async def run():
        logged = []
        async with simulated(lambda: None) as user:
            app._exception_handlers[:] = [logged.append]  # else the traceback is in the log
            pages.add_pages([PageEntry("/page", "A page", "", fill)])
            await user.open("/page")
            await check(user, logged)

    asyncio.run(run())


def test_a_fault_in_what_was_clicked_is_told_and_logged():
    async def fill():
        async def later():
            await asyncio.sleep(0)
            raise InvalidValueError("give a number")

        ui.button("now", on_click=lambda: 1 / 0)
        ui.button("later", on_click=later)

    async def check(user, logged):
        user.find("now").click()
        await tells(user, TOLD)
        user.find("later").click()
        await tells(user, "give a number")
        assert [type(error) for error in logged] == [ZeroDivisionError, InvalidValueError]

    visited(fill, check)


def test_a_visitor_who_asks_for_the_page_alone_leaves_no_fault(caplog):
    """As curl does: no socket follows, and a minute later the page counts as closed."""
    is_over = asyncio.Event()

    async def fill():
        try:
            await fill_by_module("odds_page:law_page", (None,))
        finally:
            is_over.set()

    async def check():
        async with simulated(lambda: None) as user:
            pages.add_pages([PageEntry("/page", "A page", "", fill)])
            assert (await user.http_client.get("/page")).status_code == 200
            (client,) = Client.instances.values()
            client.delete()
            await is_over.wait()
            await asyncio.sleep(0)

    asyncio.run(check())
    assert caplog.text == ""


def test_a_file_that_has_gone_is_told_on_its_page_and_not_logged(tmp_path):
    async def fill():
        await fill_by_module("study_page:study_page", (tmp_path / "gone",))

    async def check(user, logged):
        await tells(user, "gone: holds no batch")
        assert logged == []

    visited(fill, check)


def test_a_fault_while_a_page_is_made_is_told():
    async def fill():
        await ui.context.client.connected()
        _ = 1 / 0

    async def check(user, logged):
        await tells(user, TOLD)
        assert logged

    visited(fill, check)


def test_a_page_that_cannot_be_made_leads_to_the_first_one():
    def fill():
        pages._fault(ZeroDivisionError("division by zero"))

    async def check():
        async with simulated(fill) as user:
            await user.open("/")
            await tells(user, TOLD)
            await tells(user, "brickphys")

    asyncio.run(check())


def test_what_is_not_there_is_no_session_and_leads_to_the_start_page():
    answer = pages._nothing_here(None, None)
    assert answer.status_code == 404
    assert b"No such page</h1>" in answer.body
    assert b'href="/"' in answer.body


def test_every_page_tells_what_to_do_where_the_server_is_away():
    def fill():
        frame("A page")

    async def check():
        async with simulated(fill) as user:
            client = await user.open("/")
            assert "/brickphys/app/away.js" in client.body_html

    asyncio.run(check())
