"""The loop of encounters, compiled: when two bodies that both move touch, and what follows from that.

The gap beyond an edge of one body is the least distance of the other's corners from its line. In the frame of a body, a
corner of the other one moves on a smooth way, whose second derivative has a bound that vanishes if both go straight on
at constant speeds, or turn as one. So the value and the slope of a gap tell for how long it stays open for sure, and a
first contact is found by steps of this length (conservative advancement; Mirtich, 1996). No contact is skipped, and on
straight ways the steps are exact.

Rows of answers have 14 numbers, named here.
"""

from functools import partial
from math import hypot, inf, nan, sqrt

import numpy as np

from brickphys.geometry.many.approach_kernel import least_gap, least_lag
from brickphys.geometry.many.ways_kernel import (
    BEGIN,
    END,
    WAY_COLUMNS,
    Side,
    Twist,
    bends,
    difference,
    pull_of,
    put,
    put_both,
    row_at,
    speed_along,
    transform_at,
    twist_of,
    write_way,
)
from brickphys.geometry.rounded_kernel import first_rounded_touch
from brickphys.geometry.sweep_kernel import first_touch, meeting_point
from brickphys.jit import called_kernel, entry, kernel
from brickphys.units import Array, Indices

(
    TIME,
    OVERLAPS,
    X,
    Y,
    NX,
    NY,
    CLOSING,
    DELTA_FIRST,
    DELTA_SECOND,
    GAP,
    GAP_AT,
    LAG,
    ROW,
    OTHER_ROW,
) = range(14)
"""Columns of an answer. The lag is positive if the first body passes first; last come the rows of both ways in which
they touch."""
COLUMNS = 14
_SHORTEST = 1e-13
"""Seconds: the bodies overlap where no gap stays open for longer."""


@called_kernel
def _open_for(
    frame: Array,
    corners: Array,
    twist: Twist,
    bend: float,
    pull: tuple[float, float, float, float],
    tolerance: float,
) -> float:
    """Return for how long an edge of a body parts the other one from it for sure, up to the tolerance."""
    longest = -inf
    for edge in range(len(frame)):
        nx, ny, offset = frame[edge, 2], frame[edge, 3], frame[edge, 4] - tolerance
        shortest, bends = inf, bend + abs(nx * pull[0] + ny * pull[1])
        for corner in range(len(corners)):
            x, y = corners[corner, 0], corners[corner, 1]
            gap = nx * x + ny * y - offset
            if gap <= 0.0:
                shortest = -inf
                break
            speed = speed_along(twist, nx, ny, x, y)
            slow = sqrt(speed * speed + 2 * bends * gap) - speed
            if slow > 0.0:
                shortest = min(shortest, 2 * gap / slow)
        longest = max(longest, shortest)
    return longest


@kernel
def _gap(frame: Array, corners: Array) -> float:
    """Return how far a polygon lies beyond an edge of another; the edge beyond which it lies farthest."""
    widest = -inf
    for edge in range(len(frame)):
        nx, ny = frame[edge, 2], frame[edge, 3]
        gap = inf
        for corner in range(len(corners)):
            gap = min(gap, nx * corners[corner, 0] + ny * corners[corner, 1])
        widest = max(widest, gap - frame[edge, 4])
    return widest


@called_kernel
def _gap_at(one: Side, other: Side, t: float) -> float:
    put_both(one, other, (row_at(one, t), row_at(other, t)), t, t)
    return max(_gap(one.there, other.there), _gap(other.there, one.there))


@called_kernel
def _first_overlap(one: Side, other: Side, horizon: float, tolerance: float) -> float:
    """Return when two bodies begin to overlap by more than the tolerance; infinite if they never do."""
    t = 0.0
    while t < horizon:
        mine, theirs = row_at(one, t), row_at(other, t)
        row, their_row = one.way[mine], other.way[theirs]
        end = min(row[END], their_row[END], horizon)
        put_both(one, other, (mine, theirs), t, t)
        twist, their_twist = twist_of(row, t), twist_of(their_row, t)
        times, pull = (t, end, t, end), pull_of(row, their_row)
        bend = bends(row, their_row, other.there, times)[0]
        step = _open_for(
            one.there, other.there, difference(their_twist, twist), bend, pull, tolerance
        )
        if t + step < end:
            bend = bends(their_row, row, one.there, times)[0]
            ours = _open_for(
                other.there, one.there, difference(twist, their_twist), bend, pull, tolerance
            )
            step = max(step, ours)
        if step <= _SHORTEST + 4e-16 * t:
            return t
        t = min(t + step, end)
    return inf


