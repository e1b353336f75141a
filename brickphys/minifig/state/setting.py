"""Setting: what never changes during a battle."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from brickphys.arrays import Indices
from brickphys.geometry.polygon import Point
from brickphys.minifig.sheets.charts import Arm, Kind, ThingKind, charts
from brickphys.minifig.state.wall import WallSpec
from brickphys.rules.setting import GameSetting

FigureNumber = Annotated[int, "figures"]
ThingNumber = Annotated[int, "things"]
ItemNumber = Annotated[int, "items"]
WallNumber = Annotated[int, "walls"]
"""Indices in a `Setting`; the notation of states refuses others."""


class WallAttack(Enum):
    """What the attack bricks of the row Wall/Barricade are for (MF Resolving Combat)."""

    FROM = "from"
    """An attack from a wall or barricade, on an enemy on its other side."""
    AGAINST = "against"
    """An attack on a wall or barricade itself, not a fight over it."""


@dataclass(frozen=True)
class Options:
    """Choices between readings of the rules."""

    experience_bricks: bool = False
    """Experience adds bricks to a roll, not points to its score (MF Experience)."""
    wall_attack: WallAttack = WallAttack.FROM
    """How the row Wall/Barricade is read (MF Resolving Combat)."""
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
class Item:
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
    items: tuple[Item, ...] = ()
    """All weapons and shields that are not worn."""
    walls: tuple[WallSpec, ...] = ()
    """All walls."""
    zones: tuple[Zone, ...] = ()
    """Ground that is not flat and open."""
    aims: tuple[Any, ...] = ()
    """Ways to win besides being the last team."""
    options: Options = Options()
    """Choices between readings of the rules."""

    @cached_property
    def figure_numbers(self) -> dict[str, int]:
        """Number of each figure by name."""
        return {figure.name: number for number, figure in enumerate(self.figures)}

    @cached_property
    def thing_numbers(self) -> dict[str, int]:
        """Number of each thing by name."""
        return {thing.name: number for number, thing in enumerate(self.things)}

    @cached_property
    def item_numbers(self) -> dict[str, int]:
        """Number of each item by name."""
        return {item.name: number for number, item in enumerate(self.items)}

    @cached_property
    def wall_numbers(self) -> dict[str, int]:
        """Number of each wall by name."""
        return {wall.name: number for number, wall in enumerate(self.walls)}

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
