"""Circle: an area of aims on an open table, in the unit of the game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist

from brickphys.geometry.polygon import Point


@dataclass(frozen=True)
class Circle:
    """A circle on the table."""

    centre: Point
    """Its middle, in the unit of the table."""
    radius: float
    """Its radius, in the same unit."""

    def contains(self, point: Point) -> bool:
        """Tell whether a point is in it, its edge included."""
        return dist(point, self.centre) <= self.radius


@dataclass(frozen=True)
class CirclePositions:
    """Where units are, as `brickphys.rules.aims.aims.Positions`; areas are circles, and the middles of units count."""

    places: Mapping[int, Point]  # of each unit that counts, by number
    teams: Sequence[int | None]  # of each unit, if it is known
    things: Mapping[int, Collection[str]] = field(
        default_factory=dict
    )  # that units have, by number

    def units_in(self, area: Circle) -> list[int]:
        """Return the units in a circle."""
        return [number for number, middle in self.places.items() if area.contains(middle)]

    def team(self, unit: int) -> int | None:
        """Return the team of a unit."""
        return self.teams[unit]

    def has(self, unit: int, item: str) -> bool:
        """Tell whether a unit has a thing."""
        return item in self.things.get(unit, ())
