"""The option --html: pages of throws, moves and battles, and what is refused."""

from pathlib import Path

import pytest

from brickphys.rules.registry import game
from tests.command_line import brickphys, run

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("battle") / "duel.jsonl"
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "60")
    assert brickphys(*words, "--replay", path).returncode == 0
    return path


def written(path, *words):
    result = run(*words, "--html", path)
    assert f"page: {path}\n" in result.stderr
    assert path.read_text().startswith("<!doctype html>")
    return result


def test_a_throw_is_written_after_its_counts(tmp_path):
    words = ("drop", "2x2", "--throws", "20", "--seed", "1", "--workers", "1")
    assert written(tmp_path / "throw.html", *words).stdout == brickphys(*words).stdout


def test_a_move_is_written_after_its_hits(tmp_path):
    words = ("collide", DOCS / "crash.toml")
    assert written(tmp_path / "move.html", *words).stdout == brickphys(*words).stdout


def test_a_battle_is_written_after_its_result(tmp_path, replay_file):
    words = ("replay", replay_file)
    told = written(tmp_path / "duel.html", *words).stdout
    assert "(seed 7)" in told
    assert brickphys(*words).stdout.startswith(told)  # and the last situation follows


def test_the_page_of_a_scenario_has_its_title(tmp_path):
    title = game("bow").scenario("duel").title
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "4")
    written(tmp_path / "duel.html", *words)
    assert f"<title>BOW, {title}: red against blue</title>" in (tmp_path / "duel.html").read_text()


def test_the_page_of_a_replay_and_of_a_game_that_goes_on_has_the_title_of_its_scenario(
    tmp_path, replay_file
):
    title = game("bow").scenario("duel").title
    going_on = ("play", "--resume", replay_file, "--max-steps", "61")
    for number, words in enumerate((("replay", replay_file), going_on)):
        page = tmp_path / f"{number}.html"
        written(page, *words)
        assert f"<title>BOW, {title}: red against blue</title>" in page.read_text()


def test_some_rounds_make_a_smaller_page(tmp_path, replay_file):
    written(tmp_path / "all.html", "replay", replay_file)
    written(tmp_path / "one.html", "replay", replay_file, "--rounds", "1")
    assert (tmp_path / "one.html").stat().st_size < (tmp_path / "all.html").stat().st_size
