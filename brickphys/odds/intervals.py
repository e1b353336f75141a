"""Intervals: 95 % intervals of a share (Wilson) and of a mean (Student)."""

from collections.abc import Sequence
from math import inf, isfinite, sqrt
from typing import TYPE_CHECKING, Any

from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    import numpy.typing as npt

Z95 = 1.959963984540054
Z90 = 1.6448536269514722
"""A normal variable is within this number of standard deviations of its mean with a probability of 95 %."""


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share (E. B. Wilson, JASA 22, 1927).

    Half successes, such as drawn games, are allowed. Their variance is less than binomial, so the interval is then
    conservative.

    Raises
    ------
    InvalidValueError
        If there are no trials, or more successes than trials.
    """
    if not 0 <= successes <= trials or trials <= 0:
        raise InvalidValueError(f"{successes} successes of {trials} trials are not a share")
    low, high = wilson_of_share(successes / trials, trials)
    return low if successes else 0.0, high if successes < trials else 1.0  # free of rounding


def wilson_of_share(share: float, trials: float, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval of `z` standard deviations for a share observed in `trials` trials."""
    if not isfinite(z):  # one hand does not determine the variance between hands
        return 0.0, 1.0
    middle = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    reach = z / (1 + z**2 / trials) * sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def mean_interval(
    values: "Sequence[float] | npt.NDArray[Any]",
) -> tuple[float, float, float]:
    """Return the mean of a sample and the ends of its 95 % interval by Student's distribution.

    The interval of a single value is infinite.
    """
    import numpy as np
    from scipy.special import stdtrit

    sample = np.asarray(values, dtype=np.float64)
    mean = float(sample.mean())
    if len(sample) < 2:
        return mean, -inf, inf
    reach = float(stdtrit(len(sample) - 1, 0.975) * sample.std(ddof=1) / sqrt(len(sample)))
    return mean, mean - reach, mean + reach
