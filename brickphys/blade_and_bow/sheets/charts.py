"""Charts: dice, morale, points, terrain, the turn track and grades of victory."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from brickphys.files import shipped_tables

FACES = 6
"""Of a die."""


@dataclass(frozen=True)
class Terrain:
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
class Charts:
    """All of them, by name; the file says what each means."""

    dice: Mapping[str, int]
    morale: Mapping[str, int]
    no_leader_colour: str
    leaders: Mapping[str, int]
    points: Mapping[str, int]
    ends: tuple[int, ...]  # end-of-game mark of each turn, 0 for none
    grades: Mapping[str, Fraction]  # the return of a victory of each grade
    terrain: Mapping[str, Terrain]


@lru_cache
def data(name: str) -> dict[str, Any]:
    """Return a file of the folder ``data``."""
    return shipped_tables("brickphys.blade_and_bow", name)


@lru_cache
def charts() -> Charts:
    """Return the charts."""
    found = data("charts")
    morale = dict(found["morale"])
    colour = morale.pop("no_leader_colour")
    terrain = {
        name: Terrain(name, **{**table, "disrupts": tuple(table.get("disrupts", ()))})
        for name, table in found["terrain"].items()
    }
    return Charts(
        dice=found["dice"],
        morale=morale,
        no_leader_colour=colour,
        leaders=found["leaders"],
        points=found["points"],
        ends=tuple(found["turns"]["ends"]),
        grades={name: Fraction(*ratio) for name, ratio in found["grades"].items()},
        terrain=terrain,
    )
