"""Games and bots of somebody else, as ``module:Class``."""

import re
import sys
from pathlib import Path

import pytest

from brickphys.battles.battle import play as brickphys_play
from brickphys.battles.battle import replay as brickphys_replay
from brickphys.errors import BrokenGameError, InvalidValueError
from brickphys.rules import registry as own_class
from brickphys.rules.players.bots import bot, bot_package, bots
from brickphys.rules.registry import game, is_own_class, made
from tests.command_line import assert_refused, brickphys

BOT = '''
class Bold:
    """Takes the last of the listed actions."""

    def __init__(self, game, law):
        self.game, self.law = game, law

    def choose(self, view, actions, rng):
        return actions[-1]


class Shy(Bold):
    """Takes the first."""

    def choose(self, view, actions, rng):
        return actions[0]


class Mute:
    def __init__(self, game, law):
        pass


class Broken:
    def __init__(self, game):
        raise AssertionError("never")


class Late:
    def __init__(self, game, law):
        self.share = 1 / 0


class Failing:
    def __init__(self, game, law):
        self.sheets = {}

    def choose(self, view, actions, rng):
        return rng.choice(self.best(actions))

    def best(self, actions):
        return self.sheets["bow"]


class Left(Failing):
    def best(self, actions):
        raise SystemExit(0)


class Careless(Failing):
    def choose(self, view, actions, rng):
        return rng.integers(-1)
'''
SOURCES = Path(__file__).parents[1] / "batch" / "pebbles_game.py"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with modules of somebody, in which a program is started."""
    (tmp_path / "boldbots.py").write_text(BOT)
    (tmp_path / "ownpebbles.py").write_text(SOURCES.read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    own_class._note.cache_clear()  # as in a new process
    own_class._OWNERS.clear()
    yield tmp_path
    for name in ("boldbots", "ownpebbles"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a:B", True),
        ("a.b_2:C_3", True),
        ("a", False),
        ("a:", False),
        (":B", False),
        ("a:B.c", False),
        ("a:B()", False),
        ("../a:B", False),
        ("a:B ", False),
        ("a b:C", False),
        ("1a:B", False),
    ],
)
def test_a_class_of_ones_own_is_a_module_and_a_class(name, is_one):
    assert is_own_class(name) == is_one


def test_a_bot_of_a_module_plays_and_its_replay_goes_on(folder):
    line = ("play", "bow", "duel", "--bots", "boldbots:Bold,random", "--seed", 3, "--json")
    result = brickphys(*line, "--max-steps", 5, "--replay", "part.jsonl", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert '"players": ["boldbots:Bold", "random"]' in result.stdout
    assert "runs the code of the module boldbots" in result.stderr
    refused = brickphys("play", "bow", "part.jsonl", cwd=folder)
    assert_refused(refused, "was played by boldbots:Bold: name the players who continue it")
    players = ("--bots", "boldbots:Bold,random")
    on = brickphys("play", "bow", "part.jsonl", *players, "--json", cwd=folder)
    whole = brickphys(*line, cwd=folder)
    assert (
        on.stdout.split('"law"')[0].replace("part.jsonl", "duel") == whole.stdout.split('"law"')[0]
    )


def test_a_note_says_once_for_each_module_that_its_code_runs(folder, monkeypatch):
    players = ("--bots", "boldbots:Bold,boldbots:Shy", "--seed", 3, "--max-steps", 5)
    result = brickphys("play", "bow", "duel", *players, cwd=folder)
    assert result.stderr.count("runs the code") == 1
    own_class._note.cache_clear()
    monkeypatch.setattr(own_class, "parent_process", lambda: object())  # in a worker process
    assert "runs the code" not in brickphys("play", "bow", "duel", *players, cwd=folder).stderr


def test_a_game_of_a_module_is_played_and_no_replay_imports_it(folder):
    line = ("play", "ownpebbles:PebblesGame", "ten", "--bots", "random", "--seed", 3)
    assert brickphys(*line, "--replay", "own.jsonl", cwd=folder).returncode == 0
    sys.modules.pop("ownpebbles")
    for command in (("replay",), ("verify",), ("play", "--resume")):
        result = brickphys(*command, "own.jsonl", cwd=folder)
        assert result.returncode == 2
        assert "a file cannot run code" in result.stdout + result.stderr
        assert "ownpebbles" not in sys.modules


def test_a_game_of_a_module_is_played_back_if_it_is_named(folder):
    own = "ownpebbles:PebblesGame"
    played = brickphys("play", own, "ten", "--seed", 3, "--replay", "own.jsonl", cwd=folder)
    back = brickphys("replay", "own.jsonl", "--game", own, cwd=folder)
    assert back.returncode == 0, back.stderr
    assert played.stdout.strip() in back.stdout
    assert brickphys_replay(folder / "own.jsonl", game=own).winner is not None
    for other in ("bow", "boldbots:Bold"):
        assert brickphys("replay", "own.jsonl", "--game", other, cwd=folder).returncode == 2
    refused = brickphys("replay", "own.jsonl", "--game", "bow", cwd=folder)
    assert_refused(refused, f"own.jsonl: line 1: a replay of {own!r}, not of 'bow'")


@pytest.mark.slow
def test_a_study_takes_bots_and_games_of_modules_and_names_their_sources(folder):
    (folder / "study.toml").write_text(
        'kind = "battle"\nseed = 1\nrepeats = 3\n[fixed]\ngame = "ownpebbles:PebblesGame"\nscenario = "ten"\n'
        '[grid]\nbots = [["boldbots:Bold", "random"], ["random", "random"]]\n'
    )
    result = brickphys("batch", "run", "study.toml", "--out", "results", "--trust", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "6 games done" in result.stdout
    assert result.stderr.count("runs the code") == 2  # of the bot and of the game
    manifest = (folder / "results" / "manifest.json").read_text()
    assert '"boldbots"' in manifest
    assert '"ownpebbles"' in manifest


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere:Bold", "there is no module nowhere: put it in the folder where you"),
        (
            "boldbots:Late",
            "cannot be loaded: ZeroDivisionError: division by zero (boldbots.py, line 31)",
        ),
        ("boldbots:Nobody", "bot 'boldbots:Nobody' cannot be loaded: AttributeError"),
        ("boldbots:Mute", "it has no method choose"),
        ("boldbots:Broken", "cannot be loaded: TypeError"),
        ("smart", "unknown player 'smart'"),
        ("os:../x", "unknown player"),
    ],
)
def test_a_bot_that_cannot_play_is_told_in_a_line(folder, name, says):
    result = brickphys("play", "bow", "duel", "--bots", name, cwd=folder)
    notes = [line for line in result.stderr.splitlines() if "runs the code" not in line]
    assert (result.returncode, result.stdout, len(notes)) == (2, "", 1)
    assert says in notes[0]


@pytest.mark.parametrize(
    ("name", "says"),
    [("Failing", "KeyError: 'bow'"), ("Left", "SystemExit: 0"), ("Careless", "ValueError: ")],
)
def test_a_bot_that_raises_is_told_in_a_line_with_its_place(folder, name, says):
    result = brickphys("play", "bow", "duel", "--bots", f"boldbots:{name},random", cwd=folder)
    line = [line for line in result.stderr.splitlines() if "runs the code" not in line]
    assert (result.returncode, result.stdout, len(line)) == (1, "", 1)
    assert f"bot 'boldbots:{name}': {says}" in line[0]
    lines = (folder / "boldbots.py").read_text().splitlines()
    number = int(re.search(r"\(boldbots\.py, line (\d+)\)$", line[0])[1])
    wanted = {"Failing": 'self.sheets["bow"]', "Left": "SystemExit(0)", "Careless": "integers(-1)"}
    assert wanted[name] in lines[number - 1]


def test_a_bot_that_raises_in_a_study_is_told_in_a_line(folder):
    (folder / "study.toml").write_text(
        'kind = "battle"\nseed = 1\nrepeats = 3\n[fixed]\ngame = "bow"\nscenario = "duel"\n'
        'bots = "boldbots:Failing"\n'
    )
    result = brickphys("batch", "run", "study.toml", "--dry-run", "--trust", cwd=folder)
    assert (result.returncode, result.stdout) == (1, "")
    assert "bot 'boldbots:Failing': KeyError: 'bow' (boldbots.py, line " in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_no_game_is_refused(folder):
    with pytest.raises(InvalidValueError, match="this class is not a game"):
        game("collections:OrderedDict")
    assert_refused(brickphys("play", "boldbots", "duel", cwd=folder), "unknown game 'boldbots'")


def test_bots_that_every_game_has_need_no_module():
    assert {"random", "greedy", "hard", "lookahead", "greedy1"} <= {*bots()}
    assert bot_package("greedy") is None
    assert bot("random", game("bow"), None).name == "random"


def test_short_memory_is_no_fault_of_the_class():
    class Entry:
        name = value = "x"

        def load(self):
            raise MemoryError

    with pytest.raises(MemoryError):
        made(Entry(), "bot")


BROKEN = """
from ownpebbles import PebblesGame


