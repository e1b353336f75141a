"""Crash: a compulsory move as bodies in PyBullet: what is thrown where, how hard, and what falls.

The vehicle sets out at its speed along its course and keeps it while it throws figures aside. From its first touch with
decor or another vehicle on, it is a body like any other. A vehicle with a speed of its own stands still until anything
runs into it, and has that speed from then on, as in the rule for relative speeds. The exposed crew of a model are
bodies that ride on it until then. The table ends at the border of the field.

Masses are those of models, or follow from sizes.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import acos, atan2, ceil, degrees, hypot, inf, isfinite
from pathlib import Path

import numpy as np

from brickphys.engines import client
from brickphys.engines.block_impact import Drive, FirstImpact
from brickphys.engines.block_run import FRAME_S, BlockRun, run_blocks
from brickphys.engines.block_world import Block, BlockSettings, Pair
from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point, Polygon, rectangle
from brickphys.interface import public
from brickphys.notes import Progress
from brickphys.shapes.assembly import BoxPart, assembly
from brickphys.shapes.solids import MassProperties, box, compose
from brickphys.text import shown
from brickphys.throws.conditions import BRICK_ON_BRICK, SURFACES, ContactCoefficients, surface
from brickphys.throws.flight import rotate, unrotate
from brickphys.units import PLATE_MM, STUD_MM, Array
from brickphys.vehicles import crash_outcome
from brickphys.vehicles.collision import SceneLike
from brickphys.vehicles.collision import scene as scene_of
from brickphys.vehicles.course import Mover, NamedObstacles, course_of, follow
from brickphys.vehicles.scene import (
    Bounds,
    Fixture,
    PivotTurn,
    Scene,
    Thing,
    ThingType,
    Unit,
    Vehicle,
)

VEHICLE_DENSITY_G_CM3 = 0.28
"""Mass of a vehicle over the volume of its prism: about the median of the project's models (0.09 to 0.42)."""
FIGURE = "minifig"
"""Model of every unit that names none."""


@lru_cache
def model_mass(model: str) -> MassProperties:
    """Return mass, centre of mass and inertia of a model without its crew, in the frame of the thing."""
    return assembly(model).hull.mass


def mass_of(thing: Thing) -> MassProperties | None:
    """Return the mass of a thing in its own frame (origin on the ground, x ahead), None for decor, which is fixed.

    A thing with a model has the mass of the model's hull, whatever its size in the scene, and so has a unit without
    one: that of the minifig. Exposed crew are bodies of their own. A vehicle without a model is a box of
    `VEHICLE_DENSITY_G_CM3`, of the same density everywhere.
    """
    if isinstance(thing, Fixture):
        return None
    if thing.model is not None:
        return model_mass(thing.model)
    if isinstance(thing, Unit):
        return model_mass(FIGURE)
    return box_mass(thing)


def box_mass(vehicle: Vehicle) -> MassProperties:
    """Return the mass of a vehicle without a model."""
    low, high = vehicle.bottom_plates * PLATE_MM, vehicle.top_plates * PLATE_MM
    size = (vehicle.length_studs * STUD_MM, vehicle.width_studs * STUD_MM, high - low)
    return compose([box((0.0, 0.0, (low + high) / 2), size)], VEHICLE_DENSITY_G_CM3)


SPEED_SCALE_M_S = 0.1
"""Metres a second for one point of speed: five studs in 0.4 s, whatever the speed.

A hand pushes a toy car so. Speed 1 is about what it takes to knock a minifig over, and a vehicle at full speed, 12,
slides no farther with locked wheels than 23 studs, less than half of its move.
"""


def block(thing: Thing, scale_m_s: float = SPEED_SCALE_M_S) -> Block:
    """Return a thing as a body: the prism over its footprint, with the mass that `mass_of` gives it."""
    heights = (thing.bottom_plates * PLATE_MM, thing.top_plates * PLATE_MM)
    centre, heading = place(thing)
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
    """Return the models and the bodies of the exposed crew of a thing, on top of it and in its frame."""
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


