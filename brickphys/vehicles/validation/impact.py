"""Impact: angles of impact from the edges of both footprints, independent of the code under test."""

from collections.abc import Iterator

import numpy as np

from brickphys.vehicles.course import Hit
from brickphys.vehicles.validation.bisection import corners_of
from brickphys.vehicles.validation.leg import Corners, Leg

_ON_STUDS, _END_STUDS = 1e-7, 1e-6
"""A point so near to an edge is on it; one so near to its end may be in a corner."""


def impact_angles_deg(leg: Leg, hit: Hit) -> list[float | None]:
    """Return the angles between the way of the touching point and the edges that it may be on.

    None stands for corners that meet, and for a point that does not move.
    """
    point = complex(*hit.contact.point_studs)
    way = leg.way(point)
    there = [leg.moved(corner, hit.at / leg.extent) for corner in list(leg.parts(0.0))[hit.part]]
    within: list[float | None] = []
    at_ends: list[float | None] = [None]
    for corners in (np.array(there), corners_of(hit.thing)):
        for start, end in _edges_at(corners, point):
            if not way:
                return [None]
            along = (end - start) / abs(end - start)
            across = abs((way / abs(way) * np.conj(along)).imag)
            is_end = min(abs(point - start), abs(point - end)) < _END_STUDS
            (at_ends if is_end else within).append(float(np.degrees(np.arcsin(min(across, 1.0)))))
    return within or at_ends


def _edges_at(corners: Corners, point: complex) -> Iterator[tuple[complex, complex]]:
    """Yield the edges of a polygon on which a point is."""
    for start, end in zip(corners.tolist(), np.roll(corners, -1).tolist(), strict=True):
        share = ((point - start) / (end - start)).real
        foot = start + min(max(share, 0.0), 1.0) * (end - start)
        if abs(point - foot) < _ON_STUDS:
            yield start, end
