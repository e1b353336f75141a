"""Obstacles: many prisms, prepared once for many sweeps and swings among them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.geometry.prism import Prism

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
    """Many prisms, prepared for sweeps among them; answers count them in this order.

    Attributes
    ----------
    prisms
        The m obstacles.
    heads : ndarray, shape (m, 7)
        The prisms as `brickphys.geometry.sweep_kernel` reads them.
    by_x : ndarray of int, shape (m,)
        Obstacles in the order of the x of their centres.
    sorted_x_studs : ndarray, shape (m,)
        Those x.
    largest_studs
        No radius of theirs is larger.
    """

    prisms: tuple[Prism, ...]
    heads: Array
    by_x: Indices
    sorted_x_studs: Array
    largest_studs: float
    _rows: _Rows

    @staticmethod
    def of(prisms: Sequence[Prism]) -> "Obstacles":
        """Prepare obstacles."""
        polygons = [prism.footprint.edges for prism in prisms]
        firsts = np.cumsum([0, *map(len, polygons)]).tolist()
        heads = np.array([_head(*each) for each in zip(prisms, firsts, strict=False)])
        return _indexed(tuple(prisms), heads.reshape(-1, 7), _Rows(polygons))

    @property
    def edges(self) -> Array:
        """The edges of all polygons, shape (n, 5), and rows that no polygon has."""
        return self._rows.rows

    def updated(self, remove: Collection[int] = (), add: Sequence[Prism] = ()) -> "Obstacles":
        """Return the obstacles without some of them and with others after the rest; the rest is not prepared anew.

        Parameters
        ----------
        remove
            Numbers of obstacles.
        add
            More obstacles.
        """
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
    return (*prism.circle_studs, prism.bottom_plates, prism.top_plates, count, first)


def _indexed(prisms: tuple[Prism, ...], heads: Array, rows: _Rows) -> Obstacles:
    by_x = np.argsort(heads[:, 0], kind="stable")
    largest = float(heads[:, 2].max(initial=0))
    return Obstacles(prisms, heads, by_x, heads[by_x, 0], largest, rows)
