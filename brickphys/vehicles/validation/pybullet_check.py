"""PyBullet check: PyBullet's contacts of the bodies that a move brings together; no time step is made.

Where these contacts contradict the move, and which side their normals point out of, are disagreements.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import acos, cos, degrees, dist, hypot, inf, radians, sin
from statistics import median

import numpy as np

from brickphys.engines.bodies import MARGIN_MM, BulletPrism, BulletPrisms, Closest
from brickphys.engines.client import connection
from brickphys.geometry.motion import Rotation
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.course import Hit, MoveResult
from brickphys.vehicles.scene import Scene, Thing, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.bisection import corners_of, footprint, shapely
from brickphys.vehicles.validation.comparison import CheckKind, Disagreement

STEP_STUDS = 0.05
"""How far before and after the touch the bodies are placed."""
_AROUND_STUDS = 1e-4
"""Once in 25,000 touches Bullet gives a wrong distance of bodies that touch exactly. The median of three distances is
taken: at the touch, this far before it, and this far after it."""
_LEAST_ARM_STUDS = 0.5
"""Nearer to its pivot a body turns too far while the touching point moves a step."""
FAR_STUDS = 1.0
"""Bodies that are farther apart than this are left out."""


@dataclass(frozen=True)
class ContactSample:
    """PyBullet's contact of one hit."""

    hit: Hit
    before_studs: float
    at_studs: float
    after_studs: float | None
    """Distance of the bodies just before the touch, at it, and just after it; below 0 for an overlap. The last is None
    where a turn has parted them again."""
    normal: Point
    """In plan, just before the touch, outward from the thing that is hit."""
    tolerance_studs: float
    """How exactly PyBullet knows these distances."""
    step_deg: float
    """How far the mover turns between two of them; 0 in a straight piece."""


@dataclass(frozen=True)
class Clearance:
    """The distance of the mover, at the end of its move, from a thing that it did not hit."""

    id: str
    distance_studs: float
    """From the mover; below 0 for an overlap."""
    tolerance_studs: float
    """How exactly PyBullet knows it."""


class ContactWorld:
    """Bodies of scenes in PyBullet: footprints between their heights."""

    def __init__(self, prisms: BulletPrisms) -> None:
        self._prisms = prisms

    def samples(self, scene: Scene, hits: Iterable[Hit]) -> list[ContactSample]:
        """Return PyBullet's contacts of hits, without those whose heights overlap too little for it.

        Left out are those next to the pivot of a turn too, and those before a turn has come a step. An overlap at the
        start has no first touch: it must not be among the hits.
        """
        with self._mover(scene) as bodies:
            return [
                self._sample(scene, bodies[hit.part], hit)
                for hit in hits
                if _level_studs(scene.moving[hit.part], hit.thing) > STEP_STUDS and _is_seen(hit)
            ]

    def clearances(self, scene: Scene, move: MoveResult) -> list[Clearance]:
        """Return the distances of everything near the end of a move that it did not hit."""
        hit = {one.id for one in move.hits} | {scene.mover_id, *scene.lashed}
        with self._mover(scene) as bodies:
            for body in bodies:
                self._place(scene, body, move.end)
            near = [thing for thing in scene.things if _is_near(scene, move, thing)]
            return [
                Clearance(thing.id, closest.distance_mm / STUD_MM, _tolerance_studs(body, other))
                for thing in near
                if thing.id not in hit
                for other in [self._add(thing)]
                for body in bodies
                for closest in [self._closest(body, other)]
                if closest is not None
            ]

    @contextmanager
    def _mover(self, scene: Scene) -> Iterator[list[BulletPrism]]:
        yield [self._add(part) for part in scene.moving]
        self._prisms.clear()

    def _add(self, thing: Thing) -> BulletPrism:
        prism = thing.prism
        levels = (prism.bottom_plates * PLATE_MM, prism.top_plates * PLATE_MM)
        return self._prisms.add(prism.footprint.vertices_studs * STUD_MM, *levels)

    def _place(self, scene: Scene, body: BulletPrism, pose: Pose) -> None:
        """Put a part of the mover where it is when the mover has a pose."""
        turn_rad = radians(pose.heading_deg - scene.mover.heading_deg)
        c, s = cos(turn_rad), sin(turn_rad)
        x, y = scene.mover.centre_studs
        shift = (pose.x_studs - (c * x - s * y), pose.y_studs - (s * x + c * y))
        self._prisms.place(body, (shift[0] * STUD_MM, shift[1] * STUD_MM), turn_rad)

    def _closest(self, mover: BulletPrism, body: BulletPrism) -> Closest | None:
        return self._prisms.closest(mover, body, FAR_STUDS * STUD_MM)

    def _sample(self, scene: Scene, mover: BulletPrism, hit: Hit) -> ContactSample:
        other = self._add(hit.thing)
        arm_studs = _arm_studs(hit)
        is_turn = hit.turned_deg is not None

        def pose(step_studs: float) -> Pose:
            step = degrees(step_studs / arm_studs) if is_turn else step_studs
            return hit.motion.pose(hit.start, hit.at + step)

        def closest(step_studs: float) -> Closest:
            self._place(scene, mover, pose(step_studs))
            return self._closest(mover, other) or Closest(FAR_STUDS * STUD_MM, (0.0, 0.0, 0.0))

        before, after = closest(-STEP_STUDS), closest(STEP_STUDS)
        at_mm = median(closest(step).distance_mm for step in (-_AROUND_STUDS, 0.0, _AROUND_STUDS))
        x, y, _ = before.normal
        parts_again = is_turn and not _overlap(scene, hit, pose(STEP_STUDS))
        return ContactSample(
            hit,
            before.distance_mm / STUD_MM,
            at_mm / STUD_MM,
            None if parts_again else after.distance_mm / STUD_MM,
            (x, y),
            _tolerance_studs(mover, other) + _AROUND_STUDS,
            degrees(STEP_STUDS / arm_studs) if is_turn else 0.0,
        )


