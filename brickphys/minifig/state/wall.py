"""Wall: a piece of wall built of courses of bricks, and what is left of it without some of them."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import cos, radians, sin

from brickphys.geometry.polygon import Point
from brickphys.projectiles.bodies.target import Target
from brickphys.projectiles.bodies.wall import brick_wall
from brickphys.units import BRICK_MM, STUD_MM

STUD_IN = STUD_MM / 25.4
THICK_IN = 2 * STUD_IN


@dataclass(frozen=True)
class Run:
    """A part of a wall along which the same number of bricks lie one above the other."""

    first_stud: int
    end_stud: int
    height_bricks: int


@dataclass(frozen=True)
class WallSpec:
    """A piece of wall, two studs thick, as it is built.

    Its length lies across `facing_deg`, its middle at the place; studs along it are counted from its right end, as seen
    by who looks along the facing.
    """

    name: str
    """Its name."""
    x_in: float
    """Where its middle is, along x."""
    y_in: float
    """The same along y."""
    facing_deg: float
    """Across its length, counter-clockwise from +x."""
    length_studs: int
    """Its length."""
    courses: int
    """How many bricks lie above each other."""

    @cached_property
    def target(self) -> Target:
        """Its bricks in its own frame, as `brickphys.projectiles.bodies.wall.brick_wall` numbers them."""
        return brick_wall(self.courses, self.length_studs)

    @cached_property
    def spans(self) -> tuple[tuple[int, int, int], ...]:
        """For each brick its first stud, the stud after its last, and its course from 0."""
        half = self.length_studs * STUD_MM / 2
        return tuple(
            (
                round((part.centre_mm[1] - part.size_mm[1] / 2 + half) / STUD_MM),
                round((part.centre_mm[1] + part.size_mm[1] / 2 + half) / STUD_MM),
                round(part.low_mm / BRICK_MM),
            )
            for part in self.target.parts
        )

    def runs(self, out: Collection[int]) -> list[Run]:
        """Return what stands without some bricks, along the wall; parts where nothing is left are left out."""
        heights = [0] * self.length_studs
        for number, (first, end, _) in enumerate(self.spans):
            if number not in out:
                for stud in range(first, end):
                    heights[stud] += 1
        found, at = [], 0
        for height, group in groupby(heights):
            end = at + len(list(group))
            if height:
                found.append(Run(at, end, height))
            at = end
        return found

    def corners_in(self, first_stud: float, end_stud: float) -> tuple[Point, ...]:
        """Return the corners of the footprint of a part of it, on the table, counter-clockwise."""
        c, s = cos(radians(self.facing_deg)), sin(radians(self.facing_deg))
        half = self.length_studs / 2
        sides = ((first_stud - half) * STUD_IN, (end_stud - half) * STUD_IN)
        deep = THICK_IN / 2
        frame = ((-deep, sides[0]), (deep, sides[0]), (deep, sides[1]), (-deep, sides[1]))
        return tuple((self.x_in + c * u - s * v, self.y_in + s * u + c * v) for u, v in frame)
