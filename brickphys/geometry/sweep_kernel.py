"""The loops of sweeps, contacts and lines, compiled.

A polygon is an array of shape (n, 5), one row an edge: x and y of the corner where it starts, its outward unit normal,
and its distance from the origin along that normal. Obstacles are two arrays. `heads`, shape (m, 8): x, y and radius of
a circle around each, its bottom and top, its number of edges, the first of them in `edges`, shape (n, 5), and the
radius by which it is rounded (`brickphys.geometry.rounded_kernel`).

A sweep goes through every edge of the Minkowski sum of a mover and each obstacle. The edges of each prism clip a line
(Cyrus and Beck, 1978).
"""

from math import hypot, inf, sqrt

import numpy as np

from brickphys.geometry.rounded_kernel import first_rounded_touch
from brickphys.jit import entry, kernel
from brickphys.units import Array, Indices, Mask


@kernel
def _circle_is_near(x: float, y: float, radius: float, wx: float, wy: float, length: float) -> bool:
    """Tell whether a point, relative to the start of a path, is within a radius of the path."""
    share = min(max(x * wx + y * wy, 0.0), length)
    x, y = x - share * wx, y - share * wy
    return x * x + y * y <= radius * radius


@kernel
def _reach(polygon: Array, nx: float, ny: float) -> float:
    """Return how far a polygon extends against a normal: its support function there."""
    least = inf
    for corner in range(len(polygon)):
        least = min(least, nx * polygon[corner, 0] + ny * polygon[corner, 1])
    return -least


@kernel
def clip(
    edges: Array,
    others: Array,
    wx: float,
    wy: float,
    enters: float,
    early: float,
    leaves: float,
    tolerance: float,
) -> tuple[float, float, float, float, int]:
    """Clip a path by the edges that one polygon gives to the Minkowski sum.

    Returns
    -------
    enters, early, leaves : float
        Where the path is inside by more than the tolerance, and from where on it is outside by no more than that.
    touch : float
        Where it first touches the sum, and
    axis : int
        through which edge.
    """
    touch, axis = -inf, 0
    for edge in range(len(edges)):
        nx, ny = edges[edge, 2], edges[edge, 3]
        room = edges[edge, 4] + _reach(others, nx, ny)
        speed = nx * wx + ny * wy
        if speed < 0.0:
            enters = max(enters, (room - tolerance) / speed)
            early = max(early, (room + tolerance) / speed)
            if room / speed > touch:
                touch, axis = room / speed, edge
        elif speed > 0.0:
            leaves = min(leaves, (room - tolerance) / speed)
        elif room <= tolerance:
            leaves = -inf
    return enters, early, leaves, touch, axis


@kernel
def _may_meet(
    head: Array,
    circle: tuple[float, float, float],
    heights: tuple[float, float],
    way: tuple[float, float, float],
    tolerance: float,
) -> bool:
    """Tell whether heights overlap, and circles do somewhere on the path."""
    wx, wy, length = way
    if min(head[4], heights[1]) - max(head[3], heights[0]) <= tolerance:
        return False
    reach = head[2] + circle[2] + tolerance
    return _circle_is_near(head[0] - circle[0], head[1] - circle[1], reach, wx, wy, length)


@kernel
def first_touch(
    obstacle: Array, mover: Array, way: tuple[float, float, float], tolerance: float
) -> tuple[bool, float, int, bool, float]:
    """Return whether a mover hits an obstacle, and where it touches it.

    Returns
    -------
    is_hit : bool
        Whether they overlap by more than the tolerance somewhere on the way.
    touch : float
        Where they touch,
    axis : int
        through which edge, and
    overlaps : bool
        if they overlap already.
    doubt : float
        How far apart the touches of outlines that are larger and smaller by the tolerance are.
    """
    wx, wy, length = way
    enters, early, leaves, touch, axis = clip(obstacle, mover, wx, wy, -inf, -inf, inf, tolerance)
    if not (enters < min(leaves, length) and leaves > 0.0):
        return False, 0.0, 0, False, 0.0
    enters, early, leaves, ours, edge = clip(
        mover, obstacle, -wx, -wy, enters, early, leaves, tolerance
    )
    if ours > touch:
        touch, axis = ours, len(obstacle) + edge
    is_hit = enters < min(leaves, length) and leaves > 0.0
    return is_hit, touch, axis, enters < 0.0, enters - max(early, 0.0)


@kernel
def write_edges(vertices: Array, rows: Array) -> None:
    """Write the edges of a convex polygon, given its corners counter-clockwise, shape (n, 2)."""
    count = len(vertices)
    for corner in range(count):
        x, y = vertices[corner]
        to_x, to_y = vertices[(corner + 1) % count]
        length = hypot(to_x - x, to_y - y)
        nx, ny = 1.0, 0.0  # of a single point any normal serves
        if length > 0.0:
            nx, ny = (to_y - y) / length, (x - to_x) / length
        row = rows[corner]
        row[0], row[1], row[2], row[3], row[4] = x, y, nx, ny, nx * x + ny * y


