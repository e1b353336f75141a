"""Scenarios on their page: the example reads, the code runs, the pictures are there; every option is a decision."""

import re
import runpy
from dataclasses import fields
from pathlib import Path

import pytest

from brickphys.bow.documents import USUAL
from brickphys.bow.scenario import SCENARIOS, begin, parse_scenario
from brickphys.bow.setting import Options

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "scenarios.md").read_text(encoding="utf-8")
DECISIONS = (DOCS / "rules-decisions.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.M | re.S)


def test_the_example_is_a_scenario_without_fault():
    (example,) = blocks("toml")
    state = begin(parse_scenario(example, "scenarios.md"))
    assert state.setting.unit_numbers.keys() == {
        "robbers_swordsman_1",
        "robbers_swordsman_2",
        "gustav",
    }


def test_the_code_runs(capsys):
    (code,) = blocks("python")
    exec(code, {})  # the page's own words
    assert capsys.readouterr().out.startswith("The princess in the castle [")


def test_every_usual_sign_is_told():
    table = PAGE.split("## The map")[1]
    assert all(f"`{sign}`" in table for sign in USUAL if sign not in "2345678")


@pytest.mark.parametrize("name", runpy.run_path(str(DOCS / "scenario_pictures.py"))["SHOWN"])
def test_every_picture_is_there(name):
    assert f"(img/scenarios/{name}.png)" in PAGE
    assert (DOCS / "img" / "scenarios" / f"{name}.png").is_file()


def test_every_scenario_is_named():
    assert all(f"/{name}.png" in PAGE or f"`{name}`" in PAGE for name in SCENARIOS)


def test_every_option_of_rules_is_a_decision():
    assert all(f"`{option.name}`" in DECISIONS for option in fields(Options))
