"""The loop of many moves, compiled: for each mover and piece what it may meet, what it meets, where, and how surely.

Rows of answers have 13 numbers, named here.
"""

from functools import partial
from math import atan2, degrees, hypot, inf, nan, pi, radians
from typing import NamedTuple

from brickphys.geometry.clearance_kernel import nearest_between
from brickphys.geometry.many.outlines_kernel import unit_vector
from brickphys.geometry.many.tree_kernel import may_meet, search, straight_query, turn_query
from brickphys.geometry.rounded_kernel import first_rounded_touch
from brickphys.geometry.sweep_kernel import (
    first_touch,
    meeting_point,
    place,
    write_edges,
)
from brickphys.geometry.swing_kernel import depth, first_deeper, first_overlap, look_from
from brickphys.jit import called_kernel, entry, kernel
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


@called_kernel
def _common_centre(one: Array, other: Array, rings: Array) -> tuple[bool, float, float]:
    """Return whether two polygons have an area in common, and its centre (Sutherland and Hodgman, 1974).

    Coordinates are taken from the first corner: far from the origin a sliver would round away. The two rings, shape
    (2, n, 2), are room to work.
    """
    from_x, from_y = one[0, 0], one[0, 1]
    corners, clipped = rings[0], rings[1]
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


@kernel
def _turn_meets(
    shape: Array, around: Array, motion: Motion, radius: float, events: Array, tolerance: float
) -> tuple[bool, float, bool, float]:
    """Return whether a body that turns meets an obstacle, where, if they overlap already, and the doubt in that place.

    Both have the pivot as the origin; angles are in degrees. The doubt is that of `first_touch`.
    """
    _, _, extent, sense = motion
    at, deep = first_overlap(shape, around, sense, extent, tolerance, radius, events)
    if at < 0.0:
        return False, at, False, 0.0
    early = first_deeper(shape, around, sense, extent, -tolerance, radius, events)
    return True, degrees(at), deep == 0.0, degrees(deep - early)


@called_kernel
def _approach(body: Array, other: Array, motion: Motion, limit: float) -> tuple[float, float]:
    """Return how near a body comes to an obstacle, and where it is first so near as a limit."""
    least, at = nearest_between(body, other, motion, limit)
    return least, degrees(at) if motion[3] != 0.0 else at


@kernel
def _impact_deg(way: tuple[float, float], normal: tuple[float, float]) -> float:
    (x, y), (nx, ny) = way, normal
    return degrees(atan2(max(-x * nx - y * ny, 0.0), abs(x * ny - y * nx)))


@kernel
def motion_of(piece: Array) -> Motion:
    """Return a piece as `brickphys.geometry.clearance_kernel` reads motions."""
    x, y, turn_deg = piece[0], piece[1], piece[2]
    if turn_deg == turn_deg:
        return x, y, min(radians(abs(turn_deg)), _CIRCLE), 1.0 if turn_deg >= 0.0 else -1.0
    length = hypot(x, y)
    if length == 0.0:
        return 1.0, 0.0, 0.0, 0.0
    return x / length, y / length, length, 0.0


@kernel
def transform_of(motion: Motion, at: float) -> tuple[float, float, float, float]:
    """Return what a motion has done after so many studs or degrees: cosine and sine of a turn, then a shift."""
    x, y, _, sense = motion
    if sense == 0.0:
        return 1.0, 0.0, at * x, at * y
    c, s = unit_vector(sense * at)
    return c, s, x - (c * x - s * y), y - (s * x + c * y)


@kernel
def _tell_contact(
    row: Array, hit: Array, body: Array, there: Array, motion: Motion, tolerance: float
) -> None:
    """Write where a body touches an obstacle, along which normal, and how steeply."""
    place(body, transform_of(motion, row[AT]), there)
    x, y, nx, ny, _, on_face = meeting_point(hit, there, int(row[_AXIS]), tolerance)
    row[X], row[Y], row[NX], row[NY], row[IMPACT] = x, y, nx, ny, nan
    ox, oy, _, sense = motion
    dx, dy = x - ox, y - oy
    far = hypot(dx, dy)
    if on_face and sense == 0.0:
        row[IMPACT] = _impact_deg((ox, oy), (nx, ny))
    elif on_face and far > tolerance:
        row[IMPACT] = _impact_deg((-sense * dy / far, sense * dx / far), (nx, ny))


@kernel
def _tell_overlap(row: Array, hit: Array, body: Array, radius: float, rings: Array) -> None:
    """Write the centre of the area that a body has in common with an obstacle, if that has one."""
    is_common, x, y = _common_centre(body, hit, rings)
    if is_common:
        row[X], row[Y] = x, y
    row[IMPACT], row[CONDITIONED] = nan, depth(body, hit, 0.0, radius) > SURE


@kernel
def _carry(body: Array, piece: Array, motion: Motion) -> None:
    """Move a body to the end of a piece."""
    x, y, _, sense = motion
    if sense == 0.0:
        for corner in range(len(body)):
            body[corner, 0] += piece[0]
            body[corner, 1] += piece[1]
        return
    c, s = unit_vector(piece[2])
    for corner in range(len(body)):
        dx, dy = body[corner, 0] - x, body[corner, 1] - y
        body[corner, 0], body[corner, 1] = c * dx - s * dy + x, s * dx + c * dy + y


