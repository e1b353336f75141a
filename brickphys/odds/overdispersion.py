"""Overdispersion: a test for correlation between bricks thrown together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, isclose, sqrt

from brickphys.errors import InvalidValueError
from brickphys.odds.intervals import Z95

SIGNIFICANCE = 0.05
"""Level of the test: independent bricks are called dependent with this probability."""
NOTICEABLE = 0.02
"""A smaller relative change of the score's standard deviation is called too small to notice in play."""
_ROUNDING = 1e-9
"""By which results for the same hands may differ: Python adds floats more exactly since 3.12."""


@dataclass(frozen=True)
class Overdispersion:
    """Result of the test of independence of bricks thrown together.

    Attributes
    ----------
    rho
        Correlation between any two bricks of a hand, pooled over all hand sizes:
        Var(score) = K p (1 - p) (1 + (K - 1) rho).
    ci95
        Its 95 % interval.
    p_value
        Two-sided p-value under independence.
    factor
        Hand size K -> measured variance over that of independent bricks with the same share of sides.
    bricks
        The hand sizes K of the test.
    finding
        The conclusion for a game, in a sentence.
    """

    rho: float
    ci95: tuple[float, float]
    p_value: float
    factor: Mapping[int, float]
    bricks: tuple[int, ...]
    finding: str

    @property
    def found(self) -> bool:
        """Whether the hands contradict independence."""
        return self.p_value < SIGNIFICANCE

    @property
    def extension(self) -> Fraction:
        """The correlation for the law of any number of bricks: `rho` if a positive one was found, else 0."""
        return Fraction(max(self.rho, 0.0)).limit_denominator(10**6) if self.found else Fraction(0)


def is_same(one: Overdispersion | None, other: Overdispersion | None) -> bool:
    """Tell whether two tests are of the same hands: their numbers differ by no more than rounding."""
    if one is None or other is None:
        return one is other
    if one.bricks != other.bricks:
        return False
    numbers = [(test.rho, *test.ci95, test.p_value, *test.factor.values()) for test in (one, other)]
    return all(
        isclose(*pair, rel_tol=_ROUNDING, abs_tol=_ROUNDING) for pair in zip(*numbers, strict=True)
    )


@dataclass(frozen=True)
class _Hands:
    """The moments of the scores of one hand size."""

    bricks: int
    hands: int
    p: float
    factor: float
    rho: float
    rho_variance: float

    @property
    def pairs(self) -> float:
        """Number of pairs of bricks thrown together: 1 / Var(rho) if bricks are independent."""
        return self.hands * self.bricks * (self.bricks - 1) / 2


def overdispersion(scores: Mapping[int, Sequence[int]]) -> Overdispersion | None:
    """Test whether bricks thrown together are independent.

    Each hand size has a share of sides of its own, since bricks thrown together may stop on a side less or more often
    than a single one; dependence shows only in the variance about that share. The estimates of the hand sizes are
    weighted by their number of pairs. This is their inverse variance under independence, and it is fixed in advance,
    so the mean is unbiased. The interval follows from the moments of the hands (delta method) and is valid without
    independence too.

    Parameters
    ----------
    scores
        Hand size K -> counts of hands that scored 0, 1, ..., K. K = 1 is skipped.

    Returns
    -------
    Overdispersion or None
        None unless a hand size of at least 2 has two hands and both sides and other poses among them.

    Raises
    ------
    InvalidValueError
        If the counts for K bricks are not K + 1 non-negative numbers.
    """
    measured = [_moments(k, scores[k]) for k in sorted(scores) if k >= 2]
    sizes = [hands for hands in measured if hands is not None]
    if not sizes:
        return None
    pairs = sum(hands.pairs for hands in sizes)
    rho = sum(hands.pairs * hands.rho for hands in sizes) / pairs
    error = sqrt(sum(hands.pairs**2 * hands.rho_variance for hands in sizes)) / pairs
    p_value = erfc(abs(rho) * sqrt(pairs) / sqrt(2))
    return Overdispersion(
        rho=rho,
        ci95=(rho - Z95 * error, rho + Z95 * error),
        p_value=p_value,
        factor={hands.bricks: hands.factor for hands in sizes},
        bricks=tuple(hands.bricks for hands in sizes),
        finding=_finding(sizes[-1], rho, abs(rho) + Z95 * error, p_value),
    )


def _moments(bricks: int, counts: Sequence[int]) -> _Hands | None:
    if len(counts) != bricks + 1 or min(counts) < 0:
        raise InvalidValueError(f"scores of {bricks} bricks: {list(counts)} are not K + 1 counts")
    hands, sides = sum(counts), sum(score * count for score, count in enumerate(counts))
    if hands < 2 or not 0 < sides < bricks * hands:
        return None
    mean = sides / hands
    squares = [(score - mean) ** 2 for score in range(bricks + 1)]
    variance = sum(n * square for n, square in zip(counts, squares, strict=True)) / (hands - 1)
    independent = mean * (1 - mean / bricks)
    # The influence of one hand on rho, through the variance and through p in the denominator.
    slope = variance * (1 - 2 * mean / bricks) / independent
    influence = [
        (square - variance - slope * (score - mean)) / (independent * (bricks - 1))
        for score, square in enumerate(squares)
    ]
    spread = sum(count * i * i for count, i in zip(counts, influence, strict=True))
    factor = variance / independent
    rho = (factor - 1) / (bricks - 1)
    return _Hands(bricks, hands, mean / bricks, factor, rho, spread / hands**2)


def _finding(largest: _Hands, rho: float, most: float, p_value: float) -> str:
    independent = sqrt(largest.bricks * largest.p * (1 - largest.p))
    actual = independent * sqrt(max(0.0, 1 + (largest.bricks - 1) * rho))
    figures = f"{largest.bricks} bricks: standard deviation {actual:.3f} instead of {independent:.3f} sides"
    if p_value >= SIGNIFICANCE:
        return f"{figures}; a correlation is not shown, at most {most:.2g}; treat bricks as independent"
    if abs(actual / independent - 1) < NOTICEABLE:
        return f"{figures}, real but too small to notice; treat bricks as independent"
    if rho > 0:
        return f"{figures}; bricks thrown together score alike: very good and very bad rolls are more common"
    return f"{figures}; bricks thrown together score differently: very good and very bad rolls are rarer"
