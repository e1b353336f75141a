"""The loops that let obstacles grow by the radius of a disc, compiled.

A disc among obstacles is a point among obstacles that have grown by its radius. Their boundary is made of circles
(discs, and the corners of polygons) and of barriers (the edges of polygons, shifted outward, and the sides of the
rectangle, shifted inward). What starts outside gets in only across a circle or a barrier.

A circle is a row of 7 numbers: its centre, its radius, and the normals of the two edges that meet at a corner, between
which the circle is boundary (zeros: all round). A barrier is a row of 5: its normal, towards the free side; its
distance from the origin along the normal; and between which places along it, a quarter turn from the normal, it runs.
Barriers lie deeper by the tolerance, so that to slide along them is not to cross them.
"""

from math import hypot, inf

import numpy as np

from brickphys.arrays import Array, Counts, Mask
from brickphys.jit import entry, kernel


@kernel
def _gap(x: float, y: float, edges: Array) -> float:
    """Return the distance of a point from a polygon; inside, minus the least distance to the line of an edge."""
    outside, nearest = -inf, inf
    for number in range(len(edges)):
        after = number + 1 if number + 1 < len(edges) else 0
        nx, ny = edges[number, 2], edges[number, 3]
        beyond = nx * x + ny * y - edges[number, 4]
        outside = max(outside, beyond)
        along = nx * y - ny * x
        first = nx * edges[number, 1] - ny * edges[number, 0]
        last = nx * edges[after, 1] - ny * edges[after, 0]
        nearest = min(nearest, hypot(beyond, max(first - along, along - last, 0.0)))
    return nearest if outside > 0.0 else outside


@kernel
def _add_border(
    box: Array, radius: float, ends: Array, tolerance: float, slack: float, barriers: Array
) -> bool:
    """Write the barriers of the rectangle; return whether both ends are inside."""
    for side in range(4):
        axis, sign = side % 2, 1.0 if side < 2 else -1.0
        offset = sign * box[side] + radius
        least = min(sign * ends[0, axis], sign * ends[1, axis])
        if offset - least > slack:
            return False
        row = barriers[side]
        row[0], row[1] = (sign, 0.0) if axis == 0 else (0.0, sign)
        row[2], row[3], row[4] = min(offset, least) - tolerance, -inf, inf
    return True


@kernel
def _add_polygon(
    edges: Array, grown: float, tolerance: float, circles: Array, barriers: Array
) -> None:
    """Write the corners and the edges of a polygon that has grown."""
    for number in range(len(edges)):
        before = number - 1 if number > 0 else len(edges) - 1
        after = number + 1 if number + 1 < len(edges) else 0
        x, y, nx, ny = edges[number, 0], edges[number, 1], edges[number, 2], edges[number, 3]
        circle, barrier = circles[number], barriers[number]
        circle[0], circle[1], circle[2] = x, y, grown
        circle[3], circle[4] = edges[before, 2], edges[before, 3]
        circle[5], circle[6] = nx, ny
        barrier[0], barrier[1], barrier[2] = nx, ny, edges[number, 4] + grown - tolerance
        barrier[3] = nx * y - ny * x
        barrier[4] = nx * edges[after, 1] - ny * edges[after, 0]


@kernel
def _add_discs(
    ends: Array, most: float, radius: float, slack: float, discs: Array, circles: Array
) -> int:
    """Write the circles of discs that a way of a permitted length may meet; return their number, or -1."""
    count = 0
    for number in range(len(discs)):
        x, y, grown = discs[number, 0], discs[number, 1], discs[number, 2] + radius
        near = hypot(x - ends[0, 0], y - ends[0, 1])
        far = hypot(x - ends[1, 0], y - ends[1, 1])
        if near + far - 2.0 * grown > most:
            continue
        touching = min(near, far, grown)
        if grown - touching > slack:
            return -1
        circles[count, :] = 0.0
        circles[count, 0], circles[count, 1], circles[count, 2] = x, y, touching
        count += 1
    return count


