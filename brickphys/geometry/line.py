"""Line: straight lines in space, and whether prisms block them."""

from brickphys.arrays import Array, Indices, Mask
from brickphys.geometry import line_kernel
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE

Line = tuple[float, float, float, float, float, float]
"""From (x, y, height) to (x, y, height), in studs and plates."""


def clear_lines(lines: Array, obstacles: Obstacles, among: Indices) -> Mask:
    """Tell which of several lines are clear of obstacles.

    A line is clear of a prism if no part of it is inside by more than the tolerance; it may graze a face. A line of no
    length is a point.

    Parameters
    ----------
    lines : ndarray, shape (n, 6)
        Each a `Line`.
    obstacles
        What may be in the way.
    among : ndarray of int
        Those obstacles that count.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each is clear.
    """
    return line_kernel.clear_lines(lines, obstacles.heads, obstacles.edges, among, TOLERANCE)
