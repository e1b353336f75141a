"""Circle reader: the aims of a setup whose areas are circles."""

from collections.abc import Collection, Mapping
from typing import Any

from brickphys.rules.aims.aim_reader import AimReader
from brickphys.rules.aims.circle import Circle


class CircleAimReader(AimReader[Any, Circle]):
    """Reads aims whose form is sound, each with ``area``: the middle of a circle, x and y, and its radius.

    Parameters
    ----------
    teams, units
        As in `AimReader`.
    things
        The names of all things that a unit may have.
    """

    def __init__(
        self,
        teams: Mapping[str, int],
        units: Mapping[str, int | None],
        things: Collection[str] = (),
    ) -> None:
        super().__init__(teams, units)
        self._things = things

    def area(self, place: str, entry: Any) -> Circle:
        """Return the circle."""
        x, y, radius = entry.area
        return Circle((x, y), radius)

    def room(self, area: Circle) -> int:
        """Return 0: no circle is too small for units, whose middles count."""
        return 0

    def items(self) -> Collection[str]:
        """Return the things."""
        return self._things
