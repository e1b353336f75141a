"""The page on games is true: its code runs."""

import re
from fractions import Fraction
from pathlib import Path

from brickphys.rules.record import Step

PAGE = Path(__file__).parents[2] / "docs" / "games.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_code_of_the_page_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = {"__name__": "page"}
    for block in BLOCKS:
        exec(compile(block, str(PAGE), "exec"), page)
    assert (tmp_path / "race.jsonl").exists()
    assert "bold" in capsys.readouterr().out
    assert page["RaceWithOdds"]().odds_tables()["six"](2).chances == {"a six": Fraction(11, 36)}
    assert len(BLOCKS) == 7
    race, before = page["Race"](), page["RaceState"]((0, 0), 0, 3)
    step = Step(race.actor(before), 0, "0", race.apply(before, 0))
    assert race.tell(before, step) == "3 bricks (player 0): 0 on a side"


def test_what_the_page_names_exists():
    source = "".join(
        path.read_text() for path in (PAGE.parent.parent / "brickphys" / "rules").glob("*.py")
    )
    for name in (
        "alternative",
        "imagine",
        "settled",
        "conserved",
        "shrinking",
        "lists_all_actions",
    ):
        assert f"`{name}" in PAGE.read_text()
        assert name in source
    assert (PAGE.parent / "../brickphys/rules/game.py").exists()