class Crashing(PebblesGame):
    def returns(self, state):
        return self.worth["won"]

    worth = {}


class Crooked(PebblesGame):
    def apply(self, state, move):
        return None


class Unready(PebblesGame):
    def players(self, state):
        return 1 // 0
"""


@pytest.fixture
def broken(folder):
    (folder / "brokengames.py").write_text(BROKEN)
    yield folder
    sys.modules.pop("brokengames", None)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Crashing", r"game 'brokengames:Crashing': KeyError: 'won' \(brokengames\.py, line 7\)"),
        ("Crooked", r"game 'brokengames:Crooked': AttributeError: .* \(ownpebbles\.py, line \d+\)"),
        ("Unready", r"game 'brokengames:Unready': ZeroDivisionError: .*brokengames\.py, line 19\)"),
    ],
)
def test_a_game_that_raises_is_one_line_with_its_place(broken, name, says):
    line = ("play", f"brokengames:{name}", "ten", "--bots", "random", "--seed", 1)
    result = brickphys(*line, cwd=broken)
    assert (result.returncode, result.stdout) == (1, "")
    *_, told = result.stderr.splitlines()
    assert re.match(f"brickphys: {says}", told), told
    assert told.endswith("the whole traceback: brickphys --traceback COMMAND ...")
    assert "Traceback" not in result.stderr
    whole = brickphys("--traceback", *line, cwd=broken)
    assert whole.returncode == 1
    assert "Traceback (most recent call last)" in whole.stderr
    assert whole.stderr.splitlines()[-1] == told
    with pytest.raises(BrokenGameError, match=says):
        brickphys_play(f"brokengames:{name}", "ten", "random", seed=1)


def test_a_game_that_gives_nonsense_is_named_where_our_code_fails(broken):
    (broken / "brokengames.py").write_text(
        "from ownpebbles import PebblesGame\n\n\n"
        "class Odd(PebblesGame):\n"
        "    def format_view(self, view):\n        return 3\n"
        "    def format_state(self, state):\n        return 3\n"
    )
    line = ("play", "brokengames:Odd", "ten", "--bots", "random", "--seed", 1)
    result = brickphys(*line, "--replay", "odd.jsonl", cwd=broken)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    told = result.stderr.splitlines()[-1]
    assert told.startswith("brickphys: game 'brokengames:Odd': AttributeError: 'int' object has no")
    assert "(files.py, line " in told
    assert "check_game tells what the game does wrong" in told


def test_the_option_that_prints_a_traceback_stands_before_the_command():
    assert_refused(brickphys("odds", 3, 2, "--traceback"), "stands before the command")
    shown = brickphys("--traceback", "odds", 3, 200)
    assert shown.returncode == 2
    assert "Traceback" in shown.stderr
    assert shown.stderr.splitlines()[-1].startswith("brickphys: ")
