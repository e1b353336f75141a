"""Contact: where two footprints touch, along which normal, and on which edge."""

from typing import NamedTuple

import numpy as np

from brickphys.geometry.contact_kernel import contact
from brickphys.geometry.polygon import TOLERANCE, Point, Polygon, intersection

Transform = tuple[float, float, float, float]
"""Cosine and sine of a turn about the origin, and a shift after it in studs."""


class ContactPoint(NamedTuple):
    """Where a mover and an obstacle meet.

    Attributes
    ----------
    point_studs
        The middle of what they share on the obstacle; for an overlap at the start, the centre of the common area.
    normal
        Unit vector, outward from the obstacle; for an overlap at the start, where they are least deep in each other.
    edge
        Which edge of the obstacle is touched; None at a corner, and for an overlap at the start.
    on_face
        Whether a face of either is touched; else corners meet, which have no one normal, or they overlap at the start.
    """

    point_studs: Point
    normal: Point
    edge: int | None
    on_face: bool


def contact_point(
    mover: Polygon, transform: Transform, hit: Polygon, axis: int | None
) -> ContactPoint:
    """Return where a mover touches an obstacle.

    Parameters
    ----------
    mover
        Its footprint at the start of the motion.
    transform
        What the motion has done to it at the touch.
    hit
        The footprint of the obstacle.
    axis
        The edge whose line parts them, as `brickphys.geometry.sweep` tells it; None if it is not known.
    """
    x, y, nx, ny, edge, on_face = contact(
        hit.edges, mover.vertices_studs, transform, -1 if axis is None else axis, TOLERANCE
    )
    return ContactPoint((x, y), (nx, ny), edge if edge >= 0 else None, on_face)


def overlap_contact(mover: Polygon, hit: Polygon) -> ContactPoint:
    """Return the centre of what a mover has in common with an obstacle that it overlaps at the start."""
    met = contact_point(mover, (1.0, 0.0, 0.0, 0.0), hit, None)
    # far from the origin a sliver rounds away: it is cut out near one, and if it still vanishes, faces meet there
    origin = mover.vertices_studs[0]
    common = intersection(mover.moved(-origin), hit.moved(-origin))
    if common:
        x, y = np.add(common.centroid_studs, origin).tolist()
        return ContactPoint((x, y), met.normal, None, False)
    return ContactPoint(met.point_studs, met.normal, None, False)
