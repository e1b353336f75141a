"""The loops that check outlines and prepare their edges, compiled."""

from math import cos, hypot, radians, sin

import numpy as np

from brickphys.geometry.sweep_kernel import circle_around, write_edges
from brickphys.jit import entry, kernel
from brickphys.units import Array, Indices

COUNTER_CLOCKWISE, CLOCKWISE, UNCLEAR = 0, 1, 2
"""How an outline walks around its area; an unclear one is not convex, or has corners on one line."""


@kernel
def unit_vector(heading_deg: float) -> tuple[float, float]:
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
def _sense(vertices: Array, tolerance: float) -> int:
    """Tell how corners walk around a convex area."""
    count = len(vertices)
    lefts = rights = rises = 0
    for corner in range(count):
        x, y = vertices[corner]
        from_x, from_y = vertices[corner - 1]
        to_x, to_y = vertices[(corner + 1) % count]
        dx, dy = to_x - from_x, to_y - from_y
        length = hypot(dx, dy)
        off = (dx * (y - from_y) - dy * (x - from_x)) / length if length > 0.0 else 0.0
        lefts += off < -tolerance
        rights += off > tolerance
        came_up = y - from_y > 0.0 or (y == from_y and x > from_x)
        goes_up = to_y - y > 0.0 or (to_y == y and to_x > x)
        rises += goes_up and not came_up  # once in a whole turn
    if count < 3 or rises != 1 or max(lefts, rights) < count:
        return UNCLEAR
    return COUNTER_CLOCKWISE if lefts else CLOCKWISE


@entry
def senses(vertices: Array, firsts: Indices, tolerance: float) -> Indices:
    """Return how each outline walks around its area, shape (n,).

    Parameters
    ----------
    vertices : ndarray, shape (v, 2)
        Corners of all outlines.
    firsts : ndarray of int, shape (n + 1,)
        The first corner of each, and their number.
    tolerance
        Corners so near to a line lie on it.
    """
    found = np.empty(len(firsts) - 1, np.intp)
    for number in range(len(found)):
        found[number] = _sense(vertices[firsts[number] : firsts[number + 1]], tolerance)
    return found


@entry
def placed(vertices: Array, firsts: Indices, poses: Array) -> Array:
    """Return the corners of outlines at poses: x, y and degrees, shape (n, 3)."""
    found = np.empty_like(vertices)
    for number in range(len(poses)):
        x, y, heading_deg = poses[number]
        c, s = unit_vector(heading_deg)
        for corner in range(firsts[number], firsts[number + 1]):
            ahead, left = vertices[corner]
            found[corner, 0], found[corner, 1] = x + c * ahead - s * left, y + s * ahead + c * left
    return found


@entry
def prepared(
    vertices: Array, firsts: Indices, bottoms: Array, tops: Array, radii: Array
) -> tuple[Array, Array, Array]:
    """Return heads, edges and boxes of outlines.

    Parameters
    ----------
    vertices : ndarray, shape (v, 2)
        Corners of all outlines, counter-clockwise.
    firsts : ndarray of int, shape (n + 1,)
        The first corner of each, and their number.
    bottoms, tops : ndarray, shape (n,)
        Their heights.
    radii : ndarray, shape (n,)
        By which they are rounded.

    Returns
    -------
    heads, edges : ndarray, shape (n, 8) and (v, 5)
        As `brickphys.geometry.sweep_kernel` has them.
    boxes : ndarray, shape (n, 4)
        Lowest x and y, and highest x and y.
    """
    count = len(firsts) - 1
    heads, edges, boxes = np.empty((count, 8)), np.empty((len(vertices), 5)), np.empty((count, 4))
    for number in range(count):
        first, end = firsts[number], firsts[number + 1]
        outline = vertices[first:end]
        write_edges(outline, edges[first:end])
        head = heads[number]
        radius = head[7] = radii[number]
        head[0], head[1], around = circle_around(outline)
        head[2], head[3], head[4] = around + radius, bottoms[number], tops[number]
        head[5], head[6] = end - first, first
        box = boxes[number]
        box[0], box[1] = box[2], box[3] = outline[0]
        for x, y in outline:
            box[0], box[1] = min(box[0], x), min(box[1], y)
            box[2], box[3] = max(box[2], x), max(box[3], y)
        box[0], box[1], box[2], box[3] = (
            box[0] - radius, box[1] - radius, box[2] + radius, box[3] + radius
        )  # fmt: skip
    return heads, edges, boxes
