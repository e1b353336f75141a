"""Pages of laws, sheets, replays and studies; faults on any page, terms, and what the server keeps for them."""

import asyncio
import os
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import Client, app, ui

import brickphys
from brickphys.batch.results import study
from brickphys.battles.battle import play
from brickphys.errors import BatchFolderError, InvalidValueError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.registry import game
from brickphys.view.app import glossary, pages, study_page
from brickphys.view.app.battles import replay
from brickphys.view.app.battles.replay import replay_page
from brickphys.view.app.elements import UncorrectedNumber
from brickphys.view.app.odds_page import law_page
from brickphys.view.app.pages import fill_by_module, frame
from brickphys.view.app.sheet_page import sheet_page
from brickphys.view.app.start_page import PageEntry
from brickphys.view.app.study_page import StudyWatch
from brickphys.view.battle import PlayedGame
from tests.batch.batches import InProcess, in_process
from tests.view.visits import in_loop, on_page, simulated, tells, visited


def contents(visit):
    return "".join(visit.html())


@pytest.mark.slow
def test_a_law_has_a_table_and_a_picture():
    law = find_law("glass")

    async def check(visit):
        await visit.until(lambda: "<img" in contents(visit))
        assert '<th scope="row">studs up</th>' in contents(visit)
        assert f'alt="{law.line()}"' in contents(visit)
        assert visit.one(ui.select, "Law of bricks").value == "mine.json"
        assert visit.sees("by mine.json")

    visited(partial(law_page, replace(law, name="mine.json")), check)


@pytest.mark.slow
@on_page(partial(law_page, replace(find_law("glass"), name=DEFAULT)))
async def test_a_file_with_the_name_of_a_shipped_law_is_told_apart(visit):
    await visit.until(lambda: "<table" in contents(visit))
    assert visit.one(ui.select, "Law of bricks").value == f"{DEFAULT} (file)"


@pytest.mark.slow
def test_sheets_are_drawn_and_written():
    bow = game("bow")

    async def check(visit):
        await visit.until(lambda: "<img" in contents(visit))
        assert "trooper" in contents(visit)
        assert [one["isSame"] for one in visit.shown] == [False]

    visited(partial(sheet_page, bow, bow.sheets("trooper")), check)


@pytest.fixture(scope="module")
def played():
    battle = play("bow", "duel", bots="random", seed=7)
    return PlayedGame(battle.game, battle.record, brickphys.law())


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [(0, 2, "From round: 0 is outside 1 to"), (2, 1, "To round: 1 is outside 2 to")],
)
def test_a_round_outside_its_limits_is_refused_not_changed(played, first, last, told):
    async def check(visit):
        await visit.until(lambda: visit.elements(ui.button, "Apply"))
        fields = (
            visit.one(UncorrectedNumber, "From round"),
            visit.one(UncorrectedNumber, "To round"),
        )
        for field, value in zip(fields, (first, last), strict=True):
            field.value = value
        await visit.until(lambda: "loading" not in visit.one(ui.button, "Apply").props)
        visit.click("Apply")
        await tells(visit.user, told)
        assert [field.value for field in fields] == [first, last]

    visited(partial(replay_page, played), check)


TOLD = "This is a fault of the program: ZeroDivisionError: division by zero."


def with_faults(fill, check):
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

    with_faults(fill, check)


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

    with_faults(fill, check)


def test_a_fault_while_a_page_is_made_is_told():
    async def fill():
        await ui.context.client.connected()
        _ = 1 / 0

    async def check(user, logged):
        await tells(user, TOLD)
        assert logged

    with_faults(fill, check)


@in_loop
async def test_a_page_that_cannot_be_made_leads_to_the_first_one():
    def fill():
        pages._fault(ZeroDivisionError("division by zero"))

    async with simulated(fill) as user:
        await user.open("/")
        await tells(user, TOLD)
        await tells(user, "brickphys")


