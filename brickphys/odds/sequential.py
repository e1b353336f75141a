"""Sequential test: Wald's probability ratio test of a mean, which ends a comparison once the data are clear.

The values, such as the points of a pair of games, lie between 0 and 1, and nothing else is known of their distribution.
The generalised test compares the best fitting distributions of both means (Van den Bergh, "A practical introduction to
the GSPRT", 2018).
"""

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    from brickphys.units import Array

UNDECIDED = "undecided"
_UNSEEN = 1e-3
"""How often a value at an end counts that was not seen, so that every mean between the ends is possible."""


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """H0: the mean is `low`; H1: it is `high`."""

    low: float
    high: float
    alpha: float = 0.05
    """Chance to accept H1 where H0 holds."""
    beta: float = 0.05
    """Chance to accept H0 where H1 holds."""

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            raise InvalidValueError(
                f"means {self.low:g} and {self.high:g}: not two numbers between 0 and 1, the smaller first"
            )
        if min(self.alpha, self.beta) <= 0 or max(self.alpha, self.beta) >= 0.5:
            raise InvalidValueError(
                f"error rates {self.alpha:g} and {self.beta:g}: not between 0 and 0.5"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios: H0 is accepted at the first one or below, H1 at the second one or above."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, values: "Array") -> float:
        """Return the log-likelihood ratio of H1 to H0; values have the shape (n,), in 0..1."""
        import numpy as np

        if not len(values):
            return 0.0
        # the sums of shares are not exact: 1/3 + 2/3
        seen, counts = np.unique(np.round(np.append(values, (0.0, 1.0)), 9), return_counts=True)
        weights = counts.astype(float)
        weights[[0, -1]] = np.maximum(weights[[0, -1]] - 1, _UNSEEN)
        return _deviance(seen, weights, self.low) - _deviance(seen, weights, self.high)

    def verdict(self, ratio: float) -> str:
        """Return ``H0``, ``H1`` or ``undecided``."""
        low, high = self.bounds
        return "H0" if ratio <= low else "H1" if ratio >= high else UNDECIDED


def _deviance(seen: "Array", weights: "Array", mean: float) -> float:
    """Return by how much the best fitting distribution of a mean is less likely than the sample, as logarithm.

    Its chances are weights / (1 + t (value - mean)), where t gives it the mean (empirical likelihood, Owen 2001).
    """
    import numpy as np
    from scipy.optimize import brentq

    away = seen - mean

    def pull(t: float) -> float:
        return float((weights * away / (1 + t * away)).sum())

    ends = (-1 / away[-1], -1 / away[0])
    t = brentq(pull, *(end * (1 - 1e-12) for end in ends))
    return float((weights * np.log1p(t * away)).sum())
