"""The app in a real browser: the throw lab, and a replay."""

import json
import re
from pathlib import Path

import pytest

from benchmarks.app_server import invite, served
from tests.command_line import assert_refused, brickphys
from tests.view.browser_tab import tab

pytest.importorskip("nicegui", reason="the extra view is not installed")
DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("notes.txt", "hello", "brickphys does not know what this file holds; view shows replays,"),
        ("a.toml", "a = = 3", "not TOML: "),
        ("a.csv", "throw,frame", "view does not show files of the kind film; it shows replays,"),
        ("a.toml", 'mesh = "a"\nunit = "mm"', "of the kind body, but its throw lab opens them; it"),
        ("a.csv", "bricks,score", "of the kind home counts, but its odds desk opens them; it"),
        ("army.toml", "army = 3", "as a file of bow: army: 3 should be an array"),
    ],
)
def test_a_file_that_is_not_shown_is_told_why_in_a_sentence(tmp_path, name, text, told):
    path = tmp_path / name
    path.write_text(text)
    answer = brickphys("view", path, "--no-browser")
    assert_refused(answer, told)
    assert answer.stderr.startswith(f"brickphys: {path}: ")


def test_only_files_that_can_be_shown_are_opened(tmp_path):
    (tmp_path / "law.json").write_text('{"schema": "brickphys.law/1"}')
    (tmp_path / "study.toml").write_text('kind = "drop"\nrepeats = 3\n')
    (tmp_path / "empty").mkdir()
    assert_refused(brickphys("view", tmp_path / "law.json"), "law.json")
    assert_refused(brickphys("view", tmp_path / "study.toml"), "has to be run first")
    assert_refused(brickphys("view", tmp_path / "empty"), "holds no batch")
    assert_refused(brickphys("view", tmp_path / "missing.toml"), "missing.toml")
    assert_refused(
        brickphys("view", DOCS / "crash.toml", "--host", "192.0.2.1"), "cannot have this address"
    )


def test_a_replay_that_was_edited_is_refused_with_its_line(tmp_path):
    path = tmp_path / "duel.jsonl"
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "6")
    assert brickphys(*words, "--replay", path).returncode == 0
    head, second, *others = path.read_text().splitlines(keepends=True)
    path.write_text(head + "".join(others))
    assert_refused(brickphys("view", path), "duel.jsonl")
    path.write_text(head + second + '{"chance": "roll 99"}\n' + "".join(others))
    assert_refused(brickphys("view", path), "line 3")


@pytest.fixture(scope="module")
def address():
    """Start the app with a scene, and return its address."""
    with served(DOCS / "crash.toml") as found:
        yield found


@pytest.fixture
def page(browser, address):
    with tab(browser) as found:
        yield found


@pytest.mark.slow
def test_a_scene_is_shown_and_played(page, address):
    page.goto(f"{address}/file", wait_until="domcontentloaded")
    page.wait_for_function("globalThis.player !== undefined")
    page.keyboard.press("End")
    assert "stopped after 17.0 studs by truck" in page.locator(".caption").inner_text()
    assert page.troubles == []
    assert [url for url in page.asked if not re.match(f"{address}|ws://127|data:|blob:", url)] == []


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.slow
def test_bricks_are_thrown_in_the_lab_and_saved_as_a_law(page, address, tmp_path):
    page.goto(f"{address}/throw", wait_until="domcontentloaded")
    button(page, "Throw one").press("Enter")
    page.wait_for_function("globalThis.player?.recording.title === '2x2: one throw'")
    page.wait_for_function("document.activeElement.innerText === 'Throw one'")
    button(page, "Throw a hundred").click()
    page.wait_for_function("globalThis.player?.recording.title === '2x2: 100 throws settle'")
    page.keyboard.press("End")
    assert "100 of 100 lie still" in page.locator(".caption").inner_text()
    button(page, "Throw ten thousand").click()
    page.get_by_text("10,000 throws (seed 3), side in").wait_for()
    with page.expect_download() as download:
        button(page, "Save as a law").click()
    law = tmp_path / "mine.json"
    download.value.save_as(law)
    assert json.loads(brickphys("odds", "3", "2", "--law", law, "--json").stdout)["success"] > 0.3
    assert page.troubles == []
    assert [url for url in page.asked if not re.match(f"{address}|ws://127|data:|blob:", url)] == []


