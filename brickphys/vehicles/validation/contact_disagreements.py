"""Contact disagreements: where PyBullet's contacts contradict a move; and which side their normals point out of."""

from collections.abc import Iterable, Iterator
from math import acos, degrees, hypot

import numpy as np

from brickphys.geometry.polygon import unit_vector
from brickphys.vehicles.scene import Scene, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.comparison import Check, Disagreement
from brickphys.vehicles.validation.pybullet_check import STEP_STUDS, Clearance, ContactSample

NORMAL_TOLERANCE_DEG = 1.0
_GRAZING_STUDS = 0.4 * STEP_STUDS
"""A gap that opens no wider than this over a step back is a graze: its normal is not known."""
_CORNERS_STUDS = 4 * STEP_STUDS
"""Corners that meet no farther from each other than this have any normal between those of their edges."""


def contact_disagreements(scene: Scene, samples: Iterable[ContactSample]) -> Iterator[Disagreement]:
    """Yield where PyBullet's contacts contradict hits: too early, too late, from another side."""
    for sample in samples:
        hit, slack = sample.hit, sample.tolerance_studs
        if (
            sample.before_studs < -slack
            or abs(sample.at_studs) > slack
            or (sample.after_studs is not None and sample.after_studs > slack)
        ):
            distances = (sample.before_studs, sample.at_studs, sample.after_studs)
            yield Disagreement(
                Check.PYBULLET_TOUCH, f"{hit.id}: distances {distances} before, at and after"
            )
        elif is_clear(sample) and not _corners_meet(scene, sample):
            yield from _normal_disagreements(scene, sample)


def clearance_disagreements(clearances: Iterable[Clearance]) -> Iterator[Disagreement]:
    """Yield what the mover overlaps at the end of a move without having hit it."""
    for one in clearances:
        if one.distance_studs < -one.tolerance_studs:
            yield Disagreement(
                Check.PYBULLET_END, f"{one.id}: {one.distance_studs!r} from the mover"
            )


def is_clear(sample: ContactSample) -> bool:
    """Tell whether a touch is more than a graze, so that its normal is known."""
    return sample.before_studs > _GRAZING_STUDS and sample.normal != (0.0, 0.0)


def struck_side(sample: ContactSample, hit: Vehicle) -> Sector:
    """Return out of which side of a vehicle the normal of a touch points; of a corner, the nearer one."""
    ahead, left = hit.heading, unit_vector(hit.heading_deg + 90.0)
    u, v = (np.dot(sample.normal, axis) for axis in (ahead, left))
    if abs(u) >= abs(v):
        return Sector.FRONT if u > 0 else Sector.REAR
    return Sector.LEFT if v > 0 else Sector.RIGHT


def _normal_disagreements(scene: Scene, sample: ContactSample) -> Iterator[Disagreement]:
    hit, (nx, ny) = sample.hit, sample.normal
    ours = hit.contact.normal
    cosine = (nx * ours[0] + ny * ours[1]) / hypot(nx, ny)
    angle_deg = degrees(acos(min(1.0, max(-1.0, cosine))))
    if angle_deg > NORMAL_TOLERANCE_DEG + sample.step_deg:
        yield Disagreement(Check.PYBULLET_NORMAL, f"{hit.id}: {ours}, not {(nx, ny)}")
    elif (
        isinstance(hit.thing, Vehicle)
        and scene.scheme is Scheme.CONTACT
        and hit.contact.edge is not None
    ):
        side, sector = struck_side(sample, hit.thing), hit.sector(scene.scheme)
        if side is not sector:
            yield Disagreement(Check.PYBULLET_SECTOR, f"{hit.id}: {sector}, not {side}")


def _corners_meet(scene: Scene, sample: ContactSample) -> bool:
    """Tell whether a corner of the mover is at a corner of the thing when they touch."""
    hit = sample.hit
    part = (scene.mover, *scene.lashed_vehicles)[hit.part].prism
    centre, turn = (
        np.array(scene.mover.centre_studs),
        hit.pose.heading_deg - scene.mover.heading_deg,
    )
    moved = part.footprint.moved(np.array(hit.pose.centre_studs) - centre)
    ours = moved.turned(hit.pose.centre_studs, turn).vertices_studs
    theirs = sample.hit.thing.prism.footprint.vertices_studs
    apart = np.hypot(*(ours[:, None] - theirs[None]).transpose(2, 0, 1))
    return bool(apart.min() < _CORNERS_STUDS)
