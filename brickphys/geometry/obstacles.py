"""Obstacles: prisms, bodies of prisms that move as one, and many prisms prepared once.

A prism is a convex footprint between two heights. A body has several prisms where things move together, such as two
hulls lashed side by side. Obstacles are prepared once for many sweeps and swings among them.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import tau

import numpy as np

from brickphys.geometry.polygon import TOLERANCE, Polygon, convex_hull
from brickphys.units import Array, Indices

_ARC = 64


@dataclass(frozen=True, eq=False)
class Prism:
    """A footprint between two heights."""

    footprint: Polygon
    bottom_plates: float
    top_plates: float
    """The open interval of heights that it fills."""
    radius_studs: float = 0.0
    """It also fills everything so near to its footprint: that of a disc is a point, of a capsule a line."""

    def on(self, footprint: Polygon) -> "Prism":
        """Return a prism of the same heights and rounding over another footprint."""
        return Prism(footprint, self.bottom_plates, self.top_plates, self.radius_studs)

    @cached_property
    def circle_studs(self) -> tuple[float, float, float]:
        """Centre (x, y) and radius of a circle around it."""
        from brickphys.geometry.sweep_kernel import circle_around

        x, y, radius = circle_around(self.footprint.vertices_studs)
        return x, y, radius + self.radius_studs

    @cached_property
    def ring_studs(self) -> Array:
        """Corners of its outline, counter-clockwise, shape (n, 2); arcs have 64 corners a circle."""
        corners = self.footprint.vertices_studs
        if not self.radius_studs:
            return corners
        angles = tau * np.arange(_ARC) / _ARC
        around = self.radius_studs * np.column_stack([np.cos(angles), np.sin(angles)])
        points = (corners[:, None] + around).reshape(-1, 2).tolist()
        return convex_hull([(x, y) for x, y in points]).vertices_studs


Body = tuple[Prism, ...]
"""The parts of a body on the field."""


def loose_parts(body: Body) -> list[int]:
    """Return the numbers of the parts of a body that do not hang together with the first one."""
    linked = {0}
    pairs = [pair for pair in combinations(range(len(body)), 2) if _touch(*(body[i] for i in pair))]
    for _ in body:
        linked |= {number for pair in pairs if not linked.isdisjoint(pair) for number in pair}
    return [number for number in range(len(body)) if number not in linked]


def _touch(one: Prism, other: Prism) -> bool:
    """Tell whether two prisms overlap or touch, up to the tolerance."""
    between = max(one.bottom_plates, other.bottom_plates) - min(one.top_plates, other.top_plates)
    gap = max(_beyond(one.footprint, other.footprint), _beyond(other.footprint, one.footprint))
    return max(between, gap - one.radius_studs - other.radius_studs) <= TOLERANCE


def _beyond(one: Polygon, other: Polygon) -> float:
    """Return how far a polygon lies beyond the edge of another, the edge beyond which it lies farthest."""
    reach = one.normals @ other.vertices_studs.T
    return float((reach.min(axis=1) - one.offsets_studs).max())


_SPARE_ROWS = 64


class _Rows:
    """Edges of polygons, to which more are only added, so that several `Obstacles` may share them."""

    def __init__(self, polygons: Sequence[Array]) -> None:
        count = sum(map(len, polygons))
        self.rows = np.zeros((2 * count + _SPARE_ROWS, 5))
        self.used = count
        if polygons:
            np.concatenate(polygons, out=self.rows[:count])

    def added(self, polygon: Array) -> int | None:
        """Add a polygon and return its first row; None if there is no room left."""
        first, end = self.used, self.used + len(polygon)
        if end > len(self.rows):
            return None
        self.rows[first:end] = polygon
        self.used = end
        return first


@dataclass(frozen=True, eq=False)
class Obstacles:
    """Many prisms, prepared for sweeps among them; answers count them in this order."""

    prisms: tuple[Prism, ...]
    heads: Array
    """The prisms as `brickphys.geometry.sweep_kernel` reads them, shape (m, 8)."""
    by_x: Indices
    """Obstacles in the order of the x of their centres, shape (m,)."""
    sorted_x_studs: Array
    """Those x, shape (m,)."""
    largest_studs: float
    """No radius of theirs is larger."""
    _rows: _Rows

    @staticmethod
    def of(prisms: Sequence[Prism]) -> "Obstacles":
        """Prepare obstacles."""
        polygons = [prism.footprint.edges for prism in prisms]
        firsts = np.cumsum([0, *map(len, polygons)]).tolist()
        heads = np.array([_head(*each) for each in zip(prisms, firsts, strict=False)])
        return _indexed(tuple(prisms), heads.reshape(-1, 8), _Rows(polygons))

    @property
    def edges(self) -> Array:
        """The edges of all polygons, shape (n, 5), and rows that no polygon has."""
        return self._rows.rows

    def updated(self, remove: Collection[int] = (), add: Sequence[Prism] = ()) -> "Obstacles":
        """Return the obstacles without some of them and with others after the rest; the rest is not prepared anew."""
        gone = set(remove)
        kept = [index for index in range(len(self.prisms)) if index not in gone]
        more = Obstacles.of(add)
        rows = _Rows([self.edges[: self._rows.used], *(prism.footprint.edges for prism in add)])
        more.heads[:, 6] += self._rows.used
        prisms = (*(self.prisms[index] for index in kept), *add)
        return _indexed(prisms, np.concatenate([self.heads[kept], more.heads]), rows)

    def replaced(self, index: int, prism: Prism) -> "Obstacles":
        """Return the obstacles with another prism in place of one of them; the rest is neither prepared nor sorted."""
        prisms = (*self.prisms[:index], prism, *self.prisms[index + 1 :])
        first = self._rows.added(prism.footprint.edges)
        if first is None:
            return Obstacles.of(prisms)
        heads = self.heads.copy()
        heads[index] = _head(prism, first)
        (place,) = np.flatnonzero(self.by_x == index)
        by_x, sorted_x = np.delete(self.by_x, place), np.delete(self.sorted_x_studs, place)
        x, _, radius = prism.circle_studs
        place = sorted_x.searchsorted(x)
        return Obstacles(
            prisms,
            heads,
            np.insert(by_x, place, index),
            np.insert(sorted_x, place, x),
            max(self.largest_studs, radius),
            self._rows,
        )

    def between(self, low_studs: float, high_studs: float) -> Indices:
        """Return the obstacles that may have a point with such an x: large fields stay cheap."""
        first = self.sorted_x_studs.searchsorted(low_studs - self.largest_studs, side="left")
        last = self.sorted_x_studs.searchsorted(high_studs + self.largest_studs, side="right")
        return self.by_x[first:last]


def _head(prism: Prism, first: int) -> tuple[float, ...]:
    count = len(prism.footprint.edges)
    heights = prism.bottom_plates, prism.top_plates
    return (*prism.circle_studs, *heights, count, first, prism.radius_studs)


def _indexed(prisms: tuple[Prism, ...], heads: Array, rows: _Rows) -> Obstacles:
    by_x = np.argsort(heads[:, 0], kind="stable")
    largest = float(heads[:, 2].max(initial=0))
    return Obstacles(prisms, heads, by_x, heads[by_x, 0], largest, rows)