@entry
def edge_rows(vertices: Array) -> Array:
    """Return the edges of a convex polygon, shape (n, 5), given its corners counter-clockwise, shape (n, 2)."""
    rows = np.empty((len(vertices), 5))
    write_edges(vertices, rows)
    return rows


@kernel
def circle(vertices: Array) -> tuple[float, float, float]:
    """Return centre and radius of a circle around points; see `circle_around`."""
    low_x, low_y = high_x, high_y = vertices[0]
    for x, y in vertices:
        low_x, high_x = min(low_x, x), max(high_x, x)
        low_y, high_y = min(low_y, y), max(high_y, y)
    middle_x, middle_y = (low_x + high_x) / 2, (low_y + high_y) / 2
    square = 0.0
    for x, y in vertices:
        dx, dy = x - middle_x, y - middle_y
        square = max(square, dx * dx + dy * dy)
    return middle_x, middle_y, sqrt(square)


@entry
def circle_around(vertices: Array) -> tuple[float, float, float]:
    """Return centre and radius of a circle around points of shape (n, 2)."""
    return circle(vertices)


@entry
def first_touches(
    vertices: Array,
    heights: tuple[float, float],
    rounding: float,
    way: tuple[float, float, float],
    heads: Array,
    edges: Array,
    by_x: Indices,
    sorted_x: Array,
    largest: float,
    tolerance: float,
) -> Array:
    """Return the first meetings of a mover with obstacles.

    What depends on the mover alone is computed here too, since most movers are swept once, and another call from
    Python costs more than the loop.

    Parameters
    ----------
    vertices : ndarray, shape (j, 2)
        Corners of the mover, counter-clockwise.
    rounding
        The radius by which it is rounded.
    way
        Direction (a unit vector) and length of the move.
    heads, edges : ndarray, shape (m, 8) and (n, 5)
        All obstacles.
    by_x, sorted_x : ndarray, shape (m,)
        Their order by the x of their centres, and those x.
    largest
        The largest of their radii.
    tolerance
        An overlap up to this is none.

    Returns
    -------
    ndarray, shape (hits, 4)
        Number of the obstacle, distance at first touch, edge of the sum that is entered (the mover's edges are
        counted on after the obstacle's), and 1 for an overlap at the start, else 0.
    """
    mover, (x, y, radius) = edge_rows(vertices), circle(vertices)
    radius += rounding
    around = (x, y, radius)
    end, room = x + way[0] * way[2], radius + largest + tolerance
    first = np.searchsorted(sorted_x, min(x, end) - room, side="left")
    last = np.searchsorted(sorted_x, max(x, end) + room, side="right")
    found = np.empty((last - first, 4))
    hits = 0
    for index in by_x[first:last]:
        head = heads[index]
        if not _may_meet(head, around, heights, way, tolerance):
            continue
        first_edge = int(head[6])
        obstacle = edges[first_edge : first_edge + int(head[5])]
        both = rounding + head[7]
        if both > 0.0:
            is_hit, touch, axis, overlaps, _ = first_rounded_touch(
                obstacle, mover, way, both, tolerance
            )
        else:
            is_hit, touch, axis, overlaps, _ = first_touch(obstacle, mover, way, tolerance)
        if is_hit:
            hit = found[hits]
            hit[0], hit[2], hit[3] = index, axis, overlaps
            hit[1] = touch if touch > 0.0 else 0.0  # never -0.0
            hits += 1
    return found[:hits]


@kernel
def _least(polygon: Array, nx: float, ny: float) -> float:
    least = inf
    for corner in range(len(polygon)):
        least = min(least, nx * polygon[corner, 0] + ny * polygon[corner, 1])
    return least


@kernel
def parting_edge(hit: Array, mover: Array) -> int:
    """Return the edge of either polygon beyond which the other one lies farthest, or is least deep behind it."""
    widest, axis = -inf, 0
    for edge in range(len(hit)):
        gap = _least(mover, hit[edge, 2], hit[edge, 3]) - hit[edge, 4]
        if gap > widest:
            widest, axis = gap, edge
    for edge in range(len(mover)):
        gap = _least(hit, mover[edge, 2], mover[edge, 3]) - mover[edge, 4]
        if gap > widest:
            widest, axis = gap, len(hit) + edge
    return axis


