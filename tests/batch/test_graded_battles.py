"""Battles with grades: how often a victory is worth it all, beside how often there is one."""

from fractions import Fraction

import pytest

from brickphys.blade_and_bow.sheets import charts
from tests.batch.batches import PEBBLES, run_here, spec

GRADED = {
    "kind": "battle",
    "seed": 3,
    "repeats": 6,
    "fixed": {"game": "blade_and_bow", "bots": "random"},
    "grid": {
        "draw": [
            {"scenario": "thermopylae"},
            {"scenario": "thermopylae", "without": ["arcadians_2"]},
        ]
    },
}


@pytest.mark.slow
def test_victories_are_told_by_what_they_are_worth(tmp_path):
    """Random armies at Thermopylae mostly see the end, which is a minor victory of the Greeks."""
    store = run_here(tmp_path / "results", GRADED)
    made = spec(GRADED)
    for cell in (0, 1):
        rows = store.good_rows(cell)
        winner, worth = rows["winner"].to_pylist(), rows["worth"].to_pylist()
        known = {float(grade) for grade in charts().grades.values()}
        assert {value for value, who in zip(worth, winner, strict=True) if who >= 0} <= known
        assert float(Fraction(2, 3)) in worth
        found = made.study_type.summary(made.settings(cell), {}, rows)
        for seat in (0, 1):
            full = sum(who == seat and value == 1 for who, value in zip(winner, worth, strict=True))
            assert found[f"p_full_{seat}"].value == full / 6


def test_games_without_grades_have_no_such_column():
    made = spec(PEBBLES)
    assert not [name for name in made.study_type.columns(made.settings(0), {}) if "full" in name]
