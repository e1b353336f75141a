"""Film: height, speed and spin of filmed throws, from positions by frame in a CSV file.

The conditions of a throw have no vertical speed (`brickphys.throws.conditions`). A brick that is let go with a vertical
speed falls on the same parabola, and meets the table in the same way, as one that is let go without at the height at
which its vertical speed is 0: the height of release plus v^2 / 2g. For a brick that is thrown downwards, that height
lies on the parabola continued backwards. This is the height that counts here.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from brickphys.calibration.home_counts import MOST_FAULTS, Row, header_problems, refuse_rows, table
from brickphys.calibration.measure.measured import Mean, RootMeanSquare, mean_of, rms_of
from brickphys.errors import InvalidValueError
from brickphys.odds.provenance import MAX_HEIGHT_MM, MAX_SPEED_M_S, MAX_SPIN_RAD_S
from brickphys.reading import MOST_FILM_BYTES, read_rows
from brickphys.text import shown
from brickphys.units import GRAVITY_M_S2, Array

MAX_SCALE_ERROR = 0.5
_AXES_OF_SPEED, _AXES_OF_SPIN = 2, 3
_REFUSED = 0.001
"""Share of films with the right frame rate and scale that are refused."""
_ROUNDING = 1e-9
"""Least standard error of an acceleration."""


@dataclass(frozen=True)
class FilmTest:
    """Heights, speeds and spins of filmed throws.

    Raises InvalidValueError if a number is outside its range, or there are fewer than two throws.
    """

    heights_mm: tuple[float, ...]
    """For each throw, the height of the middle of the brick above the table at which its vertical speed is 0."""
    speeds_m_s: tuple[float, ...]
    """For each throw, the horizontal speed."""
    spins_rad_s: tuple[float, ...]
    """The spin of each throw whose turns were counted; empty if they were not."""
    scale_error: float
    """Greatest relative error of the scale of the film; uniform."""

    def __post_init__(self) -> None:
        _check("height", self.heights_mm, MAX_HEIGHT_MM, "mm")
        _check("speed", self.speeds_m_s, MAX_SPEED_M_S, "m/s")
        _check("spin", self.spins_rad_s, MAX_SPIN_RAD_S, "rad/s")
        _check_scale_error(self.scale_error)
        _ = self.height, self.speed, self.spin

    @property
    def _scale_sd(self) -> float:
        return self.scale_error / math.sqrt(3)

    @cached_property
    def height(self) -> Mean:
        """Mean height in mm."""
        shared = self.scale_error * float(np.mean(self.heights_mm or (0.0,)))
        return mean_of(self.heights_mm, shared, "filmed throws")

    @cached_property
    def speed(self) -> RootMeanSquare:
        """Root mean square of the horizontal speed on each of two axes, in m/s."""
        return rms_of(self.speeds_m_s, _AXES_OF_SPEED, self._scale_sd, "speeds of filmed throws")

    @cached_property
    def spin(self) -> RootMeanSquare | None:
        """Root mean square of the spin on each of three axes, in rad/s; None if turns were not counted."""
        if not self.spins_rad_s:
            return None
        return rms_of(self.spins_rad_s, _AXES_OF_SPIN, 0.0, "throws with counted turns")

    def height_range_mm(self, least_mm: float) -> tuple[float, float]:
        """Return the range of a uniform distribution with the mean and scatter of the heights."""
        reach = math.sqrt(3) * float(np.std(self.heights_mm, ddof=1))
        middle = max(self.height.value, least_mm)
        low = max(middle - reach, least_mm)
        return low, 2 * middle - low


@dataclass(frozen=True, eq=False)
class Flight:
    """A filmed flight."""

    time_s: Array
    """Times of the frames from the first, ascending, shape (n,); at least two."""
    position_mm: Array
    """Positions of the middle of the brick, shape (n, 3): along the picture, in depth (0 if not filmed), and above the
    table."""
    turns: float | None
    """Turns until the last frame at which they were counted; None if they were not."""
    turns_s: float
    """Time of that frame."""


def film_test(flights: "list[Flight]", scale_error: float) -> FilmTest:
    """Return heights, speeds and spins of filmed flights; errors as of `FilmTest`."""
    fitted = [_release(flight) for flight in flights]
    counted = [flight for flight in flights if flight.turns is not None]
    return FilmTest(
        tuple(height for height, _ in fitted),
        tuple(speed for _, speed in fitted),
        tuple(2 * math.pi * (flight.turns or 0.0) / flight.turns_s for flight in counted),
        scale_error,
    )


def _release(flight: Flight) -> tuple[float, float]:
    """Return height and horizontal speed by least squares; gravity is known, so each axis is a straight line."""
    fallen = np.zeros_like(flight.position_mm)
    fallen[:, 2] = 500 * GRAVITY_M_S2 * flight.time_s**2
    slope, start = np.polyfit(flight.time_s, flight.position_mm + fallen, 1)
    velocity = slope / 1000
    height = start[2] + 1000 * velocity[2] ** 2 / (2 * GRAVITY_M_S2)
    return float(height), float(np.hypot(velocity[0], velocity[1]))


def fall_m_s2(flights: "list[Flight]", scale_error: float) -> Mean | None:
    """Return the acceleration of the fall in a film, which is that of gravity if frame rate and scale are right.

    It is fitted to all flights by least squares, with a height and a vertical speed for each. Its error follows from
    the residuals, and from the greatest relative error of the scale. It is None if there are too few frames for them.

    Raises InvalidValueError if the error of the scale is outside its range.
    """
    _check_scale_error(scale_error)
    long = [flight for flight in flights if len(flight.time_s) > 2]
    freedom = sum(len(flight.time_s) - 2 for flight in long) - 1
    if freedom < 1:
        return None
    parabolas = np.concatenate([_bent(flight, flight.time_s**2 / 2) for flight in long])
    falls = np.concatenate([_bent(flight, -flight.position_mm[:, 2] / 1000) for flight in long])
    weight = float(parabolas @ parabolas)
    fall = float(parabolas @ falls) / weight
    residuals = falls - fall * parabolas
    sd = math.sqrt(float(residuals @ residuals) / freedom / weight)
    return Mean(fall, max(sd, _ROUNDING), freedom, scale_error * abs(fall))


def _bent(flight: Flight, values: Array) -> Array:
    """Return the deviations of values (n,) from a straight line in time."""
    return np.asarray(values - np.polyval(np.polyfit(flight.time_s, values, 1), flight.time_s))


def check_fall(fall: Mean, fps: float) -> None:
    """Check the acceleration of the fall of a film that was taken with `fps` frames a second.

    Raises InvalidValueError if it is not that of gravity, within its error. At most one film in 1,000 without a fault
    is refused.
    """
    low, high = fall.quantiles(np.array([_REFUSED / 2, 1 - _REFUSED / 2]))
    if low <= GRAVITY_M_S2 <= high:
        return
    found = f"bodies fall at {fall.value:.3g} m/s2 ({low:.3g} to {high:.3g}), not {GRAVITY_M_S2}"
    if fall.value <= 0:
        raise InvalidValueError(
            f"{found}: z counts upwards; floor_px (--floor-px) is for rows of the picture"
        )
    scale = GRAVITY_M_S2 / fall.value
    raise InvalidValueError(
        f"{found}: {fps * math.sqrt(scale):.3g} frames/s or a scale {scale:.3g} times as large would give that; or "
        "frames before or after the flight are in the file"
    )


def _check_scale_error(scale_error: float) -> None:
    if not 0 <= scale_error <= MAX_SCALE_ERROR:
        raise InvalidValueError(f"scale error {scale_error:g} is outside 0 to {MAX_SCALE_ERROR:g}")


def _check(what: str, values: tuple[float, ...], most: float, unit: str) -> None:
    for number, value in enumerate(values, start=1):
        if not 0 <= value <= most:
            raise InvalidValueError(
                f"{what} {value:g} of throw {number} is outside 0 to {most:g} {unit}"
            )


THROW, FRAME, X, Y, Z, TURNS = "throw", "frame", "x", "y", "z", "turns"
_NEEDED, _KNOWN = (THROW, FRAME, X, Z), (Y, TURNS)
MAX_FPS = 100_000.0
MAX_MM = 1e6
_Throw = list[dict[str, str]]


def read_film(
    path: Path, fps: float, mm_per_px: float = 1.0, floor_px: float | None = None
) -> list[Flight]:
    """Return the flights of a film, one for each throw; see ``docs/measure.md``.

    Raises InvalidValueError if a parameter is outside its range, or the file has a fault. `mm_per_px` is the unit of x,
    y and z. `floor_px` is the row of the picture at which the table is, if z counts rows from the top; else z is the
    height above it.
    """
    if not 0 < fps <= MAX_FPS:
        raise InvalidValueError(f"fps {fps:g} is outside 0 to {MAX_FPS:g} frames a second")
    if not 0 < mm_per_px <= MAX_MM:
        raise InvalidValueError(f"mm-per-px {mm_per_px:g} is outside 0 to {MAX_MM:g}")
    if floor_px is not None and not math.isfinite(floor_px):
        raise InvalidValueError(f"floor-px {floor_px:g} is not a row of an image")
    header, rows = table(read_rows(path, MOST_FILM_BYTES))
    columns = [name.lower() for name in header]
    refuse_rows(path, header_problems(columns, _NEEDED, _KNOWN))
    found = _flights(path, columns, rows, lambda throw: _flight(throw, fps, mm_per_px, floor_px))
    for name, flight in found:
        if flight.position_mm[0, 2] < 0:
            raise InvalidValueError(
                f"{path}: throw {name} begins {-flight.position_mm[0, 2]:.0f} mm below the table: z counts upwards; "
                "floor_px (--floor-px) is for rows of the picture"
            )
    return [flight for _, flight in found]


def _flights(
    path: Path, columns: Sequence[str], rows: Iterable[Row], flight_of: Callable[[_Throw], Flight]
) -> list[tuple[str, Flight]]:
    """Return the flight of each throw with its name; only the rows of one throw are in memory at once.

    Faults of throws are told if no row has a fault.
    """
    flights, of_rows, of_throws = list[tuple[str, Flight]](), list[str](), list[str]()
    where = columns.index(THROW)
    names = Counter[str]()
    for name, group in groupby(rows, lambda row: "".join(row.cells[where : where + 1])):
        names[name] += 1
        throw = list(group)
        of_rows += (fault for row in throw for fault in _row_problems(columns, row))
        if len(of_rows) > MOST_FAULTS:
            break
        if not of_rows:
            frames = [dict(zip(columns, row.cells, strict=True)) for row in throw]
            faults = list(_throw_problems(frames))
            of_throws += (f"throw {name}: {fault}" for fault in faults)
            if not faults:
                flights.append((name, flight_of(frames)))
    apart = (name for name, times in names.items() if times > 1)
    of_throws += (f"the rows of throw {name} are not together" for name in apart)
    if len(names) < 2 and not of_throws:
        of_throws.append(f"{len(names)} throws; at least 2 are needed, 30 are recommended")
    refuse_rows(path, of_rows or of_throws)
    return flights


def _flight(throw: _Throw, fps: float, mm_per_px: float, floor_px: float | None) -> Flight:
    frames = np.array([int(row[FRAME]) for row in throw], dtype=np.float64)
    time_s = (frames - frames[0]) / fps
    position = np.array([[float(row.get(axis, "0")) for axis in (X, Y, Z)] for row in throw])
    if floor_px is not None:
        position[:, 2] = floor_px - position[:, 2]
    counted = [place for place, row in enumerate(throw) if place and row.get(TURNS)]
    turns = float(throw[counted[-1]][TURNS]) if counted else None
    turns_s = float(time_s[counted[-1]]) if counted else 0.0
    return Flight(time_s, mm_per_px * position, turns, turns_s)


def _row_problems(columns: Sequence[str], row: Row) -> Iterator[str]:
    if len(row.cells) != len(columns):
        yield f"{row.place}: {len(row.cells)} cells for {len(columns)} columns"
        return
    for name, cell in zip(columns, row.cells, strict=True):
        if name == FRAME and not (cell.isdecimal() and cell.isascii() and len(cell) < 10):
            yield f"{row.place}, column {name}: {shown(cell)} is not a whole number from 0"
        elif name in (X, Y, Z) and not abs(_number(cell)) <= MAX_MM:
            yield f"{row.place}, column {name}: {shown(cell)} is not a number up to {MAX_MM:g}"
        elif name == TURNS and cell and not 0 <= _number(cell) <= MAX_MM:
            yield f"{row.place}, column {name}: {shown(cell)} is not a number of turns"


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _throw_problems(throw: _Throw) -> Iterator[str]:
    frames = [int(row[FRAME]) for row in throw]
    if len(frames) < 2:
        yield "1 frame; a speed needs at least 2"
    elif any(after <= before for before, after in pairwise(frames)):
        yield "frames do not ascend"
    turns = [float(row[TURNS]) for row in throw if row.get(TURNS)]
    if turns != sorted(turns):
        yield "turns decrease; they are counted from the first frame"
    elif float(throw[0].get(TURNS) or 0) > 0:
        yield "turns are not 0 at the first frame, from which they are counted"