@pytest.mark.slow
def test_the_odds_desk_is_used_by_keys_and_fits_a_phone(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/odds", wait_until="domcontentloaded")
    page.get_by_text("odds of 3 against 2").wait_for()
    page.get_by_role("spinbutton", name="Attack", exact=True).focus()
    page.keyboard.press("ArrowUp")
    page.get_by_text("odds of 4 against 2").wait_for()
    field = page.get_by_role("spinbutton", name="Attacks in the turn")
    field.evaluate("field => field.scrollIntoView()")
    result = page.get_by_text("odds of 4 against 2").first
    assert 0 <= result.bounding_box()["y"] < field.bounding_box()["y"]
    page.get_by_role("tab", name="Real rolls").click()
    button(page, "Add this roll").press("Enter")
    page.get_by_text("1 roll of 1 brick in all").wait_for()
    with page.expect_file_chooser() as chooser:
        button(page, "Open a law file").click()
    chooser.value.set_files(DOCS.parent / "brickphys" / "laws" / "cloth.json")
    page.get_by_text("by cloth.json").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    kinds = ("button", "input", "textarea", "[role=tab]")
    fields = page.locator(", ".join(f"{kind}:visible" for kind in kinds))
    names = fields.evaluate_all(
        """all => all.map((one) => one.getAttribute("aria-label") || one.labels?.[0]?.textContent
            || one.textContent.trim())"""
    )
    assert all(names)
    assert page.troubles == []


@pytest.mark.slow
def test_a_fault_below_the_fields_of_the_odds_desk_is_scrolled_into_view(page, address):
    page.set_viewport_size({"width": 390, "height": 420})
    page.goto(f"{address}/odds", wait_until="domcontentloaded")
    page.get_by_text("odds of 3 against 2").wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("spinbutton", name="Attack", exact=True).fill("99")
    page.get_by_text("Attack: 99 is outside 0 to 12").wait_for()
    page.wait_for_function(
        """() => {
            const box = document.querySelector(".brickphys-fault").getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight;
        }"""
    )
    assert page.evaluate("scrollY") > 0
    assert page.troubles == []


@pytest.mark.slow
def test_the_form_of_the_throw_lab_is_there_again_after_back(page, address):
    page.goto(f"{address}/throw", wait_until="domcontentloaded")
    seed = page.get_by_role("spinbutton", name="Seed", exact=True)
    seed.fill("41")
    page.wait_for_function("sessionStorage.getItem('brickphys-throw')?.includes('41')")
    page.get_by_role("link", name="brickphys").click()
    page.get_by_role("link", name="Odds desk").wait_for()
    page.go_back(wait_until="domcontentloaded")
    page.wait_for_function(
        "[...document.querySelectorAll('input')].some((one) => one.value === '41')"
    )
    assert seed.input_value() == "41"
    assert page.troubles == []


@pytest.mark.slow
def test_scenes_of_others_and_paths_are_not_given_out(page, address):
    """Without the token nothing is; with it, only what belongs to the page."""
    paths = (
        "/brickphys/scenes/guess",
        "/brickphys/player/..%2f..%2fpage.py",
        "/brickphys/three/LICENSE",
    )
    assert {page.request.get(f"{address}{path}").status for path in paths} == {403}
    invite(page.context)
    assert {page.request.get(f"{address}{path}").status for path in paths} == {404}


@pytest.mark.slow
def test_a_page_that_stands_still_for_a_while_is_not_taken_for_gone(page, address):
    """A slow machine may draw for seconds; a page that is loaded again has lost what was thrown in it."""
    page.goto(f"{address}/odds", wait_until="domcontentloaded")
    attack = page.get_by_role("spinbutton", name="Attack", exact=True)
    attack.fill("4")
    page.get_by_text("odds of 4 against 2").wait_for()
    page.evaluate("(end => { while (performance.now() < end); })(performance.now() + 12000)")
    attack.fill("5")
    page.get_by_text("odds of 5 against 2").wait_for()
    page.wait_for_timeout(4000)
    assert attack.input_value() == "5"
