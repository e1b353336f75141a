"""Approach: the sectors of a vehicle that is hit from every side, by each scheme."""

from collections.abc import Sequence
from math import hypot

from brickphys.geometry.motion import Translation
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import rectangle, unit_vector
from brickphys.geometry.prism import Prism
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, sector


def sectors_around(
    hit: Vehicle, length_studs: float, width_studs: float, bearings_deg: Sequence[float]
) -> dict[Scheme, list[Sector]]:
    """Return from which side a vehicle is hit by another that comes from each bearing, straight at its centre.

    Parameters
    ----------
    hit
        The vehicle that is hit.
    length_studs, width_studs
        Of the vehicle that comes.
    bearings_deg
        Where it comes from, off the heading of the vehicle that is hit.
    """
    size = (hit.length_studs, hit.width_studs)
    far = (hypot(*size) + hypot(length_studs, width_studs)) / 2
    obstacles = Obstacles.of([hit.prism])
    found: dict[Scheme, list[Sector]] = {scheme: [] for scheme in Scheme}
    for bearing in bearings_deg:
        outward = unit_vector(hit.heading_deg + bearing)
        start = (hit.x_studs + far * outward[0], hit.y_studs + far * outward[1])
        heading_deg = hit.heading_deg + bearing + 180.0
        shape = rectangle(*start, heading_deg, length_studs, width_studs)
        mover = (Prism(shape, hit.bottom_plates, hit.top_plates),)
        ahead = Translation(far, unit_vector(heading_deg))
        (touch,) = ahead.touches(mover, obstacles)
        edge = ahead.contact(mover, touch, obstacles).edge
        for scheme in Scheme:
            found[scheme].append(sector(scheme, bearing, *size, edge))
    return found
