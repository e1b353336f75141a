"""The commands `odds compare` and `odds card`, as programs and people meet them."""

import inspect
import json
import re
import xml.etree.ElementTree as ElementTree
from decimal import Decimal
from fractions import Fraction
from functools import partial

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from tests.command_line import answer, brickphys

compare = partial(brickphys, "odds", "compare")
card = partial(brickphys, "odds", "card")


def test_attacks_stand_side_by_side_with_what_odds_says_of_each():
    found = answer("odds", "compare", "4 3 --hp 2", "3 2 --hp 2 --attacks 2")
    singles = [answer("odds", *words.split()) for words in ("4 3 --hp 2", "3 2 --hp 2 --attacks 2")]
    for attack, single in zip(found["attacks"], singles, strict=True):
        assert attack["events"]["kill"]["p"] == single["kill"]
    assert (
        found["attacks"][0]["events"]["success in the turn"]["exact"] == singles[0]["success_exact"]
    )
    assert found["attacks"][0]["numbers"]["damage in the turn"]["p"] == singles[0]["damage"]
    once = singles[1]["success"]
    assert found["attacks"][1]["events"]["success in the turn"]["p"] == pytest.approx(
        1 - (1 - once) ** 2
    )
    assert found["p_range90"] is not None
    assert [one["quantity"] for one in found["differences"]] == [
        "success in the turn",
        "kill",
        "expected damage in the turn",
    ]
    verdict = found["verdict"]
    assert (verdict["attack"], verdict["over"], verdict["sure"]) == (2, 1, True)
    assert verdict["more"] == pytest.approx(found["differences"][0]["more"])
    low, high = verdict["range90"]
    assert low <= verdict["more"] <= high


def test_sheets_are_compared_with_bricks_and_with_other_weather():
    near, far, bricks = "archer knight --range 10", "archer knight --range 20", "3 5 --hp 2"
    found = answer("odds", "compare", near, far, bricks, "--p", "0.3")
    assert found["p_range90"] is None
    assert all(one["range90"] is None for one in found["differences"])
    first, _, last = (one["events"] for one in found["attacks"])
    assert first == last  # an archer has 3 bricks, a knight 5 and 2 health
    text = compare(near, far, "--p", "0.3").stdout
    assert "90 %" not in text
    assert "\nsuccess in the turn: 1 is ahead of 2 by " in text


def test_any_roll_of_a_game_is_compared():
    words = "minifig attack soldier,sword peasant", "minifig attack soldier,axe peasant"
    assert "the defender is eliminated: " in compare(*words).stdout
    dice = "blade_and_bow dice 6 4", "blade_and_bow dice 6 4 --attack-rerolls 2"
    found = answer("odds", "compare", *dice)
    assert (found["verdict"]["quantity"], found["verdict"]["attack"]) == ("the target is hit", 2)
    assert found["verdict"]["range90"] is None  # no bricks in it
    assert (found["law"], found["p"]) == (None, None)
    assert "brick" not in compare(*dice).stdout


def test_rare_high_values_are_one_row():
    lines = compare("6 1 --attacks 6", "6 2 --attacks 6", "--p", "1/4").stdout.splitlines()
    (row,) = (line.split() for line in lines if " or more " in line)
    most = int(row[0])
    assert str(most - 1) in [line.split()[0] for line in lines if line]
    assert row[3:] == ["<0.1", "%", "<0.1", "%"]
    assert most < 20


def test_equal_attacks_are_called_equal():
    assert "success in the turn: 1 and 2 are equal" in compare("3 2", "3 2").stdout
    assert answer("odds", "compare", "3 2", "3 2")["verdict"]["attack"] is None


