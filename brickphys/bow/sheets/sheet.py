"""Sheet: the description sheet of a minifig or another unit on foot, and of a vehicle (BOW 1.4, 3, A.1 to A.3).

The studs of a block on a sheet are the capacity of its ability.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, lru_cache

from brickphys.bow.sheets.gear import Armament, HandWeapon, Item, Loadout, Place
from brickphys.bow.sheets.rulebook import ARCS_DEG, STUDS_PER_SPEED
from brickphys.errors import InvalidValueError
from brickphys.files import shipped_tables
from brickphys.vehicles.sectors import Sector

COLUMNS = 6
ROWS = 8


@dataclass(frozen=True)
class StudBlock:
    """A rectangle of studs: its first one, counted from the upper left corner of the sheet, and its size."""

    name: str
    """Its ability."""
    label: str
    """Its name for players."""
    column: int
    row: int
    columns: int
    rows: int

    @property
    def capacity(self) -> int:
        """The points that it holds, one a stud."""
        return self.columns * self.rows

    def cells(self) -> list[tuple[int, int]]:
        """Return column and row of its studs, row by row from the upper left (BOW 3.2)."""
        return [
            (column, row)
            for row in range(self.row, self.row + self.rows)
            for column in range(self.column, self.column + self.columns)
        ]


@lru_cache
def blocks(kind: str) -> Mapping[str, StudBlock]:
    """Return the blocks of a kind of sheet by name: ``minifig``, ``vehicle``, or ``custom``, a line of abilities."""
    return {
        name: StudBlock(name, table.get("label", name), *table["at"], *table["size"])
        for name, table in shipped_tables("brickphys.bow", "layout")[kind].items()
    }


def capacity(kind: str, name: str) -> int:
    """Return the points that a block of a kind of sheet holds."""
    return blocks(kind)[name].capacity


def over_capacity(kind: str, name: str, points: int, made_of: str = "") -> list[str]:
    """Return the fault of an ability that has more points than its block has studs, if any."""
    block = blocks(kind)[name]
    if points <= block.capacity:
        return []
    return [
        f"{name}: {points}{made_of} is more than the {block.capacity} studs of {block.label} (BOW 1.4)"
    ]


DERIVED = ("armor", "damage", "dodge_armor", "attack_damage")
SKILLS = ("action_budget", "move", "dodge", "attack", "health", "treat", "repair")
ABILITIES = SKILLS + DERIVED
"""Every ability of the basic rules by name."""


class HealthColour(Enum):
    """Colour of the health of a unit; it decides which ability helps the unit (BOW 1.4.1, 2.4.4)."""

    RED = "red"
    """A life form: it is treated."""
    YELLOW = "yellow"
    """A machine: it is repaired."""


@dataclass(frozen=True)
class MinifigSheet:
    """The abilities of a unit, with its gear."""

    name: str
    """Of this kind of unit."""
    action_budget: int
    """Actions in a turn."""
    move: int
    """Steps in a move action."""
    dodge: int
    """Skill without gear."""
    attack: int
    """Skill without gear."""
    health: int
    """Damage points that kill."""
    health_colour: HealthColour = HealthColour.RED
    """Life form or machine."""
    treat: int = 0
    """Ability to help life forms."""
    repair: int = 0
    """Ability to help machines; it shares a block of the sheet with `treat`."""
    gear: Loadout = field(default_factory=Loadout)
    """Its objects."""
    custom: tuple[tuple[str, int], ...] = ()
    """Abilities of custom actions (BOW B.3): pairs of name and points, in order of names, without those of 0 points."""
    about: str = ""
    """A description in a few words."""

    def __post_init__(self) -> None:
        kept = tuple(sorted((name, points) for name, points in self.custom if points))
        object.__setattr__(self, "custom", kept)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Kept, since caches of what a unit can do are keyed by its sheet."""
        return hash((self.name, self.gear))

    @property
    def armor(self) -> int:
        """Points of all armor that protects."""
        return self.gear.armor

    @property
    def damage(self) -> int:
        """Damage of the weapon in use."""
        return self.gear.damage

    @property
    def dodge_armor(self) -> int:
        """Bricks that resist an attack (BOW A.2)."""
        return self.dodge + self.armor

    @property
    def attack_damage(self) -> int:
        """Bricks of an attack with the strongest weapon in hand (BOW A.2)."""
        return self.attack + self.damage

    @property
    def armaments(self) -> tuple[Armament, ...]:
        """Every way to attack with the objects in hand."""
        return self.gear.armaments

    def bricks(self, armament: Armament) -> int:
        """Return the bricks of an attack in one way, before any are lost by distance."""
        return self.attack + armament.damage

    def helping(self, colour: HealthColour) -> int:
        """Return the bricks to help a unit or vehicle with a colour of health (BOW 2.4.4)."""
        return self.treat if colour is HealthColour.RED else self.repair

    def ability(self, name: str) -> int:
        """Return the points of any ability, of the basic rules or of custom actions; 0 if it has none."""
        points: int = getattr(self, name) if name in ABILITIES else self._custom.get(name, 0)
        return points

    @cached_property
    def _custom(self) -> dict[str, int]:
        return dict(self.custom)

    def problems(self) -> list[str]:
        """Return every fault: capacities, impossible values, gear (empty: there is none)."""
        return [*self._value_problems(), *self._capacity_problems(), *self.gear.problems()]

    def with_gear(self, gear: Loadout) -> "MinifigSheet":
        """Return the sheet with other gear, and the abilities that follow from it (BOW 2.3.2).

        InvalidValueError with every fault, such as an exceeded capacity.
        """
        new = replace(self, gear=gear)
        if faults := new.problems():
            raise InvalidValueError(f"{self.name}: {'; '.join(faults)}")
        return new

    def put(self, item: Item, place: Place) -> "MinifigSheet":
        """Return the sheet with one more object, see `Loadout.put`."""
        return self.with_gear(self.gear.put(item, place))

    def take(self, item: Item, place: Place) -> "MinifigSheet":
        """Return the sheet without an object, see `Loadout.take`."""
        return self.with_gear(self.gear.take(item, place))

    def switch(self, held: HandWeapon, stowed: HandWeapon) -> "MinifigSheet":
        """Return the sheet with a weapon in hand exchanged for a stowed one, see `Loadout.switch`."""
        return self.with_gear(self.gear.switch(held, stowed))

    def _value_problems(self) -> Iterator[str]:
        for name in SKILLS:
            points = getattr(self, name)
            least = 1 if name == "health" else 0
            if points < least:
                yield f"{name}: {points} is less than {least}"
        for name, points in self.custom:
            limit = capacity("custom", "acting")
            if not 0 <= points <= limit:
                yield f"custom.{name}: {points} is not from 0 to {limit} (BOW B.3)"

    def _capacity_problems(self) -> Iterator[str]:
        blocks = {
            "action_budget": (self.action_budget,),
            "move": (self.move,),
            "dodge_armor": (self.dodge, self.armor),
            "attack_damage": (self.attack, self.damage),
            "health": (self.health,),
            "treat_repair": (self.treat, self.repair),
        }
        for name, parts in blocks.items():
            made_of = f" ({parts[0]} + {parts[1]})" if len(parts) == 2 and all(parts) else ""
            yield from over_capacity("minifig", name, sum(parts), made_of)