@kernel
def _touch(one: Side, other: Side, overlap: float, tolerance: float) -> float:
    """Return when two bodies touch that begin to overlap by more than the tolerance at some time."""
    far = tolerance
    while far < overlap and _gap_at(one, other, overlap - far) < 0.0:
        far *= 2
    low, high = max(overlap - far, 0.0), overlap
    while True:
        middle = (low + high) / 2
        if not low < middle < high or high - low < _SHORTEST / 100:
            return low
        if _gap_at(one, other, middle) < 0.0:
            high = middle
        else:
            low = middle


@kernel
def _mass_centre(side: Side, number: int, t: float) -> tuple[float, float, float]:
    """Return the centre of mass of a body at some time, and the square of its radius of gyration about that."""
    edges, mass = side.there, side.mass
    if mass[0] == mass[0]:
        c, s, dx, dy = transform_at(side.way[number], t)
        return c * mass[0] - s * mass[1] + dx, s * mass[0] + c * mass[1] + dy, mass[2]
    x, y = edges[0, 0], edges[0, 1]
    area = at_x = at_y = square = 0.0
    for corner in range(1, len(edges) - 1):
        ax, ay = edges[corner, 0] - x, edges[corner, 1] - y
        bx, by = edges[corner + 1, 0] - x, edges[corner + 1, 1] - y
        cross = ax * by - ay * bx
        area += cross
        at_x += cross * (ax + bx) / 3
        at_y += cross * (ay + by) / 3
        square += cross * (ax * ax + ay * ay + bx * bx + by * by + ax * bx + ay * by) / 6
    at_x, at_y = at_x / area, at_y / area
    return x + at_x, y + at_y, square / area - at_x * at_x - at_y * at_y


@kernel
def _tell_contact(
    one: Side,
    other: Side,
    overlap: float,
    masses: Array,
    restitution: float,
    tolerance: float,
    answer: Array,
) -> None:
    """Write when two bodies touch, and what follows from that if they are not rounded."""
    rows = (row_at(one, overlap), row_at(other, overlap))
    t = _touch(one, other, overlap, tolerance)
    answer[TIME], answer[ROW], answer[OTHER_ROW] = t, rows[0], rows[1]
    if one.radius + other.radius > 0.0:
        return
    put_both(one, other, rows, t, t)
    x, y, nx, ny, _, _ = meeting_point(other.there, one.there, -1, tolerance)
    twist = difference(twist_of(other.way[rows[1]], t), twist_of(one.way[rows[0]], t))
    closing = speed_along(twist, nx, ny, x, y)
    answer[X], answer[Y], answer[NX], answer[NY] = x, y, nx, ny
    answer[CLOSING] = closing
    shares = 0.0
    for case in range(2):
        side, number = (one, rows[0]) if case == 0 else (other, rows[1])
        at_x, at_y, square = _mass_centre(side, number, t)
        arm = (x - at_x) * ny - (y - at_y) * nx
        shares += (1.0 + arm * arm / square) / masses[case]
    impulse = (1.0 + restitution) * max(closing, 0.0) / shares
    answer[DELTA_FIRST], answer[DELTA_SECOND] = impulse / masses[0], impulse / masses[1]


@kernel
def _tell_moment(one: Side, other: Side, t: float, tolerance: float, answer: Array) -> None:
    """Write the time to a collision and the deceleration that avoids it, if both keep their velocities at a moment."""
    mine, theirs = row_at(one, t), row_at(other, t)
    put(one, mine, t)
    put(other, theirs, t)
    dx = dy = 0.0
    for case in range(2):
        side, number, sign = (one, mine, 1.0) if case == 0 else (other, theirs, -1.0)
        x, y, _ = _mass_centre(side, number, t)
        twist = twist_of(side.way[number], t)
        dx += sign * speed_along(twist, 1.0, 0.0, x, y)
        dy += sign * speed_along(twist, 0.0, 1.0, x, y)
    speed = hypot(dx, dy)
    answer[0], answer[1] = inf, 0.0
    if speed == 0.0:
        return
    way, radius = (dx / speed, dy / speed, inf), one.radius + other.radius
    core, their_core = one.there[: len(one.edges)], other.there[: len(other.edges)]
    if radius > 0.0:
        is_hit, far, _, _, _ = first_rounded_touch(their_core, core, way, radius, tolerance)
    else:
        is_hit, far, _, _, _ = first_touch(their_core, core, way, tolerance)
    if is_hit:
        answer[0] = max(far, 0.0) / speed
        answer[1] = speed / (2 * answer[0]) if answer[0] > 0.0 else inf


