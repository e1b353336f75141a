"""The contact of two polygons that touch, compiled; edges are rows as in `brickphys.geometry.sweep_kernel`."""

from math import inf

from brickphys.arrays import Array
from brickphys.geometry.sweep_kernel import edge_rows
from brickphys.jit import allocating_kernel, entry, kernel


@kernel
def _least(polygon: Array, nx: float, ny: float) -> float:
    least = inf
    for corner in range(len(polygon)):
        least = min(least, nx * polygon[corner, 0] + ny * polygon[corner, 1])
    return least


@kernel
def _parting_edge(hit: Array, mover: Array) -> int:
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


@allocating_kernel
def _placed(vertices: Array, transform: tuple[float, float, float, float]) -> Array:
    """Return the edges of a polygon after a motion."""
    c, s, dx, dy = transform
    edges = edge_rows(vertices)
    for edge in range(len(edges)):
        row = edges[edge]
        x, y, nx, ny = row[0], row[1], row[2], row[3]
        row[0], row[1] = c * x - s * y + dx, s * x + c * y + dy
        row[2], row[3] = c * nx - s * ny, s * nx + c * ny
        row[4] += row[2] * dx + row[3] * dy
    return edges


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
    there = _placed(mover, transform)
    if axis < 0:
        axis = _parting_edge(hit, there)
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
