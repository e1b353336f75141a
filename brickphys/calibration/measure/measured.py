"""Measured: numbers with their errors, as distributions that can be drawn from; friction from angles of a tilted board.

The error of a mean follows the Guide to the Expression of Uncertainty in Measurement, supplement 1 (JCGM 101:2008): the
scatter of the repetitions (Student's t) and the reading error that all of them share (uniform) are propagated as
distributions. Welch and Satterthwaite's degrees of freedom would make the intervals of three repetitions too narrow.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit
from scipy.stats import chi2

from brickphys.calibration.posterior import middles
from brickphys.errors import InvalidValueError
from brickphys.units import Array

_GRID, _REACH = 201, 5.0
"""Points of the distribution of a mean, and how far they reach in standard deviations of a normal one."""
_OFFSETS = 16


class Quantity(ABC):
    """A number that is not known exactly, as a distribution."""

    @abstractmethod
    def below(self, value: float) -> float:
        """Return the probability of numbers below a value."""

    @abstractmethod
    def quantiles(self, shares: Array) -> Array:
        """Return the values below which the probability is each of `shares`."""

    @property
    def ci95(self) -> tuple[float, float]:
        """Central 95 % interval."""
        low, high = self.quantiles(np.array([0.025, 0.975]))
        return float(low), float(high)

    def draws(self, uniforms: Array, low: float, high: float) -> Array:
        """Return a value for each uniform number, from the part of the distribution between `low` and `high`."""
        first, last = self.below(low), self.below(high)
        return np.clip(self.quantiles(first + uniforms * (last - first)), low, high)


@dataclass(frozen=True)
class Uniform(Quantity):
    """A number that was not measured: any value of a range is equally likely."""

    low: float
    high: float

    def below(self, value: float) -> float:
        if self.low == self.high:
            return float(value > self.low)
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def quantiles(self, shares: Array) -> Array:
        return np.asarray(self.low + shares * (self.high - self.low))


@dataclass(frozen=True)
class Part(Quantity):
    """A part of another number; any share of a range is equally likely."""

    whole: Quantity
    low: float
    high: float

    def below(self, value: float) -> float:
        return float(np.mean(self._values < value))

    def quantiles(self, shares: Array) -> Array:
        return np.asarray(np.quantile(self._values, shares))

    @cached_property
    def _values(self) -> Array:
        wholes = self.whole.quantiles(middles(0.0, 1.0, _GRID))
        return np.outer(middles(self.low, self.high, _GRID), wholes)


@dataclass(frozen=True)
class Mean(Quantity):
    """The mean of repetitions: Student's t distribution, convolved with the uniform one of the reading error."""

    value: float
    sd: float
    """Its standard error by the scatter of the repetitions."""
    freedom: int
    """Degrees of freedom of that."""
    error: float
    """Greatest error of reading, which all repetitions share."""

    def below(self, value: float) -> float:
        return float(self._below(np.array([value]))[0])

    def quantiles(self, shares: Array) -> Array:
        wide = ndtr(np.linspace(-_REACH, _REACH, _GRID))
        grid = self.value + self.sd * stdtrit(self.freedom, wide) + self.error * (2 * wide - 1)
        return np.interp(shares, self._below(grid), grid)

    def _below(self, values: Array) -> Array:
        away = values - self.value
        if self.sd == 0:
            return np.clip((away / self.error + 1) / 2, 0.0, 1.0)
        offsets = self.error * middles(-1.0, 1.0, _OFFSETS)
        return np.asarray(stdtr(self.freedom, (away[:, None] - offsets) / self.sd).mean(axis=1))


@dataclass(frozen=True)
class RootMeanSquare(Quantity):
    """The root mean square of a normal number with mean 0.

    The sum of squares over the true mean square has a chi-squared distribution; the prior of the root mean square is
    uniform in its logarithm.
    """

    value: float
    """Root of the mean of the squares."""
    freedom: float
    """Number of squares, reduced by the error of the scale."""

    def below(self, value: float) -> float:
        return float(chi2.sf(self.freedom * (self.value / value) ** 2, self.freedom))

    def quantiles(self, shares: Array) -> Array:
        return np.asarray(self.value * np.sqrt(self.freedom / chi2.isf(shares, self.freedom)))


