"""Toss tracks: tracked tosses of a cube, read from a CSV file, and the initial state of each toss.

A start is as tracked, corrected, or fitted to its flight. In free flight a cube falls with g and turns at a constant
rate. Deviations from that are errors of the tracks, and can be corrected without use of the final face:

- **Lengths** are too short if the centre falls with less than g.
- **Velocity** is a difference of two frames, so it is half a frame old.
- **Spin** at the first frame is still affected by the hand.

If the tracks are available, each start is fitted to the frames of its flight.
"""

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from brickphys.calibration.home_counts import Row, header_problems, refuse_rows, table
from brickphys.errors import TossFileError, raised_as
from brickphys.reading import MOST_DATA_BYTES, MOST_TABLE_BYTES, read_bytes, read_rows
from brickphys.shapes.body import Body
from brickphys.throws.flight import States, gap_mm, multiply, rotate, turn
from brickphys.units import GRAVITY_M_S2, Array, Indices

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
    """Tracked tosses of one cube."""

    labels: tuple[str, ...]
    """Name of each toss in the file."""
    start: States
    """First tracked state, in mm, with scalar-last unit quaternions and the spin in the world frame, shape (n,)."""
    initial_face: Indices
    final_face: Indices
    """The body axis that points down in the first and in the last frame, as indices into `FACES`, shape (n,)."""
    final_xy_mm: Array
    """Final position of the centre, shape (n, 2)."""
    duration_s: Array
    """Time between first and last frame, shape (n,)."""

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def travel_mm(self) -> Array:
        """Horizontal distance of the centre from first to last frame, shape (n,)."""
        return np.asarray(np.linalg.norm(self.final_xy_mm - self.start.position_mm[:, :2], axis=1))


def read_tosses(path: Path) -> Tosses:
    """Read a file of tracked tosses.

    The file's spin is in the body frame, and in `Tosses` in the world frame. Columns beyond `COLUMNS` are ignored.

    Raises TossFileError if the file cannot be read, is empty, lacks a column, or has a value that is not a number or
    exceeds `LIMITS`, a quaternion that is not of unit length, or an unknown face. The message is one line with the
    number of faults and the first ones; rows count from 1 below the header.
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


TRACK_COLUMNS = ("toss", "t_s", *POSITION, *QUATERNION, *VELOCITY, *SPIN)
CLEAR_MM = 3.0
"""A flight ends at the first frame in which a corner is less than this high above the floor."""
_MOST_NUMBERS = MOST_DATA_BYTES // 8
"""Numbers of a file of tracks, whatever their type: each becomes 8 bytes."""
_MOST_COLUMNS = 100
_GRAVITY_FRAMES = 8
"""Least frames of a flight from which the acceleration is estimated."""
_LEAST_FRAMES = 3
"""A toss with fewer frames of flight keeps its tracked start, corrected."""


@dataclass(frozen=True)
class Correction:
    """Systematic errors of all first frames of a set of tracks.

    The defaults are those of the ContactNets tosses, found from the frames of flight (``docs/validation.md``). None of
    them is fitted to final faces or positions.
    """

    length_scale: float = 1.021
    """True lengths over tracked ones."""
    velocity_lag_s: float = 0.5 / 148
    """Age of the tracked velocity."""
    spin_scale: float = 1.046
    """True spin over tracked spin."""


AS_TRACKED = Correction(1.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Starts:
    """Initial states of simulations of tosses."""

    states: States
    """States in true lengths, shape (n,)."""
    length_scale: float = 1.0
    """True lengths over those of the file of tosses."""
    refined: int = 0
    """Number of states that were fitted to their flights."""


@dataclass(frozen=True, eq=False)
class Tracks:
    """Frames of tracked tosses, in the order of time within each toss."""

    toss: Array
    """Number of the toss of each frame, shape (frames,)."""
    time_s: Array
    """Time since the toss's first frame, shape (frames,)."""
    states: States
    """Tracked states, shape (frames,)."""


def correct(tosses: Tosses, correction: Correction) -> Starts:
    """Return the tracked starts with the systematic errors corrected."""
    start, scale = tosses.start, correction.length_scale
    velocity = scale * start.velocity_m_s
    velocity[:, 2] -= GRAVITY_M_S2 * correction.velocity_lag_s
    return Starts(
        States(
            scale * start.position_mm,
            start.quaternion,
            velocity,
            correction.spin_scale * start.spin_rad_s,
        ),
        scale,
    )


def read_tracks(path: Path) -> Tracks:
    """Read an ``.npz`` file of tracks, with ``data`` (frames, columns) and the names of its ``columns``.

    Raises TossFileError if the file cannot be read, lacks a column of `TRACK_COLUMNS`, or has a number that is not
    finite or a quaternion that is not of unit length.
    """
    with raised_as(TossFileError):
        content = io.BytesIO(read_bytes(path))
    try:
        unpacked = sum(part.file_size for part in ZipFile(content).infolist())
        if unpacked > MOST_DATA_BYTES:
            raise ValueError("larger than any tracks")
        with np.load(content, allow_pickle=False) as archive:
            data, columns = archive["data"], archive["columns"]
            if data.size > _MOST_NUMBERS or columns.size > _MOST_COLUMNS:
                raise ValueError("larger than any tracks")
            data, names = data.astype(float), columns.astype(str).tolist()
    except Exception as error:  # whatever its parsers meet in a damaged file
        raise TossFileError(f"{path}: not an .npz file with 'data' and 'columns'") from error
    missing = [name for name in TRACK_COLUMNS if name not in names]
    if missing:
        raise TossFileError(f"{path}: column {missing[0]!r} is missing")
    if data.ndim != 2 or data.shape[1] != len(names):
        raise TossFileError(
            f"{path}: 'data' of shape {data.shape} does not have the {len(names)} columns"
        )
    if not np.isfinite(data).all():
        row = int(np.flatnonzero(~np.isfinite(data).all(axis=1))[0])
        raise TossFileError(f"{path}: frame {row} holds a number that is not finite")
    return _tracks(path, data, {name: names.index(name) for name in TRACK_COLUMNS})


