"""Games that persons leave unsaved are kept, and `play --resume last` goes on with them."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

from brickphys.cli.shared import game_files as kept_games
from tests.at_a_terminal import PATIENCE_S, at_a_terminal
from tests.cases import few
from tests.command_line import answer, assert_refused, brickphys, run

DUEL = ("play", "bow", "duel", "--bots", "person", "--seed", "7")
LAST = ("play", "--resume", "last")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "state" / "brickphys" / "games"


def kept(folder):
    return sorted(path.name for path in folder.glob("*")) if folder.exists() else []


@pytest.mark.parametrize("end", few(["", "q\nexit\n", "quit\nquit\n"]))
def test_a_game_that_is_left_unsaved_goes_on_as_the_last_one(folder, end):
    """Also if the input just ends; the end names the file."""
    shown = run(*DUEL, typed=f"do walk\n{end}").stdout
    assert shown.count("the game is not saved: type save FILE to store it") == (1 if end else 0)
    file = folder / "bow-7.jsonl"
    assert shown.splitlines()[-1].endswith(
        f"stopped after 1 action in 1 round (seed 7); kept in {file}: "
        "`brickphys play --resume last` continues"
    )
    resumed = run(*LAST, typed="walk 7,4\n")
    assert re.fullmatch(
        r"brickphys: bow duel \(seed 7\) goes on: round 1; red is to act; "
        r"red: person, blue: person; stored \d{4}-\d\d-\d\d \d\d:\d\d\n",
        resumed.stderr,
    )
    told = resumed.stdout
    assert f"stopped after 2 actions in 1 round (seed 7); kept in {file}" in told
    assert kept(folder) == ["bow-7.jsonl"]
    assert answer("replay", file)["actions"] == 3


def test_a_kept_game_that_is_only_looked_at_stays_kept(folder):
    run(*DUEL, typed="do walk\n")
    before = (folder / "bow-7.jsonl").read_bytes()
    assert "kept in" in run(*LAST, typed="q\n").stdout
    assert (folder / "bow-7.jsonl").read_bytes() == before


@pytest.mark.parametrize("more", [("save mine",), ()])
def test_a_game_that_is_stored_elsewhere_is_kept_no_longer(folder, more):
    words = DUEL if more else (*DUEL, "--replay", "mine.jsonl")
    shown = run(*words, typed="\n".join(["do walk", *more, "q", ""])).stdout
    assert "kept in" not in shown
    assert "not saved" not in shown
    assert kept(folder) == []
    assert answer("replay", "mine.jsonl")["actions"] == 2


def test_a_kept_game_goes_on_to_its_end_and_is_gone(folder):
    """Two persons who end each turn at once, until the rounds are over."""
    run(*DUEL, typed="do walk\n")
    shown = run(*LAST, typed="end\n" * 60).stdout
    assert "kept in" not in shown
    assert kept(folder) == []
    assert_refused(brickphys(*LAST), "--resume last: no unsaved game is kept")
    assert kept(folder.parent / "finished") == ["bow-7.jsonl"]
    assert "`brickphys replay last --step` shows it again, event by event; --html FILE" in shown
    end = shown.rpartition("\n> ")[2]
    assert re.search(r"\n +\. +T .*\n +0 +5 +10\n.*\na draw after ", end, re.DOTALL)
    assert answer("replay", "last")["ending"] == "over"


def test_a_name_without_its_ending_is_that_of_a_saved_game(folder):
    run(*DUEL, typed="do walk\nsave mine\nq\n")
    shown = run("play", "--resume", "mine", typed="walk 7,4\ne\nsave\nq\n").stdout
    assert "saved; `brickphys play --resume mine.jsonl` continues from here" in shown
    assert answer("replay", "mine")["actions"] == 4
    assert_refused(brickphys("replay", "last"), "last: no game is kept")
    assert_refused(brickphys("replay", "other"), "other: ")
    assert_refused(brickphys("replay", "x" * 300), "x" * 300)


def test_another_game_of_the_same_seed_has_a_file_of_its_own_and_old_ones_go(folder, monkeypatch):
    monkeypatch.setattr(kept_games, "_MOST_KEPT", 3)
    for number in range(1, 6):
        run(*DUEL, typed="do walk\n")
        for path in folder.iterdir():  # as if it were old
            os.utime(path, (path.stat().st_mtime - 10,) * 2)
        assert len(kept(folder)) == min(number, 3)
    assert "bow-7-2.jsonl" in kept(folder)


def test_nothing_is_kept_before_the_first_own_choice_nor_of_bots(folder):
    assert "not saved" not in run(*DUEL, typed="odds\nq\n").stdout
    run("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "9")
    assert kept(folder) == []


def test_programs_read_on_standard_error_where_the_game_is(folder):
    result = run(*DUEL, "--json", typed="do walk\n")
    assert json.loads(result.stdout)["ending"] == "interrupted"
    assert f"kept in {folder / 'bow-7.jsonl'}" in result.stderr


def test_a_game_that_cannot_be_kept_goes_on_and_says_so_once(folder, monkeypatch):
    folder.parent.mkdir(parents=True)
    folder.write_text("no folder")
    result = run(*DUEL, typed="do walk\nwalk 7,4\ne\n")
    assert result.stderr.count("the game is not stored: ") == 1
    assert "stopped after 3 actions" in result.stdout
    monkeypatch.setenv("XDG_STATE_HOME", "")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError))
    result = run(*DUEL, typed="do walk\n")
    assert (
        "the game is not stored: there is no home folder; type save FILE to save it"
        in result.stderr
    )
    assert_refused(brickphys(*LAST), "no unsaved game is kept")


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_a_game_whose_program_is_killed_is_kept(folder, how):
    with at_a_terminal(*DUEL, env={"XDG_STATE_HOME": str(folder.parents[1])}) as (screen, process):
        screen.wait("\n> ")
        screen.type("do walk")
        screen.type("walk 7,4")
        process.send_signal(how)
        process.wait(PATIENCE_S)
    assert kept(folder) == ["bow-7.jsonl"]
    shown = run(*LAST, typed="e\nsave mine\nq\n").stdout
    assert "which side does red trooper face after the walk?" in shown
    assert answer("replay", "mine.jsonl")["actions"] == 4
