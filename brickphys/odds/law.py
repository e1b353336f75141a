"""Laws: what a roll of n bricks scores, and where that is known from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution, check_probability
from brickphys.odds.hand_fit import HandFit, fit_hands
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

    def share_error(self, n: int) -> float:
        """Return the standard error of the share of sides in a hand of `n` bricks, beyond that of `p`."""
        ...

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """The 95 % interval of the correlation between bricks of a hand."""
        ...

    def at(self, q: Fraction, rho: Fraction | None = None) -> "RollLaw":
        """Return this law with the chance of one brick moved to `q`, and the correlation to `rho` if given."""
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

    def share_error(self, n: int) -> float:
        """Return 0: the chance is stated."""
        check_bricks(n)
        return 0.0

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """No width: that bricks are independent is stated."""
        return Fraction(0), Fraction(0)

    def at(self, q: Fraction, rho: Fraction | None = None) -> "BinomialLaw":  # noqa: ARG002 - stated to be 0
        """Return the binomial law of chance `q`."""
        return BinomialLaw(q)


@dataclass(frozen=True)
class Law:
    """A measured law.

    A single brick stops on a side with chance `p`. Of bricks thrown together all measured hands speak at once: one
    share of sides, a compromise between `p` and what the hands show, and the correlation found between bricks of a
    hand, or none where none was found (`brickphys.odds.hand_fit`). A roll of n bricks has the beta-binomial law of
    these two, whether hands of n were measured or not.

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

    @property
    def systematic_range(self) -> tuple[Fraction, Fraction] | None:
        """Where p may lie besides chance, the systematic half-width down and up; None where that was not measured."""
        if self.systematic is None:
            return None
        reach = Fraction(self.systematic.half_width).limit_denominator(10**6)
        return max(Fraction(0), self.p - reach), min(Fraction(1), self.p + reach)

    @cached_property
    def hand_fit(self) -> HandFit:
        """What all measured hands together say of bricks thrown together.

        A combined law has its share and every doubt from bricks thrown at home, and no further hands.
        """
        fit = fit_hands(self.p, self.throws, self.scores, self.overdispersion)
        return replace(fit, share_error=0.0) if self.combined else fit

    def roll(self, n: int) -> Distribution:
        """Return the law of the score of `n` bricks thrown together.

        Raises
        ------
        InvalidValueError
            If `n` is not in 0..60.
        """
        return self._moved_roll(n, Fraction(1), self.hand_fit.rho)

    def extrapolated(self, n: int) -> bool:
        """Whether no hands of `n` bricks were measured."""
        return check_bricks(n) > 1 and n not in self.scores

    def share_error(self, n: int) -> float:
        """Return the standard error of the share of sides in a hand of `n` bricks, beyond that of `p`."""
        return self.hand_fit.share_error if check_bricks(n) > 1 else 0.0

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """The 95 % interval of the correlation between bricks of a hand, without what lies below 0."""
        return self.hand_fit.rho_interval

    def at(self, q: Fraction, rho: Fraction | None = None) -> RollLaw:
        """Return this law with the chance of one brick moved from `p` to `q`, and the correlation to `rho` if given.

        The odds of a single brick change by the factor r = [q / (1 - q)] / [p / (1 - p)], and so do the odds of a brick
        in a hand. Where p or q is 0 or 1 there is no such factor, and the law is binomial.

        Raises
        ------
        InvalidValueError
            If `q` is outside 0..1.
        """
        q = check_probability(q, "q")
        if not (0 < q < 1 and 0 < self.p < 1):
            return BinomialLaw(q)
        return MovedLaw(self, q, self.hand_fit.rho if rho is None else rho)

    def _moved_roll(self, n: int, ratio: Fraction, rho: Fraction) -> Distribution:
        share = self.hand_fit.share if check_bricks(n) > 1 else self.p
        return Distribution.beta_binomial(n, _move_odds(share, ratio), rho)


@dataclass(frozen=True)
class MovedLaw:
    """A measured law with the chance of one brick moved; see `Law.at`.

    Attributes
    ----------
    law
        What was measured, with a chance strictly between 0 and 1.
    p
        The chance of one brick instead, strictly between 0 and 1.
    rho
        The correlation between bricks of a hand.
    """

    law: Law
    p: Fraction
    rho: Fraction

    def roll(self, n: int) -> Distribution:
        """Return the moved law of the score of `n` bricks thrown together."""
        ratio = (self.p / (1 - self.p)) / (self.law.p / (1 - self.law.p))
        return self.law._moved_roll(n, ratio, self.rho)

    def extrapolated(self, n: int) -> bool:
        """Whether no hands of `n` bricks were measured."""
        return self.law.extrapolated(n)

    def share_error(self, n: int) -> float:
        """Return the standard error of the share of sides in a hand of `n` bricks, beyond that of `p`."""
        return self.law.share_error(n)

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """The 95 % interval of the correlation between bricks of a hand, without what lies below 0."""
        return self.law.rho_interval

    def at(self, q: Fraction, rho: Fraction | None = None) -> RollLaw:
        """Return the measured law moved to `q` instead."""
        return self.law.at(q, self.rho if rho is None else rho)


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
