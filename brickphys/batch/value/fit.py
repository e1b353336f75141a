"""The fit behind `worth`: a formula of what units are worth, its weights from who won, and their posterior."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from brickphys.batch.value.army_draws import DrawnBattles

PRIOR = 1.0
"""Of the logarithm of a weight, and of a power: before any battle, worths lie within a factor of seven of the price."""
_PRIOR_SLOPE, _PRIOR_SEAT = 10.0, 1.0
_START_SLOPE = 2.0

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Formula:
    """A unit is worth the sum of its points, each kind with a weight, times its factors, each with a power.

    Attributes
    ----------
    points
        Shape (units, kinds of points).
    log_factors
        Shape (units, kinds of factors).
    """

    points: Floats
    log_factors: Floats

    @property
    def size(self) -> int:
        """How many weights and powers there are."""
        return int(self.points.shape[1] + self.log_factors.shape[1])

    def log_worth(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return the log worth of each unit, and its derivatives, shape (units, size).

        Parameters
        ----------
        theta
            Logarithms of the weights, then powers less 1: all are 0 in the price.
        """
        kinds = self.points.shape[1]
        parts = self.points * np.exp(theta[:kinds])
        sums = parts.sum(axis=1)
        slopes = np.hstack([parts / sums[:, None], self.log_factors])
        return np.log(sums) + self.log_factors @ (1.0 + theta[kinds:]), slopes


@dataclass(frozen=True)
class Fit:
    """A posterior, normal.

    Attributes
    ----------
    formula
        Of what.
    mean
        Of the formula's parameters, then the slope, then the advantage of the first seat; the log odds of a battle
        are ``seat + slope * log(worth of the first army / worth of the second)``.
    covariance
        Of these.
    """

    formula: Formula
    mean: Floats
    covariance: Floats

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Return parameters drawn from the posterior, shape (count, size + 2)."""
        return rng.multivariate_normal(self.mean, self.covariance, count)

    def chances(self, battles: DrawnBattles) -> Floats:
        """Return the chances that the first armies win."""
        odds, _ = _log_odds(self.formula, battles, self.mean)
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def fit(battles: DrawnBattles, formula: Formula) -> Fit:
    """Return what battles say of the parameters of a formula (Bradley and Terry, Biometrika 39, 1952).

    The maximum of the posterior, and the inverse of the Fisher information there with that of the prior.
    """
    from scipy.optimize import minimize  # half a second

    spread = np.array([*[PRIOR] * formula.size, _PRIOR_SLOPE, _PRIOR_SEAT])
    start = np.array([*[0.0] * formula.size, _START_SLOPE, 0.0])

    def surprise(at: Floats) -> tuple[float, Floats]:
        odds, slopes = _log_odds(formula, battles, at)
        chance = 1.0 / (1.0 + np.exp(-odds))
        unlikely = np.logaddexp(0.0, odds) - battles.score * odds
        value = unlikely.sum() + 0.5 * ((at / spread) ** 2).sum()
        return float(value), slopes.T @ (chance - battles.score) + at / spread**2

    best = minimize(surprise, start, jac=True, method="BFGS").x
    odds, slopes = _log_odds(formula, battles, best)
    chance = 1.0 / (1.0 + np.exp(-odds))
    information = (slopes * (chance * (1.0 - chance))[:, None]).T @ slopes
    covariance = np.linalg.inv(information + np.diag(spread**-2.0))
    return Fit(formula, best, covariance.astype(np.float64))


def _log_odds(formula: Formula, battles: DrawnBattles, at: Floats) -> tuple[Floats, Floats]:
    """Return the log odds of the first armies, and their derivatives, shape (battles, size + 2)."""
    log_worth, by_theta = formula.log_worth(at[:-2])
    slope, seat = at[-2:]
    units = np.exp(log_worth)
    worth = [army @ units for army in (battles.first, battles.second)]
    shares = [
        army * units / total[:, None]
        for army, total in zip((battles.first, battles.second), worth, strict=True)
    ]
    ratio = np.log(worth[0] / worth[1])
    by_formula = slope * (shares[0] - shares[1]) @ by_theta
    return seat + slope * ratio, np.column_stack([by_formula, ratio, np.ones_like(ratio)])
