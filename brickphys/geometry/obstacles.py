"""Obstacles: many prisms, prepared once for many sweeps and swings among them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.geometry.prism import Prism


@dataclass(frozen=True, eq=False)
class Obstacles:
    """Many prisms, prepared for sweeps among them; answers count them in this order.

    Attributes
    ----------
    prisms
        The m obstacles.
    heads, edges : ndarray, shape (m, 6) and (m, k, 5)
        The prisms as `brickphys.geometry.sweep_kernel` reads them; k is the largest number of edges.
    by_x : ndarray of int, shape (m,)
        Obstacles in the order of the x of their centres.
    sorted_x_studs : ndarray, shape (m,)
        Those x.
    largest_studs
        The largest of their radii.
    """

    prisms: tuple[Prism, ...]
    heads: Array
    edges: Array
    by_x: Indices
    sorted_x_studs: Array
    largest_studs: float

    @staticmethod
    def of(prisms: Sequence[Prism]) -> "Obstacles":
        """Prepare obstacles."""
        polygons = [prism.footprint.edges for prism in prisms]
        heads = [
            (*prism.circle_studs, prism.bottom_plates, prism.top_plates, len(polygon))
            for prism, polygon in zip(prisms, polygons, strict=True)
        ]
        edges = np.zeros((len(prisms), max(map(len, polygons), default=0), 5))
        for row, polygon in zip(edges, polygons, strict=True):
            row[: len(polygon)] = polygon
        return _indexed(tuple(prisms), np.array(heads).reshape(-1, 6), edges)

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
        count = max(self.edges.shape[1], more.edges.shape[1])
        edges = np.zeros((len(kept) + len(add), count, 5))
        edges[: len(kept), : self.edges.shape[1]] = self.edges[kept]
        edges[len(kept) :, : more.edges.shape[1]] = more.edges
        prisms = (*(self.prisms[index] for index in kept), *add)
        return _indexed(prisms, np.concatenate([self.heads[kept], more.heads]), edges)

    def between(self, low_studs: float, high_studs: float) -> Indices:
        """Return the obstacles that may have a point with such an x: large fields stay cheap."""
        first = self.sorted_x_studs.searchsorted(low_studs - self.largest_studs, side="left")
        last = self.sorted_x_studs.searchsorted(high_studs + self.largest_studs, side="right")
        return self.by_x[first:last]


def _indexed(prisms: tuple[Prism, ...], heads: Array, edges: Array) -> Obstacles:
    by_x = np.argsort(heads[:, 0], kind="stable")
    return Obstacles(prisms, heads, edges, by_x, heads[by_x, 0], float(heads[:, 2].max(initial=0)))
