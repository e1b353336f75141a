"""Sheets of figures: the rows of the chart of hand-to-hand, each with its reason."""

from itertools import combinations

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.scenario import SCENARIOS, scenario_report, sheets
from brickphys.minifig.sheets import charts

HELD = [name for name, arm in charts().arms.items() if not arm.is_worn]
WORN = [name for name, arm in charts().arms.items() if arm.is_worn]


def sheet(source):
    return sheets(source).sheets[0]


@pytest.mark.parametrize("held", list(combinations(HELD, 2)))
def test_every_brick_of_two_arms_has_the_reason_that_gives_it(held):
    """A row is there if and only if some arm or the kind gives it, and the reason names who does."""
    one = sheet(",".join(["soldier", *held, *WORN]))
    for side, figure in one.sides.items():
        for row, bricks, reason in one.rows(side):
            given = [arm.name for arm in figure.arms if row in getattr(arm, side)]
            assert reason == (", ".join(given) or "soldier")
            assert bricks == 1
        assert {row for arm in figure.arms for row in getattr(arm, side)} <= set(figure.bricks)


@pytest.mark.parametrize(("source", "wall"), [("soldier,sword", 2), ("soldier,sword,mounted", 4)])
def test_places_add_bricks_on_top(source, wall):
    """MF Resolving Combat: a rider's doubling takes in a wall, neither downward nor rear."""
    one = sheet(source)
    assert [bricks for _, bricks, _ in one.more("attack")] == [wall, 1, 1]
    assert [bricks for _, bricks, _ in one.more("defence")] == [1, 2]


def test_a_text_has_all_rows_once():
    text = sheet("soldier,spear,shield,mounted,white").text(lambda letter, _: letter)
    assert text.startswith(
        "soldier,spear,shield,mounted,white: attack 6, defence 3, shoots (spear)\n"
    )
    rows = [" ".join(line.split()) for line in text.splitlines()]
    for row in (
        "base white: experience adds 3 to its score",
        "holds 2 in 2 hands",
        "moves 20 in; 15 if it mounts first, 15 with a wagon",
        "spear 20 in: knocks over, or 3 bricks",
        "mounted 3 rides: doubles the rows above",
        "wall +4 where it fights from a wall or barricade",
    ):
        assert rows.count(row) == 1


def test_a_document_is_the_same_sheet():
    document = sheet("peasant,spear").document()
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
    names = {one.name for one in sheets().sheets}
    armed = {f"soldier,{word}" for word in (*charts().arms, "mounted")}
    assert names == {*charts().kinds, *armed}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("soldier,sword,axe,bow", r"a soldier has 2 hands \(MF Resolving Combat\)"),
        ("soldier,rear", "unknown word 'rear'"),
    ],
)
def test_what_no_figure_has_is_refused(source, words):
    with pytest.raises(InvalidValueError, match=words):
        sheets(source)


def test_nothing_is_marked():
    with pytest.raises(InvalidValueError, match="soldier has nothing to mark: damage"):
        sheet("soldier").marked({"damage": 1})


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_a_scenario_has_a_sheet_for_every_sort_of_its_figures(name):
    state, found = scenario_report(name).state, sheets(name)
    assert len({one.name for one in found.sheets}) == len(found.sheets)
    sorts = {
        (
            state.setting.figures[number].kind,
            frozenset(state.arms(number)),
            state.figures[number].horse is not None,
            state.setting.figures[number].experience,
        )
        for number in state.alive
    }
    assert sorts == {
        (one.figure.kind, frozenset(one.figure.arms), one.is_mounted, one.figure.experience)
        for one in found.sheets
    }
    assert [army.name for army in found.armies] == list(state.setting.players)


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(InvalidValueError, match=r"mine\.toml"):
        sheets("mine.toml")
