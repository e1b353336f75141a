"""Jobs are done beside the loop that answers all visitors: so many at once, and further ones are refused."""

import asyncio
import threading
from itertools import pairwise

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.view.app import jobs
from brickphys.view.app.elements import StatusLine
from brickphys.view.app.jobs import BusyError, Jobs, Latest, at_work
from tests.view.visits import simulated, tells


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


def test_the_loop_goes_on_while_a_job_is_done(page):
    done = threading.Event()

    async def check():
        job = asyncio.ensure_future(Jobs("job", 1, 1, 1)(done.wait))
        await asyncio.sleep(0)
        done.set()  # nobody would, if the job stopped the loop
        assert await job

    asyncio.run(check())


def test_a_job_returns_and_raises_what_its_function_does(page):
    def fail():
        raise InvalidValueError("no")

    async def check():
        one = Jobs("job", 1, 1, 1)
        assert await one(int, "7") == 7
        with pytest.raises(InvalidValueError, match="no"):
            await one(fail)
        assert await one(threading.current_thread) is not threading.current_thread()

    asyncio.run(check())


def test_so_many_jobs_at_once_and_further_ones_are_refused(page):
    free, running = threading.Event(), []

    def work():
        running.append(1)
        free.wait()

    async def check():
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

    asyncio.run(check())


def test_a_job_of_nobody_who_waits_is_not_begun(page):
    free, done = threading.Event(), []

    async def check():
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

    asyncio.run(check())


def test_of_what_is_asked_while_it_computes_only_the_last_is_computed_and_shown():
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

    async def check():
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

    asyncio.run(check())


def test_a_second_click_on_a_button_at_work_begins_nothing():
    async def check():
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
            await asyncio.sleep(0.05)
            assert len(begun) == 1
            done.set()
            await asyncio.sleep(0.05)
            button.click()
            await asyncio.sleep(0.05)
            assert len(begun) == 2

    asyncio.run(check())


def test_a_line_that_is_told_again_is_read_aloud_again_and_one_on_the_way_is_not():
    async def check():
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

    asyncio.run(check())


def test_a_block_clears_the_fault_before_it_and_none_that_was_told_meanwhile():
    lines = []

    async def check():
        async with simulated(lambda: lines.append(StatusLine())) as user:
            await user.open("/")
            (line,) = lines
            line.refuse("no such unit")
            with line.telling():
                pass
            assert line.text == ""
            with line.telling():
                line.refuse("too many")
            assert line.text == "too many"
            with line.telling():
                line.clear()
                line.refuse("too few")
            assert line.text == "too few"

    asyncio.run(check())
