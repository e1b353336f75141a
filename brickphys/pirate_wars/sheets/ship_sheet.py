"""Ship sheet: the numbers of a ship, its hull, its places and its guns."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import pairwise
from math import hypot

from brickphys.geometry.polygon import Point, Polygon, convex_polygon, unit_vector
from brickphys.pirate_wars.sheets.damage_chart import DamageChart
from brickphys.pirate_wars.sheets.minifigs import Ammunition, Role, WeaponSheet, minifigs


class Side(Enum):
    """Whose ship it is by its build: it says who mans it."""

    PIRATE = "pirate"
    IMPERIAL = "imperial"


class Place(Enum):
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

    @property
    def is_broadside(self) -> bool:
        """Whether it fires over a side, so that it can be hauled to the other one."""
        return self.left_studs != 0.0


@dataclass(frozen=True, eq=False)
class ShipSheet:
    """A ship (PW, Ship Data Chart)."""

    name: str
    """Its name in files."""
    title: str
    """Its name for people."""
    side: Side
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
    places: Mapping[Place, int]
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
        hand = Role.SAILOR if self.side is Side.IMPERIAL else Role.PIRATE
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

    def room(self, place: Place) -> int:
        """Return how many minifigs a place holds; a gun always two."""
        if place is Place.HELM:
            return 1
        return 2 if place is Place.GUN else self.places.get(place, 0)
