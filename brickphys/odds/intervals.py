"""Intervals: what 95 % means, and Wilson's interval of a share, written once."""

from math import isfinite, sqrt

from brickphys.errors import InvalidValueError

Z95 = 1.959963984540054
"""A normal variable lies within so many standard deviations of its mean in 95 % of cases."""


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share (E. B. Wilson, JASA 22, 1927).

    Half successes, such as drawn games, are allowed: the share then scatters less than that of a coin, and the interval
    is rather too wide than too narrow.

    Raises
    ------
    InvalidValueError
        If there are no trials, or more successes than trials.
    """
    if not 0 <= successes <= trials or trials <= 0:
        raise InvalidValueError(f"{successes} successes of {trials} trials are no share")
    low, high = wilson_of_share(successes / trials, trials)
    return low if successes else 0.0, high if successes < trials else 1.0  # free of rounding


def wilson_of_share(share: float, trials: float, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval of a share seen in so many trials, that reaches `z` standard deviations."""
    if not isfinite(z):  # one hand tells nothing of the scatter between hands
        return 0.0, 1.0
    middle = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    reach = z / (1 + z**2 / trials) * sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)
