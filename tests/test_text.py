"""Plurals, lists, columns, and suggestions made where somebody slipped; pages without long lines."""

import re
from pathlib import Path

import pytest

from brickphys import text
from brickphys.errors import unknown

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = ("wood", "glass", "cloth", "plastic", "hand", "cup", "2x8", "sheet", "poses", "plane")


@pytest.mark.parametrize(
    ("given", "meant"),
    [("wod", "wood"), ("wodo", "wood"), ("Plastik", "plastic"), ("hnd", "hand"), ("2x9", "2x8")],
)
def test_a_slip_is_understood(given, meant):
    assert text.nearest(given, NAMES) == meant
    assert str(unknown("name", given, NAMES)).endswith(f"did you mean {meant!r}?")


@pytest.mark.parametrize("given", ["sphere", "foo", "toss", "lawn", "cube", "carpet", "shake"])
def test_another_word_is_not_bent_into_a_known_one(given):
    assert text.nearest(given, NAMES) is None
    assert str(unknown("name", given, NAMES)).endswith(f"known: {', '.join(NAMES)}")


@pytest.mark.parametrize(
    ("subject", "told"),
    [("red", "red wins"), ("guards", "guards win"), ("marcus", "marcus wins"), ("abyss", "abyss wins"),
     ("guards (Anna)", "guards (Anna) win"), ("red (Jones)", "red (Jones) wins"),
     ("red (fair) and blue (fair)", "red (fair) and blue (fair) win")],
)  # fmt: skip
def test_a_verb_agrees_with_its_subject(subject, told):
    assert text.agreed(subject, "win") == told


def test_a_name_that_two_players_have_keeps_the_player():
    names = ("red_trooper", "blue_trooper", "red_heavy_scout", "tree")
    told = ("red trooper", "blue trooper", "heavy scout", "tree")
    assert tuple(text.short_names(names, ("red", "blue")).values()) == told


def test_a_verb_agrees_with_what_follows_it():
    assert text.agreed("Spartans", "have no way back") == "Spartans have no way back"
    assert text.agreed("Hoplite 1", "have no way back") == "Hoplite 1 has no way back"
    assert text.agreed("Hoplite 1", "are disrupted") == "Hoplite 1 is disrupted"


@pytest.mark.parametrize(
    ("number", "many", "told"),
    [(0, None, "0 dies"), (1, None, "1 die"), (1, "dice", "1 die"), (12000, "dice", "12,000 dice")],
)
def test_a_noun_follows_its_number(number, many, told):
    assert text.counted(number, "die", many) == told


def test_of_many_faults_the_first_five_are_listed():
    faults = [f"fault {number}" for number in range(11)]
    assert text.listed(faults[:10]) == "; ".join(faults[:10])
    assert text.listed(faults) == "fault 0; fault 1; fault 2; fault 3; fault 4; and 6 more"


def test_columns_are_as_wide_as_their_longest_cells():
    rows = [("unit", "", "at"), ("a", "knight"), ("", "", "3,4")]
    assert list(text.columns(rows, "> ")) == [
        "> unit          at",
        "> a     knight",
        ">               3,4",
    ]
    assert list(text.columns([])) == []


def test_an_identifier_is_read_as_words():
    assert text.spoken("red_knight_1+horse") == "red knight 1 and horse"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_line_of_a_page_is_longer_than_120_characters(page):
    prose = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    lines = re.sub(r"\]\([^)\s]*\)", "]", prose).splitlines()
    assert [line for line in lines if len(line) > 120] == []


def test_no_line_of_the_readme_is_longer_than_120_characters_with_its_links_and_examples():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120] == []


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "1 s"),
        (90.0, "90 s"),
        (113.0, "110 s"),
        (140.0, "2.5 minutes"),
        (780.0, "13 minutes"),
        (117 * 60.0, "2 hours"),
        (160_000.0, "44 hours"),
        (365 * 86_400.0, "360 days"),
    ],
)
def test_durations_are_told_in_the_largest_unit_of_which_there_are_about_two_to_digits_that_are_known(
    seconds, words
):
    assert text.rough_duration(seconds) == words
