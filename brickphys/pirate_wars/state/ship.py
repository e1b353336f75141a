"""Ship: a ship at one moment."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Annotated

from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.geometry.prism import Prism
from brickphys.pirate_wars.sheets.damage_chart import Damage
from brickphys.pirate_wars.sheets.ship_sheet import Gun, ShipSheet
from brickphys.rules.turn_state import Count, PlayerNumber, Replaceable

LOADED = 2
"""Loads of a gun that can fire: each minifig that reloads adds one (PW Reloading)."""
_DECIMALS = 12
"""Places are rounded to this many decimals; rounding errors never add up to the tolerance of an overlap."""


class Fate(Enum):
    """Whether a ship is still in the battle."""

    AFLOAT = "afloat"
    SUNK = "sunk"
    LEFT = "left_the_sea"
    FLED = "fled_out_of_range"
    STRUCK = "struck_its_colours"
    """No enemy was near enough to take it."""


@dataclass(frozen=True, slots=True)
class GunState:
    """A gun at one moment."""

    loads: Annotated[int, range(LOADED + 1)] = LOADED
    """2 if it is loaded, 1 if half."""
    is_hauled: bool = False
    """Whether it stands on the other side than at the start (PW Moving)."""
    is_lost: bool = False
    """Whether it is out of the battle."""


@dataclass(frozen=True)
class ShipState(Replaceable):
    """A ship at one moment."""

    x_studs: float
    """Where the middle of its length is, along x."""
    y_studs: float
    """The same along y."""
    heading_deg: float
    """Its heading, counter-clockwise from +x."""
    hull: Count
    """The open hull lines (HF): what is left of its health."""
    sails: Count
    """The open sail lines (SF)."""
    owner: PlayerNumber
    """The player whose crew sails it: another one's after it was taken."""
    guns: tuple[GunState, ...]
    """Its guns, in the order of its sheet."""
    fate: Fate = Fate.AFLOAT
    """Whether it is still in the battle."""
    is_adrift: bool = False
    """Whether it drifts in this turn (PW Movement)."""
    rudder_lost: bool = False
    """Whether it drifts for good (PW, Critical Hit Chart)."""
    mast_turns: Count = 0
    """Turns that it drifts for a lost mast."""
    fled_round: Count = 0
    """The turn of the book in which its crew began to flee; 0 if it does not."""
    is_abandoned: bool = False
    """Whether its crew has abandoned it, and nobody has taken it since (PW, Morale Chart)."""

    @classmethod
    def undamaged(cls, sheet: ShipSheet, owner: int, pose: Pose) -> "ShipState":
        """Return a ship as it is at the start, all guns loaded."""
        guns = (GunState(),) * len(sheet.guns)
        return cls(0.0, 0.0, 0.0, sheet.chart.hull, sheet.chart.sails, owner, guns).at(pose)

    @cached_property
    def pose(self) -> Pose:
        """Its place and heading."""
        return Pose(self.x_studs, self.y_studs, self.heading_deg)

    @property
    def centre_studs(self) -> Point:
        """The middle of its length."""
        return self.x_studs, self.y_studs

    @property
    def damage(self) -> Damage:
        """The open lines of its damage chart."""
        return Damage(self.hull, self.sails)

    @property
    def is_afloat(self) -> bool:
        """Whether it is still in the battle."""
        return self.fate is Fate.AFLOAT

    @property
    def is_fleeing(self) -> bool:
        """Whether its crew flees: it is sailed by its player, and its crew has no orders but sailing (PW Morale)."""
        return self.fled_round > 0

    def at(self, pose: Pose) -> "ShipState":
        """Return the ship at another place, rounded."""
        x, y, heading_deg = pose
        return self.replaced(
            {
                "x_studs": round(x, _DECIMALS) + 0.0,
                "y_studs": round(y, _DECIMALS) + 0.0,
                "heading_deg": round(heading_deg % 360.0, _DECIMALS) % 360.0,
            }
        )

    def gun(self, sheet: ShipSheet, number: int) -> Gun:
        """Return a gun, on the side where it stands now."""
        gun = sheet.guns[number]
        return gun.hauled if self.guns[number].is_hauled else gun


_HULL_PLATES = 9.0
"""Height of all hulls: the same, so that any two of them meet."""


@lru_cache(maxsize=4096)  # preparing a prism costs more than a sweep
def hull_prism(sheet: ShipSheet, pose: Pose) -> Prism:
    """Return the space that the hull of a ship fills at some place."""
    return Prism(pose.placed(sheet.hull), 0.0, _HULL_PLATES)
