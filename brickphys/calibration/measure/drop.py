"""Drop: restitution from heights of rebound, or from times between impacts.

A body that rebounds without spin leaves the table with e times the speed of impact. It reaches e^2 times the height
from which it fell, and its flights last e times as long from one to the next.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from brickphys.calibration.measure.measured import Mean, mean_of
from brickphys.errors import InvalidValueError
from brickphys.units import GRAVITY_M_S2

MAX_HEIGHT_MM = 5000.0
_ROUNDING = 1e-9
MAX_FLIGHT_S = 2.0


@dataclass(frozen=True)
class DropTest:
    """Restitution of each bounce of each drop.

    Attributes
    ----------
    restitution
        One for each bounce, drop by drop.
    error
        Greatest error of reading that all bounces share.

    Raises
    ------
    InvalidValueError
        If a restitution is outside 0 to 1, or there are fewer than two drops, or bounces of a single drop.
    """

    restitution: tuple[tuple[float, ...], ...]
    error: float

    def __post_init__(self) -> None:
        for drop in self.restitution:
            for value in drop or (math.nan,):
                if not 0 < value <= 1:
                    raise InvalidValueError(f"restitution {value:g} is outside 0 to 1")
        if not 0 <= self.error <= 1:
            raise InvalidValueError(f"error {self.error:g} of restitution is outside 0 to 1")
        _ = self.mean

    @cached_property
    def mean(self) -> Mean:
        """Restitution; the repetitions are the means of the drops, or else the bounces of the only drop."""
        drops = self.restitution
        if len(drops) == 1:
            return mean_of(drops[0], self.error, "bounces of a single drop")
        return mean_of([sum(drop) / len(drop) for drop in drops], self.error, "drops")


def drop_of_heights(
    height_mm: float, rebounds_mm: Sequence[Sequence[float]], error_mm: float
) -> DropTest:
    """Return the restitution of drops whose heights of rebound were read.

    Parameters
    ----------
    height_mm
        Height from which the lowest point of the body falls.
    rebounds_mm
        For each drop, the height of each rebound of that point, in their order.
    error_mm
        Greatest error of reading; uniform.

    Raises
    ------
    InvalidValueError
        If a height is not positive, or higher than the one before it.
    """
    readings = []
    for rebounds in rebounds_mm:
        heights = (height_mm, *rebounds)
        _check("height", heights, MAX_HEIGHT_MM, "mm", error_mm)
        speeds = [math.sqrt(height) for height in heights]
        readings.append((speeds, [error_mm / (2 * height) for height in heights]))
    return _drop_test(readings)


def drop_of_times(
    times_s: Sequence[Sequence[float]],
    error_ms: float,
    height_mm: float | None = None,
    error_mm: float = 0.0,
) -> DropTest:
    """Return the restitution of drops whose impacts were timed.

    Parameters
    ----------
    times_s
        For each drop, the times from impact to impact, in their order.
    error_ms
        Greatest error of a time; uniform.
    height_mm
        Height of the drops, from which the first impact follows; without it, that bounce is not used.
    error_mm
        Greatest error of the height; uniform.

    Raises
    ------
    InvalidValueError
        If a time is not positive or longer than the one before, or a drop has too few of them.
    """
    fall: tuple[float, ...] = ()
    fall_error: tuple[float, ...] = ()
    if height_mm is not None:
        _check("height", (height_mm,), MAX_HEIGHT_MM, "mm", error_mm)
        # a body that rebounded with e = 1 would fly for twice the time of its fall
        fall = (2 * math.sqrt(2e-3 * height_mm / GRAVITY_M_S2),)
        fall_error = (error_mm / (2 * height_mm),)
    readings = []
    for times in times_s:
        if len(fall) + len(times) < 2:
            raise InvalidValueError(
                "1 time between impacts: a drop needs at least 2 of them, or --height-mm"
            )
        _check("time", (*fall, *times), MAX_FLIGHT_S, "s", error_ms / 1000)
        errors = [*fall_error, *(error_ms / (1000 * time) for time in times)]
        readings.append(([*fall, *times], errors))
    return _drop_test(readings)


def _check(what: str, values: Sequence[float], most: float, unit: str, error: float) -> None:
    """Raise InvalidValueError if readings are outside 0 to `most`, ascend, or are smaller than their error."""
    for value in values:
        if not 0 < value <= most:
            raise InvalidValueError(f"{what} {value:g} is outside 0 to {most:g} {unit}")
        if not 0 <= error < value:
            raise InvalidValueError(
                f"error {error:g} {unit} is negative, or not below the {what} {value:g} {unit}"
            )
    for before, after in pairwise(values):
        if after > before * (1 + _ROUNDING):
            raise InvalidValueError(
                f"{what} {after:g} {unit} of a rebound is above {before:.3g} {unit}, that of the fall or rebound before"
            )


def _drop_test(drops: Sequence[tuple[Sequence[float], Sequence[float]]]) -> DropTest:
    """Return the restitution from the speed of each impact of each drop, up to a factor, and its relative error."""
    restitution = tuple(
        tuple(after / before for before, after in pairwise(speeds)) for speeds, _ in drops
    )
    errors = [
        value * math.hypot(*pair)
        for values, (_, relative) in zip(restitution, drops, strict=True)
        for value, pair in zip(values, pairwise(relative), strict=True)
    ]
    # if the errors of all readings are alike, that of the mean is their mean
    return DropTest(restitution, sum(errors) / len(errors))
