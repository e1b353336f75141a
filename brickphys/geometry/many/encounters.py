"""Encounters: two outlines that both move, pair by pair: contact in time, least gap, surrogate safety measures.

Those of outlines of any form are the earliest, nearest and least of their convex parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.geometry.border_kernel import border_contact
from brickphys.geometry.many import encounters_kernel as columns
from brickphys.geometry.many.approach_kernel import BOXES
from brickphys.geometry.many.moves import Courses, read_courses
from brickphys.geometry.many.outlines import Outlines, check_finite, numbers, read_outlines
from brickphys.geometry.many.pairs import part_pairs
from brickphys.geometry.many.records import Records, filled, in_chunks, thread_count
from brickphys.geometry.many.ways_kernel import WAY_COLUMNS
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.shape import mass_centre, solid_of
from brickphys.interface import public
from brickphys.text import counted
from brickphys.units import Array, Indices

_COLUMNS = {
    "time_s": columns.TIME, "overlaps_at_start": columns.OVERLAPS, "x_studs": columns.X, "y_studs": columns.Y,
    "normal_x": columns.NX, "normal_y": columns.NY, "closing_studs_s": columns.CLOSING,
    "delta_v_first_studs_s": columns.DELTA_FIRST, "delta_v_second_studs_s": columns.DELTA_SECOND,
    "gap_studs": columns.GAP, "gap_at_s": columns.GAP_AT,
}  # fmt: skip
_MORE = {"pet_s": "f8", "first_passes_first": "?", "first_part": "i4", "second_part": "i4"}
ENCOUNTER = np.dtype(
    [*((name, "?" if name == "overlaps_at_start" else "f8") for name in _COLUMNS), *_MORE.items()]
)
"""A row of `Encounters.array`."""
_CHUNK = 256
"""Pairs that a thread takes at a time."""
_FINE = 256
"""Corners of a quarter of a circle where masses are computed."""
MOST_S = 1e5
"""No way takes longer: times are then exact to 1e-11 s."""


@dataclass(frozen=True, eq=False, repr=False)
class Encounters(Records):
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
        - ``first_part``, ``second_part``: which of the parts touch by which compound outlines were given, from 0; -1
          without a touch.
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
    tolerance_studs: float = TOLERANCE,
    threads: int | None = None,
) -> Encounters:
    """Find when two bodies that both move first touch, and how near they come in space and time; pair by pair.

    Two outlines meet when they overlap by more than a tolerance, in plan and in height. Times are exact to 1e-9 s
    where they close by at least one stud a second, distances to 1e-9 studs, lags to 1e-9 studs of way.

    Parameters
    ----------
    first, second
        `outlines` of any form, or corners as that function takes them, where the bodies are at the time 0. A single
        one makes all ways of its side.
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
    tolerance_studs
        An overlap up to it is no contact; 1e-12 to 0.1.
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
    bodies = read_outlines(first), read_outlines(second)
    ways = _read_ways(first_ways, "first_ways"), _read_ways(second_ways, "second_ways")
    weights, moments = _read_masses(masses), _read_moments(moments_s)
    if not 0.0 <= restitution <= 1.0:
        raise InvalidValueError(f"restitution {restitution:g} is outside 0..1")
    if not 1e-12 <= tolerance_studs <= 0.1:
        raise InvalidValueError(f"tolerance {tolerance_studs:g} is outside 1e-12..0.1")
    counts = {
        "first": len(bodies[0]), "first_ways": len(ways[0].firsts) - 1,
        "second": len(bodies[1]), "second_ways": len(ways[1].firsts) - 1, "masses": len(weights),
    }  # fmt: skip
    if len({*counts.values()} - {1}) > 1:
        told = ", ".join(f"{count} of {name}" for name, count in counts.items())
        raise InvalidValueError(f"these are not pairs: {told}")
    count = 0 if 0 in counts.values() else max(counts.values())
    how = _How(weights, restitution, moments, tolerance_studs)
    return _encountered(bodies, ways, how, count, thread_count(threads))