def place(thing: Thing) -> tuple[Point, float]:
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


_WOOD = SURFACES["wood"].nominal
_SCALES_M_S = (0.01, 1.0)
"""The least and the largest: at speed 1 a slower mover could not be told from a body at rest."""
_STEP_M_S = 0.6
"""Up to this speed of the mover the usual step does; a grazed corner may be missed if the step goes farther than it."""


def check_bodies(scene: Scene) -> None:
    """Refuse a scene whose move rigid bodies cannot make.

    InvalidValueError if it has lashed vehicles, an outline that is not a convex polygon, or a course of a mover without
    speed; MissingLibraryError if PyBullet is missing.
    """
    client.pybullet()
    if scene.lashed:
        raise InvalidValueError("bodies make the move of one vehicle; this scene has lashed ones")
    if shaped := [thing.id for thing in scene.things if thing.shape]:
        raise InvalidValueError(
            f"bodies have convex outlines without arcs; {shown(shaped[0])} has another one"
        )
    if scene.course and not scene.mover.speed:
        name = shown(scene.mover_id)
        raise InvalidValueError(f"{name} has no speed, which bodies need on a course, too")


@public()
def crash(
    source: SceneLike,
    scale_m_s: float = SPEED_SCALE_M_S,
    floor: str | Path | ContactCoefficients | tuple[float, float] = "wood",
    between: ContactCoefficients | tuple[float, float] = BRICK_ON_BRICK,
    settings: BlockSettings | None = None,
    limit_s: float = 5.0,
) -> crash_outcome.Crash:
    """Simulate the move of a scene with rigid bodies: straight ahead, or its course.

    Parameters
    ----------
    source
        A scene file, its text as TOML, its tables as a dict, a scene, or a collision.
    scale_m_s
        Speed in m/s per point of speed.
    floor
        A surface by its name or file, or the friction and restitution between things and the floor: (0.4, 0.5).
    between
        Friction and restitution between two things, such as (0.4, 0.5).
    settings
        Integration settings; None for a step of 1 ms, or a shorter one in which the mover travels at most 0.6 mm.
    limit_s
        Time limit in seconds beyond the move's own time, above 0; things that still move then have not settled.

    Raises
    ------
    InvalidValueError
        If the scale is not from 0.01 to 1, the time limit not above 0, the scene has a fault, or as `check_bodies`.
    DivergenceError
        If the integration fails.
    """
    check_scale(scale_m_s)
    if not (isfinite(limit_s) and limit_s > 0):
        raise InvalidValueError(f"limit_s: {limit_s:g} s is not a time above 0")
    scene = scene_of(source)
    check_bodies(scene)
    ground = surface(str(floor)).nominal if isinstance(floor, str | Path) else _contact(floor)
    return simulated(scene, scale_m_s, ground, _contact(between), settings, limit_s)


def simulated(
    scene: Scene,
    scale_m_s: float = SPEED_SCALE_M_S,
    floor: ContactCoefficients = _WOOD,
    between: ContactCoefficients = BRICK_ON_BRICK,
    settings: BlockSettings | None = None,
    limit_s: float = 5.0,
    progress: Progress | None = None,
) -> crash_outcome.Crash:
    """Return the crash of a scene that was checked; parameters and errors as in `crash`.

    With a limit below 0 the simulation ends so long before the time of the move does. The progress is told in ms of
    simulated time.
    """
    mover, bounds = scene.mover, scene.bounds
    things = [mover, *(thing for thing in scene.things if thing is not mover)]
    blocks, crew = _bodies(things, scale_m_s)
    turns = (one for one in scene.course if isinstance(one, PivotTurn))
    fastest = 1 + max(
        (hypot(*one.pivot_studs) / _radius_studs(mover, one) for one in turns), default=0
    )
    found = run_blocks(
        blocks,
        _drive(scene, things, scale_m_s),
        between,
        floor,
        settings or _settings(scale_m_s * mover.speed * fastest),
        limit_s,
        (bounds.width_studs * STUD_MM, bounds.height_studs * STUD_MM),
        progress,
    )
    recording = crash_outcome.Recording(tuple(things), tuple(crew), found.poses, FRAME_S, bounds)
    return _result(recording, scale_m_s * mover.speed, blocks, found)


