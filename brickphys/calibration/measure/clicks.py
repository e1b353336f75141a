"""Clicks: times of impacts in a sound file, cut into drops.

The loudness is the greatest difference of neighbouring samples in each millisecond, which favours short clicks over
voices and hum. A click begins where the loudness exceeds noise and loudest click by the shares below, and jumps above
what was heard just before, so that the ringing of the table is not taken for another click.
"""

import io
import warnings
from pathlib import Path

import numpy as np
from scipy.io import wavfile

from brickphys.arrays import Array
from brickphys.errors import InvalidValueError, in_words
from brickphys.reading import read_bytes

MOST_BOUNCES = 3
"""Flights of a drop that are used; later impacts are slower than those of a thrown brick."""
MAX_FLIGHT_S = 1.0
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

    Raises
    ------
    InvalidValueError
        If the file cannot be read, is no WAV file, or has fewer than three clicks.
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

    Parameters
    ----------
    sound : ndarray, shape (n,) or (n, channels)
        Samples; of several channels, their mean is heard.
    rate
        Samples a second.
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

    Flights of a drop become shorter; a longer pause, or one above `MAX_FLIGHT_S`, begins another drop. Drops of a
    single flight are left out.
    """
    drops: list[list[float]] = [[]]
    ended = False
    for pause in np.diff(times_s):
        drop = drops[-1]
        is_over = (ended and pause >= MIN_FLIGHT_S) or (drop and pause > drop[-1])
        if is_over or pause > MAX_FLIGHT_S:
            drops.append([])
            ended = False
        elif ended or pause < MIN_FLIGHT_S:
            ended = True
        else:
            drop.append(float(pause))
    return [tuple(drop[:MOST_BOUNCES]) for drop in drops if len(drop) > 1]
