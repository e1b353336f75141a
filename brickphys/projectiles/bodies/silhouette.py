"""Silhouette: what a shooter sees of a target: rectangles whose union is exact, since all parts stand upright.

A bearing is the direction from the target to the shooter, counter-clockwise from the target's own facing: 0 is in
front, 90 at its left, 180 behind. Across is measured to the left as the shooter sees it.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from brickphys.arrays import Array


class Side(Enum):
    """The side of a target that faces the shooter, in quarters about its facing."""

    FRONT = "front"
    SIDE = "side"
    REAR = "rear"

    @staticmethod
    def at(bearing_deg: float) -> "Side":
        """Return the side at a bearing; exactly 45 and 135 degrees belong to front and rear."""
        off = abs((bearing_deg + 180.0) % 360.0 - 180.0)
        return Side.FRONT if off <= 45.0 else Side.REAR if off >= 135.0 else Side.SIDE


@dataclass(frozen=True, eq=False)
class Silhouette:
    """Rectangles of an outline, one for each part; they may overlap.

    Attributes
    ----------
    across_mm : ndarray, shape (n, 2)
        Least and greatest coordinate across the line of flight; 0 is the target's origin.
    height_mm : ndarray, shape (n, 2)
        Least and greatest height above the ground. Behind a wall what is hidden is cut off, and a part that is hidden
        whole has no height.
    depth_mm : ndarray, shape (n, 2)
        Where the part begins and ends along the line of flight, on average over its width; 0 is the target's origin.
    """

    across_mm: Array
    height_mm: Array
    depth_mm: Array


def silhouette(parts: Array, bearing_deg: Array | float) -> Silhouette:
    """Return the outlines of parts that are seen from bearings.

    Parameters
    ----------
    parts : ndarray, shape (n, 8)
        As `Target.table`, of one or several targets.
    bearing_deg
        A number, or one for each part.
    """
    bearing = np.radians(bearing_deg)
    c, s = np.cos(bearing), np.sin(bearing)
    x, y, length, width, low, high, wall, is_round = parts.T
    half = np.where(is_round, length, length * np.abs(s) + width * np.abs(c)) / 2
    chord = np.where(is_round, np.pi / 4 * length, length * width / (2 * half))
    middle, along = x * s - y * c, -x * c - y * s
    bottom = np.maximum(low, wall)
    return Silhouette(
        np.stack([middle - half, middle + half], axis=1),
        np.stack([bottom, np.maximum(high, bottom)], axis=1),
        np.stack([along - chord / 2, along + chord / 2], axis=1),
    )
