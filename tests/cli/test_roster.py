"""``--save-roster`` and ``--roster``: the survivors of a battle begin the next one."""

import json
import tomllib

import pytest

from tests.command_line import assert_refused, brickphys, run

DUEL = ("play", "minifig", "duel", "--bots", "random", "--seed", "2")
BROKEN = ("play", "bow", "duel", "--bots", "random")


@pytest.fixture
def folder(tmp_path):
    done = brickphys(
        *DUEL, "--save-roster", "veterans.toml", "--replay", "duel.jsonl", cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "roster: veterans.toml\n")
    return tmp_path


def test_a_replay_writes_the_same_roster_and_verify_checks_it(folder):
    run("replay", "duel.jsonl", "--save-roster", "again.toml", cwd=folder)
    assert (folder / "again.toml").read_bytes() == (folder / "veterans.toml").read_bytes()
    told = brickphys("verify", "veterans.toml", cwd=folder)
    assert told.stdout.startswith("veterans.toml: roster\n  ok: roster: ")
    (folder / "again.toml").write_text('[[survivor]]\nname = "tom"\n', encoding="utf-8")
    assert brickphys("verify", "again.toml", cwd=folder).returncode == 2


def test_the_next_battle_is_a_game_of_its_own_with_the_survivors(folder):
    again = ("--roster", "veterans.toml", "--replay", "next.jsonl", "--json", "--seed", "3")
    run(*DUEL[:-2], *again, cwd=folder)
    header = json.loads((folder / "next.jsonl").read_text(encoding="utf-8").splitlines()[0])
    names = [figure["name"] for figure in header["setup"]["figure"]]
    roster = tomllib.loads((folder / "veterans.toml").read_text(encoding="utf-8"))["survivor"]
    assert names == [one["name"] for one in roster]
    assert all(figure["experience"] == 1 for figure in header["setup"]["figure"])
    assert brickphys("replay", "next.jsonl", cwd=folder).returncode == 0


def test_a_battle_that_is_not_over_writes_none(folder):
    short = (*DUEL, "--max-steps", "5", "--save-roster", "new.toml", "--replay", "short.jsonl")
    done = run(*short, cwd=folder)
    assert "--save-roster new.toml: not written: the game is not over" in done.stderr
    back = brickphys("replay", "short.jsonl", "--save-roster", "new.toml", cwd=folder)
    assert_refused(back, "the battle is not over")
    assert not (folder / "new.toml").exists()
