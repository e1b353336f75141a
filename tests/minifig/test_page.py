"""The page of the game: its commands print what it shows, its round can be played, every action and option is there."""

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from brickphys.minifig.game import Minifig
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.setting import Options
from brickphys.rules.moves import advance, move_problems, parse_move
from tests.command_line import brickphys
from tests.installed_game import installed_game

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "minifig.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ brickphys ([^\n]*)\n(.*?)```", PAGE, re.DOTALL)
ROSTER = "veterans.toml"
(VETERANS,) = re.findall(rf"```toml\n# {ROSTER}\n(.*?)```", PAGE, re.DOTALL)
GAME = Minifig()


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory):
    where = "brickphys.minifig.game:Minifig"
    with installed_game(tmp_path_factory.mktemp("installed"), "minifig", where, ROOT):
        yield


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_prints_what_the_page_shows(command, shown, tmp_path):
    if f"--roster {ROSTER}" in command:
        (tmp_path / ROSTER).write_text(VETERANS, encoding="utf-8")
    assert brickphys(*shlex.split(command), cwd=tmp_path).stdout == shown


def test_the_roster_of_the_page_is_that_of_its_battle(tmp_path):
    (command,) = (command for command, _ in EXAMPLES if "--save-roster" in command)
    brickphys(*shlex.split(command), cwd=tmp_path)
    assert (tmp_path / ROSTER).read_text(encoding="utf-8") == VETERANS


def test_the_round_of_the_page_can_be_played(tmp_path):
    (scenario,) = re.findall(r"```toml\n# bridge.toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "bridge.toml").write_text(scenario, encoding="utf-8")
    state = GAME.initial(GAME.read_setup(tmp_path / "bridge.toml"))
    table = PAGE.split("## One round, typed")[1].split("| typed |")[1].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        for text in re.findall(r"`([^`]+)`", row.split("|")[1]):
            move = parse_move(GAME, state, text)
            assert not move_problems(GAME, state, move), text
            state = advance(GAME, state, move)
    assert state.round == 2
    numbers, names = state.setting.figure_numbers, [item.name for item in state.setting.items]
    assert not state.figures[numbers["much"]].is_alive
    assert {names[item] for item in state.held[numbers["will"]]} == {"will_spear", "much_axe"}
    assert "Will now holds an axe and a spear." in PAGE


def test_every_action_option_kind_and_arm_is_told():
    assert [each.word for each in GAME.action_types if f"`{each.word}" not in PAGE] == []
    decisions = (ROOT / "docs" / "rules-decisions.md").read_text(encoding="utf-8")
    for option in fields(Options):
        assert f"`{option.name}=" in PAGE
        assert f"`{option.name}`" in decisions
    for kind in (*charts().kinds, *charts().things):
        assert f"`{kind}`" in PAGE


def test_the_bricks_of_the_page_are_those_of_the_chart():
    section = PAGE.split("| attack | bricks |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in section.splitlines()[2:]]
    told = {row[0].lower().split(" ")[0]: row[1] for row in rows}
    told |= {f"defence {row[2].lower().split(' ')[0]}": row[3] for row in rows if row[2]}
    chart = charts()
    for row in ("attack", "weapon", "soldier", "downward", "rear"):
        assert int(told[row]) == chart.attack[row]
    assert int(told["over"]) == chart.attack["wall"]
    for row in ("shield", "helmet", "mounted", "higher"):
        assert int(told[f"defence {row}"]) == chart.defence[row]
    assert int(told["defence behind"]) == chart.defence["wall"]
    assert told["defence armour"] == f"{chart.defence['armour']}, plate 2"
