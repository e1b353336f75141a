"""The command `ladder`: standings for people and programs, folders that go on, refusals."""

from collections import Counter

import pytest

from brickphys.batch.store import open_store
from brickphys.text import counted
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
    assert "with --out they are kept" in told.stdout


FAULTS = """
class Faulty:
    def __init__(self, game, law): pass
    def choose(self, view, actions, rng):
        number = int(rng.integers(8))
        if number < 2:
            raise (KeyError, ValueError)[number]("fault")
        return actions[0]
"""


def test_each_error_is_told_with_how_often_and_its_first_game(tmp_path):
    """The oracle: the rows of the folder, each with its error."""
    (tmp_path / "faulty.py").write_text(FAULTS)
    words = (*DUEL[:4], "random,faulty:Faulty,greedy", "--games", 40, "--seed", 3)
    found = answer(*words, "--out", "kept", cwd=tmp_path)
    rows = [
        (store.spec.cells[cell]["bots"], row["run"], row["error"])
        for store in [open_store(tmp_path / "kept")]
        for cell in range(3)
        for row in store.rows(cell).to_pylist()
        if row.get("error")
    ]
    assert found["failed"] == len(rows) == sum(one["count"] for one in found["failures"])
    counts = Counter(error for *_, error in rows)
    assert {one["error"]: one["count"] for one in found["failures"]} == counts
    assert [one["count"] for one in found["failures"]] == sorted(counts.values(), reverse=True)
    assert len(counts) >= 2
    for one in found["failures"]:
        first = next((bots, run) for bots, run, error in rows if error == one["error"])
        assert (one["bots"], one["game"]) == first
        assert (one["seed"], one["folder"]) == (3, "kept")
    shown = run(*words, "--out", "kept", cwd=tmp_path).stdout
    for one in found["failures"]:
        times = counted(one["count"], "time")
        first = f"game {one['game']} of {' : '.join(one['bots'])}"
        assert f"  {times}, first in {first}: {one['error']}\n" in shown
    assert "in kept; the same command with --retry-failed repeats them" in shown
    assert answer(*words, cwd=tmp_path)["failures"][0]["folder"] is None


def test_a_ladder_without_faults_tells_of_none(folder):
    assert answer(*DUEL, "--games", 6, "--out", "results", cwd=folder)["failures"] == []
