"""Hand fit: what all measured hands of a law together say of bricks thrown together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from brickphys.odds.intervals import Z95
from brickphys.odds.overdispersion import Overdispersion

HAND_SHIFT = 0.01
"""How far the share of sides in a hand may be expected to lie from that of single bricks, as a standard deviation.

Measured on the three laws of planes that ship: -0.006 on wood, -0.010 on glass, -0.001 on cloth, each to 0.001 to
0.004.
"""
_MOST_CLUMPED = 0.99
_DENOMINATOR = 10**6


@dataclass(frozen=True)
class HandFit:
    """Two numbers that say what hands of any size score: a beta-binomial law has no more.

    Attributes
    ----------
    share
        Chance that a brick of a hand stops on a side.
    share_error
        Its standard error beyond that of `p`, the chance of a single brick.
    rho
        Correlation between any two bricks of a hand; 0 where the hands do not show one.
    rho_interval
        Its 95 % interval, without what lies below 0.
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

    A single size has few hands, and its histogram as many free numbers as scores; all sizes together know two numbers
    well. The share of sides is a compromise between `p` and the hands' own share, each weighted by its inverse
    variance; that of `p` as a forecast of the hands includes `HAND_SHIFT`. Hands that contradict the forecast show how
    far it is out, and speak for themselves.

    Parameters
    ----------
    p
        Share of single bricks that stopped on a side.
    throws
        How many single bricks there were.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    overdispersion
        The test of independence of these hands, None where there was none.
    """
    rho = overdispersion.extension if overdispersion else Fraction(0)
    ends = overdispersion.ci95 if overdispersion else (0.0, 0.0)
    low, high = (_rational(min(max(end, 0.0), _MOST_CLUMPED)) for end in ends)
    hands = {bricks: counts for bricks, counts in scores.items() if bricks > 1}
    share, error = _share(p, throws, hands, float(rho))
    return HandFit(share, error, rho, (min(low, rho), max(high, rho)))


def _share(
    p: Fraction, throws: int, hands: Mapping[int, Sequence[int]], rho: float
) -> tuple[Fraction, float]:
    """Return the share of sides in hands, and its standard error beyond that of `p`."""
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
