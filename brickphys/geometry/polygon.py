"""Polygon: a convex footprint on the field, in studs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import atan2, cos, dist, hypot, inf, isfinite, pi, radians, sin, tau

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.units import Array

Point = tuple[float, float]

TOLERANCE = 1e-9
"""Studs and degrees: an overlap up to this is none, and an angle this near to a boundary lies on it."""


@dataclass(frozen=True, eq=False)
class Polygon:
    """A convex polygon without collinear corners."""

    vertices_studs: Array
    """Corners, counter-clockwise, shape (n, 2)."""

    @cached_property
    def edges(self) -> Array:
        """Its edges as `brickphys.geometry.sweep_kernel` reads them, shape (n, 5): edge i begins at corner i."""
        from brickphys.geometry.sweep_kernel import edge_rows  # Numba: only where edges are needed

        return edge_rows(np.ascontiguousarray(self.vertices_studs))

    @property
    def normals(self) -> Array:
        """Outward unit normals of the edges, shape (n, 2)."""
        return self.edges[:, 2:4]

    @property
    def offsets_studs(self) -> Array:
        """Distance of each edge's line from the origin along its normal, shape (n,): the support function there."""
        return self.edges[:, 4]

    @cached_property
    def centroid_studs(self) -> Array:
        """Centre of the area, shape (2,)."""
        corner, rest = self.vertices_studs[0], self.vertices_studs[1:] - self.vertices_studs[0]
        areas = _cross(rest[:-1], rest[1:])
        moments = areas[:, None] * (rest[:-1] + rest[1:])
        centroid: Array = corner + moments.sum(axis=0) / (3 * areas.sum())
        return centroid

    @property
    def area_studs2(self) -> float:
        """Its area."""
        rest = self.vertices_studs[1:] - self.vertices_studs[0]
        return float(_cross(rest[:-1], rest[1:]).sum() / 2)

    @property
    def box_studs(self) -> tuple[Point, Point]:
        """The lowest and the highest x and y of its corners."""
        (low_x, low_y), (high_x, high_y) = (
            end.tolist()
            for end in (self.vertices_studs.min(axis=0), self.vertices_studs.max(axis=0))
        )
        return (low_x, low_y), (high_x, high_y)

    def moved(self, shift_studs: npt.ArrayLike) -> "Polygon":
        """Return it shifted by a vector of shape (2,)."""
        return Polygon(self.vertices_studs + np.asarray(shift_studs))

    def turned(self, pivot_studs: npt.ArrayLike, angle_deg: float) -> "Polygon":
        """Return it turned counter-clockwise about a point of shape (2,)."""
        pivot = np.asarray(pivot_studs, dtype=float)
        return Polygon(turned_points(self.vertices_studs - pivot, *unit_vector(angle_deg)) + pivot)


def turned_points(points: Array, cosine: float, sine: float) -> Array:
    """Return points of shape (n, 2) turned about the origin by an angle.

    A product of matrices would have other last digits on other processors.
    """
    return points * cosine + points[:, ::-1] * (-sine, sine)


@lru_cache(maxsize=256)
def unit_vector(heading_deg: float) -> Point:
    """Return the direction of a heading, counter-clockwise from +x; multiples of 90 degrees are exact."""
    quarters, rest = divmod(heading_deg % 360.0, 90.0)
    c, s = cos(radians(rest)), sin(radians(rest))
    return ((c, s), (-s, c), (-c, -s), (s, -c))[int(quarters) % 4]


def rectangle(
    x_studs: float, y_studs: float, heading_deg: float, length_studs: float, width_studs: float
) -> Polygon:
    """Return a rectangle about a centre, its length along the heading.

    Edges are, in this order: the right side, the front, the left side, the rear.
    """
    c, s = unit_vector(heading_deg)
    x, y = c * length_studs / 2, s * length_studs / 2
    u, v = -s * width_studs / 2, c * width_studs / 2
    rear, front = (x_studs - x, y_studs - y), (x_studs + x, y_studs + y)
    corners = (rear[0] - u, rear[1] - v, front[0] - u, front[1] - v,
               front[0] + u, front[1] + v, rear[0] + u, rear[1] + v)  # fmt: skip
    return Polygon(np.array(corners).reshape(4, 2))