@kernel
def _without_hits(rows: Array, first: int, count: int) -> int:
    """Take out near misses of what is hit in another piece, and return how many rows are left."""
    kept = first
    for row in range(first, count):
        is_near = rows[row, IS_HIT] == 0.0
        if is_near and _is_listed(rows, first, count, int(rows[row, OBSTACLE])):
            continue
        for column in range(COLUMNS):
            rows[kept, column] = rows[row, column]
        kept += 1
    return kept


class Around(NamedTuple):
    """Obstacles and their tree; see `meetings`."""

    heads: Array
    edges: Array
    boxes: Array
    own: Indices
    nodes: Array
    levels: Indices
    order: Indices


class Body(NamedTuple):
    """A mover in a piece, and room to work."""

    corners: Array
    """Its corners at the start of the piece, shape (j, 2)."""
    edges: Array
    """Its edges there, shape (j, 5)."""
    shape: Array
    """The same with the pivot of a turn as the origin."""
    there: Array
    """Its edges at a touch."""
    heights: tuple[float, float]
    radius: float
    """By which it is rounded."""


class Work(NamedTuple):
    """Room to work, for all movers."""

    seen: Array
    events: Array
    found: Indices
    query: Array
    rings: Array


@kernel
def _candidates(
    mover: int,
    body: Body,
    motion: Motion,
    more: float,
    around: Around,
    work: Work,
    tolerance: float,
) -> int:
    """Prepare a body for a motion, write what it may meet, and return how much that is."""
    ox, oy, extent, sense = motion
    write_edges(body.corners, body.edges)
    if sense == 0.0:
        straight_query(body.corners, (ox, oy, extent), more + body.radius, work.query)
    else:
        turn_query(body.corners, motion, more + body.radius, work.query)
        look_from((ox, oy), body.edges, body.shape)
    if len(around.own) == 0:
        count = search(work.query, around.nodes, around.levels, around.order, work.found)
    else:
        count = 0
        for obstacle in range(around.own[mover, 0], around.own[mover, 1]):
            if may_meet(work.query, around.boxes[obstacle]):
                work.found[count] = obstacle
                count += 1
    bottom, top = body.heights
    kept = 0
    for index in range(count):
        head = around.heads[work.found[index]]
        if min(head[4], top) - max(head[3], bottom) > tolerance:
            work.found[kept] = work.found[index]
            kept += 1
    return kept


@kernel
def _edges_of(obstacle: int, around: Around) -> tuple[int, int]:
    """Return which rows of the edges are those of an obstacle."""
    first = int(around.heads[obstacle, 6])
    return first, first + int(around.heads[obstacle, 5])


@kernel
def _add_hits(
    rows: Array,
    begins: int,
    count: int,
    candidates: int,
    body: Body,
    motion: Motion,
    around: Around,
    work: Work,
    stops: bool,
    tolerance: float,
) -> tuple[int, float]:
    """Add what a body meets in a piece; return the number of rows then, and where it stops, infinity if it does not.

    Rows from `begins` on are those of the same mover.
    """
    ox, oy, extent, sense = motion
    first, limit = count, inf
    for index in range(candidates):
        obstacle = work.found[index]
        if _is_listed(rows, begins, first, obstacle):
            continue
        start, end = _edges_of(obstacle, around)
        other, axis = around.edges[start:end], -1
        radius = body.radius + around.heads[obstacle, 7]
        if sense == 0.0 and radius > 0.0:
            is_hit, at, axis, overlaps, doubt = first_rounded_touch(
                other, body.edges, (ox, oy, extent), radius, tolerance
            )
            at = at if at > 0.0 else 0.0
        elif sense == 0.0:
            is_hit, at, axis, overlaps, doubt = first_touch(
                other, body.edges, (ox, oy, extent), tolerance
            )
            at = at if at > 0.0 else 0.0
        else:
            seen = work.seen[: end - start]
            look_from((ox, oy), other, seen)
            is_hit, at, overlaps, doubt = _turn_meets(
                body.shape, seen, motion, radius, work.events, tolerance
            )
        if is_hit and not (stops and at > limit + tolerance):
            limit = min(limit, at) if stops else inf
            row = rows[count]
            row[OBSTACLE], row[IS_HIT], row[AT], row[OVERLAPS] = obstacle, 1.0, at, overlaps
            row[_AXIS], row[CLEARANCE], row[CONDITIONED] = axis, 0.0, doubt <= SURE
            count += 1
    _sort(rows, first, count)
    while count > first and rows[count - 1, AT] > limit + tolerance:
        count -= 1
    for index in range(first, count):
        row = rows[index]
        start, end = _edges_of(int(row[OBSTACLE]), around)
        if row[OVERLAPS] == 1.0:
            row[_AXIS] = -1
        _tell_contact(row, around.edges[start:end], body.edges, body.there, motion, tolerance)
        if row[OVERLAPS] == 1.0:
            radius = body.radius + around.heads[int(row[OBSTACLE]), 7]
            _tell_overlap(row, around.edges[start:end], body.edges, radius, work.rings)
    return count, limit


