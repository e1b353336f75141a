"""The loop along straight lines past prisms, compiled: the edges of each prism clip a line (Cyrus and Beck, 1978)."""

import numpy as np

from brickphys.arrays import Array, Indices, Mask
from brickphys.jit import entry, kernel


@kernel
def _is_clear(line: Array, head: Array, edges: Array, tolerance: float) -> bool:
    x, y, height = line[0], line[1], line[2]
    dx, dy, rise = line[3] - x, line[4] - y, line[5] - height
    enters, leaves = 0.0, 1.0
    first = int(head[6])
    for edge in range(first, first + int(head[5])):
        nx, ny = edges[edge, 2], edges[edge, 3]
        room = edges[edge, 4] - tolerance - nx * x - ny * y
        speed = nx * dx + ny * dy
        if speed < 0.0:
            enters = max(enters, room / speed)
        elif speed > 0.0:
            leaves = min(leaves, room / speed)
        elif room <= 0.0:
            return True
        if enters >= leaves:
            return True
    at_start, at_end = height + rise * enters, height + rise * leaves
    low, high = min(at_start, at_end), max(at_start, at_end)
    passes: bool = low >= head[4] - tolerance or high <= head[3] + tolerance
    return passes


@entry
def clear_lines(lines: Array, heads: Array, edges: Array, among: Indices, tolerance: float) -> Mask:
    """Tell which of several straight lines are clear of prisms.

    Parameters
    ----------
    lines : ndarray, shape (n, 6)
        x, y and height of the beginning and of the end of each.
    heads, edges : ndarray, shape (m, 7) and (k, 5)
        Prisms, see `brickphys.geometry.sweep_kernel`.
    among : ndarray of int
        Those prisms that count.
    tolerance
        To be inside by up to this is to be outside.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each is clear.
    """
    clear = np.ones(len(lines), np.bool_)
    for number in range(len(lines)):
        for index in among:
            if not _is_clear(lines[number], heads[index], edges, tolerance):
                clear[number] = False
                break
    return clear
