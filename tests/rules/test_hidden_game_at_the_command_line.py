"""A game with hidden hands at the command line: played by a person, told in full afterwards, and replayed."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from brickphys.cli.main import cli
from tests.installed_game import installed_game


@pytest.fixture(autouse=True, scope="module")
def blade_is_installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    with installed_game(folder, "blade", "blade_game:Blade", Path(__file__).parent):
        yield


def call(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(cli, words, input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_person_is_not_shown_the_hand_of_the_other():
    shown = call("play", "blade", "line", "--bots", "person,random", "--seed", "1", typed="quit\n")
    told = call("play", "blade", "line", "--bots", "random", "--seed", "1", "--story")
    mine = re.findall(r"\(deal, player 0\): (\w\w)", told)
    others = re.findall(r"\(deal, player 1\): (\w\w)", told)
    assert (len(mine), len(others)) == (2, 2)
    news = shown[: shown.index("Blades(")]
    assert all(card in news for card in mine)
    assert not any(card in news for card in others)
    assert news.count("(hidden)") == 3


def test_a_replay_shows_how_each_player_sees_the_end(tmp_path):
    file = tmp_path / "blade.jsonl"
    call("play", "blade", "line", "--bots", "greedy", "--seed", "3", "--replay", str(file))
    shown = call("replay", str(file))
    assert re.findall(r"as (player \d) sees it:", shown) == ["player 0", "player 1"]
