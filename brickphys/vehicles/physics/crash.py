"""Crash: a compulsory move as bodies in PyBullet: what is thrown where, how hard, and what falls.

The vehicle sets out at its speed and keeps it while it throws figures aside. From its first touch with decor or
another vehicle on, it is a body like any other. A vehicle with a speed of its own stands still until anything runs
into it, and has that speed from then on, as in the rule for relative speeds. The exposed crew of a model are bodies
that ride on it until then. The table ends at the border of the field.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import acos, atan2, ceil, degrees, inf, isfinite
from pathlib import Path

import numpy as np

from brickphys.arguments import public
from brickphys.arrays import Array
from brickphys.engines import client
from brickphys.engines.blocks.block import Block
from brickphys.engines.blocks.drive import Drive
from brickphys.engines.blocks.impact import FirstImpact
from brickphys.engines.blocks.run import FRAME_S, BlockRun, run_blocks
from brickphys.engines.blocks.settings import BlockSettings
from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Polygon
from brickphys.notes import Progress
from brickphys.throws.rotations import rotate, unrotate
from brickphys.throws.surfaces import BRICK_ON_BRICK, SURFACES, ContactCoefficients, surface
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.collision import SceneLike
from brickphys.vehicles.collision import scene as scene_of
from brickphys.vehicles.compulsory_move import compulsory_move
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.physics.blocks import SPEED_SCALE_M_S, block, riders, velocity_m_s
from brickphys.vehicles.physics.outcome import FALLEN_DEG, Crash, Impact, Recording, ThingOutcome
from brickphys.vehicles.scene import Bounds, Scene, Thing, ThingType, Unit
from brickphys.vehicles.scene_rules import distance_studs

_WOOD = SURFACES["wood"].nominal
_SCALES_M_S = (0.01, 1.0)
"""The least and the largest: at speed 1 a slower mover could not be told from a body at rest."""
_STEP_M_S = 0.6
"""Up to this speed of the mover the usual step does; a grazed corner may be missed if the step goes farther than it."""


def check_straight(scene: Scene) -> None:
    """Refuse a scene whose move rigid bodies cannot make.

    Raises
    ------
    InvalidValueError
        If it has a course or lashed vehicles.
    MissingLibraryError
        If PyBullet is missing.
    """
    client.pybullet()
    if scene.course or scene.lashed:
        what = "a course" if scene.course else "lashed vehicles"
        raise InvalidValueError(
            f"bodies make one straight move of one vehicle; this scene has {what}"
        )


@public()
def crash(
    source: SceneLike,
    scale_m_s: float = SPEED_SCALE_M_S,
    floor: str | Path | ContactCoefficients | tuple[float, float] = "wood",
    between: ContactCoefficients | tuple[float, float] = BRICK_ON_BRICK,
    settings: BlockSettings | None = None,
    limit_s: float = 5.0,
) -> Crash:
    """Simulate the compulsory move of a scene with rigid bodies.

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
        If the scale is not from 0.01 to 1, the time limit not above 0, or the scene has a fault, a course or lashed
        vehicles.
    DivergenceError
        If the integration fails.
    """
    check_scale(scale_m_s)
    if not (isfinite(limit_s) and limit_s > 0):
        raise InvalidValueError(f"limit_s: {limit_s:g} s is not a time above 0")
    scene = scene_of(source)
    check_straight(scene)
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
) -> Crash:
    """Return the crash of a scene that was checked; parameters and errors as in `crash`.

    With a limit below 0 the simulation ends so long before the time of the move does. The progress is told in ms of
    simulated time.
    """
    mover, bounds = scene.mover, scene.bounds
    things = [mover, *(thing for thing in scene.things if thing is not mover)]
    blocks, crew = _bodies(things, scale_m_s)
    found = run_blocks(
        blocks,
        _drive(scene, things, scale_m_s),
        between,
        floor,
        settings or _settings(scale_m_s * mover.speed),
        limit_s,
        (bounds.width_studs * STUD_MM, bounds.height_studs * STUD_MM),
        progress,
    )
    recording = Recording(tuple(things), tuple(crew), found.poses, FRAME_S, bounds)
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
    """Return the drive of the mover, the first of some things, which decor and other vehicles stop."""
    mover, distance = scene.mover, distance_studs(scene.mover.speed)
    alone = compulsory_move(mover, distance, NamedObstacles.of(scene.bounds, ()))
    falls_off = alone.leaves_field and mover.bottom_plates <= 0  # a flyer does not
    return Drive(
        velocity_m_s(mover, scale_m_s),
        distance * STUD_MM,
        frozenset(n for n, thing in enumerate(things) if n and not isinstance(thing, Unit)),
        alone.travelled_studs * STUD_MM if falls_off else inf,
    )


def _result(
    recording: Recording, speed_m_s: float, blocks: Sequence[Block], found: BlockRun
) -> Crash:
    """Return a run of blocks as a crash; the blocks are those of the recorded things, then of the riders."""
    things = recording.things
    named = [(thing.type, thing.id) for thing in things]
    named += [(ThingType.UNIT, name) for name in recording.riders]
    names = [name for _, name in named]
    outcomes = _outcomes(recording.bounds, named, blocks, found)
    return Crash(
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


def _impact(names: Sequence[str], found: FirstImpact) -> Impact:
    x, y, z = found.point_mm.tolist()
    nx, ny, nz = found.normal.tolist()
    first, second = np.linalg.norm(found.delta_v_m_s, axis=1).tolist()
    return Impact(
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
) -> list[ThingOutcome]:
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
) -> ThingOutcome:
    """Return what a thing has become, given its first and its last pose, shape (2, 7), and what the run has told."""
    centres = (poses[:, :3] + rotate(poses[:, 3:], centre_mm))[:, :2] / STUD_MM
    ahead, up = rotate(poses[1, 3:], np.eye(3)[[0, 2]])
    tilt = degrees(acos(max(-1.0, up[2])))  # it is never above 1, but rounding may put it below -1
    (kind, name), (x, y) = named, centres[1].tolist()
    return ThingOutcome(
        kind,
        name,
        (x, y),
        degrees(atan2(ahead[1], ahead[0])),
        tilt,
        float(np.hypot(*(centres[1] - centres[0]))),
        knocked_over=tilt > FALLEN_DEG,
        left_field=not bounds.contains((x, y)),
        **told,
    )
