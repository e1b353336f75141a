"""Unit values, fitted to battles between armies that were drawn at random, in any game.

The odds of winning follow the ratio of the values of the armies, and the value of an army is the sum of its units.
Three models differ in the value of a unit: its price; a number of its own; or the formula of the price with other
weights and powers. The model of the battles is that of Bradley and Terry. The prior of all three is centred on the
price (see `PRIOR`). `ranking` is the order of armies that met in pairs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from brickphys.batch.kinds.study_type import Estimate, values
from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.distribution import Z95
from brickphys.rules.report.sheets import Price
from brickphys.rules.tournament import Rating, elo_ratings
from brickphys.seeds import generator
from brickphys.units import Array, Mask

_UNIT = re.compile(r"([a-z][a-z0-9_]*)(?:\*([1-9][0-9]*))?")
VERSUS, _AND = " | ", "+"
"""Between two armies, and between the units of one, in the label of a setup."""
SETUP, WINNER = "setup", "winner"


@dataclass(frozen=True)
class DrawnBattles:
    """Battles of two armies."""

    units: tuple[str, ...]
    first: Array
    """Number of each unit in the first army, shape (battles, units)."""
    second: Array
    """Number of each unit in the second army, shape (battles, units)."""
    score: Array
    """Result of the first army: 1 won, 0 lost, 0.5 undecided; shape (battles,)."""

    @property
    def drawn(self) -> Array:
        """Number of each unit in all armies, shape (units,)."""
        return np.asarray((self.first + self.second).sum(axis=0))

    def those(self, chosen: Mask) -> "DrawnBattles":
        """Return some of the battles."""
        return DrawnBattles(self.units, self.first[chosen], self.second[chosen], self.score[chosen])


def drawn_battles(rows: pa.Table, known: Sequence[str]) -> DrawnBattles:
    """Return the battles in the rows of a study, with the units that fought in them.

    InvalidValueError if a setup does not name two armies of known units. The rows have the columns `setup`, such as
    ``knight+trooper*2 | archer``, and `winner`, a player's number or -1. The result keeps the order of the known names
    of units.
    """
    columns = {name: index for index, name in enumerate(known)}
    counts = np.zeros((rows.num_rows, 2, len(known)))
    for row, label in enumerate(rows[SETUP].to_pylist()):
        for side, army in enumerate(_armies(label)):
            for unit in army.split(_AND):
                name, count = _counted(unit)
                if name not in columns:
                    raise unknown("unit", name, known)
                counts[row, side, columns[name]] += count
    fought = np.flatnonzero(counts.sum(axis=(0, 1)))
    winner = values(rows[WINNER])
    return DrawnBattles(
        units=tuple(known[index] for index in fought.tolist()),
        first=counts[:, 0, fought],
        second=counts[:, 1, fought],
        score=np.where(winner < 0, 0.5, winner == 0).astype(np.float64),
    )


def _armies(label: str | None) -> list[str]:
    """Return the two armies that a setup names."""
    armies = (label or "").split(VERSUS)
    if len(armies) != 2:
        raise InvalidValueError(
            f"{SETUP} {label!r} does not name two armies: a study with `draw` has them"
        )
    return armies


def _counted(text: str) -> tuple[str, int]:
    match = _UNIT.fullmatch(text)
    if match is None:
        raise InvalidValueError(f"{SETUP}: {text!r} is not a unit")
    return match[1], int(match[2] or 1)


PRIOR = 1.0
"""Standard deviation of the logarithm of a weight and of a power: values lie within a factor 7 of the price (95 %)."""
_PRIOR_SLOPE, _PRIOR_SEAT = 10.0, 1.0
_START_SLOPE = 2.0


@dataclass(frozen=True)
class Formula:
    """The value of a unit: the sum of its points, each kind with a weight, times its factors, each with a power."""

    points: Array
    """Shape (units, kinds of points)."""
    log_factors: Array
    """Shape (units, kinds of factors)."""

    @property
    def size(self) -> int:
        """Number of weights and powers."""
        return int(self.points.shape[1] + self.log_factors.shape[1])

    def log_value(self, theta: Array) -> tuple[Array, Array]:
        """Return the log value of each unit, shape (units,), and its derivatives, shape (units, size).

        `theta` has the logarithms of the weights, then powers minus 1; all 0 gives the price.
        """
        kinds = self.points.shape[1]
        parts = self.points * np.exp(theta[:kinds])
        sums = parts.sum(axis=1)
        slopes = np.hstack([parts / sums[:, None], self.log_factors])
        return np.log(sums) + self.log_factors @ (1.0 + theta[kinds:]), slopes


@dataclass(frozen=True)
class Fit:
    """A normal posterior."""

    formula: Formula
    """The formula of the values."""
    mean: Array
    """Mean of the formula's parameters, then of the slope, then of the advantage of the first seat. The log odds of a
    battle are ``seat + slope * log(value of the first army / value of the second)``."""
    covariance: Array
    """Covariance of the same parameters, shape (size + 2, size + 2)."""

    def draws(self, count: int, rng: np.random.Generator) -> Array:
        """Return parameters drawn from the posterior, shape (count, size + 2)."""
        return rng.multivariate_normal(self.mean, self.covariance, count)

    def chances(self, battles: DrawnBattles) -> Array:
        """Return the probability that the first army wins each battle, shape (battles,)."""
        odds, _ = _log_odds(self.formula, battles, self.mean)
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def fit(battles: DrawnBattles, formula: Formula) -> Fit:
    """Return the posterior of the parameters of a formula (Bradley and Terry, Biometrika 39, 1952).

    The mean is the maximum of the posterior, the covariance the inverse of its Fisher information, prior included.
    """
    from scipy.optimize import minimize  # half a second

    spread = np.array([*[PRIOR] * formula.size, _PRIOR_SLOPE, _PRIOR_SEAT])
    start = np.array([*[0.0] * formula.size, _START_SLOPE, 0.0])

    def loss(at: Array) -> tuple[float, Array]:
        odds, slopes = _log_odds(formula, battles, at)
        chance = 1.0 / (1.0 + np.exp(-odds))
        unlikely = np.logaddexp(0.0, odds) - battles.score * odds
        value = unlikely.sum() + 0.5 * ((at / spread) ** 2).sum()
        return float(value), slopes.T @ (chance - battles.score) + at / spread**2

    best = minimize(loss, start, jac=True, method="BFGS").x
    odds, slopes = _log_odds(formula, battles, best)
    chance = 1.0 / (1.0 + np.exp(-odds))
    information = (slopes * (chance * (1.0 - chance))[:, None]).T @ slopes
    covariance = np.linalg.inv(information + np.diag(spread**-2.0))
    return Fit(formula, best, covariance.astype(np.float64))


def _log_odds(formula: Formula, battles: DrawnBattles, at: Array) -> tuple[Array, Array]:
    """Return the log odds of the first armies, shape (battles,), and their derivatives, shape (battles, size + 2)."""
    log_value, by_theta = formula.log_value(at[:-2])
    slope, seat = at[-2:]
    units = np.exp(log_value)
    values = [army @ units for army in (battles.first, battles.second)]
    shares = [
        army * units / total[:, None]
        for army, total in zip((battles.first, battles.second), values, strict=True)
    ]
    ratio = np.log(values[0] / values[1])
    by_formula = slope * (shares[0] - shares[1]) @ by_theta
    return seat + slope * ratio, np.column_stack([by_formula, ratio, np.ones_like(ratio)])


FEWEST = 50
"""Fewest battles for a fit."""
_DRAWS = 4000
"""Draws from the posterior, for intervals."""
_FOLDS = 5
_BINS = 8


@dataclass(frozen=True)
class UnitValue:
    """The value of a unit."""

    name: str
    price: float
    """Its price in cost points."""
    drawn: int
    """How many fought."""
    worth: Estimate
    """Its value in cost points, scaled so that all units that fought have together the value of their prices."""


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
    """The fitted values of units."""

    battles: int
    undecided: int
    """Number of those without a winner."""
    units: tuple[UnitValue, ...]
    """Value of each unit, fitted as a number of its own."""
    weights: Mapping[str, Estimate]
    """Weights of the formula that fits best; all are 1 in the price."""
    powers: Mapping[str, Estimate]
    """Powers of that formula; all are 1 in the price."""
    slope: Estimate
    """Exponent of the odds: an army that costs r times as much wins at odds of r to this power."""
    seat: Estimate
    """Probability that the first player wins at equal cost."""
    curve: tuple[WinShare, ...]
    """Shares of wins, from the lowest ratio of costs to the highest."""
    predicted: Mapping[str, Estimate | None]
    """Share of winners that each model (price, formula, units) predicts in battles that it was not fitted to."""


def unit_values(rows: pa.Table, prices: Mapping[str, Price]) -> UnitValues:
    """Return the values of the units that fought in the battles of a cell.

    InvalidValueError if a setup names no two armies of such units, or there are fewer than `FEWEST` battles. The rows
    are those of `drawn_battles`, the prices those of every unit that can be drawn, by name.
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


