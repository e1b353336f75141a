"""Trees: where they stand in the woods of a Minifig table, in all its pictures. No matplotlib: views use it, too."""

import numpy as np

from brickphys.geometry.polygon import Polygon
from brickphys.units import Array

TREE_IN = 0.42
"""Radius of a crown."""
_APART_IN = 1.25


def tree_places(corners: Array) -> Array:
    """Return places of trees in a zone, shape (n, 2): a lattice, every second row shifted by half."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    rows = (
        np.linspace(a + TREE_IN, b - TREE_IN, max(1, round((b - a) / _APART_IN)))
        for a, b in zip(low.tolist(), high.tolist(), strict=True)
    )
    x, y = np.meshgrid(*rows)
    x += (np.arange(len(x)) % 2 * _APART_IN / 2)[:, None]
    found = np.stack([x.ravel(), y.ravel()], axis=1)
    outline = Polygon(corners)
    inside = found @ outline.normals.T <= outline.offsets_studs - 0.99 * TREE_IN
    return found[inside.all(axis=1)]
