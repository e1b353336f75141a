"""The loop of many moves, compiled: for each mover and piece what it may meet, what it meets, where, and how surely.

Rows of answers have 13 numbers, named here.
"""

from math import atan2, cos, degrees, hypot, inf, nan, pi, radians, sin

import numpy as np

from brickphys.geometry.clearance_kernel import nearest_between
from brickphys.geometry.many.tree_kernel import may_meet, search
from brickphys.geometry.sweep_kernel import (
    circle_around,
    clip,
    contact,
    first_touch,
    write_edges,
)
from brickphys.geometry.swing_kernel import depth, first_deeper, first_overlap, look_from
from brickphys.jit import allocating_kernel, entry, kernel
from brickphys.units import Array, Indices

MOVER, OBSTACLE, PIECE, IS_HIT, AT, OVERLAPS, X, Y, NX, NY, IMPACT, CLEARANCE, CONDITIONED = range(
    13
)
"""Columns of a row."""
_AXIS = X
"""Where the edge that is entered waits until the contact is known."""
COLUMNS = 13
SURE = 1e-6
"""Studs or degrees: where outlines that differ by the tolerance touch so much earlier or later, a place is doubtful."""
_CIRCLE = 2 * pi

Motion = tuple[float, float, float, float]
"""Direction, length and 0; or pivot, angle in radians, and 1 for a counter-clockwise turn, -1 for a clockwise one."""


