"""Toss file: tracked tosses of a cube, read from a CSV file."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.calibration.csv_file import Row, header_problems, refuse_rows, table
from brickphys.errors import TossFileError, raised_as
from brickphys.reading import MOST_TABLE_BYTES, read_rows
from brickphys.throws.rotations import rotate
from brickphys.throws.states import States

FACES = ("+x", "-x", "+y", "-y", "+z", "-z")
"""Names of a cube's faces, by the body axis that points out of them; the index of a face is its place here."""

QUATERNION = ("qw", "qx", "qy", "qz")
POSITION = ("x_m", "y_m", "z_m")
VELOCITY = ("vx_m_s", "vy_m_s", "vz_m_s")
SPIN = ("wx_rad_s", "wy_rad_s", "wz_rad_s")
FINAL = ("final_x_m", "final_y_m")
DURATION = "duration_s"
LABEL = "toss"
FACE_COLUMNS = ("initial_bottom_face", "final_bottom_face")
NUMBERS = (*POSITION, *QUATERNION, *VELOCITY, *SPIN, *FINAL, DURATION)
COLUMNS = (LABEL, *NUMBERS, *FACE_COLUMNS)

UNIT_TOLERANCE = 1e-3
"""Largest deviation of a quaternion from unit length; the rounding error of six digits is only 1e-6."""

LIMITS = {
    **dict.fromkeys((*POSITION, *FINAL), 100.0),
    **dict.fromkeys(VELOCITY, 100.0),
    **dict.fromkeys(SPIN, 1000.0),
    DURATION: 3600.0,
}
"""Largest magnitudes; larger ones come from wrong units or a broken tracker."""


@dataclass(frozen=True, eq=False)
class Tosses:
    """Tracked tosses of one cube.

    Attributes
    ----------
    labels
        Name of each toss in the file.
    start : States, shape (n,)
        First tracked state, in mm, with scalar-last unit quaternions and the spin in the world frame.
    initial_face, final_face : ndarray of int, shape (n,)
        The body axis that points down in the first and in the last frame, as indices into `FACES`.
    final_xy_mm : ndarray, shape (n, 2)
        Final position of the centre.
    duration_s : ndarray, shape (n,)
        Time between first and last frame.
    """

    labels: tuple[str, ...]
    start: States
    initial_face: Indices
    final_face: Indices
    final_xy_mm: Array
    duration_s: Array

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def travel_mm(self) -> Array:
        """Horizontal distance of the centre from first to last frame, shape (n,)."""
        return np.asarray(np.linalg.norm(self.final_xy_mm - self.start.position_mm[:, :2], axis=1))


def read_tosses(path: Path) -> Tosses:
    """Read a file of tracked tosses.

    The file's spin is in the body frame, and in `Tosses` in the world frame. Columns beyond `COLUMNS` are ignored.

    Raises
    ------
    TossFileError
        If the file cannot be read, is empty, lacks a column, or has a value that is not a number or exceeds `LIMITS`,
        a quaternion that is not of unit length, or an unknown face. The message is one line with the number of faults
        and the first ones; rows count from 1 below the header.
    """
    with raised_as(TossFileError):
        header, below = table(read_rows(path, MOST_TABLE_BYTES))
        rows = list(below)
        refuse_rows(path, problems(header, rows))
    return _tosses(header, [row.cells for row in rows])


def problems(header: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """Return every fault of the table of a toss file, in the order of its rows."""
    faults = header_problems(header, COLUMNS)
    if faults:
        return faults
    if not rows:
        return ["there are no tosses below the header"]
    return [fault for row in rows for fault in _row_problems(header, row)]


def _row_problems(header: Sequence[str], row: Row) -> list[str]:
    if len(row.cells) != len(header):
        return [f"{row.place}: {len(row.cells)} values for {len(header)} columns"]
    cells = dict(zip(header, row.cells, strict=True))
    faults = [f"{row.place}, column {fault}" for fault in _cell_problems(cells)]
    if not faults:
        length = math.hypot(*(float(cells[name]) for name in QUATERNION))
        if abs(length - 1.0) > UNIT_TOLERANCE:
            faults.append(
                f"{row.place}, columns qw to qz: quaternion of length {length:.6g} is not of unit length"
            )
    return faults


def _cell_problems(cells: dict[str, str]) -> Iterator[str]:
    for name in NUMBERS:
        try:
            value = float(cells[name])
        except ValueError:
            yield f"{name}: {cells[name]!r} is not a number"
            continue
        limit = LIMITS.get(name, math.inf)
        if not math.isfinite(value):
            yield f"{name}: {cells[name]!r} is not finite"
        elif abs(value) > limit:
            yield f"{name}: {cells[name]} is outside -{limit:g} to {limit:g}"
        elif value < 0 and name == DURATION:
            yield f"{name}: {cells[name]} is negative"
    for name in FACE_COLUMNS:
        if cells[name] not in FACES:
            yield f"{name}: unknown face {cells[name]!r} (known: {', '.join(FACES)})"


def _tosses(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Tosses:
    column = {name: [row[header.index(name)] for row in rows] for name in COLUMNS}

    def numbers(*names: str) -> Array:
        return np.array([[float(cell) for cell in column[name]] for name in names]).T

    w, x, y, z = QUATERNION
    quaternion = numbers(x, y, z, w)
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    spin = rotate(quaternion, numbers(*SPIN))
    initial, final = (
        np.array([FACES.index(cell) for cell in column[name]], dtype=np.intp)
        for name in FACE_COLUMNS
    )
    return Tosses(
        labels=tuple(column[LABEL]),
        start=States(1000.0 * numbers(*POSITION), quaternion, numbers(*VELOCITY), spin),
        initial_face=initial,
        final_face=final,
        final_xy_mm=1000.0 * numbers(*FINAL),
        duration_s=numbers(DURATION)[:, 0],
    )
