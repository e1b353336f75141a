"""`play`, `replay` and `games`, as programs and people meet them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from brickphys.bow.scenario import SCENARIOS
from brickphys.rules.players.prompt import COMMANDS
from brickphys.rules.players.search import SearchBot
from tests.command_line import answer, assert_refused, brickphys, run
from tests.installed_game import installed_game
from tests.scenario_text import scenario_text


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "duel.jsonl"
    run("play", "bow", "duel", "--bots", "greedy1,random", "--seed", "7", "--replay", path)
    return path


def test_games_lists_what_play_takes():
    (bow,) = [game for game in answer("games")["games"] if game["name"] == "bow"]
    assert bow["setups"]["duel"] == {"players": 2, "title": "Trooper against trooper"}
    assert "skirmish" in run("games").stdout


def test_the_help_of_play_names_every_game_and_what_a_person_may_type(tmp_path):
    rules = Path(__file__).parent.parent / "rules"
    with installed_game(tmp_path, "pebble_race", "no_such_module:Race", rules):
        told = run("play", "--help").stdout
    assert "blade_and_bow, bow, campaign, minifig, pebble_race, pirate_wars;" in " ".join(
        told.split()
    )
    games = ("blade_and_bow", "bow", "campaign", "minifig", "pirate_wars")
    assert all(f"brickphys play {game} " in told for game in games)
    assert all(f"\n  {command} " in told for command in COMMANDS)


def test_the_same_seed_gives_the_same_game_and_the_keys_that_programs_read():
    words = ("play", "bow", "duel", "--bots", "greedy,random", "--seed")
    first, second, other = (run(*words, seed, "--json").stdout for seed in (7, 7, 8))
    assert first == second != other
    told = json.loads(first)
    assert told["schema"] == "brickphys.play/1"
    assert {"winner", "returns", "rounds", "actions", "seed"} <= set(told)
    assert told["seed"] == 7
    assert (told["players"], told["names"]) == (["greedy", "random"], ["red", "blue"])
    assert told["returns"][told["winner"]] == max(told["returns"]) == 1


def test_a_replay_plays_back_to_the_same_end(replay_file):
    played = answer("play", "bow", "duel", "--bots", "greedy1,random", "--seed", "7")
    told = answer("replay", replay_file)
    assert told["ok"] is True
    for key in ("winner", "returns", "rounds", "actions", "seed", "ending", "law"):
        assert told[key] == played[key]
    last = json.loads(replay_file.read_text().splitlines()[-1])
    assert told["final"] == last["final"]
    assert "play back as written" in run("replay", replay_file).stdout


def test_a_replay_that_was_cut_or_edited_is_refused_in_one_line(replay_file, tmp_path):
    lines = replay_file.read_text().splitlines(keepends=True)
    false = tmp_path / "false.jsonl"
    steps = [number for number, line in enumerate(lines) if '"move": "do walk"' in line]
    edited = lines[steps[0]].replace('"do walk"', '"do fly"')
    for text, words in (
        ("".join(lines[:-1]), f"line {len(lines)}: is missing, the replay was cut"),
        ("".join(lines)[:-20], "is cut off"),
        ("".join([*lines[: steps[0]], edited, *lines[steps[0] + 1 :]]), f"line {steps[0] + 1}:"),
        ("".join(lines[:3] + lines[4:]), "line 4: was edited, or the line before it was replaced"),
        ("\0\n", "line 1: is not text"),
        ("a\n", "line 1: this is not a replay"),
    ):
        false.write_text(text)
        result = run("replay", false, "--json", "--story", fails=2)
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1
        assert words in result.stderr
    assert "No such file" in run("replay", tmp_path / "none.jsonl", fails=2).stderr


def test_an_existing_replay_is_only_overwritten_by_force(replay_file):
    before = replay_file.read_text()
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--replay", replay_file)
    assert "--force" in run(*words, fails=2).stderr
    assert replay_file.read_text() == before
    other = replay_file.with_name("other.jsonl")
    other.write_text("mine")
    run(*words[:-1], other, "--force")
    assert answer("replay", other)["players"] == ["random", "random"]


def test_a_story_is_told_in_text_and_as_lines(replay_file):
    told = run("replay", replay_file, "--story").stdout
    assert "Round 1" in told
    assert "BOW 2.4.2" in told
    assert max(map(len, told.splitlines())) <= 100
    assert any("wins" in line for line in answer("replay", replay_file, "--story")["story"])


def test_a_game_with_rolls_typed_on_a_table():
    words = ("play", "bow", "duel", "--bots", "random", "--typed", "--seed", "7")
    whole = run(*words, "--max-steps", "4", typed="7\n5\n1\n").stdout
    assert "6 bricks (red rolls for the start): how many on a side?" in whole
    assert "'7' is not an answer to" in whole
    assert "stopped at the limit of steps" in whole
    told = answer(*words, typed="5\n")
    assert (told["ending"], told["winner"], told["returns"]) == ("interrupted", None, None)
    assert told["law"] == "bricks thrown on a table"


def test_a_person_plays_takes_back_and_leaves_with_a_whole_replay(tmp_path):
    path = tmp_path / "person.jsonl"
    lines = (
        *("5", "1", "why attack blue_trooper spear", "do walk", "undo"),
        *("walk 7,4", "face w", "undo", "face e", "odds", "attack blue_trooper spear", "2", "0"),
        *("2 0", "quit"),
    )
    typed = "\n".join(lines) + "\n"
    words = ("play", "bow", "duel", "--bots", "person", "--typed", "--seed", "7")
    shown = run(*words, "--replay", path, typed=typed).stdout
    assert "attack blue_trooper spear' is illegal: spear cannot touch blue_trooper" in shown
    assert "2 bricks against 3" in shown
    assert "fewer units in play" in shown
    moves = [json.loads(line)["move"] for line in path.read_text().splitlines()[1:-1]]
    assert moves == [
        *("5", "1", "unit red_trooper", "walk 7,4", "face e", "attack blue_trooper spear", "2 0")
    ]
    assert answer("replay", path)["ending"] == "over"


def test_prompts_stay_off_standard_output_for_programs():
    words = ("play", "bow", "duel", "--bots", "person,random", "--seed", "7", "--json")
    result = run(*words, typed="help\nquit\n")
    assert json.loads(result.stdout)["ending"] == "interrupted"
    assert "take back your last choice" in result.stderr


def test_a_game_that_takes_long_says_so_once(monkeypatch, tmp_path):
    """And so does a film; whoever plays at the keyboard sees the game anyway."""
    monkeypatch.setattr("brickphys.notes.NOTE_AFTER_S", 0.0)
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--max-steps", "30")
    result = run(*words, "--animate", tmp_path / "film.gif")
    first, film, *_ = result.stderr.splitlines()
    assert re.fullmatch(r"the bots play: 0 actions in 0 s", first)
    assert re.fullmatch(r"film: 1 of \d+ pictures, about \d+ s more", film)
    assert result.stderr.count("the bots play") == result.stderr.count("s more") == 1
    assert run("play", "bow", "duel", "--bots", "person,random", typed="q\n").stderr == ""


def test_ctrl_c_keeps_what_bots_have_played(tmp_path, monkeypatch):
    path = tmp_path / "cut.jsonl"
    words = ("play", "bow", "skirmish", "--bots", "greedy1", "--seed", "1", "--replay", str(path))
    choose, chosen = SearchBot.choose, []

    def pressed(*arguments):
        chosen.append(choose(*arguments))
        if len(chosen) == 5:
            raise KeyboardInterrupt
        return chosen[-1]

    monkeypatch.setattr(SearchBot, "choose", pressed)
    result = run(*words, fails=130)
    assert result.stdout.startswith("stopped after ")
    assert result.stderr == f"brickphys: interrupted; what was played so far is in {path}\n"
    assert answer("replay", path)["ending"] == "interrupted"


def test_live_rolls_say_how_and_on_what_they_are_thrown():
    words = ("play", "bow", "duel", "--bots", "random", "--seed", "3", "--max-steps", "2", "--live")
    told = answer(*words, "--preset", "cup", "--surface", "cloth")
    assert told["law"] == "bricks thrown live (2x2, cup, plane of cloth)"


@pytest.mark.slow
def test_rolls_thrown_live_play_a_game_that_can_be_repeated():
    words = ("play", "bow", "duel", "--bots", "random", "--live", "--seed", "3", "--max-steps", "4")
    first = answer(*words)
    assert first == answer(*words)
    assert "thrown live" in first["law"]


def test_a_setup_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    text = scenario_text(SCENARIOS.scenario("duel"))
    path.write_text(text)
    told = answer("play", "bow", path, "--bots", "random", "--seed", "1")
    assert told["ending"] == "over"
    path.write_text(text.replace("title", "titel", 1))
    told = run("play", "bow", path, fails=2).stderr
    assert str(path) in told
    assert "titel: unknown key" in told


COUNTING = """
import sys
from brickphys.bow.setup import BattleReader
from brickphys.cli.main import cli
read, first_state = [], BattleReader.first_state
def counted(reader, digest):
    read.append(digest)
    return first_state(reader, digest)
