"""Sheets: the description sheets of a game's units, the totals of armies, and the prices of units."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import prod
from typing import Any, Protocol, TypeAlias

from brickphys.errors import InvalidValueError
from brickphys.text import columns

_HEAD = ("name", "about")

Paint: TypeAlias = Callable[[str, str | None], str]
"""Writes a letter of a sheet on a colour: a name of `brickphys.shapes.palette`, or None for no colour."""


class Sheet(Protocol):
    """A description sheet, as the command `sheet` shows it; one that derives from it has no price and no marks."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def about(self) -> str:
        """A description in one line."""
        ...

    @property
    def cost_points(self) -> int | None:
        """Its cost points; None in a game without prices."""
        return None

    def marked(self, marks: Mapping[str, int]) -> "Sheet":
        """Return the sheet with marking bricks, such as ``{"damage": 1}``; InvalidValueError if one is impossible."""
        raise _nothing_to_mark(self.name, marks)

    def text(self, paint: Paint) -> str:
        """Return the sheet in lines of text."""
        ...

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON."""
        ...


def _nothing_to_mark(name: str, marks: Mapping[str, int]) -> InvalidValueError:
    return InvalidValueError(f"{name} cannot be marked with: {', '.join(marks)}")


@dataclass(frozen=True)
class PlainSheet:
    """A sheet without marks: a game derives a dataclass from it whose further fields are numbers.

    Attributes
    ----------
    name, about, cost_points
        As of any `Sheet`.
    """

    name: str
    about: str
    cost_points: int

    def marked(self, marks: Mapping[str, int]) -> "PlainSheet":
        """Raise InvalidValueError: nothing is marked."""
        raise _nothing_to_mark(self.name, marks)

    def text(self, paint: Paint) -> str:
        """Return the name, what it is, and a line for each number."""
        numbers = {key: value for key, value in self.document().items() if key not in _HEAD}
        rows = [(f"  {key.replace('_', ' ')}", str(value)) for key, value in numbers.items()]
        return "\n".join([f"{self.name}: {self.about}", *columns(rows, "  ")])

    def document(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)


@dataclass(frozen=True)
class ArmyTotal:
    """The totals of an army.

    Attributes
    ----------
    name
        Name of the army, or of its player.
    counts
        How many there are of each sort: ``{"minifigs": 10, "vehicles": 1}``.
    cost_points
        The cost points of all of them; None in a game without prices.
    share
        Its cost over that of the dearest army that it is compared with; None without prices.
    """

    name: str
    counts: Mapping[str, int]
    cost_points: int | None = None
    share: Fraction | None = None

    def document(self) -> dict[str, Any]:
        """Return the total as values of JSON."""
        total = {"name": self.name, **self.counts}
        if self.cost_points is None or self.share is None:
            return total
        return {**total, "cost_points": self.cost_points, "share": float(self.share)}


@dataclass(frozen=True)
class SheetList:
    """Sheets, and the armies that are made of them."""

    sheets: tuple[Sheet, ...]
    armies: tuple[ArmyTotal, ...] = ()


@dataclass(frozen=True)
class Price:
    """The terms of the price of a unit, by ability: the sum of those `added`, times all `factors`."""

    added: Mapping[str, int]
    factors: Mapping[str, int]

    @property
    def points(self) -> int:
        """The price in cost points."""
        return sum(self.added.values()) * prod(self.factors.values())
