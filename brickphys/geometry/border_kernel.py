"""Where two outlines of any form touch, compiled: by their real edges, not by the convex parts that stand for them.

A border is an array of shape (n, 8), one row an edge: x and y of the corner before it, of the corner where it starts,
and of the one where it ends, the area to its left; the radius by which it is rounded; and the number of its part. A
disc is an edge of no length, a capsule two edges.
"""

from math import atan2, degrees, hypot, inf, nan

import numpy as np

from brickphys.jit import called_kernel, entry, kernel
from brickphys.units import Array

_SLACK = 2e-9
"""Studs: so far apart may be what touches."""
_ALIKE = 1e-9
_FACE, _ROW, _OTHER, _X, _Y, _NX, _NY = 1, 6, 7, 8, 9, 10, 11
BEST = 12
"""Numbers of the best candidate: what it is compared by, then both rows, the point and the normal."""


@kernel
def place_border(border: Array, transform: tuple[float, float, float, float], there: Array) -> None:
    """Write a border after a motion, which may be over the old one."""
    c, s, dx, dy = transform
    for row in range(len(border)):
        for corner in range(0, 6, 2):
            x, y = border[row, corner], border[row, corner + 1]
            there[row, corner], there[row, corner + 1] = c * x - s * y + dx, s * x + c * y + dy
        there[row, 6], there[row, 7] = border[row, 6], border[row, 7]


@kernel
def _offer(
    best: Array,
    quality: tuple[float, float, float],
    rows: tuple[int, int],
    spot: tuple[float, float, float, float],
    motion: tuple[float, float, float, float],
) -> None:
    """Keep a candidate that is better: what hinders the motion; a face; edges that do not cross; the longest."""
    face, crossing, shared = quality
    x, y, nx, ny = spot
    ox, oy, _, sense = motion
    vx, vy = (ox, oy) if sense == 0.0 else (-sense * (y - oy), sense * (x - ox))
    approach = -vx * nx - vy * ny
    hinders = 1.0 if approach > _ALIKE else 0.0
    new = (hinders, face, -crossing, approach, shared, -float(rows[0]), float(rows[0]),
           float(rows[1]), x, y, nx, ny)  # fmt: skip
    for rank in range(6):
        if new[rank] < best[rank] - _ALIKE:
            return
        if new[rank] > best[rank] + _ALIKE:
            break
    for column in range(BEST):
        best[column] = new[column]


@kernel
def _corners_on_edges(
    best: Array,
    corners: Array,
    edges: Array,
    hits_edges: bool,
    motion: tuple[float, float, float, float],
    slack: float,
) -> None:
    """Offer corners of one border on edges of the other, and edges that lie flush."""
    for one in range(len(corners)):
        x, y = corners[one, 2], corners[one, 3]
        for edge in range(len(edges)):
            ax, ay = edges[edge, 2], edges[edge, 3]
            dx, dy = edges[edge, 4] - ax, edges[edge, 5] - ay
            length = hypot(dx, dy)
            dx, dy = (dx / length, dy / length) if length > 0.0 else (0.0, 0.0)
            reach = corners[one, 6] + edges[edge, 6]
            along = dx * (x - ax) + dy * (y - ay)
            low = high = min(max(along, 0.0), length)
            off_x, off_y = x - ax - low * dx, y - ay - low * dy
            gap = hypot(off_x, off_y)
            if abs(gap - reach) > slack:
                continue
            nx, ny = (off_x / gap, off_y / gap) if reach > 0.0 else (dy, -dx)
            for near in range(0, 6, 4):
                u, v = corners[one, near] - ax, corners[one, near + 1] - ay
                if length > 0.0 and abs(nx * u + ny * v - reach) <= slack:
                    from_, to = min(along, dx * u + dy * v), max(along, dx * u + dy * v)
                    from_, to = max(from_, 0.0), min(to, length)
                    if to - from_ > high - low:
                        low, high = from_, to
            shared = high - low if high - low > slack else 0.0
            if reach > 0.0 or shared > 0.0 or slack < along < length - slack:
                middle = (low + high) / 2
                side = 1.0 if hits_edges else -1.0
                px = ax + middle * dx + nx * edges[edge, 6]
                py = ay + middle * dy + ny * edges[edge, 6]
                rows = (edge, one) if hits_edges else (one, edge)
                _offer(best, (1.0, 0.0, shared), rows, (px, py, side * nx, side * ny), motion)


@kernel
def _normal(border: Array, row: int, first: int) -> tuple[float, float]:
    """Return the outward normal of the edge that begins at a column of a row."""
    dx, dy = (
        border[row, first + 2] - border[row, first],
        border[row, first + 3] - border[row, first + 1],
    )
    length = hypot(dx, dy)
    return dy / length, -dx / length


