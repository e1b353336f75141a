"""Jobs are done beside the loop that answers all visitors: so many at once, and further ones are refused."""

import asyncio
import threading
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import SURFACES
from brickphys.vehicles.scene_file import read_scene
from brickphys.view.app import crash, jobs, player, scene_page
from brickphys.view.app.battles import page as battle_page
from brickphys.view.app.battles import picture
from brickphys.view.app.crash import CrashRun
from brickphys.view.app.elements import StatusLine
from brickphys.view.app.jobs import BusyError, Jobs, Latest, at_work
from tests.view.app.test_play import new_table
from tests.view.app.test_play import visited as visited_table
from tests.view.visits import in_loop, simulated, tells, visited


@pytest.fixture
def page(monkeypatch):
    """Return the list whose last entry is the page for which jobs are done."""
    pages = ["one"]
    monkeypatch.setattr(jobs, "_page", lambda: pages[-1])
    return pages


async def until(holds):
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.001)


@in_loop
async def test_the_loop_goes_on_while_a_job_is_done(page):
    done = threading.Event()
    job = asyncio.ensure_future(Jobs("job", 1, 1, 1)(done.wait))
    await asyncio.sleep(0)
    done.set()  # nobody would, if the job stopped the loop
    assert await job


@in_loop
async def test_a_job_returns_and_raises_what_its_function_does(page):
    def fail():
        raise InvalidValueError("no")

    one = Jobs("job", 1, 1, 1)
    assert await one(int, "7") == 7
    with pytest.raises(InvalidValueError, match="no"):
        await one(fail)
    assert await one(threading.current_thread) is not threading.current_thread()


@in_loop
async def test_so_many_jobs_at_once_and_further_ones_are_refused(page):
    free, running = threading.Event(), []

    def work():
        running.append(1)
        free.wait()

    one = Jobs("job", 2, 4, 3)
    begun = [asyncio.ensure_future(one(work)) for _ in range(3)]
    await until(lambda: len(running) == 2)
    with pytest.raises(BusyError, match="This page"):
        await one(work)
    page.append("other")
    begun.append(asyncio.ensure_future(one(work)))
    page.append("third")
    await asyncio.sleep(0.01)
    with pytest.raises(BusyError, match="The server has 4 things"):
        await one(work)
    assert len(running) == 2
    free.set()
    await asyncio.gather(*begun)
    assert len(running) == 4
    await one(work)
    assert not one._of_pages


@in_loop
async def test_a_job_of_nobody_who_waits_is_not_begun(page):
    free, done = threading.Event(), []
    one = Jobs("job", 1, 2, 2)
    first = asyncio.ensure_future(one(free.wait))
    second = asyncio.ensure_future(one(done.append, 1))
    await asyncio.sleep(0.01)
    second.cancel()
    await asyncio.sleep(0)
    free.set()
    await first
    await one(int)  # the only thread has nothing before it
    assert done == []


@in_loop
async def test_of_what_is_asked_while_it_computes_only_the_last_is_computed_and_shown():
    free, asked, shown = threading.Event(), [], []

    def work(number):
        asked.append(number)
        free.wait()
        if number == 3:
            raise InvalidValueError("three is too many")
        return number

    def fill():
        line = StatusLine()
        latest = Latest(Jobs("job", 1, 9, 9), shown.append, line)

        def ask(number):
            latest.ask(lambda: work(number))

        for number in range(4):
            ui.button(str(number), on_click=lambda number=number: ask(number))
        ui.button("drop", on_click=latest.drop)

    async with simulated(fill) as user:
        await user.open("/")
        for name in ("0", "1", "2"):
            user.find(name).click()
            await until(lambda: asked)
        free.set()
        await until(lambda: shown)
        assert (asked, shown) == ([0, 2], [2])
        user.find("3").click()
        await tells(user, "three is too many")
        free.clear()
        user.find("1").click()
        await until(lambda: len(asked) == 4)
        user.find("drop").click()
        free.set()
        user.find("0").click()
        await until(lambda: len(shown) == 2)
        assert shown == [2, 0]


