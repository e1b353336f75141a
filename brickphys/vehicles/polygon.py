"""Polygon: a convex footprint on the field, in studs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, radians, sin

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError

Array = npt.NDArray[np.float64]
Point = tuple[float, float]

TOLERANCE = 1e-9
"""Studs and degrees: an overlap up to this is none, and an angle this near to a boundary lies on it."""


@dataclass(frozen=True, eq=False)
class Polygon:
    """A convex polygon without collinear corners.

    Attributes
    ----------
    vertices_studs : ndarray, shape (n, 2)
        Corners, counter-clockwise.
    """

    vertices_studs: Array

    @cached_property
    def normals(self) -> Array:
        """Outward unit normals of the edges, shape (n, 2); edge i runs from corner i to the next."""
        edges = np.roll(self.vertices_studs, -1, axis=0) - self.vertices_studs
        outward = np.column_stack([edges[:, 1], -edges[:, 0]])
        normals: Array = outward / np.hypot(*edges.T)[:, None]
        return normals

    def edge_normal(self, edge: int) -> Point:
        """Return the outward unit normal of one edge, without those of all others."""
        corners = self.vertices_studs
        (x, y), (to_x, to_y) = corners[edge].tolist(), corners[(edge + 1) % len(corners)].tolist()
        length = hypot(to_x - x, to_y - y)
        return (to_y - y) / length, (x - to_x) / length

    @cached_property
    def offsets_studs(self) -> Array:
        """Distance of each edge's line from the origin along its normal, shape (n,): the support function there."""
        offsets: Array = (self.normals * self.vertices_studs).sum(axis=1)
        return offsets

    @cached_property
    def centroid_studs(self) -> Array:
        """Centre of the area, shape (2,)."""
        corner, rest = self.vertices_studs[0], self.vertices_studs[1:] - self.vertices_studs[0]
        areas = _cross(rest[:-1], rest[1:])
        centroid: Array = corner + areas @ (rest[:-1] + rest[1:]) / (3 * areas.sum())
        return centroid

    @property
    def area_studs2(self) -> float:
        """Its area."""
        rest = self.vertices_studs[1:] - self.vertices_studs[0]
        return float(_cross(rest[:-1], rest[1:]).sum() / 2)

    def moved(self, shift_studs: npt.ArrayLike) -> "Polygon":
        """Return it shifted by a vector of shape (2,)."""
        return Polygon(self.vertices_studs + np.asarray(shift_studs))

    def turned(self, pivot_studs: npt.ArrayLike, angle_deg: float) -> "Polygon":
        """Return it turned counter-clockwise about a point of shape (2,)."""
        pivot = np.asarray(pivot_studs, dtype=float)
        c, s = unit_vector(angle_deg)
        return Polygon((self.vertices_studs - pivot) @ [[c, s], [-s, c]] + pivot)


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
    ahead, left = length_studs / 2, width_studs / 2
    corners = ((-ahead, -left), (ahead, -left), (ahead, left), (-ahead, left))
    return Polygon(
        np.array([(x_studs + c * a - s * b, y_studs + s * a + c * b) for a, b in corners])
    )


def polygon_problems(points: Sequence[Point]) -> list[str]:
    """Return every reason why points, in order and of either winding, bound no convex area (empty: they do)."""
    if len(points) < 3:
        return [f"a polygon needs 3 corners, here are {len(points)}"]
    corners = np.asarray(points, dtype=float)
    if not np.isfinite(corners).all():
        return ["every coordinate must be a finite number"]
    edges = np.roll(corners, -1, axis=0) - corners
    short = np.flatnonzero(np.hypot(*edges.T) <= TOLERANCE)
    if len(short):
        return [f"corner {i} lies on the next one, {_text(corners[i])}" for i in short.tolist()]
    return _turn_problems(corners, edges)


def convex_polygon(points: Sequence[Point]) -> Polygon:
    """Return the polygon with these corners, in order and of either winding; collinear corners are dropped.

    Raises
    ------
    InvalidValueError
        With every fault of `polygon_problems`.
    """
    faults = polygon_problems(points)
    if faults:
        raise InvalidValueError("; ".join(faults))
    corners = np.asarray(points, dtype=float)
    turns = _turns(np.roll(corners, -1, axis=0) - corners)
    kept = corners[np.abs(turns) > TOLERANCE]
    return Polygon(kept if turns.sum() > 0 else kept[::-1])


def intersection(first: Polygon, second: Polygon) -> Polygon | None:
    """Return what two polygons have in common, or None if that has no area (Sutherland and Hodgman, 1974)."""
    corners: list[Point] = [(x, y) for x, y in first.vertices_studs.tolist()]
    edges = zip(second.normals.tolist(), second.offsets_studs.tolist(), strict=True)
    for (nx, ny), offset in edges:
        beyond = [nx * x + ny * y - offset for x, y in corners]
        corners = _clipped(corners, beyond)
    common = Polygon(np.array(corners)) if len(corners) > 2 else None
    return common if common and common.area_studs2 > 0 else None


def _clipped(corners: list[Point], beyond: list[float]) -> list[Point]:
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


def _turns(edges: Array) -> Array:
    """Return, for each corner, how far it is off the line through its neighbours; positive for a left turn."""
    before = np.roll(edges, 1, axis=0)
    off: Array = _cross(before, edges) / np.maximum(np.hypot(*(before + edges).T), TOLERANCE)
    return off


def _turn_problems(corners: Array, edges: Array) -> list[str]:
    turns = _turns(edges)
    if np.all(np.abs(turns) <= TOLERANCE):
        return ["all corners lie on one line"]
    winding = np.sign(turns.sum())
    dents = np.flatnonzero(turns * winding < -TOLERANCE)
    if len(dents):
        return [f"not convex at corner {i}, {_text(corners[i])}" for i in dents.tolist()]
    before = np.roll(edges, 1, axis=0)
    angles = np.arctan2(_cross(before, edges), np.einsum("ij,ij->i", before, edges))
    if round(abs(angles.sum()) / (2 * np.pi)) != 1:
        return ["its edges cross each other"]
    return []


def _text(corner: Array) -> str:
    return f"({corner[0]:g}, {corner[1]:g})"
