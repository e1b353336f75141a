"""PyBullet check: PyBullet's contacts of the bodies that a move brings together; no time step is made."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import hypot
from statistics import median

from brickphys.engines.bullet_prisms import MARGIN_MM, BulletPrism, BulletPrisms, Closest
from brickphys.engines.client import connection
from brickphys.geometry.polygon import Point
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.course import Hit, MoveResult
from brickphys.vehicles.scene import Scene, Thing

STEP_STUDS = 0.05
"""How far before and after the touch the bodies are placed."""
_AROUND_STUDS = 1e-4
"""Once in 25,000 touches Bullet gives a wrong distance of bodies that touch exactly. The median of three distances is
taken: at the touch, this far before it, and this far after it."""
FAR_STUDS = 1.0
"""Bodies that are farther apart than this are left out."""


@dataclass(frozen=True)
class ContactSample:
    """PyBullet's contact of one hit.

    Attributes
    ----------
    hit
        The hit that is checked.
    before_studs, at_studs, after_studs
        Distance of the bodies just before the touch, at it, and just after it; below 0 for an overlap.
    normal
        In plan, just before the touch, outward from the thing that is hit.
    tolerance_studs
        How exactly PyBullet knows these distances.
    """

    hit: Hit
    before_studs: float
    at_studs: float
    after_studs: float
    normal: Point
    tolerance_studs: float


@dataclass(frozen=True)
class Clearance:
    """The distance of the mover, at the end of its move, from a thing that it did not hit.

    Attributes
    ----------
    id
        Which thing.
    distance_studs
        From the mover; below 0 for an overlap.
    tolerance_studs
        How exactly PyBullet knows it.
    """

    id: str
    distance_studs: float
    tolerance_studs: float


class ContactWorld:
    """Bodies of scenes in PyBullet: footprints between their heights."""

    def __init__(self, prisms: BulletPrisms) -> None:
        self._prisms = prisms

    def samples(self, scene: Scene, hits: Iterable[Hit]) -> list[ContactSample]:
        """Return PyBullet's contacts of hits, without those whose heights overlap too little for it.

        An overlap at the start has no first touch: it must not be among the hits.
        """
        with self._mover(scene) as mover:
            return [
                self._sample(scene, mover, hit)
                for hit in hits
                if _level_studs(scene.mover, hit.thing) > STEP_STUDS
            ]

    def clearances(self, scene: Scene, move: MoveResult) -> list[Clearance]:
        """Return the distances of everything near the end of a move that it did not hit."""
        hit = {one.id for one in move.hits} | {scene.mover_id}
        with self._mover(scene) as mover:
            self._place(scene, mover, move.travelled_studs)
            near = [thing for thing in scene.things if _is_near(scene, move, thing)]
            return [
                Clearance(thing.id, closest.distance_mm / STUD_MM, _tolerance_studs(mover, body))
                for thing in near
                if thing.id not in hit
                for body in [self._add(thing)]
                for closest in [self._closest(mover, body)]
                if closest is not None
            ]

    @contextmanager
    def _mover(self, scene: Scene) -> Iterator[BulletPrism]:
        yield self._add(scene.mover)
        self._prisms.clear()

    def _add(self, thing: Thing) -> BulletPrism:
        prism = thing.prism
        levels = (prism.bottom_plates * PLATE_MM, prism.top_plates * PLATE_MM)
        return self._prisms.add(prism.footprint.vertices_studs * STUD_MM, *levels)

    def _place(self, scene: Scene, mover: BulletPrism, distance_studs: float) -> None:
        x, y = scene.mover.heading
        shift = distance_studs * STUD_MM
        self._prisms.place(mover, (shift * x, shift * y))

    def _closest(self, mover: BulletPrism, body: BulletPrism) -> Closest | None:
        return self._prisms.closest(mover, body, FAR_STUDS * STUD_MM)

    def _sample(self, scene: Scene, mover: BulletPrism, hit: Hit) -> ContactSample:
        body = self._add(hit.thing)

        def closest(step_studs: float) -> Closest:
            self._place(scene, mover, hit.distance_studs + step_studs)
            return self._closest(mover, body) or Closest(FAR_STUDS * STUD_MM, (0.0, 0.0, 0.0))

        before, after = closest(-STEP_STUDS), closest(STEP_STUDS)
        at_mm = median(closest(step).distance_mm for step in (-_AROUND_STUDS, 0.0, _AROUND_STUDS))
        x, y, _ = before.normal
        return ContactSample(
            hit,
            before.distance_mm / STUD_MM,
            at_mm / STUD_MM,
            after.distance_mm / STUD_MM,
            (x, y),
            _tolerance_studs(mover, body) + _AROUND_STUDS,
        )


@contextmanager
def contact_world() -> Iterator[ContactWorld]:
    """Open a world, and close it afterwards."""
    with connection() as (module, client):
        yield ContactWorld(BulletPrisms(module, client))


def _level_studs(mover: Thing, thing: Thing) -> float:
    """Return by how much heights overlap."""
    top = min(mover.top_plates, thing.top_plates)
    return (top - max(mover.bottom_plates, thing.bottom_plates)) * PLATE_MM / STUD_MM


def _tolerance_studs(first: BulletPrism, second: BulletPrism) -> float:
    return (first.rounding_mm + second.rounding_mm + 2 * MARGIN_MM) / STUD_MM


def _is_near(scene: Scene, move: MoveResult, thing: Thing) -> bool:
    (x, y, radius), (_, _, ours) = thing.prism.circle_studs, scene.mover.prism.circle_studs
    end_x, end_y = move.end_studs
    return hypot(x - end_x, y - end_y) <= radius + ours + FAR_STUDS
