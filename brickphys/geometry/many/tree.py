"""Tree: a tree of boxes, packed once (sort-tile-recursive; Leutenegger, Lopez and Edgington, 1997)."""

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from brickphys.geometry.many.tree_kernel import BRANCHES
from brickphys.units import Array, Indices


class Tree(NamedTuple):
    """Boxes of items and of groups of them, as `brickphys.geometry.many.tree_kernel.search` takes them."""

    boxes: Array
    levels: Indices
    order: Indices

    @staticmethod
    def of(boxes: Array) -> "Tree":
        """Return the tree of items, given their boxes, shape (n, 4)."""
        count = len(boxes)
        order = _tiled((boxes[:, :2] + boxes[:, 2:]) / 2)
        levels = [boxes[order]] if count else []
        while levels and len(levels[-1]) > BRANCHES:
            firsts = np.arange(0, len(levels[-1]), BRANCHES)
            low = np.minimum.reduceat(levels[-1][:, :2], firsts)
            high = np.maximum.reduceat(levels[-1][:, 2:], firsts)
            levels.append(np.hstack([low, high]))
        ends = np.cumsum([0, *map(len, levels)])
        return Tree(np.concatenate([np.empty((0, 4)), *levels]), ends.astype(np.intp), order)


def _tiled(centres: Array) -> Indices:
    """Return the order of points by columns, and in each by y."""
    count = len(centres)
    columns = max(ceil(sqrt(count / BRANCHES)), 1)
    by_x = np.argsort(centres[:, 0], kind="stable")
    column = np.arange(count) // max(ceil(count / columns / BRANCHES) * BRANCHES, 1)
    order: Indices = by_x[np.lexsort((centres[by_x, 1], column))]
    return order
