"""Laws: what a roll of n bricks scores, and where that is known from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Protocol

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution, check_probability
from brickphys.odds.intervals import Z95
from brickphys.odds.overdispersion import Overdispersion
from brickphys.odds.provenance import Combined, LawConditions, LawSurface, Systematic
from brickphys.odds.roll import MAX_BRICKS, SIDE, check_bricks


class RollLaw(Protocol):
    """What the odds need to know of a law."""

    @property
    def p(self) -> Fraction:
        """The chance that one brick stops on a side."""
        ...

    def roll(self, n: int) -> Distribution:
        """Return the law of the score of `n` bricks thrown together."""
        ...

    def extrapolated(self, n: int) -> bool:
        """Whether the law of `n` bricks is an extension of what was measured."""
        ...

    def hands(self, n: int) -> int | None:
        """Return how many hands of `n` bricks were measured, None where the law rests on none."""
        ...

    def share_error(self, n: int) -> float:
        """Return the standard error of what an extended law of `n` bricks rests on besides `p`; 0 if nothing."""
        ...

    def at(self, q: Fraction) -> "RollLaw":
        """Return this law with the chance of one brick moved from `p` to `q`."""
        ...


@dataclass(frozen=True)
class BinomialLaw:
    """Independent bricks with a chance that somebody states.

    Attributes
    ----------
    p
        Chance that a brick stops on a side.

    Raises
    ------
    InvalidValueError
        If `p` is outside 0..1.
    """

    p: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", check_probability(self.p))

    def roll(self, n: int) -> Distribution:
        """Return the binomial law of `n` bricks."""
        return Distribution.binomial(check_bricks(n), self.p)

    def extrapolated(self, n: int) -> bool:
        """Return False: the law is stated for every number of bricks."""
        check_bricks(n)
        return False

    def hands(self, n: int) -> None:
        """Return None: nothing was measured."""
        check_bricks(n)

    def share_error(self, n: int) -> float:
        """Return 0: the chance is stated."""
        check_bricks(n)
        return 0.0

    def at(self, q: Fraction) -> "BinomialLaw":
        """Return the binomial law of chance `q`."""
        return BinomialLaw(q)


@dataclass(frozen=True)
class Law:
    """A measured law.

    A roll of n bricks has the distribution that was measured with n bricks thrown together. Where that was not
    measured, it is extended: with `p` if the largest measured hand agrees with it, else with that hand's share of
    sides (bricks in a hand need not stop like a single one); with the fitted correlation where one was found, binomial
    where none was.

    Attributes
    ----------
    counts
        Pose -> how many of the bricks thrown one at a time.
    ci95
        Wilson interval of `p`.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    shape, surface, conditions, engine, versions, seed
        What was thrown, on what, how, by which engine, with which versions (name -> version) and root seed.
    hands_engine
        The engine that threw hands of several bricks; None where there are none.
    overdispersion
        Test of independence of bricks thrown together; None where it was not made.
    systematic
        Doubt from friction, restitution, geometry and throw; None where it was not measured.
    complete
        Whether the calibration reached its aim.
    command
        The command that made the law.
    validation
        Further checks that the law has passed, free in form, JSON values only.
    combined
        The throws at home and the law that this one combines; None for a law that was only measured. The counts are
        then as many throws as would know p as well as both together do, and the interval holds every doubt.

    Raises
    ------
    InvalidValueError
        If the counts do not add up; the message lists every fault.
    """

    counts: Mapping[str, int]
    ci95: tuple[float, float]
    scores: Mapping[int, tuple[int, ...]]
    shape: str
    surface: LawSurface
    conditions: LawConditions
    engine: str
    versions: Mapping[str, str]
    seed: int
    overdispersion: Overdispersion | None = None
    systematic: Systematic | None = None
    hands_engine: str | None = None
    complete: bool = True
    command: str = ""
    validation: Mapping[str, object] | None = None
    combined: Combined | None = None

    def __post_init__(self) -> None:
        faults = [f"{place}: {what}" for place, what in count_faults(self.counts, self.scores)]
        if not faults and not 0 <= self.ci95[0] <= self.p <= self.ci95[1] <= 1:
            faults.append(f"ci95: {self.ci95} is no interval around p = {float(self.p):g}")
        if faults:
            raise InvalidValueError("; ".join(faults))

    @property
    def throws(self) -> int:
        """How many bricks were thrown one at a time."""
        return sum(self.counts.values())

    @property
    def p(self) -> Fraction:
        """The share of bricks thrown one at a time that stopped on a side."""
        return Fraction(self.counts[SIDE], self.throws)

    def roll(self, n: int) -> Distribution:
        """Return the law of the score of `n` bricks thrown together, measured or extended.

        Raises
        ------
        InvalidValueError
            If `n` is not in 0..60.
        """
        return self._moved_roll(n, Fraction(1))

    def extrapolated(self, n: int) -> bool:
        """Whether no hands of `n` bricks were measured."""
        return check_bricks(n) > 1 and n not in self.scores

    def hands(self, n: int) -> int | None:
        """Return how many hands of `n` bricks were measured, None where the law is extended."""
        if check_bricks(n) == 1:
            return self.throws
        return sum(self.scores[n]) if n in self.scores else None

    def at(self, q: Fraction) -> "RollLaw":
        """Return this law with the chance of one brick moved from `p` to `q`.

        The odds of a single brick change by the factor r = [q / (1 - q)] / [p / (1 - p)]. Measured distributions are
        tilted, each score's weight multiplied by r ** score, which keeps their shape; where the law is extended, the
        odds of its share of sides change by r. Where p or q is 0 or 1 there is no such factor and no shape
        left, and the law is binomial.

        Raises
        ------
        InvalidValueError
            If `q` is outside 0..1.
        """
        q = check_probability(q, "q")
        return MovedLaw(self, q) if 0 < q < 1 and 0 < self.p < 1 else BinomialLaw(q)

    def _moved_roll(self, n: int, ratio: Fraction) -> Distribution:
        if check_bricks(n) == 0:
            return Distribution.point(0)
        if self.extrapolated(n):
            rho = self.overdispersion.extension if self.overdispersion else Fraction(0)
            return Distribution.beta_binomial(n, _move_odds(self._share_in_hand(), ratio), rho)
        counts = (self.throws - self.counts[SIDE], self.counts[SIDE])
        return Distribution.from_counts(dict(enumerate(self.scores.get(n, counts)))).tilt(ratio)

    def share_error(self, n: int) -> float:
        """Return the standard error of the share in a hand on which the extension to `n` bricks rests.

        It is 0 where hands of `n` were measured, and where the extension rests on `p` alone.
        """
        if not self.extrapolated(n) or self._share_in_hand() == self.p:
            return 0.0
        return self._largest_hand()[1]

    def _largest_hand(self) -> tuple[Fraction, float]:
        """Return the share of sides in the largest measured hand, and its standard error."""
        largest = max(self.scores)
        scores = Distribution.from_counts(dict(enumerate(self.scores[largest])))
        error = sqrt(scores.variance() / sum(self.scores[largest])) / largest
        return scores.mean() / largest, error

    def _share_in_hand(self) -> Fraction:
        if max(self.scores, default=1) == 1:
            return self.p
        share, error = self._largest_hand()
        own = float(self.p * (1 - self.p)) / self.throws
        agrees = abs(float(share - self.p)) <= Z95 * sqrt(error**2 + own)
        return self.p if agrees else share


@dataclass(frozen=True)
class MovedLaw:
    """A measured law with the chance of one brick moved; see `Law.at`.

    Attributes
    ----------
    law
        What was measured, with a chance strictly between 0 and 1.
    p
        The chance of one brick instead, strictly between 0 and 1.
    """

    law: Law
    p: Fraction

    def roll(self, n: int) -> Distribution:
        """Return the moved law of the score of `n` bricks thrown together."""
        ratio = (self.p / (1 - self.p)) / (self.law.p / (1 - self.law.p))
        return self.law._moved_roll(n, ratio)

    def extrapolated(self, n: int) -> bool:
        """Whether no hands of `n` bricks were measured."""
        return self.law.extrapolated(n)

    def hands(self, n: int) -> int | None:
        """Return how many hands of `n` bricks were measured, None where the law is extended."""
        return self.law.hands(n)

    def share_error(self, n: int) -> float:
        """Return the standard error of what an extended law of `n` bricks rests on besides `p`."""
        return self.law.share_error(n)

    def at(self, q: Fraction) -> RollLaw:
        """Return the measured law moved to `q` instead."""
        return self.law.at(q)


def count_faults(
    counts: Mapping[str, int], scores: Mapping[int, tuple[int, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield every fault of the counts of a law as (place, what is wrong).

    Parameters
    ----------
    counts
        Pose -> how many of the bricks thrown one at a time.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    """
    if SIDE not in counts:
        yield f"counts.{SIDE}", "missing"
    for pose, count in counts.items():
        if count < 0:
            yield f"counts.{pose}", f"{count} is negative"
    if not sum(counts.values()):
        yield "counts", "nothing was thrown"
    for bricks, hands in scores.items():
        yield from _score_faults(bricks, hands)
    single = (sum(counts.values()) - counts.get(SIDE, 0), counts.get(SIDE, 0))
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


def _move_odds(p: Fraction, ratio: Fraction) -> Fraction:
    """Return the chance whose odds are those of `p` times `ratio`."""
    return p * ratio / (1 - p + p * ratio)
