"""Army: the sheets of an army with numbers, attacks and footprints, for a page to print."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.card import MOST_DEFENCE
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.report.sheets import Sheet
from brickphys.text import shown

MOST_OF_A_KIND = 10_000
MOST_KINDS = 60
DEFENCES = range(MOST_DEFENCE + 1)
"""Bricks of the defence for which the odds of an attack are told."""


@dataclass(frozen=True)
class Attack:
    """A way to attack in a band of distances.

    Attributes
    ----------
    words
        What it attacks with.
    distance, distance_mm
        The farthest distance, in the words of the game and on the table.
    bricks
        Bricks of the attack there.
    """

    words: str
    distance: str
    distance_mm: float
    bricks: int

    def successes(self, law: RollLaw) -> tuple[float, ...]:
        """Return the chance of success against each of `DEFENCES`."""
        return tuple(float(opposed(self.bricks, bricks, law).success) for bricks in DEFENCES)


@dataclass(frozen=True)
class ArmyUnit:
    """The units of an army that have the same sheet.

    Attributes
    ----------
    sheet
        Their sheet.
    count
        How many there are.
    footprint_mm
        Length and width of the place that one of them takes on the table.
    attacks
        How it attacks, the strongest way first, nearer bands first.
    gear
        What it has, or who sits in it, in a line.
    """

    sheet: Sheet
    count: int
    footprint_mm: tuple[float, float]
    attacks: tuple[Attack, ...]
    gear: str = ""

    @property
    def cost_points(self) -> int | None:
        """The cost points of all of them; None in a game without prices."""
        each = self.sheet.cost_points
        return None if each is None else each * self.count

    def document(self, law: RollLaw) -> dict[str, Any]:
        """Return the units as values of JSON."""
        return {
            "name": self.sheet.name,
            "count": self.count,
            "cost_points": self.sheet.cost_points,
            "footprint_mm": self.footprint_mm,
            "attacks": [
                {
                    "attack": one.words,
                    "distance": one.distance,
                    "distance_mm": one.distance_mm,
                    "bricks": one.bricks,
                    "success": one.successes(law),
                }
                for one in self.attacks
            ],
        }


@dataclass(frozen=True)
class ArmyList:
    """An army by its sheets.

    Raises
    ------
    InvalidValueError
        If it has no units, or too many.
    """

    name: str
    units: tuple[ArmyUnit, ...]

    def __post_init__(self) -> None:
        if not self.units:
            raise InvalidValueError(f"{self.name}: has no units")
        if len(self.units) > MOST_KINDS:
            raise InvalidValueError(
                f"{self.name}: {len(self.units)} kinds of units, and at most {MOST_KINDS} can be printed"
            )

    @property
    def count(self) -> int:
        """How many units and vehicles there are."""
        return sum(unit.count for unit in self.units)

    @property
    def cost_points(self) -> int | None:
        """The cost points of all of them; None in a game without prices."""
        costs = [unit.cost_points for unit in self.units]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None


def counted_names(words: Iterable[str]) -> dict[str, int]:
    """Return names with their numbers from words such as ``trooper=4`` and ``knight``, equal names added up.

    Raises
    ------
    InvalidValueError
        If a number is outside 1..10,000.
    """
    found: dict[str, int] = {}
    for word in words:
        name, equals, number = word.partition("=")
        if not name or (equals and not (number.isascii() and number.isdecimal())):
            raise InvalidValueError(f"{shown(word)} is not NAME or NAME=COUNT, such as trooper=4")
        count = int(number[:9]) if equals else 1
        found[name] = found.get(name, 0) + count
        if not 1 <= count <= found[name] <= MOST_OF_A_KIND:
            raise InvalidValueError(
                f"{shown(name)}: {found[name]:,} is outside 1..{MOST_OF_A_KIND:,}"
            )
    return found


def chosen_army(what: str, armies: Collection[str], name: str | None) -> str:
    """Return the name of the army that is meant; it may be left out if there is only one.

    Raises
    ------
    InvalidValueError
        If there is none of that name, or several and none is named.
    """
    if name is None and len(armies) == 1:
        return next(iter(armies))
    if name is None:
        raise InvalidValueError(
            f"{what} has several armies, {', '.join(armies)}: --army says which"
        )
    if name not in armies:
        raise unknown(f"army of {what}", name, armies)
    return name