def check_scale(scale_m_s: float) -> float:
    """Return the metres a second for one point of speed, if these are possible."""
    low, high = _SCALES_M_S
    if not low <= scale_m_s <= high:
        raise InvalidValueError(
            f"{scale_m_s:g} m/s for a point of speed is not from {low:g} to {high:g}"
        )
    return scale_m_s


def _contact(given: ContactCoefficients | tuple[float, float]) -> ContactCoefficients:
    """Return a pair of friction and restitution as coefficients, which checks it."""
    return given if isinstance(given, ContactCoefficients) else ContactCoefficients(*given)


def _bodies(things: Sequence[Thing], scale_m_s: float) -> tuple[list[Block], list[str]]:
    """Return the bodies of some things, of which the first is the mover, then those of their crew; and its names."""
    mover = things[0]
    blocks = [block(thing, scale_m_s) for thing in things]
    blocks[0] = replace(blocks[0], is_held=mover.bottom_plates > 0)
    crew: list[str] = []
    for n, thing in enumerate(things):
        for model, rider in riders(thing, scale_m_s):
            crew.append(f"{thing.id}/{model.split('/')[-1]}")
            blocks.append(replace(rider, is_held=blocks[n].is_held, carrier=n))
    return blocks, crew


def _settings(speed_m_s: float) -> BlockSettings:
    usual = BlockSettings()
    return replace(usual, step_s=usual.step_s / max(1, ceil(speed_m_s / _STEP_M_S - 1e-9)))


def _drive(scene: Scene, things: Sequence[Thing], scale_m_s: float) -> Drive:
    """Return the drive of the mover, the first of some things, which decor and other vehicles stop.

    A course has lengths and angles, but no times. So each piece is made with the mover's speed: on a turn that of its
    centre, the reference of courses (pivots and the border are about it).
    """
    mover, speed = scene.mover, scale_m_s * scene.mover.speed
    stoppers = frozenset(n for n, thing in enumerate(things) if n and not isinstance(thing, Unit))
    course = course_of(scene)
    alone = follow(Mover.of(mover), course, NamedObstacles.of(scene.bounds, ()))
    falls_off = alone.leaves_field and mover.bottom_plates <= 0  # a flyer does not
    drive: Drive | None = None
    for piece, made in reversed([*zip(course, alone.pieces, strict=False)]):
        unit_mm = STUD_MM * (_radius_studs(mover, piece) if isinstance(piece, PivotTurn) else 1.0)
        x, y, extent, sense = made.motion.numbers(made.motion.extent)
        falls = falls_off and made.leaves_field
        edge_mm = made.motion.numbers(made.at)[2] * unit_mm if falls else inf
        velocity = (speed, 0.0) if sense else (speed * x, speed * y)
        turn = sense * extent, (x * STUD_MM, y * STUD_MM)
        drive = Drive(velocity, extent * unit_mm, stoppers, edge_mm, *turn, then=drive)
    return drive or Drive(velocity_m_s(mover, scale_m_s), 0.0, stoppers)


def _radius_studs(mover: Vehicle, turn: PivotTurn) -> float:
    """Return how far from the pivot of a turn a point has the speed of the mover: the centre, if it is not too near.

    About a pivot that is nearer to the centre than its farthest corner, it turns as on the spot, with the speed there.
    """
    return max(hypot(*turn.pivot_studs), hypot(mover.length_studs, mover.width_studs) / 2)


