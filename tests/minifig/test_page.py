"""The page of the game: its round can be played, every kind and arm is there."""

import re
from pathlib import Path

from brickphys.minifig.game import Minifig
from brickphys.minifig.sheets import charts
from brickphys.rules.game import advance, move_problems, parse_move

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "minifig.md").read_text(encoding="utf-8")
GAME = Minifig()


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


def test_every_kind_and_arm_is_told():
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