@lru_cache(maxsize=8192)
def tried(
    change: Callable[..., MinifigSheet], sheet: MinifigSheet, *things: Item | Place
) -> MinifigSheet | str:
    """Return a sheet after a change of its gear, such as `MinifigSheet.put`; why not, if it cannot be changed so."""
    try:
        return change(sheet, *things)
    except InvalidValueError as error:
        return str(error)


@dataclass(frozen=True)
class VehicleWeapon:
    """A weapon that a seat controls; it counts as a hand gun (BOW 3.4)."""

    name: str
    """Of this kind of weapon."""
    damage: int
    """Bricks that it adds to the attack skill of its gunner: little 3, big 4 (BOW A.2)."""
    arc_deg: int = 180
    """Angle of fire: 180, or 360 on a turret."""
    axis_deg: float = 0.0
    """Direction of the middle of the arc, counter-clockwise from the heading."""
    shots_per_turn: int | None = None
    """Firing rate in a turn of its gunner; None for no limit."""
    reload: bool = False
    """Whether another minifig must reload it after so many shots, before it fires again (BOW 3.1)."""


@dataclass(frozen=True)
class Seat:
    """A place for one minifig (BOW 3.1)."""

    name: str
    """Unique in the vehicle."""
    pilot: bool = False
    """Whether its occupant moves the vehicle."""
    exposed: bool = False
    """Whether its occupant can be attacked and can fight with its own weapons (BOW 3.5)."""
    beside: bool = False
    """Whether its occupant walks beside the vehicle, on a stud of its own (BOW 3.1, the catapult)."""
    weapon: VehicleWeapon | None = None
    """The weapon that its occupant controls, if any."""


@dataclass(frozen=True)
class VehicleFootprint:
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
    """The abilities and the seats of a vehicle."""

    name: str
    """Of this kind of vehicle."""
    speed: int
    """Highest speed; a point is 5 studs (BOW 3.2)."""
    armor: int
    """Bricks that resist attacks and collisions."""
    health: int
    """Damage points that destroy it."""
    footprint: VehicleFootprint
    """Its size."""
    seats: tuple[Seat, ...]
    """All seats."""
    min_speed: int = 0
    """Lowest speed other than 0; with 0 or 1 every speed is allowed (BOW 3.2)."""
    flying: bool = False
    """Whether it flies at any speed but 0."""
    doors: tuple[Sector, ...] = (Sector.LEFT, Sector.RIGHT)
    """Sides where units get on and off."""
    model: str | None = None
    """Name of the physical model that gives the footprint; None if it is written by hand."""
    about: str = ""
    """A description in a few words."""

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


def move_studs(speed: int) -> float:
    """Return how far a vehicle moves at a speed (BOW 3.2)."""
    return float(STUDS_PER_SPEED * speed)