BattleReader.first_state = counted
cli(["play", "bow", sys.argv[1], "--seed", "1", "--bots", "random", "--max-steps", "4"], standalone_mode=False)
print(len(read), file=sys.stderr)
"""
"""Plays a game, and prints how often a setup was read."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario", [pytest.param("princess", marks=pytest.mark.slow), "./mine.toml"]
)
def test_a_setup_is_read_once_a_game(scenario, tmp_path):
    (tmp_path / "mine.toml").write_text(scenario_text(SCENARIOS.scenario("ambush")))
    words = [sys.executable, "-c", COUNTING, scenario]
    result = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert result.stderr.splitlines()[-1] == "1"


def test_a_replay_says_what_was_rolled(tmp_path):
    words = ("play", "pirate_wars", "duel", "--bots", "random", "--max-steps", "2", "--seed", "1")
    path = tmp_path / "dice.jsonl"
    run(*words, "--replay", path)
    assert json.loads(path.read_text().splitlines()[0])["law"] == "dice"
    assert "as written; rolls from: dice\n" in run("replay", path).stdout
    assert answer(*words, "--typed", typed="1\n2\n")["law"] == "dice rolled on a table"


def test_a_person_saves_and_goes_on_with_another_source_of_rolls(tmp_path):
    (tmp_path / "other.jsonl").write_text("other")
    lines = ("save", "save mine.txt", "save x/", "save .", "save mine", "save other", "save other!")
    lines = (*lines, "do walk", "save mine", "save")
    words = ("play", "bow", "duel", "--bots", "person", "--seed", "7")
    shown = run(*words, typed="\n".join([*lines, "quit", ""]), cwd=tmp_path).stdout
    assert shown.count("saved; `brickphys play --resume mine.jsonl` continues from here") == 3
    assert "saved; `brickphys play --resume other.jsonl` continues from here" in shown
    assert re.search(
        r"stopped after 1 action.*; `brickphys play --resume mine.jsonl` continues", shown
    )
    assert "save FILE: name the file, such as: save evening" in shown
    for name in ("mine.txt", "x/", "."):
        assert f"save FILE: {name!r} is not the name of a .jsonl file" in shown
    told = (
        "'other.jsonl' already exists: choose a new name, or type save other.jsonl! to replace it"
    )
    assert f"save FILE: {told}" in shown
    assert answer("replay", tmp_path / "other.jsonl")["actions"] == 1
    assert answer("replay", tmp_path / "mine.jsonl")["actions"] == 2
    typed = "undo\nundo\ndo walk\nundo\ndo walk\nsave more.jsonl\nquit\n"
    words = ("play", "bow", "mine.jsonl", "--law", "glass")
    told = run(*words, typed=typed, cwd=tmp_path)
    assert told.stdout.count("nothing to take back") == 1
    assert re.search(
        r"from the law default \(.*\); it continues with .* the law glass", told.stderr
    )
    told = answer("replay", tmp_path / "more.jsonl")
    assert (told["ending"], told["actions"], told["seed"]) == ("interrupted", 2, 7)
    assert told["players"] == ["person", "person"]
    assert re.fullmatch(r"the law default \(.*\); then the law glass \(.*\)", told["law"])