@kernel
def _add_near(
    rows: Array,
    begins: int,
    count: int,
    candidates: int,
    body: Body,
    motion: Motion,
    around: Around,
    work: Work,
    within: float,
    tolerance: float,
) -> int:
    """Add what a body comes near to in a piece without a hit, and return the number of rows then.

    That of the same obstacle in an earlier piece is replaced if this one is nearer.
    """
    for index in range(candidates):
        obstacle = work.found[index]
        if _is_listed(rows, begins, count, obstacle):
            continue
        start, end = _edges_of(obstacle, around)
        radius = body.radius + around.heads[obstacle, 7]
        least, at = inf, -inf
        for _ in range(2):
            least, at = _approach(body.edges, around.edges[start:end], motion, least + tolerance)
            if least > within + radius + tolerance:
                break
        least -= radius
        if least > within + tolerance:
            continue
        number = begins
        while number < count and rows[number, OBSTACLE] != obstacle:
            number += 1
        if number == count:
            count += 1
        elif least >= rows[number, CLEARANCE] - tolerance:
            continue
        row = rows[number]
        for column in range(COLUMNS):
            row[column] = nan
        row[MOVER] = -1.0
        row[OBSTACLE], row[IS_HIT], row[AT], row[OVERLAPS] = obstacle, 0.0, at, 0.0
        row[CLEARANCE], row[CONDITIONED] = least, least > tolerance
    return count


@partial(entry, allocates=False)
def meetings(
    vertices: Array,
    firsts: Indices,
    solids: Array,
    pieces: Array,
    courses: Indices,
    heads: Array,
    edges: Array,
    boxes: Array,
    own: Indices,
    nodes: Array,
    levels: Indices,
    order: Indices,
    corners: Array,
    outlines: Array,
    seen: Array,
    events: Array,
    found: Indices,
    query: Array,
    rings: Array,
    begin: int,
    end: int,
    stops: bool,
    within: float,
    tolerance: float,
    rows: Array,
) -> int:
    """Write what some of many movers meet, by movers, pieces and places.

    Parameters
    ----------
    vertices : ndarray, shape (v, 2)
        Corners of all movers.
    firsts : ndarray of int, shape (n + 1,)
        The first corner of each, and their number.
    solids : ndarray, shape (n, 3)
        Bottom and top of each, and by how much it is rounded.
    pieces : ndarray, shape (p, 3)
        Displacement and nan, or pivot and a turn in degrees.
    courses : ndarray of int, shape (n, 2)
        The first piece of each mover, and the first one after its last.
    heads, edges, boxes : ndarray, shape (m, 8), (e, 5) and (m, 4)
        All obstacles.
    own : ndarray of int, shape (n, 2) or (0, 2)
        The first obstacle of each mover, and the first one after its last; empty if all movers share all obstacles.
    nodes, levels, order
        The tree of the obstacles.
    corners, outlines, seen, events, found, query, rings
        Room to work.
    begin, end
        Which movers.
    stops
        Whether the first touch ends a course.
    within
        Near misses up to this distance are listed; none if it is negative.
    rows : ndarray, shape (k, 13)
        Room for the answer.

    Returns
    -------
    int
        Rows that are written; -1 if they have no room.
    """
    around = Around(heads, edges, boxes, own, nodes, levels, order)
    work = Work(seen, events, found, query, rings)
    count = 0
    for mover in range(begin, end):
        first, size = firsts[mover], firsts[mover + 1] - firsts[mover]
        shapes, (bottom, top, radius) = outlines[:, :size], solids[mover]
        body = Body(corners[:size], shapes[0], shapes[1], shapes[2], (bottom, top), radius)
        for corner in range(size):
            body.corners[corner, 0] = vertices[first + corner, 0]
            body.corners[corner, 1] = vertices[first + corner, 1]
        begins = count
        for piece in range(courses[mover, 0], courses[mover, 1]):
            motion = motion_of(pieces[piece])
            more = max(within, 0.0) + 2 * tolerance
            candidates = _candidates(mover, body, motion, more, around, work, tolerance)
            if count + candidates > len(rows):
                return -1
            piece_begins = count
            count, limit = _add_hits(
                rows, begins, count, candidates, body, motion, around, work, stops, tolerance
            )
            if within >= 0.0:
                ox, oy, extent, sense = motion
                upto = min(extent, limit if sense == 0.0 else radians(limit))
                count = _add_near(
                    rows, begins, count, candidates, body, (ox, oy, upto, sense), around, work,
                    within, tolerance,
                )  # fmt: skip
            for number in range(begins, count):
                if number >= piece_begins or rows[number, MOVER] == -1.0:
                    rows[number, MOVER], rows[number, PIECE] = mover, piece - courses[mover, 0]
            if limit < inf:
                break
            _carry(body.corners, pieces[piece], motion)
        if within >= 0.0:
            count = _without_hits(rows, begins, count)
    return count
