"""Roll: the result of one brick roll; counts of hands, their faults, and the correlation of bricks thrown together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, isclose, sqrt
from typing import ClassVar

from brickphys.errors import InvalidValueError
from brickphys.interface import Displayed, Row
from brickphys.odds.distribution import Z95
from brickphys.text import counted, signed

SIDE = "side"
"""The pose that scores (BOW 2.4.1)."""
MAX_BRICKS = 60
"""Most bricks in one roll; a description sheet has room for 12, so a larger number is a typing error."""


def check_bricks(bricks: int, what: str = "bricks") -> int:
    """Return `bricks` if it is a whole number in 0..60, else raise InvalidValueError with the name `what`."""
    if isinstance(bricks, bool) or not isinstance(bricks, int):
        raise InvalidValueError(f"{what}: {bricks!r} is not a whole number")
    if not 0 <= bricks <= MAX_BRICKS:
        raise InvalidValueError(f"{what}: {bricks} is outside 0..{MAX_BRICKS}")
    return bricks


@dataclass(frozen=True, slots=True, repr=False)
class Roll(Displayed):
    """The result of one brick roll.

    Raises InvalidValueError if the score is outside 0..bricks, or disagrees with the poses.
    """

    bricks: int
    """Number of bricks thrown together."""
    score: int
    """Number of bricks on a side."""
    poses: tuple[str, ...] | None = None
    """The pose of each brick, or None if only the score is known."""

    instead: ClassVar = {"hits": "score is the number of bricks on a side"}

    def __post_init__(self) -> None:
        check_bricks(self.bricks)
        if not 0 <= self.score <= self.bricks:
            raise InvalidValueError(f"score {self.score} of {self.bricks} bricks")
        if self.poses is None:
            return
        sides = self.poses.count(SIDE)
        if len(self.poses) != self.bricks or sides != self.score:
            raise InvalidValueError(
                f"{len(self.poses)} poses with {sides} on a side do not make "
                f"score {self.score} of {self.bricks} bricks"
            )

    def line(self) -> str:
        """Return one line: how many bricks, how many score, and their poses if they are known."""
        poses = f" ({', '.join(self.poses)})" if self.poses else ""
        return f"roll of {counted(self.bricks, 'brick')}: score {self.score}{poses}"

    def rows(self) -> list[Row]:
        """Return one row for each brick with its pose; one row for all if only the score is known."""
        if self.poses is None:
            return [{"bricks": self.bricks, "score": self.score}]
        return [{"brick": n, "pose": pose} for n, pose in enumerate(self.poses, start=1)]


def scored(scoring: Sequence[str]) -> str:
    """Return the poses that score in words: ``a side``, or the names of other poses."""
    return "a side" if tuple(scoring) == (SIDE,) else " or ".join(scoring)


def count_faults(
    counts: Mapping[str, int], scores: Mapping[int, tuple[int, ...]], scoring: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield every fault of the counts of a law as (key, fault).

    Parameters
    ----------
    counts
        Pose -> number of bricks, of those thrown one at a time.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    """
    if not scoring or len(set(scoring)) < len(scoring):
        yield "scoring", f"{list(scoring)} are not one or more different poses"
    for pose in scoring:
        if pose not in counts:
            yield f"counts.{pose}", "missing"
    for pose, count in counts.items():
        if count < 0:
            yield f"counts.{pose}", f"{count} is negative"
    if not sum(counts.values()):
        yield "counts", "nothing was thrown"
    for bricks, hands in scores.items():
        yield from _score_faults(bricks, hands)
    sides = sum(counts.get(pose, 0) for pose in scoring)
    single = (sum(counts.values()) - sides, sides)
    if scores.get(1, single) != single:
        yield "scores.1.counts", f"{list(scores[1])} disagree with the poses, {list(single)}"


def _score_faults(bricks: int, hands: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    place = f"scores.{bricks}"
    if not 1 <= bricks <= MAX_BRICKS:
        yield place, f"hands of {bricks} bricks are outside 1..{MAX_BRICKS}"
    elif len(hands) != bricks + 1:
        yield (
            f"{place}.counts",
            f"{len(hands)} counts where {bricks} bricks have {bricks + 1} scores",
        )
    if any(count < 0 for count in hands):
        yield f"{place}.counts", f"{min(hands)} is negative"
    elif not sum(hands):
        yield f"{place}.counts", "nothing was thrown"


SIGNIFICANCE = 0.05
"""Level of the test: independent bricks are called dependent with this probability."""
NOTICEABLE = 0.02
"""A smaller relative change of the score's standard deviation is called too small to notice in play."""
ROUNDING = 1e-9
"""By which results for the same hands may differ: Python adds floats more exactly since 3.12."""


@dataclass(frozen=True)
class Overdispersion:
    """Result of the test of independence of bricks thrown together."""

    rho: float
    """Correlation between any two bricks of a hand, pooled over all hand sizes: Var(score) = K p (1 - p) (1 + (K - 1)
    rho)."""
    ci95: tuple[float, float]
    p_value: float
    """Two-sided p-value under independence."""
    factor: Mapping[int, float]
    """Hand size K -> measured variance over that of independent bricks with the same share of sides."""
    bricks: tuple[int, ...]
    """The hand sizes K of the test."""
    finding: str
    """The conclusion for a game, in a sentence."""

    @property
    def found(self) -> bool:
        """Whether the hands contradict independence."""
        return self.p_value < SIGNIFICANCE

    @property
    def words(self) -> str:
        """The correlation with its 95 % interval; zero has no sign."""
        low, high = (signed(end, 3) for end in self.ci95)
        return f"{signed(self.rho, 3)} ({low} to {high})"

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
        isclose(*pair, rel_tol=ROUNDING, abs_tol=ROUNDING) for pair in zip(*numbers, strict=True)
    )


@dataclass(frozen=True)
class _HandMoments:
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
    weighted by their number of pairs. This is their inverse variance under independence, and it is fixed in advance, so
    the mean is unbiased. The interval follows from the moments of the hands (delta method) and is valid without
    independence too. None is returned unless a hand size of at least 2 has two hands and both sides and other poses
    among them. Raises InvalidValueError if the counts for K bricks are not K + 1 non-negative numbers. `scores` has for
    hand size K the counts of hands that scored 0, 1, ..., K; K = 1 is skipped.
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


def _moments(bricks: int, counts: Sequence[int]) -> _HandMoments | None:
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
    return _HandMoments(bricks, hands, mean / bricks, factor, rho, spread / hands**2)


def _finding(largest: _HandMoments, rho: float, most: float, p_value: float) -> str:
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


HAND_SHIFT = 0.01
"""Expected standard deviation of the difference between the share of sides in hands and that of single bricks.

Differences measured for the three shipped laws of planes: -0.003 on wood, -0.010 on glass, 0.001 on cloth, with
standard errors of 0.002 to 0.005.
"""
_MOST_CLUMPED = 0.99
_DENOMINATOR = 10**6


@dataclass(frozen=True)
class HandFit:
    """The two parameters of the beta-binomial scores of hands of any size."""

    share: Fraction
    """Probability that a brick of a hand stops on a side."""
    share_error: float
    """Its standard error in addition to that of `p`, the probability of a single brick."""
    rho: Fraction
    """Correlation between any two bricks of a hand; 0 if the test of independence finds none."""
    rho_interval: tuple[Fraction, Fraction]
    """Its 95 % interval, cut off at 0."""


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