def test_a_game_is_not_saved_where_its_replay_is_written_at_the_end(tmp_path):
    words = ("play", "bow", "duel", "--bots", "person", "--seed", "7", "--replay", "kept.jsonl")
    shown = run(*words, typed="save ./kept.jsonl\nquit\n", cwd=tmp_path).stdout
    assert "save and --replay are the same file, kept.jsonl" in shown
    assert answer("replay", tmp_path / "kept.jsonl")["actions"] == 1


def test_pictures_of_the_course_are_written(replay_file, tmp_path):
    plot, film = tmp_path / "course.png", tmp_path / "course.gif"
    run("replay", replay_file, "--plot", plot, "--animate", film)
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert film.read_bytes().startswith(b"GIF8")


def test_players_with_a_plural_name_win_and_begin(tmp_path):
    text = scenario_text(SCENARIOS.scenario("duel")).replace('"red"', '"guards"')
    (tmp_path / "guards.toml").write_text(text)
    words = ("play", "bow", tmp_path / "guards.toml", "--bots", "greedy,random", "--story")
    told = "".join(run(*words, "--seed", seed).stdout for seed in range(4))
    assert "guards win" in told
    assert "guards begin " in told
    assert not re.search(r"guards (\(\w+\) )?(wins|begins)", told)


