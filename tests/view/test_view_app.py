"""The app in a real browser: the throw lab, and a replay."""

import re
from pathlib import Path

import pytest
from command_line import assert_refused, brickphys
from served import served, tab

pytest.importorskip("nicegui", reason="the extra view is not installed")
DOCS = Path(__file__).parents[2] / "docs"


def test_only_files_that_can_be_shown_are_opened(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "law.json").write_text('{"schema": "brickphys.law/1"}')
    (tmp_path / "study.toml").write_text('kind = "drop"\nrepeats = 3\n')
    (tmp_path / "empty").mkdir()
    assert_refused(brickphys("view", tmp_path / "notes.txt"), "view shows replays, scenes, laws")
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
    assert "stopped after 17.040 studs by truck" in page.locator(".caption").inner_text()
    assert page.troubles == []
    assert [url for url in page.asked if not re.match(f"{address}|ws://127|data:|blob:", url)] == []


@pytest.mark.slow
def test_bricks_are_thrown_in_the_lab_one_after_the_other(page, address):
    page.goto(f"{address}/throw", wait_until="domcontentloaded")
    page.get_by_role("button", name="Throw", exact=True).click()
    page.wait_for_function("globalThis.player?.recording.title === '2x2: the first of 200 throws'")
    page.get_by_role("spinbutton", name="Throws").fill("30")
    page.get_by_role("button", name="Throw", exact=True).click()
    page.wait_for_function("globalThis.player?.recording.title === '2x2: the first of 30 throws'")
    assert "of 30 throws" in page.get_by_role("status").first.inner_text()
    assert page.troubles == []


@pytest.mark.slow
def test_scenes_of_others_and_paths_are_not_given_out(page, address):
    for path in (
        "/brickphys/scenes/guess",
        "/brickphys/player/..%2f..%2fpage.py",
        "/brickphys/three/LICENSE",
    ):
        assert page.request.get(f"{address}{path}").status == 404
