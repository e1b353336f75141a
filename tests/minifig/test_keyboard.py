"""A battle at the keyboard: odds, taking back, saving, going on and winning; bad input is told in a line."""

import re
from pathlib import Path

import pytest

from tests.cases import few
from tests.command_line import brickphys
from tests.installed_game import installed_game

ROOT = Path(__file__).parents[2]
AMBUSH = """
title = "Ambush"
table = { width = 24, length = 24 }
players = [{ name = "red" }, { name = "blue" }]
figure = [
  { name = "tom", player = "red", x = 10, y = 10, arms = ["sword", "helmet"] },
  { name = "ann", player = "red", x = 10, y = 14, arms = ["bow"] },
  { name = "bob", player = "blue", kind = "peasant", x = 14, y = 10, facing_deg = 180, arms = ["shield"] },
  { name = "rex", player = "blue", kind = "dog", x = 20, y = 20 },
]
thing = [{ name = "cart", kind = "wagon", x = 4, y = 20 }, { name = "bay", kind = "horse", x = 20, y = 4 }]
wall = [{ name = "fence", x = 16, y = 16, length = 4, courses = 3 }]
zone = [{ kind = "water", corners = [[2, 2], [6, 2], [6, 6], [2, 6]] }]
"""


@pytest.fixture(autouse=True)
def _ambush(tmp_path, monkeypatch):
    (tmp_path / "ambush.toml").write_text(AMBUSH, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "info").mkdir()
    with installed_game(tmp_path / "info", "minifig", "brickphys.minifig.game:Minifig", ROOT):
        yield


def typed(*lines: str, source: str = "ambush.toml") -> str:
    """What is shown to two persons at one keyboard who roll on a table."""
    words = ("play", "minifig", source, "--bots", "person", "--typed", "--seed", "7")
    if source.endswith("jsonl"):
        words = ("play", "minifig", source, "--typed")
    result = brickphys(*words, typed="".join(f"{line}\n" for line in lines))
    assert result.returncode == 0, result.stderr
    return result.stdout


START = ("6", "1")
"""Red has the first turn."""


def test_a_person_fights_a_battle_to_its_end():
    """Ann's shot hits bob, who falls to a brick; tom runs to the dog in two rounds and slays it."""
    lines = (
        *("take ann", "undo", "take ann", "odds", "odds shoot bob", "why shoot rex", "shoot bob"),
        *("bob hit", "1", "take tom", "go 17 12 45", "save mine.jsonl", "quit"),
    )
    shown = typed(*START, *lines)
    found = re.findall(
        r"shoot bob: a shot \(ann shoots at bob with a bow\)\n    (kill [\d.]+ %)\n    bob is eliminated",
        shown,
    )
    assert len(found) == 2
    assert "fewer figures of blue" in shown
    assert "'shoot rex' is legal" in shown
    assert "ann: shoots bow at bob: hits bob (MF Projectiles)." in shown
    assert "saved; `brickphys play --resume mine.jsonl` continues from here" in shown
    rest = (
        *("end", "6", "1", "take tom", "odds go 19.772 19.391 69", "go 19.772 19.391 69"),
        *("end", "1 0"),
    )
    shown = typed(*rest, source="mine.jsonl")
    assert "then attack tom rex: 4 bricks against 0 (tom attacks rex)" in shown
    assert "red (person) wins after 8 actions in 2 rounds" in shown


