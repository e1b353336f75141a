"""Lane: the strip that a mover drives along, and things placed against it."""

from dataclasses import dataclass

from brickphys.geometry.polygon import Point
from brickphys.vehicles.scene import Thing, Vehicle
from brickphys.vehicles.scene_rules import distance_studs
from brickphys.vehicles.validation.random_things import Rng, laid, pick

CLEAR = 0.05
"""Studs: the least distance of the corner that is placed from the ends of the edge that it is placed against."""


@dataclass(frozen=True)
class Lane:
    """The path of a mover.

    Attributes
    ----------
    mover
        The vehicle that moves.
    """

    mover: Vehicle

    @property
    def ahead(self) -> Point:
        """Unit vector of the path."""
        return self.mover.heading

    @property
    def half_studs(self) -> Point:
        """Half the mover's length and width."""
        return self.mover.length_studs / 2, self.mover.width_studs / 2

    @property
    def length_studs(self) -> float:
        """How far the mover goes."""
        return distance_studs(self.mover.speed)

    def in_front(self, rng: Rng, thing: Thing, gap_studs: float) -> Thing:
        """Place a thing that far before the front, its first corner somewhere within the lane."""
        length, width = self.half_studs
        across = rng.uniform(CLEAR - width, width - CLEAR)
        return laid(thing, self.mover.centre_studs, self.ahead, length + gap_studs, across)

    def behind(self, rng: Rng, thing: Thing, gap_studs: float) -> Thing:
        """Place a thing that far behind the rear."""
        length, width = self.half_studs
        back = (-self.ahead[0], -self.ahead[1])
        across = rng.uniform(CLEAR - width, width - CLEAR)
        return laid(thing, self.mover.centre_studs, back, length + gap_studs, across)

    def beside(self, rng: Rng, thing: Thing, gap_studs: float) -> Thing:
        """Place a thing that far off the lane, to its left or right, its first corner somewhere along the path."""
        length, width = self.half_studs
        side = pick(rng, (1, -1))
        outward = (-side * self.ahead[1], side * self.ahead[0])
        along = length + rng.uniform(CLEAR, self.length_studs - CLEAR)
        return laid(thing, self.mover.centre_studs, outward, width + gap_studs, -side * along)
