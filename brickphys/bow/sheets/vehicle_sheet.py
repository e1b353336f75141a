"""Vehicle sheet: the description sheet of a vehicle, with its size, seats and weapons (BOW 1.4.2, 3, A.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from brickphys.bow.sheets.layout import capacity, over_capacity
from brickphys.bow.sheets.minifig_sheet import HealthColour, MinifigSheet

ARCS_DEG = (180, 360)

STUDS_PER_SPEED = 5
"""A vehicle moves five studs a point of speed (BOW 3.2)."""


class Side(Enum):
    """A side of a vehicle as its driver sees it."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    REAR = "rear"


@dataclass(frozen=True)
class VehicleWeapon:
    """A weapon that a seat controls; it counts as a hand gun (BOW 3.4).

    Attributes
    ----------
    name
        Of this kind of weapon.
    damage
        Bricks that it adds to the attack skill of its gunner: little 3, big 4 (BOW A.2).
    arc_deg
        Angle of fire: 180, or 360 on a turret.
    axis_deg
        Direction of the middle of the arc, counter-clockwise from the heading.
    shots_per_turn
        Firing rate in a turn of its gunner; None for no limit.
    reload
        Whether another minifig must reload it after so many shots, before it fires again (BOW 3.1).
    """

    name: str
    damage: int
    arc_deg: int = 180
    axis_deg: float = 0.0
    shots_per_turn: int | None = None
    reload: bool = False


@dataclass(frozen=True)
class Seat:
    """A place for one minifig (BOW 3.1).

    Attributes
    ----------
    name
        Unique in the vehicle.
    pilot
        Whether its occupant moves the vehicle.
    exposed
        Whether its occupant can be attacked and can fight with its own weapons (BOW 3.5).
    beside
        Whether its occupant walks beside the vehicle, on a stud of its own (BOW 3.1, the catapult).
    weapon
        The weapon that its occupant controls, if any.
    """

    name: str
    pilot: bool = False
    exposed: bool = False
    beside: bool = False
    weapon: VehicleWeapon | None = None


@dataclass(frozen=True)
class Footprint:
    """The space of a vehicle: `length_studs` is along its heading, `bottom_plates` of a flyer is in flight."""

    length_studs: float
    """Its length, along the heading."""
    width_studs: float
    """Its width."""
    bottom_plates: float
    """The height of its underside."""
    top_plates: float
    """The height of its top."""


