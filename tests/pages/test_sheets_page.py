"""The page about sheets shows what ships, and its examples work."""

import re
import runpy
from pathlib import Path

import pytest

from brickphys.bow.sheets.catalogue import catalogue, parse_library
from brickphys.bow.sheets.library import OPPOSED_ONLY, EffectKind
from brickphys.bow.sheets.plate import LETTERS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "sheets.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.M | re.S)


@pytest.mark.parametrize("name", ["units", "vehicles", "gear"])
def test_the_tables_are_those_that_the_command_writes(name):
    assert runpy.run_path(str(DOCS / "sheet_tables.py"))["tables"]()[name] in PAGE


def test_the_examples_are_one_file_without_fault():
    library = parse_library("\n".join(blocks("toml")), "sheets.md", catalogue())
    assert list(library.units) == ["veteran", "tamer"]
    assert list(library.vehicles) == ["war_cart"]
    assert list(library.armies) == ["reds"]
    assert {"scare", "duck"} <= set(library.actions)


@pytest.mark.parametrize("block", blocks("toml"))
def test_each_example_is_also_a_file_of_its_own(block):
    assert parse_library(block, "sheets.md", catalogue())


def test_the_letters_of_all_colours_are_told():
    text = " ".join(PAGE.split("## Writing")[0].split())
    told = dict(re.findall(r"\b([A-Z]) ((?:dark |light |sand )?[a-z]+)", text))
    known = {letter: colour.replace("_", " ") for colour, letter in LETTERS.items()}
    assert known | {"L": "light grey"} == {letter: told.get(letter) for letter in known}


def test_the_example_of_use_runs(capsys):
    (example,) = blocks("python")
    exec(example, {})  # the page's own words
    assert capsys.readouterr().out == "3 13 44\n"


def test_every_effect_is_told():
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", PAGE, flags=re.M))
    assert rows == {kind.value: "no" if kind in OPPOSED_ONLY else "yes" for kind in EffectKind}
