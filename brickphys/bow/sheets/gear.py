"""Gear: the objects that a minifig can have, how it carries them, and its ways to attack with them (BOW 2.3.2, A.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import chain, product

from brickphys.bow.sheets.rulebook import HANDS
from brickphys.errors import InvalidValueError

BARE_HANDS = "hands"
"""The name of an attack without a weapon."""
UNARMED_REACH_STUDS = 1


class WeaponKind(Enum):
    """The type of a weapon; it decides the conditions of an attack (BOW 2.4.2)."""

    MELEE = "melee"
    LONG_RANGE = "long_range"
    EXPLOSIVE = "explosive"
    """A mere object in the basic rules; its damage belongs to the advanced rules."""


class ArmorPlace(Enum):
    """The part that armor protects; a minifig wears one piece on each."""

    HEAD = "head"
    BODY = "body"
    LEFT_HAND = "left_hand"


@dataclass(frozen=True, kw_only=True)
class Item:
    """An object."""

    name: str
    """Unique among all gear."""
    hands: int = 1
    """The number of hands that hold it: 1 or 2."""

    def problems(self) -> Iterator[str]:
        """Yield every fault."""
        if not 1 <= self.hands <= HANDS:
            yield f"hands: {self.hands} is neither 1 nor 2"


@dataclass(frozen=True, kw_only=True)
class HandWeapon(Item):
    """A weapon for the hand (BOW A.2)."""

    damage: int
    """Bricks that it adds to the attack skill."""
    kind: WeaponKind
    """Its type."""
    reach_studs: int = 0
    """Reach of a melee weapon, in steps to any of the eight neighbours; 0 for others."""
    paired: bool = False
    """Whether a second weapon can be used together with it."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.name == BARE_HANDS:
            yield f"name: {BARE_HANDS} is reserved for attacks without a weapon"
        if self.damage < 1:
            yield f"damage: {self.damage} is less than 1"
        if (self.reach_studs > 0) != (self.kind is WeaponKind.MELEE):
            yield f"reach_studs: {self.reach_studs} of a {self.kind.value} weapon: only melee weapons have a reach"
        if self.paired and self.hands == HANDS:
            yield "paired: two two-handed weapons cannot be used together (BOW A.2)"


@dataclass(frozen=True, kw_only=True)
class Armor(Item):
    """A piece of armor (BOW A.2): it adds `armor` bricks to the dodge skill while it is at its `place`."""

    armor: int
    """Bricks that it adds."""
    place: ArmorPlace
    """Where it must be."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.armor < 1:
            yield f"armor: {self.armor} is less than 1"


@dataclass(frozen=True, kw_only=True)
class Tool(Item):
    """An object that neither hits nor protects."""


@dataclass(frozen=True, kw_only=True)
class Bag(Item):
    """A bag on the back; it `holds` a number of one-handed objects."""

    holds: int
    """How many objects fit in."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.holds < 1:
            yield f"holds: {self.holds} is less than 1"


@dataclass(frozen=True)
class Armament:
    """One way to attack with the objects in hand; two weapons that are used together are one way (BOW A.2)."""

    weapons: tuple[HandWeapon, ...]
    """None, one or two."""
    kind: WeaponKind
    """Melee or long-range."""
    damage: int
    """Of all weapons together."""
    reach_studs: int
    """The reach that all weapons have; 0 for long-range ones."""


UNARMED = Armament((), WeaponKind.MELEE, 0, UNARMED_REACH_STUDS)
"""Bare hands count as melee (BOW A.4, ours)."""


def is_shield(item: Item) -> bool:
    """Tell whether an object is a shield: armor for the left hand."""
    return isinstance(item, Armor) and item.place is ArmorPlace.LEFT_HAND


def armaments(held: Sequence[Item]) -> tuple[Armament, ...]:
    """Return every way to attack with the objects in hand, the most damage first (BOW A.2).

    Two weapons are used together if both can be paired, are of one kind, and no hand holds a shield. Then a single
    weapon is another way only if it reaches farther than both together.
    """
    weapons = [
        item
        for item in held
        if isinstance(item, HandWeapon) and item.kind is not WeaponKind.EXPLOSIVE
    ]
    singles = [_armament(weapon) for weapon in weapons]
    if _go_together(weapons):
        both = _armament(*weapons)
        singles = [both, *(one for one in singles if one.reach_studs > both.reach_studs)]
    found = sorted(singles, key=lambda way: (-way.damage, -way.reach_studs))
    return tuple(dict.fromkeys(found)) or (UNARMED,)


def _go_together(weapons: Sequence[HandWeapon]) -> bool:
    # a shield takes a hand, so that two weapons in two hands leave none for it
    kinds = {weapon.kind for weapon in weapons}
    return len(weapons) == HANDS and len(kinds) == 1 and all(weapon.paired for weapon in weapons)


def _armament(*weapons: HandWeapon) -> Armament:
    return Armament(
        weapons,
        weapons[0].kind,
        sum(weapon.damage for weapon in weapons),
        min(weapon.reach_studs for weapon in weapons),
    )


BACK_CLIPS = 2
"""Objects on the back, a bag included: one over each shoulder. Ours: the book only asks that they clip on."""


class Place(Enum):
    """A place for objects on a minifig; its value is the attribute of `Loadout`."""

    HELD = "held"
    WORN = "worn"
    BACK = "back"
    BAG = "bag"


