"""A file alone never runs code: every command reads the files of a hostile folder, which name a module beside them."""

import os
import shlex
import shutil
import sys
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

import brickphys as public
from brickphys.batch.store import open_store
from brickphys.errors import InvalidValueError
from brickphys.rules import registry
from brickphys.rules.registry import trusting
from brickphys.view.app.start_page import PageEntry
from tests.batch.batches import run_here
from tests.command_line import assert_refused, brickphys, commands

HONEST = (
    (Path(__file__).parents[1] / "batch" / "pebbles_game.py").read_text()
    + """

class G(PebblesGame):
    pass


class B:
    def __init__(self, game, law):
        pass

    def choose(self, view, actions, rng):
        return actions[0]
"""
)
TRAP = "open('PWNED', 'w').close()\nG = B = print\n"
STUDY = (
    'kind = "battle"\nseed = 1\nrepeats = 2\n[fixed]\ngame = "{}"\nscenario = "{}"\nbots = "{}"\n'
)
LINES: dict[str, tuple[str, ...]] = {
    "army": ("bow {}",),
    "batch pairs": ("{} --column winner",),
    "batch rank": ("{}",),
    "batch replay": ("{} --run 0 --out again.jsonl",),
    "batch report": ("{} --json", "{} --sql 'select count(*) from rows'"),
    "batch run": (
        "{} --out new",
        "{} --dry-run",
        "{} --out game --dry-run",
        "{} --out x --dask local",
    ),
    "batch status": ("{}",),
    "batch studies": ("",),
    "batch worth": ("{}",),
    "calibrate": ("{} --half-width 0.2", "--surface {} --half-width 0.2"),
    "campaign day": ("{} --bot random",),
    "campaign log": ("{}",),
    "campaign map": ("{}",),
    "campaign new": ("new.jsonl --party {}",),
    "collide": ("{}",),
    "completion": ("bash",),
    "drop": ("{} --throws 1", "2x2 --surface {} --throws 1"),
    "games": ("",),
    "infer": ("{}", "--law {} 3"),
    "ladder": (
        "bow {} --bots random,greedy --games 2",
        "bow duel --bots random,greedy --games 2 --law {}",
        "bow duel --bots random,greedy --games 2 --out {}",
    ),
    "laws": ("{}",),
    "measure brick": (),
    "measure count": ("{} --width-mm 328 --camera-mm 696",),
    "measure drop": (),
    "measure film": ("{} --fps 30",),
    "measure law": ("{}",),
    "measure tilt": (),
    "odds": ("3 2 --law {}",),
    "play": ("bow {}", "--resume {}", "bow duel --law {} --bots random --max-steps 1"),
    "poses": ("{}",),
    "predict": ("{} --throws 1", "2x2 --surface {} --throws 1"),
    "replay": ("{}",),
    "roll": ("3 --law {}", "3 --live --surface {}"),
    "scenario": ("bow {}",),
    "sensitivity": ("{} --throws 1", "2x2 --surface {} --throws 1"),
    "sheet": ("bow {}",),
    "shoot": ("bow 10 --law {}",),
    "validate coin": (),
    "validate collisions": ("{}",),
    "validate counts": ("{}",),
    "validate engines": (),
    "validate prisms": (),
    "validate radius": ("{}",),
    "validate throws": ("{}",),
    "verify": ("{}", "."),
    "view": ("{} --no-browser",),
}
"""What each command is asked, with each file in the place of {}; nothing if it reads no file of somebody else."""


class Watch:
    """A finder of modules that notes who looks for the module of the folder."""

    def __init__(self) -> None:
        self.wanted: list[str] = []

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name.partition(".")[0] == "evil":
            self.wanted.append(name)
        return None


