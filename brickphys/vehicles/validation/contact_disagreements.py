"""Testimony: what PyBullet's contacts say against a move, and out of which side their normals point."""

from collections.abc import Iterable, Iterator
from math import acos, degrees, hypot

import numpy as np

from brickphys.geometry.polygon import unit_vector
from brickphys.vehicles.scene import Scene, Thing, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.comparison import Check, Fault
from brickphys.vehicles.validation.pybullet_check import STEP_STUDS, Rest, Sighting

NORMAL_TOLERANCE_DEG = 1.0
_GRAZING_STUDS = 0.4 * STEP_STUDS
"""A gap that opens no wider than this over a step back has no normal to speak of."""
_CORNERS_STUDS = 4 * STEP_STUDS
"""Corners that meet no farther from each other than this have any normal between those of their edges."""


def sighting_faults(scene: Scene, sightings: Iterable[Sighting]) -> Iterator[Fault]:
    """Yield where PyBullet's contacts contradict hits: too early, too late, from another side."""
    things = {thing.id: thing for _, _, thing in scene.things()}
    for sighting in sightings:
        hit, slack = sighting.hit, sighting.tolerance_studs
        if (
            sighting.before_studs < -slack
            or abs(sighting.at_studs) > slack
            or sighting.after_studs > slack
        ):
            seen = (sighting.before_studs, sighting.at_studs, sighting.after_studs)
            yield Fault(Check.WITNESS_TOUCH, f"{hit.id}: distances {seen} before, at and after")
        elif is_clear(sighting) and not _corners_meet(scene, sighting, things[hit.id]):
            yield from _normal_faults(scene, sighting, things[hit.id])


def rest_faults(rests: Iterable[Rest]) -> Iterator[Fault]:
    """Yield what a move ended in without a hit."""
    for rest in rests:
        if rest.distance_studs < -rest.tolerance_studs:
            yield Fault(Check.WITNESS_END, f"{rest.id}: {rest.distance_studs!r} from the mover")


def is_clear(sighting: Sighting) -> bool:
    """Tell whether a touch is no mere graze, so that its normal is known."""
    return sighting.before_studs > _GRAZING_STUDS and sighting.normal != (0.0, 0.0)


def struck_side(sighting: Sighting, hit: Vehicle) -> Sector:
    """Return out of which side of a vehicle the normal of a touch points; of a corner, the nearer one."""
    ahead, left = hit.heading, unit_vector(hit.heading_deg + 90.0)
    u, v = (np.dot(sighting.normal, axis) for axis in (ahead, left))
    if abs(u) >= abs(v):
        return Sector.FRONT if u > 0 else Sector.REAR
    return Sector.LEFT if v > 0 else Sector.RIGHT


def _normal_faults(scene: Scene, sighting: Sighting, thing: Thing) -> Iterator[Fault]:
    hit, (nx, ny) = sighting.hit, sighting.normal
    ours = hit.contact.normal
    cosine = (nx * ours[0] + ny * ours[1]) / hypot(nx, ny)
    angle_deg = degrees(acos(min(1.0, max(-1.0, cosine))))
    if angle_deg > NORMAL_TOLERANCE_DEG:
        yield Fault(Check.WITNESS_NORMAL, f"{hit.id}: {ours}, not {(nx, ny)}")
    elif (
        isinstance(thing, Vehicle)
        and scene.scheme is Scheme.CONTACT
        and hit.contact.edge is not None
    ):
        side = struck_side(sighting, thing)
        if side is not hit.sector:
            yield Fault(Check.WITNESS_SECTOR, f"{hit.id}: {hit.sector}, not {side}")


def _corners_meet(scene: Scene, sighting: Sighting, thing: Thing) -> bool:
    """Tell whether a corner of the mover is at a corner of the thing when they touch."""
    ahead = np.array(scene.mover.heading)
    ours = scene.mover.prism.footprint.vertices_studs + sighting.hit.distance_studs * ahead
    theirs = thing.prism.footprint.vertices_studs
    apart = np.hypot(*(ours[:, None] - theirs[None]).transpose(2, 0, 1))
    return bool(apart.min() < _CORNERS_STUDS)
