"""A game of a study, played again from its row."""

import dataclasses
import json
from itertools import count
from unittest.mock import patch

import pytest

from brickphys.batch import results as again
from brickphys.batch.results import played_again
from brickphys.battles.battle import replay
from brickphys.errors import BatchFolderError, BrokenGameError
from tests.batch.batches import pebbles, run_here
from tests.command_line import assert_refused, brickphys

DUEL = {
    "kind": "battle",
    "seed": 6,
    "repeats": 3,
    "limits": {"rounds": 2},
    "fixed": {"game": "bow", "scenario": "duel", "bots": "random"},
    "grid": {"p": [0.2, 0.9]},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return run_here(tmp_path_factory.mktemp("again") / "results", DUEL)


def test_every_game_comes_out_as_in_its_row(store):
    for row in store.rows().to_pylist():
        record = played_again(store, row["cell"], row["run"]).record
        assert (-1 if record.winner is None else record.winner) == row["winner"]
        assert record.actions == row["actions"]


def test_the_command_writes_a_replay_that_plays_back(store, tmp_path):
    words = ("batch", "replay", store.folder, "--cell", 1, "--run", 2, "--out", "game.jsonl")
    result = brickphys(*words, "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    row = store.rows(1).to_pylist()[2]
    told = json.loads(result.stdout)
    assert (told["cell"], told["run"], told["actions"]) == (1, 2, row["actions"])
    back = replay(tmp_path / "game.jsonl")
    assert back.record.actions == row["actions"]
    assert (back.record.players, back.rolls) == (("random", "random"), "p = 0.9")
    assert "--force" in brickphys(*words, cwd=tmp_path).stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--cell", 2, "--run", 0), "there is no cell 2: the study has cells 0 to 1"),
        (("--run", 3), "there is no run 3 of cell 0, which has 3 runs, counted from 0"),
        (("--run", 0, "--out", "no/game.jsonl"), "no/game.jsonl"),
    ],
)
def test_a_game_that_is_not_there_is_told_in_a_line(store, tmp_path, words, says):
    result = brickphys("batch", "replay", store.folder, "--out", "game.jsonl", *words, cwd=tmp_path)
    assert_refused(result, says)
    assert not list(tmp_path.iterdir())


def test_another_program_is_refused_unless_one_wants_to_continue(store):
    here = store.manifest.stamps[0]
    other = dataclasses.replace(here, platform={**here.platform, "python": "0.0"})
    with (
        patch.object(again, "stamp_here", lambda *_: other),
        pytest.raises(BatchFolderError, match=r"by another program: .*--continue-anyway"),
    ):
        played_again(store, 0, 0)
    with patch.object(again, "stamp_here", lambda *_: other):
        assert played_again(store, 0, 0, continue_anyway=True).seed == 6


def test_a_bot_that_does_not_repeat_itself_is_told(store):
    spent = count()

    def choose(self, view, actions, rng):
        return actions[next(spent) % len(actions)]

    with (
        patch("brickphys.rules.players.bots.RandomBot.choose", choose),
        pytest.raises(BrokenGameError, match="run 1 of cell 0 has a different result: "),
    ):
        played_again(store, 0, 1)


def test_a_failed_run_is_told_with_its_error(tmp_path):
    store = run_here(tmp_path / "results", pebbles(8, raises=1.0))
    result = brickphys(
        "batch", "replay", store.folder, "--run", 0, "--out", "game.jsonl", cwd=tmp_path
    )
    assert_refused(result, "run 0 of cell 0 failed: ")