def mean_of(readings: Sequence[float], error: float, what: str) -> Mean:
    """Return the mean of repetitions.

    Raises InvalidValueError if there are fewer than two readings, or if they are all equal and have no reading error.
    They share an error up to `error`; messages name them by `what`.
    """
    count = len(readings)
    if count < 2:
        raise InvalidValueError(f"{what}: {count} of them; an interval needs at least 2")
    sd = float(np.std(readings, ddof=1)) / math.sqrt(count) if np.ptp(readings) > 0 else 0.0
    if sd == error == 0:
        raise InvalidValueError(
            f"{what}: all are equal and the reading error is 0, which leaves no error to state"
        )
    return Mean(float(np.mean(readings)), sd, count - 1, error)


def rms_of(lengths: Sequence[float], axes: int, relative_sd: float, what: str) -> RootMeanSquare:
    """Return the root mean square an axis of vectors whose lengths are known.

    Raises InvalidValueError if there are fewer than two lengths, or if all are 0. Each length is made up of so many
    axes, whose numbers are independent, normal and alike. All lengths share an error with a relative standard
    deviation.
    """
    count = axes * len(lengths)
    if len(lengths) < 2:
        raise InvalidValueError(f"{what}: {len(lengths)} of them; an interval needs at least 2")
    value = math.sqrt(float(np.square(lengths).sum()) / count)
    if value == 0:
        raise InvalidValueError(f"{what}: all are 0")
    # the relative variance of the root mean square of n squares is about 1 / 2n
    return RootMeanSquare(value, 1 / (1 / count + 2 * relative_sd**2))


MAX_ANGLE_DEG = 80.0
"""Greatest angle with its error: friction 5.7, far above that of any table. A brick tips over before it."""
MAX_ERROR_DEG = 20.0


@dataclass(frozen=True)
class TiltTest:
    """Angles of a board at which a brick slides.

    Raises InvalidValueError if there are fewer than two angles, an angle is not between 0 and 90, the error is outside
    0 to 20 degrees, an angle with its error is above `MAX_ANGLE_DEG`, or the interval of the friction reaches above its
    tangent or below 0.
    """

    angles_deg: tuple[float, ...]
    """Angles to the horizontal, one for each repetition."""
    error_deg: float
    """Greatest error of reading that all angles share (a table that is not level, a crooked protractor); uniform."""

    def __post_init__(self) -> None:
        for angle in self.angles_deg:
            if not 0 < angle < 90:
                raise InvalidValueError(
                    f"angle {angle:g} is not between 0 and 90 degrees: no body begins to slide there"
                )
        if not 0 <= self.error_deg <= MAX_ERROR_DEG:
            raise InvalidValueError(
                f"error {self.error_deg:g} is outside 0 to {MAX_ERROR_DEG:g} degrees"
            )
        steepest = max(self.angles_deg, default=0.0)
        if steepest + self.error_deg > MAX_ANGLE_DEG:
            raise InvalidValueError(
                f"angle {steepest:g} with its error of {self.error_deg:g} is above {MAX_ANGLE_DEG:g} degrees: there a "
                "body tips over, it does not slide"
            )
        low, high = self.friction.ci95
        most = math.tan(math.radians(MAX_ANGLE_DEG))
        if not 0 <= low < high <= most:
            raise InvalidValueError(
                f"friction {low:.2g} to {high:.2g} (95 % interval) reaches outside 0 to {most:.2g}: the angles are too "
                "few for their scatter and error; repeat the test"
            )

    @cached_property
    def friction(self) -> Mean:
        """Coefficient of friction: the mean tangent of the angles (Coulomb)."""
        tangents = [math.tan(math.radians(angle)) for angle in self.angles_deg]
        steepness = sum(1 + tangent**2 for tangent in tangents) / max(len(tangents), 1)
        return mean_of(tangents, steepness * math.radians(self.error_deg), "angles")
