"""Resolve: the move of a scene by the rules of scene files, those of BOW (3.2, 3.3, 3.6)."""

from collections.abc import Sequence

from brickphys.vehicles.course import Hit, Mover, MoveResult, follow
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.piece import Piece, Straight
from brickphys.vehicles.scene import Scene, Vehicle
from brickphys.vehicles.scene_rules import distance_studs
from brickphys.vehicles.sectors import Scheme, Sector


def resolve(scene: Scene) -> MoveResult:
    """Return what the move of a scene comes to."""
    mover = Mover.of(scene.mover, scene.lashed_vehicles)
    return follow(mover, course_of(scene), NamedObstacles.of(scene.bounds, scene.things))


def course_of(scene: Scene) -> Sequence[Piece]:
    """Return what the mover of a scene does: its course, else as far straight ahead as its speed says (BOW 3.2)."""
    if scene.course or not scene.mover.speed:
        return scene.course
    return (Straight(distance_studs(scene.mover.speed)),)


def relative_speed(mover: Vehicle, hit: Hit, scheme: Scheme) -> int:
    """Return the speed with which a vehicle meets what it hits: the bricks that the victim must resist.

    The speed of the mover (BOW 3.6.1, 3.6.2); of two vehicles the sum if the mover comes from the front, the
    difference if it comes from the rear (BOW 3.6.3).

    Parameters
    ----------
    mover
        The vehicle that moves.
    hit
        One of its hits.
    scheme
        The sector scheme.
    """
    side = hit.sector(scheme)
    if isinstance(hit.thing, Vehicle) and side is Sector.FRONT:
        return mover.speed + hit.thing.speed
    if isinstance(hit.thing, Vehicle) and side is Sector.REAR:
        return abs(mover.speed - hit.thing.speed)
    return mover.speed