@kernel
def _tell(
    one: Side,
    other: Side,
    masses: Array,
    restitution: float,
    horizon: float,
    boxes: Array,
    tolerance: float,
    answer: Array,
) -> None:
    """Write the answer for two bodies whose heights overlap."""
    if _gap_at(one, other, 0.0) < -tolerance:
        answer[TIME], answer[OVERLAPS] = 0.0, 1.0
        answer[GAP], answer[GAP_AT], answer[LAG] = 0.0, 0.0, 0.0
        return
    overlap = _first_overlap(one, other, horizon, tolerance)
    if overlap < inf:
        _tell_contact(one, other, overlap, masses, restitution, tolerance, answer)
        answer[GAP], answer[GAP_AT], answer[LAG] = 0.0, answer[TIME], 0.0
        return
    answer[GAP], answer[GAP_AT] = least_gap(one, other, horizon, boxes, tolerance)
    answer[LAG] = least_lag(one, other, horizon, boxes, tolerance)


@kernel
def _side(
    head: Array, edges: Array, pieces: Array, span: Indices, room: Array, there: Array, more: int
) -> Side:
    """Return a body with its way, given the first of its pieces and the end, and room for so many edges more."""
    count, first, size = write_way(pieces, span[0], span[1], room), int(head[6]), int(head[5])
    own = edges[first : first + size]
    return Side(own, room[:count], there[: size + more], head[8:11], head[7])


@partial(entry, allocates=False)
def encounters(
    heads: Array,
    edges: Array,
    pieces: Array,
    ways: Indices,
    other_heads: Array,
    other_edges: Array,
    other_pieces: Array,
    other_ways: Indices,
    masses: Array,
    restitution: float,
    moments: Array,
    begin: int,
    end: int,
    tolerance: float,
    room: Array,
    there: Array,
    boxes: Array,
    rows: Array,
    conflicts: Array,
) -> None:
    """Write what some of many pairs come to.

    Parameters
    ----------
    heads, edges, pieces, ways
        The first bodies: see `brickphys.geometry.sweep_kernel`, but that three more columns of the heads are those of
        `Side.mass`; their pieces, shape (p, 6), as `brickphys.geometry.many.encounters.encounter` takes them; and the
        first piece of each and the end, shape (n, 2).
    other_heads, other_edges, other_pieces, other_ways
        The second ones.
    masses : ndarray, shape (n, 2)
        Of both.
    moments : ndarray, shape (k,)
        When the time to a collision is asked for, in seconds.
    begin, end
        Which pairs.
    room, there, boxes
        Room to work, shapes (2, w, 11), (2, c, 5) and (400, 4).
    rows : ndarray, shape (end - begin, 14)
        Room for the answers.
    conflicts : ndarray, shape (end - begin, k, 2)
        Room for the time to a collision and the deceleration that avoids it.
    """
    for number in range(begin, end):
        answer, head, other = (
            rows[number - begin],
            heads[number],
            other_heads[number],
        )
        rounded = 1 if head[7] + other[7] > 0.0 else 0
        one = _side(head, edges, pieces, ways[number], room[0], there[0], rounded)
        two = _side(
            other, other_edges, other_pieces, other_ways[number], room[1], there[1], rounded
        )  # fmt: skip
        for column in range(COLUMNS):
            answer[column] = nan
        answer[TIME], answer[OVERLAPS], answer[GAP], answer[LAG] = inf, 0.0, inf, inf
        horizon = max(one.way[len(one.way) - 1, BEGIN], two.way[len(two.way) - 1, BEGIN])
        meets = min(head[4], other[4]) - max(head[3], other[3]) > tolerance
        if meets:
            weights = masses[number]
            _tell(one, two, weights, restitution, horizon, boxes, tolerance, answer)
        for moment in range(len(moments)):
            conflict = conflicts[number - begin, moment]
            conflict[0], conflict[1] = inf, 0.0
            if moments[moment] > answer[TIME] or answer[OVERLAPS] == 1.0:
                conflict[0], conflict[1] = nan, nan
            elif meets:
                _tell_moment(one, two, moments[moment], tolerance, conflict)


@entry
def state(
    pieces: Array, row: int, t: float
) -> tuple[tuple[float, float, float, float], tuple[float, float, float]]:
    """Return what a way has done at some time, in one of its rows (see `transform_at`), and the twist there."""
    way = np.empty((2 * len(pieces) + 1, WAY_COLUMNS))
    write_way(pieces, 0, len(pieces), way)
    return transform_at(way[row], t), twist_of(way[row], t)
