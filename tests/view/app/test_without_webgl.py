"""A browser without WebGL tells the story of a game as text: in a file, a replay, a first page and a game."""

import pytest

from benchmarks.app_server import served
from tests.command_line import brickphys
from tests.view.browser_tab import held_back, tab

pytest.importorskip("nicegui", reason="the extra view is not installed")
pytestmark = pytest.mark.slow
HAS_WEBGL = False
MISSING = "WebGL is missing"
PLAY = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "60")


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    path = tmp_path_factory.mktemp("game") / "duel.jsonl"
    assert brickphys(*PLAY, "--replay", path).returncode == 0
    return path


@pytest.fixture(scope="module")
def address(replay):
    with served(replay) as found:
        yield found


@pytest.fixture
def page(browser):
    with tab(browser) as found:
        yield found
        assert found.troubles == []


def lines(page, where):
    """Return the lines of a story that are seen, without its headings."""
    return [one for one in page.locator(where).all_inner_texts() if one]


def test_a_file_tells_the_story(page, replay, tmp_path):
    path = tmp_path / "duel.html"
    assert brickphys("replay", replay, "--html", path).returncode == 0
    page.goto(path.as_uri())
    page.get_by_text(MISSING).wait_for()
    assert page.locator("#text h2").first.inner_text() == "Before the first round"
    assert len(lines(page, "#text li")) > 5


def test_the_page_of_a_replay_tells_the_rounds_that_are_chosen(page, address):
    page.goto(f"{address}/file", wait_until="domcontentloaded")
    page.get_by_role("button", name="Apply").wait_for()
    page.get_by_text(MISSING).wait_for()
    told = lines(page, ".story button")
    assert len(told) > 5
    page.get_by_role("spinbutton", name="To round").fill("1")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_function(
        "many => document.querySelectorAll('.story button').length < many", arg=len(told)
    )
    chosen = lines(page, ".story button")
    assert chosen == told[1 : 1 + len(chosen)]  # without what was before the first round


def test_a_game_is_played_by_its_buttons_and_told(page, address):
    page.goto(f"{address}/play", wait_until="domcontentloaded")
    page.get_by_role("spinbutton", name="Seed").fill("1")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text(MISSING).wait_for()
    page.locator(".live-list button").first.wait_for()
    before = len(lines(page, ".story button"))
    page.get_by_role("button", name="do walk", exact=True).click()
    page.get_by_role("button", name="walk 5,6").click()
    page.get_by_role("button", name="face N", exact=True).click()
    page.wait_for_function(
        "many => document.querySelectorAll('.story button').length > many", arg=before
    )


def test_the_first_page_of_a_file_tells_the_story(page, replay):
    with served(replay) as own:
        let_through = held_back(page, "**/brickphys/whole")
        page.goto(f"{own}/file", wait_until="domcontentloaded")
        page.get_by_text(MISSING).wait_for()
        assert len(lines(page, ".story button")) > 5
        let_through()
        page.get_by_role("button", name="Apply").wait_for()
