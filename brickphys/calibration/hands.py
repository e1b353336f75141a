"""Hands: the likelihood of the poses of hands of bricks, with correlation between bricks of a hand.

The bricks of a hand share the probabilities of the poses. These have a Dirichlet distribution, whose mean is the
shares of the poses, and whose width is the correlation rho of any two bricks (Mosimann, Biometrika 49, 1962). With two
outcomes this is the beta-binomial distribution of `odds.distribution`; at rho = 0 bricks are independent. The
likelihood depends on the counts only through the number of hands with more than j bricks of an outcome, for j = 0, 1,
...
"""

from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array, Counts
from brickphys.calibration.home_counts import HomeCounts

_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Hands:
    """Sufficient statistics of the likelihood of hands.

    Attributes
    ----------
    above : ndarray of int, shape (outcomes, J)
        Number of hands with more than j bricks in an outcome, j = 0 .. J - 1.
    bricks_above : ndarray of int, shape (J,)
        Number of hands with more than j bricks.
    """

    above: Counts
    bricks_above: Counts

    def log_likelihood(self, shares: Array, rho: Array | float) -> Array:
        """Return the logarithm of the likelihood, up to a constant.

        Parameters
        ----------
        shares : ndarray, shape (..., outcomes)
            Probabilities of the outcomes, with sum 1.
        rho : ndarray, shape (...), or float
            Correlation of the bricks of one hand, in [0, 1).
        """
        rho = np.asarray(rho, dtype=np.float64)
        total = np.zeros(np.broadcast_shapes(shares.shape[:-1], rho.shape))
        for j, hands in enumerate(self.bricks_above):
            for outcome, times in enumerate(self.above[:, j]):
                if times:
                    chance = shares[..., outcome] * (1 - rho) + j * rho
                    total += times * np.log(np.maximum(chance, _TINY))
            total -= hands * np.log(1 - rho + j * rho)
        return total


def hands_of(outcomes: Counts, times: Counts | None = None) -> Hands:
    """Return the statistics of hands.

    Parameters
    ----------
    outcomes : ndarray of int, shape (n, outcomes)
        Number of bricks in each outcome.
    times : ndarray of int, shape (n,) or None
        Number of hands that each row stands for; one each if None.
    """
    bricks = outcomes.sum(axis=1)
    times = np.ones_like(bricks) if times is None else times
    j = np.arange(int(bricks.max()))
    above = np.tensordot(times, outcomes[:, :, None] > j, axes=1)
    return Hands(above, times @ (bricks[:, None] > j))


def side_hands(counts: HomeCounts) -> Hands:
    """Return the statistics of two outcomes: bricks on a side, and all others."""
    return hands_of(np.column_stack([counts.score, counts.bricks - counts.score]), counts.times)
