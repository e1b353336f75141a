"""Hand fit: share of sides and correlation of bricks thrown together, fitted to all measured hands of a law."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from brickphys.odds.distribution import Distribution
from brickphys.odds.intervals import Z95
from brickphys.odds.overdispersion import Overdispersion

HAND_SHIFT = 0.01
"""Expected standard deviation of the difference between the share of sides in hands and that of single bricks.

Differences measured for the three shipped laws of planes: -0.003 on wood, -0.010 on glass, 0.001 on cloth, with
standard errors of 0.002 to 0.005.
"""
_MOST_CLUMPED = 0.99
_DENOMINATOR = 10**6
_LEAST_EXPECTED = 5


@dataclass(frozen=True)
class HandFit:
    """The two parameters of the beta-binomial scores of hands of any size.

    Attributes
    ----------
    share
        Probability that a brick of a hand stops on a side.
    share_error
        Its standard error in addition to that of `p`, the probability of a single brick.
    rho
        Correlation between any two bricks of a hand; 0 if the test of independence finds none.
    rho_interval
        Its 95 % interval, cut off at 0.
    """

    share: Fraction
    share_error: float
    rho: Fraction
    rho_interval: tuple[Fraction, Fraction]


def fit_hands(
    p: Fraction,
    throws: int,
    scores: Mapping[int, Sequence[int]],
    overdispersion: Overdispersion | None,
) -> HandFit:
    """Fit all hands of two bricks and more at once.

    One hand size has few hands and many scores; all sizes together determine two parameters well. The share of sides
    is the mean of `p` and the share in the hands, each weighted by its inverse variance. The variance of `p` as a
    forecast for hands includes `HAND_SHIFT`. If the hands contradict the forecast at 95 %, the squared difference
    replaces that variance.

    Parameters
    ----------
    p
        Share of single bricks that stopped on a side.
    throws
        Number of single bricks.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    overdispersion
        The test of independence of these hands; None if none was made.
    """
    rho = overdispersion.extension if overdispersion else Fraction(0)
    ends = overdispersion.ci95 if overdispersion else (0.0, 0.0)
    low, high = (_rational(min(max(end, 0.0), _MOST_CLUMPED)) for end in ends)
    hands = {bricks: counts for bricks, counts in scores.items() if bricks > 1}
    share, error = _share(p, throws, hands, float(rho))
    return HandFit(share, error, rho, (min(low, rho), max(high, rho)))


def hands_chi2(
    scores: Mapping[int, Sequence[int]], roll: Callable[[int], Distribution]
) -> tuple[float, int]:
    """Return chi2 and its degrees of freedom of all hands of two bricks and more.

    Parameters
    ----------
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    roll
        Law of the score of a number of bricks. Scores that it expects less than five times are pooled.
    """
    total, free = 0.0, 0
    for bricks in sorted(set(scores) - {1}):
        hands, law = sum(scores[bricks]), roll(bricks)
        cells = [(count, hands * float(law[score])) for score, count in enumerate(scores[bricks])]
        rare = [cell for cell in cells if cell[1] < _LEAST_EXPECTED]
        cells = [cell for cell in cells if cell[1] >= _LEAST_EXPECTED]
        if rare:
            cells.append((sum(seen for seen, _ in rare), sum(expected for _, expected in rare)))
        total += sum((seen - expected) ** 2 / expected for seen, expected in cells)
        free += len(cells) - 1
    return total, free


def _share(
    p: Fraction, throws: int, hands: Mapping[int, Sequence[int]], rho: float
) -> tuple[Fraction, float]:
    """Return the share of sides in hands, and its standard error in addition to that of `p`."""
    bricks = sum(k * sum(counts) for k, counts in hands.items())
    if not bricks:
        return p, HAND_SHIFT
    sides = sum(score * n for counts in hands.values() for score, n in enumerate(counts))
    pooled = float(sides + p * throws) / (bricks + throws)
    one = pooled * (1 - pooled)
    own = one / throws
    together = (
        one * sum(sum(counts) * k * (1 + (k - 1) * rho) for k, counts in hands.items()) / bricks**2
    )
    shift = Fraction(sides, bricks) - p
    forecast = own + HAND_SHIFT**2
    if float(shift) ** 2 > Z95**2 * (forecast + together):
        forecast = float(shift) ** 2
    weight = forecast / (forecast + together)
    error = sqrt(max(0.0, weight * together - own))
    return _rational(p + _rational(weight) * shift), error


def _rational(number: float | Fraction) -> Fraction:
    return Fraction(number).limit_denominator(_DENOMINATOR)