def open_ring(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return the corners of a ring once each: WKT, GeoJSON and shapely repeat the first one at the end."""
    is_closed = len(points) > 1 and tuple(points[0]) == tuple(points[-1])
    return tuple(points[:-1] if is_closed else points)


def polygon_problems(points: Sequence[Point]) -> list[str]:
    """Return every reason why points, in order and of either winding, bound no convex area (empty: they do).

    The last of them may repeat the first one.
    """
    points = open_ring(points)
    problems = corner_problems(points)
    return problems or _order_problems(points, convex_hull(points))


def convex_polygon(points: Sequence[Point]) -> Polygon:
    """Return the polygon with these corners, in order and of either winding; collinear corners are dropped.

    The last of them may repeat the first one. InvalidValueError with every fault of `polygon_problems`.
    """
    points = open_ring(points)
    problems = corner_problems(points)
    if not problems:
        hull = convex_hull(points)
        problems = _order_problems(points, hull)
    if problems:
        raise InvalidValueError("; ".join(problems))
    return hull


def corner_problems(points: Sequence[Point]) -> list[str]:
    """Return what is wrong with the corners themselves, whatever their order."""
    if len(points) < 3:
        return [f"a polygon needs 3 corners, here are {len(points)}"]
    if not all(isfinite(x) and isfinite(y) for x, y in points):
        return ["every coordinate must be a finite number"]
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    short = [i for i, (one, other) in enumerate(pairs) if dist(one, other) <= TOLERANCE]
    return [f"corner {i} lies on the next one, {_text(points[i])}" for i in short]


def _order_problems(points: Sequence[Point], hull: Polygon) -> list[str]:
    """Return how corners that span a hull fail to walk around it once."""
    if len(hull.vertices_studs) < 3:
        return ["all corners lie on one line"]
    inside = (hull.offsets_studs - np.array(points) @ hull.normals.T).min(axis=1)
    dents = np.flatnonzero(inside > TOLERANCE).tolist()
    if dents:
        return [f"not convex at corner {i}, {_text(points[i])}" for i in dents]
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    bearings = [atan2(point[1] - y, point[0] - x) for point in points]
    turns = [
        (after - before + pi) % tau - pi
        for before, after in zip(bearings, [*bearings[1:], bearings[0]], strict=True)
    ]
    once = round(abs(sum(turns)) / tau) == 1 and (min(turns) > 0 or max(turns) < 0)
    return [] if once else ["its edges cross or run back over each other"]


def convex_hull(points: Sequence[Point]) -> Polygon:
    """Return the convex hull (Andrew, 1979) without corners that lie on an edge, up to the tolerance.

    Of corners on one line it has fewer than three.
    """
    order = sorted(set(points))
    corners = [*_simplified(_chain(order))[:-1], *_simplified(_chain(order[::-1]))[:-1]]
    return Polygon(np.array(corners, dtype=float).reshape(-1, 2))


def _chain(points: Sequence[Point]) -> list[Point]:
    """Return the points, in this order, that form a chain of left turns."""
    kept: list[Point] = []
    for point in points:
        while len(kept) > 1 and _left_of(kept[-2], point, kept[-1]) >= 0.0:
            kept.pop()
        kept.append(point)
    return kept


def _simplified(chain: Sequence[Point]) -> list[Point]:
    """Return a chain of left turns without points that are within the tolerance of the edge that replaces them."""
    kept, dropped = list(chain[:1]), list(chain[1:2])
    for point in chain[2:]:
        if any(_left_of(kept[-1], point, one) < -TOLERANCE for one in dropped):
            kept.append(dropped[-1])
            dropped.clear()
        dropped.append(point)
    return [*kept, *dropped[-1:]]


def _left_of(start: Point, end: Point, point: Point) -> float:
    """Return how far a point lies to the left of the line from a start to an end, which differ."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx * (point[1] - start[1]) - dy * (point[0] - start[0])) / hypot(dx, dy)


def entry_studs(start: Point, direction: Point, polygon: Polygon) -> float:
    """Return how far a line goes until it enters a polygon; infinity if it misses it (Cyrus and Beck, 1978).

    The faces of the polygon belong to it.
    """
    enter, leave = 0.0, inf
    edges = zip(polygon.normals.tolist(), polygon.offsets_studs.tolist(), strict=True)
    for (nx, ny), offset in edges:
        gap = offset - nx * start[0] - ny * start[1]
        speed = nx * direction[0] + ny * direction[1]
        if abs(speed) <= TOLERANCE:
            leave = leave if gap >= 0.0 else -inf
        elif speed < 0.0:
            enter = max(enter, gap / speed)
        else:
            leave = min(leave, gap / speed)
    return enter if enter <= leave else inf


def gap_studs(polygon: Polygon, point: Point) -> float:
    """Return the distance of a point from a polygon; 0 if it is on it."""
    x, y = point
    nearest, is_inside = inf, True
    rows = polygon.edges.tolist()
    for (ax, ay, nx, ny, offset), (bx, by, *_) in zip(rows, [*rows[1:], rows[0]], strict=True):
        beyond, at, end = nx * x + ny * y - offset, nx * ay - ny * ax, nx * by - ny * bx
        aside = max(at - nx * y + ny * x, nx * y - ny * x - end, 0.0)
        nearest, is_inside = min(nearest, hypot(beyond, aside)), is_inside and beyond <= 0.0
    return 0.0 if is_inside else nearest


def intersection(first: Polygon, second: Polygon) -> Polygon | None:
    """Return what two polygons have in common, or None if that has no area (Sutherland and Hodgman, 1974)."""
    corners: list[Point] = [(x, y) for x, y in first.vertices_studs.tolist()]
    edges = zip(second.normals.tolist(), second.offsets_studs.tolist(), strict=True)
    for (nx, ny), offset in edges:
        beyond = [nx * x + ny * y - offset for x, y in corners]
        corners = clipped(corners, beyond)
    common = Polygon(np.array(corners)) if len(corners) > 2 else None
    return common if common and common.area_studs2 > 0 else None


def clipped(corners: list[Point], beyond: list[float]) -> list[Point]:
    """Cut off the corners that lie beyond a line, given their distances from it."""
    kept = []
    for (x, y), here, (x_before, y_before), before in zip(
        corners, beyond, corners[-1:] + corners[:-1], beyond[-1:] + beyond[:-1], strict=True
    ):
        if (here <= 0) != (before <= 0):
            share = before / (before - here)
            kept.append((x_before + share * (x - x_before), y_before + share * (y - y_before)))
        if here <= 0:
            kept.append((x, y))
    return kept


def _cross(first: Array, second: Array) -> Array:
    product: Array = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product


def _text(corner: Point) -> str:
    return f"({corner[0]:g}, {corner[1]:g})"
