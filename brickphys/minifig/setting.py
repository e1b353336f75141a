"""Setting: what never changes during a battle: table, zones, walls, figures, things, items, aims, options.

A piece of wall is built of courses of bricks; what is left of it without some of them is worked out here, too.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import groupby
from math import cos, hypot, radians, sin
from typing import Annotated, Any, Literal

import numpy as np

from brickphys.geometry.polygon import Point
from brickphys.minifig.sheets import Arm, Kind, ThingKind, charts
from brickphys.projectiles.target import Target, brick_wall
from brickphys.rules.record import GameSetting, numbered
from brickphys.units import BRICK_MM, STUD_MM, Indices

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
        """Its bricks in its own frame, as `brickphys.projectiles.target.brick_wall` numbers them."""
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

    @cached_property
    def half_mm(self) -> float:
        """Half of the diagonal of its footprint."""
        return hypot(self.length_studs, 2) * STUD_MM / 2

    @cached_property
    def every_brick(self) -> tuple[int, ...]:
        """The numbers of all its bricks."""
        return tuple(range(len(self.spans)))

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


FigureNumber = Annotated[int, "figures"]
ThingNumber = Annotated[int, "things"]
ItemNumber = Annotated[int, "items"]
WallNumber = Annotated[int, "walls"]
"""Indices in a `Setting`; the notation of states refuses others."""


@dataclass(frozen=True)
class Options:
    """Choices between readings of the rules."""

    experience_bricks: bool = False
    """Experience adds bricks to a roll, not points to its score (MF Experience)."""
    wall_attack: Literal["from", "against"] = "from"
    """The attack bricks of the row Wall/Barricade are for an attack from a wall on an enemy on its other side, or for
    one against the wall itself, not a fight over it (MF Resolving Combat)."""
    fixed_order: bool = False
    """The players act in the order of the setup in every round instead of rolling for it (MF Rules)."""
    no_missiles_in_contact: bool = True
    """No missile is shot by or at a figure that touches an enemy (MF Projectiles)."""


class ZoneKind(Enum):
    """What the ground of a zone is; everything else is flat and open."""

    WOODS = "woods"
    WATER = "water"
    HILL = "hill"


@dataclass(frozen=True)
class Zone:
    """A part of the table with ground of its own: a convex polygon, counter-clockwise."""

    kind: ZoneKind
    """What the ground is."""
    corners_in: tuple[Point, ...]
    """Its corners, in inches."""
    height_bricks: int = 0
    """The height of a hill; 0 for others."""


@dataclass(frozen=True)
class FigureSpec:
    """A figure: its name, its player, its kind, what it wears and how experienced it is."""

    name: str
    """Its name."""
    player: int
    """Its player."""
    kind: Kind
    """Its row of the chart of figures."""
    worn: tuple[Arm, ...] = ()
    """What it wears."""
    experience: int = 0
    """Its experience at the start."""


@dataclass(frozen=True)
class ThingSpec:
    """A horse, a wagon or a catapult, by name."""

    name: str
    """Its name."""
    kind: ThingKind
    """Its row of the chart of things."""


@dataclass(frozen=True)
class ItemSpec:
    """A weapon or shield, by name; figures hold it, or it lies on the table."""

    name: str
    """Its name."""
    arm: Arm
    """Its row of the chart of arms."""


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    """The constants of a battle; states number figures, things, items and walls in this order."""

    width_in: float
    """Width of the table, along x."""
    length_in: float
    """Length of the table, along y."""
    teams: tuple[int, ...]
    """The team of each player."""
    figures: tuple[FigureSpec, ...]
    """All figures; states number them in this order."""
    things: tuple[ThingSpec, ...] = ()
    """All horses, wagons and catapults."""
    items: tuple[ItemSpec, ...] = ()
    """All weapons and shields that are not worn."""
    walls: tuple[WallSpec, ...] = ()
    """All walls."""
    zones: tuple[Zone, ...] = ()
    """Ground that is not flat and open."""
    aims: tuple[Any, ...] = ()
    """Ways to win besides being the last team."""
    options: Options = Options()
    """Choices between readings of the rules."""

    figure_numbers = numbered("figures")
    thing_numbers = numbered("things")
    item_numbers = numbered("items")
    wall_numbers = numbered("walls")

    @cached_property
    def figure_teams(self) -> tuple[int, ...]:
        """The team of each figure."""
        return tuple(self.teams[figure.player] for figure in self.figures)

    @cached_property
    def has_catapults(self) -> bool:
        """Whether there is a thing that shoots."""
        return any(thing.kind.missile for thing in self.things)

    @cached_property
    def sides(self) -> Indices:
        """The team of each figure, as an array."""
        return np.array(self.figure_teams)

    def colour(self, figure: int) -> str:
        """Return the colour of the base of a figure: its experience at the start (MF Experience)."""
        return charts().colours[self.figures[figure].experience]
