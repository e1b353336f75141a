"""Crash: a compulsory move as bodies in PyBullet: what is thrown where, how hard, and what falls.

The vehicle sets out at its speed and keeps it while it throws figures aside. From its first touch with decor or
another vehicle on, it is a body like any other. A vehicle with a speed of its own stands still until it is hit, and
has that speed from then on, as in the rule for relative speeds.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import acos, atan2, degrees

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.block import Block, Pair
from brickphys.engines.block_run import FRAME_S, BlockRun, Drive, run_blocks
from brickphys.engines.block_settings import BlockSettings
from brickphys.engines.impact import FirstImpact
from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point, Polygon
from brickphys.throws.rotations import rotate
from brickphys.throws.surfaces import BRICK_ON_BRICK, SURFACES, ContactCoefficients
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.physics.masses import mass_of
from brickphys.vehicles.physics.outcome import FALLEN_DEG, Crash, Impact, Recording, ThingOutcome
from brickphys.vehicles.scene import Bounds, Scene, Thing, Unit, Vehicle
from brickphys.vehicles.scene_rules import distance_studs

SPEED_SCALE_M_S = 0.1
"""Metres a second for one point of speed: five studs in 0.4 s, whatever the speed.

A hand pushes a toy car so. Speed 1 is about what it takes to knock a minifig over, and a vehicle at full speed, 12,
slides no farther with locked wheels than 23 studs, less than half of its move.
"""
_LARGEST_SCALE_M_S = 1.0


def crash(
    scene: Scene,
    scale_m_s: float = SPEED_SCALE_M_S,
    floor: ContactCoefficients | None = None,
    between: ContactCoefficients = BRICK_ON_BRICK,
    settings: BlockSettings | None = None,
    limit_s: float = 5.0,
) -> Crash:
    """Make the compulsory move of a scene with bodies.

    Parameters
    ----------
    scene
        Where everything stands, and which vehicle moves.
    scale_m_s
        Metres a second for one point of speed.
    floor
        Friction and restitution of a thing on the floor; those of wood if None.
    between
        Friction and restitution of two things.
    settings
        How it is integrated.
    limit_s
        After so long beyond the move's own time, what still moves has not settled.

    Raises
    ------
    InvalidValueError
        If the scale is not above 0 and up to 1.
    DivergenceError
        If the integration fails.
    """
    if not 0 < scale_m_s <= _LARGEST_SCALE_M_S:
        raise InvalidValueError(
            f"{scale_m_s:g} m/s for a point of speed is not above 0 and up to {_LARGEST_SCALE_M_S:g}"
        )
    things = [scene.mover, *(thing for thing in scene.things if thing is not scene.mover)]
    blocks = [block(thing, scale_m_s) for thing in things]
    drive = _drive(scene.mover, things, scale_m_s)
    found = run_blocks(blocks, drive, between, floor or SURFACES["wood"].nominal, settings, limit_s)
    return Crash(
        scene.mover_id,
        scale_m_s * scene.mover.speed,
        found.driven_mm / STUD_MM,
        tuple(_impact(things, impact) for impact in found.impacts),
        tuple(_outcomes(scene.bounds, things, blocks, found)),
        found.energy_mj,
        found.time_s,
        Recording(tuple(things), found.poses, FRAME_S),
    )


def _drive(mover: Vehicle, things: Sequence[Thing], scale_m_s: float) -> Drive:
    """Return the drive of a mover, the first of some things, which decor and other vehicles stop."""
    return Drive(
        _velocity_m_s(mover, scale_m_s),
        distance_studs(mover.speed) * STUD_MM,
        frozenset(n for n, thing in enumerate(things) if n and not isinstance(thing, Unit)),
    )


def block(thing: Thing, scale_m_s: float = SPEED_SCALE_M_S) -> Block:
    """Return a thing as a body: the prism over its footprint, with the mass that `mass_of` gives it.

    Parameters
    ----------
    thing
        What stands on the field.
    scale_m_s
        Metres a second for one point of speed.
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
        _velocity_m_s(thing, scale_m_s) if isinstance(thing, Vehicle) else (0.0, 0.0),
        is_held=speed > 0 or thing.bottom_plates > 0,
    )


def _place(thing: Thing) -> tuple[Point, float]:
    """Return origin and heading of a thing's own frame; of decor, the middle and the direction of its first edge."""
    if isinstance(thing, Vehicle):
        return thing.centre_studs, thing.heading_deg
    if isinstance(thing, Unit):
        return thing.centre_studs, 0.0
    footprint = thing.prism.footprint
    along = footprint.vertices_studs[1] - footprint.vertices_studs[0]
    x, y = footprint.centroid_studs.tolist()
    return (x, y), degrees(atan2(along[1], along[0]))


def _velocity_m_s(vehicle: Vehicle, scale_m_s: float) -> Pair:
    c, s = vehicle.heading
    return scale_m_s * vehicle.speed * c, scale_m_s * vehicle.speed * s


def _impact(things: Sequence[Thing], found: FirstImpact) -> Impact:
    x, y, z = found.point_mm.tolist()
    nx, ny, nz = found.normal.tolist()
    first, second = np.linalg.norm(found.delta_v_m_s, axis=1).tolist()
    return Impact(
        things[found.first].id,
        things[found.second].id,
        found.time_s,
        None if found.driven_mm is None else found.driven_mm / STUD_MM,
        (x / STUD_MM, y / STUD_MM),
        z / PLATE_MM,
        (nx, ny, nz),
        found.closing_m_s,
        (first, second),
        found.energy_lost_mj,
    )


def _outcomes(
    bounds: Bounds, things: Sequence[Thing], blocks: Sequence[Block], found: BlockRun
) -> list[ThingOutcome]:
    hit = {number for impact in found.impacts for number in (impact.first, impact.second)}
    return [
        replace(
            _outcome(bounds, thing, block.centre_mm, found.poses[[0, -1], n]),
            was_hit=n in hit,
            settled=bool(found.settled[n]),
        )
        for n, (thing, block) in enumerate(zip(things, blocks, strict=True))
    ]


def _outcome(bounds: Bounds, thing: Thing, centre_mm: Array, poses: Array) -> ThingOutcome:
    """Return what a thing has become, given its first and its last pose, shape (2, 7)."""
    centres = (poses[:, :3] + rotate(poses[:, 3:], centre_mm))[:, :2] / STUD_MM
    ahead, up = rotate(poses[1, 3:], np.eye(3)[[0, 2]])
    tilt = degrees(acos(min(1.0, max(-1.0, up[2]))))
    x, y = centres[1].tolist()
    return ThingOutcome(
        thing.type,
        thing.id,
        (x, y),
        degrees(atan2(ahead[1], ahead[0])),
        tilt,
        float(np.hypot(*(centres[1] - centres[0]))),
        was_hit=False,
        knocked_over=tilt > FALLEN_DEG,
        left_field=not bounds.contains((x, y)),
        settled=False,
    )