@in_loop
async def test_a_second_click_on_a_button_at_work_begins_nothing():
    begun, done = [], asyncio.Event()

    async def job():
        begun.append(1)
        await done.wait()

    async with simulated(
        lambda: ui.button("Go", on_click=lambda e: at_work(e.sender, job))
    ) as user:
        await user.open("/")
        button = user.find(ui.button)
        button.click()
        button.click()
        await until(lambda: begun)
        await asyncio.sleep(0.05)
        assert len(begun) == 1
        (at_once,) = button.elements
        done.set()
        await until(lambda: "loading" not in at_once.props)
        button.click()
        await until(lambda: len(begun) == 2)


@in_loop
async def test_a_line_that_is_told_again_is_read_aloud_again_and_one_on_the_way_is_not():
    lines = []
    async with simulated(lambda: lines.append(StatusLine())) as user:
        await user.open("/")
        (line,), (label,) = lines, user.find(kind=ui.label).elements
        shown = []
        for _ in range(3):
            line.refuse("no such place")
            shown.append(label.text)
        assert line.text == "no such place"
        assert all(one != other for one, other in pairwise(shown))
        line.tell("half is done", aloud=False)
        assert label.props["aria-live"] == "off"
        line.tell("all is done")
        assert "aria-live" not in label.props


@in_loop
async def test_a_block_clears_the_fault_before_it_and_none_that_was_told_meanwhile():
    lines = []
    async with simulated(lambda: lines.append(StatusLine())) as user:
        await user.open("/")
        (line,) = lines
        line.refuse("no such unit")
        with line.reporting_faults():
            pass
        assert line.text == ""
        with line.reporting_faults():
            line.refuse("too many")
        assert line.text == "too many"
        with line.reporting_faults():
            line.clear()
            line.refuse("too few")
        assert line.text == "too few"


SCENE = read_scene(Path(__file__).parents[3] / "docs" / "crash.toml")


@pytest.fixture
def seen(monkeypatch):
    """Return what notes the threads in which functions of modules are called, and where it notes them."""
    threads = {}

    def note(module, *names):
        for name in names:
            monkeypatch.setattr(module, name, noting(name, getattr(module, name)))
        return threads

    def noting(name, function):
        def noted(*words, **options):
            threads.setdefault(name, set()).add(threading.current_thread())
            return function(*words, **options)

        return noted

    return note


@pytest.mark.slow
def test_the_work_of_a_click_in_a_battle(seen):
    seen(battle_page, "listed")
    seen(picture, "placed", "LiveBattle")
    threads = seen(picture, "document", "text_of")

    async def check(visit):
        await visit.until("2 actions left")
        visit.click("do walk", ui.element)
        while "document" not in threads:
            await asyncio.sleep(0.05)

    visited_table(check, new_table())
    assert set(threads) == {"listed", "placed", "LiveBattle", "document", "text_of"}
    assert threading.main_thread() not in set().union(*threads.values())


@pytest.mark.slow
def test_the_work_of_a_scene(seen):
    seen(scene_page, "resolve", "sweep_recording", "scene_text")
    threads = seen(player, "text_of")

    async def check(visit):
        await visit.until(lambda: visit.shown)

    visited(lambda: scene_page.scene_page(SCENE), check)
    assert set(threads) == {"resolve", "sweep_recording", "scene_text", "text_of"}
    assert threading.main_thread() not in set().union(*threads.values())


@in_loop
async def test_so_many_crashes_at_once_and_no_more(monkeypatch):
    free = threading.Event()
    monkeypatch.setattr(CrashRun, "_work", lambda _: free.wait() and None)

    def begin():
        one = CrashRun(SCENE, 0.6, SURFACES["wood"].nominal)
        return asyncio.ensure_future(one.result(lambda *_: None))

    begun = [begin() for _ in range(crash._MOST_RUNS)]
    await asyncio.sleep(0)
    with pytest.raises(BusyError, match="crashes are simulated at this server"):
        await begin()
    free.set()
    assert await asyncio.gather(*begun) == [None] * crash._MOST_RUNS
    await asyncio.sleep(0)
    assert await begin() is None
