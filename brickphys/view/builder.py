"""Builder: what a game puts on the table in three dimensions, so that all games are shown in one place."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from brickphys.arrays import Triple
from brickphys.geometry.polygon import Point
from brickphys.rules.record import State
from brickphys.view.recording import Ruler, Shape

TO_US_DEG = -60.0
"""Facing of a thing that shows a description sheet."""


@dataclass(frozen=True)
class Placed:
    """Something on the table at one moment.

    Attributes
    ----------
    key
        What it is, from moment to moment; unique at each.
    shape
        Its looks.
    at_mm
        Where it is: on the table, or in the frame of its parent.
    heading_deg
        Where it looks, counter-clockwise from +x.
    label
        Its name beside it; empty for none.
    tag
        Colour of that name.
    colours
        Colours of its own, by those of the shape.
    parent
        The key of what carries it, which comes before it; empty for none.
    copies_mm
        Places of copies of the shape; empty for the shape itself.
    """

    key: str
    shape: Shape
    at_mm: Triple = (0.0, 0.0, 0.0)
    heading_deg: float = 0.0
    label: str = ""
    tag: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)
    parent: str = ""
    copies_mm: tuple[Triple, ...] = ()

    @property
    def looks(self) -> tuple[object, ...]:
        """What differs if it is to be seen as another thing."""
        own = tuple(sorted(self.colours.items()))
        return self.shape.name, own, self.label, self.tag, self.parent, self.copies_mm


class Builder(ABC, Generic[State]):
    """Puts the table and the pieces of one game into space; it is made without parameters.

    A game names its builder as `models` (see `brickphys.rules.report.parts.Parts`).

    Attributes
    ----------
    unit_mm
        Length of the unit of the field.
    mark_mm
        Width of ways and arrows.
    free_words
        Words of actions that lead to any place in reach, not only to those of the list.
    """

    unit_mm: float = 8.0
    mark_mm: float = 1.6
    free_words: Collection[str] = ()

    @abstractmethod
    def size(self, state: State) -> tuple[float, float]:
        """Return the width and the length of the field, in its unit."""

    def ruler(self, state: State) -> Ruler:
        """Return how places of the field are named: by default as numbers of its unit."""
        return Ruler(self.unit_mm, *self.size(state))

    @abstractmethod
    def players(self, state: State) -> Sequence[str]:
        """Return the names of the players."""

    @abstractmethod
    def ground(self, state: State) -> Iterable[Placed]:
        """Yield the table with what is built on it; what stays equal from moment to moment is kept."""

    @abstractmethod
    def pieces(self, state: State) -> Iterable[Placed]:
        """Yield what stands on the table."""

    def sheet(self, sheet: Any, colour: str) -> Iterable[Placed]:
        """Yield what a description sheet of the game describes, on the origin; nothing if that cannot be built.

        Parameters
        ----------
        sheet
            A `brickphys.rules.report.sheets.Sheet` of the game.
        colour
            Of its player.
        """
        return ()

    def height_mm(self, state: State, place: Point) -> float:
        """Return the height of the ground at a place of the field."""
        return 0.0

    def spot(self, state: State, place: Point) -> Point | None:
        """Return where on the field a place is that an action names; None if it is not shown."""
        return place

    def place_text(self, state: State, place: Point) -> str:
        """Return a place of the field as a person types it."""
        x, y = place
        return f"{x:.2f} {y:.2f}"
