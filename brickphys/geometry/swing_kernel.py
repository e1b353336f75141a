"""The loop of swings, compiled: where a polygon that turns about a pivot first overlaps each obstacle.

Polygons and obstacles are those of `brickphys.geometry.sweep_kernel`.
"""

from math import acos, atan2, cos, hypot, inf, pi, sin

import numpy as np

from brickphys.geometry.rounded_kernel import add_corner_events, rounded_depth
from brickphys.jit import called_kernel, entry, kernel
from brickphys.units import Array, Indices

_CIRCLE = 2 * pi


@kernel
def look_from(pivot: tuple[float, float], polygon: Array, seen: Array) -> None:
    """Write the edges of a polygon with the pivot as the origin."""
    for corner in range(len(polygon)):
        row = seen[corner]
        x, y = polygon[corner, 0] - pivot[0], polygon[corner, 1] - pivot[1]
        nx, ny = polygon[corner, 2], polygon[corner, 3]
        row[0], row[1], row[2], row[3], row[4] = x, y, nx, ny, nx * x + ny * y


@kernel
def _gap(edges: Array, corners: Array, c: float, s: float) -> float:
    """Return how far all corners are beyond some edge, at most; edges turn by an angle of this cosine and sine."""
    widest = -inf
    for edge in range(len(edges)):
        nx = c * edges[edge, 2] - s * edges[edge, 3]
        ny = s * edges[edge, 2] + c * edges[edge, 3]
        least = inf
        for corner in range(len(corners)):
            least = min(least, nx * corners[corner, 0] + ny * corners[corner, 1])
        widest = max(widest, least - edges[edge, 4])
    return widest


@kernel
def depth(shape: Array, other: Array, angle_rad: float, radius: float) -> float:
    """Return how deep a polygon that has turned reaches into another; negative where they are apart.

    The radius is the sum of those by which both are rounded; 0 if they are not.
    """
    c, s = cos(angle_rad), sin(angle_rad)
    deep = -max(_gap(other, shape, c, -s), _gap(shape, other, c, s))
    return deep if radius == 0.0 else rounded_depth(shape, other, c, s, radius, deep)


@kernel
def _cross(
    corners: Array,
    edges: Array,
    inside: float,
    turns: float,
    turn: float,
    events: Array,
    count: int,
) -> int:
    """Add the angles, below that of the turn, at which a corner is so far inside the line of an edge.

    Corners turn counter-clockwise with `turns` of 1, clockwise with -1.
    """
    for corner in range(len(corners)):
        x, y = corners[corner, 0], corners[corner, 1]
        radius, bearing = hypot(x, y), atan2(y, x)
        for edge in range(len(edges)):
            offset = edges[edge, 4] - inside
            if radius == 0.0 or abs(offset) > radius:
                continue  # the corner passes the line by, or is the pivot
            middle = atan2(edges[edge, 3], edges[edge, 2]) - bearing
            half = acos(offset / radius)
            for angle in (middle - half, middle + half):
                event = turns * angle % _CIRCLE
                if event < turn:
                    events[count] = event
                    count += 1
    return count


@kernel
def _sort(values: Array, count: int) -> None:
    """Sort the first values by a heap (Williams, 1964): sorting of NumPy allocates."""
    for end in range(2 * count - 1, 0, -1):
        root = (
            end - count
        )  # first each half of the heap is made, then its largest value goes to the end
        size = count
        if root < 0:
            size, root = end, 0
            values[0], values[end] = values[end], values[0]
        while 2 * root + 1 < size:
            child = 2 * root + 1
            if child + 1 < size and values[child] < values[child + 1]:
                child += 1
            if values[root] >= values[child]:
                break
            values[root], values[child] = values[child], values[root]
            root = child


