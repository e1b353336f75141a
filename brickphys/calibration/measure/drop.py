"""Drop: restitution from heights of rebound, or from times between impacts, which a sound file gives.

A body that rebounds without spin leaves the table with e times the speed of impact. It reaches e^2 times the height
from which it fell, and its flights last e times as long from one to the next.

The loudness of a sound is the greatest difference of neighbouring samples in each millisecond, which favours short
clicks over voices and hum. A click begins where the loudness exceeds noise and loudest click by the shares below, and
jumps above what was heard just before, so that the ringing of the table is not taken for another click.
"""

import io
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
from scipy.io import wavfile

from brickphys.calibration.measure.measured import Mean, mean_of
from brickphys.errors import InvalidValueError, in_words
from brickphys.reading import read_bytes
from brickphys.units import GRAVITY_M_S2, Array

MOST_BOUNCES = 3
"""Flights of a drop that are used; later impacts are slower than those of a thrown brick."""
MAX_PAUSE_S = 1.0
"""Longer pauses lie between drops."""
MIN_FLIGHT_S = 0.04
"""Shorter flights, 2 mm high, end a drop."""
_WINDOW_S = 1e-3
_ABOVE_NOISE = 4.0
_OF_LOUDEST = 0.02
_JUMP = 3.0
_BEFORE = 8
"""Windows of the sound just before a click."""
_APART = 15
"""Windows between two clicks, at least."""
_BLOCK = 10_000
"""Windows that are in memory as floats at once."""


def read_clicks(path: Path) -> Array:
    """Return the times of all clicks in a WAV file, in seconds.

    Raises InvalidValueError if the file cannot be read, is no WAV file, or has fewer than three clicks.
    """
    content = io.BytesIO(read_bytes(path))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wavfile.WavFileWarning)  # chunks with other data
            rate, sound = wavfile.read(content)
    except Exception as error:  # whatever its parser meets in a damaged file
        raise InvalidValueError(f"{path}: not a WAV file: {in_words(error)}") from None
    found = clicks(sound, float(rate))
    if len(found) < 3:
        raise InvalidValueError(
            f"{path}: {len(found)} clicks; a drop needs at least 3 (two flights)"
        )
    return found


def clicks(sound: Array, rate: float) -> Array:
    """Return the times of the clicks in a sound.

    The sound has the shape (n,) or (n, channels); of several channels, their mean is heard.
    """
    size = max(1, round(rate * _WINDOW_S))
    count = (len(sound) - 1) // size
    if count <= _BEFORE:
        return np.empty(0)
    blocks = range(0, count, _BLOCK)
    loudness = np.concatenate(
        [_changes(sound, size, slice(at, min(at + _BLOCK, count))).max(axis=1) for at in blocks]
    )
    least = max(_ABOVE_NOISE * float(np.median(loudness)), _OF_LOUDEST * float(loudness.max()))
    before = np.lib.stride_tricks.sliding_window_view(loudness, _BEFORE)[:-1].max(axis=1)
    starts = np.flatnonzero(loudness[_BEFORE:] > np.maximum(least, _JUMP * before)) + _BEFORE
    starts = starts[np.diff(starts, prepend=-_APART) >= _APART]
    within = [np.argmax(_changes(sound, size, slice(at, at + 1)) > least) for at in starts]
    return (starts * size + np.array(within, dtype=np.intp)) / rate


def _changes(sound: Array, size: int, windows: slice) -> Array:
    """Return the differences of neighbouring samples in some windows, shape (windows, size)."""
    heard = sound[windows.start * size : windows.stop * size + 1].astype(np.float64)
    mono = heard.mean(axis=1) if heard.ndim == 2 else heard
    return np.abs(np.diff(np.nan_to_num(mono))).reshape(-1, size)


def drops_of(times_s: Array) -> list[tuple[float, ...]]:
    """Return the flights of each drop, at most `MOST_BOUNCES`, from the times of all clicks.

    Flights of a drop become shorter; a longer pause, or one above `MAX_PAUSE_S`, begins another drop. Drops of a
    single flight are left out.
    """
    drops: list[list[float]] = [[]]
    ended = False
    for pause in np.diff(times_s):
        drop = drops[-1]
        is_over = (ended and pause >= MIN_FLIGHT_S) or (drop and pause > drop[-1])
        if is_over or pause > MAX_PAUSE_S:
            drops.append([])
            ended = False
        elif ended or pause < MIN_FLIGHT_S:
            ended = True
        else:
            drop.append(float(pause))
    return [tuple(drop[:MOST_BOUNCES]) for drop in drops if len(drop) > 1]


MIN_HEIGHT_MM, MAX_HEIGHT_MM = 50.0, 5000.0
"""Heights of the fall. A lower one is a height in cm, or too low for the speed of a thrown brick."""
MIN_REBOUND_MM = 10.0
"""A lower rebound is a height in cm, or too low to be read."""
MAX_FLIGHT_S = 2.0
MIN_RESTITUTION, MAX_RESTITUTION = 0.05, 0.95
"""A ball of plastic returns with a share of its speed between these, on any table."""
MOST_CHANGE = 1 / 3
"""Restitution changes with speed, but from the first bounce to the later ones by less than this share."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class DropTest:
    """Restitution of each bounce of each drop.

    Raises InvalidValueError if a restitution is outside 0 to 1, or there are fewer than two drops, or bounces of a
    single drop.
    """

    restitution: tuple[tuple[float, ...], ...]
    """One for each bounce, drop by drop."""
    error: float
    """Greatest error of reading that all bounces share."""

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

    Raises InvalidValueError if a height is outside its limits or above the one before it, or the restitution is not
    plausible: outside `MIN_RESTITUTION` to `MAX_RESTITUTION`, not the same by the fall and by later bounces, or with an
    interval beyond 0 to 1.

    Parameters
    ----------
    height_mm
        Height from which the lowest point of the body falls.
    rebounds_mm
        For each drop, the height of each rebound of that point, in their order.
    error_mm
        Greatest error of reading; uniform.
    """
    readings = []
    _check("height", (height_mm,), (MIN_HEIGHT_MM, MAX_HEIGHT_MM), "mm", error_mm)
    for rebounds in rebounds_mm:
        heights = (height_mm, *rebounds)
        _check("rebound", rebounds, (MIN_REBOUND_MM, MAX_HEIGHT_MM), "mm", error_mm)
        _check_descent("height", heights, "mm")
        speeds = [math.sqrt(height) for height in heights]
        readings.append((speeds, [error_mm / (2 * height) for height in heights]))
    return _drop_test(readings, height_mm)


