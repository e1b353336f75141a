"""Sheets: minifigs, weapons, charts and ships, as the files in ``data`` give them.

Hits cross off the lines of a damage chart from the topmost one down (PW Damage Chart).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache
from itertools import pairwise
from math import hypot
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.files import shipped_tables
from brickphys.geometry.polygon import Point, Polygon, convex_polygon, unit_vector
from brickphys.rules.setup import lookup


class Role(Enum):
    """What a minifig is (PW, Minifig Chart)."""

    CAPTAIN = "captain"
    LIEUTENANT = "lieutenant"
    MARINE = "marine"
    PIRATE = "pirate"
    SAILOR = "sailor"


ROLES = {role.value: role for role in Role}


class Ammunition(Enum):
    """What a cannon fires (PW Firing)."""

    SHOT = "shot"
    """At sails."""
    BALL = "ball"
    """At the topmost line of the damage chart."""


@dataclass(frozen=True)
class RoleSheet:
    """The numbers of a role, and what it may do."""

    melee: int
    attack: int  # its target number with a musket or pistol
    sails: bool
    reloads_cannons: bool
    weapon: str | None = None


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


@dataclass(frozen=True)
class SailingChart:
    """The numbers of sailing, in studs and degrees (PW Movement)."""

    drift_studs: float
    full_speed_deg: float
    half_speed_deg: float
    leap_turn_deg: float
    small_turn_deg: float
    ram_deg: float


@dataclass(frozen=True)
class TasksChart:
    """The numbers of tasks, and the effect of each face of the die of a critical hit (PW Tasks)."""

    swim_studs: float
    hands_per_sail: int
    most_set: int
    critical_hits: int
    bursting_sixes: int
    critical: tuple[str, ...]
    powder_hits: int


@lru_cache
def sailing_chart() -> SailingChart:
    """Return the numbers of sailing."""
    return SailingChart(**{name: float(value) for name, value in data("charts")["sailing"].items()})


@lru_cache
def tasks_chart() -> TasksChart:
    """Return the numbers of tasks."""
    found = data("charts")
    return TasksChart(
        **found["tasks"], critical=tuple(found["critical"]), powder_hits=found["powder_hits"]
    )


TOP_SAILS = 6
"""Sail lines above the first hull line of the printed chart."""
MOST_HULL = 9
"""Hull lines of the printed chart."""


class Line(Enum):
    """A line of the chart."""

    SAIL = "SF"
    HULL = "HF"


@dataclass(frozen=True)
class Damage:
    """The open hull and sail lines of a ship, HF and SF: always the lowest ones of each kind.

    Hits cross off the topmost open line of their kind, and sails that are reset open the lowest one crossed off.
    """

    hull: int
    sails: int


@dataclass(frozen=True)
class DamageChart:
    """The damage chart of a ship."""

    hull: int  # HF and SF of the undamaged ship
    """Hull lines of the undamaged ship (HF)."""
    sails: int
    """Sail lines of the undamaged ship (SF)."""
    sail_loss: int  # the speed that each sail line adds (SL)
    """The speed that each sail line adds (SL)."""

    def __post_init__(self) -> None:
        if not 1 <= self.hull <= MOST_HULL:
            raise InvalidValueError(f"hull: {self.hull} is not from 1 to {MOST_HULL}")
        least, most = self.hull, self.hull - 1 + TOP_SAILS
        if not least <= self.sails <= most:
            raise InvalidValueError(f"sails: {self.sails} is not from {least} to {most}")

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines from the top: sails above the first hull line, then sail and hull in turn."""
        below = (Line.SAIL, Line.HULL) * (self.hull - 1)
        return (*(Line.SAIL,) * (self.sails - self.hull + 1), Line.HULL, *below)

    @property
    def speeds(self) -> tuple[int | None, ...]:
        """The speed beside each line from the top; None beside hull lines."""
        left = iter(range(self.sails, 0, -1))
        return tuple(
            next(left) * self.sail_loss if line is Line.SAIL else None for line in self.lines
        )

    def speed_studs(self, damage: Damage) -> int:
        """Return the speed beside the topmost open sail line; 0 without sails."""
        return damage.sails * self.sail_loss

    def topmost(self, damage: Damage) -> Line | None:
        """Return the topmost open line, which a ball crosses off; None if no line is open."""
        if not damage.hull:
            return Line.SAIL if damage.sails else None
        # hull line k from the bottom is below sail line k, and above sail line k - 1
        return Line.SAIL if damage.sails >= damage.hull else Line.HULL

    def hit(self, damage: Damage, line: Line | None = None) -> Damage:
        """Return the damage after a hit: on the topmost open line, or on that of a kind; the same if none is open."""
        found = line or self.topmost(damage)
        if found is Line.SAIL:
            return Damage(damage.hull, max(damage.sails - 1, 0))
        return self.stripped(Damage(damage.hull - 1, damage.sails)) if damage.hull else damage

    def stripped(self, damage: Damage) -> Damage:
        """Return the damage after sails beyond the hull lines are struck, as after any loss of a hull line."""
        return Damage(damage.hull, min(damage.sails, damage.hull))

    def reset(self, damage: Damage, sails: int) -> Damage:
        """Return the damage after some sails are set again: never more than the hull has lines (PW Sailing)."""
        most = max(min(self.sails, damage.hull), damage.sails)
        return Damage(damage.hull, min(damage.sails + sails, most))


class Allegiance(Enum):
    """Whose ship it is by its build: it says who mans it."""

    PIRATE = "pirate"
    IMPERIAL = "imperial"


