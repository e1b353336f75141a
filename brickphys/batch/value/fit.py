"""Fit: a Bradley-Terry model of battles in which the value of a unit follows a formula with unknown weights."""

from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array
from brickphys.batch.value.army_draws import DrawnBattles

PRIOR = 1.0
"""Standard deviation of the logarithm of a weight and of a power: values lie within a factor 7 of the price (95 %)."""
_PRIOR_SLOPE, _PRIOR_SEAT = 10.0, 1.0
_START_SLOPE = 2.0


@dataclass(frozen=True)
class Formula:
    """The value of a unit: the sum of its points, each kind with a weight, times its factors, each with a power.

    Attributes
    ----------
    points
        Shape (units, kinds of points).
    log_factors
        Shape (units, kinds of factors).
    """

    points: Array
    log_factors: Array

    @property
    def size(self) -> int:
        """Number of weights and powers."""
        return int(self.points.shape[1] + self.log_factors.shape[1])

    def log_value(self, theta: Array) -> tuple[Array, Array]:
        """Return the log value of each unit, shape (units,), and its derivatives, shape (units, size).

        Parameters
        ----------
        theta
            Logarithms of the weights, then powers minus 1; all 0 gives the price.
        """
        kinds = self.points.shape[1]
        parts = self.points * np.exp(theta[:kinds])
        sums = parts.sum(axis=1)
        slopes = np.hstack([parts / sums[:, None], self.log_factors])
        return np.log(sums) + self.log_factors @ (1.0 + theta[kinds:]), slopes


@dataclass(frozen=True)
class Fit:
    """A normal posterior.

    Attributes
    ----------
    formula
        The formula of the values.
    mean
        Mean of the formula's parameters, then of the slope, then of the advantage of the first seat. The log odds of
        a battle are ``seat + slope * log(value of the first army / value of the second)``.
    covariance
        Covariance of the same parameters, shape (size + 2, size + 2).
    """

    formula: Formula
    mean: Array
    covariance: Array

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
