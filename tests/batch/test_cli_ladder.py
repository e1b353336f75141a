"""The command `ladder`: standings for people and programs, folders that go on, refusals."""

import pytest

from tests.batch.batches import InProcess, in_process
from tests.command_line import answer, assert_refused, brickphys, run

DUEL = ("ladder", "pebbles", "ten", "--bots", "greedy,random")


@pytest.fixture(autouse=True, scope="module")
def games_are_played_in_this_process():
    with in_process(lambda *_: InProcess()):
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("ladder")
    run(*DUEL, "--games", 6, "--seed", 1, "--out", "results", cwd=made)
    return made


def test_people_read_a_table(folder):
    told = run(*DUEL, "--games", 6, "--out", "results", cwd=folder)
    head, _, columns, _, best, *_ = told.stdout.splitlines()
    assert head == "pebbles ten: greedy, random: 6 games, 0 failed, seed 1"
    assert columns.split() == [
        *("bot", "games", "points", "(95", "%", "interval)", "Elo", "95", "%", "interval"),
        *("as", "player", "0", "as", "player", "1"),
    ]
    assert best.split()[1] == "6"
    assert "greedy : random" in told.stdout
    assert " s) a choice" in told.stderr
    assert max(map(len, told.stdout.splitlines())) <= 120


def test_programs_read_everything(folder):
    found = answer(*DUEL, "--games", 6, "--out", "results", cwd=folder)
    assert found["schema"] == "brickphys.ladder/1"
    assert (found["game"], found["scenario"], found["seed"]) == ("pebbles", "ten", 1)
    best, other = found["standings"]
    assert (best["games"], other["losses"]) == (6, best["wins"])
    assert len(best["seat_shares"]) == len(found["seats"]) == 2
    assert best["choice_times"]["count"] > 10
    (matchup,) = found["matchups"]
    assert matchup["sprt"] is None
    assert sum(matchup["points"]) == sum(matchup["seat_points"]) == 6


def test_its_folder_is_a_batch(folder):
    assert answer("batch", "status", "results", cwd=folder)["done"] == 6
    run("batch", "replay", "results", "--run", 5, "--out", "game.jsonl", cwd=folder)
    told = answer("replay", "game.jsonl", cwd=folder)
    assert told["players"] == ["random", "greedy"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--games", 8), "repeats is 8, was 6"),
        (("--games", 6, "--seed", 2), "seed is 2, was 1"),
        (("--games", 6, "--sprt", "0,50"), "until"),
        (("--games", 6, "--law", "glass"), "fixed.law is new"),
        (("--games", 6, "--bots", "greedy,easy"), "version of random is left out"),
    ],
)
def test_another_ladder_in_the_folder_is_refused(folder, words, says):
    assert_refused(brickphys(*DUEL, *words, "--out", "results", cwd=folder), "another study", says)


def test_a_test_of_shares_is_that_of_elo(tmp_path):
    sprt = "50%,75%"
    found = [
        answer(*DUEL, "--games", 64, "--seed", 1, "--sprt", words, cwd=tmp_path)["matchups"][0]
        for words in (sprt, "0,190.848502")
    ]
    assert found[0]["sprt"]["verdict"] == found[1]["sprt"]["verdict"]
    assert found[0]["sprt"]["shares"] == pytest.approx(found[1]["sprt"]["shares"])
    assert found[0]["sprt"]["errors"] == [0.05, 0.05]
    assert not list(tmp_path.iterdir())


def test_a_bot_that_fails_is_told(tmp_path):
    (tmp_path / "bad.py").write_text(
        "class Bad:\n def __init__(self, game, law): pass\n"
        " def choose(self, view, actions, rng): raise ZeroDivisionError('no')\n"
    )
    told = run(*DUEL[:4], "bad:Bad,random", "--games", 2, cwd=tmp_path)
    assert "0 games, 2 failed" in told.stdout
    assert "bot 'bad:Bad': ZeroDivisionError: no" in told.stdout
