"""Crew: a minifig at one moment, and the orders of a turn."""

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from brickphys.geometry.polygon import Point
from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.sheets.ship_sheet import Place
from brickphys.pirate_wars.state.setting import MinifigNumber, ShipNumber
from brickphys.rules.turn_state import Count

SAILING_PLACES = (Place.HELM, Place.DECK, Place.CASTLE)
"""Where sails are handled (PW Sailing)."""


Spot = tuple[Place, int | None]
"""A place on a ship, and the number of the gun if it is one."""


class Life(Enum):
    """What has become of a minifig."""

    ALIVE = "alive"
    DEAD = "dead"
    PRISONER = "prisoner"
    LEFT = "left"
    """It left the battle with its ship."""


@dataclass(frozen=True, slots=True)
class MinifigState:
    """A minifig at one moment."""

    ship: ShipNumber | None
    """The number of the ship where it is; None in the water, and after its end."""
    place: Place
    """Where it is on the ship, or in the water."""
    gun: Count | None = None
    """The number of the gun that it mans; None elsewhere."""
    at_studs: tuple[float, float] | None = None
    """Where it swims; None on a ship."""
    is_loaded: bool = True
    """Whether its musket or pistol is loaded."""
    life: Life = Life.ALIVE
    """Whether it takes part."""

    @property
    def spot(self) -> Spot:
        """Its place with the number of the gun."""
        return self.place, self.gun

    @property
    def is_alive(self) -> bool:
        """Whether it takes part."""
        return self.life is Life.ALIVE

    @property
    def swims(self) -> bool:
        """Whether it is in the water."""
        return self.is_alive and self.place is Place.WATER


class Task(Enum):
    """What a minifig or a gun is ordered to do (PW Tasks).

    Who has no order does the usual task of the place: at a gun that is not loaded reloading it; on deck, in a castle
    and at the helm reloading an empty weapon, else sailing.
    """

    FIRE = "fire"
    SHOOT = "shoot"
    MOVE = "move"
    HAUL = "haul"
    SWIM = "swim"
    JUMP = "jump"
    BOARD = "board"
    SCUTTLE = "scuttle"


@dataclass(frozen=True, slots=True)
class Order:
    """An order; ships, minifigs and guns are numbers."""

    task: Task
    """The task."""
    ship: ShipNumber
    """The ship on which it is done; for a swimmer, the ship to which it swims."""
    minifig: MinifigNumber | None = None
    """The minifig that does it; None if a gun's crew or the whole crew does it."""
    gun: Count | None = None
    """The gun that fires or is hauled, or to which the minifig goes."""
    ammunition: Ammunition | None = None
    """What a gun fires; None for others."""
    target: ShipNumber | None = None
    """The ship that is attacked."""
    place: Place | None = None
    """Where the minifig goes; None for others."""

    @property
    def given(self) -> dict[str, Any]:
        """What it says besides its task, by field."""
        names = [field.name for field in fields(self) if field.name != "task"]
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def rounded(at_studs: Point) -> Point:
    """Return a place in the water as states hold it."""
    return round(at_studs[0], 9) + 0.0, round(at_studs[1], 9) + 0.0
