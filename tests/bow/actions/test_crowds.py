"""Armies of thousands: only what is near is looked at, and what is listed is what has no problem."""

import numpy as np
import pytest

from brickphys.bow.actions.attack import AttackEnemy, AttackPlan
from brickphys.bow.actions.objects import Give
from brickphys.grid.grid import Grid
from brickphys.rules.words import without_problems
from tests.bow.battle import GAME, Battle, setup, unit

SHEETS = ("archer", "knight", "rocket_loader", "swordsman", "trooper", "wizard")
SIDE = 40


def crowd(sheet: str, count: int = 400) -> Battle:
    """Return a battle of units anywhere on a field; the first one acts, in the middle."""
    rng, middle = np.random.default_rng(len(sheet)), SIDE * SIDE // 2 + SIDE // 2
    others = rng.choice(np.delete(np.arange(SIDE * SIDE), middle), count - 1, replace=False)
    places = [middle, *others.tolist()]
    sheets = [sheet, *rng.choice(SHEETS, count - 1).tolist()]
    units = [
        unit(
            f"u{n}", sheet, ("red", "blue")[n % 2], place % SIDE, place // SIDE, "nesw"[n // 2 % 4]
        )
        for n, (place, sheet) in enumerate(zip(places, sheets, strict=True))
    ]
    return Battle(setup(*units, width=SIDE, length=SIDE)).do("unit u0")


def gifts(state) -> list[Give]:
    """Return every gift without a problem, of all things to all units."""
    from brickphys.bow.actions.objects import within_reach

    names = [entry.name for entry in state.setting.units]
    offers = (Give(item.name, at, name) for name in names for item, at in within_reach(state))
    return list(without_problems(state, offers))


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_is_listed_in_a_crowd_is_what_has_no_problem(sheet):
    state = crowd(sheet).state
    attacks = list(AttackEnemy.legal(state))
    assert attacks
    assert attacks == list(without_problems(state, AttackEnemy.candidates(state)))
    assert list(Give.legal(state)) == gifts(state)


def test_an_attack_in_a_crowd_looks_only_at_what_is_near(monkeypatch):
    """On the field of a thousand units a swordsman looks at those beside him: here at nobody."""
    units = [
        unit(f"u{n}", "swordsman", ("red", "blue")[n % 2], 4 * (n % 50), 4 * (n // 50))
        for n in range(1000)
    ]
    state = Battle(setup(*units, width=200, length=80)).do("unit u0").state
    counts = {"plans": 0, "around": 0}
    problems, around = AttackPlan.problems, Grid.around

    def counted_plan(plan, **how):
        counts["plans"] += 1
        return problems(plan, **how)

    def counted_around(grid, squares):
        counts["around"] += 1
        return around(grid, squares)

    monkeypatch.setattr(AttackPlan, "problems", counted_plan)
    monkeypatch.setattr(Grid, "around", counted_around)
    assert list(AttackEnemy.legal(state)) == []
    assert list(Give.legal(state)) == []
    assert counts["plans"] == 0
    assert counts["around"] < 10  # it was two for each unit
    assert GAME.actions(state)
