"""Passage: between which positions a moving prism overlaps obstacles, and where it first overlaps none."""

from dataclasses import dataclass
from math import inf

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import Point
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep import sweep


@dataclass(frozen=True)
class Passage:
    """The part of a way on which a mover overlaps one obstacle.

    Attributes
    ----------
    number
        Which obstacle.
    begins_studs
        Travelled at first touch; minus infinity for an overlap at the start.
    ends_studs
        Travelled at last touch; infinity for an overlap at the end.
    """

    number: int
    begins_studs: float
    ends_studs: float


def passages(
    mover: Prism, heading: Point, distance_studs: float, obstacles: Obstacles
) -> list[Passage]:
    """Return where a prism overlaps obstacles on its way, in the order in which that begins.

    The ends are found by a sweep back from the far end, so they are as exact as the beginnings.

    Parameters
    ----------
    mover
        Where it starts.
    heading
        Unit vector of its direction.
    distance_studs
        Length of its way.
    obstacles
        What it may overlap; none of them stops it.
    """
    ahead = sweep(mover, heading, distance_studs, obstacles)
    if not ahead:
        return []
    x, y = heading
    there = mover.footprint.moved((x * distance_studs, y * distance_studs))
    far = Prism(there, mover.bottom_plates, mover.top_plates)
    ends = {
        touch.number: inf if touch.overlaps_at_start else distance_studs - touch.distance_studs
        for touch in sweep(far, (-x, -y), distance_studs, obstacles)
    }
    found = []
    for touch in ahead:
        begins = -inf if touch.overlaps_at_start else touch.distance_studs
        found.append(Passage(touch.number, begins, ends.get(touch.number, touch.distance_studs)))
    return sorted(found, key=lambda passage: passage.begins_studs)


def first_free_studs(
    mover: Prism, heading: Point, distance_studs: float, obstacles: Obstacles
) -> float | None:
    """Return how far a prism moves until it first overlaps no obstacle; None if it always overlaps some.

    The parameters are those of `passages`.
    """
    free = 0.0
    for passage in passages(mover, heading, distance_studs, obstacles):
        if passage.begins_studs >= free:
            break
        free = max(free, passage.ends_studs)
    return free if free <= distance_studs else None
