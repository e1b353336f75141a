"""Film file: positions of filmed bricks by frame, read from a CSV file."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from brickphys.calibration.csv_file import (
    MOST_FAULTS,
    Row,
    header_problems,
    refuse_rows,
    table,
)
from brickphys.calibration.measure.film import Flight
from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_FILM_BYTES, read_rows
from brickphys.text import shown

THROW, FRAME, X, Y, Z, TURNS = "throw", "frame", "x", "y", "z", "turns"
_NEEDED, _KNOWN = (THROW, FRAME, X, Z), (Y, TURNS)
MAX_FPS = 100_000.0
MAX_MM = 1e6
_Throw = list[dict[str, str]]


def read_film(
    path: Path, fps: float, mm_per_px: float = 1.0, floor_px: float | None = None
) -> list[Flight]:
    """Return the flights of a film, one for each throw; see ``docs/measure.md``.

    Parameters
    ----------
    path
        CSV file with the columns throw, frame, x and z, and optionally y and turns.
    fps
        Frames a second at which the film was taken.
    mm_per_px
        Length of a unit of x, y and z.
    floor_px
        Row of the picture at which the table is, if z counts rows from the top; None if z is the height above it.

    Raises
    ------
    InvalidValueError
        If a parameter is outside its range, or the file has a fault.
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
