"""Distribution: an exact probability distribution over whole numbers, in Fractions; intervals of shares and means.

Intervals are 95 % ones: of a share (Wilson) and of a mean (Student).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd, inf, isfinite, lcm, sqrt
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

from brickphys.errors import InvalidValueError
from brickphys.text import shown

if TYPE_CHECKING:
    import numpy.typing as npt

Result = TypeVar("Result")

Z95 = 1.959963984540054
Z90 = 1.6448536269514722
"""A normal variable is within this number of standard deviations of its mean with a probability of 95 %."""


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share (E. B. Wilson, JASA 22, 1927).

    Half successes, such as drawn games, are allowed. Their variance is less than binomial, so the interval is then
    conservative. Raises InvalidValueError if there are no trials, or more successes than trials.
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


def check_probability(p: Fraction | float, what: str = "p") -> Fraction:
    """Return `p` as a Fraction; InvalidValueError with the name `what` unless it lies in 0..1."""
    if isinstance(p, bool) or not isinstance(p, Real) or not isfinite(p):
        raise InvalidValueError(f"{what}: {shown(p)} is not a number from 0 to 1")
    chance = Fraction(p)
    if not 0 <= chance <= 1:
        raise InvalidValueError(f"{what}: {number_text(chance)} is outside 0..1")
    return chance


def number_text(number: Fraction) -> str:
    """Write a number as a decimal if that says on which side of 0 and 1 it lies; else as a fraction."""
    rounded = f"{float(number):.12g}"
    return str(number) if rounded in ("0", "-0", "1") else rounded


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution(Mapping[int, Fraction]):
    """A mapping outcome -> probability that sums to exactly 1.

    It stores positive integer weights without a common divisor. So equal distributions are equal values, and sums of
    rolls are sums of products of integers; a Fraction is made only when a probability is read. Outcomes of probability
    0 are not stored: looking one up gives KeyError, `probability` gives 0. Raises InvalidValueError if there is no
    outcome, or outcomes or weights are not as described.
    """

    outcomes: tuple[int, ...]
    """Possible outcomes, ascending."""
    weights: tuple[int, ...]
    """Positive and relatively prime integers, one for each outcome. `from_counts` reduces any counts to these."""

    def __post_init__(self) -> None:
        if not self.outcomes or len(self.outcomes) != len(self.weights):
            raise InvalidValueError(
                "a distribution needs at least one outcome, and a weight for each"
            )
        if list(self.outcomes) != sorted(set(self.outcomes)):
            raise InvalidValueError(f"outcomes {self.outcomes} do not ascend")
        if min(self.weights) <= 0 or gcd(*self.weights) != 1:
            raise InvalidValueError("weights must be positive and relatively prime")

    @classmethod
    def from_counts(cls, counts: Mapping[int, int]) -> "Distribution":
        """Return the distribution whose probabilities are the shares of `counts` (outcome -> count).

        Raises InvalidValueError if a count is negative or all are zero.
        """
        if any(count < 0 for count in counts.values()):
            raise InvalidValueError(f"negative count in {dict(counts)}")
        kept = {outcome: counts[outcome] for outcome in sorted(counts) if counts[outcome]}
        if not kept:
            raise InvalidValueError("a distribution needs at least one outcome that was counted")
        divisor = gcd(*kept.values())
        return cls(tuple(kept), tuple(count // divisor for count in kept.values()))

    @classmethod
    def point(cls, outcome: int) -> "Distribution":
        """Return the distribution with one outcome, which is certain."""
        return cls((outcome,), (1,))

    @classmethod
    def binomial(cls, n: int, p: Fraction) -> "Distribution":
        """Return the distribution of the number of successes in `n` independent trials of probability `p`."""
        return cls.beta_binomial(n, p, Fraction(0))

    @classmethod
    def beta_binomial(cls, n: int, p: Fraction, rho: Fraction) -> "Distribution":
        """Return the distribution of the number of successes in `n` equally correlated trials.

        The trials of one hand share a probability. It has a beta distribution with alpha = p (1 - rho) / rho and beta =
        (1 - p) (1 - rho) / rho. Then the correlation of any two trials is `rho`, and the variance is n p (1 - p) (1 +
        (n - 1) rho) (Skellam, J. R. Stat. Soc. B 10, 1948). All factors are multiplied by rho, so that they are
        rational and rho = 0 is no special case. Raises InvalidValueError if a parameter is outside its range.

        Parameters
        ----------
        n
            Number of trials, at least 0.
        p
            Probability of success in a trial, in 0..1.
        rho
            Correlation of two trials, in [0, 1).
        """
        p, rho = check_probability(p), Fraction(rho)
        if n < 0:
            raise InvalidValueError(f"n: {n} is negative")
        if not 0 <= rho < 1:
            raise InvalidValueError(f"rho: {float(rho):g} is outside [0, 1)")
        alpha, beta = p * (1 - rho), (1 - p) * (1 - rho)
        scale = lcm(alpha.denominator, beta.denominator, rho.denominator)
        rises = _rising(int(alpha * scale), int(rho * scale), n)
        falls = _rising(int(beta * scale), int(rho * scale), n)
        return cls.from_counts({k: comb(n, k) * rises[k] * falls[n - k] for k in range(n + 1)})

    def __getitem__(self, outcome: int) -> Fraction:
        at = bisect_left(self.outcomes, outcome)
        if at == len(self.outcomes) or self.outcomes[at] != outcome:
            raise KeyError(outcome)
        return Fraction(self.weights[at], self.total)

    def __iter__(self) -> Iterator[int]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __hash__(self) -> int:
        return hash((self.outcomes, self.weights))

    def __repr__(self) -> str:
        shares = ", ".join(f"{outcome}: {p}" for outcome, p in self.items())
        return f"Distribution({{{shares}}})"

    def __add__(self, other: "Distribution") -> "Distribution":
        """Return the distribution of the sum of two independent draws."""
        sums: dict[int, int] = {}
        for a, weight_a in zip(self.outcomes, self.weights, strict=True):
            for b, weight_b in zip(other.outcomes, other.weights, strict=True):
                sums[a + b] = sums.get(a + b, 0) + weight_a * weight_b
        return Distribution.from_counts(sums)

    @property
    def total(self) -> int:
        """Sum of the weights: the common denominator of the probabilities."""
        return sum(self.weights)

    def probability(self, outcome: int) -> Fraction:
        """Return the probability of `outcome`, 0 if it is not possible."""
        return self.get(outcome, Fraction(0))

    def map(self, function: Callable[[int], int]) -> "Distribution":
        """Return the distribution of ``function(draw)``."""
        images: dict[int, int] = {}
        for outcome, weight in zip(self.outcomes, self.weights, strict=True):
            image = function(outcome)
            images[image] = images.get(image, 0) + weight
        return Distribution.from_counts(images)

    def at_least(self, outcome: int) -> Fraction:
        """Return the probability of `outcome` or more."""
        at = bisect_left(self.outcomes, outcome)
        return Fraction(sum(self.weights[at:]), self.total)

    def exceeds(self, other: "Distribution") -> Fraction:
        """Return the probability that a draw is greater than an independent draw of another distribution."""
        below = [sum(other.weights[: bisect_left(other.outcomes, k)]) for k in self.outcomes]
        wins = sum(weight * less for weight, less in zip(self.weights, below, strict=True))
        return Fraction(wins, self.total * other.total)

    def mean(self) -> Fraction:
        """Return the expected value."""
        moment = sum(k * w for k, w in zip(self.outcomes, self.weights, strict=True))
        return Fraction(moment, self.total)

    def variance(self) -> Fraction:
        """Return the variance."""
        moment = sum(k * k * w for k, w in zip(self.outcomes, self.weights, strict=True))
        return Fraction(moment, self.total) - self.mean() ** 2


def summed(pairs: Iterable[tuple[Result, Fraction]]) -> dict[Result, Fraction]:
    """Return results with their probabilities; those of equal results are added up."""
    law: dict[Result, Fraction] = {}
    for result, chance in pairs:
        law[result] = law.get(result, Fraction(0)) + chance
    return law


def _rising(start: int, step: int, n: int) -> list[int]:
    """Return the products of the first 0, 1, ..., n terms of start, start + step, ..."""
    products = [1]
    for i in range(n):
        products.append(products[-1] * (start + i * step))
    return products


def odds_factor(p: float, other: float) -> float:
    """Return the odds of `other` over those of `p`; 1 if either is 0 or 1, where there are none."""
    if not (0 < p < 1 and 0 < other < 1):
        return 1.0
    return other * (1 - p) / ((1 - other) * p)


def move_odds(p: Fraction, factor: Fraction) -> Fraction:
    """Return the probability whose odds are those of `p` times `factor`."""
    return p * factor / (1 - p + p * factor)
