"""Sheets: the charts and the kinds of combat units, from the files in ``data``.

The charts are dice, morale, points, terrain, the turn track and grades of victory. A kind of unit has the values of the
two sides of its counter (BB 2.3.2), which the command `sheet` shows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

from brickphys.errors import unknown
from brickphys.files import shipped_tables
from brickphys.rules.report.sheets import Paint, Sheet
from brickphys.text import columns, counted

FACES = 6
"""Of a die."""


@dataclass(frozen=True)
class TerrainEffects:
    """The effects of a kind of ground (BB 7.5)."""

    name: str
    """Its name."""
    sign: str
    """Its character on maps."""
    blocks: bool = False
    """Whether it blocks lines of sight."""
    stops: bool = False
    """Whether units that enter halt."""
    closed: bool = False
    """Whether it is closed to all units."""
    disrupts: tuple[str, ...] = ()
    """Sizes of the units that are disrupted on entry."""
    cover: int = 0
    """Extra dice against missiles."""
    melee_dice: int = 0
    """Extra dice for the enemy of a unit in it."""

    @property
    def is_high(self) -> bool:
        """Whether it is a hill: its edge is a slope."""
        return self.name in ("hill", "closed_hill", "path")


@dataclass(frozen=True)
class BookCharts:
    """All of them, by name; the file says what each means."""

    dice: Mapping[str, int]
    morale: Mapping[str, int]
    no_leader_colour: str
    leaders: Mapping[str, int]
    points: Mapping[str, int]
    ends: tuple[int, ...]  # end-of-game mark of each turn, 0 for none
    grades: Mapping[str, Fraction]  # the return of a victory of each grade
    terrain: Mapping[str, TerrainEffects]


@lru_cache
def data(name: str) -> dict[str, Any]:
    """Return a file of the folder ``data``."""
    return shipped_tables("brickphys.blade_and_bow", name)


@lru_cache
def charts() -> BookCharts:
    """Return the charts."""
    found = data("charts")
    morale = dict(found["morale"])
    colour = morale.pop("no_leader_colour")
    terrain = {
        name: TerrainEffects(name, **{**table, "disrupts": tuple(table.get("disrupts", ()))})
        for name, table in found["terrain"].items()
    }
    return BookCharts(
        dice=found["dice"],
        morale=morale,
        no_leader_colour=colour,
        leaders=found["leaders"],
        points=found["points"],
        ends=tuple(found["turns"]["ends"]),
        grades={name: Fraction(*ratio) for name, ratio in found["grades"].items()},
        terrain=terrain,
    )


class FormationSize(Enum):
    """How large a formation is (BB 2.3.2.6)."""

    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"

    @property
    def rank(self) -> int:
        """0 for light, 1 for medium, 2 for heavy."""
        return _SIZES.index(self)


_SIZES = tuple(FormationSize)


class Density(Enum):
    """How a formation takes hits (BB 9.4.7)."""

    OPEN = "open"
    DENSE = "dense"
    FLEXIBLE = "flexible"


class ServiceArm(Enum):
    """Infantry or cavalry."""

    FOOT = "foot"
    HORSE = "horse"


@dataclass(frozen=True)
class CounterSide:
    """The values of one side of a counter."""

    movement: int
    """Movement points of an action."""
    missile_defence: int
    """Dice against missiles."""
    missile_dice: int = 0
    """Dice of a volley; 0 for units that do not shoot."""
    missile_range: int = 0
    """Range of a volley in points."""
    fear: tuple[int, int, int] = (0, 0, 0)
    """Morale dice of a unit that attacks its left flank, its front or its right flank."""


@dataclass(frozen=True)
class Counter:
    """A kind of unit."""

    name: str
    """The name of the kind."""
    size: FormationSize
    """How large it is."""
    density: Density
    """How it takes hits."""
    good: CounterSide
    """The values of its good side."""
    disrupted: CounterSide
    """The values of its disrupted side."""
    arm: ServiceArm = ServiceArm.FOOT
    """Infantry or cavalry."""
    trait: str = ""
    """`immortal`, or empty."""

    def __hash__(self) -> int:
        """Return the hash of the name: no two kinds share one."""
        return hash(self.name)

    @property
    def is_light(self) -> bool:
        """Whether it is light."""
        return self.size is FormationSize.LIGHT

    @property
    def is_horse(self) -> bool:
        """Whether it is cavalry."""
        return self.arm is ServiceArm.HORSE

    @property
    def is_immortal(self) -> bool:
        """Whether it is of the type Immortals (BB 9.4.4.3)."""
        return self.trait == "immortal"

    @property
    def has_ranks(self) -> bool:
        """Whether it has a density marker (BB 3.6)."""
        return self.density is not Density.OPEN


@lru_cache
def counters() -> Mapping[str, Counter]:
    """Return the kinds of units by name."""
    return {name: _counter(name, table) for name, table in data("counters").items()}


def _counter(name: str, table: Mapping[str, Any]) -> Counter:
    sides = {
        key: CounterSide(**{**side, "fear": tuple(side.get("fear", (0, 0, 0)))})
        for key, side in table.items()
        if key in ("good", "disrupted")
    }
    return Counter(
        name,
        FormationSize(table["size"]),
        Density(table["density"]),
        **sides,
        arm=ServiceArm(table.get("arm", "foot")),
        trait=str(table.get("trait", "")),
    )


@dataclass(frozen=True)
class CounterSheet(Sheet):
    """A kind of unit (BB 2.3.2)."""

    counter: Counter

    @property
    def name(self) -> str:
        return self.counter.name

    @property
    def about(self) -> str:
        counter = self.counter
        arm = "cavalry" if counter.is_horse else "foot"
        return f"{counter.size.value} {counter.density.value} {arm}"

    @property
    def dice(self) -> int:
        """Its dice in melee without ranks (BB 9.3)."""
        return charts().dice[self.counter.size.value]

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield the values by name, in good order and disrupted."""
        good, bad = self.counter.good, self.counter.disrupted
        more = " + ranks" if self.counter.has_ranks else ""
        yield "melee dice", f"{self.dice}{more}", f"{self.dice}{more}, no hits"
        yield "movement points", str(good.movement), str(bad.movement)
        yield "missiles", _missiles(good), "none"
        yield "missile defence", str(good.missile_defence), str(bad.missile_defence)
        yield "fear from left, front, right", " ".join(map(str, good.fear)), "none"

    def text(self, paint: Paint) -> str:
        rows = [(f"  {name}", one, other) for name, one, other in self.rows()]
        head = ("", "good order", "disrupted")
        return "\n".join([f"{self.name}: {self.about}", *columns([head, *rows], "  ")])

    def document(self) -> dict[str, Any]:
        counter = self.counter
        sort = (counter.size.value, counter.density.value, counter.arm.value)
        head = {"name": self.name, "about": self.about}
        values = dict(zip(("size", "density", "arm"), sort, strict=True))
        sides = {"good": asdict(counter.good), "disrupted": asdict(counter.disrupted)}
        return {**head, **values, "dice": self.dice, **sides}


def counter_sheets(names: Iterator[str] | None = None) -> tuple[CounterSheet, ...]:
    """Return the sheets of some kinds of units, or of all; InvalidValueError if there is no such kind."""
    known = counters()
    wanted = list(known if names is None else names)
    for name in wanted:
        if name not in known:
            raise unknown("kind of unit", name, known)
    return tuple(CounterSheet(known[name]) for name in wanted)


def _missiles(side: CounterSide) -> str:
    if not side.missile_dice:
        return "none"
    return f"{counted(side.missile_dice, 'die', 'dice')}, {side.missile_range} points"
