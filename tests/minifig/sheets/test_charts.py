"""The charts as data: kinds, arms and things, bricks of missiles by how they come, levels of experience."""

from itertools import product

import pytest

from brickphys.minifig.sheets import RIDER, charts
from brickphys.projectiles.shot import PHASES
from brickphys.projectiles.target import target

BRICKS = {
    "bow": (3, 3, 3),
    "crossbow": (3, 3, 3),
    "spear": (3, 3, 3),
    "small_catapult": (3, 2, 0),
    "big_catapult": (5, 4, 0),
}
"""After a direct hit, after a bounce, and of what rolls (MF Projectiles)."""


@pytest.mark.parametrize(("missile", "phase"), list(product(BRICKS, PHASES)))
def test_bricks_of_a_missile_by_how_it_comes(missile, phase):
    assert charts().missiles[missile].bricks_after(phase) == BRICKS[missile][PHASES.index(phase)]


def test_only_bbs_knock_over_and_only_the_big_catapult_besieges():
    rows = charts().missiles
    assert set(rows) == set(BRICKS)
    assert {name for name, row in rows.items() if row.knocks_over} == {"bow", "crossbow", "spear"}
    assert {name for name, row in rows.items() if row.besieges} == {"big_catapult"}
    assert all(row.weapon.name == name for name, row in rows.items())


def test_entries_know_their_names_and_never_change():
    found = charts()
    for entries in (found.kinds, found.arms, found.things):
        assert all(entry.name == name for name, entry in entries.items())
        assert len({*entries.values()}) == len(entries)  # each can be a key: its rows are tuples


def test_what_is_worn_takes_no_hand_and_what_is_thrown_leaves_it():
    arms = charts().arms
    assert {name for name, arm in arms.items() if arm.is_worn} == {"helmet", "armour", "plate"}
    assert {name for name, arm in arms.items() if arm.leaves_hand} == {"spear"}
    assert {name for name, arm in arms.items() if arm.reloads} == {"crossbow"}
    assert {name for name, arm in arms.items() if arm.missile} == {"spear", "bow", "crossbow"}
    assert all(arm.missile in (None, name) for name, arm in arms.items())


def test_kinds_have_hands_and_are_met_by_missiles():
    kinds = charts().kinds
    assert {name: kind.hands for name, kind in kinds.items()} == {
        "soldier": 2, "peasant": 2, "dog": 0,
    }  # fmt: skip
    for body in (RIDER, *(kind.body for kind in kinds.values())):
        assert target(body).name == body


def test_things_are_ridden_hauled_or_shoot():
    things = charts().things
    assert {name for name, kind in things.items() if kind.is_ridden} == {"horse"}
    assert {name for name, kind in things.items() if kind.is_hauled} == {"wagon"}
    shoot = {"small_catapult", "big_catapult"}
    assert {name for name, kind in things.items() if kind.missile == name} == shoot
    assert {name for name, kind in things.items() if kind.reloads} == shoot


def test_experience_has_levels_from_green_to_black():
    colours = charts().colours
    assert (colours[0], colours[charts().most_experience], len(colours)) == ("green", "black", 8)
