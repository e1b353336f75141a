"""Moves: what many outlines meet on straight moves, turns and courses, and how near they come to the rest."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.geometry.many import moves_kernel as columns
from brickphys.geometry.many.outlines import (
    Outlines,
    check_finite,
    note_radians,
    numbers,
    read_offsets,
    read_outlines,
)
from brickphys.geometry.many.records import Records, filled, in_chunks, thread_count
from brickphys.geometry.many.wholes import cut_courses, nearest_last, whole, with_near_misses
from brickphys.geometry.polygon import TOLERANCE
from brickphys.interface import public
from brickphys.text import counted
from brickphys.units import Array, Indices

MEETING = np.dtype([
    ("mover", np.int64), ("obstacle", np.int64), ("piece", np.int32), ("is_hit", np.bool_),
    ("overlaps_at_start", np.bool_), ("distance_studs", np.float64), ("turned_deg", np.float64),
    ("x_studs", np.float64), ("y_studs", np.float64), ("normal_x", np.float64), ("normal_y", np.float64),
    ("impact_deg", np.float64), ("clearance_studs", np.float64), ("is_conditioned", np.bool_),
    ("mover_part", np.int32), ("obstacle_part", np.int32),
])  # fmt: skip
"""A row of `Meetings.array`."""
_BYTES = np.dtype((np.void, MEETING.itemsize))
_COLUMNS = {
    "mover": columns.MOVER, "obstacle": columns.OBSTACLE, "piece": columns.PIECE, "is_hit": columns.IS_HIT,
    "overlaps_at_start": columns.OVERLAPS, "x_studs": columns.X, "y_studs": columns.Y, "normal_x": columns.NX,
    "normal_y": columns.NY, "impact_deg": columns.IMPACT, "clearance_studs": columns.CLEARANCE,
    "is_conditioned": columns.CONDITIONED,
}  # fmt: skip
_FULL_DEG = 360.0
_CHUNK = 4096
"""Movers that a thread takes at a time: what they meet stays in the cache of its core."""


@dataclass(frozen=True, eq=False, repr=False)
class Meetings(Records):
    """What many movers meet: of each first the hits, by pieces and places, then near misses, the nearest first.

    Attributes
    ----------
    array : ndarray, shape (k,)
        Records of these fields; what does not apply is nan.

        - ``mover``, ``obstacle``: their numbers.
        - ``piece``: in which piece of the course, from 0.
        - ``is_hit``: False for a near miss.
        - ``overlaps_at_start``: whether they overlap before the piece begins.
        - ``distance_studs``: how far the mover has come in a straight piece at first touch, or at the nearest approach.
        - ``turned_deg``: how far it has turned in a turn, with the sign of the turn.
        - ``x_studs``, ``y_studs``, ``normal_x``, ``normal_y``: where they touch, and the unit vector outward from the
          obstacle there; for an overlap at the start, the centre of the common area, and where they are least deep
          (of an outline that is no convex polygon: where that area shrinks fastest).
        - ``impact_deg``: angle between the way and the face that is struck, 90 head-on.
        - ``clearance_studs``: least distance in plan; 0 for a hit.
        - ``is_conditioned``: whether outlines that differ by the tolerance, 1e-9 studs, move the place by no more than
          1e-6 studs or degrees, or, for an overlap at the start, it is deeper than that.
        - ``mover_part``, ``obstacle_part``: which of the parts touch by which a compound outline was given, from 0; -1
          for an overlap at the start of such an outline.
    """

    array: npt.NDArray[Any]
    movers: int
    """How many movers there were."""

    def line(self) -> str:
        """Return one line: how many movers, hits and near misses."""
        hits = int(self.array["is_hit"].sum())
        near = len(self.array) - hits
        also = f", {counted(near, 'near miss', 'near misses')}" if near else ""
        return f"{counted(self.movers, 'mover')}: {counted(hits, 'hit')}{also}"


class Courses(NamedTuple):
    """The pieces of all movers: displacement and nan, or pivot and degrees; and the first piece of each."""

    pieces: Array
    firsts: Indices


@public()
def sweep(
    movers: Any,
    motions: Any,
    obstacles: Any,
    *,
    own: Any = None,
    stops: bool = False,
    clearance_studs: float | None = None,
    threads: int | None = None,
) -> Meetings:
    """Find what many outlines meet while they move: which obstacles, where, along which normal; as arrays.

    Two outlines meet when they overlap by more than 1e-9 studs, in plan and in height. Obstacles stand still.

    Parameters
    ----------
    movers
        `outlines`, or corners as that function takes them. A single one makes all motions.
    motions
        One for each mover, or one for all. Array of shape (n, 2): displacements in studs, straight ahead. Shape (n, 3):
        turns, x and y of the pivot and degrees counter-clockwise, up to a full circle. Or courses, a pair of arrays:
        pieces of shape (p, 3), rows as of turns, where a row with nan degrees is a displacement; and offsets of shape
        (n + 1,), by which mover i has the pieces ``offsets[i]`` to ``offsets[i + 1] - 1``. All coordinates are those
        of the field.
    obstacles
        As the movers. Make `outlines` of them once if you sweep among them often.
    own
        Offsets of shape (n + 1,), if each mover has obstacles of its own; without them all movers share all obstacles.
    stops
        Whether a mover stops at what it touches first. Else it goes on, and each obstacle is hit once.
    clearance_studs
        Also list near misses up to this distance; None for no such search.
    threads
        How many; None for all cores. The result is the same.

    Raises
    ------
    InvalidValueError
        If outlines have a fault, or numbers do not fit each other.

    Examples
    --------
    >>> import brickphys
    >>> car = [(-5, -3), (5, -3), (5, 3), (-5, 3)]
    >>> walls = [[(12, -9), (13, -9), (13, 9), (12, 9)], [(0, 8), (9, 8), (9, 9), (0, 9)]]
    >>> found = brickphys.sweep(car, [(20, 0), (0, 20)], walls)
    >>> found
    <2 movers: 2 hits>
    >>> found.array[["mover", "obstacle", "distance_studs"]].tolist()
    [(0, 0, 7.0), (1, 1, 5.0)]
    """
    moving, around = read_outlines(movers), read_outlines(obstacles)
    courses = read_courses(motions, "motions", 2, 3)
    count = _count(moving, courses)
    moving = moving if len(moving) == count else moving.repeated(count)
    if len(courses.firsts) - 1 != count:
        firsts = np.arange(count + 1, dtype=np.intp) * len(courses.pieces)
        courses = Courses(np.tile(courses.pieces, (count, 1)), firsts)
    offsets = None
    if own is not None:
        offsets = read_offsets(own, "own", len(around))
        if len(offsets) != count + 1:
            raise InvalidValueError(
                f"own: {len(offsets)} offsets are not one more than {counted(count, 'mover')}"
            )
    within = -1.0 if clearance_studs is None else clearance_studs
    if clearance_studs is not None and not 0.0 <= clearance_studs < np.inf:
        raise InvalidValueError(f"clearance {clearance_studs:g} is not 0 or more")
    how = _How(stops, within, thread_count(threads))
    found = _swept(moving, courses, around, offsets, how)
    if moving.border is not None or around.border is not None:
        found = whole(found, moving, courses, around, stops)
        if stops and within >= 0.0:
            upto = Courses(*cut_courses(found, courses.pieces, courses.firsts))
            near = _swept(moving, upto, around, offsets, how._replace(stops=False))
            near = whole(near[~near["is_hit"]], moving, upto, around, stops=False)
            found = with_near_misses(found, near)
    return Meetings(found, count)


class _How(NamedTuple):
    """Options of a sweep."""

    stops: bool
    within: float
    threads: int


def read_courses(motions: Any, name: str, *widths: int) -> Courses:
    """Return the pieces of motions: rows of so many columns, of which two get nan, or a pair of such and offsets."""
    if isinstance(motions, Courses):
        return motions
    is_pair = isinstance(motions, tuple | list) and len(motions) == 2
    if is_pair and np.ndim(motions[0]) == 2:
        pieces = numbers(motions[0], name, *(width for width in widths if width > 2))
        firsts, one = read_offsets(motions[1], f"offsets of the {name}", len(pieces)), "piece"
    else:
        pieces = numbers(motions, name, *widths)
        firsts, one = np.arange(len(pieces) + 1, dtype=np.intp), "motion"
    if pieces.shape[1] == 2:
        pieces = np.column_stack([pieces, np.full(len(pieces), np.nan)])
    turns = ~np.isnan(pieces[:, 2])
    check_finite(np.column_stack([pieces[:, :2], np.where(turns, pieces[:, 2], 0.0)]), one)
    wide = np.flatnonzero(np.abs(pieces[:, 2]) > _FULL_DEG)
    if len(wide):
        raise InvalidValueError(
            f"piece {wide[0]} turns by {pieces[wide[0], 2]:g} degrees, more than a full circle"
        )
    note_radians(pieces[turns, 2], "turns")
    return Courses(np.ascontiguousarray(pieces), firsts)


def _count(movers: Outlines, courses: Courses) -> int:
    """Return how many movers there are; one outline or one motion is that of all."""
    counts = {len(movers), len(courses.firsts) - 1}
    if len(counts - {1}) > 1:
        raise InvalidValueError(
            f"there are {counted(len(movers), 'mover')}, but {counted(len(courses.firsts) - 1, 'motion')}"
        )
    return min(counts) if 0 in counts else max(counts)


def _swept(
    movers: Outlines, courses: Courses, obstacles: Outlines, own: Indices | None, how: _How
) -> npt.NDArray[Any]:
    """Return the records of all convex parts of movers; threads share them in chunks."""
    (others, edges, boxes), tree = obstacles.prepared, obstacles.tree
    owners, ranges = movers.owners, _ranges(courses.firsts)[movers.owners]
    heights = movers.bottoms_plates[owners], movers.tops_plates[owners]
    solids = np.column_stack([*heights, movers.radii_studs])
    among = np.empty((0, 2), np.intp)
    if own is not None:
        among = _ranges(obstacles.parts[own])[owners]
    around: tuple[Any, ...] = (
        movers.vertices_studs, movers.firsts, solids, courses.pieces, ranges, others, edges, boxes, among, *tree
    )  # fmt: skip
    most = int(np.diff(movers.firsts).max(initial=3)), int(others[:, 5].max(initial=3))
    total = len(solids)

    def part(begin: int, end: int) -> npt.NDArray[Any]:
        work = _room(*most, obstacles)
        count, most_rows = -1, 4 * (end - begin)
        while count < 0:
            rows, most_rows = np.empty((most_rows, columns.COLUMNS)), 4 * most_rows
            options: tuple[Any, ...] = (begin, end, how.stops, how.within, TOLERANCE, rows)
            count = columns.meetings(*(*around, *work, *options))
        return _records(rows[:count], courses.pieces, ranges[:, 0])

    chunks = in_chunks(part, total, _CHUNK, how.threads)
    raw = [chunk.view(_BYTES) for chunk in chunks]  # fields are not copied one by one
    return np.concatenate([np.empty(0, _BYTES), *raw]).view(MEETING)


def _ranges(firsts: Indices) -> Indices:
    """Return the first and the end of each of several groups, shape (n, 2)."""
    return np.column_stack([firsts[:-1], firsts[1:]])


def _room(corners: int, others: int, obstacles: Outlines) -> tuple[Any, ...]:
    """Return room to work, for movers and obstacles of at most so many corners, as `meetings` takes it."""
    return (
        np.empty((corners, 2)),
        np.empty((3, corners, 5)),
        np.empty((others, 5)),
        np.empty(2 + 8 * corners * others),
        np.empty(len(obstacles.tree.boxes) + 1, np.intp),
        np.empty(12),
        np.empty((2, corners + 2 * others, 2)),
    )


def _records(rows: Array, pieces: Array, firsts: Indices) -> npt.NDArray[Any]:
    """Return rows of the compiled loop as records."""
    found = filled(MEETING, rows, _COLUMNS)
    found["mover_part"] = found["obstacle_part"] = 0
    turns = pieces[firsts[found["mover"]] + found["piece"], 2]
    at, is_turn = rows[:, columns.AT], ~np.isnan(turns)
    found["distance_studs"] = np.where(is_turn, np.nan, at)
    found["turned_deg"] = np.where(is_turn, np.copysign(at, turns) + 0.0, np.nan)
    if found["is_hit"].all():
        return found
    return nearest_last(found)