@pytest.fixture(scope="module")
def received(tmp_path_factory):
    """A folder as somebody sends it: studies, their rows, replays and others, and a module that they name."""
    folder = tmp_path_factory.mktemp("received")
    (folder / "evil.py").write_text(HONEST)
    studies = {"game": ("evil:G", "ten", "random"), "bots": ("bow", "duel", "evil:B")}
    abort = STUDY.format("os:abort", "ten", "random")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder))
        for name, words in studies.items():
            (folder / f"{name}.toml").write_text(STUDY.format(*words))
            with trusting():
                run_here(folder / name, tomllib.loads((folder / f"{name}.toml").read_text()))
                game, scenario, bots = words
                public.play(game, scenario, bots, seed=1, max_steps=3).save(
                    folder / f"{name}.jsonl"
                )
    sys.modules.pop("evil")
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    (folder / "evil.py").write_text(TRAP)
    (folder / "abort.toml").write_text(abort)
    return folder


@pytest.fixture
def watch(received, monkeypatch):
    """What sees an import of the module, in a program that was started in the folder."""
    found = Watch()
    monkeypatch.chdir(received)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setattr(sys, "meta_path", [found, *sys.meta_path])
    monkeypatch.setattr(os, "abort", lambda: found.wanted.append("os:abort"))
    monkeypatch.setattr("brickphys.view.app.server.serve", looked_at)
    registry._note.cache_clear()
    before = content(received)
    yield found
    assert found.wanted == []
    assert "evil" not in sys.modules
    assert content(received) == before


def looked_at(opened: PageEntry, *_: object, **_more: object) -> None:
    """Do what a server does with the file that it is given, before anybody comes."""
    if opened.read and opened.first:
        opened.read()
        opened.first()


def content(folder: Path) -> dict[str, bytes]:
    """Return what is in the files of a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


FILES = ("game.toml", "bots.toml", "abort.toml", "game.jsonl", "bots.jsonl", "game", "bots")


def test_every_command_is_in_the_table():
    assert sorted(LINES) == sorted(commands())


@pytest.mark.parametrize("command", [name for name, lines in LINES.items() if lines])
def test_a_command_runs_nothing_that_a_file_names(command, watch):
    for line in LINES[command]:
        for file in FILES if "{}" in line else ("",):
            result = brickphys(*command.split(), *shlex.split(line.format(file)))
            assert "runs the code" not in result.stderr
            assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("batch run game.toml --out new", "game.toml: game 'evil:G': a file cannot run code"),
        ("batch run bots.toml --dry-run", "bot 'evil:B': a file cannot run code"),
        ("batch run abort.toml --out new", "if you trust the module, add --trust"),
        ("batch replay game --run 0 --out a.jsonl", "if you trust the module, add --trust"),
        ("batch replay bots --run 0 --out a.jsonl", "if you trust the module, add --trust"),
        ("replay game.jsonl", "brickphys replay FILE --game evil:G"),
        ("play bow bots.jsonl", "name the players who continue it with --bots"),
        ("view game.jsonl", "a file cannot run code"),
    ],
)
def test_what_needs_the_code_is_refused_with_the_option_that_allows_it(line, says, watch):
    assert_refused(brickphys(*line.split()), says)


def test_rows_of_a_study_are_read_without_its_game(received, watch):
    for command in ("batch status game", "batch report game --json", "verify game bots"):
        result = brickphys(*command.split())
        assert result.returncode == 0, result.stderr
    assert "player 0 wins" in brickphys("batch", "status", "game").stdout
    assert open_store("game").spec.sides == ("player 0", "player 1")


def test_python_reads_no_study_that_names_code_unless_it_is_told_to(watch, tmp_path):
    for name in ("game.toml", "bots.toml"):
        with pytest.raises(InvalidValueError, match=r"a file cannot run code.*trust=True"):
            public.study(name, tmp_path / "new", progress=False)


def test_an_option_lets_a_study_run_and_be_played_again(received, tmp_path, monkeypatch):
    (tmp_path / "evil.py").write_text(HONEST)
    shutil.copy(received / "game.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    line = "batch run game.toml --out out --workers 1 --trust --json"
    done = brickphys(*line.split())
    assert done.returncode == 0, done.stderr
    line = "batch replay out --run 1 --out game.jsonl --trust"
    assert brickphys(*line.split()).returncode == 0
    checked = brickphys("verify", "game.jsonl", "game.toml", "--trust")
    assert checked.returncode == 0, checked.stdout
    sys.modules.pop("evil")
