"""The loops of rounded outlines, compiled: a convex core, of one corner or more, with everything within a radius of it.

Two of them overlap where their cores are nearer than the sum of their radii. On a straight way that is an interval,
since the Minkowski sum of both is convex. Its ends are where a corner is so far from an edge, or from a corner.
"""

from math import acos, atan2, hypot, inf, pi, sqrt

from brickphys.geometry.clearance_kernel import from_edge
from brickphys.jit import called_kernel, kernel
from brickphys.units import Array

_CIRCLE = 2 * pi
CROSSING = 1e-9
"""Cores that are so deep in each other are not apart."""


@kernel
def _span(
    corners: Array, edges: Array, wx: float, wy: float, reach: float, low: float, high: float
) -> tuple[float, float]:
    """Widen the interval in which corners that move are within reach of some edge."""
    for corner in range(len(corners)):
        for edge in range(len(edges)):
            x, y = corners[corner, 0] - edges[edge, 0], corners[corner, 1] - edges[edge, 1]
            nx, ny = edges[edge, 2], edges[edge, 3]
            after = (edge + 1) % len(edges)
            dx, dy = edges[after, 0] - edges[edge, 0], edges[after, 1] - edges[edge, 1]
            speed = nx * wx + ny * wy
            if speed != 0.0:
                at = (reach - nx * x - ny * y) / speed
                foot = nx * (y + at * wy) - ny * (x + at * wx)
                if 0.0 <= foot <= hypot(dx, dy):
                    low, high = min(low, at), max(high, at)
            middle, aside = -(x * wx + y * wy), x * wy - y * wx
            square = (reach - aside) * (reach + aside)
            if square >= 0.0:
                half = sqrt(square)
                low, high = min(low, middle - half), max(high, middle + half)
    return low, high


@kernel
def _within(
    obstacle: Array, mover: Array, way: tuple[float, float, float], reach: float
) -> tuple[float, float]:
    """Return from where to where, on the line of a way, a mover is within reach of an obstacle."""
    low, high = _span(mover, obstacle, way[0], way[1], reach, inf, -inf)
    return _span(obstacle, mover, -way[0], -way[1], reach, low, high)


@called_kernel
def first_rounded_touch(
    obstacle: Array,
    mover: Array,
    way: tuple[float, float, float],
    radius: float,
    tolerance: float,
) -> tuple[bool, float, int, bool, float]:
    """Return what `brickphys.geometry.sweep_kernel.first_touch` does, of cores and the sum of their radii."""
    enters, leaves = _within(obstacle, mover, way, radius - tolerance)
    is_hit = enters < min(leaves, way[2]) and leaves > 0.0
    touch, _ = _within(obstacle, mover, way, radius)
    early, _ = _within(obstacle, mover, way, radius + tolerance)
    return is_hit, touch, -1, enters < 0.0, enters - max(early, 0.0)


@kernel
def corner_gap(corners: Array, edges: Array, c: float, s: float) -> float:
    """Return how far corners, turned by an angle of this cosine and sine, are from the nearest edge."""
    least = inf
    for corner in range(len(corners)):
        x = c * corners[corner, 0] - s * corners[corner, 1]
        y = s * corners[corner, 0] + c * corners[corner, 1]
        for edge in range(len(edges)):
            after = (edge + 1) % len(edges)
            ax, ay = edges[edge, 0], edges[edge, 1]
            dx, dy = edges[after, 0] - ax, edges[after, 1] - ay
            least = min(least, from_edge(x, y, ax, ay, dx, dy))
    return least


@called_kernel
def rounded_depth(
    shape: Array, other: Array, c: float, s: float, radius: float, deep: float
) -> float:
    """Return how deep outlines reach into each other, given how deep their cores do; negative where they are apart.

    The first core is turned by an angle of this cosine and sine.
    """
    if deep > CROSSING and len(shape) + len(other) > 2:  # points have no sides, so no depth
        return radius + deep
    return radius - min(corner_gap(shape, other, c, s), corner_gap(other, shape, c, -s))


@called_kernel
def add_corner_events(
    corners: Array,
    others: Array,
    reach: float,
    turns: float,
    turn: float,
    events: Array,
    count: int,
) -> int:
    """Add the angles, below that of a turn about the origin, at which corners are so far from corners that stand."""
    for corner in range(len(corners)):
        x, y = corners[corner, 0], corners[corner, 1]
        for other in range(len(others)):
            u, v = others[other, 0], others[other, 1]
            product = 2 * hypot(x, y) * hypot(u, v)
            rest = x * x + y * y + u * u + v * v - reach * reach
            if product == 0.0 or abs(rest) > product:
                continue
            middle, half = atan2(v, u) - atan2(y, x), acos(rest / product)
            for angle in (middle - half, middle + half):
                event = turns * angle % _CIRCLE
                if event < turn:
                    events[count] = event
                    count += 1
    return count
