"""Counters: the kinds of combat units, and the values of the two sides of each (BB 2.3.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from brickphys.blade_and_bow.sheets.charts import data


class Size(Enum):
    """How large a formation is (BB 2.3.2.6)."""

    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"

    @property
    def rank(self) -> int:
        """0 for light, 1 for medium, 2 for heavy."""
        return _SIZES.index(self)


_SIZES = tuple(Size)


class Density(Enum):
    """How a formation takes hits (BB 9.4.7)."""

    OPEN = "open"
    DENSE = "dense"
    FLEXIBLE = "flexible"


class Arm(Enum):
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
    size: Size
    """How large it is."""
    density: Density
    """How it takes hits."""
    good: CounterSide
    """The values of its good side."""
    disrupted: CounterSide
    """The values of its disrupted side."""
    arm: Arm = Arm.FOOT
    """Infantry or cavalry."""
    trait: str = ""
    """`immortal`, or empty."""

    def __hash__(self) -> int:
        """Return the hash of the name: no two kinds share one."""
        return hash(self.name)

    @property
    def is_light(self) -> bool:
        """Whether it is light."""
        return self.size is Size.LIGHT

    @property
    def is_horse(self) -> bool:
        """Whether it is cavalry."""
        return self.arm is Arm.HORSE

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
        Size(table["size"]),
        Density(table["density"]),
        **sides,
        arm=Arm(table.get("arm", "foot")),
        trait=str(table.get("trait", "")),
    )