def test_what_is_not_there_is_no_session_and_leads_to_the_start_page():
    answer = pages._nothing_here(None, None)
    assert answer.status_code == 404
    assert b"No such page</h1>" in answer.body
    assert b'href="/"' in answer.body


@in_loop
async def test_every_page_tells_what_to_do_where_the_server_is_away():
    def fill():
        frame("A page")

    async with simulated(fill) as user:
        client = await user.open("/")
        assert "/brickphys/app/away.js" in client.body_html


def test_each_term_is_asked_for_by_a_page():
    pages = "".join(path.read_text() for path in Path(glossary.__file__).parent.rglob("*page.py"))
    meanings = glossary._meanings("brickphys.view.app", "")
    assert [term for term in meanings if f'"{term}"' not in pages] == []


@on_page(lambda: glossary.terms_of("brickphys.bow.game", ["2 actions left", "walks", "a reaction"]))
async def test_terms_of_a_book_are_explained_under_the_pointer_and_to_the_keyboard(visit):
    found = re.findall(r'aria-describedby="(\w+)">([^<]*)</button>', visit.one(ui.html).content)
    assert [term for _, term in found] == ["action", "walk"]
    assert f'role="tooltip" id="{found[0][0]}">What a unit does' in visit.one(ui.html).content


@on_page(lambda: glossary.glossary("p-value"))
async def test_a_term_is_explained_in_a_part_that_opens_by_the_keyboard(visit):
    found = visit.one(ui.html).content
    assert found.startswith("<details><summary>Terms of this page</summary>")
    assert "<dt>p-value</dt><dd>How often rolls" in found


SPEC = """
kind = "collide"
seed = 4
repeats = 3
[grid]
layout = ["pair"]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "moves.toml").write_text(SPEC)
    with in_process(lambda *_: InProcess()):
        study(tmp_path / "moves.toml", tmp_path / "moves", progress=False)
    return tmp_path / "moves"


def test_a_study_is_read_once_until_its_files_change(folder, monkeypatch):
    opened = []
    monkeypatch.setattr(
        study_page, "open_store", lambda place, keep=study_page.open_store: (opened.append(place), keep(place))[1]
    )  # fmt: skip
    watch = StudyWatch(folder)
    assert watch.now() is watch.now()
    assert opened == [folder]
    journal = folder / "journal.jsonl"
    os.utime(journal, ns=(1, 1))
    assert watch.now()[1].done == 3
    assert opened == [folder] * 2
    journal.unlink()
    (folder / "manifest.json").write_text("{}")
    for _ in range(2):  # what cannot be read is not kept
        with pytest.raises(BatchFolderError):
            watch.now()


def test_a_report_is_made_once_for_the_same_runs(folder):
    watch = StudyWatch(folder)
    store, counts = watch.now()
    assert watch.report is None
    assert watch.is_due(counts)
    watch.make_report(store, counts)
    assert "pair" in watch.report.table
    assert not watch.is_due(counts)
    assert not StudyWatch(folder).is_due(replace(counts, done=0, failed=0))


def test_only_some_studies_are_kept(tmp_path):
    study_page.study_watch.cache_clear()
    first = study_page.study_watch(tmp_path / "0")
    assert study_page.study_watch(tmp_path / "0") is first
    for number in range(20):
        study_page.study_watch(tmp_path / str(number))
    assert study_page.study_watch.cache_info().currsize == 4
    assert study_page.study_watch(tmp_path / "0") is not first
    study_page.study_watch.cache_clear()


def test_only_the_last_games_have_addresses_which_nobody_can_guess(monkeypatch):
    kept = {}
    monkeypatch.setattr(replay, "_played", kept)
    games = [Mock(is_same=lambda _: False) for _ in range(120)]
    addresses = [replay.replay_address(one) for one in games]
    assert len(set(addresses)) == 120
    assert min(len(address.removeprefix("/replay/")) for address in addresses) >= 20
    assert list(kept.values()) == games[70:]
    assert [f"/replay/{name}" for name in kept] == addresses[70:]