def test_the_picture_is_the_same_file_each_time(tmp_path):
    for name in ("one.svg", "two.svg"):
        result = compare("3 2", "4 3 --hp 1", "--plot", name, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_card_has_the_numbers_of_odds(tmp_path):
    result = card("card.svg", "--law", "glass", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "card: card.svg\n")
    row = next(line for line in result.stdout.splitlines() if line.startswith("3 ")).split()
    single = brickphys("odds", 3, 2, "--law", "glass")
    assert f"nominal        {row[3]} %" in single.stdout
    assert "glass (2x2, hand, glass)" in result.stdout
    drawing = (tmp_path / "card.svg").read_text()
    ElementTree.fromstring(drawing)
    drawing = " ".join(re.findall("<!-- (.*?) -->", drawing))  # its lines of text
    for words in (row[3], "bricks of the defence", "21.8 % to 29.4 %", "glass (2x2, hand, glass)"):
        assert words in drawing
    found = answer("odds", "card", "card.pdf", "--p", "0.3", cwd=tmp_path)
    assert found["widest_range90"] is None
    assert (found["attacks"], found["defences"]) == ([*range(1, 9)], [*range(7)])
    assert (tmp_path / "card.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_a_law_file_with_an_odd_name_is_shown(tmp_path):
    from brickphys.odds.law_file import default_law

    name = "mine $x^2$ & <b> " + "long" * 30 + ".json"
    default_law().save(tmp_path / name)
    for paper in ("a6", "index"):
        result = card(f"{paper}.svg", "--law", name, "--paper", paper, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        ElementTree.parse(tmp_path / f"{paper}.svg")


@pytest.mark.parametrize("name", ["compare", "card"])
def test_the_help_has_examples_and_the_keys_of_json(name):
    text = brickphys("odds", name, "--help").stdout
    assert f"\n    brickphys odds {name} " in text
    assert "JSON: law, p" in text
    assert "--json" in text


UNITS = [
    ("knight archer", "bow attack knight archer"),
    pytest.param(
        *("archer knight --range 20 --cover", "bow attack archer knight --range 20 --cover"),
        marks=pytest.mark.slow,
    ),
    ("soldier,sword soldier,shield", "minifig attack soldier,sword soldier,shield"),
    ("soldier,bow dog --range 24 --cover", "minifig attack soldier,bow dog --range 24 --cover"),
    pytest.param(
        *("black_pearl queen_annes_revenge", "pirate_wars board black_pearl queen_annes_revenge"),
        marks=pytest.mark.slow,
    ),
    ("black_pearl imperial_flagship --range 8", "pirate_wars broadside --guns 1"),
    ("marine pirate", "pirate_wars board marine=1 pirate=1"),
    ("2*spears hoplite,ranks=1", "blade_and_bow melee 2*spears hoplite,ranks=1"),
    pytest.param(
        *("archers hoplite --range 4 --cover", "blade_and_bow missile archers hoplite,woods"),
        marks=pytest.mark.slow,
    ),
]


@pytest.mark.parametrize(("words", "same"), UNITS)
def test_units_of_any_game_are_known_without_its_name(words, same):
    told, expected = (answer("odds", *one.split()) for one in (words, same))
    assert (told["game"], told["chances"]) == (expected["game"], expected["chances"])
    named = brickphys("odds", told["game"], *words.split(), "--json").stdout
    assert json.loads(named)["chances"] == told["chances"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("knight jedi --range 4", "knight has no weapon that shoots"),
        ("knight jeep --range 4", "knight has no weapon that shoots"),
        ("hoplite hoplite --range 4", "cannot shoot (BB 3.5, 8.0)"),
        ("pirate pirate --range 4", "these have: captain, lieutenant, marine (PW Firing)"),
    ],
)
def test_where_neither_shoots_no_other_order_is_named(words, says):
    told = brickphys("odds", *words.split()).stderr
    assert told.strip().endswith(says)


@pytest.mark.parametrize(
    "words",
    [
        ("4 3 --hp 2", "3 3 --hp 2 --attacks 2"),
        ("1 3", "1 4", "1 5"),
        ("2 2", "2 2"),
        ("60 1", "0 3", "1 1"),
    ],
)
def test_differences_are_those_of_the_numbers_beside_them(words):
    told = brickphys("odds", "compare", *words).stdout
    rows = [
        line for line in told.splitlines() if line.startswith(("success in", "expected", "kill"))
    ]
    count = len(words)
    for row in rows[: 1 + ("--hp" in words[0]) + 1]:
        cells = re.sub(r"[<>%]", "", row.partition("  ")[2]).replace(" to ", "..").split()
        first, *others = map(Decimal, cells[:count])
        differences = [Decimal(cell) for cell in cells[count::2]]
        if "<" not in row and ">" not in row:
            assert differences == [other - first for other in others], row


def test_who_is_below_deck_is_not_hit():
    words = "marine", "pirate", "--range", 3
    assert "66.7 %" in brickphys("odds", *words).stdout
    hidden = answer("odds", *words, "--cover")
    assert hidden["chances"]["the shot hits"]["p"] == 0


@pytest.mark.parametrize(
    ("game", "cell", "exact"),
    [
        pytest.param(*("bow", (2, 2), None), marks=pytest.mark.slow),
        ("minifig", (2, 2), None),
        ("pirate_wars", (5, 0), 1 - (2 / 3) ** 6),
        pytest.param(*("blade_and_bow", (0, 0), 1 - (4 / 6) ** 2), marks=pytest.mark.slow),
    ],
)
def test_each_game_has_a_card(game, cell, exact, tmp_path):
    """Two cannons with ball hit at least once; one die and its re-roll hit a target without dice."""
    result = card("c.svg", "--game", game, "--json", cwd=tmp_path)
    found = json.loads(result.stdout)
    if exact is None:
        exact = answer("odds", 3, 2)["success"]
    assert found["success"][cell[0]][cell[1]] == pytest.approx(exact)
    drawing = " ".join((tmp_path / "c.svg").read_text().split())
    ElementTree.fromstring(drawing)
    assert found["about"] in drawing
    assert (found["expected_damage"] is None) == (game in ("minifig", "pirate_wars"))


def test_the_help_lists_the_options_of_units():
    from brickphys.cli.odds import UNIT_OPTIONS
    from brickphys.rules import registry

    told = brickphys("odds", "--help").stdout
    with_units = [name for name in registry.games() if registry.units(name)]
    attacks = {name: registry.game(name).odds_tables()["attack"] for name in with_units}
    options = {name: set(inspect.signature(one).parameters) for name, one in attacks.items()}
    assert len(options) == 4
    for option, _ in UNIT_OPTIONS:
        assert option in told
    assert all({"range", "cover"} <= known for known in options.values())
    assert "weapon" in options["bow"]


@pytest.mark.parametrize("chance", ["33%", "33 %", "0.33", "33/100"])
def test_a_chance_may_be_a_percentage(chance, tmp_path):
    found = answer("odds", 3, 2, "--p", chance, cwd=tmp_path)
    assert found["success_exact"] == str(opposed(3, 2, BinomialLaw(Fraction(33, 100))).success)
