"""Films and pictures on the command line: throws, some rounds of a battle, one side of it."""

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from tests.command_line import assert_refused, brickphys, run

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


def test_rounds_and_sides_that_are_not_there_are_told(replay_file, tmp_path):
    result = run("replay", replay_file, "--plot", tmp_path / "part.png", "--rounds", "1..99")
    assert "--rounds: the game has round" in result.stderr
    (tmp_path / "part.png").unlink()
    for words, told in (
        (("--rounds", "90..99"), "--rounds: the game does not have rounds 90 to 99: it has rounds"),
        (("--side", "green"), "--side: unknown player 'green'"),
    ):
        result = brickphys("replay", replay_file, "--plot", tmp_path / "part.png", *words)
        assert (result.returncode, result.stderr.count("\n")) == (2, 1)
        assert told in result.stderr
    assert not list(tmp_path.iterdir())


def test_the_last_situation_is_printed_unless_story_or_pictures_are_wanted(replay_file, tmp_path):
    plain = brickphys("replay", replay_file).stdout
    drawn = brickphys("replay", replay_file, "--plot", tmp_path / "game.png").stdout
    assert plain.startswith(drawn)
    assert len(drawn.splitlines()) == 2 < len(plain.splitlines())
    assert brickphys("replay", replay_file, "--story").stdout.endswith(drawn)


def test_some_rounds_and_one_side_are_drawn(replay_file, tmp_path):
    whole, part = tmp_path / "whole.png", tmp_path / "part.png"
    brickphys("replay", replay_file, "--plot", whole)
    run("replay", replay_file, "--plot", part, "--rounds", "1", "--side", "red")
    with Image.open(whole) as one, Image.open(part) as other:
        assert one.size[0] == other.size[0]
        assert one.tobytes() != other.tobytes()
