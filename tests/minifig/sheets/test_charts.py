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


BBS, STONES = {"bow", "crossbow", "spear"}, {"small_catapult", "big_catapult"}


@pytest.mark.parametrize(
    ("chart", "quality", "names"),
    [
        ("missiles", "knocks_over", BBS),
        ("missiles", "besieges", {"big_catapult"}),
        ("arms", "is_worn", {"helmet", "armour", "plate"}),
        ("arms", "leaves_hand", {"spear"}),
        ("arms", "reloads", {"crossbow"}),
        ("arms", "missile", BBS),
        ("things", "is_ridden", {"horse"}),
        ("things", "is_hauled", {"wagon"}),
        ("things", "missile", STONES),
        ("things", "reloads", STONES),
    ],
)
def test_who_has_a_quality(chart, quality, names):
    rows = getattr(charts(), chart)
    assert {name for name, row in rows.items() if getattr(row, quality)} == names


def test_what_shoots_is_named_for_its_missile():
    assert set(charts().missiles) == set(BRICKS)
    assert all(row.weapon.name == name for name, row in charts().missiles.items())
    for rows in (charts().arms, charts().things):
        assert all(row.missile in (None, name) for name, row in rows.items())


def test_entries_know_their_names_and_never_change():
    found = charts()
    for entries in (found.kinds, found.arms, found.things):
        assert all(entry.name == name for name, entry in entries.items())
        assert len({*entries.values()}) == len(entries)  # each can be a key: its rows are tuples


def test_kinds_have_hands_and_are_met_by_missiles():
    kinds = charts().kinds
    assert {name: kind.hands for name, kind in kinds.items()} == {
        "soldier": 2, "peasant": 2, "dog": 0,
    }  # fmt: skip
    for body in (RIDER, *(kind.body for kind in kinds.values())):
        assert target(body).name == body


def test_experience_has_levels_from_green_to_black():
    colours = charts().colours
    assert (colours[0], colours[charts().most_experience], len(colours)) == ("green", "black", 8)
