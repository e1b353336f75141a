"""The command ``odds blade_and_bow``: laws by every roll, the book's example, bad input in one line."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from brickphys.blade_and_bow.odds import ODDS, attack, commit, lacking, melee, missile
from brickphys.blade_and_bow.sheets import counters
from brickphys.errors import InvalidValueError
from tests.command_line import assert_refused, brickphys

FACES = range(1, 7)


def law(pairs):
    counts = Counter(pairs)
    total = sum(counts.values())
    return {number: Fraction(count, total) for number, count in counts.items()}


@pytest.mark.parametrize(("count", "least"), [(1, 4), (3, 4), (4, 6), (2, 1), (3, 7)])
def test_the_points_that_dice_lack_are_those_of_every_roll(count, least):
    every = product(FACES, repeat=count)
    expected = law(sum(max(face - least + 1, 0) for face in faces) for faces in every)
    assert dict(lacking(count, least)) == expected


def test_the_book_example_of_a_unit_beside_a_leader():
    """Morale 3 beside a leader against a fear of 3: four dice that fail from 6, and a 6 lacks one point (BB 3.4.2)."""
    report = commit("hoplite,beside", "hoplite", points=1)
    assert "4 dice, failing from 6" in report.title
    assert report.chances["it attacks without points"] == Fraction(5, 6) ** 4
    assert report.chances["it attacks with 1 point"] == Fraction(5**4 + 4 * 5**3, 6**4)


def test_units_are_counted_and_blanks_do_not_matter():
    one, other = (
        melee("2*hoplite,ranks=1", "spears,woods"),
        melee(" hoplite, ranks=1 + hoplite,ranks=1", "spears, woods"),
    )
    assert one == other
    assert missile("2 * archers", "spears") == missile("archers+archers", "spears")


@pytest.mark.parametrize(
    ("target", "cover", "struck"),
    [
        ("hoplite", False, "hoplite"),
        ("hoplite", True, "hoplite,woods"),
        ("hoplite,woods", True, "hoplite,woods"),
        ("hoplite,ranks=1", True, "hoplite,ranks=1,woods"),
    ],
)
def test_an_attack_over_a_range_is_a_volley_at_a_target_that_may_be_in_woods(target, cover, struck):
    found = attack("archers", target, range=4, cover=cover, target_morale=4)
    assert found == missile("archers", struck, target_morale=4)
    assert found != missile("archers", "hoplite,town", target_morale=4)


def test_an_attack_without_a_range_is_a_melee():
    found = attack("hoplite", "spears", attacker_morale=2, target_morale=4)
    assert found == melee("hoplite", "spears", attacker_morale=2, target_morale=4)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"cover": True}, "--cover applies to missiles only"),
        ({"range": 4, "attacker_morale": 4}, "--attacker-morale applies to melees only"),
        ({"range": -1}, "--range: -1 is below 0"),
        ({"range": 9}, "--range: 9 is beyond the missiles of archers, whose range is 8 points"),
    ],
)
def test_options_that_do_not_apply_are_refused(options, fault):
    with pytest.raises(InvalidValueError, match=f"^{fault}"):
        attack("archers", "hoplite", **options)


def test_a_volley_is_that_of_every_roll():
    """The dice of archers against those of spears."""
    shoots, parries = counters()["archers"].good, counters()["spears"].good
    rolls = product(
        product(FACES, repeat=shoots.missile_dice), product(FACES, repeat=parries.missile_defence)
    )
    expected = law(
        max(sum(face <= 2 for face in shots) - sum(face >= 5 for face in armour), 0)
        for shots, armour in rolls
    )
    report = missile("archers", "spears")
    assert dict(report.laws["hits"]) == expected
    routs = sum(
        chance * (1 - Fraction(1, 2) ** max(hits - 1, 0)) for hits, chance in expected.items()
    )
    assert report.chances["the target routs"] == routs


def test_every_table_is_listed_and_tells_its_numbers():
    listed = brickphys("odds", "blade_and_bow", "--help").stdout
    assert all(name in listed for name in ODDS)
    told = brickphys(
        "odds", "blade_and_bow", "melee", "hoplite,ranks=2,leader+peltast,left", "immortals"
    )
    assert "7 dice (2 faces to hit, 2 to cancel, 2 re-rolls) against 2 dice" in told.stdout
    found = json.loads(brickphys("odds", "blade_and_bow", "dice", "1", "0", "--json").stdout)
    assert found["chances"]["the target is hit"]["exact"] == "5/9"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("melee", "hoplit", "spears"), "hoplit"),
        (("melee", "spears,left+spears,left", "hoplite"), "BB 3.1.1"),
        (("missile", "spears", "hoplite"), "cannot shoot"),
        (("dice", "6", "4", "--defence-hits", "5"), "defence: faces that are cancellations"),
        (("commit", "spears", "hoplite", "--points", "99"), "0..20"),
    ],
)
def test_bad_input_is_one_line(words, fault):
    assert_refused(brickphys("odds", "blade_and_bow", *words), fault)
