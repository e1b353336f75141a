"""The convex hull as a polyhedron of facets, corners and edges.

Qhull returns triangles and keeps points on an edge or inside a facet. Here coplanar triangles are merged into facets,
and a corner is a point where at least three facets meet.
"""

import io
import platform
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import numpy as np
import scipy  # loads what is used of it with the first new hull: a third of a second

from brickphys.errors import InvalidValueError
from brickphys.files import cache, cached
from brickphys.units import Array, Indices

FLATNESS = 1e-7
"""Triangles are coplanar if they deviate by at most this share of the size of the hull."""


_SAME = 1e-4
"""Corners of an inner parallel body are one if they differ by less than about this share of its size."""


_ROUNDING = 2e-5
"""Points of a file are rounded by about this share of the size: 0.0004 mm of 20 mm."""
_BLOCK = 10_000_000
"""Heights of points over planes that are computed at once."""
_JOGGLED, _NEVER = "QJ", -1.0
"""Where points are rounded, some triangles of a facet are coplanar and others are not, and its ring may not close. Then
Qhull joggles the points by the last bits, and each triangle is a facet."""


_MOST_POINTS, _MOST_KEPT = 2000, 300
"""Triangles of at most so many points are kept in the user's cache folder, of so many hulls."""


class _Triangles(NamedTuple):
    """The triangles of a hull, as `scipy.spatial.ConvexHull` has them."""

    points: Array
    simplices: Indices
    neighbors: Indices
    equations: Array
    vertices: Indices


class _OpenRingsError(InvalidValueError):
    """Rings of facets that share no edge."""


@dataclass(frozen=True, eq=False)
class Hull:
    """A convex polyhedron."""

    corners_mm: Array
    """Corners, in the order of the given points, shape (v, 3)."""
    normals: Array
    """Outward unit normals of the facets, shape (f, 3)."""
    offsets_mm: Array
    """Signed distance of each facet's plane from the origin, along its normal, shape (f,)."""
    rings: tuple[Indices, ...]
    """Corner indices of each facet, counter-clockwise seen from outside."""
    edges: Indices
    """Corners a, b and facets f, g, shape (e, 4); a to b runs counter-clockwise around f and clockwise around g."""


def convex_hull(points_mm: Array) -> Hull:
    """Return the hull of points; InvalidValueError if the points are not finite, fewer than four, or in one plane.

    The points have the shape (n, 3).
    """
    with suppress(_OpenRingsError):
        return _faceted(points_mm, _triangles(points_mm), FLATNESS)
    return _faceted(points_mm, _triangles(points_mm, _JOGGLED), _NEVER)


def _faceted(points_mm: Array, triangles: _Triangles, flatness: float) -> Hull:
    count, facet_of = _merge_coplanar(triangles, flatness)
    largest = _largest_triangle(triangles, facet_of, count)
    equations = triangles.equations[largest]
    vertex = triangles.simplices.ravel()
    incidence = np.unique(np.column_stack([vertex, np.repeat(facet_of, 3)]), axis=0)
    corner, meeting = np.unique(incidence[:, 0], return_counts=True)
    corner = corner[meeting >= 3]
    incidence = incidence[np.isin(incidence[:, 0], corner)]
    corners, normals = points_mm[corner], equations[:, :3]
    order = np.argsort(incidence[:, 1], kind="stable")
    by_facet = np.searchsorted(corner, incidence[order, 0])
    starts = np.cumsum(np.bincount(incidence[:, 1], minlength=count))[:-1]
    along = np.cross(normals, np.eye(3)[np.abs(normals).argmin(axis=1)])
    across = np.cross(normals, along)
    rings = tuple(
        _ring(corners, members, along[facet], across[facet])
        for facet, members in enumerate(np.split(by_facet, starts))
    )
    return Hull(corners, normals, -equations[:, 3], rings, _edges(rings, len(corners)))


def extreme_points(points_mm: Array) -> Array:
    """Return the points (m, 3) that are corners of the hull, or stand out by rounding."""
    extreme: Array = points_mm[_triangles(points_mm).vertices]
    return extreme


def fewer_corners(points_mm: Array, most: int) -> tuple[Array, float]:
    """Return at most so many corners (m, 3) of a hull, and how far in mm another one stands out of their own hull.

    Beginning with the outermost corners along 26 directions, those are added that stand out farthest over each facet.
    The corners of the hull have the shape (n, 3); at least 26 are kept.
    """
    directions = np.array([at for at in np.ndindex(3, 3, 3) if at != (1, 1, 1)]) - 1
    chosen = np.unique((points_mm @ directions.T).argmax(axis=0))
    rounding = _ROUNDING * float(np.ptp(points_mm, axis=0).max())
    while True:
        height, facet = _above(points_mm, _triangles(points_mm[chosen]).equations)
        farthest = np.argsort(-height, kind="stable")
        first = np.sort(np.unique(facet[farthest], return_index=True)[1])
        more = farthest[first]
        more = more[height[more] > rounding][: most - len(chosen)]
        if not len(more):
            return points_mm[np.sort(chosen)], max(float(height.max()), 0.0)
        chosen = np.concatenate([chosen, more])