@kernel
def place(edges: Array, transform: tuple[float, float, float, float], there: Array) -> None:
    """Write the edges of a polygon after a motion, which may be over the old ones."""
    c, s, dx, dy = transform
    for edge in range(len(edges)):
        row = there[edge]
        x, y, nx, ny, offset = edges[edge]
        row[0], row[1] = c * x - s * y + dx, s * x + c * y + dy
        row[2], row[3] = c * nx - s * ny, s * nx + c * ny
        row[4] = offset + (row[2] * dx + row[3] * dy)


@kernel
def _face(polygon: Array, nx: float, ny: float, tolerance: float) -> tuple[float, float, float]:
    """Return how far a polygon reaches along a normal, and from where to where, to its left, it does so."""
    offset = -_least(polygon, -nx, -ny)
    low, high = inf, -inf
    for corner in range(len(polygon)):
        x, y = polygon[corner, 0], polygon[corner, 1]
        if nx * x + ny * y >= offset - tolerance:
            low, high = min(low, nx * y - ny * x), max(high, nx * y - ny * x)
    return offset, low, high


@kernel
def meeting_point(
    hit: Array, there: Array, axis: int, tolerance: float
) -> tuple[float, float, float, float, int, bool]:
    """Return where two polygons touch, given their edges; see `contact`."""
    if axis < 0:
        axis = parting_edge(hit, there)
    if axis < len(hit):
        nx, ny = hit[axis, 2], hit[axis, 3]
    else:
        nx, ny = -there[axis - len(hit), 2], -there[axis - len(hit), 3]
    offset, low, high = _face(hit, nx, ny, tolerance)
    _, from_high, from_low = _face(there, -nx, -ny, tolerance)
    middle = (max(low, -from_low) + min(high, -from_high)) / 2
    edge, best = -1, -inf
    if low + tolerance < middle < high - tolerance:
        for each in range(len(hit)):
            cosine = nx * hit[each, 2] + ny * hit[each, 3]
            if cosine > best:
                edge, best = each, cosine
    on_face = edge >= 0 or -from_low + tolerance < middle < -from_high - tolerance
    return offset * nx - middle * ny, offset * ny + middle * nx, nx, ny, edge, on_face


@entry
def contact(
    hit: Array,
    mover: Array,
    transform: tuple[float, float, float, float],
    axis: int,
    tolerance: float,
) -> tuple[float, float, float, float, int, bool]:
    """Return where two polygons touch.

    Parameters
    ----------
    hit : ndarray, shape (n, 5)
        Edges of the one that is hit.
    mover : ndarray, shape (m, 2)
        Corners of the other one, counter-clockwise.
    transform
        Of the mover: cosine and sine of a turn about the origin, then a shift.
    axis
        The edge whose line parts them, the mover's counted on after those of the polygon that is hit; -1 to find it.
    tolerance
        Corners so near to the farthest one reach as far.

    Returns
    -------
    x, y : float
        The middle of what they share.
    nx, ny : float
        The normal, outward from the polygon that is hit.
    edge : int
        Which edge of that polygon is touched between its ends; -1 if none is.
    on_face : bool
        Whether either polygon is touched between the ends of an edge.
    """
    there = edge_rows(mover)
    place(there, transform, there)
    return meeting_point(hit, there, axis, tolerance)


@kernel
def _is_clear(line: Array, head: Array, edges: Array, tolerance: float) -> bool:
    x, y, height = line[0], line[1], line[2]
    dx, dy, rise = line[3] - x, line[4] - y, line[5] - height
    enters, leaves = 0.0, 1.0
    first = int(head[6])
    for edge in range(first, first + int(head[5])):
        nx, ny = edges[edge, 2], edges[edge, 3]
        room = edges[edge, 4] - tolerance - nx * x - ny * y
        speed = nx * dx + ny * dy
        if speed < 0.0:
            enters = max(enters, room / speed)
        elif speed > 0.0:
            leaves = min(leaves, room / speed)
        elif room <= 0.0:
            return True
        if enters >= leaves:
            return True
    at_start, at_end = height + rise * enters, height + rise * leaves
    low, high = min(at_start, at_end), max(at_start, at_end)
    passes: bool = low >= head[4] - tolerance or high <= head[3] + tolerance
    return passes


@entry
def are_clear(lines: Array, heads: Array, edges: Array, among: Indices, tolerance: float) -> Mask:
    """Tell which of several straight lines are clear of prisms.

    Parameters
    ----------
    lines : ndarray, shape (n, 6)
        x, y and height of the beginning and of the end of each.
    heads, edges : ndarray, shape (m, 8) and (k, 5)
        Prisms, see `brickphys.geometry.sweep_kernel`.
    among : ndarray of int
        Those prisms that count.
    tolerance
        To be inside by up to this is to be outside.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each is clear.
    """
    clear = np.ones(len(lines), np.bool_)
    for number in range(len(lines)):
        for index in among:
            if not _is_clear(lines[number], heads[index], edges, tolerance):
                clear[number] = False
                break
    return clear
