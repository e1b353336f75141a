"""Heavy work of pages is done beside the loop that answers all visitors, and so much of it at once."""

import asyncio
import threading
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from brickphys.throws.conditions import SURFACES
from brickphys.vehicles.scene_file import read_scene
from brickphys.view.app import crash, player, scene_page
from brickphys.view.app.battles import page, picture
from brickphys.view.app.crash import CrashRun
from brickphys.view.app.jobs import BusyError
from tests.view.app.test_play import new_table
from tests.view.app.test_play import visited as visited_table
from tests.view.visits import visited

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
    seen(page, "listed")
    seen(picture, "placed", "LiveBattle")
    threads = seen(picture, "document", "text_of")

    async def check(visit):
        await visit.until("2 actions left")
        visit.click("do walk")
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


def test_so_many_crashes_at_once_and_no_more(monkeypatch):
    free = threading.Event()
    monkeypatch.setattr(CrashRun, "_work", lambda _: free.wait() and None)

    def begin():
        one = CrashRun(SCENE, 0.6, SURFACES["wood"].nominal)
        return asyncio.ensure_future(one.result(lambda *_: None))

    async def check():
        begun = [begin() for _ in range(crash._MOST_RUNS)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="crashes are simulated at this server"):
            await begin()
        free.set()
        assert await asyncio.gather(*begun) == [None] * crash._MOST_RUNS
        await asyncio.sleep(0)
        assert await begin() is None

    asyncio.run(check())