@kernel
def _parts(
    shape: Array,
    other: Array,
    sense: float,
    turn: float,
    inside: float,
    radius: float,
    events: Array,
) -> int:
    """Write where the parts of a turn begin, between which corners come so far inside edges, then its end.

    Returns the number of parts.
    """
    events[0] = 0.0
    inside -= radius
    count = _cross(shape, other, inside, sense, turn, events, 1)
    count = _cross(other, shape, inside, -sense, turn, events, count)
    if radius > 0.0:
        count = add_corner_events(shape, other, -inside, sense, turn, events, count)
    events[count] = turn
    _sort(events, count + 1)
    return count


@called_kernel
def first_deeper(
    shape: Array,
    other: Array,
    sense: float,
    turn: float,
    least: float,
    radius: float,
    events: Array,
) -> float:
    """Return how far a polygon turns until it is deeper than this in another; -1 if it never is."""
    if depth(shape, other, 0.0, radius) > least:
        return 0.0
    for part in range(_parts(shape, other, sense, turn, least, radius, events)):
        begins, ends_at = events[part], events[part + 1]
        middle = sense * (begins + ends_at) / 2
        if begins < ends_at and depth(shape, other, middle, radius) > least:
            return float(begins)
    return -1.0


@called_kernel
def first_overlap(
    shape: Array,
    other: Array,
    sense: float,
    turn: float,
    tolerance: float,
    radius: float,
    events: Array,
) -> tuple[float, float]:
    """Return how far a polygon turns until it touches another that it will overlap, and until it does; -1 if never.

    Both have the pivot as the origin.
    """
    deep = first_deeper(shape, other, sense, turn, tolerance, radius, events)
    if deep <= 0.0:
        return deep, deep
    touch = 0.0
    for part in range(_parts(shape, other, sense, deep, 0.0, radius, events)):
        begins, ends_at = events[part], events[part + 1]
        middle = sense * (begins + ends_at) / 2
        if begins < ends_at and depth(shape, other, middle, radius) <= 0.0:
            touch = float(ends_at)
    return touch, deep


@entry
def first_overlaps(
    mover: Array,
    heights: tuple[float, float],
    pivot: tuple[float, float],
    sense: float,
    turn: float,
    radius: float,
    heads: Array,
    edges: Array,
    some: Indices,
    tolerance: float,
) -> Array:
    """Return the first overlaps of a mover that turns with some obstacles.

    Parameters
    ----------
    mover : ndarray, shape (j, 5)
        Its corners.
    sense
        1 for a counter-clockwise turn, -1 for a clockwise one.
    turn
        How far, 0 to a full circle, in radians.
    radius
        By which the mover is rounded.
    heads, edges : ndarray, shape (m, 8) and (n, 5)
        All obstacles.
    some : ndarray of int
        Those that are looked at.
    tolerance
        An overlap up to this is none.

    Returns
    -------
    ndarray, shape (hits, 3)
        Number of the obstacle, the angle at first touch in radians, and 1 for an overlap at the start, else 0.
    """
    most = 0
    for index in some:
        most = max(most, int(heads[index, 5]))
    shape, seen = np.empty_like(mover), np.empty((most, 5))
    events = np.empty(2 + 8 * len(mover) * most)
    look_from(pivot, mover, shape)
    reach = 0.0
    for corner in range(len(shape)):
        reach = max(reach, radius + hypot(shape[corner, 0], shape[corner, 1]))
    found = np.empty((len(some), 3))
    hits = 0
    for index in some:
        head = heads[index]
        if min(head[4], heights[1]) - max(head[3], heights[0]) <= tolerance:
            continue
        if hypot(head[0] - pivot[0], head[1] - pivot[1]) > reach + head[2] + tolerance:
            continue
        count = int(head[5])
        other = seen[:count]
        first = int(head[6])
        look_from(pivot, edges[first : first + count], other)
        both = radius + head[7]
        angle, _ = first_overlap(shape, other, sense, turn, tolerance, both, events)
        if angle >= 0.0:
            found[hits, 0], found[hits, 1] = index, angle
            found[hits, 2] = angle == 0.0 and depth(shape, other, 0.0, both) > tolerance
            hits += 1
    return found[:hits]