@dataclass(frozen=True)
class VehicleSheet:
    """The abilities and the seats of a vehicle.

    Attributes
    ----------
    name
        Of this kind of vehicle.
    speed
        Highest speed; a point is 5 studs (BOW 3.2).
    armor
        Bricks that resist attacks and collisions.
    health
        Damage points that destroy it.
    footprint
        Its size.
    seats
        All seats.
    min_speed
        Lowest speed other than 0; with 0 or 1 every speed is allowed (BOW 3.2).
    flying
        Whether it flies at any speed but 0.
    doors
        Sides where units get on and off.
    model
        Name of the physical model that gives the footprint; None if it is written by hand.
    about
        A description in a few words.
    """

    name: str
    speed: int
    armor: int
    health: int
    footprint: Footprint
    seats: tuple[Seat, ...]
    min_speed: int = 0
    flying: bool = False
    doors: tuple[Side, ...] = (Side.LEFT, Side.RIGHT)
    model: str | None = None
    about: str = ""

    @property
    def health_colour(self) -> HealthColour:
        """Yellow for every vehicle, mounts included (BOW 1.4.2)."""
        return HealthColour.YELLOW

    @property
    def speeds(self) -> tuple[int, ...]:
        """Every allowed speed, 0 first."""
        return (0, *range(max(self.min_speed, 1), self.speed + 1))

    @property
    def weapons(self) -> tuple[VehicleWeapon, ...]:
        """All weapons, in the order of seats."""
        return tuple(seat.weapon for seat in self.seats if seat.weapon)

    def seat(self, name: str) -> Seat | None:
        """Return the seat with a name, if there is one."""
        return next((seat for seat in self.seats if seat.name == name), None)

    def problems(self) -> list[str]:
        """Return every fault (empty: there is none)."""
        return [*self._value_problems(), *self._seat_problems(), *self._size_problems()]

    def _value_problems(self) -> Iterator[str]:
        for name, least in (("speed", 0), ("armor", 0), ("health", 1), ("min_speed", 0)):
            if getattr(self, name) < least:
                yield f"{name}: {getattr(self, name)} is less than {least}"
            if name != "min_speed":
                yield from over_capacity("vehicle", name, getattr(self, name))
        if self.min_speed > self.speed:
            yield f"min_speed: {self.min_speed} is above speed, {self.speed} (BOW 3.2)"

    def _seat_problems(self) -> Iterator[str]:
        pilots = [seat.name for seat in self.seats if seat.pilot]
        if len(pilots) != 1:
            what = (
                f"{len(pilots)} pilots' seats ({', '.join(pilots)})"
                if pilots
                else "no pilot's seat"
            )
            yield f"seat: {what}: a vehicle needs exactly one (BOW 3.1)"
        names = [seat.name for seat in self.seats]
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            yield f"seat: {names.count(name)} seats are called {name}"
        for seat in self.seats:
            if seat.beside and self.flying:
                yield f"seat: {seat.name}: nobody walks beside a flying vehicle (BOW 3.1)"
        for weapon in self.weapons:
            yield from (f"seat: {weapon.name}: {fault}" for fault in weapon_problems(weapon))
        if not self.doors:
            yield "doors: a vehicle needs a door, or nobody could get on (BOW 2.3.3)"

    def _size_problems(self) -> Iterator[str]:
        size = self.footprint
        for name in ("length_studs", "width_studs"):
            if not getattr(size, name) > 0:
                yield f"{name}: {getattr(size, name):g} is not above 0"
        if not 0 <= size.bottom_plates < size.top_plates:
            yield (
                f"top_plates: {size.top_plates:g} must be above bottom_plates, {size.bottom_plates:g}, "
                "and that must be 0 or more"
            )


def weapon_problems(weapon: VehicleWeapon) -> Iterator[str]:
    """Yield every fault of a vehicle's weapon."""
    if weapon.damage < 1:
        yield f"damage: {weapon.damage} is less than 1"
    if weapon.arc_deg not in ARCS_DEG:
        yield f"arc_deg: {weapon.arc_deg} is neither 180 nor 360 (BOW 3.4)"
    if weapon.shots_per_turn is not None and weapon.shots_per_turn < 1:
        yield f"shots_per_turn: {weapon.shots_per_turn} is less than 1 (BOW 3.1)"
    if weapon.reload and weapon.shots_per_turn is None:
        yield "shots_per_turn: missing: after so many shots the weapon is reloaded (BOW 3.1)"


def manned_bricks(sheet: MinifigSheet, weapon: VehicleWeapon) -> int:
    """Return the bricks of an attack with a vehicle's weapon, before any are lost by distance (BOW 3.4)."""
    return sheet.attack + weapon.damage


def manning_problems(sheet: MinifigSheet, weapon: VehicleWeapon) -> list[str]:
    """Return why a minifig cannot control a weapon: its Attack/Damage would exceed its sheet (empty: it can)."""
    bricks, most = manned_bricks(sheet, weapon), capacity("minifig", "attack_damage")
    if bricks <= most:
        return []
    return [
        f"{sheet.name}: Attack/Damage {bricks} ({sheet.attack} + {weapon.damage} of {weapon.name}) "
        f"is more than its {most} studs (BOW 1.4)"
    ]


def distance_studs(speed: int) -> float:
    """Return how far a vehicle moves at a speed (BOW 3.2)."""
    return float(STUDS_PER_SPEED * speed)
