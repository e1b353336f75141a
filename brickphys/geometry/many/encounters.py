"""Encounters: two outlines that both move, pair by pair: contact in time, least gap, surrogate safety measures."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.geometry.many import encounters_kernel as columns
from brickphys.geometry.many.approach_kernel import BOXES
from brickphys.geometry.many.moves import Courses, read_courses
from brickphys.geometry.many.outlines import Outlines, check_finite, numbers, read_outlines
from brickphys.geometry.many.ways_kernel import WAY_COLUMNS
from brickphys.geometry.polygon import TOLERANCE
from brickphys.interface import Displayed, Row, public
from brickphys.text import counted
from brickphys.units import Array
from brickphys.workers import MAX_WORKERS, cores

if TYPE_CHECKING:
    import pyarrow as pa

ENCOUNTER = np.dtype(
    [
        ("time_s", np.float64),
        ("overlaps_at_start", np.bool_),
        ("x_studs", np.float64),
        ("y_studs", np.float64),
        ("normal_x", np.float64),
        ("normal_y", np.float64),
        ("closing_studs_s", np.float64),
        ("delta_v_first_studs_s", np.float64),
        ("delta_v_second_studs_s", np.float64),
        ("gap_studs", np.float64),
        ("gap_at_s", np.float64),
        ("pet_s", np.float64),
        ("first_passes_first", np.bool_),
    ]
)
"""A row of `Encounters.array`."""
_COLUMNS = (
    columns.TIME, columns.OVERLAPS, columns.X, columns.Y, columns.NX, columns.NY, columns.CLOSING,
    columns.DELTA_FIRST, columns.DELTA_SECOND, columns.GAP, columns.GAP_AT,
)  # fmt: skip
_CHUNK = 256
"""Pairs that a thread takes at a time."""
MOST_S = 1e5
"""No way takes longer: times are then exact to 1e-11 s."""


@dataclass(frozen=True, eq=False, repr=False)
class Encounters(Displayed):
    """What many pairs of bodies that both move come to.

    Attributes
    ----------
    array : ndarray, shape (n,)
        Records of these fields; what never happens is at inf, and what does not apply is nan.

        - ``time_s``: when they first touch. 0 if ``overlaps_at_start``; then nothing else applies.
        - ``x_studs``, ``y_studs``, ``normal_x``, ``normal_y``: where, and the unit vector outward from the second body.
        - ``closing_studs_s``: how fast they close along the normal where they touch.
        - ``delta_v_first_studs_s``, ``delta_v_second_studs_s``: by how much the impact changes the velocity of the
          centre of mass of each; the first one along the normal, the second one against it.
        - ``gap_studs``, ``gap_at_s``: the smallest distance in plan, and when; 0 at a contact.
        - ``pet_s``: post-encroachment time, the shortest time between one body leaving a place and the other coming
          there; 0 at a contact, inf if they share no place. Like ``gap_studs`` it is nan if a million steps do not
          decide it, as where two sides turn in flush lanes.
        - ``first_passes_first``: whether the first body is there before the second.
    moments_s : ndarray, shape (k,)
        The moments that were asked for.
    ttc_s, drac_studs_s2 : ndarray, shape (n, k)
        Time to collision if both kept their velocities from there on, and the deceleration rate to avoid a crash; nan
        after the contact.
    """

    array: npt.NDArray[Any]
    moments_s: Array
    ttc_s: Array
    drac_studs_s2: Array

    def line(self) -> str:
        """Return one line: how many pairs, and how many of them touch."""
        touch = int(np.isfinite(self.array["time_s"]).sum())
        return f"{counted(len(self.array), 'pair')}: {counted(touch, 'contact')}"

    def rows(self) -> list[Row]:
        """Return one row for each pair."""
        names = self.array.dtype.names or ()
        return [dict(zip(names, row, strict=True)) for row in self.array.tolist()]

    def to_arrow(self) -> "pa.Table":
        """Return the array as a table of Arrow."""
        import pyarrow as pa

        names = self.array.dtype.names or ()
        return pa.table({name: np.ascontiguousarray(self.array[name]) for name in names})


@public()
def encounter(
    first: Any,
    first_ways: Any,
    second: Any,
    second_ways: Any,
    *,
    masses: Any = (1.0, 1.0),
    restitution: float = 0.0,
    moments_s: Any = (),
    threads: int | None = None,
) -> Encounters:
    """Find when two bodies that both move first touch, and how near they come in space and time; pair by pair.

    Two outlines meet when they overlap by more than 1e-9 studs, in plan and in height. Times are exact to 1e-9 s
    where they close by at least one stud a second, distances to 1e-9 studs, lags to 1e-9 studs of way.

    Parameters
    ----------
    first, second
        Convex `outlines`, or corners as that function takes them, where the bodies are at the time 0. A single one
        makes all ways of its side.
    first_ways, second_ways
        One way for each body, or one for all. A way is pieces one after the other, rows of 4 to 6 numbers:

        - x and y of a displacement in studs, nan; or of a pivot, and degrees counter-clockwise, up to a full circle,
        - speed at the beginning, in studs/s or degrees/s,
        - acceleration, in studs/s2 or degrees/s2; 0 if there is no such column,
        - how long the body then waits, in seconds; 0 if there is no such column.

        All coordinates are those of the field. An array of shape (n, 4) to (n, 6) has one piece for each body. A pair
        of arrays has the pieces of all, and offsets of shape (n + 1,): body i has the pieces ``offsets[i]`` to
        ``offsets[i + 1] - 1``. At the end of its way a body stands still, until the other one has come to its end.
    masses
        Of both bodies, in any unit; or an array of shape (n, 2). Mass is spread evenly over each outline.
    restitution
        Of the impact, from 0 to 1.
    moments_s
        When the time to a collision and the deceleration to avoid it are asked for.
    threads
        How many; None for all cores. The result is the same.

    Raises
    ------
    InvalidValueError
        If outlines have a fault, numbers do not fit each other, or a body does not come to the end of a piece.

    Notes
    -----
    Time to collision: Hayward, 1972. Post-encroachment time: Allen, Shin and Cooper, 1978, here the least over all
    places that both cover. Deceleration rate to avoid a crash: Cooper and Ferguson, 1976, here v / (2 TTC) with the
    relative velocity v. Impact without friction in the plane: Brach, Mechanical Impact Dynamics, 1991: the impulse is
    (1 + e) c / (1/m1 + a1^2/I1 + 1/m2 + a2^2/I2) with the closing speed c and the arms a of its line about the
    centres of mass.

    Examples
    --------
    >>> import brickphys
    >>> from math import nan
    >>> car = [(-5, -3), (5, -3), (5, 3), (-5, 3)]
    >>> truck = [(17, -28), (23, -28), (23, -12), (17, -12)]
    >>> found = brickphys.encounter(car, [(40, 0, nan, 10)], truck, [(0, 40, nan, 8)], moments_s=[0])
    >>> found
    <1 pair: 1 contact>
    >>> found.array["time_s"].round(9).tolist(), found.array["closing_studs_s"].tolist(), found.ttc_s.tolist()
    ([1.2], [10.0], [[1.2]])
    """
    bodies = _read_bodies(first, "first"), _read_bodies(second, "second")
    ways = _read_ways(first_ways, "first_ways"), _read_ways(second_ways, "second_ways")
    weights, moments = _read_masses(masses), _read_moments(moments_s)
    if not 0.0 <= restitution <= 1.0:
        raise InvalidValueError(f"restitution {restitution:g} is outside 0..1")
    if threads is not None and not 1 <= threads <= MAX_WORKERS:
        raise InvalidValueError(f"threads {threads} is outside 1..{MAX_WORKERS}")
    counts = {
        "first": len(bodies[0]), "first_ways": len(ways[0].firsts) - 1,
        "second": len(bodies[1]), "second_ways": len(ways[1].firsts) - 1, "masses": len(weights),
    }  # fmt: skip
    if len({*counts.values()} - {1}) > 1:
        told = ", ".join(f"{count} of {name}" for name, count in counts.items())
        raise InvalidValueError(f"these are not pairs: {told}")
    count = 0 if 0 in counts.values() else max(counts.values())
    return _encountered(bodies, ways, (weights, restitution, moments), count, threads or cores())


def pace_problem(extent: float, speed: float, growth: float, wait_s: float) -> str | None:
    """Return why a body does not come to the end of a piece, or not in time; else None.

    Parameters
    ----------
    extent, speed, growth
        How far it goes, in studs or degrees, its speed at the beginning, and its acceleration.
    """
    if speed < 0.0 or wait_s < 0.0:
        return f"{'speed' if speed < 0.0 else 'wait'} {min(speed, wait_s):g} is below 0"
    if extent == 0.0:
        return f"it takes more than {MOST_S:g} s" if wait_s > MOST_S else None
    square = speed * speed + 2 * growth * extent
    if square < 0.0:
        return f"it stops after {-speed * speed / growth / 2:g} of {extent:g}"
    if speed == 0.0 and growth <= 0.0:
        return f"at speed 0 it never comes to its end, {extent:g} away"
    if not 2 * extent / (speed + square**0.5) + wait_s <= MOST_S:
        return f"it takes more than {MOST_S:g} s"
    return None


def _read_bodies(value: Any, name: str) -> Outlines:
    """Return outlines; refuse those that are no convex polygons."""
    found = read_outlines(value)
    odd = np.flatnonzero(np.diff(found.parts) != 1)
    odd = odd if len(odd) else found.owners[found.radii_studs > 0.0]
    if len(odd):
        raise InvalidValueError(f"{name}: outline {odd[0]} is not one convex polygon")
    return found


def _read_ways(ways: Any, name: str) -> Courses:
    """Return the pieces of ways, all columns filled; refuse those whose end is not reached."""
    courses = read_courses(ways, name, 4, 5, 6)
    pieces = np.pad(courses.pieces, ((0, 0), (0, 6 - courses.pieces.shape[1])))
    check_finite(pieces[:, 3:], f"{name}: piece")
    if (np.diff(courses.firsts) == 0).any():
        raise InvalidValueError(f"{name}: a way has no piece")
    speeds, growths, waits = pieces[:, 3:].T
    extents = np.where(
        np.isnan(pieces[:, 2]), np.hypot(pieces[:, 0], pieces[:, 1]), np.abs(pieces[:, 2])
    )
    squares = speeds * speeds + 2 * growths * extents
    with np.errstate(all="ignore"):
        times = np.where(extents > 0.0, 2 * extents / (speeds + np.sqrt(squares)), 0.0) + waits
    sound = (times <= MOST_S) & (speeds >= 0.0) & (waits >= 0.0)
    for piece in np.flatnonzero(~sound)[:1].tolist():
        pace = (column[piece].item() for column in (extents, speeds, growths, waits))
        raise InvalidValueError(f"{name}: piece {piece}: {pace_problem(*pace)}")
    return Courses(np.ascontiguousarray(pieces), courses.firsts)


def _read_masses(masses: Any) -> Array:
    """Return the masses of both bodies of each pair, or of all."""
    found = numbers(masses, "masses", 2)
    check_finite(found, "masses: row")
    if not (found > 0.0).all():
        raise InvalidValueError(f"masses: {found[found <= 0.0][0]:g} is not above 0")
    return np.ascontiguousarray(found)


def _read_moments(moments_s: Any) -> Array:
    """Return the moments, shape (k,)."""
    found = np.ravel(numbers(np.reshape(moments_s, (-1, 1)), "moments_s", 1))
    wrong = found[~((found >= 0.0) & (found <= MOST_S))]
    if len(wrong):
        raise InvalidValueError(f"moments_s: {wrong[0]:g} is outside 0..{MOST_S:g}")
    return found


def _encountered(
    bodies: tuple[Outlines, Outlines],
    ways: tuple[Courses, Courses],
    how: tuple[Array, float, Array],
    count: int,
    threads: int,
) -> Encounters:
    """Return the answers for all pairs; threads share them in chunks."""
    moments = how[2]
    rows, conflicts = np.empty((count, columns.COLUMNS)), np.empty((count, len(moments), 2))
    sides: list[Any] = []
    for body, way in zip(bodies, ways, strict=True):
        heads, edges, _ = body.prepared
        sides += [heads, edges, *way]
    corners = max(int(body.prepared[0][:, 5].max(initial=3)) for body in bodies)
    most = max(int(np.diff(way.firsts).max(initial=1)) for way in ways)

    def part(begin: int) -> None:
        end = min(begin + _CHUNK, count)
        ways_room = np.empty((2, 2 * most + 1, WAY_COLUMNS))
        room: tuple[Any, ...] = (
            ways_room, np.empty((2, corners, 5)), np.empty((BOXES, 4)),
            rows[begin:end], conflicts[begin:end],
        )  # fmt: skip
        columns.encounters(*(*sides, *how, begin, end, TOLERANCE, *room))

    begins = range(0, count, _CHUNK)
    with ThreadPoolExecutor(min(threads, max(len(begins), 1))) as pool:
        list(pool.map(part, begins))
    found = np.empty(count, ENCOUNTER)
    for name, column in zip(ENCOUNTER.names or (), _COLUMNS, strict=False):
        found[name] = rows[:, column]
    lags = rows[:, columns.LAG]
    found["pet_s"], found["first_passes_first"] = np.abs(lags), (lags > 0.0) & np.isfinite(lags)
    return Encounters(found, moments, conflicts[:, :, 0], conflicts[:, :, 1])