@contextmanager
def contact_world() -> Iterator[ContactWorld]:
    """Open a world, and close it afterwards."""
    with connection() as client:
        yield ContactWorld(BulletPrisms(client))


def _level_studs(mover: Thing, thing: Thing) -> float:
    """Return by how much heights overlap."""
    top = min(mover.top_plates, thing.top_plates)
    return (top - max(mover.bottom_plates, thing.bottom_plates)) * PLATE_MM / STUD_MM


def _tolerance_studs(first: BulletPrism, second: BulletPrism) -> float:
    return (first.rounding_mm + second.rounding_mm + 2 * MARGIN_MM) / STUD_MM


def _arm_studs(hit: Hit) -> float:
    """Return how far the touching point is from the pivot of a turn; infinite in a straight piece."""
    if not isinstance(hit.motion, Rotation):
        return inf
    return dist(hit.contact.point_studs, hit.motion.pivot_studs)


def _is_seen(hit: Hit) -> bool:
    """Tell whether bodies can be placed around a touch: far from the pivot of a turn, a step after its start."""
    arm_studs = _arm_studs(hit)
    far = hit.turned_deg is None or hit.at > degrees(STEP_STUDS / arm_studs)
    return arm_studs > _LEAST_ARM_STUDS and far


def _overlap(scene: Scene, hit: Hit, pose: Pose) -> bool:
    """Tell whether the mover overlaps what it has hit when it has a pose, by shapely."""
    turn = np.exp(1j * radians(pose.heading_deg - scene.mover.heading_deg))
    own = corners_of(scene.moving[hit.part]) - complex(*scene.mover.centre_studs)
    there = complex(*pose.centre_studs) + own * turn
    shape = shapely().Polygon(np.column_stack([there.real, there.imag]))
    return bool(shape.distance(footprint(hit.thing)) == 0)


def _is_near(scene: Scene, move: MoveResult, thing: Thing) -> bool:
    """Tell whether a thing is near any part of the mover at the end of its move."""
    x, y, radius = thing.prism.circle_studs
    centre = complex(*scene.mover.centre_studs)
    turn = np.exp(1j * radians(move.end.heading_deg - scene.mover.heading_deg))
    for part in scene.moving:
        part_x, part_y, ours = part.prism.circle_studs
        there = complex(*move.end_studs) + (complex(part_x, part_y) - centre) * turn
        if abs(there - complex(x, y)) <= radius + ours + FAR_STUDS:
            return True
    return False


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
                CheckKind.PYBULLET_TOUCH, f"{hit.id}: distances {distances} before, at and after"
            )
        elif is_clear(sample) and not _corners_meet(scene, sample):
            yield from _normal_disagreements(scene, sample)


def clearance_disagreements(clearances: Iterable[Clearance]) -> Iterator[Disagreement]:
    """Yield what the mover overlaps at the end of a move without having hit it."""
    for one in clearances:
        if one.distance_studs < -one.tolerance_studs:
            yield Disagreement(
                CheckKind.PYBULLET_END, f"{one.id}: {one.distance_studs!r} from the mover"
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
        yield Disagreement(CheckKind.PYBULLET_NORMAL, f"{hit.id}: {ours}, not {(nx, ny)}")
    elif (
        isinstance(hit.thing, Vehicle)
        and scene.scheme is Scheme.CONTACT
        and hit.contact.edge is not None
    ):
        side, sector = struck_side(sample, hit.thing), hit.sector(scene.scheme)
        if side is not sector:
            yield Disagreement(CheckKind.PYBULLET_SECTOR, f"{hit.id}: {sector}, not {side}")


def _corners_meet(scene: Scene, sample: ContactSample) -> bool:
    """Tell whether a corner of the mover is at a corner of the thing when they touch."""
    hit = sample.hit
    part = scene.moving[hit.part].prism
    centre = np.array(scene.mover.centre_studs)
    turn = hit.pose.heading_deg - scene.mover.heading_deg
    moved = part.footprint.moved(np.array(hit.pose.centre_studs) - centre)
    ours = moved.turned(hit.pose.centre_studs, turn).vertices_studs
    theirs = sample.hit.thing.prism.footprint.vertices_studs
    apart = np.hypot(*(ours[:, None] - theirs[None]).transpose(2, 0, 1))
    return bool(apart.min() < _CORNERS_STUDS)
