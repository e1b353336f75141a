"""Damage chart: the lines of hull and sail that hits cross off, from the topmost one down (PW Damage Chart)."""

from dataclasses import dataclass
from enum import Enum

from brickphys.errors import InvalidValueError

TOP_SAILS = 6
"""Sail lines above the first hull line of the printed chart."""
MOST_HULL = 9
"""Hull lines of the printed chart."""


class Line(Enum):
    """A line of the chart."""

    SAIL = "SF"
    HULL = "HF"


@dataclass(frozen=True)
class Damage:
    """What is left of a ship's lines: the lowest ones of each kind.

    Hits cross off the topmost open line of their kind, and sails that are reset open the lowest one that is crossed
    off. So the open lines of each kind are always the lowest of that kind, and two numbers say everything.
    """

    hull: int  # open hull and sail lines: HF and SF now
    sails: int


@dataclass(frozen=True)
class DamageChart:
    """The damage chart of a ship."""

    hull: int
    """Hull lines of the undamaged ship (HF)."""
    sails: int
    """Sail lines of the undamaged ship (SF)."""
    sail_loss: int
    """The speed that each sail line adds (SL)."""

    def __post_init__(self) -> None:
        if not 1 <= self.hull <= MOST_HULL:
            raise InvalidValueError(f"hull: {self.hull} is not from 1 to {MOST_HULL}")
        least, most = self.hull, self.hull - 1 + TOP_SAILS
        if not least <= self.sails <= most:
            raise InvalidValueError(f"sails: {self.sails} is not from {least} to {most}")

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines from the top: sails above the first hull line, then sail and hull in turn."""
        below = (Line.SAIL, Line.HULL) * (self.hull - 1)
        return (*(Line.SAIL,) * (self.sails - self.hull + 1), Line.HULL, *below)

    @property
    def speeds(self) -> tuple[int | None, ...]:
        """The speed beside each line from the top; None beside hull lines."""
        left, found = self.sails, list[int | None]()
        for line in self.lines:
            found.append(left * self.sail_loss if line is Line.SAIL else None)
            left -= line is Line.SAIL
        return tuple(found)

    def speed_studs(self, damage: Damage) -> int:
        """Return the speed beside the topmost open sail line; 0 without sails."""
        return damage.sails * self.sail_loss

    def topmost(self, damage: Damage) -> Line | None:
        """Return the topmost open line, which a ball crosses off; None if no line is open."""
        if not damage.hull:
            return Line.SAIL if damage.sails else None
        # hull line k from the bottom is below sail line k, and above sail line k - 1
        return Line.SAIL if damage.sails >= damage.hull else Line.HULL

    def hit(self, damage: Damage, line: Line | None = None) -> Damage:
        """Return the damage after a hit: on the topmost open line, or on that of a kind; the same if none is open."""
        found = line or self.topmost(damage)
        if found is Line.SAIL:
            return Damage(damage.hull, max(damage.sails - 1, 0))
        return self.stripped(Damage(damage.hull - 1, damage.sails)) if damage.hull else damage

    def stripped(self, damage: Damage) -> Damage:
        """Return the damage after sails beyond the hull lines are struck, as after any loss of a hull line."""
        return Damage(damage.hull, min(damage.sails, damage.hull))

    def reset(self, damage: Damage, sails: int) -> Damage:
        """Return the damage after some sails are set again: never more than the hull has lines (PW Sailing)."""
        most = max(min(self.sails, damage.hull), damage.sails)
        return Damage(damage.hull, min(damage.sails + sails, most))
