"""Minifigs: their roles and weapons, and the cannons of ships, as the charts of the book say."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from brickphys.files import shipped_tables


class Role(Enum):
    """What a minifig is (PW, Minifig Chart)."""

    CAPTAIN = "captain"
    LIEUTENANT = "lieutenant"
    MARINE = "marine"
    PIRATE = "pirate"
    SAILOR = "sailor"


class Ammunition(Enum):
    """What a cannon fires (PW Firing)."""

    SHOT = "shot"
    """At sails."""
    BALL = "ball"
    """At the topmost line of the damage chart."""


@dataclass(frozen=True)
class RoleSheet:
    """The numbers of a role."""

    melee: int
    attack: int  # its target number with a musket or pistol
    sails: bool  # whether it may do these tasks
    reloads_cannons: bool
    weapon: str | None = None  # its weapon; None if it has none


@dataclass(frozen=True)
class WeaponSheet:
    """A musket, a pistol, or a cannon with its ammunition (PW, Weapons Chart)."""

    dice: int
    range_studs: float
    target: int | None = None  # the target number; None for the Attack of the minifig


@dataclass(frozen=True)
class Minifigs:
    """All roles and weapons."""

    roles: Mapping[Role, RoleSheet]
    woman_bonus: int  # what a woman adds to her Attack (PW Minifigs)
    woman_weapon: str  # her weapon, which is always loaded
    weapons: Mapping[str, WeaponSheet]  # muskets and pistols by name
    cannons: Mapping[tuple[bool, Ammunition], WeaponSheet]  # cannons by (is light, ammunition)


def data(name: str) -> dict[str, Any]:
    """Return a file of the game's numbers, by its name without ending."""
    return shipped_tables("brickphys.pirate_wars", name)


@lru_cache
def minifigs() -> Minifigs:
    """Return the charts of minifigs and weapons."""
    found = data("minifigs")
    woman = found["woman"]
    cannons = ((False, found["cannon"]), (True, found["light_cannon"]))
    return Minifigs(
        roles={Role(name): RoleSheet(**table) for name, table in found["role"].items()},
        woman_bonus=woman["attack_bonus"],
        woman_weapon=woman["weapon"],
        weapons={name: WeaponSheet(**table) for name, table in found["weapon"].items()},
        cannons={
            (light, Ammunition(name)): WeaponSheet(**table)
            for light, tables in cannons
            for name, table in tables.items()
        },
    )