class ShipPlace(Enum):
    """Where a minifig is."""

    DECK = "deck"
    CASTLE = "castle"
    """A fighting top on a mast."""
    CABIN = "cabin"
    GUN_DECK = "gun_deck"
    HELM = "helm"
    GUN = "gun"
    WATER = "water"


@dataclass(frozen=True)
class Gun:
    """A gun and its place on the ship (ours)."""

    ahead_studs: float
    """How far its muzzle is ahead of the middle of the ship."""
    left_studs: float
    """How far it is to the left."""
    bearing_deg: float
    """Of its bore off the bow, to the left."""
    is_light: bool = False
    """Whether it is a light cannon."""
    is_below: bool = False
    """Whether it stands on the gun deck."""

    @property
    def hauled(self) -> "Gun":
        """The gun on the other side of the ship (PW Moving)."""
        return replace(self, left_studs=-self.left_studs, bearing_deg=-self.bearing_deg)

    @property
    def side(self) -> str:
        """The side of the ship over which it fires."""
        ahead, left = unit_vector(self.bearing_deg)
        if abs(ahead) > abs(left):
            return "bow" if ahead > 0 else "stern"
        return "port" if left > 0 else "starboard"

    def cannon(self, ammunition: Ammunition) -> WeaponSheet:
        """Return its dice, range and target number (PW, Weapons Chart)."""
        return minifigs().cannons[self.is_light, ammunition]


@dataclass(frozen=True, eq=False)
class ShipSheet:
    """A ship (PW, Ship Data Chart)."""

    name: str
    """Its name in files."""
    title: str
    """Its name for people."""
    side: Allegiance
    """Side for which the ship is built."""
    chart: DamageChart
    """Its damage chart, with HF, SF and SL."""
    speed_studs: int
    """Its speed by the chart."""
    length_studs: float
    """From the bow to the rudder at the waterline."""
    width_studs: float
    """Of the hull (ours)."""
    crew: int
    """Full crew, including the captain."""
    extra: Mapping[Role, int]
    """Minifigs in addition to the crew."""
    places: Mapping[ShipPlace, int]
    """How many minifigs each place holds, apart from helm and guns (ours)."""
    guns: tuple[Gun, ...]
    """Its guns."""
    outline: tuple[Point, ...]
    """Its left side from the stern, as shares of its size (ours)."""

    @cached_property
    def hull(self) -> Polygon:
        """The hull at the waterline about the middle of the length, bow along +x, in studs."""
        left = [(x * self.length_studs, y * self.width_studs) for x, y in self.outline]
        right = [(x, -y) for x, y in left if y]
        return convex_polygon([*right, *reversed(left)])

    @cached_property
    def radius_studs(self) -> float:
        """The distance from the middle within which the whole hull lies."""
        return hypot(self.length_studs, self.width_studs) / 2

    @cached_property
    def full_crew(self) -> dict[Role, int]:
        """How many minifigs of each role man it: its crew with a captain, and the extra figures of the chart."""
        hand = Role.SAILOR if self.side is Allegiance.IMPERIAL else Role.PIRATE
        crew = {Role.CAPTAIN: 1, hand: self.crew - 1}
        return {role: crew.get(role, 0) + self.extra.get(role, 0) for role in Role}

    @property
    def rudder_studs(self) -> Point:
        """The rudder, about which the ship swings: ahead of the middle, and to the left."""
        return -self.length_studs / 2, 0.0

    @property
    def size(self) -> tuple[float, int]:
        """What makes a ship larger than another one: its length, then its hull lines (ours)."""
        return self.length_studs, self.chart.hull

    def half_width_studs(self, ahead_studs: float) -> float:
        """Return half the width of the hull so far ahead of the middle of the ship; 0 beyond bow and stern."""
        share = ahead_studs / self.length_studs
        for (x, y), (next_x, next_y) in pairwise(self.outline):
            if x <= share <= next_x:
                return self.width_studs * (y + (next_y - y) * (share - x) / (next_x - x))
        return 0.0

    def covers(self, ahead_studs: float, left_studs: float) -> bool:
        """Tell whether the hull covers a point ahead of the middle of the ship and to the left."""
        return abs(left_studs) < self.half_width_studs(ahead_studs)

    def room(self, place: ShipPlace) -> int:
        """Return how many minifigs a place holds; a gun always two."""
        if place is ShipPlace.HELM:
            return 1
        return 2 if place is ShipPlace.GUN else self.places.get(place, 0)


@lru_cache
def ships() -> Mapping[str, ShipSheet]:
    """Return all ships by name, in the order of the book's chart."""
    found = data("ships")
    outline = tuple((float(x), float(y)) for x, y in found["outline"])
    return {name: _ship(name, table, outline) for name, table in found["ship"].items()}


def ship(name: str) -> ShipSheet:
    """Return a ship; InvalidValueError if there is none of that name."""
    return lookup("ship", name, ships())


def _ship(name: str, table: Mapping[str, Any], outline: tuple[Point, ...]) -> ShipSheet:
    light, below = table.get("light", ()), table.get("below", ())
    guns = tuple(
        Gun(float(ahead), float(left), float(bearing), number in light, number in below)
        for number, (ahead, left, bearing) in enumerate(table["guns"])
    )
    return ShipSheet(
        name=name,
        title=table["title"],
        side=Allegiance(table["side"]),
        chart=DamageChart(table["hull"], table["sails"], table["sail_loss"]),
        speed_studs=table["speed"],
        length_studs=float(table["length"]),
        width_studs=float(table["width_studs"]),
        crew=table["crew"],
        extra={Role(role): count for role, count in table["extra"].items()},
        places={ShipPlace(place): count for place, count in table["places"].items()},
        guns=guns,
        outline=outline,
    )
