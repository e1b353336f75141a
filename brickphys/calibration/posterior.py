"""Posterior: what counts say of the chance of a side, when bricks of one hand may be alike.

On a grid of p and of the correlation rho. The prior of p is Jeffreys' beta law (1/2, 1/2), or that of a measured law;
that of rho is uniform from 0 to a half: an assumption, which hands of one brick do not need. Evenly spaced in
arcsin(sqrt(p)) the grid is as fine at the ends as in the middle, and Jeffreys' law is flat on it.
"""

from dataclasses import dataclass

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
_NEGLIGIBLE = 25.0
"""Where the logarithm of the density lies so far below its greatest value, there is nothing of it."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """A chance as a probability law on a grid.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Ascending.
    weights : ndarray, shape (n,)
        Adding up to 1; each belongs to the cell around its value.
    """

    values: Array
    weights: Array

    @property
    def mean(self) -> float:
        """The expected value."""
        return float(self.values @ self.weights)

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(((self.values - self.mean) ** 2) @ self.weights))

    @property
    def ci95(self) -> tuple[float, float]:
        """The interval with 2.5 % on either side of it."""
        return self.quantile(0.025), self.quantile(0.975)

    def quantile(self, share: float) -> float:
        """Return the value that has so much of the probability below it."""
        below = np.cumsum(self.weights) - self.weights / 2
        return float(np.interp(share, below, self.values))


@dataclass(frozen=True, eq=False)
class SharePosterior:
    """What counts say of p and, if there were hands of several bricks, of the correlation in a hand.

    Attributes
    ----------
    p
        Chance of a side.
    rho
        Correlation of the bricks of one hand; None where every hand was one brick.
    """

    p: Posterior
    rho: Posterior | None


def share_posterior(hands: Hands, prior: tuple[float, float] = JEFFREYS) -> SharePosterior:
    """Return what hands say of the chance of a side.

    Parameters
    ----------
    hands
        Bricks on a side, and all others.
    prior
        Both parameters of the beta law of p before.
    """
    single = len(hands.bricks_above) == 1
    ends, rho_ends = (0.0, np.pi / 2), (0.0, MAX_RHO)
    for _ in range(_ZOOMS):  # each time on the part where there is anything
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
    """Return the middles of equal cells."""
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
    """Return the ends of the cells that are kept, and of one more on either side."""
    places = np.flatnonzero(kept)
    edges = np.linspace(*ends, len(kept) + 1)
    return float(edges[max(places[0] - 1, 0)]), float(edges[min(places[-1] + 2, len(kept))])


def beta_of(mean: float, sd: float) -> tuple[float, float]:
    """Return the parameters of the beta law with this mean and standard deviation.

    Raises
    ------
    InvalidValueError
        If no beta law is so wide.
    """
    if not 0 < mean < 1 or not 0 < sd**2 < mean * (1 - mean):
        raise InvalidValueError(f"no beta law has the mean {mean:g} and the deviation {sd:g}")
    size = mean * (1 - mean) / sd**2 - 1
    return mean * size, (1 - mean) * size


def two_sided(measured: Posterior, law: tuple[float, float]) -> float:
    """Return the p-value of one chance behind both: twice the smaller probability that either is the larger.

    Parameters
    ----------
    measured
        What the counts say, with Jeffreys' prior.
    law
        Parameters of the beta law of the other chance.
    """
    above = float(np.dot(beta.cdf(measured.values, *law), measured.weights))
    return min(1.0, 2 * min(above, 1 - above))
