"""Tree: a tree over an outline: a trunk, and rings of branches that get smaller upwards."""

from collections.abc import Iterator

import numpy as np

from brickphys.arrays import Array
from brickphys.shapes.brick import regular_polygon
from brickphys.units import STUD_MM
from brickphys.view.recording import Surface
from brickphys.view.shapes.solids import prism

_LEAVES = ((0.3, 1.15), (0.5, 0.95), (0.68, 0.7), (0.84, 0.45))
"""Rings of branches: where each begins, over the height of the tree, and its size over that of the outline."""


def tree(outline_mm: Array, low_mm: float, high_mm: float) -> Iterator[Surface]:
    """Yield a tree that fills an outline, shape (n, 2), from one height to another."""
    middle, height = outline_mm.mean(axis=0), high_mm - low_mm
    half = max(float(np.ptp(outline_mm, axis=0).mean()) / 2, 0.6 * STUD_MM)
    yield prism(middle + 0.45 * (outline_mm - middle), low_mm, low_mm + 0.45 * height, "brown")
    ends = [*(share for share, _ in _LEAVES[1:]), 1.0]
    for (share, size), end in zip(_LEAVES, ends, strict=True):
        ring = middle + size * half * regular_polygon(1.0, 12)
        yield prism(ring, low_mm + share * height, low_mm + end * height, "green", 0.72)