def _above(points: Array, planes: Array) -> tuple[Array, Indices]:
    """Return the largest height of each point over a plane, shape (n,), and which plane that is."""
    found = []
    for block in np.array_split(points, len(points) * len(planes) // _BLOCK + 1):
        heights = block @ planes[:, :3].T + planes[:, 3]
        found.append((heights.max(axis=1), heights.argmax(axis=1)))
    height, facet = map(np.concatenate, zip(*found, strict=True))
    return height, facet


def inner_corners(points_mm: Array, distance_mm: float = 0.0) -> Array:
    """Return the corners (m, 3) of the points at least a distance inside every facet of a hull: an inner parallel body.

    Its facets are exact planes, even if the points are rounded as in a file. The points, shape (n, 3), are around the
    origin, whose distance from every facet is larger than the other one.
    """
    normals = _distinct_normals(points_mm)
    offsets = (points_mm @ normals.T).max(axis=0) - distance_mm
    planes = np.column_stack([normals, -offsets])
    corners = scipy.spatial.HalfspaceIntersection(planes, np.zeros(3)).intersections
    # facets that meet in one corner give it several times
    near = _SAME * float(np.ptp(corners, axis=0).max())
    first, second = scipy.spatial.cKDTree(corners).query_pairs(near, output_type="ndarray").T
    kept = np.unique(groups(len(corners), first, second)[1], return_index=True)[1]
    return convex_hull(corners[kept]).corners_mm


def _distinct_normals(points: Array) -> Array:
    """Return the normals (n, 3) of the hull's triangles, without those that lie in the plane of a larger one."""
    triangles = _triangles(points)
    corners, equations = points[triangles.simplices], triangles.equations
    rounding = _ROUNDING * float(np.ptp(points, axis=0).max())
    left, kept = np.ones(len(corners), dtype=bool), []
    for number in np.argsort(-_areas(triangles), kind="stable"):
        if left[number]:
            kept.append(number)
            heights = corners @ equations[number, :3] + equations[number, 3]
            left &= (np.abs(heights) > rounding).any(axis=1)
    normals: Array = equations[kept, :3]
    return normals


def _triangles(points: Array, options: str | None = None) -> _Triangles:
    """Return the triangles of Qhull, or those that were kept of the same points: SciPy is slow to import."""
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise InvalidValueError("a convex hull needs finite points of shape (n, 3)")
    made_by = f"{scipy.__version__} {platform.machine()} {options} {points.shape}"
    made_of = made_by.encode() + points.astype(float).tobytes()
    key = f"hulls/{sha256(made_of).hexdigest()}.npz"
    if (kept := cached(key)) is not None:
        found = np.load(io.BytesIO(kept))
        return _Triangles(points, *(found[name] for name in found.files))
    try:
        hull = scipy.spatial.ConvexHull(points, qhull_options=options)
    except (scipy.spatial.QhullError, ValueError) as error:
        raise InvalidValueError(
            f"{len(points)} points span no convex body: flat or too few"
        ) from error
    triangles = _Triangles(points, *(getattr(hull, name) for name in _Triangles._fields[1:]))
    if len(points) <= _MOST_POINTS:
        content = io.BytesIO()
        np.savez(content, *triangles[1:])
        cache(key, content.getvalue(), _MOST_KEPT)
    return triangles


def _areas(triangles: _Triangles) -> Array:
    a, b, c = np.moveaxis(triangles.points[triangles.simplices], 1, 0)
    areas: Array = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return areas


def _merge_coplanar(triangles: _Triangles, flatness: float) -> tuple[int, Indices]:
    """Return the number of facets, and the facet of each triangle.

    Two neighbours are compared with the plane of the larger one, because the plane of a sliver is inaccurate.
    """
    neighbours = triangles.neighbors
    apexes = triangles.points[triangles.simplices]  # apex k is opposite to neighbour k
    planes = triangles.equations[neighbours]
    distance = np.abs(np.einsum("nki,nki->nk", planes[..., :3], apexes) + planes[..., 3])
    areas = _areas(triangles)
    size = float(np.ptp(triangles.points, axis=0).max())
    same = (distance <= flatness * size) & (areas[neighbours] >= areas[:, None])
    first, slot = np.nonzero(same)
    return groups(len(neighbours), first, neighbours[first, slot].astype(np.intp))


def groups(number: int, first: Indices, second: Indices) -> tuple[int, Indices]:
    """Return the number of groups that pairs of things connect, and the group of each of all things."""
    least = np.arange(number)  # of the things of the same group that are known so far
    while True:
        one, other = least[first], least[second]
        if np.array_equal(one, other):
            found, labels = np.unique(least, return_inverse=True)
            return len(found), labels
        np.minimum.at(least, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(least, least[least]):
            least = least[least]


def _largest_triangle(triangles: _Triangles, facet_of: Indices, count: int) -> Indices:
    order = np.lexsort((_areas(triangles), facet_of))
    return order[np.searchsorted(facet_of[order], np.arange(count), side="right") - 1]


def _ring(corners: Array, members: Indices, along: Array, across: Array) -> Indices:
    """Sort the corners of a facet counter-clockwise, seen from outside, by two axes in its plane."""
    if len(members) < 3:
        raise _OpenRingsError("the points span a degenerate hull: a facet without three corners")
    arms = corners[members] - corners[members].mean(axis=0)
    return members[np.argsort(np.arctan2(arms @ across, arms @ along))]


def _edges(rings: tuple[Indices, ...], corners: int) -> Indices:
    left = {
        (int(a), int(b)): facet
        for facet, ring in enumerate(rings)
        for a, b in zip(ring, np.roll(ring, -1), strict=True)
    }
    edges = [(a, b, facet, left.get((b, a), -1)) for (a, b), facet in left.items() if a < b]
    sound = 2 * len(edges) == len(left) and all(edge[3] >= 0 for edge in edges)
    if not sound or corners - len(edges) + len(rings) != 2:
        raise _OpenRingsError("the points span a degenerate hull: edges that do not close")
    return np.array(edges, dtype=np.intp)