BAD = {
    "take bob": "bob belongs to blue",
    "take tim": "unknown figure 'tim': did you mean 'tom'?",
    "take foo": "unknown figure 'foo': known: tom, ann",
    "take": "'take' is ambiguous: take tom, take ann",
    "tkae tom": "unknown action 'tkae tom': did you mean 'take tom'?",
    "tmo": "unknown action 'tmo': did you mean 'tom'?",
    "hop": "unknown action 'hop': choose a figure first: tom, ann",
    "go 11 10 0": "'go 11 10 0' is ambiguous: go 11 10 0 by tom, go 11 10 0 by ann",
    "go 11 10": "'go 11 10' is ambiguous: go 11 10 by tom, go 11 10 by ann",
    "shoot bob by tom": "no loaded bow or crossbow",
    "11 10": "'11 10' is ambiguous: 11 10 by tom, 11 10 by ann",
    "shoto bob": "unknown action 'shoto': did you mean 'shoot'?",
    "attack tom bob": "figures attack once their side has moved: choose end first",
    "take tom\ngo 23 10.04 0": "the way there is 13.1 in, but tom can move 8 in (MF Movement)",
    "take tom\ngo 12": "'go' takes x (number of inches such as 12.5), y (number",
    "take tom\n3 3": "3 3: at 3 3 the base reaches into water (MF Movement)",
    "take tom\ngo 12 ten 0": "expected number of inches such as 12.5, not 'ten'",
    "take ann\nshoot tom": "tom is not an enemy",
    "take tom\nhaul cart 5 20": "does not touch cart",
    "take tom\ntake ann": "choose done first: it ends the round of tom (or undo, if tom is to act later), "
    "then take the next figure",
    "take tom\nend": "act later), then end ends the movement of its side",
    "take tom\natack bob": "did you mean 'attack'? attack bob: figures attack once their side has moved",
    "take tom\nred": "'red' is a player, not an action: choose from go, such as go 10 10 0, done",
    "take tom\ntom": "'tom' is the name of tom, not an action",
    "save no.txt": "is not the name of a .jsonl file",
    "why": "why",
}


@pytest.mark.parametrize("taken", ["", "take tom\n", "take ann\n"])
def test_bad_input_is_told_in_one_line_and_asked_again(taken):
    """The same figure may still act, and the game goes on."""
    told = {lines.removeprefix(taken): BAD[lines] for lines in BAD if taken_in(lines) == taken}
    before = len(typed(*START, *taken.split("\n")[:-1]).split("\n> "))
    answers = typed(*START, *taken.split("\n")[:-1], *told).split("\n> ")[before - 1 : -1]
    assert len(answers) == len(told)
    for (line, words), answer in zip(told.items(), answers, strict=True):
        assert words in answer, line
        assert "\n" not in answer.strip(), line


def taken_in(lines):
    return lines[: lines.find("\n") + 1]


@pytest.mark.parametrize(
    "typed_so", few(["go 12.5, 10. east", "go 12.50 10.0 0.0", "go 12.5,10 0", "12.50 10 +0"], 2)
)
def test_what_a_person_types_is_read_leniently(typed_so):
    """Zeros, points and commas of the tables and directions by name are read; the replay has the strict notation."""
    typed(*START, "take tom", typed_so, "save mine.jsonl", "quit")
    assert "go 12.5 10 0" in Path("mine.jsonl").read_text(encoding="utf-8")


def test_the_list_shows_places_rounded_and_takes_them_so():
    """Tom goes 8 inches to the south-east: to 15.6568 4.3432; the rounded place is out of reach."""
    shown = typed(*START, "take tom", "do go", "quit")
    assert "  go (x and y in inches, facing in degrees)\n" in shown
    assert "16 15.7,4.3 facing 106°" in shown
    assert not re.search(r"\d\.\d\d", shown.partition("  go (")[2])
    for line in ("15.7 4.3 106", "15.7 4.3", "15.7,4.3", "15.7,4.3 facing 106°"):
        typed(*START, "take tom", line, "save mine.jsonl!", "quit")
        assert '"go 15.6568 4.3432 106"' in Path("mine.jsonl").read_text(encoding="utf-8")


def test_odds_tell_the_likeliest_first():
    shown = typed(*START, "take ann", "odds shoot bob", "quit")
    (line,) = re.findall(r"with a bow\)\n    kill .*\n    (.*)", shown)
    shares = [float(share) for share in re.findall(r"([\d.]+) %", line)]
    assert shares == sorted(shares, reverse=True)
    assert len(shares) == 2


def test_the_list_tells_what_a_place_is_for():
    """Places beside bob, who looks west, touch his front or his rear."""
    shown = typed(*START, "take tom", "do go", "quit")
    assert "front of bob" in shown
    assert "rear of bob" in shown


def test_a_place_and_a_facing_are_read_before_a_figure_is_chosen():
    shown = typed(
        *START, "why 17,12 north by tom", "why 17 12 facing 45.25° by tom", "why 40,40 n by tom"
    )
    assert "'go 17 12 90' is legal after 'take tom'" in shown
    assert "'go 17 12 45.25' is legal after 'take tom'" in shown
    assert "'go 40 40 90' is illegal: at 40 40 the base goes beyond the edge" in shown
