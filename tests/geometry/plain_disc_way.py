"""Bounds of a disc's shortest way: visibility graphs among obstacles grown to many-sided shapes, with shapely."""

from math import cos, pi

import numpy as np
import shapely
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

QUARTER = 6
"""Corners of a quarter of a circle."""


def bounds(radius, low, high, discs, polygons, start, goal):
    """Return two lengths between which the shortest way is: grown shapes inside the true ones, and around them."""
    box = shapely.box(low[0] + radius, low[1] + radius, high[0] - radius, high[1] - radius)

    def length(growth):
        shapes = [shapely.Point(x, y).buffer(growth * (r + radius), QUARTER) for x, y, r in discs]
        shapes += [
            shapely.Polygon(polygon.vertices_studs).buffer(growth * radius, QUARTER)
            for polygon in polygons
        ]
        return _visible_way(shapely.union_all(shapes), box, start, goal)

    return length(1.0), length(1.0 / cos(pi / (4 * QUARTER)))


def _visible_way(solid, box, start, goal):
    corners = shapely.get_coordinates(solid)
    inside = shapely.covers(box.buffer(1e-9), shapely.points(corners))
    nodes = np.concatenate([[start, goal], np.unique(corners[inside], axis=0)])
    one, other = np.triu_indices(len(nodes), 1)
    lines = shapely.linestrings(np.stack([nodes[one], nodes[other]], axis=1))
    core = solid.buffer(-1e-9, join_style="mitre")
    shapely.prepare(core)
    seen = ~shapely.intersects(core, lines)
    graph = csr_array(
        (shapely.length(lines)[seen], (one[seen], other[seen])), shape=(len(nodes),) * 2
    )
    return dijkstra(graph, directed=False, indices=0)[1]
