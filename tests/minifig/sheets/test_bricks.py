"""Rows of bricks in hand-to-hand, cell by cell of the chart (MF Resolving Combat)."""

from itertools import product

import pytest

from brickphys.minifig.sheets import attack_chart, attack_rows, charts, defence_chart, defence_rows

ABOVE = {"attack": 1, "weapon": 1, "soldier": 1, "wall": 2}
BELOW = {"downward": 1, "rear": 1, "unarmed": 1}
DEFENCE = {"shield": 1, "armour": 1, "plate": 1, "helmet": 1, "mounted": 2, "higher": 1, "wall": 2}


def rows(kind, *arms):
    return attack_rows(charts().kinds[kind], [charts().arms[arm] for arm in arms])


def bricks(kind, *arms, place=()):
    return sum(attack_chart(rows(kind, *arms) | set(place)).values())


def test_the_chart_has_no_other_rows():
    assert set(charts().attack) == {*ABOVE, *BELOW, "mounted"}
    assert set(charts().defence) == set(DEFENCE)


def test_mounted_doubles_what_stands_above_it_in_all_combinations_of_rows():
    names = [*ABOVE, *BELOW]
    for taken in product((False, True), repeat=len(names)):
        chosen = {name for name, is_in in zip(names, taken, strict=True) if is_in}
        on_foot = {name: (ABOVE | BELOW)[name] for name in names if name in chosen}
        above = sum(ABOVE[name] for name in chosen & ABOVE.keys())
        assert attack_chart(chosen) == on_foot
        assert attack_chart(chosen | {"mounted"}) == on_foot | {"mounted": above}


def test_defence_adds_up_in_all_combinations_of_rows():
    for taken in product((False, True), repeat=len(DEFENCE)):
        chosen = {name for name, is_in in zip(DEFENCE, taken, strict=True) if is_in}
        assert defence_chart(chosen) == {row: DEFENCE[row] for row in DEFENCE if row in chosen}


@pytest.mark.parametrize("weapon", ["sword", "axe", "spear", "club"])
def test_each_weapon_is_one_brick_and_only_one_counts(weapon):
    assert bricks("soldier", weapon) == 3
    assert bricks("soldier", weapon, "sword", "spear") == 3
    assert bricks("peasant", weapon) == 2


@pytest.mark.parametrize("arm", ["bow", "crossbow", "shield", "helmet", "armour", "plate"])
def test_what_is_no_weapon_leaves_a_figure_unarmed(arm):
    assert rows("soldier", arm) == {"attack", "soldier"}
    assert rows("peasant", arm) == {"unarmed"}
    assert rows("dog") == {"attack"}
    assert bricks("soldier") == 2
    assert bricks("peasant") == bricks("dog") == 1


def test_a_horse_does_not_double_an_unarmed_peasant_whose_row_stands_below():
    assert bricks("peasant", place={"mounted"}) == 1
    assert bricks("peasant", "club", place={"mounted"}) == 4
    assert bricks("soldier", "sword", place={"mounted", "wall", "downward", "rear"}) == 12


@pytest.mark.parametrize(
    ("arms", "count"),
    [
        ((), 0),
        (("shield",), 1),
        (("shield", "shield"), 1),
        (("helmet",), 1),
        (("armour",), 1),
        (("plate",), 2),
        (("armour", "plate"), 2),
        (("shield", "plate", "helmet", "sword", "bow"), 4),
    ],
)
def test_defence_bricks_of_arms(arms, count):
    assert sum(defence_chart(defence_rows(charts().arms[arm] for arm in arms)).values()) == count
