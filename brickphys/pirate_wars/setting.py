"""Setting: what never changes during a battle: sea, wind, players, ships, minifigs, aims, options."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from brickphys.pirate_wars.sheets import (
    Allegiance,
    Role,
    RoleSheet,
    ShipSheet,
    WeaponSheet,
    minifigs,
)
from brickphys.rules.aims import Aim, Circle
from brickphys.rules.record import GameSetting, numbered
from brickphys.vehicles.scene import Bounds

ShipNumber = Annotated[int, "ships"]
MinifigNumber = Annotated[int, "minifigs"]
"""Indices in a `Setting`; the notation of states refuses others."""


@dataclass(frozen=True)
class Options:
    """Choices between readings of the rules."""

    simultaneous: bool = False
    """All players write their orders in secret before any is carried out (PW Firing)."""
    boarding_by_attack: bool = False
    """A boarding sums the Attack of minifigs, as in the text, instead of Melee, as in the chart (PW Boarding)."""


@dataclass(frozen=True)
class ShipSpec:
    """A ship: its name, its player at the start, and its sheet."""

    name: str
    """Its name."""
    player: int
    """Its player at the start."""
    sheet: ShipSheet
    """Its numbers, hull, places and guns."""


@dataclass(frozen=True)
class Minifig:
    """A minifig: its name, its player, its role, and the number of the ship on which it begins."""

    name: str
    """Its name."""
    player: int
    """Its player."""
    role: Role
    """Its role."""
    ship: int
    """The number of the ship on which it begins."""
    is_woman: bool = False
    """Whether it is a woman (PW Minifigs)."""

    @cached_property
    def sheet(self) -> RoleSheet:
        """The numbers of its role."""
        return minifigs().roles[self.role]

    @property
    def attack(self) -> int:
        """Its target number with a musket or pistol, and for morale (PW Minifigs)."""
        return self.sheet.attack + (minifigs().woman_bonus if self.is_woman else 0)

    @property
    def weapon_name(self) -> str | None:
        """The name of its musket or pistol; None if it has none."""
        return minifigs().woman_weapon if self.is_woman else self.sheet.weapon

    @property
    def weapon(self) -> WeaponSheet | None:
        """Its musket or pistol; None if it has none."""
        return None if self.weapon_name is None else minifigs().weapons[self.weapon_name]


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    """The constants of a battle."""

    sea: Bounds
    """The size of the sea. A ship whose middle leaves it is out of the battle."""
    wind_deg: float
    """Where the wind blows to, counter-clockwise from +x (PW Movement)."""
    teams: tuple[int, ...]
    """The team of each player."""
    ships: tuple[ShipSpec, ...]
    """All ships; states number them in this order."""
    minifigs: tuple[Minifig, ...]
    """All minifigs; states number them in this order."""
    aims: tuple[Aim[Circle], ...] = ()
    """Ways to win besides being the last team afloat."""
    options: Options = Options()
    """Choices between readings of the rules."""

    ship_numbers = numbered("ships")
    minifig_numbers = numbered("minifigs")

    @cached_property
    def minifig_teams(self) -> tuple[int, ...]:
        """The team of each minifig."""
        return tuple(self.teams[minifig.player] for minifig in self.minifigs)

    @cached_property
    def crews(self) -> tuple[tuple[int, ...], ...]:
        """For each ship the numbers of the minifigs that begin on it."""
        return tuple(
            tuple(number for number, minifig in enumerate(self.minifigs) if minifig.ship == ship)
            for ship in range(len(self.ships))
        )

    @cached_property
    def points_at_start(self) -> dict[int, int]:
        """The lines and minifigs of each team at the start."""
        points = dict.fromkeys(self.teams, 0)
        for ship, crew in zip(self.ships, self.crews, strict=True):
            points[self.teams[ship.player]] += (
                ship.sheet.chart.hull + ship.sheet.chart.sails + len(crew)
            )
        return points

    def is_pirate(self, minifig: int) -> bool:
        """Whether a minifig began on a ship of pirates."""
        return self.ships[self.minifigs[minifig].ship].sheet.side is Allegiance.PIRATE
