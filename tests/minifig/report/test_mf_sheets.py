"""Sheets of figures: the rows of the chart of hand-to-hand, each with its reason."""

from itertools import combinations

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.report.sheets import REASONS, sheet_list
from brickphys.minifig.sheets.charts import charts

HELD = [name for name, arm in charts().arms.items() if not arm.is_worn]
WORN = [name for name, arm in charts().arms.items() if arm.is_worn]


def sheet(source):
    return sheet_list(source).sheets[0]


def bricks(source, side):
    return sum(sheet(source).charts()[side].values())


@pytest.mark.parametrize(
    ("source", "attack", "defence"),
    [
        ("soldier", 2, 0),
        ("sword", 3, 0),
        ("sword+axe", 3, 0),
        ("peasant", 1, 0),
        ("peasant+club", 2, 0),
        ("dog", 1, 0),
        ("sword+shield+helmet", 3, 2),
        ("shield+armour", 2, 2),
        ("shield+plate", 2, 3),
        ("sword+horse", 6, 2),
        ("sword+shield+plate+helmet+horse", 6, 6),
    ],
)
def test_bricks_are_those_of_the_chart(source, attack, defence):
    """MF Resolving Combat: the chart, with the doubling of riders."""
    assert (bricks(source, "attack"), bricks(source, "defence")) == (attack, defence)


@pytest.mark.parametrize("held", list(combinations(HELD, 2)))
def test_every_brick_of_two_arms_has_the_reason_that_gives_it(held):
    """A row is there if and only if some arm or the kind gives it, and the reason names who does."""
    one = sheet("+".join([*held, *WORN]))
    for side, chart in one.charts().items():
        for row in chart:
            given = [arm.name for arm in one.arms if row in getattr(arm, side)]
            assert one.reason(side, row) == (", ".join(given) or "soldier")
        assert {row for arm in one.arms for row in getattr(arm, side)} <= set(chart)


@pytest.mark.parametrize(("source", "wall"), [("sword", 2), ("sword+horse", 4)])
def test_places_add_bricks_on_top(source, wall):
    """MF Resolving Combat: a rider's doubling takes in a wall, neither downward nor rear."""
    one = sheet(source)
    assert [one.more("attack", row) for row in REASONS["attack"]] == [wall, 1, 1]
    assert [one.more("defence", row) for row in REASONS["defence"]] == [1, 2]


def test_a_text_has_all_rows_once():
    text = sheet("spear+shield+horse").text(lambda letter, _: letter)
    assert text.startswith("soldier+spear+shield+horse: attack 6, defence 3, shoots (spear)")
    assert "spear  20 in: knocks over, or 3 bricks" in " ".join(text.split("\n"))
    rows = [line.split() for line in text.splitlines()]
    assert ["mounted", "3", "rides:", "doubles", "the", "rows", "above"] in rows
    assert ["wall", "+4", "where", "it", "fights", "from", "a", "wall", "or", "barricade"] in rows


def test_a_document_is_the_same_sheet():
    document = sheet("peasant+spear").document()
    assert document["attack"] == {
        "bricks": {"attack": 1, "weapon": 1},
        "more": {"wall": 2, "downward": 1, "rear": 1},
    }
    assert (document["kind"], document["arms"], document["mounted"]) == (
        "peasant",
        ["spear"],
        False,
    )


def test_the_list_has_all_kinds_and_arms():
    names = {one.name for one in sheet_list().sheets}
    assert {*charts().kinds, *(f"soldier+{arm}" for arm in charts().arms), "soldier+horse"} == names


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("swrd", "unknown arms or kind 'swrd': did you mean 'sword'"),
        ("sword+sword", r"sword\+sword: sword is named twice"),
        ("sword+axe+bow", r"sword\+axe\+bow: 3 arms to hold, a soldier has 2 hands \(MF Rules\)"),
        ("dog+helmet", "a dog neither rides nor has arms"),
        ("dog+horse", "a dog neither rides nor has arms"),
        ("sword+peasant", "peasant is a kind, and comes first and alone"),
    ],
)
def test_what_no_figure_has_is_refused(source, words):
    with pytest.raises(InvalidValueError, match=words):
        sheet_list(source)


def test_nothing_is_marked():
    with pytest.raises(InvalidValueError, match="soldier has nothing to mark: damage"):
        sheet("soldier").marked({"damage": 1})