def drop_of_times(
    times_s: Sequence[Sequence[float]],
    error_ms: float,
    height_mm: float | None = None,
    error_mm: float = 0.0,
) -> DropTest:
    """Return the restitution of drops whose impacts were timed.

    Raises InvalidValueError if a time is outside its limits or longer than the one before, a drop has too few of them,
    or the restitution is not plausible (`drop_of_heights`).

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
    """
    fall: tuple[float, ...] = ()
    fall_error: tuple[float, ...] = ()
    if height_mm is not None:
        _check("height", (height_mm,), (MIN_HEIGHT_MM, MAX_HEIGHT_MM), "mm", error_mm)
        # a body that rebounded with e = 1 would fly for twice the time of its fall
        fall = (2 * math.sqrt(2e-3 * height_mm / GRAVITY_M_S2),)
        fall_error = (error_mm / (2 * height_mm),)
    readings = []
    for times in times_s:
        if len(fall) + len(times) < 2:
            raise InvalidValueError(
                "1 time between impacts: a drop needs at least 2 of them, or height_mm (--height-mm)"
            )
        _check("time", times, (0.0, MAX_FLIGHT_S), "s", error_ms / 1000)
        _check_descent("time", (*fall, *times), "s")
        errors = [*fall_error, *(error_ms / (1000 * time) for time in times)]
        readings.append(([*fall, *times], errors))
    return _drop_test(readings, height_mm)


def _check(
    what: str, values: Sequence[float], limits: tuple[float, float], unit: str, error: float
) -> None:
    """Raise InvalidValueError if readings are outside their limits, or not larger than their error."""
    low, high = limits
    for value in values:
        if not max(low, math.ulp(0.0)) <= value <= high:
            raise InvalidValueError(
                f"{what} {value:g} is outside {low:g} to {high:g} {unit}: is it in {unit}?"
            )
        if not 0 <= error < value:
            raise InvalidValueError(
                f"error {error:g} {unit} is negative, or not below the {what} {value:g} {unit}"
            )


def _check_descent(what: str, values: Sequence[float], unit: str) -> None:
    """Raise InvalidValueError if a reading is above the one before it."""
    for before, after in pairwise(values):
        if after > before * (1 + _ROUNDING):
            raise InvalidValueError(
                f"{what} {after:g} {unit} of a rebound is above {before:.3g} {unit}, that of the fall or rebound before"
            )


def _drop_test(
    drops: Sequence[tuple[Sequence[float], Sequence[float]]], height_mm: float | None
) -> DropTest:
    """Return the restitution from the speed of each impact of each drop, up to a factor, and its relative error.

    The first impact of each drop is that of a fall from `height_mm`, if it is given.
    """
    restitution = tuple(
        tuple(after / before for before, after in pairwise(speeds)) for speeds, _ in drops
    )
    errors = [
        value * math.hypot(*pair)
        for values, (_, relative) in zip(restitution, drops, strict=True)
        for value, pair in zip(values, pairwise(relative), strict=True)
    ]
    # if the errors of all readings are alike, that of the mean is their mean
    test = DropTest(restitution, sum(errors) / len(errors))
    if height_mm is not None:
        _check_height(test, height_mm)
    _check_plausible(test)
    return test


def _check_plausible(test: DropTest) -> None:
    for number, drop in enumerate(test.restitution, start=1):
        for value in drop:
            if not MIN_RESTITUTION <= value <= MAX_RESTITUTION:
                raise InvalidValueError(
                    f"restitution {value:.2g} of drop {number} is outside {MIN_RESTITUTION:g} to "
                    f"{MAX_RESTITUTION:g}: are all heights in mm and all times in s?"
                )
    low, high = test.mean.ci95
    if not 0 <= low < high <= 1:
        raise InvalidValueError(
            f"restitution {low:.2g} to {high:.2g} (95 % interval) reaches outside 0 to 1: the drops are too few for "
            "their scatter and error; repeat the test"
        )


def _check_height(test: DropTest, height_mm: float) -> None:
    """Raise InvalidValueError if the height contradicts the bounces after the first, which do not depend on it."""
    later = [value for drop in test.restitution for value in drop[1:]]
    if not later:
        return
    by_fall, by_rebounds = fmean(drop[0] for drop in test.restitution), fmean(later)
    if abs(by_fall - by_rebounds) > MOST_CHANGE * max(by_fall, by_rebounds) + test.error:
        raise InvalidValueError(
            f"restitution {by_fall:.2f} by the height {height_mm:g} mm and the first rebounds, {by_rebounds:.2f} by "
            f"later ones: {height_mm * (by_fall / by_rebounds) ** 2:.3g} mm would agree with both"
        )
