"""The loops of nearest approaches and nearest points, compiled.

An approach takes each corner on its way against each edge. The distance of a point on a line or a circle from an edge
is least at an end of the way, nearest to an end of the edge, or where the circle is nearest to the line. All of these
are known in closed form. So is where a distance that stays the same begins: on a line, where its foot passes an end of
the edge. On a circle none does that is the least.
"""

from math import atan2, cos, hypot, inf, pi, sin, sqrt

import numpy as np

from brickphys.jit import allocating_kernel, called_kernel, entry, kernel
from brickphys.units import Array, Indices

_CIRCLE = 2 * pi


@kernel
def from_edge(x: float, y: float, ax: float, ay: float, dx: float, dy: float) -> float:
    """Return how far a point is from the edge from a to a + d."""
    square = dx * dx + dy * dy
    share = ((x - ax) * dx + (y - ay) * dy) / square if square > 0.0 else 0.0
    share = min(max(share, 0.0), 1.0)
    return hypot(x - ax - share * dx, y - ay - share * dy)


@called_kernel
def nearest_corner(one: Array, other: Array) -> tuple[float, bool, float, float]:
    """Return how far two polygons are apart, and the direction from an edge to a corner where they are nearest.

    Before that it tells whether the edge is that of the first one.
    """
    least, ux, uy, is_first = inf, 1.0, 0.0, False
    for case in range(2):
        edges, corners = (one, other) if case == 0 else (other, one)
        for edge in range(len(edges)):
            after = (edge + 1) % len(edges)
            ax, ay = edges[edge, 0], edges[edge, 1]
            dx, dy = edges[after, 0] - ax, edges[after, 1] - ay
            square = dx * dx + dy * dy
            for corner in range(len(corners)):
                x, y = corners[corner, 0] - ax, corners[corner, 1] - ay
                share = (x * dx + y * dy) / square if square > 0.0 else 0.0
                share = min(max(share, 0.0), 1.0)
                x, y = x - share * dx, y - share * dy
                far = hypot(x, y)
                if far < least:
                    least, is_first = far, case == 0
                    if far > 0.0:
                        ux, uy = x / far, y / far
    return least, is_first, ux, uy


@kernel
def _straight(
    x: float,
    y: float,
    way: tuple[float, float, float],
    edge: tuple[float, float, float, float],
    limit: float,
) -> tuple[float, float]:
    """Return how near a point that goes straight on comes to an edge, and where first to a limit."""
    wx, wy, length = way
    ax, ay, dx, dy = edge
    least, first, t = inf, inf, 0.0
    speed = dx * wx + dy * wy
    for case in range(6):
        if case == 0:
            t = 0.0
        elif case == 1:
            t = length
        elif case < 4:
            end = case - 2.0
            t = (ax + end * dx - x) * wx + (ay + end * dy - y) * wy
        elif speed != 0.0:
            end = case - 4.0
            t = ((ax + end * dx - x) * dx + (ay + end * dy - y) * dy) / speed
        t = min(max(t, 0.0), length)
        far = from_edge(x + t * wx, y + t * wy, ax, ay, dx, dy)
        least = min(least, far)
        if far <= limit:
            first = min(first, t)
    return least, first


@kernel
def _turning(
    x: float,
    y: float,
    way: tuple[float, float],
    edge: tuple[float, float, float, float],
    limit: float,
) -> tuple[float, float]:
    """Return how near a point that turns about the origin comes to an edge, and where first to a limit."""
    sense, turn = way
    ax, ay, dx, dy = edge
    bearing, along = atan2(y, x), atan2(dy, dx)
    least, first, t = inf, inf, 0.0
    for case in range(6):
        if case == 0:
            t = 0.0
        elif case == 1:
            t = turn
        elif case < 4:
            end = case - 2.0
            t = sense * (atan2(ay + end * dy, ax + end * dx) - bearing) % _CIRCLE
        else:
            t = sense * (along + pi * (case - 4.5) - bearing) % _CIRCLE
        t = min(t, turn)
        c, s = cos(sense * t), sin(sense * t)
        far = from_edge(c * x - s * y, s * x + c * y, ax, ay, dx, dy)
        least = min(least, far)
        if far <= limit:
            first = min(first, t)
    return least, first


