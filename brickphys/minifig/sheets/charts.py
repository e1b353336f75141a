"""Charts: kinds of figures, arms, things, and the rows of movement, bricks and missiles, as the book has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from brickphys.files import shipped_tables
from brickphys.projectiles.weapons import Weapon, weapon

BASE_RADIUS_IN = 0.315
"""Of the round base of a figure, two studs wide."""
TOUCH_IN = 0.05
"""Bases touch if they are at most this far apart."""
INCH_MM = 25.4
RIDER = "rider"
"""The target of `brickphys.projectiles` that a mounted figure is."""


@dataclass(frozen=True)
class Kind:
    """A kind of figure."""

    name: str
    """Its name."""
    move: str
    """Its row of the chart of movement on foot."""
    attack: tuple[str, ...]
    """Its rows of attack bricks, besides a weapon."""
    body: str
    """Its target on foot for missiles, as in `brickphys.projectiles`."""
    hands: int
    """How many arms it can hold."""
    unarmed: tuple[str, ...] | None = None
    """Its rows of attack bricks without a weapon, if they differ; else None."""


@dataclass(frozen=True)
class Arm:
    """A weapon, shield or piece of armour."""

    name: str
    """Its name."""
    attack: tuple[str, ...] = ()
    """Its rows of attack bricks."""
    defence: tuple[str, ...] = ()
    """Its rows of defence bricks."""
    missile: str | None = None
    """What it shoots: a row of the chart of missiles; None if it does not."""
    leaves_hand: bool = False
    """Whether it is thrown."""
    reloads: bool = False
    """Whether a shot takes a round of reloading (MF Reloading)."""
    is_worn: bool = False
    """Whether it is worn: it stays with the figure and takes no hand."""


@dataclass(frozen=True)
class ThingKind:
    """A kind of thing with a base of its own: a horse, a wagon, a catapult."""

    name: str
    """Its name."""
    radius_in: float
    """The radius of its base."""
    size_mm: tuple[float, float, float]
    """The box that stops missiles: length, width, height."""
    missile: str | None = None
    """What it shoots: a row of the chart of missiles; None if it does not."""
    reloads: bool = False
    """Whether a shot takes a round of reloading (MF Reloading)."""
    is_ridden: bool = False
    """Whether it is a horse."""
    is_hauled: bool = False
    """Whether figures haul it."""


@dataclass(frozen=True)
class MissileRow:
    """What happens after a hit (MF Projectiles)."""

    weapon: Weapon  # how it flies
    bricks: int  # unopposed; one on its side or more eliminates
    knocks_over: bool = False  # whether who is knocked over is eliminated without bricks
    bounced: int | None = None  # change after a bounce; None if it does not matter how it came
    besieges: bool = False  # whether it takes bricks out of walls
    indirect: float | None = (
        None  # times the scatter at who is hidden by a wall (ours); None if it cannot
    )

    def flight(self, *, is_hidden: bool) -> Weapon:
        """Return how it flies at a figure that a wall hides, or at what the shooter sees."""
        return self.weapon.scattered(self.indirect) if is_hidden and self.indirect else self.weapon

    def bricks_after(self, phase: str) -> int:
        """Return the bricks after a hit that was ``direct``, ``bounced`` or ``rolled``."""
        if self.bounced is None or phase == "direct":
            return self.bricks
        return self.bricks + self.bounced if phase == "bounced" else 0


@dataclass(frozen=True)
class Charts:
    """All of them, by name."""

    kinds: Mapping[str, Kind]
    arms: Mapping[str, Arm]
    things: Mapping[str, ThingKind]
    move_in: Mapping[str, float]  # inches a round by row
    attack: Mapping[str, int]  # bricks by row; ``mounted`` is a factor
    defence: Mapping[str, int]
    missiles: Mapping[str, MissileRow]
    colours: tuple[str, ...]  # of bases, by experience

    @property
    def most_experience(self) -> int:
        """The highest level of experience."""
        return len(self.colours) - 1


@lru_cache
def charts() -> Charts:
    """Return the charts of the book."""
    found = shipped_tables("brickphys.minifig", "figures")
    return Charts(
        kinds={name: Kind(name, **_frozen(table)) for name, table in found["kind"].items()},
        arms={name: Arm(name, **_frozen(table)) for name, table in found["arm"].items()},
        things={name: ThingKind(name, **_frozen(table)) for name, table in found["thing"].items()},
        move_in=found["move"],
        attack=found["attack"],
        defence=found["defence"],
        missiles={
            name: MissileRow(weapon(name), **table) for name, table in found["missile"].items()
        },
        colours=tuple(found["experience"]["colours"]),
    )


def _frozen(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with tuples for its arrays."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