@kernel
def _unit_vector(heading_deg: float) -> tuple[float, float]:
    """Return the direction of a heading; multiples of 90 degrees are exact."""
    turn = heading_deg % 360.0
    quarter = int(turn // 90.0) % 4
    rest = radians(turn % 90.0)
    c, s = cos(rest), sin(rest)
    if quarter == 0:
        return c, s
    if quarter == 1:
        return -s, c
    if quarter == 2:
        return -c, -s
    return s, -c


@kernel
def _straight_query(
    body: Array, way: tuple[float, float, float], more: float, query: Array
) -> None:
    """Write the box and the strip that a body sweeps straight ahead, wider by more."""
    wx, wy, length = way
    query[0] = query[1] = query[6] = inf
    query[2] = query[3] = query[7] = -inf
    query[4], query[5] = -wy, wx
    for corner in range(len(body)):
        x, y = body[corner, 0], body[corner, 1]
        aside = wx * y - wy * x
        query[0], query[1] = min(query[0], x), min(query[1], y)
        query[2], query[3] = max(query[2], x), max(query[3], y)
        query[6], query[7] = min(query[6], aside), max(query[7], aside)
    query[0] += min(wx * length, 0.0) - more
    query[1] += min(wy * length, 0.0) - more
    query[2] += max(wx * length, 0.0) + more
    query[3] += max(wy * length, 0.0) + more
    query[6] -= more
    query[7] += more
    query[8], query[9], query[10], query[11] = 0.0, 0.0, 0.0, inf


@allocating_kernel
def _turn_query(body: Array, motion: Motion, more: float, query: Array) -> None:
    """Write the box of the arc on which a circle around a body turns, and the ring that the body sweeps."""
    pivot_x, pivot_y, turn, sense = motion
    middle_x, middle_y, radius = circle_around(body)
    far = hypot(middle_x - pivot_x, middle_y - pivot_y)
    bearing = atan2(middle_y - pivot_y, middle_x - pivot_x)
    query[0] = query[1] = inf
    query[2] = query[3] = -inf
    for case in range(6):
        ahead = turn if case == 5 else 0.0
        if case < 4:
            ahead = sense * (case * pi / 2 - bearing) % _CIRCLE
        if ahead <= turn:
            x = pivot_x + far * cos(bearing + sense * ahead)
            y = pivot_y + far * sin(bearing + sense * ahead)
            query[0], query[1] = min(query[0], x), min(query[1], y)
            query[2], query[3] = max(query[2], x), max(query[3], y)
    room = radius + more
    query[0] -= room
    query[1] -= room
    query[2] += room
    query[3] += room
    query[4], query[5], query[6], query[7] = 0.0, 0.0, -inf, inf
    query[8], query[9] = pivot_x, pivot_y
    query[10], query[11] = far - room, far + room


@kernel
def _is_listed(rows: Array, first: int, end: int, obstacle: int) -> bool:
    """Tell whether rows have a hit of an obstacle."""
    found = False
    for row in range(first, end):
        found = found or (rows[row, OBSTACLE] == obstacle and rows[row, IS_HIT] == 1.0)
    return found


@kernel
def _sort(rows: Array, first: int, end: int) -> None:
    """Sort rows by their places, then by their obstacles; there are few."""
    for after in range(first + 1, end):
        row = after
        while row > first and (
            rows[row, AT] < rows[row - 1, AT]
            or (
                rows[row, AT] == rows[row - 1, AT] and rows[row, OBSTACLE] < rows[row - 1, OBSTACLE]
            )
        ):
            for column in range(COLUMNS):
                kept = rows[row, column]
                rows[row, column] = rows[row - 1, column]
                rows[row - 1, column] = kept
            row -= 1


@allocating_kernel
def _common_centre(one: Array, other: Array) -> tuple[bool, float, float]:
    """Return whether two polygons have an area in common, and its centre (Sutherland and Hodgman, 1974).

    Coordinates are taken from the first corner: far from the origin a sliver would round away.
    """
    from_x, from_y = one[0, 0], one[0, 1]
    corners = np.empty((len(one) + 2 * len(other), 2))
    clipped = np.empty_like(corners)
    count = len(one)
    for corner in range(count):
        corners[corner, 0], corners[corner, 1] = one[corner, 0] - from_x, one[corner, 1] - from_y
    for edge in range(len(other)):
        nx, ny = other[edge, 2], other[edge, 3]
        offset = nx * (other[edge, 0] - from_x) + ny * (other[edge, 1] - from_y)
        kept = 0
        for corner in range(count):
            x, y = corners[corner, 0], corners[corner, 1]
            was_x, was_y = corners[(corner - 1) % count, 0], corners[(corner - 1) % count, 1]
            here, before = nx * x + ny * y - offset, nx * was_x + ny * was_y - offset
            if (here <= 0.0) != (before <= 0.0):
                share = before / (before - here)
                clipped[kept, 0] = was_x + share * (x - was_x)
                clipped[kept, 1] = was_y + share * (y - was_y)
                kept += 1
            if here <= 0.0:
                clipped[kept, 0], clipped[kept, 1] = x, y
                kept += 1
        corners, clipped, count = clipped, corners, kept
    area, sum_x, sum_y = 0.0, 0.0, 0.0
    for corner in range(2, count):
        ax, ay = corners[corner - 1, 0] - corners[0, 0], corners[corner - 1, 1] - corners[0, 1]
        bx, by = corners[corner, 0] - corners[0, 0], corners[corner, 1] - corners[0, 1]
        twice = ax * by - ay * bx
        area += twice
        sum_x += twice * (ax + bx)
        sum_y += twice * (ay + by)
    if not area > 0.0:
        return False, 0.0, 0.0
    x, y = corners[0, 0] + sum_x / (3 * area), corners[0, 1] + sum_y / (3 * area)
    return True, x + from_x, y + from_y


@allocating_kernel
def _meets(
    body: Array,
    shape: Array,
    other: Array,
    around: Array,
    motion: Motion,
    events: Array,
    tolerance: float,
) -> tuple[bool, float, int, bool]:
    """Return whether a body meets an obstacle, where, through which edge, and if they overlap already.

    Parameters
    ----------
    body, other : ndarray, shape (j, 5) and (k, 5)
        Their edges.
    shape, around : ndarray, shape (j, 5) and (k, 5)
        The same with the pivot of a turn as the origin; the second one is written here.
    """
    ox, oy, extent, sense = motion
    if sense == 0.0:
        is_hit, at, axis, overlaps = first_touch(other, body, (ox, oy, extent), tolerance)
        return is_hit, at if at > 0.0 else 0.0, axis, overlaps
    look_from((ox, oy), other, around)
    at, deep = first_overlap(shape, around, sense, extent, tolerance, events)
    return at >= 0.0, degrees(at), -1, at == 0.0 and deep == 0.0


@allocating_kernel
def _enters(
    body: Array,
    shape: Array,
    other: Array,
    around: Array,
    motion: Motion,
    events: Array,
    inside: float,
) -> float:
    """Return where a body is first so far inside an obstacle; for the parameters see `_meets`."""
    ox, oy, extent, sense = motion
    if sense == 0.0:
        enters, leaves, _, _ = clip(other, body, ox, oy, -inf, inf, inside)
        enters, leaves, _, _ = clip(body, other, -ox, -oy, enters, leaves, inside)
        return max(enters, 0.0)
    look_from((ox, oy), other, around)
    return degrees(first_deeper(shape, around, sense, extent, inside, events))


@allocating_kernel
def _approach(body: Array, other: Array, motion: Motion, limit: float) -> tuple[float, float]:
    """Return how near a body comes to an obstacle, and where it is first so near as a limit."""
    least, at = nearest_between(body, other, motion, limit)
    return least, degrees(at) if motion[3] != 0.0 else at


@kernel
def _impact_deg(way: tuple[float, float], normal: tuple[float, float]) -> float:
    (x, y), (nx, ny) = way, normal
    return degrees(atan2(max(-x * nx - y * ny, 0.0), abs(x * ny - y * nx)))


@allocating_kernel
def _place(
    row: Array, hit: Array, body: Array, body_edges: Array, motion: Motion, tolerance: float
) -> None:
    """Write where a body touches or overlaps an obstacle, along which normal, and how steeply."""
    overlaps = row[OVERLAPS] == 1.0
    transform = _transform(motion, 0.0 if overlaps else row[AT])
    axis = -1 if overlaps else int(row[_AXIS])
    x, y, nx, ny, _, on_face = contact(hit, body, transform, axis, tolerance)
    row[NX], row[NY], row[IMPACT], row[CLEARANCE] = nx, ny, nan, 0.0
    if overlaps:
        is_common, at_x, at_y = _common_centre(body_edges, hit)
        if is_common:
            x, y = at_x, at_y
        row[CONDITIONED] = depth(body_edges, hit, 0.0) > SURE
        on_face = False
    row[X], row[Y] = x, y
    ox, oy, _, sense = motion
    dx, dy = x - ox, y - oy
    far = hypot(dx, dy)
    if on_face and sense == 0.0:
        row[IMPACT] = _impact_deg((ox, oy), (nx, ny))
    elif on_face and far > tolerance:
        row[IMPACT] = _impact_deg((-sense * dy / far, sense * dx / far), (nx, ny))


@kernel
def _motion(piece: Array) -> Motion:
    """Return a piece as `brickphys.geometry.clearance_kernel` reads motions."""
    x, y, turn_deg = piece[0], piece[1], piece[2]
    if turn_deg == turn_deg:
        return x, y, min(radians(abs(turn_deg)), _CIRCLE), 1.0 if turn_deg >= 0.0 else -1.0
    length = hypot(x, y)
    if length == 0.0:
        return 1.0, 0.0, 0.0, 0.0
    return x / length, y / length, length, 0.0


@kernel
def _transform(motion: Motion, at: float) -> tuple[float, float, float, float]:
    """Return what a motion has done after so many studs or degrees: cosine and sine of a turn, then a shift."""
    x, y, _, sense = motion
    if sense == 0.0:
        return 1.0, 0.0, at * x, at * y
    c, s = _unit_vector(sense * at)
    return c, s, x - (c * x - s * y), y - (s * x + c * y)


@kernel
def _carry(body: Array, piece: Array, motion: Motion) -> None:
    """Move a body to the end of a piece."""
    x, y, _, sense = motion
    if sense == 0.0:
        for corner in range(len(body)):
            body[corner, 0] += piece[0]
            body[corner, 1] += piece[1]
        return
    c, s = _unit_vector(min(max(piece[2], -360.0), 360.0))
    for corner in range(len(body)):
        dx, dy = body[corner, 0] - x, body[corner, 1] - y
        body[corner, 0], body[corner, 1] = c * dx - s * dy + x, s * dx + c * dy + y


@allocating_kernel
def _add_near(
    rows: Array,
    first: int,
    count: int,
    new: tuple[int, int, int],
    near: tuple[float, float],
    tolerance: float,
) -> int:
    """Add a near miss, or replace that of the same obstacle in an earlier piece if it is nearer."""
    mover, obstacle, piece = new
    least, at = near
    row = first
    while row < count and not (rows[row, OBSTACLE] == obstacle and rows[row, IS_HIT] == 0.0):
        row += 1
    if row == count:
        count += 1
    elif least >= rows[row, CLEARANCE] - tolerance:
        return count
    rows[row] = nan
    rows[row, MOVER], rows[row, OBSTACLE], rows[row, PIECE] = mover, obstacle, piece
    rows[row, IS_HIT], rows[row, AT], rows[row, OVERLAPS] = 0.0, at, 0.0
    rows[row, CLEARANCE], rows[row, CONDITIONED] = least, least > tolerance
    return count


@allocating_kernel
def _without_hits(rows: Array, first: int, count: int) -> int:
    """Take out near misses of what is hit in another piece, and return how many rows are left."""
    kept = first
    for row in range(first, count):
        is_near = rows[row, IS_HIT] == 0.0
        if is_near and _is_listed(rows, first, count, int(rows[row, OBSTACLE])):
            continue
        rows[kept] = rows[row]
        kept += 1
    return kept


@allocating_kernel
def _room(rows: Array, count: int, more: int) -> Array:
    """Return rows with room for more."""
    if count + more <= len(rows):
        return rows
    larger = np.empty((2 * (count + more), COLUMNS))
    larger[:count] = rows[:count]
    return larger


@entry
def meetings(
    vertices: Array,
    movers: Array,
    pieces: Array,
    courses: Indices,
    heads: Array,
    edges: Array,
    boxes: Array,
    own: Indices,
    nodes: Array,
    levels: Indices,
    order: Indices,
    begin: int,
    end: int,
    stops: bool,
    within: float,
    tolerance: float,
) -> Array:
    """Return what some of many movers meet.

    Parameters
    ----------
    vertices, movers : ndarray, shape (v, 2) and (n, 7)
        Corners of all movers, and their heads.
    pieces : ndarray, shape (p, 3)
        Displacement and nan, or pivot and a turn in degrees.
    courses : ndarray of int, shape (n + 1,)
        The first piece of each mover, and their number.
    heads, edges, boxes : ndarray, shape (m, 7), (e, 5) and (m, 4)
        All obstacles.
    own : ndarray of int, shape (n + 1,) or (0,)
        The first obstacle of each mover, and their number; empty if all movers share all obstacles.
    nodes, levels, order
        The tree of the obstacles.
    begin, end
        Which movers.
    stops
        Whether the first touch ends a course.
    within
        Near misses up to this distance are listed; none if it is negative.

    Returns
    -------
    ndarray, shape (k, 13)
        By movers, pieces and places.
    """
    widest, most = 3, 3
    for number in range(begin, end):
        widest = max(widest, int(movers[number, 5]))
    for number in range(len(heads)):
        most = max(most, int(heads[number, 5]))
    corners, mover_edges = np.empty((widest, 2)), np.empty((widest, 5))
    shape_rows, seen = np.empty((widest, 5)), np.empty((most, 5))
    events = np.empty(2 + 4 * widest * most)
    found, stack = np.empty(len(heads), np.intp), np.empty(16 * (len(levels) + 1), np.intp)
    query = np.empty(12)
    rows, count = np.empty((1024, COLUMNS)), 0
    for mover in range(begin, end):
        number = int(movers[mover, 5])
        first = int(movers[mover, 6])
        bottom, top = movers[mover, 3], movers[mover, 4]
        body, body_edges, shape = corners[:number], mover_edges[:number], shape_rows[:number]
        body[:] = vertices[first : first + number]
        begins = count
        for piece in range(courses[mover], courses[mover + 1]):
            motion = _motion(pieces[piece])
            ox, oy, extent, sense = motion
            write_edges(body, body_edges)
            more = max(within, 0.0) + 2 * tolerance
            if sense == 0.0:
                _straight_query(body, (ox, oy, extent), more, query)
            else:
                _turn_query(body, motion, more, query)
                look_from((ox, oy), body_edges, shape)
            candidates = 0
            if len(own):
                for obstacle in range(own[mover], own[mover + 1]):
                    if may_meet(query, boxes[obstacle]):
                        found[candidates] = obstacle
                        candidates += 1
            else:
                candidates = search(query, nodes, levels, order, stack, found)
            rows = _room(rows, count, candidates)
            piece_begins, limit, kept = count, inf, 0
            for index in range(candidates):
                obstacle = found[index]
                head = heads[obstacle]
                if min(head[4], top) - max(head[3], bottom) <= tolerance:
                    continue
                if _is_listed(rows, begins, piece_begins, obstacle):
                    continue
                found[kept] = obstacle
                kept += 1
                sides, at_edge = int(head[5]), int(head[6])
                other = edges[at_edge : at_edge + sides]
                is_hit, at, axis, overlaps = _meets(
                    body_edges, shape, other, seen[:sides], motion, events, tolerance
                )
                if is_hit and not (stops and at > limit + tolerance):
                    limit = min(limit, at)
                    row = rows[count]
                    row[MOVER], row[OBSTACLE] = mover, obstacle
                    row[PIECE], row[IS_HIT], row[AT] = piece - courses[mover], 1.0, at
                    row[OVERLAPS], row[_AXIS] = overlaps, axis
                    count += 1
            _sort(rows, piece_begins, count)
            while stops and count > piece_begins and rows[count - 1, AT] > limit + tolerance:
                count -= 1
            for index in range(piece_begins, count):
                row = rows[index]
                head = heads[int(row[OBSTACLE])]
                sides, at_edge = int(head[5]), int(head[6])
                other = edges[at_edge : at_edge + sides]
                doubt = 0.0
                for inside in (tolerance, -tolerance):
                    doubt = (
                        _enters(body_edges, shape, other, seen[:sides], motion, events, inside)
                        - doubt
                    )
                row[CONDITIONED] = abs(doubt) <= SURE
                _place(row, other, body, body_edges, motion, tolerance)
            if within >= 0.0:
                upto = min(extent, radians(limit) if sense != 0.0 else limit) if stops else extent
                until = (ox, oy, upto, sense)
                rows = _room(rows, count, kept)
                for index in range(kept):
                    obstacle = found[index]
                    if _is_listed(rows, piece_begins, count, obstacle):
                        continue
                    head = heads[obstacle]
                    sides, at_edge = int(head[5]), int(head[6])
                    other = edges[at_edge : at_edge + sides]
                    least, at = inf, -inf
                    for _ in range(2):
                        least, at = _approach(body_edges, other, until, least + tolerance)
                        if least > within + tolerance:
                            break
                    if least <= within + tolerance:
                        new = (mover, obstacle, piece - courses[mover])
                        count = _add_near(rows, begins, count, new, (least, at), tolerance)
            if stops and limit < inf:
                break
            _carry(body, pieces[piece], motion)
        if within >= 0.0:
            count = _without_hits(rows, begins, count)
    return rows[:count].copy()
