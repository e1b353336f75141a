"""Minifig sheet: the description sheet of a minifig or another unit on foot (BOW 1.4.1, A.1, A.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from brickphys.bow.sheets.gear import Armament, Item, Weapon
from brickphys.bow.sheets.layout import capacity, over_capacity
from brickphys.bow.sheets.loadout import Loadout, Place
from brickphys.errors import InvalidValueError

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
    """The abilities of a unit, with its gear.

    Attributes
    ----------
    name
        Of this kind of unit.
    action_budget
        Actions in a turn.
    move
        Steps in a move action.
    dodge, attack
        Skills without gear.
    health
        Damage points that kill.
    health_colour
        Life form or machine.
    treat, repair
        Abilities to help life forms and machines; they share one block of the sheet.
    gear
        Its objects.
    custom
        Abilities of custom actions (BOW B.3): pairs of name and points, in order of names, without those of 0 points.
    about
        A description in a few words.
    """

    name: str
    action_budget: int
    move: int
    dodge: int
    attack: int
    health: int
    health_colour: HealthColour = HealthColour.RED
    treat: int = 0
    repair: int = 0
    gear: Loadout = field(default_factory=Loadout)
    custom: tuple[tuple[str, int], ...] = ()
    about: str = ""

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

        Raises
        ------
        InvalidValueError
            With every fault, such as an exceeded capacity.
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

    def switch(self, held: Weapon, stowed: Weapon) -> "MinifigSheet":
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