@kernel
def _outside(border: Array, row: int, nx: float, ny: float) -> float:
    """Return how far both edges at a corner go beyond the line through it with a normal: a sine."""
    x, y, most = border[row, 2], border[row, 3], 0.0
    for near in range(0, 6, 4):
        dx, dy = border[row, near] - x, border[row, near + 1] - y
        most = max(most, (nx * dx + ny * dy) / hypot(dx, dy))
    return most


@kernel
def _corners_on_corners(
    best: Array,
    hit: Array,
    mover: Array,
    motion: tuple[float, float, float, float],
    slack: float,
) -> None:
    """Offer corners that meet, with the normals of all edges there; a corner of 180 degrees is a face."""
    for one in range(len(hit)):
        for other in range(len(mover)):
            x, y = hit[one, 2], hit[one, 3]
            far = hypot(mover[other, 2] - x, mover[other, 3] - y)
            if far > slack or hit[one, 6] + mover[other, 6] > 0.0:
                continue
            for case in range(4):
                first = 2 * (case % 2)
                nx, ny = _normal(hit, one, first) if case < 2 else _normal(mover, other, first)
                nx, ny = (nx, ny) if case < 2 else (-nx, -ny)
                crossing = _outside(hit, one, nx, ny) + _outside(mover, other, -nx, -ny)
                again_x, again_y = (
                    _normal(hit, one, 2 - first) if case < 2 else _normal(mover, other, 2 - first)
                )
                is_flat = abs(nx * again_y - ny * again_x) <= _ALIKE
                quality = (1.0 if is_flat and crossing <= _ALIKE else 0.0, crossing, 0.0)
                _offer(best, quality, (one, other), (x, y, nx, ny), motion)


@called_kernel
def best_contact(
    hit: Array, mover: Array, motion: tuple[float, float, float, float], best: Array
) -> int:
    """Write how two borders touch, shape (12,), and return which edge of the first is touched between its ends."""
    slack = _SLACK
    best[:] = 0.0
    best[0], best[_ROW], best[_OTHER] = -inf, -1.0, -1.0
    while best[0] == -inf and slack < 1.0:
        _corners_on_edges(best, mover, hit, True, motion, slack)
        _corners_on_edges(best, hit, mover, False, motion, slack)
        _corners_on_corners(best, hit, mover, motion, slack)
        slack *= 100.0
    x, y, nx, ny = best[_X], best[_Y], best[_NX], best[_NY]
    for row in range(len(hit)):
        dx, dy = hit[row, 4] - hit[row, 2], hit[row, 5] - hit[row, 3]
        length = hypot(dx, dy)
        if hit[row, 6] > 0.0 or length == 0.0:
            continue
        u, v = x - hit[row, 2], y - hit[row, 3]
        along, beyond = (dx * u + dy * v) / length, (dy * u - dx * v) / length
        is_alike = (nx * dy - ny * dx) / length > 1.0 - _ALIKE
        if is_alike and abs(beyond) <= slack and _SLACK < along < length - _SLACK:
            return row
    return -1


@kernel
def way_impact_deg(best: Array, motion: tuple[float, float, float, float]) -> float:
    """Return the angle between the way and the face that is struck; nan where corners meet."""
    ox, oy, _, sense = motion
    x, y, nx, ny = best[_X], best[_Y], best[_NX], best[_NY]
    vx, vy = (ox, oy) if sense == 0.0 else (-sense * (y - oy), sense * (x - ox))
    if best[_FACE] == 0.0 or hypot(vx, vy) <= _ALIKE:
        return nan
    return degrees(atan2(max(-vx * nx - vy * ny, 0.0), abs(vx * ny - vy * nx)))


@entry
def border_contact(
    hit: Array,
    mover: Array,
    transform: tuple[float, float, float, float],
    motion: tuple[float, float, float, float],
) -> tuple[Array, int]:
    """Return how a mover touches an obstacle, and which edge of that.

    Parameters
    ----------
    hit, mover : ndarray, shape (m, 8) and (n, 8)
        Their borders.
    transform
        What the motion has done to the mover at the touch: cosine and sine of a turn, then a shift.
    motion
        Direction, length and 0; or pivot, angle in radians, and 1 for a counter-clockwise turn, -1 for a clockwise one.

    Returns
    -------
    best : ndarray, shape (12,)
        On a face or not in [1], the rows that touch in [6:8], -1 if none do, the point and the outward normal of the
        obstacle in [8:12].
    edge : int
        Which edge of the obstacle is touched between its ends; -1 if none is.
    """
    there, best = np.empty_like(mover), np.empty(BEST)
    place_border(mover, transform, there)
    edge = best_contact(hit, there, motion, best)
    return best, edge
