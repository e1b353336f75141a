"""Blocks: the things of a scene, and the exposed crew of models, as rigid bodies."""

from dataclasses import replace

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.blocks.block import Block, Pair
from brickphys.geometry.polygon import Point, Polygon, rectangle
from brickphys.shapes.assembly import BoxPart
from brickphys.shapes.assembly_file import assembly
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.physics.masses import mass_of
from brickphys.vehicles.scene import Thing, Unit, Vehicle

SPEED_SCALE_M_S = 0.1
"""Metres a second for one point of speed: five studs in 0.4 s, whatever the speed.

A hand pushes a toy car so. Speed 1 is about what it takes to knock a minifig over, and a vehicle at full speed, 12,
slides no farther with locked wheels than 23 studs, less than half of its move.
"""


def block(thing: Thing, scale_m_s: float = SPEED_SCALE_M_S) -> Block:
    """Return a thing as a body: the prism over its footprint, with the mass that `mass_of` gives it.

    Parameters
    ----------
    thing
        What stands on the field.
    scale_m_s
        Speed in m/s per point of speed.
    """
    heights = (thing.bottom_plates * PLATE_MM, thing.top_plates * PLATE_MM)
    centre, heading = _place(thing)
    corners = Polygon(thing.prism.footprint.vertices_studs - centre).turned((0.0, 0.0), -heading)
    speed = thing.speed if isinstance(thing, Vehicle) else 0
    return Block(
        corners.vertices_studs * STUD_MM,
        *heights,
        mass_of(thing),
        (centre[0] * STUD_MM, centre[1] * STUD_MM),
        heading,
        velocity_m_s(thing, scale_m_s) if isinstance(thing, Vehicle) else (0.0, 0.0),
        is_held=speed > 0 or thing.bottom_plates > 0,
    )


def riders(thing: Thing, scale_m_s: float = SPEED_SCALE_M_S) -> list[tuple[str, Block]]:
    """Return the models and the bodies of the exposed crew of a thing, on top of it and in its frame.

    Parameters
    ----------
    thing
        What stands on the field.
    scale_m_s
        Speed in m/s per point of speed.
    """
    if thing.model is None:
        return []
    built, below = assembly(thing.model), block(thing, scale_m_s)
    up = np.array([0.0, 0.0, (thing.top_plates - built.top_plates) * PLATE_MM])
    return [
        (
            member.name,
            replace(
                below,
                outline_mm=_outline_mm(member.prism),
                bottom_mm=member.prism.bottom_plates * PLATE_MM + float(up[2]),
                top_mm=member.prism.top_plates * PLATE_MM + float(up[2]),
                mass=replace(member.mass, centre_mm=member.mass.centre_mm + up),
            ),
        )
        for member in built.crew
    ]


def _outline_mm(part: BoxPart) -> Array:
    size = (part.length_studs, part.width_studs)
    return rectangle(part.x_studs, part.y_studs, 0.0, *size).vertices_studs * STUD_MM


def _place(thing: Thing) -> tuple[Point, float]:
    """Return origin and heading of a thing's own frame; that of decor is in its middle."""
    if isinstance(thing, Vehicle):
        return thing.centre_studs, thing.heading_deg
    if isinstance(thing, Unit):
        return thing.centre_studs, 0.0
    x, y = thing.prism.footprint.centroid_studs.tolist()
    return (x, y), thing.heading_deg


def velocity_m_s(vehicle: Vehicle, scale_m_s: float) -> Pair:
    """Return the velocity in m/s of a vehicle at its speed, in the direction in which it looks."""
    c, s = vehicle.heading
    return scale_m_s * vehicle.speed * c, scale_m_s * vehicle.speed * s
