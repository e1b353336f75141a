"""Play at the terminal: colours, maps beside questions, games that go on, and replays step by step."""

import json
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from brickphys.bow.game import Bow
from brickphys.cli.replay import step_through
from brickphys.cli.shared.terminal import PLAYERS, STYLES, Terminal, coloured, has_colours
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.spectator import Spectator
from brickphys.rules.record import PLAYER_COLOURS
from brickphys.rules.report.char_map import Ink, inked, joined
from brickphys.rules.sources import LawSource
from tests.at_a_terminal import at_a_terminal
from tests.command_line import answer, assert_refused, brickphys, run

DUEL = ("play", "bow", "duel", "--bots", "person", "--seed", "7")
ESCAPE = "\033["


class Screen:
    def __init__(self, is_terminal):
        self.isatty = lambda: is_terminal


@pytest.mark.parametrize(
    ("environment", "is_terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colours_are_where_the_screen_has_them_and_nobody_forbids_them(
    environment, is_terminal, expected, monkeypatch
):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_colours(Screen(is_terminal)) is expected
    assert has_colours(None) is (
        environment.get("FORCE_COLOR") == "1" and "NO_COLOR" not in environment
    )


def lightness(number):
    """L* of a colour of the palette of 256 (CIE 1976)."""
    levels = (0, 95, 135, 175, 215, 255)
    if number >= 232:
        rgb = (8 + 10 * (number - 232),) * 3
    else:
        rgb = [levels[(number - 16) // side % 6] for side in (36, 6, 1)]
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    luminance = sum(
        share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )
    return 116 * luminance ** (1 / 3) - 16


def test_colours_of_players_differ_in_lightness_and_are_read_on_any_screen():
    assert set(PLAYERS) == set(PLAYER_COLOURS)
    values = {name: lightness(number) for name, number in PLAYERS.items()}
    for one, other in combinations(values, 2):
        assert abs(values[one] - values[other]) > 3
    assert abs(values["red"] - values["blue"]) > 20
    own = [style["fg"] for style in STYLES.values() if "fg" in style]
    assert all(36 < lightness(number) < 69 for number in [*PLAYERS.values(), *own])


def test_a_text_with_colours_is_the_same_text_and_its_own_escapes_have_no_effect():
    text = joined([inked("red", 0), " hits \x1b[31mblue ", inked("1", Ink.MARK)])
    shown = coloured(text, ["red", "blue"])
    assert (
        shown == "\033[38;5;160m\033[1mred\033[0m hits \\x1b[31mblue \033[38;5;172m\033[1m1\033[0m"
    )


def test_without_a_terminal_there_are_no_colours_and_with_them_the_same_text(tmp_path):
    typed = "\n1\ndo walk\nsave mine!\nquit\n"
    plain = run(*DUEL, typed=typed, cwd=tmp_path).stdout
    assert ESCAPE not in plain
    forced = run(*DUEL, typed=typed, cwd=tmp_path, env={"FORCE_COLOR": "1"}).stdout
    assert "\033[38;5;160m" in forced
    import click

    assert click.unstyle(forced) == plain


def test_the_page_on_the_keyboard_shows_a_game_as_it_goes(tmp_path):
    """What stands behind the prompts of the page is typed; the rest is what is shown."""
    page = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")
    command, _, session = re.search(r"```text\n\$ brickphys (.*?)```", page, re.DOTALL)[
        1
    ].partition("\n")
    typed = "".join(re.findall(r"^> (.*\n)", session, re.MULTILINE))
    shown = run(*command.split(), typed=typed, cwd=tmp_path).stdout
    assert shown == re.sub(r"^> .*\n", "> ", session, flags=re.MULTILINE)


def test_a_question_about_places_has_its_numbers_on_the_map():
    shown = run(*DUEL, typed="1\ndo walk\nmap\nwhy 0,0\n99999\nquit\n").stdout
    part = shown.split("\n> ")[2]
    rows = [line for line in part.splitlines() if line[:4].strip().isdigit() or line[:5] == "     "]
    assert any(" 1 " in line for line in rows)
    assert "numbers: choices of the list" in shown.split("\n> ")[3]
    assert "is not between 1 and" in shown


def test_the_map_is_as_wide_at_every_question():
    """BOW: with numbers of one figure or two, of units or studs, and none."""
    typed = "1\ndo walk\n7,4\ne\ndo attack\nmap\nshow\nquit\nquit\n"
    shown = run(*DUEL, typed=typed).stdout
    rulers = re.findall(r"^ +0 +5 +10$", shown, re.MULTILINE)
    assert len(rulers) >= 5
    assert len(set(rulers)) == 1


def test_the_heading_of_a_round_comes_before_what_happens_in_it():
    """Blue, a bot, plays first in the second round: its moves stand below the heading."""
    words = ("play", "bow", "duel", "--bots", "person,random", "--seed")
    for seed in range(20):
        shown = run(*words, seed, typed="1\nend\n1\nend\n1\nend\nq\nq\n").stdout
        lines = [line for line in shown.splitlines() if line.strip()]
        heads = [n for n, line in enumerate(lines) if re.fullmatch(r"(> )?Round \d+", line)]
        for n in heads:
            number = int(lines[n].split()[-1])
            rest = shown.partition(f"\nRound {number}\n")[2]
            assert "\nWho has played " in rest
            assert f"Round {number}," not in rest
            assert "blue trooper: " in lines[n + 1]
        if heads:
            return
    raise AssertionError("red begins every round")


def test_the_list_of_attacks_tells_their_chances():
    typed = "1\n7,4\ne\ndo attack\nodds 1\nq\nq\n"
    shown = run(*DUEL, typed=typed).stdout
    found = re.search(r"1 attack blue_trooper spear - hit (\d+) %, kill (\d+) %", shown)
    exact = re.search(r"\n    hit (\d+\.\d) %, kill (\d+\.\d) %\n", shown)
    assert found
    assert exact
    pairs = zip(found.groups(), exact.groups(), strict=True)
    assert all(abs(int(rounded) - float(share)) <= 0.55 for rounded, share in pairs)


@pytest.mark.slow
def test_a_wide_terminal_shows_the_map_beside_the_list():
    with at_a_terminal(*DUEL, env={"COLUMNS": "160", "LINES": "50"}) as (screen, process):
        screen.wait("\n> ")
        screen.type("1")
        beside = screen.type("do walk")
        assert any(line.count("  ") > 2 and "walk" in line for line in beside.splitlines())
        screen.type("quit")
        screen.press("quit\n")
        screen.wait("after ")
        process.wait()


@pytest.mark.parametrize(
    ("game", "setup"),
    [("bow", "duel"), ("pirate_wars", "duel"), ("minifig", "duel"), ("blade_and_bow", "marathon")],
)
def test_a_resumed_game_is_the_game_that_was_never_stopped(game, setup, tmp_path):
    words = ("play", game, setup, "--bots", "random", "--seed", "7", "--max-steps")
    run(*words, "20", "--replay", "whole.jsonl", cwd=tmp_path)
    run(*words, "9", "--replay", "part.jsonl", cwd=tmp_path)
    more = ("play", "--resume", "part.jsonl", "--max-steps", "20", "--replay", "part.jsonl")
    assert "--force" in run(*more, fails=2, cwd=tmp_path).stderr
    run(*more, "--force", cwd=tmp_path)
    whole, part = (tmp_path / name for name in ("whole.jsonl", "part.jsonl"))
    assert part.read_bytes() == whole.read_bytes()
    assert "1 file: all right" in run("verify", part).stdout


def test_a_person_resumes_what_was_saved_with_other_seats(tmp_path):
    typed = "unit red_trooper\nsave mine.jsonl\nquit\n"
    shown = run(*DUEL, typed=typed, cwd=tmp_path).stdout
    assert "`brickphys play --resume mine.jsonl` continues from here" in shown
    words = ("play", "--resume", "mine.jsonl")
    seats = answer(*words, typed="quit\n", cwd=tmp_path)["players"]
    assert seats == ["person", "person"]
    words = (*words, "--bots", "random,person", "--max-steps", "8", "--json")
    assert json.loads(run(*words, cwd=tmp_path).stdout)["players"] == ["random", "person"]


def test_who_played_days_of_a_campaign_must_be_named_to_play_on(tmp_path):
    run("campaign", "new", "quest.jsonl", "--days", "3", "--seed", "2", cwd=tmp_path)
    run("campaign", "day", "quest.jsonl", "--bot", "random", cwd=tmp_path)
    run("campaign", "day", "quest.jsonl", "--bot", "greedy", cwd=tmp_path)
    words = ("play", "--resume", "quest.jsonl")
    told = brickphys(*words, cwd=tmp_path)
    assert_refused(told, "played by random and greedy: name the players who continue it")
    run(*words, "--bots", "random", cwd=tmp_path)


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "duel.jsonl"
    run("play", "bow", "duel", "--bots", "random", "--seed", "7", "--replay", path)
    return path


def test_a_replay_is_stepped_through_by_lines(replay_file):
    shown = run("replay", replay_file, "--step", typed="n\n\nb\nr 1\nx\ns\nq\n").stdout
    pages = shown.split("\n> ")
    assert len(pages) == 8
    assert pages[0].startswith("the beginning, round 0 of ")
    assert "red (random), blue (random)" in pages[0]
    assert pages[1].startswith("event 1 of ")
    assert pages[2].startswith("event 2 of ")
    assert pages[3] == pages[1]
    assert "round 1 of" in pages[4]
    assert pages[5].startswith("'x' is not a command")
    assert "walk (studs)" in pages[6]
    assert ESCAPE not in shown
    forced = run("replay", replay_file, "--step", typed="n\n", env={"FORCE_COLOR": "1"}).stdout
    assert forced.count(f"{ESCAPE}1mthe beginning") == forced.count(f"{ESCAPE}1mevent 1 of") == 1
    whole = run("replay", replay_file, "--step", typed="n\n" * 2000).stdout
    assert re.search(
        r"\n> the end, round.*\n(.*\n)*(red \(random\) wins|a draw) after .*\n\n> ", whole
    )


@pytest.mark.parametrize(
    ("keys", "steps"),
    [
        *(
            ("nq", 1),
            ("\n \x1b", 2),
            ("nnpq", 1),
            ("nnb\x04", 1),
            ("hxnq", 1),
            ("pq", 0),
            ("sq", 0),
        ),
        *(("\x1b[C\x1b[C\x1bOC\x1b[Dq", 2), ("\x1b[C\x1b[1;5Cnq", 2)),
    ],
)
def test_single_keys_step_through_a_game(keys, steps, monkeypatch):
    """What was typed ahead counts; Escape alone, and Ctrl-D, leave."""
    game = Bow()
    setup = game.setups["duel"]
    law = BinomialLaw(Fraction(1, 4))
    record = play(game, setup, [RandomBot()] * 2, LawSource(law, 3), root=3, max_steps=20)
    spectator, terminal = Spectator(game, record), Terminal(to_stderr=True)
    typed = [keys]
    monkeypatch.setattr("brickphys.cli.shared.terminal._pressed", lambda: typed.pop(0))
    monkeypatch.setattr(Terminal, "clearing", property(lambda _: lambda: None))
    step_through(spectator, terminal)
    assert spectator.number == steps


@pytest.mark.slow
def test_a_replay_is_stepped_through_by_keys_at_a_terminal(replay_file):
    with at_a_terminal("replay", str(replay_file), "--step") as (screen, process):
        screen.wait("q leave")
        keys = (("\r", "event 1"), ("\x1b[C", "event 2"), ("p", "event 1"), ("?", "back"))
        for key, expected in keys:
            screen.press(key)
            assert expected in screen.wait("q leave")
        screen.press("r")
        screen.wait("to which round?")
        screen.press("1\n")
        assert "round 1 of" in screen.wait("q leave")
        screen.press("q")
        assert process.wait() == 0


def test_stepping_keeps_from_a_viewer_what_that_player_may_not_know(tmp_path):
    file = tmp_path / "battle.jsonl"
    words = ("play", "blade_and_bow", "mycale", "--bots", "random", "--seed", "2")
    words = (*words, "--option", "free_setup=false")
    run(*words, "--max-steps", "20", "--replay", file)
    shown = run("replay", file, "--step", "--viewer", "persians", typed="n\n" * 9).stdout
    assert "reeks draw 1 card (BB 5.1)" in shown
    told = run("replay", file, "--step", typed="n\n" * 9).stdout
    assert "reeks draw 1 card (BB 5.1)" not in told