@kernel
def gather_one(
    ends: Array,
    most: float,
    sizes: tuple[float, float, float],
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
    circles: Array,
    barriers: Array,
) -> tuple[int, int]:
    """Write the circles and barriers between two ends; return their numbers, none if there is no way."""
    radius, slack, tolerance = sizes
    if hypot(ends[1, 0] - ends[0, 0], ends[1, 1] - ends[0, 1]) > most:
        return 0, 0
    count, walls = _add_discs(ends, most, radius, slack, discs, circles), 4
    if count < 0 or not _add_border(box, radius, ends, tolerance, slack, barriers):
        return 0, 0
    for number in range(len(heads)):
        x, y, sides, first = heads[number, 0], heads[number, 1], heads[number, 5], heads[number, 6]
        near = hypot(x - ends[0, 0], y - ends[0, 1])
        far = hypot(x - ends[1, 0], y - ends[1, 1])
        if near + far - 2.0 * (heads[number, 2] + radius) > most:
            continue
        polygon = edges[int(first) : int(first + sides)]
        gap = min(_gap(ends[0, 0], ends[0, 1], polygon), _gap(ends[1, 0], ends[1, 1], polygon))
        if radius - gap > slack:
            return 0, 0
        grown = max(min(radius, gap), 0.0)
        _add_polygon(polygon, grown, tolerance, circles[count:], barriers[walls:])
        count, walls = count + len(polygon), walls + len(polygon)
    for end in range(2):
        circles[count, :] = 0.0
        circles[count, 0], circles[count, 1] = ends[end, 0], ends[end, 1]
        count += 1
    return count, walls


@entry
def gather(
    start: Array,
    goals: Array,
    most: float,
    sizes: tuple[float, float, float],
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
) -> tuple[Array, Array, Counts]:
    """Return the circles and the barriers that ways of a permitted length from a start to some goals may meet.

    What an end is in, by no more than the slack, is taken as so much smaller.

    Parameters
    ----------
    start, goals : ndarray, shape (2,) and (n, 2)
        Where its centre starts, and where it is to come.
    most
        Permitted length.
    sizes
        Radius of the disc, and the slack and the tolerance of `brickphys.geometry.disc_way`.
    box : ndarray, shape (4,)
        Lowest x and y, highest x and y of the rectangle.
    discs : ndarray, shape (m, 3)
        Centre and radius of each.
    heads, edges : ndarray, shape (k, 7) and (l, 5)
        Polygons, see `brickphys.geometry.sweep_kernel`; their heights do not count.

    Returns
    -------
    circles : ndarray, shape (i, 7)
        For each goal in turn; the last two are the ends, of radius 0. None if a goal is too far or an end is not free.
    barriers : ndarray, shape (j, 5)
        For each goal in turn, those of the rectangle first.
    firsts : ndarray of int, shape (n + 1, 2)
        The first circle and the first barrier of each goal, and their numbers.
    """
    most_circles, most_barriers = len(discs) + len(edges) + 2, 4 + len(edges)
    circles = np.empty((len(goals) * most_circles, 7))
    barriers = np.empty((len(goals) * most_barriers, 5))
    firsts = np.zeros((len(goals) + 1, 2), np.int64)
    ends = np.empty((2, 2))
    ends[0] = start
    for number in range(len(goals)):
        first, wall = firsts[number]
        ends[1] = goals[number]
        count, walls = gather_one(
            ends, most, sizes, box, discs, heads, edges, circles[first:], barriers[wall:]
        )
        firsts[number + 1, 0], firsts[number + 1, 1] = first + count, wall + walls
    return circles[: firsts[-1, 0]], barriers[: firsts[-1, 1]], firsts


@kernel
def is_free(
    x: float, y: float, room: float, box: Array, discs: Array, heads: Array, edges: Array
) -> bool:
    """Tell whether nothing, nor the border, is nearer to a point than some room; the others are those of `gather`."""
    if min(x - box[0], y - box[1], box[2] - x, box[3] - y) < room:
        return False
    for disc in range(len(discs)):
        dx, dy, apart = discs[disc, 0] - x, discs[disc, 1] - y, room + discs[disc, 2]
        if dx * dx + dy * dy < apart * apart:
            return False
    for head in range(len(heads)):
        first = int(heads[head, 6])
        polygon = edges[first : first + int(heads[head, 5])]
        is_near = hypot(heads[head, 0] - x, heads[head, 1] - y) < room + heads[head, 2]
        if is_near and _gap(x, y, polygon) < room:
            return False
    return True


@entry
def are_free(
    points: Array,
    sizes: tuple[float, float, float],
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
) -> Mask:
    """Tell at which of some points, shape (n, 2), a disc may be; the others are those of `gather`."""
    free = np.empty(len(points), np.bool_)
    room = sizes[0] - sizes[1]
    for number in range(len(points)):
        x, y = points[number, 0], points[number, 1]
        free[number] = is_free(x, y, room, box, discs, heads, edges)
    return free
