"""Worth: battles decided by known worths give these back; a fair price is found fair."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.optimize import approx_fprime

from brickphys.batch import unit_values
from brickphys.errors import InvalidValueError
from brickphys.rules.report.sheets import Price

PRICES = {
    "a": Price({"move": 5, "attack": 5}, {"health": 1}),
    "b": Price({"move": 4, "attack": 8}, {"health": 2}),
    "c": Price({"move": 9, "attack": 3}, {"health": 1}),
    "d": Price({"move": 5, "attack": 6}, {"health": 3}),
}
NAMES = tuple(PRICES)
COSTS = np.array([price.points for price in PRICES.values()])


def fought(worths: np.ndarray, count: int, slope: float = 4.0, seat: float = 0.0, seed: int = 2):
    """Return rows of battles of random armies, in which the odds follow the ratio of worths to the power of `slope`."""
    rng = np.random.default_rng(seed)
    armies = rng.integers(0, 4, (count, 2, len(worths)))
    armies[..., 0] += 1  # nobody stays away
    ratio = np.log((armies[:, 0] @ worths) / (armies[:, 1] @ worths))
    won = rng.random(count) < 1 / (1 + np.exp(-seat - slope * ratio))

    def label(army: np.ndarray) -> str:
        return "+".join(f"{name}*{n}" for name, n in zip(NAMES, army, strict=True) if n)

    labels = [" | ".join(label(army) for army in pair) for pair in armies]
    return pa.table({"setup": labels, "winner": np.where(won, 0, 1).astype(np.int8)})


def test_the_price_of_a_unit():
    assert COSTS.tolist() == [10, 24, 12, 33]


@pytest.mark.slow
def test_intervals_hold_known_worths_as_often_as_they_say():
    """Half and double the price. 100 intervals of 95 % (150 x 4 held 94 %): below 86 one time in ten thousand."""
    truth = COSTS * np.array([1.0, 2.0, 0.5, 1.0])
    held = []
    for seed in range(25):
        battles = unit_values.drawn_battles(fought(truth, 800, seed=seed), NAMES)
        found = unit_values.fit(battles, unit_values.Formula(np.diag(COSTS), np.zeros((4, 0))))
        scaled = truth * (battles.drawn @ COSTS) / (battles.drawn @ truth)
        for unit, expected in zip(unit_values._units(found, battles, COSTS), scaled, strict=True):
            held.append(unit.worth.low < expected < unit.worth.high)
            assert unit.worth.half_width < 0.4 * unit.price
    assert np.mean(held) >= 0.86


def test_all_that_fought_are_worth_together_what_they_cost():
    found = unit_values.unit_values(fought(COSTS**1.5, 300), PRICES)
    cost = sum(unit.drawn * unit.price for unit in found.units)
    assert sum(unit.drawn * unit.worth.value for unit in found.units) == pytest.approx(cost)


def test_fair_prices_are_found_fair_and_nothing_foretells_better():
    found = unit_values.unit_values(fought(COSTS, 3000), PRICES)
    for unit in found.units:
        assert unit.worth.low < unit.price < unit.worth.high
    for one in (*found.weights.values(), *found.powers.values()):
        assert one.low < 1 < one.high
    assert found.slope.low < 4 < found.slope.high
    assert abs(found.predicted["units"].value - found.predicted["price"].value) < 0.02


def test_a_formula_with_another_power_is_found():
    """Health counts for nothing: its power is 0, not 1. The prior is too far away to win against 4,000 battles."""
    truth = np.array([10.0, 12.0, 12.0, 11.0])
    found = unit_values.unit_values(fought(truth, 4000), PRICES)
    assert set(found.weights) == {"move", "attack"}
    assert found.powers["health"].low - 0.1 < 0 < found.powers["health"].high
    assert found.predicted["formula"].value > found.predicted["price"].value + 0.03


def test_an_advantage_of_the_first_seat_is_found():
    found = unit_values.unit_values(fought(COSTS, 3000, seat=0.5), PRICES)
    assert found.seat.low < 1 / (1 + np.exp(-0.5)) < found.seat.high


def test_the_curve_has_every_battle_once_and_rises():
    found = unit_values.unit_values(fought(COSTS, 3000), PRICES)
    assert sum(share.battles for share in found.curve) == 3000
    assert [s.ratio for s in found.curve] == sorted(s.ratio for s in found.curve)
    assert found.curve[0].wins.high < 0.5 < found.curve[-1].wins.low


def test_turning_all_battles_round_changes_no_worth():
    rows = fought(COSTS * np.array([1.0, 2.0, 0.5, 1.0]), 500)
    turned = pa.table(
        {
            "setup": [" | ".join(reversed(s.split(" | "))) for s in rows["setup"].to_pylist()],
            "winner": 1 - rows["winner"].to_numpy(),
        }
    )
    here, there = unit_values.unit_values(rows, PRICES), unit_values.unit_values(turned, PRICES)
    for one, other in zip(here.units, there.units, strict=True):
        assert one.worth.value == pytest.approx(other.worth.value, rel=1e-3)
    assert here.seat.value == pytest.approx(1 - there.seat.value, abs=1e-3)


def test_battles_that_nobody_wins_say_that_all_armies_are_alike():
    rows = fought(COSTS, 200)
    found = unit_values.unit_values(
        pa.table({"setup": rows["setup"], "winner": [-1] * 200}), PRICES
    )
    assert found.undecided == 200
    assert found.slope.value == pytest.approx(0, abs=1e-4)
    assert found.predicted == {"price": None, "formula": None, "units": None}


def test_derivatives_are_those_of_the_log_odds():
    rng = np.random.default_rng(3)
    battles = unit_values.DrawnBattles(
        NAMES, rng.integers(1, 4, (5, 4)) * 1.0, rng.integers(1, 4, (5, 4)) * 1.0, np.zeros(5)
    )
    formula = unit_values.Formula(rng.uniform(1, 9, (4, 3)), rng.uniform(0, 1, (4, 2)))
    at = rng.normal(size=formula.size + 2)
    numeric = approx_fprime(
        at, lambda theta: unit_values._log_odds(formula, battles, theta)[0], 1e-7
    )
    assert unit_values._log_odds(formula, battles, at)[1] == pytest.approx(numeric, abs=1e-5)


def test_without_evidence_the_posterior_is_the_prior():
    even = unit_values.DrawnBattles(("a",), np.ones((2, 1)), np.ones((2, 1)), np.array([0.0, 1.0]))
    found = unit_values.fit(even, unit_values.Formula(np.array([[10.0]]), np.zeros((1, 0))))
    assert found.mean[0] == pytest.approx(0, abs=1e-6)
    assert found.covariance[0, 0] == pytest.approx(1.0)


def test_few_battles_are_refused():
    with pytest.raises(
        InvalidValueError, match=f"{unit_values.FEWEST - 1} battles, at least {unit_values.FEWEST}"
    ):
        unit_values.unit_values(fought(COSTS, unit_values.FEWEST - 1), PRICES)