def test_options_of_the_rules_are_set_and_checked(tmp_path):
    path = tmp_path / "chase.jsonl"
    words = ("play", "bow", "chase", "--bots", "random", "--max-steps", "12", "--seed", "1")
    run(*words, "--option", "crashes=physics", "--option", "dispute=true", "--replay", path)
    header = json.loads(path.read_text().splitlines()[0])
    assert header["setup"]["options"] == {"crashes": "physics", "dispute": True}
    magic = run(*words, "--option", "crashes=magic", fails=2)
    assert "--option crashes=magic: setup: options.crashes: 'magic' should be" in magic.stderr
    assert "not NAME=VALUE" in run(*words, "--option", "crashes", fails=2).stderr


def test_a_replay_is_told_and_drawn_as_a_player_may_know_it(tmp_path):
    file, picture = tmp_path / "battle.jsonl", tmp_path / "battle.png"
    run("play", "blade_and_bow", "mycale", "--bots", "random", "--seed", 2, "--replay", file)
    told = {
        name: run("replay", file, "--story", "--viewer", name, "--plot", picture, "--force").stdout
        for name in ("greeks", "persians")
    }
    assert told["greeks"].count("ersians draw 1 card (BB 5.1)") >= 4  # the first hand
    assert "reeks draw 1 card" not in told["greeks"]
    assert told["persians"].count("reeks draw 1 card (BB 5.1)") >= 4
    assert " hidden" not in run("replay", file, "--story").stdout.partition("ok: ")[0]
    assert picture.exists()
    document = answer("replay", file, "--viewer", "persians", "--story")
    assert not any("reeks draw" in line and "1 card" not in line for line in document["story"])
    assert_refused(brickphys("replay", file, "--viewer", "perians"), "did you mean 'persians'?")


def test_a_person_is_not_shown_the_hand_of_the_other_and_a_replay_shows_how_each_sees_the_end(
    tmp_path,
):
    words = ("play", "blade_and_bow", "mycale", "--option", "free_setup=false", "--seed", 2)
    shown = run(*words, "--bots", "random,person", typed="quit\nquit\n").stdout
    run(*words, "--bots", "random", "--max-steps", 30, "--replay", "a.jsonl", cwd=tmp_path)
    replay = run("replay", "a.jsonl", cwd=tmp_path).stdout
    assert re.findall(r"as (\w+) sees? it:", replay) == ["greeks", "persians"]
    drawn = re.findall(r"^(\w+) draw (.*) \(BB 5.1\)\.$", shown, re.MULTILINE)[:8]
    assert {card for who, card in drawn if who == "Greeks"} == {"1 card"}
    own = [card.replace(" ", "_") for who, card in drawn if who == "Persians"]
    assert len(own) == 4
    assert all(card in (tmp_path / "a.jsonl").read_text() for card in own)


def test_a_roll_that_was_mistyped_is_typed_once_more(tmp_path: Path) -> None:
    """At the next question; the replay is that of a game in which the right number was typed at once."""
    line = ("play", "bow", "duel", "--bots", "random", "--typed", "--seed", 3, "--replay")
    wrong = brickphys(*line, "a.jsonl", cwd=tmp_path, typed="1\nundo\n3\n4\nundo\n2 0\nquit\n")
    right = brickphys(*line, "b.jsonl", cwd=tmp_path, typed="3\n4\n2 0\nquit\n")
    assert wrong.returncode == right.returncode == 0
    assert wrong.stdout.count("(red rolls for the start): how many") == 2
    assert "nothing to take back: the last step was neither a roll that you typed" in wrong.stdout
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_a_person_takes_back_the_roll_that_comes_before_the_choice(tmp_path: Path) -> None:
    line = ("play", "bow", "duel", "--bots", "person,random", "--typed", "--seed", 3)
    shown = brickphys(*line, cwd=tmp_path, typed="4\n1\nundo\n2\nquit\n").stdout
    assert shown.count("(blue rolls for the start): how many") == 2


def test_an_attack_is_taken_back_at_the_question_for_its_score(tmp_path: Path) -> None:
    """By its player; the file is that of a game in which it was never chosen. A bot's choice stays."""
    line = ("play", "bow", "duel", "--typed", "--seed", 3, "--bots")
    begin, attack = "6\n0\n1\nwalk 7,4\ne\n", "attack blue\n"
    wrong = f"{begin}{attack}undo\nend\nsave a\nq\n"
    shown = brickphys(*line, "person", cwd=tmp_path, typed=wrong).stdout
    assert "nothing to take back" not in shown
    assert shown.count("red: red trooper, 1 action left") == 2
    brickphys(*line, "person", cwd=tmp_path, typed=f"{begin}end\nsave b\nq\n")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    taken = brickphys(*line, "greedy,person", cwd=tmp_path, typed="6\n0\nundo\nq\nq\n").stdout
    assert "the last step was neither a roll that you typed nor your choice" in taken
