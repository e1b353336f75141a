"""Posterior: the probability of a side and the correlation of bricks in a hand, from counts, on a grid.

The prior of p is Jeffreys' beta distribution (1/2, 1/2), or that of a measured law. The prior of the correlation rho is
uniform from 0 to 1/2, an assumption; hands of one brick do not depend on it. The grid of p is evenly spaced in
arcsin(sqrt(p)): there Jeffreys' prior is uniform, and the posterior is about equally wide for any p.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.stats import beta

from brickphys.arrays import Array, Mask
from brickphys.calibration.hands import Hands
from brickphys.errors import InvalidValueError

JEFFREYS = (0.5, 0.5)
MAX_RHO = 0.5
_POINTS = 801
_RHO_POINTS = 81
_ZOOMS = 4
_OPEN = 0.9
"""Data that leave more than this share of the prior spread say almost nothing of a number."""
_NEGLIGIBLE = 25.0
"""Cells whose log density is this far below the maximum are neglected."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """A probability distribution on a grid.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Middles of the cells, ascending.
    weights : ndarray, shape (n,)
        Probabilities of the cells, with sum 1.
    """

    values: Array
    weights: Array

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self.values @ self.weights)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(((self.values - self.mean) ** 2) @ self.weights))

    @property
    def ci95(self) -> tuple[float, float]:
        """Central 95 % interval."""
        return self.quantile(0.025), self.quantile(0.975)

    @property
    def range90(self) -> tuple[float, float]:
        """5th and 95th percentile."""
        return self.quantile(0.05), self.quantile(0.95)

    def is_open(self, before: tuple[float, float]) -> bool:
        """Return whether the data hardly determine the number: its spread is nearly that of its uniform prior.

        Parameters
        ----------
        before
            Ends of the prior.
        """
        return self.sd > _OPEN * (before[1] - before[0]) / sqrt(12)

    def quantile(self, share: float) -> float:
        """Return the value below which the probability is `share`."""
        below = np.cumsum(self.weights) - self.weights / 2
        return float(np.interp(share, below, self.values))


@dataclass(frozen=True, eq=False)
class SharePosterior:
    """Posteriors of the probability of a side and of the correlation in a hand.

    Attributes
    ----------
    p
        Probability of a side.
    rho
        Correlation of bricks in a hand; None if all hands had one brick.
    """

    p: Posterior
    rho: Posterior | None


def share_posterior(hands: Hands, prior: tuple[float, float] = JEFFREYS) -> SharePosterior:
    """Return the posterior of the probability of a side.

    Parameters
    ----------
    hands
        Statistics of two outcomes: sides, and all others.
    prior
        Parameters of the prior beta distribution of p.
    """
    single = len(hands.bricks_above) == 1
    ends, rho_ends = (0.0, np.pi / 2), (0.0, MAX_RHO)
    for _ in range(_ZOOMS):  # each grid covers the part with a density that is not negligible
        angle = middles(*ends, _POINTS)
        rho = np.zeros(1) if single else middles(*rho_ends, _RHO_POINTS)
        density = _log_density(hands, prior, angle, rho)
        kept = density > density.max() - _NEGLIGIBLE
        ends = _around(ends, kept.any(axis=1))
        rho_ends = _around(rho_ends, kept.any(axis=0))
    weights = np.exp(density - density.max())
    weights /= weights.sum()
    p = Posterior(np.sin(angle) ** 2, weights.sum(axis=1))
    return SharePosterior(p, None if single else Posterior(rho, weights.sum(axis=0)))


def middles(low: float, high: float, cells: int) -> Array:
    """Return the middles of `cells` equal cells from `low` to `high`."""
    edges = np.linspace(low, high, cells + 1)
    return np.asarray((edges[1:] + edges[:-1]) / 2)


def _log_density(hands: Hands, prior: tuple[float, float], angle: Array, rho: Array) -> Array:
    """Return the logarithm of the density over angles and correlations, shape (angles, correlations)."""
    p = np.clip(np.sin(angle) ** 2, 1e-15, 1 - 1e-15)
    a, b = (parameter - 0.5 for parameter in prior)
    before = a * np.log(p) + b * np.log1p(-p)
    shares = np.stack([p, 1 - p], axis=-1)[:, None, :]
    return np.asarray(before[:, None] + hands.log_likelihood(shares, rho[None, :]))


def _around(ends: tuple[float, float], kept: Mask) -> tuple[float, float]:
    """Return the ends of the span of the kept cells and one more cell on each side."""
    places = np.flatnonzero(kept)
    edges = np.linspace(*ends, len(kept) + 1)
    return float(edges[max(places[0] - 1, 0)]), float(edges[min(places[-1] + 2, len(kept))])


def beta_of(mean: float, sd: float) -> tuple[float, float]:
    """Return the parameters of the beta distribution with this mean and standard deviation.

    Raises
    ------
    InvalidValueError
        If there is no such distribution.
    """
    if not 0 < mean < 1 or not 0 < sd**2 < mean * (1 - mean):
        raise InvalidValueError(
            f"no beta distribution has mean {mean:g} and standard deviation {sd:g}"
        )
    size = mean * (1 - mean) / sd**2 - 1
    return mean * size, (1 - mean) * size


def two_sided(measured: Posterior, law: tuple[float, float]) -> float:
    """Return the two-sided p-value of equal probabilities: twice the smaller probability that either is larger.

    Parameters
    ----------
    measured
        Posterior from the counts, with Jeffreys' prior.
    law
        Parameters of the beta distribution of the other probability.
    """
    above = float(np.dot(beta.cdf(measured.values, *law), measured.weights))
    return min(1.0, 2 * max(0.0, min(above, 1 - above)))  # rounding may bring it outside
