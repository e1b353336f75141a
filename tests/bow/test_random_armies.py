"""Armies drawn for studies: within their points, legal, the same again, and fair to both sides."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from brickphys.bow.sheets.catalogue import foot
from brickphys.bow.sheets.library import minifig_cost
from brickphys.errors import InvalidValueError
from brickphys.rules.setup import army_label
from brickphys.seeds import generator
from tests.bow.battle import GAME

PRICES = {name: minifig_cost(sheet) for name, sheet in foot().units.items()}


def drawn(index: int = 0, **options) -> tuple[str, dict]:
    return GAME.draw_setup(options, generator(8, index))


def armies(setup: dict) -> list[list[str]]:
    return [
        [unit["sheet"] for unit in setup["units"] if unit["player"] == player]
        for player in ("red", "blue")
    ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"points": 9, "units": ["basic_trooper"], "apart": 2},
        {"points": 300, "ratio": [0.5, 2.0], "cover": 8, "apart": 20},
        {"points": 2000, "ratio": 2.0, "cover": 1},
    ],
)
def test_every_draw_is_a_battle_that_can_begin(options):
    for index in range(5):
        assert GAME.players(GAME.initial(drawn(index, **options)[1])) == 2


def test_a_draw_depends_on_its_generator_alone_and_is_plain_json():
    assert drawn(3, cover=2) == drawn(3, cover=2) != drawn(4, cover=2)
    setup = drawn(3, cover=2)[1]
    assert json.loads(json.dumps(setup)) == setup


def test_the_label_names_both_armies():
    label, setup = drawn(1, ratio=2.0)
    assert label == " | ".join(map(army_label, armies(setup)))
    assert army_label(["trooper", "knight", "trooper"]) == "knight+trooper*2"


def test_points_are_spent_and_never_overspent():
    """What is left pays for no unit, so that armies of equal points are as equal as whole units allow."""
    for index in range(100):
        costs = sorted(sum(map(PRICES.get, army)) for army in armies(drawn(index, ratio=1.5)[1]))
        assert 120 - min(PRICES.values()) < costs[0] <= 120
        assert 180 - min(PRICES.values()) < costs[1] <= 180


def test_only_units_that_are_allowed_are_drawn():
    allowed = {"archer", "trooper"}
    found = {
        name for i in range(30) for army in armies(drawn(i, units=[*allowed])[1]) for name in army
    }
    assert found == allowed


def test_the_first_unit_of_an_army_is_any_with_equal_chance():
    """One unit an army: a hero alone for its points. False alarm one in a thousand."""
    units = [name for name, price in PRICES.items() if price > 50]
    counts = Counter(
        army[0] for i in range(600) for army in armies(drawn(i, points=100, units=units)[1])
    )
    assert set(counts) == set(units)
    assert len(units) > 2
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_the_armies_take_sides_with_equal_chance():
    """False alarm one in a thousand."""
    dear = [
        sum(map(PRICES.get, red)) > sum(map(PRICES.get, blue))
        for red, blue in (armies(drawn(i, ratio=1.5)[1]) for i in range(600))
    ]
    assert binomtest(sum(dear), len(dear)).pvalue > 0.001


def test_a_range_of_ratios_is_drawn_from_log_uniformly():
    """Half of the ratios are below 1 where the ends are a number and its inverse. False alarm one in a thousand."""
    options = {"points": 900, "ratio": [0.5, 2.0], "units": ["basic_trooper"]}  # nine points a unit
    larger = [max(map(len, armies(drawn(i, **options)[1]))) > 100 for i in range(300)]
    assert binomtest(sum(larger), len(larger)).pvalue > 0.001


def test_the_lines_face_each_other_so_far_apart():
    setup = drawn(2, apart=13)[1]
    front = {
        player: [unit for unit in setup["units"] if unit["player"] == player]
        for player in ("red", "blue")
    }
    assert min(u["x"] for u in front["blue"]) - max(u["x"] for u in front["red"]) == 13
    assert {u["facing"] for u in front["red"]} == {"e"}
    assert {u["facing"] for u in front["blue"]} == {"w"}


OWN = """
[[weapon]]
name = "hook"
damage = 2
kind = "melee"
reach_studs = 2
hands = 1