@kernel
def _corners_to_edges(
    corners: Array,
    edges: Array,
    motion: tuple[float, float, float, float],
    sense: float,
    limit: float,
) -> tuple[float, float]:
    """Return how near the corners of a polygon that moves come to the edges of another, and where first to a limit."""
    ox, oy, extent, turns = motion
    least, first = inf, inf
    for corner in range(len(corners)):
        for edge in range(len(edges)):
            after = (edge + 1) % len(edges)
            ax, ay = edges[edge, 0], edges[edge, 1]
            side = (edges[after, 0] - ax, edges[after, 1] - ay)
            if turns == 0.0:
                way = (sense * ox, sense * oy, extent)
                x, y = corners[corner, 0], corners[corner, 1]
                far, t = _straight(x, y, way, (ax, ay, *side), limit)
            else:
                x, y = corners[corner, 0] - ox, corners[corner, 1] - oy
                angle = (sense * turns, extent)
                far, t = _turning(x, y, angle, (ax - ox, ay - oy, *side), limit)
            least, first = min(least, far), min(first, t)
    return least, first


@kernel
def nearest_between(
    mover: Array, other: Array, motion: tuple[float, float, float, float], limit: float
) -> tuple[float, float]:
    """Return how near a polygon that moves comes to another, and where first to a limit."""
    far, at = _corners_to_edges(mover, other, motion, 1.0, limit)
    back, back_at = _corners_to_edges(other, mover, motion, -1.0, limit)
    return min(far, back), min(at, back_at)


@allocating_kernel
def _is_far(
    head: Array, circle: Array, motion: tuple[float, float, float, float], within: float
) -> bool:
    """Tell whether a circle around an obstacle is out of reach of one around the mover on its whole way."""
    ox, oy, extent, turns = motion
    x, y, reach = head[0] - circle[0], head[1] - circle[1], head[2] + circle[2] + within
    if turns == 0.0:
        t = min(max(x * ox + y * oy, 0.0), extent)
        gap = hypot(x - t * ox, y - t * oy)
    else:
        gap = abs(hypot(head[0] - ox, head[1] - oy) - hypot(circle[0] - ox, circle[1] - oy))
    far: bool = gap > reach
    return far


@entry
def nearest_approaches(
    mover: Array,
    circle: Array,
    heights: tuple[float, float],
    motion: tuple[float, float, float, float],
    radius: float,
    within: float,
    heads: Array,
    edges: Array,
    tolerance: float,
) -> Array:
    """Return how near a mover comes to obstacles.

    Parameters
    ----------
    mover : ndarray, shape (j, 5)
        Its edges.
    circle : ndarray, shape (3,)
        Centre and radius of a circle around it.
    motion
        Direction, length and 0; or pivot, angle in radians, and 1 for a counter-clockwise turn, -1 for a clockwise one.
    radius
        By which the mover is rounded.
    heads, edges : ndarray, shape (m, 8) and (n, 5)
        All obstacles, see `brickphys.geometry.sweep_kernel`.
    tolerance
        Heights that overlap by no more do not meet, and of distances that differ by no more the first one counts.

    Returns
    -------
    ndarray, shape (k, 3)
        Number of the obstacle, least distance, and how far the motion has come when it is first reached.
    """
    found = np.empty((len(heads), 3))
    count = 0
    for number in range(len(heads)):
        head = heads[number]
        if min(head[4], heights[1]) - max(head[3], heights[0]) <= tolerance:
            continue
        if _is_far(head, circle, motion, within):
            continue
        first = int(head[6])
        other = edges[first : first + int(head[5])]
        least, _ = nearest_between(mover, other, motion, -inf)
        both = radius + head[7]
        if least - both <= within:
            _, at = nearest_between(mover, other, motion, least + tolerance)
            found[count, 0], found[count, 1], found[count, 2] = number, least - both, at
            count += 1
    return found[:count]


@entry
def nearest_others(places: Array, sides: Indices, within: float) -> tuple[Array, Indices]:
    """Return how far each point is from the nearest one of another side, and who are near each other.

    Parameters
    ----------
    places : ndarray, shape (n, 2)
        The points.
    sides : ndarray of int, shape (n,)
        The side of each.
    within
        Points of two sides are near if they are no farther apart.

    Returns
    -------
    nearest : ndarray, shape (n,)
        Distances; infinite where no other side has a point.
    pairs : ndarray of int, shape (k, 2)
        The numbers of points that are near each other, in both orders, sorted.
    """
    count = len(places)
    squares, pairs = np.full(count, inf), np.empty((count * count, 2), np.intp)
    found = 0
    for one in range(count):
        for other in range(count):
            if sides[one] == sides[other]:
                continue
            dx, dy = places[one, 0] - places[other, 0], places[one, 1] - places[other, 1]
            square = dx * dx + dy * dy
            squares[one] = min(squares[one], square)
            if square <= within * within:
                pairs[found, 0], pairs[found, 1] = one, other
                found += 1
    for one in range(count):
        squares[one] = sqrt(squares[one])
    return squares, pairs[:found].copy()
