"""The search in a tree of boxes for what a body may meet, compiled.

A query is an array of shape (12,): a box (lowest x and y, highest x and y); a unit vector and from where to where along
it the strip lies; and a ring: x and y of its centre, its inner and its outer radius, which is infinite if there is no
ring. What is outside one of the three is not met.
"""

from math import atan2, cos, hypot, inf, pi, sin

from brickphys.geometry.sweep_kernel import circle
from brickphys.jit import kernel
from brickphys.units import Array, Indices

BRANCHES = 8
"""Boxes in one of the next level."""
_CIRCLE = 2 * pi


@kernel
def may_meet(query: Array, box: Array) -> bool:
    """Tell whether a box reaches into the box, the strip and the ring of a query.

    The processor cannot guess which boxes are met, so all conditions are computed, without branches.
    """
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    wide, high = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    at = query[4] * x + query[5] * y
    reach = abs(query[4]) * wide + abs(query[5]) * high
    meets: bool = (
        (box[0] <= query[2]) & (box[2] >= query[0]) & (box[1] <= query[3]) & (box[3] >= query[1])
        & (at - reach <= query[7]) & (at + reach >= query[6])
    )  # fmt: skip
    if query[11] == inf:
        return meets
    dx, dy = abs(x - query[8]), abs(y - query[9])
    nearest = hypot(max(dx - wide, 0.0), max(dy - high, 0.0))
    return meets and nearest <= query[11] and hypot(dx + wide, dy + high) >= query[10]


@kernel
def search(query: Array, boxes: Array, levels: Indices, order: Indices, found: Indices) -> int:
    """Write the numbers of the items that a query may meet, and return how many they are.

    Parameters
    ----------
    boxes : ndarray, shape (k, 4)
        Those of the items in the order of the tree, then of each level above.
    levels : ndarray of int
        Where each level begins, and the end of the last one.
    order : ndarray of int
        The numbers of the items, in the order of the tree.
    found : ndarray of int, shape (k + 1,)
        The answer, and room for what is met on the way: level after level, downwards.
    """
    first, end = 0, 0
    top = len(levels) - 2
    if top < 0:
        return 0
    for node in range(levels[top], levels[top + 1]):
        found[end] = node
        end += may_meet(query, boxes[node])
    for level in range(top, 0, -1):
        above = first, end
        for index in range(above[0], above[1]):
            child = levels[level - 1] + (found[index] - levels[level]) * BRANCHES
            for node in range(child, min(child + BRANCHES, levels[level])):
                found[end] = node
                end += may_meet(query, boxes[node])
        first = above[1]
    for index in range(first, end):
        found[index - first] = order[found[index]]
    return end - first


@kernel
def straight_query(body: Array, way: tuple[float, float, float], more: float, query: Array) -> None:
    """Write the box and the strip that a body sweeps straight ahead, wider by more."""
    wx, wy, length = way
    query[0] = query[1] = query[6] = inf
    query[2] = query[3] = query[7] = -inf
    query[4], query[5] = -wy, wx
    for corner in range(len(body)):
        x, y = body[corner, 0], body[corner, 1]
        aside = wx * y - wy * x
        query[0], query[1] = min(query[0], x), min(query[1], y)
        query[2], query[3] = max(query[2], x), max(query[3], y)
        query[6], query[7] = min(query[6], aside), max(query[7], aside)
    query[0] += min(wx * length, 0.0) - more
    query[1] += min(wy * length, 0.0) - more
    query[2] += max(wx * length, 0.0) + more
    query[3] += max(wy * length, 0.0) + more
    query[6] -= more
    query[7] += more
    query[8], query[9], query[10], query[11] = 0.0, 0.0, 0.0, inf


@kernel
def turn_query(
    body: Array, motion: tuple[float, float, float, float], more: float, query: Array
) -> None:
    """Write the box of the arc on which a circle around a body turns, and the ring that the body sweeps."""
    pivot_x, pivot_y, turn, sense = motion
    middle_x, middle_y, radius = circle(body)
    far = hypot(middle_x - pivot_x, middle_y - pivot_y)
    bearing = atan2(middle_y - pivot_y, middle_x - pivot_x)
    query[0] = query[1] = inf
    query[2] = query[3] = -inf
    for case in range(6):
        ahead = turn if case == 5 else 0.0
        if case < 4:
            ahead = sense * (case * pi / 2 - bearing) % _CIRCLE
        if ahead <= turn:
            x = pivot_x + far * cos(bearing + sense * ahead)
            y = pivot_y + far * sin(bearing + sense * ahead)
            query[0], query[1] = min(query[0], x), min(query[1], y)
            query[2], query[3] = max(query[2], x), max(query[3], y)
    room = radius + more
    query[0] -= room
    query[1] -= room
    query[2] += room
    query[3] += room
    query[4], query[5], query[6], query[7] = 0.0, 0.0, -inf, inf
    query[8], query[9] = pivot_x, pivot_y
    query[10], query[11] = far - room, far + room