class _How(NamedTuple):
    """Options of encounters."""

    masses: Array
    restitution: float
    moments: Array
    tolerance: float


def pace_problem(extent: float, speed: float, growth: float, wait_s: float) -> str | None:
    """Return why a body does not come to the end of a piece, or not in time; else None.

    It goes so far, in studs or degrees, from a speed at the beginning on, with an acceleration.
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


_Side = tuple[Array, Array, Array, Indices]
"""Heads of the parts of one body in all pairs of parts, edges, pieces and spans of these, as the kernel has them."""


def _encountered(
    bodies: tuple[Outlines, Outlines],
    ways: tuple[Courses, Courses],
    how: _How,
    count: int,
    threads: int,
) -> Encounters:
    """Return the answers for all pairs."""
    *numbers_of, firsts = part_pairs(*bodies, count)
    pair = np.repeat(np.arange(count), np.diff(np.append(firsts, len(numbers_of[0]))))
    is_plain = all(body.border is None for body in bodies)
    sides = [
        _side(body, way, number, pair, is_plain or not len(how.moments))
        for body, way, number in zip(bodies, ways, numbers_of, strict=True)
    ]
    masses = how.masses[pair % len(how.masses)] if count else how.masses
    rows, conflicts = _answers(sides, masses, how, threads)
    first, rows, conflicts = _whole(rows, conflicts, firsts, pair)
    parts = np.repeat(np.where(np.isfinite(rows[:, columns.ROW]), 0, -1)[:, None], 2, axis=1)
    for number in [] if is_plain else np.flatnonzero(parts[:, 0] == 0).tolist():
        both, whole = [], False
        for body, (_, _, pieces, spans), those in zip(bodies, sides, numbers_of, strict=True):
            part, (border, cuts) = first[number], body.edges
            owner = body.owners[those[part]]
            whole |= not body.are_plain[owner]
            both.append((pieces[slice(*spans[part])], border[cuts[owner] : cuts[owner + 1]]))
        if whole:
            weights = how.masses[number % len(how.masses)]
            parts[number] = _tell_whole(rows[number], both, (weights, how.restitution))
    found = filled(ENCOUNTER, rows, _COLUMNS)
    found["first_part"], found["second_part"] = parts.T
    lags = rows[:, columns.LAG]
    found["pet_s"], found["first_passes_first"] = np.abs(lags), (lags > 0.0) & np.isfinite(lags)
    return Encounters(found, how.moments, conflicts[:, :, 0], conflicts[:, :, 1])


def _side(body: Outlines, way: Courses, number: Indices, pair: Indices, is_light: bool) -> _Side:
    """Return the parts with these numbers as the kernel takes them; light ones have the mass of their own edges."""
    (heads, edges, _), (border, cuts) = body.prepared, body.edges
    mass = np.full((len(body), 3), np.nan)
    if not is_light:
        for each in range(len(body)):
            mass[each] = mass_centre(solid_of(border[cuts[each] : cuts[each + 1]], _FINE))
    spans = np.column_stack([way.firsts[:-1], way.firsts[1:]])
    found = np.hstack([heads, mass[body.owners]])[number]
    return found, edges, way.pieces, spans[pair % max(len(spans), 1)]


def _answers(sides: list[_Side], masses: Array, how: _How, threads: int) -> tuple[Array, Array]:
    """Return the rows of the compiled loop, and the conflicts; threads share the pairs in chunks."""
    total = len(sides[0][0])
    rows, conflicts = np.empty((total, columns.COLUMNS)), np.empty((total, len(how.moments), 2))
    corners = max(int(head[:, 5].max(initial=3)) for head, *_ in sides)
    most = max(int(np.ptp(span, axis=1).max(initial=1)) for *_, span in sides)

    def part(begin: int, end: int) -> None:
        room: tuple[Any, ...] = (
            np.empty((2, 2 * most + 1, WAY_COLUMNS)), np.empty((2, corners + 1, 5)), np.empty((BOXES, 4)),
            rows[begin:end], conflicts[begin:end],
        )  # fmt: skip
        options = (how.restitution, how.moments, begin, end, how.tolerance)
        columns.encounters(*(*sides[0], *sides[1], masses, *options, *room))

    in_chunks(part, total, _CHUNK, threads)
    return rows, conflicts


def _whole(
    parts: Array, conflicts: Array, firsts: Indices, pair: Indices
) -> tuple[Indices, Array, Array]:
    """Return, given those of parts, rows and conflicts of outlines, and before that which parts touch first."""
    if len(parts) == len(firsts):
        return firsts, parts, conflicts

    def first_of(values: Array) -> Indices:
        """Return the number of the least value of each outline; of one that is nan, if there is any."""
        order: Indices = np.lexsort((values, ~np.isnan(values), pair))[firsts]
        return order

    first = first_of(parts[:, columns.TIME])
    rows = parts[first]
    free, lag = np.isinf(rows[:, columns.TIME]), first_of(np.abs(parts[:, columns.LAG]))
    least = parts[first_of(parts[:, columns.GAP])[free]]
    rows[free, columns.GAP] = least[:, columns.GAP]
    rows[free, columns.GAP_AT] = least[:, columns.GAP_AT]
    rows[free, columns.LAG] = parts[lag[free], columns.LAG]
    soonest = np.minimum.reduceat(conflicts[:, :, 0], firsts)
    hardest = np.maximum.reduceat(conflicts[:, :, 1], firsts)
    return first, rows, np.stack([soonest, hardest], axis=-1)


def _tell_whole(
    row: Array, sides: Sequence[tuple[Array, Array]], how: tuple[Array, float]
) -> list[int]:
    """Write where two outlines touch of any form, and what follows from that; return their parts that touch.

    Sides are pieces and border; then come masses and restitution.
    Points are complex, and the contact is found where the second body was at the beginning.
    """
    t, states = float(row[columns.TIME]), []
    for (pieces, *_), column in zip(sides, (columns.ROW, columns.OTHER_ROW), strict=True):
        (c, s, dx, dy), (vx, vy, spin) = columns.state(pieces, int(row[column]), t)
        states.append((complex(c, s), complex(dx, dy), complex(vx, vy), spin))
    (turn, shift, v, w), (their_turn, their_shift, their_v, their_w) = states
    turned, moved = turn / their_turn, (shift - their_shift) / their_turn
    drift, spin = v - their_v, w - their_w
    way = drift / abs(drift) / their_turn if drift else 1.0 + 0j
    way = (1j * drift / spin - their_shift) / their_turn if spin else way
    (_, border), (_, their_border) = sides
    transform = (turned.real, turned.imag, moved.real, moved.imag)
    motion = (way.real, way.imag, 0.0, float(np.sign(spin)))
    best, _ = border_contact(their_border, border, transform, motion)
    point = complex(*best[8:10]) * their_turn + their_shift
    normal, shares = complex(*best[10:12]) * their_turn, 0.0
    closing = -((drift + 1j * spin * point) * normal.conjugate()).real
    for (_, own), (turn, shift, *_), weight in zip(sides, states, how[0], strict=True):
        x, y, square = mass_centre(solid_of(own, _FINE))
        arm = ((point - complex(x, y) * turn - shift).conjugate() * normal).imag
        shares += (1.0 + arm * arm / square) / weight
    impulse = (1.0 + how[1]) * max(closing, 0.0) / shares
    row[columns.X : columns.CLOSING] = point.real, point.imag, normal.real, normal.imag
    row[columns.CLOSING : columns.GAP] = closing, *(impulse / how[0])
    touch = zip((border, their_border), (best[7], best[6]), strict=True)
    return [int(rows[int(at), 7]) if at >= 0.0 else -1 for rows, at in touch]
