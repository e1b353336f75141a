"""Sheets and armies: the rows of the chart of hand-to-hand (MF Resolving Combat), each with its reason."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.odds import volley
from brickphys.minifig.scenario import SCENARIOS, army_list, scenario_report, sheets
from brickphys.minifig.sheets import attack_chart, attack_rows, charts, defence_chart, defence_rows
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed

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


LAW = BinomialLaw(Fraction(1, 4))


def test_hand_to_hand_has_the_bricks_of_the_chart_and_the_points_of_experience():
    soldier, rider = army_list(("soldier,sword,shield=4", "soldier,spear,mounted,yellow")).units
    hand = soldier.attacks[0]
    assert (soldier.count, hand.rolled) == (4, 3)
    assert hand.successes(LAW) == tuple(
        float(opposed(3, bricks, LAW).success) for bricks in range(7)
    )
    charge = rider.attacks[0]
    assert charge.rolled == 6
    assert charge.successes(LAW)[2] == float(opposed(6, 2, LAW, 2).success)
    assert soldier.title == "soldier with sword, shield"


def test_shots_have_the_chances_of_volleys():
    archer, catapult = army_list(("soldier,bow", "big_catapult")).units
    for unit, missile in ((archer, "bow"), (catapult, "big_catapult")):
        shots = [one for one in unit.attacks if one.words != "hand-to-hand"]
        assert [one.distance_mm / 25.4 for one in shots] == pytest.approx([12, 24, 48, 72])
        kill = float(volley(missile, LAW, 24.0).chances["a shot eliminates"])
        assert shots[1].successes(LAW) == (kill,) * 7
    spear = army_list(("soldier,spear",)).units[0].attacks
    assert [one.distance for one in spear[1:]] == ["at 12 (30 cm)", "at 20 (51 cm)"]


def test_sizes_are_those_of_the_game():
    soldier, rider, catapult = army_list(("soldier", "soldier,mounted", "big_catapult")).units
    assert soldier.footprint.size_mm == pytest.approx((16.0, 16.0), abs=0.01)
    assert soldier.footprint.height_mm == pytest.approx(40.0)
    assert rider.footprint.size_mm == (62.0, 16.0)
    assert (catapult.footprint.size_mm, catapult.footprint.height_mm) == ((64.0, 40.0), 30.0)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_armies_of_a_setup_have_all_figures(name):
    report = scenario_report(name)
    kinds = ("soldiers", "peasants", "dogs", "riders")
    for total in report.armies:
        army = army_list((name,), total.name)
        figures = sum(unit.count for unit in army.units if unit.sheet)
        assert figures == sum(total.counts.get(kind, 0) for kind in kinds)


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