@dataclass(frozen=True)
class Rank:
    """The place of an army."""

    name: str
    """Its label, such as the name of a ship."""
    battles: int
    """How many it has fought against others."""
    share: Estimate
    """The share of these that it has won, draws as halves, with Wilson's interval."""
    rating: Rating | None
    """Its strength by the model of Bradley and Terry; None where the results allow no finite one."""


def ranking(rows: pa.Table) -> tuple[Rank, ...]:
    """Return the armies of drawn battles, the strongest first; battles of an army against its like are left out.

    InvalidValueError if a setup does not name two armies, or no two differ. The rows have the columns `setup`, such as
    ``black_pearl | renegade_runner``, and `winner`, a player's number or -1.
    """
    pairs, winners = map(_armies, rows[SETUP].to_pylist()), rows[WINNER].to_pylist()
    met = [(pair, won) for pair, won in zip(pairs, winners, strict=True) if len({*pair}) == 2]
    names = sorted({name for pair, _ in met for name in pair})
    if not names:
        raise InvalidValueError("no two different armies have met")
    points = [[0.0] * len(names) for _ in names]
    for pair, won in met:
        one, other = (names.index(name) for name in pair)
        score = 0.5 if won < 0 else float(won == 0)
        points[one][other] += score
        points[other][one] += 1.0 - score
    ratings = elo_ratings(points) or [None] * len(names)
    ranks = []
    for at, (name, rating) in enumerate(zip(names, ratings, strict=True)):
        battles = sum(name in pair for pair, _ in met)
        ranks.append(Rank(name, battles, Estimate.of_share(sum(points[at]), battles), rating))
    return tuple(sorted(ranks, key=_strength, reverse=True))


def _strength(rank: Rank) -> tuple[float, float]:
    return (0.0 if rank.rating is None else rank.rating.elo), rank.share.value
