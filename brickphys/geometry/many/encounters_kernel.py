"""The loop of encounters, compiled: when two bodies that both move touch, and what follows from that.

The gap beyond an edge of one body is the least distance of the other's corners from its line. In the frame of a body, a
corner of the other one moves on a smooth way, whose second derivative has a bound that vanishes if both go straight on
at constant speeds, or turn as one. So the value and the slope of a gap tell for how long it stays open for sure, and a
first contact is found by steps of this length (conservative advancement; Mirtich, 1996). No contact is skipped, and on
straight ways the steps are exact.

Rows of answers have 12 numbers, named here.
"""

from functools import partial
from math import hypot, inf, nan, sqrt

from brickphys.geometry.many.approach_kernel import least_gap, least_lag
from brickphys.geometry.many.ways_kernel import (
    BEGIN,
    END,
    Side,
    Twist,
    bends,
    difference,
    pull_of,
    put,
    row_at,
    speed_along,
    twist_of,
    write_way,
)
from brickphys.geometry.sweep_kernel import first_touch, meeting_point
from brickphys.jit import called_kernel, entry, kernel
from brickphys.units import Array, Indices

TIME, OVERLAPS, X, Y, NX, NY, CLOSING, DELTA_FIRST, DELTA_SECOND, GAP, GAP_AT, LAG = range(12)
"""Columns of an answer. The lag is positive if the first body passes first."""
COLUMNS = 12
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
    put(one, row_at(one, t), t)
    put(other, row_at(other, t), t)
    return max(_gap(one.there, other.there), _gap(other.there, one.there))


@called_kernel
def _first_overlap(one: Side, other: Side, horizon: float, tolerance: float) -> float:
    """Return when two bodies begin to overlap by more than the tolerance; infinite if they never do."""
    t = 0.0
    while t < horizon:
        mine, theirs = row_at(one, t), row_at(other, t)
        row, their_row = one.way[mine], other.way[theirs]
        end = min(row[END], their_row[END], horizon)
        put(one, mine, t)
        put(other, theirs, t)
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
def _mass_centre(edges: Array) -> tuple[float, float, float]:
    """Return the centre of a polygon's area, and the square of its radius of gyration about that."""
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
    """Write when two bodies touch, where, how fast they close, and how much faster each is after an impulse."""
    rows = (row_at(one, overlap), row_at(other, overlap))
    t = _touch(one, other, overlap, tolerance)
    put(one, rows[0], t)
    put(other, rows[1], t)
    x, y, nx, ny, _, _ = meeting_point(other.there, one.there, -1, tolerance)
    twist = difference(twist_of(other.way[rows[1]], t), twist_of(one.way[rows[0]], t))
    closing = speed_along(twist, nx, ny, x, y)
    answer[TIME], answer[X], answer[Y], answer[NX], answer[NY] = t, x, y, nx, ny
    answer[CLOSING] = closing
    shares = 0.0
    for case in range(2):
        at_x, at_y, square = _mass_centre(one.there if case == 0 else other.there)
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
        x, y, _ = _mass_centre(side.there)
        twist = twist_of(side.way[number], t)
        dx += sign * speed_along(twist, 1.0, 0.0, x, y)
        dy += sign * speed_along(twist, 0.0, 1.0, x, y)
    speed = hypot(dx, dy)
    answer[0], answer[1] = inf, 0.0
    if speed == 0.0:
        return
    way = (dx / speed, dy / speed, inf)
    is_hit, far, _, _, _ = first_touch(other.there, one.there, way, tolerance)
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


@partial(entry, allocates=False)
def encounters(
    heads: Array,
    edges: Array,
    pieces: Array,
    firsts: Indices,
    other_heads: Array,
    other_edges: Array,
    other_pieces: Array,
    other_firsts: Indices,
    masses: Array,
    restitution: float,
    moments: Array,
    begin: int,
    end: int,
    tolerance: float,
    ways: Array,
    room: Array,
    boxes: Array,
    rows: Array,
    conflicts: Array,
) -> None:
    """Write what some of many pairs come to.

    Parameters
    ----------
    heads, edges, pieces, firsts
        The first bodies: see `brickphys.geometry.sweep_kernel`; their pieces, shape (p, 6), as
        `brickphys.geometry.many.encounters.encounter` takes them; and the first piece of each, and their number. There
        may be a single body or way for all pairs.
    other_heads, other_edges, other_pieces, other_firsts
        The second ones.
    masses : ndarray, shape (n, 2)
        Of both.
    moments : ndarray, shape (k,)
        When the time to a collision is asked for, in seconds.
    begin, end
        Which pairs.
    ways, room, boxes
        Room to work, shapes (2, w, 11), (2, c, 5) and (400, 4).
    rows : ndarray, shape (end - begin, 12)
        Room for the answers.
    conflicts : ndarray, shape (end - begin, k, 2)
        Room for the time to a collision and the deceleration that avoids it.
    """
    for number in range(begin, end):
        answer, head, other = (
            rows[number - begin],
            heads[number % len(heads)],
            other_heads[number % len(other_heads)],
        )
        way, their_way = number % (len(firsts) - 1), number % (len(other_firsts) - 1)
        count = write_way(pieces, firsts[way], firsts[way + 1], ways[0])
        many = write_way(
            other_pieces, other_firsts[their_way], other_firsts[their_way + 1], ways[1]
        )
        first, other_first = int(head[6]), int(other[6])
        size, other_size = int(head[5]), int(other[5])
        one = Side(edges[first : first + size], ways[0, :count], room[0, :size])
        two = Side(
            other_edges[other_first : other_first + other_size],
            ways[1, :many],
            room[1, :other_size],
        )
        for column in range(COLUMNS):
            answer[column] = nan
        answer[TIME], answer[OVERLAPS], answer[GAP], answer[LAG] = inf, 0.0, inf, inf
        horizon = max(one.way[count - 1, BEGIN], two.way[many - 1, BEGIN])
        meets = min(head[4], other[4]) - max(head[3], other[3]) > tolerance
        if meets:
            weights = masses[number % len(masses)]
            _tell(one, two, weights, restitution, horizon, boxes, tolerance, answer)
        for moment in range(len(moments)):
            conflict = conflicts[number - begin, moment]
            conflict[0], conflict[1] = inf, 0.0
            if moments[moment] > answer[TIME] or answer[OVERLAPS] == 1.0:
                conflict[0], conflict[1] = nan, nan
            elif meets:
                _tell_moment(one, two, moments[moment], tolerance, conflict)
