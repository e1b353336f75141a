"""Two persons with secrets, at a real terminal and with piped input."""

import json
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from brickphys.cli.shared.terminal import Terminal
from tests.at_a_terminal import at_a_terminal
from tests.cases import few
from tests.command_line import brickphys
from tests.installed_game import installed_game

WIPE = "\033[H\033[2J\033[3J"
PASS = "Pass the keyboard to player {}; press Enter"
PLAY = ("play", "pirates", "duel", "--bots", "person", "--seed", "1")
MOVES = ["turn 0"] * 4


@pytest.fixture(autouse=True, scope="module")
def a_game_of_secret_orders(tmp_path_factory):
    rules = Path(__file__).parent.parent / "rules"
    with installed_game(
        tmp_path_factory.mktemp("installed"), "pirates", "pirate_game:Pirates", rules
    ):
        yield


@pytest.mark.parametrize("key", few(["\x03", "\x04"]), ids=["Ctrl-C", "Ctrl-D"])
def test_a_terminal_is_wiped_between_two_persons(key, tmp_path):
    """Whoever leaves while the keyboard is passed on shows no secret, and the game is kept."""
    path = tmp_path / "kept.jsonl"
    with at_a_terminal(*PLAY, "--replay", str(path)) as (screen, process):
        screen.wait("\n> ")
        for line in (*MOVES, "", "fire port ball"):
            screen.type(line)
        left = screen.type("ready").partition(WIPE)[2]
        assert left.split("\n")[1] == PASS.format(1)
        if key == "\x03":
            process.send_signal(signal.SIGINT)  # the program is no job of this terminal
        else:
            screen.press(key)
        assert "fire" not in screen.wait("stopped after ")
        assert process.wait() == 0
    moves = [json.loads(line).get("move") for line in path.read_text().splitlines()]
    assert moves[-3:-1] == ["fire port ball", "ready"]


@pytest.mark.parametrize(
    ("typed", "shown", "term", "wiped"),
    [
        (True, True, "xterm", True),
        (True, True, "dumb", False),
        (True, False, "xterm", False),
        (False, True, "xterm", False),
    ],
)
def test_only_a_terminal_at_both_ends_is_wiped(typed, shown, term, wiped, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: typed))
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: shown))
    monkeypatch.setenv("TERM", term)
    assert (Terminal(to_stderr=True).clearing is not None) is wiped


def test_piped_input_needs_no_enter_and_is_told_that_nothing_is_hidden():
    typed = "\n".join([*MOVES, "fire port ball", "ready", "quit", ""])
    shown = brickphys(*PLAY, typed=typed).stdout
    assert shown.count("is next; this is not a terminal, so the text above stays readable") == 2
    assert "stopped after 6 actions" in shown
    assert "Pass the keyboard" not in shown


def test_a_game_saved_amid_secret_orders_goes_on_behind_a_hand_over(tmp_path):
    """It is the turn of the second captain: nothing tells him what the first has ordered."""
    typed = "\n".join([*MOVES, "fire port ball", "ready", "save war.jsonl", "quit", ""])
    brickphys(*PLAY, typed=typed, cwd=tmp_path)
    shown = brickphys("play", "pirates", "war.jsonl", typed="undo\nshow\n", cwd=tmp_path).stdout
    assert shown.startswith("\nplayer 1 is next; this is not a terminal")
    assert "nothing to take back" in shown
    assert "'fire port ball'" not in shown
