"""The example of docs/games.md is a whole game: scenario file, sheets, secrets, story, pictures and study."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from brickphys.cli.main import cli
from brickphys.errors import ScenarioFileError
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.registry import game
from tests.installed_game import installed_game

FOLDER = Path(__file__).parents[2] / "docs" / "regatta"
SECRET = 6
"""How a card is written that a player may not see."""


@pytest.fixture(autouse=True, scope="module")
def regatta_is_installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    with installed_game(folder, "regatta", "regatta.game:Regatta", FOLDER):
        yield


def call(*words: str) -> str:
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_it_has_less_than_250_lines_of_python():
    files = (FOLDER / "regatta").glob("*.py")
    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    assert 0 < len(lines) < 250


def test_it_keeps_the_contract():
    assert check_game(game("regatta"), games=5) == []


def test_what_a_player_has_chosen_is_hidden_until_all_have():
    regatta = game("regatta")
    state = regatta.initial(regatta.setups["harbour"])
    after = regatta.apply(state, regatta.parse_action("card 4"))
    assert regatta.observe(after, 0).chosen == (4,)
    assert regatta.observe(after, 1).chosen == (SECRET,)
    both = regatta.apply(after, regatta.parse_action("card 1"))
    assert regatta.observe(both, 0).chosen == (4, 1)


def test_a_fault_is_told_with_its_place_in_the_file(tmp_path):
    text = (FOLDER / "regatta/scenarios/harbour.toml").read_text()
    file = tmp_path / "wrong.toml"
    file.write_text(text.replace('boat = "barge", id', 'boat = "barge", name'))
    with pytest.raises(ScenarioFileError, match=r"legend\.b\.name: unknown key"):
        game("regatta").read_setup(file)


def test_its_sheets_are_shown():
    assert "light and lively" in call("sheet", "regatta", "cutter")
    assert json.loads(call("sheet", "regatta", "barge", "--json"))["sheets"][0]["bricks"] == 2


def test_it_is_played_told_and_drawn(tmp_path):
    plot, film = tmp_path / "race.png", tmp_path / "race.gif"
    words = ["play", "regatta", "harbour", "--bots", "greedy,random", "--seed", "1", "--story"]
    told = call(*words, "--plot", str(plot), "--animate", str(film))
    assert "Round 1" in told
    assert "wins after" in told
    with Image.open(plot) as picture, Image.open(film) as frames:
        assert picture.size[0] > 300
        assert frames.n_frames > 3


@pytest.mark.slow
def test_a_study_counts_who_wins(tmp_path):
    folder = tmp_path / "results"
    call("batch", "run", str(FOLDER / "study.toml"), "--out", str(folder), "--workers", "1")
    rows = json.loads(call("batch", "report", str(folder), "--json"))["rows"]
    assert [row["bots"] for row in rows] == ["random", ["greedy", "random"], ["random", "greedy"]]
    assert all(row["games"] == 50 for row in rows)
    assert rows[1]["p_win_0"] > rows[2]["p_win_0"]
