"""Films and pictures on the command line: throws, some rounds of a battle, one side of it."""

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from tests.command_line import assert_refused, brickphys

THROW = ("roll", "1", "--live", "--preset", "drop", "--seed", "4")


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("battle") / "duel.jsonl"
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "120")
    assert brickphys(*words, "--replay", path).returncode == 0
    return path


def frames(path):
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            yield np.asarray(film.convert("RGB")), film.info["duration"]


def test_a_throw_is_filmed_after_its_result(tmp_path):
    path = tmp_path / "throw.gif"
    plain = brickphys(*THROW)
    filmed = brickphys(*THROW, "--animate", path, "--slow", "1")
    assert (filmed.stdout, filmed.returncode) == (plain.stdout, 0)
    assert filmed.stderr == f"film: {path}\n"
    shown = list(frames(path))
    assert 8 < len(shown) < 100
    assert {duration for _, duration in shown[:-1]} == {40}
    assert any(np.any(one != other) for (one, _), (other, _) in pairwise(shown))
    again = brickphys(*THROW, "--animate", path)
    assert_refused(again, "exists already; --force replaces it")


@pytest.mark.slow
def test_a_slower_film_has_more_pictures_of_the_same_throw(tmp_path):
    counts = []
    for slow in (1, 3):
        path = tmp_path / f"{slow}.gif"
        brickphys("roll", "3", "--live", "--seed", "1", "--animate", path, "--slow", slow)
        counts.append(len(list(frames(path))))
    assert counts[1] == pytest.approx(3 * counts[0], abs=6)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("roll 3 --animate t.gif", "--animate films a throw, and needs --live"),
        ("roll 3 --live --slow 2", "--slow needs --animate"),
        ("roll 0 --live --animate t.gif", "--animate: a throw needs at least 1 brick"),
        ("roll 1 --live --animate t.png", "--animate t.png: the name must end in .gif"),
        ("roll 1 --live --animate t.gif --slow 0", "0.1<=x<=100"),
        ("play bow duel --bots random --rounds 2", "--rounds needs --plot, --animate or --html"),
        ("play bow duel --bots random --rounds 4..2 --plot t.png", "'4..2' is neither a round"),
        ("play bow duel --bots random --rounds two --plot t.png", "'two' is neither a round"),
        ("play bow duel --bots random --side red", "--side needs --plot or --animate"),
    ],
)
def test_what_cannot_be_filmed_is_refused_before_anything_is_done(words, told, tmp_path):
    assert_refused(brickphys(*words.split(), cwd=tmp_path), told)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--rounds", "90..99"), "--rounds: the game does not have rounds 90 to 99: it has rounds"),
        (("--side", "green"), "--side: unknown player 'green'"),
    ],
)
def test_rounds_and_sides_that_are_not_there_are_told_in_a_line(replay_file, words, told, tmp_path):
    plot = tmp_path / "part.png"
    result = brickphys("replay", replay_file, "--plot", plot, *words)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert told in result.stderr
    assert not plot.exists()


def test_rounds_beyond_the_last_one_are_told(replay_file, tmp_path):
    result = brickphys("replay", replay_file, "--plot", tmp_path / "part.png", "--rounds", "1..99")
    assert result.returncode == 0
    assert "--rounds: the game has round" in result.stderr


def test_the_last_situation_is_printed_unless_story_or_pictures_are_wanted(replay_file, tmp_path):
    plain = brickphys("replay", replay_file).stdout
    drawn = brickphys("replay", replay_file, "--plot", tmp_path / "game.png").stdout
    assert plain.startswith(drawn)
    assert len(drawn.splitlines()) == 2 < len(plain.splitlines())
    assert brickphys("replay", replay_file, "--story").stdout.endswith(drawn)


def test_some_rounds_and_one_side_are_drawn(replay_file, tmp_path):
    whole, part = tmp_path / "whole.png", tmp_path / "part.png"
    brickphys("replay", replay_file, "--plot", whole)
    result = brickphys("replay", replay_file, "--plot", part, "--rounds", "1", "--side", "red")
    assert result.returncode == 0
    with Image.open(whole) as one, Image.open(part) as other:
        assert one.size[0] == other.size[0]
        assert one.tobytes() != other.tobytes()
