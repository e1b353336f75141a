"""Sheets: the description sheets of a game's units, the prices of units, and armies.

An army has totals, and for a page to print its units with numbers, attacks and footprints. Which army is meant is said
by a setup and a player, by sheets in files, or by units with their numbers.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from brickphys.errors import InvalidValueError, unknown
from brickphys.interface import Drawn, Row
from brickphys.odds.answer import MOST_DEFENCE
from brickphys.odds.law import RollLaw
from brickphys.odds.law_choice import LawLike, named_law
from brickphys.odds.opposed import opposed
from brickphys.text import columns, counted, shown, spoken

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point

_HEAD = ("name", "about")

Paint: TypeAlias = Callable[[str, str | None], str]
"""Writes a letter of a sheet on a colour: a name of `brickphys.shapes.piece`, or None for no colour."""


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
    """A sheet without marks: a game derives a dataclass from it whose further fields are numbers."""

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
    """The totals of an army."""

    name: str
    """Name of the army, or of its player."""
    counts: Mapping[str, int]
    """How many there are of each sort: ``{"minifigs": 10, "vehicles": 1}``."""
    cost_points: int | None = None
    """The cost points of all of them; None in a game without prices."""
    share: Fraction | None = None
    """Its cost over that of the dearest army that it is compared with; None without prices."""

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


MOST_KINDS = 60

Chances = Callable[[RollLaw], Sequence[Fraction]]
"""The chances of an attack by a law: one for each of the first columns of its table."""


@dataclass(frozen=True)
class OddsColumns:
    """What the chances of all attacks of an army are about.

    `title` tells it in words, `label` in a few letters, for the head of a small table.
    """

    title: str
    label: str
    names: tuple[str, ...]
    rolled: str = "bricks"
    """What is rolled: ``bricks`` or ``dice``."""
    unit: str = "studs (cm)"
    """The unit of distances."""


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

    The farthest distance is in the words of the game and on the table; None where the game has no true size.
    """

    words: str
    """What it attacks with."""
    distance: str
    distance_mm: float | None
    rolled: int
    """Bricks or dice of the attack there."""
    chances: Chances
    """Its chances by a law, in the order of the columns of the army."""

    def successes(self, law: RollLaw) -> tuple[float, ...]:
        """Return its chances by a law."""
        return tuple(map(float, self.chances(law)))


def against_bricks(bricks: int, points: int = 0) -> Chances:
    """Return the chances of success of an attack with bricks against each of `DEFENCES`."""
    return partial(_against_bricks, bricks, points)


def _against_bricks(bricks: int, points: int, law: RollLaw) -> list[Fraction]:
    return [opposed(bricks, defence, law, points).success for defence in DEFENCES]


def known_chances(chances: Sequence[Fraction]) -> Chances:
    """Return chances that no law of bricks changes."""
    return lambda _law: chances


@dataclass(frozen=True)
class Footprint:
    """The place that a unit takes on the table."""

    size_mm: tuple[float, float]
    """Length and width."""
    height_mm: float | None = None
    """Height of what stands there; None if the game knows none."""
    outline_mm: "tuple[Point, ...]" = ()
    """Corners about its middle, ahead along +x; empty for a rectangle."""
    is_on_sheet: bool = False
    """Whether the picture of the sheet shows it in true size."""

    @property
    def corners_mm(self) -> "tuple[Point, ...]":
        """Its corners about its middle."""
        x, y = self.size_mm[0] / 2, self.size_mm[1] / 2
        return self.outline_mm or ((-x, -y), (x, -y), (x, y), (-x, y))


@dataclass(frozen=True)
class ArmyUnit:
    """The units of an army that are alike."""

    name: str
    count: int
    attacks: tuple[Attack, ...] = ()
    """How one of them attacks, the strongest way first, nearer bands first."""
    sheet: Sheet | None = None
    """Their sheet, which the painter of the game draws; None if they have none."""
    footprint: Footprint | None = None
    """The place that one of them takes on the table; None if its size is unknown."""
    gear: str = ""
    """What it has, or who is aboard, in a line."""
    numbers: tuple[tuple[str, str], ...] = ()
    """Names and values that the card lists, as far as the picture of the sheet does not show them."""
    title: str = ""
    """The name as it is written on the card, if it is another one."""

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

    ``plot(law="default", paper="a4", page=1)`` is a page in true size; save it as .pdf or .svg. InvalidValueError if it
    has no units, or too many.
    """

    name: str
    units: tuple[ArmyUnit, ...]
    columns: OddsColumns = BRICK_COLUMNS
    """What the chances of its attacks are about."""
    notes: tuple[str, ...] = ()
    """Sentences on the whole army, such as which sizes are known."""
    game: str = ""
    """The name of its game, whose painter draws it."""

    drawn_by = "army:army_figure"

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
        cost = "" if self.cost_points is None else f", {self.cost_points:,} cost points"
        return f"{self.name}: {counted(self.count, 'piece')}{cost}"

    def rows(self) -> list[Row]:
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


MOST_OF_A_KIND = 10_000
_TOML = ".toml"


def only_setup(words: Sequence[str], is_setup: Callable[[str], bool]) -> str | None:
    """Return the word that is a setup, if there is one; InvalidValueError if others stand beside it."""
    setup = next(filter(is_setup, words), None)
    if setup is not None and len(words) > 1:
        raise InvalidValueError(f"{setup} is a setup with its own armies: name nothing else")
    return setup


def setup_in(words: Sequence[str], shipped: Collection[str]) -> str | None:
    """Return the setup that ships, or the file of one, among words; see `only_setup`."""
    return only_setup(words, lambda word: word in shipped or word.endswith(_TOML))


def named_units(words: Iterable[str], name: str | None) -> dict[str, int]:
    """Return the units that are named one by one, with their numbers; see `counted_names`.

    InvalidValueError if a number is impossible, or the army has a `name` besides.
    """
    counts = counted_names(words)
    if counts and name is not None:
        raise InvalidValueError(
            f"--army {name}: leave it out; you have named the units of the army"
        )
    return counts


def counted_names(words: Iterable[str]) -> dict[str, int]:
    """Return names with their numbers from words such as ``trooper=4`` and ``knight``, equal names added up.

    InvalidValueError if a number is outside 1..10,000.
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

    InvalidValueError if there is none of that name, or several and none is named.
    """
    if name is None and len(armies) == 1:
        return next(iter(armies))
    if name is None:
        raise InvalidValueError(
            f"{what} has several armies, {', '.join(armies)}: choose one with --army"
        )
    if name not in armies:
        raise unknown(f"army of {what}", name, armies)
    return name
