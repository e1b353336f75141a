"""Silhouette: what a shooter sees of a target: rectangles whose union is exact, since all parts stand upright.

A bearing is the direction from the target to the shooter, counter-clockwise from the target's own facing: 0 is in
front, 90 at its left, 180 behind. Across is measured to the left as the shooter sees it.
"""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import cos, radians, sin

import numpy as np

from brickphys.arrays import Array
from brickphys.projectiles.bodies.target import Part, Target


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
    """Rectangles of an outline, one for each part that can be seen; they may overlap.

    Attributes
    ----------
    across_mm : ndarray, shape (n, 2)
        Least and greatest coordinate across the line of flight; 0 is the target's origin.
    height_mm : ndarray, shape (n, 2)
        Least and greatest height above the ground.
    """

    across_mm: Array
    height_mm: Array


@lru_cache(maxsize=1024)
def silhouette(target: Target, bearing_deg: float) -> Silhouette:
    """Return the outline of a target seen from a bearing, above the wall in front of it."""
    seen = [part for part in target.parts if part.high_mm > target.wall_mm]
    across = [_across(part, radians(bearing_deg)) for part in seen]
    height = [(max(part.low_mm, target.wall_mm), part.high_mm) for part in seen]
    return Silhouette(np.array(across), np.array(height))


def _across(part: Part, bearing: float) -> tuple[float, float]:
    left = (sin(bearing), -cos(bearing))
    middle = part.centre_mm[0] * left[0] + part.centre_mm[1] * left[1]
    length, width, _ = part.size_mm
    half = length / 2
    if part.kind == "box":
        half = (length * abs(left[0]) + width * abs(left[1])) / 2
    return middle - half, middle + half