def _result(
    recording: crash_outcome.Recording, speed_m_s: float, blocks: Sequence[Block], found: BlockRun
) -> crash_outcome.Crash:
    """Return a run of blocks as a crash; the blocks are those of the recorded things, then of the riders."""
    things = recording.things
    named = [(thing.type, thing.id) for thing in things]
    named += [(ThingType.UNIT, name) for name in recording.riders]
    names = [name for _, name in named]
    outcomes = _outcomes(recording.bounds, named, blocks, found)
    return crash_outcome.Crash(
        recording.mover.id,
        speed_m_s,
        found.driven_mm / STUD_MM,
        tuple(_impact(names, impact) for impact in found.impacts),
        tuple(outcomes[: len(things)]),
        tuple(outcomes[len(things) :]),
        found.energy_mj,
        found.time_s,
        recording,
    )


def _impact(names: Sequence[str], found: FirstImpact) -> crash_outcome.Impact:
    x, y, z = found.point_mm.tolist()
    nx, ny, nz = found.normal.tolist()
    first, second = np.linalg.norm(found.delta_v_m_s, axis=1).tolist()
    return crash_outcome.Impact(
        names[found.first],
        names[found.second],
        found.time_s,
        None if found.driven_mm is None else found.driven_mm / STUD_MM,
        (x / STUD_MM, y / STUD_MM),
        z / PLATE_MM,
        (nx, ny, nz),
        found.closing_m_s,
        (first, second),
        float(np.linalg.norm(found.impulse_g_m_s)),
        found.energy_lost_mj,
    )


def _outcomes(
    bounds: Bounds, named: Sequence[tuple[ThingType, str]], blocks: Sequence[Block], found: BlockRun
) -> list[crash_outcome.ThingOutcome]:
    hit = {number for impact in found.impacts for number in (impact.first, impact.second)}
    return [
        _outcome(
            bounds,
            named[n],
            block.centre_mm,
            found.poses[[0, -1], n],
            was_hit=n in hit,
            fell_off=n in found.fallen,
            settled=bool(found.settled[n]),
            thrown_off=block.carrier is not None
            and _is_off(block, blocks[block.carrier], found.poses[-1, [n, block.carrier]]),
        )
        for n, block in enumerate(blocks)
    ]


def _is_off(rider: Block, carrier: Block, poses: Array) -> bool:
    """Tell whether a rider is no longer on its carrier, given the poses of the two, shape (2, 7)."""
    (place, frame), (turn, carried) = poses[:, :3], poses[:, 3:]
    centre = unrotate(carried, place + rotate(turn, rider.centre_mm) - frame)
    outline, height = Polygon(carrier.outline_mm), rider.top_mm - rider.bottom_mm
    is_beside = bool((outline.normals @ centre[:2] > outline.offsets_studs).any())
    return is_beside or abs(float(centre[2] - rider.centre_mm[2])) > height / 2


def _outcome(
    bounds: Bounds, named: tuple[ThingType, str], centre_mm: Array, poses: Array, **told: bool
) -> crash_outcome.ThingOutcome:
    """Return what a thing has become, given its first and its last pose, shape (2, 7), and what the run has told."""
    centres = (poses[:, :3] + rotate(poses[:, 3:], centre_mm))[:, :2] / STUD_MM
    ahead, up = rotate(poses[1, 3:], np.eye(3)[[0, 2]])
    tilt = degrees(acos(max(-1.0, up[2])))  # it is never above 1, but rounding may put it below -1
    (kind, name), (x, y) = named, centres[1].tolist()
    return crash_outcome.ThingOutcome(
        kind,
        name,
        (x, y),
        degrees(atan2(ahead[1], ahead[0])),
        float(np.hypot(*(centres[1] - centres[0]))),
        tilt,
        knocked_over=tilt > crash_outcome.FALLEN_DEG,
        left_field=not bounds.contains((x, y)),
        **told,
    )
