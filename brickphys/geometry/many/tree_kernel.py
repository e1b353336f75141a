"""The search in a tree of boxes, compiled.

A query is an array of shape (12,): a box (lowest x and y, highest x and y); a unit vector and from where to where along
it the strip lies; and a ring: x and y of its centre, its inner and its outer radius, which is infinite if there is no
ring. What is outside one of the three is not met.
"""

from math import hypot, inf

from brickphys.jit import kernel
from brickphys.units import Array, Indices

BRANCHES = 8
"""Boxes in one of the next level."""


@kernel
def may_meet(query: Array, box: Array) -> bool:
    """Tell whether a box reaches into the box, the strip and the ring of a query."""
    if box[0] > query[2] or box[2] < query[0] or box[1] > query[3] or box[3] < query[1]:
        return False
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    wide, high = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    at = query[4] * x + query[5] * y
    reach = abs(query[4]) * wide + abs(query[5]) * high
    if at - reach > query[7] or at + reach < query[6]:
        return False
    if query[11] == inf:
        return True
    dx, dy = abs(x - query[8]), abs(y - query[9])
    nearest = hypot(max(dx - wide, 0.0), max(dy - high, 0.0))
    inside: bool = nearest <= query[11] and hypot(dx + wide, dy + high) >= query[10]
    return inside


@kernel
def search(
    query: Array, boxes: Array, levels: Indices, order: Indices, stack: Indices, found: Indices
) -> int:
    """Write the numbers of the items that a query may meet, and return how many they are.

    Parameters
    ----------
    boxes : ndarray, shape (k, 4)
        Those of the items in the order of the tree, then of each level above.
    levels : ndarray of int
        Where each level begins, and the end of the last one.
    order : ndarray of int
        The numbers of the items, in the order of the tree.
    stack, found : ndarray of int
        Room to work, and for the answer.
    """
    count, waiting = 0, 0
    top = len(levels) - 2
    if top < 0:
        return 0
    for node in range(levels[top], levels[top + 1]):
        if may_meet(query, boxes[node]):
            stack[waiting] = node
            waiting += 1
    while waiting:
        waiting -= 1
        node = stack[waiting]
        if node < levels[1]:
            found[count] = order[node]
            count += 1
            continue
        level = 1
        while node >= levels[level + 1]:
            level += 1
        first = levels[level - 1] + (node - levels[level]) * BRANCHES
        for child in range(first, min(first + BRANCHES, levels[level])):
            if may_meet(query, boxes[child]):
                stack[waiting] = child
                waiting += 1
    return count
