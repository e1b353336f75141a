"""The first page of a file: it shows the file without NiceGUI, and gives way to the whole page."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.batch.batches import InProcess, in_process
from tests.view.browser_tab import held_back, tab

pytest.importorskip("nicegui", reason="the extra view is not installed")
from benchmarks.app_server import served
from brickphys.batch.results import study
from brickphys.battles.battle import play
from brickphys.cli.view import file_page
from brickphys.rules.registry import game
from brickphys.rules.replay import format_replay
from brickphys.view.app.start_page import first_page

SCENE = Path(__file__).parents[3] / "docs" / "crash.toml"
SHEETS = '[[unit]]\nname = "captain"\nbase = "trooper"\n'
STUDY = """
kind = "collide"
title = "Moves <b>at random</b>"
seed = 4
repeats = 2
[grid]
layout = ["pair"]
"""
LAW = Path(__file__).parents[3] / "brickphys" / "laws" / "glass.json"


@pytest.fixture
def first(tmp_path):
    """Return what writes a file, and returns its first page."""

    def written(name, text):
        (tmp_path / name).write_text(text)
        return file_page(tmp_path / name).first()

    return written


def test_a_law_shows_its_poses(first):
    text = first("mine.json", LAW.read_text()).text
    assert '<th scope="row">studs down</th>' in text


def test_sheets_are_shown_as_models(first):
    recording = json.loads(first("army.toml", SHEETS).text)
    assert recording["title"] == "What the sheets describe"
    assert recording["about"] == "Built models: captain."


def test_a_study_tells_how_far_it_is(tmp_path):
    (tmp_path / "moves.toml").write_text(STUDY)
    with in_process(lambda *_: InProcess()):
        study(tmp_path / "moves.toml", tmp_path / "moves", progress=False)
    text = file_page(tmp_path / "moves").first().text
    assert "<h2>Moves &lt;b&gt;at random&lt;/b&gt;</h2><p>2 scenes done.</p>" in text


def test_a_replay_is_played_with_its_story(first):
    found = play("bow", "duel", "random", seed=7)
    picture = first("duel.jsonl", format_replay(found.game, found.record, "the default law"))
    recording = json.loads(picture.text)
    assert picture.kind == "application/json"
    assert len(recording["events"]) > 5
    assert recording["title"] == f"BOW, {game('bow').scenarios()['duel']}: red against blue"


@pytest.mark.parametrize(("file", "is_drawn"), [(SCENE, True), (LAW, False)])
def test_the_browser_loads_the_player_only_for_what_is_drawn(file, is_drawn):
    page = first_page("A file", is_drawn=file_page(file).is_drawn)
    assert ("three" in page) == ("data-is-drawn" in page) == is_drawn


def test_no_first_page_waits_for_nicegui():
    program = f"""
import sys
from pathlib import Path
import brickphys.view.app.server
from brickphys.cli.view import file_page
for file in ({str(SCENE)!r}, {str(LAW)!r}):
    assert file_page(Path(file)).first().text
sys.exit("nicegui" in sys.modules or "matplotlib" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.fixture
def held(browser):
    """Yield a tab whose pages are not told that the whole page is there, and what tells them."""
    with tab(browser) as page:
        yield page, held_back(page, "**/brickphys/whole")


def is_drawn(page):
    page.wait_for_function("globalThis.player?.picture.renderer.info.render.frame > 0")


PICTURES_COUNTED = """
const own = HTMLCanvasElement.prototype.getContext;
globalThis.pictures = 0;
HTMLCanvasElement.prototype.getContext = function (kind, ...given) {
    globalThis.pictures += kind.startsWith("webgl");
    return own.call(this, kind, ...given);
};
"""


@pytest.mark.slow
def test_a_picture_is_made_while_the_file_is_read(held):
    page, _ = held
    page.add_init_script(PICTURES_COUNTED)
    go_on = held_back(page, "**/brickphys/picture")
    with served(SCENE) as address:
        page.goto(f"{address}/file")
        page.wait_for_function("globalThis.pictures === 1")
        assert page.locator("canvas").count() == 0
        go_on()
        is_drawn(page)
        assert page.evaluate("globalThis.pictures") == 1
    assert page.troubles == []


@pytest.mark.slow
def test_the_whole_page_takes_the_place_of_the_first(held):
    page, go_on = held
    with served(SCENE) as address:
        page.goto(f"{address}/file")
        is_drawn(page)
        assert "being loaded" in page.locator("#whole").inner_text()
        assert page.locator("canvas").count() == 1
        assert page.get_by_role("button", name="Save").count() == 0
        go_on()
        page.get_by_role("button", name="Save as a scene file").wait_for()
        is_drawn(page)
    assert page.troubles == []


@pytest.mark.slow
def test_a_first_page_that_is_used_stays_until_the_whole_one_is_wanted(held):
    page, go_on = held
    with served(SCENE) as address:
        page.goto(f"{address}/file")
        is_drawn(page)
        page.keyboard.press("End")
        go_on()
        whole = page.get_by_role("button", name="Show the whole page")
        whole.wait_for()
        assert "stopped after 17.0 studs" in page.locator(".caption").inner_text()
        whole.click()
        page.get_by_role("button", name="Save as a scene file").wait_for()


@pytest.mark.slow
def test_a_first_page_tells_that_the_server_is_away(held):
    page, go_on = held
    with served(SCENE) as address:
        page.goto(f"{address}/file")
        is_drawn(page)
    go_on()
    page.get_by_text("The server is away").wait_for()
