"""Witness: what PyBullet's contacts say of the bodies that a move brings together; nothing is stepped."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import hypot
from statistics import median

from brickphys.engines.bullet_prisms import MARGIN_MM, BulletPrism, BulletPrisms, Closest
from brickphys.engines.client import connection
from brickphys.geometry.polygon import Point
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.compulsory_move import (Hit)
from brickphys.vehicles.compulsory_move import (MoveResult)
from brickphys.vehicles.scene import Scene, Thing

STEP_STUDS = 0.05
"""How far before and after the touch PyBullet is asked."""
_AROUND_STUDS = 1e-4
"""Once in 25,000 touches Bullet is at a loss where bodies touch exactly: so the median of its answers there, and so far
before and behind, is taken."""
FAR_STUDS = 1.0
"""Bodies that are farther apart than this are not looked at."""


@dataclass(frozen=True)
class Sighting:
    """One hit as PyBullet sees it.

    Attributes
    ----------
    hit
        What is doubted.
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
class Rest:
    """A thing that was not hit, at the end of a move.

    Attributes
    ----------
    id
        Which thing.
    distance_studs
        From the mover.
    tolerance_studs
        How exactly PyBullet knows it.
    """

    id: str
    distance_studs: float
    tolerance_studs: float


class WitnessWorld:
    """Bodies of scenes in PyBullet: footprints between their heights."""

    def __init__(self, prisms: BulletPrisms) -> None:
        self._prisms = prisms

    def sightings(self, scene: Scene, hits: Iterable[Hit]) -> list[Sighting]:
        """Return hits of the mover as PyBullet sees them, but for those whose heights overlap too little for it.

        An overlap at the start has no first touch to look at: leave it out.
        """
        things = {thing.id: thing for _, _, thing in scene.things()}
        with self._mover(scene) as mover:
            return [
                self._sighting(scene, mover, things[hit.id], hit)
                for hit in hits
                if _level_studs(scene.mover, things[hit.id]) > STEP_STUDS
            ]

    def rests(self, scene: Scene, move: MoveResult) -> list[Rest]:
        """Return everything near the end of a move that it did not hit."""
        hit = {one.id for one in move.hits} | {scene.mover_id}
        with self._mover(scene) as mover:
            self._place(scene, mover, move.travelled_studs)
            near = [thing for _, _, thing in scene.things() if _is_near(scene, move, thing)]
            return [
                Rest(thing.id, closest.distance_mm / STUD_MM, _tolerance_studs(mover, body))
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
        way = distance_studs * STUD_MM
        self._prisms.place(mover, (way * x, way * y))

    def _closest(self, mover: BulletPrism, body: BulletPrism) -> Closest | None:
        return self._prisms.closest(mover, body, FAR_STUDS * STUD_MM)

    def _sighting(self, scene: Scene, mover: BulletPrism, thing: Thing, hit: Hit) -> Sighting:
        body = self._add(thing)

        def seen(step_studs: float) -> Closest:
            self._place(scene, mover, hit.distance_studs + step_studs)
            return self._closest(mover, body) or Closest(FAR_STUDS * STUD_MM, (0.0, 0.0, 0.0))

        before, after = seen(-STEP_STUDS), seen(STEP_STUDS)
        at_mm = median(seen(step).distance_mm for step in (-_AROUND_STUDS, 0.0, _AROUND_STUDS))
        x, y, _ = before.normal
        return Sighting(
            hit,
            before.distance_mm / STUD_MM,
            at_mm / STUD_MM,
            after.distance_mm / STUD_MM,
            (x, y),
            _tolerance_studs(mover, body) + _AROUND_STUDS,
        )


@contextmanager
def witness_world() -> Iterator[WitnessWorld]:
    """Open a world, and free it afterwards."""
    with connection() as (module, client):
        yield WitnessWorld(BulletPrisms(module, client))


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