[[unit]]
name = "reaver"
base = "trooper"
held = ["hook"]

[[unit]]
name = "captain"
base = "wizard"

[[army]]
name = "raiders"
units = { reaver = 2 }
"""


def test_ten_units_stand_side_by_side_and_others_behind_them():
    setup = drawn(units=["archer"], points=13 * PRICES["archer"])[1]
    places = Counter((unit["player"], unit["x"]) for unit in setup["units"])
    assert places == {("red", 5): 10, ("red", 3): 3, ("blue", 15): 10, ("blue", 17): 3}
    behind = [unit["y"] for unit in setup["units"] if unit["x"] == 3]
    assert behind == [9, 11, 13]  # around the middle of the field


@pytest.mark.parametrize(
    ("units", "found"),
    [
        (["mine.toml"], {"reaver", "captain"}),
        (["mine.toml,reaver", "knight"], {"reaver", "knight"}),
        (["mine.toml", "mine.toml,captain"], {"reaver", "captain"}),
    ],
)
def test_units_of_a_file_are_drawn_beside_those_that_ship(units, found):
    options = {"units": units, "points": 100, "files": {"mine.toml": OWN}}
    assert list(GAME.draw_files(options)) == ["mine.toml"]
    both = [drawn(index, **options) for index in range(12)]
    assert {name for _, setup in both for army in armies(setup) for name in army} == found
    for _, setup in both[:2]:
        sheets = {one.sheet.name: one.sheet for one in GAME.initial(setup).setting.units}
        for name in set(sheets) & {"reaver"}:
            assert [item.name for item in sheets[name].gear.held] == ["hook"]
            assert GAME.prices(options["files"])[name].points == minifig_cost(sheets[name])
        assert json.loads(json.dumps(setup)) == setup


def test_options_without_files_name_none():
    for options in ({}, {"units": ["knight"]}, {"units": "mine.toml"}, {"units": [3]}):
        assert list(GAME.draw_files(options)) == []


def test_new_actions_are_in_play_if_somebody_has_paid_for_them():
    magic = ["firebolt", "mind_grip", "treating_spell", "lightning_bolt"]
    assert drawn(0, points=100, units=["wizard"])[1]["actions"] == magic
    assert drawn(0, units=["knight"])[1]["actions"] == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"pionts": 100}, "draw: pionts: unknown key, did you mean 'points'?"),
        ({"points": 0}, "draw: points: 0 should be greater than or equal to 1"),
        (
            {"points": 8},
            "draw: points: 8 are not enough: the cheapest unit (basic_trooper) costs 9",
        ),
        ({"points": 12, "ratio": 0.5}, "draw: points: 6 are not enough"),
        ({"units": ["knigt"]}, "draw: units[0]: unknown unit 'knigt': did you mean 'knight'?"),
        ({"units": ["a.toml"]}, "draw: units[0]: the text of 'a.toml' is not in files"),
        ({"units": ["a.toml"], "files": {"a.toml": ""}}, "draw: units[0]: 'a.toml' has no units"),
        (
            {"units": ["a.toml,revaer"], "files": {"a.toml": OWN}},
            "draw: units[0]: unknown unit of a.toml 'revaer': did you mean 'reaver'?",
        ),
        (
            {"units": ["a.toml", "b.toml"], "files": {"a.toml": OWN, "b.toml": OWN}},
            "b.toml: weapon[0].name: 'hook' is already taken; unit[0].name: 'reaver' is already taken",
        ),
        ({"units": ["a.toml"], "files": {"a.toml": "unit = 3"}}, "a.toml: unit: "),
        ({"units": ["a.toml"], "files": {"a.toml": "[["}}, "a.toml: "),
        ({"units": []}, "draw: units: 0 values where at least 1 is needed"),
        ({"ratio": [2.0, 1.0]}, "ratio: 2 is above 1"),
        ({"ratio": 0.0}, "draw: ratio"),
        ({"apart": 5, "cover": 5}, "draw: cover: room for 4 walls between the lines, not for 5"),
    ],
)
def test_a_fault_of_the_options_is_told(options, told):
    with pytest.raises(InvalidValueError, match=re.escape(told)):
        GAME.draw_setup(options, np.random.default_rng(1))