@dataclass(frozen=True)
class Loadout:
    """The objects of one minifig, in each place in order of names; a shield is last, in the left hand."""

    held: tuple[Item, ...] = ()
    """In the hands: a two-handed object fills both."""
    worn: tuple[Item, ...] = ()
    """Armor on head and body."""
    back: tuple[Item, ...] = ()
    """Clipped on, bags included."""
    bag: tuple[Item, ...] = ()
    """In the bags."""

    def __post_init__(self) -> None:
        for place in Place:
            ordered = sorted(self.at(place), key=lambda item: (is_shield(item), item.name))
            object.__setattr__(self, place.value, tuple(ordered))

    def at(self, place: Place) -> tuple[Item, ...]:
        """Return what is at a place."""
        items: tuple[Item, ...] = getattr(self, place.value)
        return items

    def items(self) -> Iterator[tuple[Place, Item]]:
        """Yield every object with its place."""
        return ((place, item) for place in Place for item in self.at(place))

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Names of the objects at each place, in the order of places: every state of a replay is written with them."""
        return tuple(tuple(item.name for item in self.at(place)) for place in Place)

    @cached_property
    def armor(self) -> int:
        """Bricks of all armor that protects: worn, and a shield in the hand (BOW A.2)."""
        protecting = chain(self.worn, filter(is_shield, self.held))
        return sum(item.armor for item in protecting if isinstance(item, Armor))

    @cached_property
    def armaments(self) -> tuple[Armament, ...]:
        """Every way to attack with the objects in hand, the most damage first; bare hands if there is no other."""
        return armaments(self.held)

    @cached_property
    def spare_armaments(self) -> tuple[Armament, ...]:
        """The ways to attack with each single weapon on the back or in the bag, once it is switched into the hand."""
        stowed = (item for item in chain(self.back, self.bag) if isinstance(item, HandWeapon))
        ways = (armaments([item])[0] for item in stowed)
        found = sorted((way for way in ways if way.weapons), key=lambda way: -way.damage)
        return tuple(dict.fromkeys(found))

    @property
    def damage(self) -> int:
        """Damage of the strongest way to attack."""
        return self.armaments[0].damage

    @property
    def free_hands(self) -> int:
        """Number of empty hands."""
        return HANDS - sum(item.hands for item in self.held)

    @property
    def free_in_bags(self) -> int:
        """Number of objects for which the bags still have room."""
        return sum(item.holds for item in self.back if isinstance(item, Bag)) - len(self.bag)

    def problems(self) -> list[str]:
        """Return every fault, each with its place and section (empty: there is none)."""
        return [*self._faults]

    @cached_property
    def _faults(self) -> tuple[str, ...]:
        """Kept, since a sheet asks again for those of its gear."""
        return (*self._hand_problems(), *self._worn_problems(), *self._stowed_problems())

    def put(self, item: Item, place: Place) -> "Loadout":
        """Return the loadout with one more object; InvalidValueError with every fault of the result."""
        new = self._with(item, place)
        if faults := new.problems():
            raise InvalidValueError("; ".join(faults))
        return new

    def take(self, item: Item, place: Place) -> "Loadout":
        """Return the loadout without one object.

        InvalidValueError if it is not there, or if it is a bag and its content has no other room.
        """
        new = self._without(item, place)
        if new.free_in_bags < 0:
            raise InvalidValueError(f"{place.value}: {item.name} is not empty")
        return new

    def switch(self, held: HandWeapon, stowed: HandWeapon) -> "Loadout":
        """Return the loadout with a weapon in hand exchanged for one on the back or in the bag (BOW 2.3.2).

        The weapon that is put away takes the place of the other one, or else any place with room. InvalidValueError if
        one is not there, or one does not fit.
        """
        places = [place for place in (Place.BACK, Place.BAG) if stowed in self.at(place)]
        if not places:
            raise InvalidValueError(f"back, bag: no {stowed.name} there")
        for source, target in product(places, dict.fromkeys([*places, Place.BACK, Place.BAG])):
            new = self._without(held, Place.HELD)._without(stowed, source)
            new = new._with(held, target)._with(stowed, Place.HELD)
            if not new.problems():
                return new
        raise InvalidValueError(f"no room to change {held.name} for {stowed.name}")

    def _with(self, item: Item, place: Place) -> "Loadout":
        return replace(self, **{place.value: (*self.at(place), item)})

    def _without(self, item: Item, place: Place) -> "Loadout":
        left = list(self.at(place))
        if item not in left:
            raise InvalidValueError(f"{place.value}: no {item.name} there")
        left.remove(item)
        return replace(self, **{place.value: tuple(left)})

    def _hand_problems(self) -> Iterator[str]:
        if self.free_hands < 0:
            needed = HANDS - self.free_hands
            names = ", ".join(item.name for item in self.held)
            yield f"held: {names} need {needed} hands, but there are {HANDS} (BOW A.2)"
        shields = [item.name for item in self.held if is_shield(item)]
        if len(shields) > 1:
            yield f"held: {', '.join(shields)}: only the left hand holds a shield (BOW A.2)"

    def _worn_problems(self) -> Iterator[str]:
        at: dict[ArmorPlace, str] = {}
        for item in self.worn:
            if not isinstance(item, Armor) or is_shield(item):
                yield f"worn: {item.name} cannot be worn (BOW A.2)"
            elif item.place in at:
                other = at[item.place]
                yield f"worn: {other} and {item.name} are both for the {item.place.value} (BOW 2.3.2)"
            else:
                at[item.place] = item.name

    def _stowed_problems(self) -> Iterator[str]:
        if len(self.back) > BACK_CLIPS:
            yield f"back: {len(self.back)} objects, but it holds {BACK_CLIPS} (BOW 2.3.2)"
        if self.free_in_bags < 0:
            holds = self.free_in_bags + len(self.bag)
            yield f"bag: {len(self.bag)} objects, but the bags on the back hold {holds} (BOW 2.3.2)"
        for item in self.bag:
            if item.hands > 1 or isinstance(item, Bag):
                yield f"bag: {item.name} is too big for a bag (BOW 2.3.2)"
