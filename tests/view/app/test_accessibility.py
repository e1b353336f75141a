"""Every page keeps the rules for people who see, hear or move differently, as far as axe-core can tell."""

from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
from axe_playwright_python.sync_playwright import Axe

from benchmarks.app_server import served
from brickphys.batch.results import study
from tests.command_line import brickphys
from tests.view.browser_tab import held_back, tab

DOCS = Path(__file__).parents[3] / "docs"
DRAWN = "globalThis.player?.picture.renderer.info.render.frame > 0"
SHEETS = '[[unit]]\nname = "captain"\nbase = "trooper"\n'
STUDY = 'kind = "collide"\nseed = 4\nrepeats = 2\n[grid]\nlayout = ["pair"]\n'
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
DARK = DESKTOP | {"color_scheme": "dark"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address():
    with served() as found:
        yield found


@pytest.fixture(params=[DESKTOP, PHONE, DARK], ids=["desktop", "phone", "dark"])
def page(browser, request):
    with tab(browser, **request.param) as found:
        yield found


def check(page):
    """Check a page as it is now, once what fades in is there: contrast is that of the finished page."""
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_start_page(page, address):
    page.goto(address)
    check(page)


def test_an_unknown_address(page, address):
    page.goto(f"{address}/nothing")
    page.get_by_role("link", name="To the start page").wait_for()
    check(page)


def test_the_throw_lab(page, address):
    page.goto(f"{address}/throw", wait_until="domcontentloaded")
    page.get_by_role("button", name="Throw one").click()
    page.wait_for_function(DRAWN)
    check(page)


@pytest.mark.parametrize("part", ["By bricks", "By units of a game", "Real rolls"])
def test_the_odds_desk(page, address, part):
    page.goto(f"{address}/odds", wait_until="domcontentloaded")
    page.get_by_role("tab", name=part).click()
    page.get_by_role("tabpanel").get_by_role("spinbutton").first.wait_for()
    check(page)


def test_the_crash_view(page, address):
    page.goto(f"{address}/scene", wait_until="domcontentloaded")
    page.wait_for_function(DRAWN)
    check(page)


def test_a_game_from_its_set_up_to_its_first_choice(page, address):
    page.goto(f"{address}/play", wait_until="domcontentloaded")
    play = page.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    # Of a request that gets no answer no bar is shown.
    page.route("**/held", lambda _route: None)
    page.evaluate(
        "() => { const one = new XMLHttpRequest(); one.open('GET', '/held'); one.send() }"
    )
    check(page)
    # Without a seed, the bot may win a duel in its first round, before there is a choice.
    page.get_by_role("spinbutton", name="Seed").fill("1")
    play.click()
    page.wait_for_function("globalThis.player?.choices?.places.length > 0")
    check(page)
    page.get_by_role("button", name="do walk", exact=True).click()
    page.locator(".live-more .q-item").click()
    page.locator(".live-more .live-list button").first.wait_for()
    check(page)


def test_the_boards_of_a_tournament(page, address):
    page.goto(f"{address}/tournament", wait_until="domcontentloaded")
    begin = page.get_by_role("button", name="Begin the first round")
    begin.or_(page.get_by_role("heading", name="Boards")).first.wait_for()
    if begin.is_visible():  # else it goes on
        page.get_by_role("textbox", name="Players").fill("Anna\nBen\nCleo\nDora")
        begin.click()
    picture = page.locator(".brickphys-still img").first
    picture.wait_for()
    assert picture.evaluate("(one) => [one.naturalWidth, one.naturalHeight]") == [480, 300]
    check(page)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a file of each kind that can be shown."""
    found = tmp_path_factory.mktemp("shown")
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "60")
    made = brickphys(*words, "--replay", found / "duel.jsonl", "--html", found / "duel.html")
    assert made.returncode == 0, made.stderr
    (found / "army.toml").write_text(SHEETS)
    (found / "study.toml").write_text(STUDY)
    study(found / "study.toml", found / "study", progress=False)
    (found / "law.json").write_text((files("brickphys.laws") / "default.json").read_text())
    return found


@pytest.mark.parametrize(
    ("name", "first", "whole"),
    [
        ("duel.jsonl", DRAWN, DRAWN),
        ("army.toml", DRAWN, DRAWN),
        ("study", "document.querySelector('#text')", "document.querySelector('table')"),
        ("law.json", "document.querySelector('#text')", "document.querySelector('table')"),
    ],
)
def test_a_file_that_is_shown(page, folder, name, first, whole):
    go_on = held_back(page, "**/brickphys/whole")
    with served(folder / name) as address:
        page.goto(f"{address}/file")
        page.wait_for_function(f"document.querySelector('#whole') && {first}")
        page.wait_for_function("document.querySelector('#whole').innerText.includes('loaded')")
        check(page)
        go_on()
        page.wait_for_function(f"!document.querySelector('#whole') && {whole}", timeout=120_000)
        check(page)


def test_a_page_in_a_file(page, folder):
    page.goto((folder / "duel.html").as_uri())
    page.wait_for_function(DRAWN)
    check(page)
