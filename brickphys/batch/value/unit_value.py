"""Unit values, fitted to battles between armies that were drawn at random, in any game.

The odds of winning follow the ratio of the values of the armies, and the value of an army is the sum of its units.
Three models differ in the value of a unit: its price; a number of its own; or the formula of the price with other
weights and powers. The prior of all three is centred on the price (see `fit.PRIOR`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from brickphys.arrays import Array
from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.value.army_draws import DrawnBattles, drawn_battles
from brickphys.batch.value.fit import Fit, Formula, fit
from brickphys.errors import InvalidValueError
from brickphys.odds.intervals import Z95
from brickphys.rules.report.sheets import Price
from brickphys.seeds import generator

FEWEST = 50
"""Fewest battles for a fit."""
_DRAWS = 4000
"""Draws from the posterior, for intervals."""
_FOLDS = 5
_BINS = 8


@dataclass(frozen=True)
class UnitValue:
    """The value of a unit.

    Attributes
    ----------
    name, price
        Name of the unit, and its price in cost points.
    drawn
        How many fought.
    worth
        Its value in cost points, scaled so that all units that fought have together the value of their prices.
    """

    name: str
    price: float
    drawn: int
    worth: Estimate


@dataclass(frozen=True)
class WinShare:
    """The share of battles that the first army won at similar ratios of costs; a draw counts half.

    `ratio` is the geometric mean of the cost of the first army over that of the second.
    """

    ratio: float
    wins: Estimate
    battles: int


@dataclass(frozen=True)
class UnitValues:
    """The fitted values of units.

    Attributes
    ----------
    battles, undecided
        Number of battles, and of those without a winner.
    units
        Value of each unit, fitted as a number of its own.
    weights, powers
        Weights and powers of the formula that fits best; all are 1 in the price.
    slope
        Exponent of the odds: an army that costs r times as much wins at odds of r to this power.
    seat
        Probability that the first player wins at equal cost.
    curve
        Shares of wins, from the lowest ratio of costs to the highest.
    predicted
        Share of winners that each model (price, formula, units) predicts in battles that it was not fitted to.
    """

    battles: int
    undecided: int
    units: tuple[UnitValue, ...]
    weights: Mapping[str, Estimate]
    powers: Mapping[str, Estimate]
    slope: Estimate
    seat: Estimate
    curve: tuple[WinShare, ...]
    predicted: Mapping[str, Estimate | None]


def unit_values(rows: pa.Table, prices: Mapping[str, Price]) -> UnitValues:
    """Return the values of the units that fought in the battles of a cell.

    Parameters
    ----------
    rows
        Rows of battles with drawn setups; see `drawn_battles`.
    prices
        Price of every unit that can be drawn, by name.

    Raises
    ------
    InvalidValueError
        If a setup names no two armies of such units, or there are fewer than `FEWEST` battles.
    """
    if rows.num_rows < FEWEST:
        raise InvalidValueError(f"{rows.num_rows} battles, at least {FEWEST} are needed")
    battles = drawn_battles(rows, tuple(prices))
    fought = [prices[name] for name in battles.units]
    costs = np.array([price.points for price in fought])
    added, factors = _names(fought)
    none = np.zeros((len(fought), 0))
    formulas = {
        "price": Formula(costs[:, None], none),
        "formula": Formula(*_abilities(fought, added, factors)),
        "units": Formula(np.diag(costs), none),
    }
    fits = {name: fit(battles, formula) for name, formula in formulas.items()}
    weights = _weights(fits["formula"], battles, costs, len(added))
    by_price = fits["price"]
    reach = Z95 * np.sqrt(np.diag(by_price.covariance))
    slope, seat = (
        Estimate(*map(float, (mean, mean - half, mean + half)))
        for mean, half in zip(by_price.mean[-2:], reach[-2:], strict=True)
    )
    return UnitValues(
        battles=len(battles.score),
        undecided=int((battles.score == 0.5).sum()),
        units=_units(fits["units"], battles, costs),
        weights=dict(zip(added, weights, strict=False)),
        powers=dict(zip(factors, weights[len(added) :], strict=True)),
        slope=slope,
        seat=Estimate(*(1.0 / (1.0 + np.exp(-np.array(seat))))),
        curve=tuple(_curve(battles, costs)),
        predicted={name: _predicted(battles, formula) for name, formula in formulas.items()},
    )


def _names(prices: Sequence[Price]) -> tuple[list[str], list[str]]:
    """Return the kinds of points that some unit has, and the factors that are not 1 for all."""
    added = dict.fromkeys(n for price in prices for n, value in price.added.items() if value)
    factors = dict.fromkeys(
        n for price in prices for n, value in price.factors.items() if value != 1
    )
    return list(added), list(factors)


def _abilities(
    prices: Sequence[Price], added: Sequence[str], factors: Sequence[str]
) -> tuple[Array, Array]:
    points = np.array([[price.added.get(name, 0.0) for name in added] for price in prices])
    values = np.array([[price.factors.get(name, 1.0) for name in factors] for price in prices])
    return points, np.log(values)


def _scale(values: Array, battles: DrawnBattles, costs: Array) -> Array:
    """Return the factor by which the values of all units that fought add up to their prices."""
    return np.asarray(battles.drawn @ costs / (values @ battles.drawn))


def _posterior(found: Fit, battles: DrawnBattles, costs: Array) -> tuple[Array, Array, Array]:
    """Return parameters, unit values and scales: of the best fit, then of draws from the posterior."""
    drawn = found.draws(_DRAWS, generator(0))
    thetas = np.vstack([found.mean, drawn])[:, :-2]
    values = np.exp([found.formula.log_value(theta)[0] for theta in thetas])
    return thetas, values, _scale(values, battles, costs)


def _units(found: Fit, battles: DrawnBattles, costs: Array) -> tuple[UnitValue, ...]:
    _, values, scale = _posterior(found, battles, costs)
    scaled = values * scale[:, None]
    return tuple(
        UnitValue(name, float(costs[unit]), int(battles.drawn[unit]), _estimate(scaled[:, unit]))
        for unit, name in enumerate(battles.units)
    )


def _weights(found: Fit, battles: DrawnBattles, costs: Array, added: int) -> list[Estimate]:
    """Return the weights, scaled as the unit values are, then the powers."""
    thetas, _, scale = _posterior(found, battles, costs)
    weights = np.exp(thetas[:, :added]) * scale[:, None]
    values = np.hstack([weights, 1.0 + thetas[:, added:]])
    return [_estimate(column) for column in values.T]


def _estimate(best_and_draws: Array) -> Estimate:
    low, high = np.quantile(best_and_draws[1:], [0.025, 0.975])
    return Estimate(float(best_and_draws[0]), float(low), float(high))


def _curve(battles: DrawnBattles, costs: Array) -> "list[WinShare]":
    ratio = (battles.first @ costs) / (battles.second @ costs)
    parts = np.array_split(np.argsort(ratio, kind="stable"), _BINS)
    shares = []
    for part in parts:
        wins, count = float(battles.score[part].sum()), len(part)
        estimate = Estimate.of_share(wins, count)
        shares.append(WinShare(float(np.exp(np.log(ratio[part]).mean())), estimate, count))
    return shares


def _predicted(battles: DrawnBattles, formula: Formula) -> Estimate | None:
    """Return how often the likelier army wins by cross-validation; None if no battle was decided."""
    fold = np.arange(len(battles.score)) % _FOLDS
    right, trials = 0.0, 0
    for number in range(_FOLDS):
        unseen = battles.those((fold == number) & (battles.score != 0.5))
        chances = fit(battles.those(fold != number), formula).chances(unseen)
        right += float(((chances > 0.5) == (unseen.score == 1.0)).sum())
        trials += len(unseen.score)
    return Estimate.of_share(right, trials) if trials else None
