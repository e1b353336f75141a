"""What holds of every game: the package offers it, its page prints what it shows and tells every word and option."""

import re
import shlex
import tomllib
from dataclasses import fields
from fractions import Fraction
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from brickphys.minifig import setting as minifig
from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars import setting as pirate_wars
from brickphys.rules.registry import GROUP, game, games
from brickphys.rules.replay import format_replay, parse_replay, play_back
from tests.command_line import brickphys
from tests.golden_games import fought

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {
    "blade_and_bow": "blade-and-bow.md",
    "campaign": "campaign.md",
    "minifig": "minifig.md",
    "pirate_wars": "pirate-wars.md",
}
"""Game -> the page with its commands."""
OPTIONS = {"minifig": minifig.Options, "pirate_wars": pirate_wars.Options}
LAW = BinomialLaw(Fraction(3, 10))
REPLAYED = {
    "blade_and_bow": "mycale",
    "bow": "duel",
    "campaign": "ten_days",
    "minifig": "siege",
    "pirate_wars": "two_against_two",
}


def page(name: str) -> str:
    return (DOCS / PAGES[name]).read_text(encoding="utf-8")


def test_all_games_are_here():
    assert set(REPLAYED) == set(games())


@pytest.mark.parametrize("name", REPLAYED)
def test_the_package_offers_it_to_the_registry(name):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    entry = EntryPoint(name, project["entry-points"][GROUP][name], GROUP)
    assert entry.load() is type(game(name))
    assert entry.name == game(name).name


@pytest.mark.parametrize("name", REPLAYED)
def test_a_replay_plays_back(name):
    one = game(name)
    record = fought(one, LAW, one.setups[REPLAYED[name]], "random", root=5)
    assert play_back(one, parse_replay(format_replay(one, record, "3/10"))) == record


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_its_page_print_what_it_shows(name, tmp_path):
    """In order, in one folder with the files of the page; a file that an example writes is that of the page."""
    files = dict(re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", page(name), re.DOTALL))
    examples = re.findall(r"```console\n\$ brickphys ([^\n]*)\n(.*?)```", page(name), re.DOTALL)
    assert examples
    for file, text in files.items():
        if not any(f"--save-roster {file}" in command for command, _ in examples):
            (tmp_path / file).write_text(text, encoding="utf-8")
    for command, shown in examples:
        assert brickphys(*shlex.split(command), cwd=tmp_path).stdout == shown, command
    for file, text in files.items():
        assert (tmp_path / file).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", sorted(PAGES.keys() - {"blade_and_bow"}))
def test_its_page_tells_every_action(name):
    told = page(name)
    assert [each.word for each in game(name).action_types if f"`{each.word}" not in told] == []


@pytest.mark.parametrize("name", OPTIONS)
def test_its_page_and_the_decisions_tell_every_option(name):
    decisions = (DOCS / "rules-decisions.md").read_text(encoding="utf-8")
    for option in fields(OPTIONS[name]):
        assert f"`{option.name}=" in page(name)
        assert f"`{option.name}`" in decisions
