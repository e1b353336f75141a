"""Walls: finds pieces of wall that overlap or reach over the edge of the table at the start."""

from collections.abc import Collection, Iterator

import numpy as np

from brickphys.geometry.polygon import Polygon, intersection
from brickphys.minifig.field.ground import SLACK_IN
from brickphys.minifig.state.wall import WallSpec

_TOLERANCE_IN = 2 * SLACK_IN


def wall_faults(
    place: str, wall: WallSpec, others: Collection[WallSpec], table_in: tuple[float, float]
) -> Iterator[str]:
    """Yield that a piece of wall reaches over the edge of a table, and every other piece that it stands on."""
    footprint = _footprint(wall)
    inside = (footprint.vertices_studs >= -_TOLERANCE_IN) & (
        footprint.vertices_studs <= np.array(table_in) + _TOLERANCE_IN
    )
    if not inside.all():
        yield f"{place}: {wall.name} goes beyond the edge of the table"
    for other in others:
        common = intersection(footprint, _footprint(other))
        if common is not None and common.area_studs2 > _TOLERANCE_IN:
            yield f"{place}: {wall.name} overlaps {other.name}"


def _footprint(wall: WallSpec) -> Polygon:
    return Polygon(np.array(wall.corners_in(0, wall.length_studs)))
