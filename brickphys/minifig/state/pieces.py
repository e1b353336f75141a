"""Pieces: a figure, a thing and an item at one moment."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from brickphys.geometry.polygon import Point
from brickphys.minifig.state.setting import FigureNumber, ThingNumber
from brickphys.rules.turn_state import Count, Replaceable

PLACE_DECIMALS = 4
"""Places and facings are rounded to this many decimals."""


class Deed(Enum):
    """What a figure has done in this round (MF Rules)."""

    NOTHING = "nothing"
    MOVED = "moved"
    """It moved or stayed: it attacks who it touches."""
    ATTACKED = "attacked"
    OTHER = "other"
    """It did another pair of actions, and cannot attack."""


@dataclass(frozen=True)
class FigureState(Replaceable):
    """A figure at one moment."""

    x_in: float
    """Where the middle of its base is, along x; its horse's if it rides."""
    y_in: float
    """The same along y."""
    facing_deg: float
    """Where it looks, counter-clockwise from +x."""
    horse: ThingNumber | None = None
    """The number of the horse that it rides; None on foot."""
    is_alive: bool = True
    """Whether it is in the battle: a figure has no other health."""
    deed: Deed = Deed.NOTHING
    """What it has done in this round."""

    def __hash__(self) -> int:
        """Return the hash, worked out once: states that bots look at share most figures."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        own = (self.x_in, self.y_in, self.facing_deg, self.horse, self.is_alive, self.deed)
        return hash(own)

    @property
    def place_in(self) -> Point:
        """The middle of its base."""
        return self.x_in, self.y_in

    def at(self, place_in: Point, facing_deg: float) -> "FigureState":
        """Return the figure at another place, rounded."""
        x, y = rounded(place_in)
        return self.replaced(
            {"x_in": x, "y_in": y, "facing_deg": round(facing_deg % 360.0, PLACE_DECIMALS) % 360.0}
        )


@dataclass(frozen=True)
class ThingState(Replaceable):
    """A thing at one moment; a horse that is ridden is where its rider is."""

    x_in: float
    """Where the middle of its base is, along x."""
    y_in: float
    """The same along y."""
    facing_deg: float = 0.0
    """Where it points, counter-clockwise from +x."""
    is_loaded: bool = True
    """Whether a catapult can shoot (MF Reloading)."""
    worked_round: Count = 0
    """The last round in which it shot or was reloaded; of a horse, in which a rider left it or fell; 0 for none."""

    @property
    def place_in(self) -> Point:
        """The middle of its base."""
        return self.x_in, self.y_in


@dataclass(frozen=True)
class ItemState(Replaceable):
    """An item at one moment: a figure holds it, or it lies somewhere."""

    holder: FigureNumber | None
    """The number of the figure that holds it; None if it lies."""
    at_in: tuple[float, float] | None = None
    """Where it lies; None while it is held."""
    is_loaded: bool = True
    """Whether a crossbow can shoot (MF Reloading)."""


def rounded(place_in: Point) -> Point:
    """Return a place on the table as states hold it."""
    return round(place_in[0], PLACE_DECIMALS) + 0.0, round(place_in[1], PLACE_DECIMALS) + 0.0
