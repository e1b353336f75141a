"""Sectors: from which side a vehicle is hit (BOW 3.6.3).

The book's figure of the three sectors is lost; three schemes stand for what it may have shown.
"""

from enum import Enum
from math import atan2, degrees

from brickphys.errors import unknown
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import turn_deg


class Sector(Enum):
    """A side of a vehicle, left and right as its driver sees them."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    REAR = "rear"


class Scheme(Enum):
    """Where the sectors end.

    Boundaries belong to front and rear.
    """

    QUADRANT = "quadrant"
    """45 and 135 degrees off the heading, seen from the centre of the vehicle that is hit to that of the mover."""
    CORNER = "corner"
    """Likewise, but the rays run through the corners of the footprint."""
    CONTACT = "contact"
    """The face that is touched; at a corner, and for an overlap at the start, as QUADRANT."""


def scheme_named(name: str) -> Scheme:
    """Return the scheme of that name, else raise InvalidValueError with the nearest name."""
    schemes = {scheme.value: scheme for scheme in Scheme}
    if name not in schemes:
        raise unknown("scheme of sectors", name, schemes)
    return schemes[name]


EDGES = (Sector.RIGHT, Sector.FRONT, Sector.LEFT, Sector.REAR)
"""Sectors of a vehicle's edges, in the order of `brickphys.geometry.polygon.rectangle`."""


def facing_edge(normal: Point, heading_deg: float) -> int:
    """Return which edge of a rectangle with that heading faces most in a direction, as a face of any outline does."""
    bearing = turn_deg(heading_deg, degrees(atan2(normal[1], normal[0])))
    return EDGES.index(sector(Scheme.QUADRANT, bearing, 1.0, 1.0))


def sector(
    scheme: Scheme,
    bearing_deg: float,
    length_studs: float,
    width_studs: float,
    edge: int | None = None,
) -> Sector:
    """Return the sector of the hit vehicle from which the mover comes.

    Parameters
    ----------
    bearing_deg
        Of the mover's centre at the time of impact, off the heading of the hit vehicle (see `geometry.pose`).
    edge
        Which of its edges is touched, None for a corner.
    """
    if scheme is Scheme.CONTACT and edge is not None:
        return EDGES[edge]
    end_deg = 45.0 if scheme is not Scheme.CORNER else degrees(atan2(width_studs, length_studs))
    off = abs(bearing_deg)
    if off <= end_deg + TOLERANCE:
        return Sector.FRONT
    if off >= 180.0 - end_deg - TOLERANCE:
        return Sector.REAR
    return Sector.LEFT if bearing_deg > 0 else Sector.RIGHT
