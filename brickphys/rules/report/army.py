"""Army: the units of an army with numbers, attacks and footprints, for a page to print."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from brickphys.display import Drawn, Row
from brickphys.errors import InvalidValueError
from brickphys.odds.card import MOST_DEFENCE
from brickphys.odds.law import RollLaw
from brickphys.odds.law_choice import LawLike, named_law
from brickphys.odds.opposed import opposed
from brickphys.rules.report.sheets import Sheet
from brickphys.text import counted, spoken

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point

MOST_KINDS = 60

Chances = Callable[[RollLaw], Sequence[Fraction]]
"""The chances of an attack by a law: one for each of the first columns of its table."""


@dataclass(frozen=True)
class OddsColumns:
    """What the chances of all attacks of an army are about.

    Attributes
    ----------
    title, label
        What they are, in words; and the same in a few letters, for the head of a small table.
    names
        Of the columns.
    rolled
        What is rolled: ``bricks`` or ``dice``.
    unit
        The unit of distances.
    """

    title: str
    label: str
    names: tuple[str, ...]
    rolled: str = "bricks"
    unit: str = "studs (cm)"


DEFENCES = tuple(range(MOST_DEFENCE + 1))
"""Numbers of bricks of the defence for which the odds of an attack are shown."""
BRICK_COLUMNS = OddsColumns(
    "chance of success in %, by bricks of the defence; reach and distance in studs",
    "success in % by defence",
    tuple(map(str, DEFENCES)),
)


@dataclass(frozen=True)
class Attack:
    """A way to attack, in a band of distances.

    Attributes
    ----------
    words
        What it attacks with.
    distance, distance_mm
        The farthest distance, in the words of the game and on the table; None where the game has no true size.
    rolled
        Bricks or dice of the attack there.
    chances
        Its chances by a law, in the order of the columns of the army.
    """

    words: str
    distance: str
    distance_mm: float | None
    rolled: int
    chances: Chances

    def successes(self, law: RollLaw) -> tuple[float, ...]:
        """Return its chances by a law."""
        return tuple(map(float, self.chances(law)))


def against_bricks(bricks: int, points: int = 0) -> Chances:
    """Return the chances of success of an attack with bricks against each of `DEFENCES`.

    Parameters
    ----------
    bricks
        Of the attack.
    points
        What is added to its score.
    """
    return partial(_against_bricks, bricks, points)


def _against_bricks(bricks: int, points: int, law: RollLaw) -> list[Fraction]:
    return [opposed(bricks, defence, law, points).success for defence in DEFENCES]


def known_chances(chances: Sequence[Fraction]) -> Chances:
    """Return chances that no law of bricks changes."""
    return lambda _law: chances


@dataclass(frozen=True)
class Footprint:
    """The place that a unit takes on the table.

    Attributes
    ----------
    size_mm
        Length and width.
    height_mm
        Height of what stands there; None if the game knows none.
    outline_mm
        Corners about its middle, ahead along +x; empty for a rectangle.
    is_on_sheet
        Whether the picture of the sheet shows it in true size.
    """

    size_mm: tuple[float, float]
    height_mm: float | None = None
    outline_mm: "tuple[Point, ...]" = ()
    is_on_sheet: bool = False

    @property
    def corners_mm(self) -> "tuple[Point, ...]":
        """Its corners about its middle."""
        x, y = self.size_mm[0] / 2, self.size_mm[1] / 2
        return self.outline_mm or ((-x, -y), (x, -y), (x, y), (-x, y))


@dataclass(frozen=True)
class ArmyUnit:
    """The units of an army that are alike.

    Attributes
    ----------
    name, count
        What they are called, and how many there are.
    attacks
        How one of them attacks, the strongest way first, nearer bands first.
    sheet
        Their sheet, which the painter of the game draws; None if they have none.
    footprint
        The place that one of them takes on the table; None if its size is unknown.
    gear
        What it has, or who is aboard, in a line.
    numbers
        Names and values that the card lists, as far as the picture of the sheet does not show them.
    title
        The name as it is written on the card, if it is another one.
    """

    name: str
    count: int
    attacks: tuple[Attack, ...] = ()
    sheet: Sheet | None = None
    footprint: Footprint | None = None
    gear: str = ""
    numbers: tuple[tuple[str, str], ...] = ()
    title: str = ""

    @property
    def words(self) -> str:
        """Its name as people read it."""
        return self.title or spoken(self.name)

    @property
    def height_mm(self) -> float | None:
        """Its height; None if the game knows none."""
        return None if self.footprint is None else self.footprint.height_mm

    @property
    def each_points(self) -> int | None:
        """The cost points of one; None in a game without prices."""
        return None if self.sheet is None else self.sheet.cost_points

    @property
    def cost_points(self) -> int | None:
        """The cost points of all of them; None in a game without prices."""
        return None if self.each_points is None else self.each_points * self.count

    def document(self, law: RollLaw, rolled: str) -> dict[str, Any]:
        """Return the units as values of JSON; `rolled` is the key of the bricks or dice of attacks."""
        place = self.footprint
        return {
            "name": self.name,
            "count": self.count,
            "cost_points": self.each_points,
            "footprint_mm": place and place.size_mm,
            "height_mm": self.height_mm,
            "numbers": dict(self.numbers),
            "attacks": [
                {
                    "attack": one.words,
                    "distance": one.distance,
                    "distance_mm": one.distance_mm,
                    rolled: one.rolled,
                    "success": one.successes(law),
                }
                for one in self.attacks
            ],
        }


@dataclass(frozen=True, repr=False)
class ArmyList(Drawn):
    """An army by its units.

    ``plot(law="default", paper="a4", page=1)`` is a page in true size; save it as .pdf or .svg.

    Attributes
    ----------
    name, units
        Its name, and what is in it.
    columns
        What the chances of its attacks are about.
    notes
        Sentences on the whole army, such as which sizes are known.
    game
        The name of its game, whose painter draws it.

    Raises
    ------
    InvalidValueError
        If it has no units, or too many.
    """

    name: str
    units: tuple[ArmyUnit, ...]
    columns: OddsColumns = BRICK_COLUMNS
    notes: tuple[str, ...] = ()
    game: str = ""

    drawn_by = "paper.army_page:army_figure"

    def __post_init__(self) -> None:
        if not self.units:
            raise InvalidValueError(f"{self.name}: has no units")
        if len(self.units) > MOST_KINDS:
            raise InvalidValueError(
                f"{self.name}: {len(self.units)} kinds of units, but at most {MOST_KINDS} can be printed"
            )

    @property
    def by_bricks(self) -> bool:
        """Whether bricks are thrown, so that the odds rest on a law."""
        return self.columns.rolled == BRICK_COLUMNS.rolled

    @property
    def bricks(self) -> set[int]:
        """How many bricks are thrown together, by its attacks or against them; none where dice are rolled."""
        rolled = {one.rolled for unit in self.units for one in unit.attacks}
        return rolled | set(DEFENCES) if self.by_bricks else set()

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

    def line(self) -> str:
        """Return its name, how many there are, and their cost."""
        cost = "" if self.cost_points is None else f", {self.cost_points:,} cost points"
        return f"{self.name}: {counted(self.count, 'piece')}{cost}"

    def rows(self) -> list[Row]:
        """Return a row for each kind of unit."""
        return [
            {
                "unit": unit.words,
                "number": unit.count,
                "cost_points": unit.cost_points,
                "length_mm": unit.footprint and unit.footprint.size_mm[0],
                "width_mm": unit.footprint and unit.footprint.size_mm[1],
                "height_mm": unit.height_mm,
                "gear": unit.gear,
            }
            for unit in self.units
        ]

    def document(self, law: LawLike) -> dict[str, Any]:
        """Return the army as values of JSON, with the chances by a law as of `brickphys.odds`."""
        rolled, _ = named_law(law)
        columns = self.columns
        return {
            "army": self.name,
            "cost_points": self.cost_points,
            "chances": {"of": columns.title, "columns": columns.names},
            "units": [unit.document(rolled, columns.rolled) for unit in self.units],
            "notes": self.notes,
        }