def _tracks(path: Path, data: Array, column: dict[str, int]) -> Tracks:
    def take(*names: str) -> Array:
        return data[:, [column[name] for name in names]]

    w, *xyz = QUATERNION
    quaternion = take(*xyz, w)
    length = np.linalg.norm(quaternion, axis=1, keepdims=True)
    if (np.abs(length - 1.0) > 1e-2).any():
        row = int(np.argmax(np.abs(length[:, 0] - 1.0)))
        raise TossFileError(f"{path}: frame {row}: quaternion of length {length[row, 0]:.4g}")
    quaternion /= length
    states = States(
        1000.0 * take(*POSITION), quaternion, take(*VELOCITY), rotate(quaternion, take(*SPIN))
    )
    return Tracks(take("toss")[:, 0], take("t_s")[:, 0], states)


def refine(tosses: Tosses, tracks: Tracks, body: Body) -> Starts:
    """Return starts fitted to the frames of flight of each toss.

    With the resulting scale of lengths the centres fall with g on average. A toss without tracks or with fewer than
    three frames of flight keeps its tracked start, with that scale and the default `Correction` otherwise.

    Raises TossFileError if no toss of the file has a flight in the tracks.
    """
    flights = {label: flight for label in tosses.labels if (flight := _flight(label, tracks, body))}
    if not flights:
        raise TossFileError(
            "none of the tosses has a flight in the tracks: do the files belong together?"
        )
    scale, _ = _scale(flights.values())
    common = correct(tosses, Correction(length_scale=scale)).states
    states = [
        _fitted(*flights[label], scale) if label in flights else common[i : i + 1]
        for i, label in enumerate(tosses.labels)
    ]
    return Starts(States.concatenate(states), scale, len(flights))


def flight_scale(tracks: Tracks, body: Body) -> tuple[float, float]:
    """Return true lengths over tracked ones, with which the flights fall with g on average, and its standard error."""
    flights = [_flight_of(toss, tracks, body) for toss in np.unique(tracks.toss)]
    return _scale(flight for flight in flights if flight)


def _scale(flights: Iterable[tuple[Array, States]]) -> tuple[float, float]:
    falls = [
        float(-2.0 * np.polyfit(time_s, states.position_mm[:, 2] / 1000.0, 2)[0])
        for time_s, states in flights
        if len(time_s) >= _GRAVITY_FRAMES
    ]
    if not falls:
        return 1.0, 0.0
    scale = GRAVITY_M_S2 / float(np.mean(falls))
    spread = float(np.std(falls, ddof=1)) if len(falls) > 1 else 0.0
    return scale, scale**2 * spread / (GRAVITY_M_S2 * math.sqrt(len(falls)))


def _flight(label: str, tracks: Tracks, body: Body) -> tuple[Array, States] | None:
    """Return the flight of the toss with a label; None if its name is not a number."""
    try:
        return _flight_of(float(label), tracks, body)
    except ValueError:
        return None


def _flight_of(toss: float, tracks: Tracks, body: Body) -> tuple[Array, States] | None:
    """Return times and states of a toss's frames of flight; None if there are fewer than `_LEAST_FRAMES`."""
    mine = np.flatnonzero(tracks.toss == toss)
    states = tracks.states[mine]
    low = np.flatnonzero(gap_mm(body, states) < CLEAR_MM)
    frames = int(low[0]) if len(low) else len(mine)
    if frames < _LEAST_FRAMES:
        return None
    return tracks.time_s[mine[:frames]], states[:frames]


def _fitted(time_s: Array, states: States, scale: float) -> States:
    """Return the state at the first frame, shape (1,), of the motion that fits all frames of a flight best.

    The motion is a parabola with a constant spin, since the moments of inertia of a cube are equal.
    """
    t = time_s - time_s[0]
    path = scale * states.position_mm
    path[:, 2] += 500.0 * GRAVITY_M_S2 * t**2
    velocity, position = np.polyfit(t, path, 1)
    first = states.quaternion[:1]
    spin, error = np.polyfit(t, _turned(first, states.quaternion), 1)
    quaternion = multiply(turn(error[None]), first)
    return States(position[None], quaternion, velocity[None] / 1000.0, spin[None])


def _turned(first: Array, quaternion: Array) -> Array:
    """Return the rotations from the first orientation (1, 4) to each (n, 4) as world vectors, shape (n, 3)."""
    turned = multiply(quaternion, first * [-1.0, -1.0, -1.0, 1.0])
    turned *= np.where(turned[:, 3:] < 0, -1.0, 1.0)
    sine = np.linalg.norm(turned[:, :3], axis=1, keepdims=True)
    angle = 2 * np.arctan2(sine, turned[:, 3:])
    return np.asarray(
        turned[:, :3] * np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 2.0)
    )
