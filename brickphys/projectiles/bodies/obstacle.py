"""Obstacle: a box that stands fast on the table, such as a brick of a wall, a wagon or a catapult."""

from functools import lru_cache
from math import inf

from brickphys.arrays import Triple
from brickphys.projectiles.bodies.target import Target, TargetPart


@lru_cache
def obstacle(name: str, size_mm: Triple, low_mm: float = 0.0) -> Target:
    """Return a box that stops what hits it, and is never knocked over; it needs no impact law.

    Parameters
    ----------
    name
        Such as ``brick``.
    size_mm
        Edges along x, y and z.
    low_mm
        Height of its underside: a brick of the third course lies on two others.

    Raises
    ------
    InvalidValueError
        If an edge is not above 0, or the underside below the ground.
    """
    middle = (0.0, 0.0, low_mm + size_mm[2] / 2)
    box = TargetPart("box", name, middle, size_mm, inf)
    return Target(name, f"{name}, which stands fast", "Its size is given.", (box,))
