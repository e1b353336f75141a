"""Gear: the objects that a minifig can have, and the ways to attack with those in its hands (BOW 2.3.2, A.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

HANDS = 2
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
    """An object.

    Attributes
    ----------
    name
        Unique among all gear.
    hands
        The number of hands that hold it: 1 or 2.
    """

    name: str
    hands: int = 1

    def problems(self) -> Iterator[str]:
        """Yield every fault."""
        if not 1 <= self.hands <= HANDS:
            yield f"hands: {self.hands} is neither 1 nor 2"


@dataclass(frozen=True, kw_only=True)
class Weapon(Item):
    """A weapon for the hand (BOW A.2).

    Attributes
    ----------
    damage
        Bricks that it adds to the attack skill.
    kind
        Its type.
    reach_studs
        Reach of a melee weapon, in steps to any of the eight neighbours; 0 for others.
    paired
        Whether a second weapon can be used together with it.
    """

    damage: int
    kind: WeaponKind
    reach_studs: int = 0
    paired: bool = False

    def problems(self) -> Iterator[str]:
        """Yield every fault."""
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
        """Yield every fault."""
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
        """Yield every fault."""
        yield from super().problems()
        if self.holds < 1:
            yield f"holds: {self.holds} is less than 1"


@dataclass(frozen=True)
class Armament:
    """One way to attack with the objects in hand; two weapons that are used together are one way (BOW A.2).

    Attributes
    ----------
    weapons
        None, one or two.
    kind
        Melee or long-range.
    damage
        Of all weapons together.
    reach_studs
        The reach that all weapons have; 0 for long-range ones.
    """

    weapons: tuple[Weapon, ...]
    kind: WeaponKind
    damage: int
    reach_studs: int


UNARMED = Armament((), WeaponKind.MELEE, 0, UNARMED_REACH_STUDS)
"""Bare hands count as melee (BOW A.4, ours)."""


def is_shield(item: Item) -> bool:
    """Tell whether an object is a shield: armor for the left hand."""
    return isinstance(item, Armor) and item.place is ArmorPlace.LEFT_HAND


def armaments(held: Sequence[Item]) -> tuple[Armament, ...]:
    """Return every way to attack with the objects in hand, the most damage first (BOW A.2).

    Two weapons are used together if both can be paired, are of one kind, and no hand holds a shield. Then a single
    weapon is another way only if it reaches farther than both together.

    Parameters
    ----------
    held
        The objects in the hands.
    """
    weapons = [
        item for item in held if isinstance(item, Weapon) and item.kind is not WeaponKind.EXPLOSIVE
    ]
    singles = [_armament(weapon) for weapon in weapons]
    if _go_together(weapons):
        both = _armament(*weapons)
        singles = [both, *(one for one in singles if one.reach_studs > both.reach_studs)]
    found = sorted(singles, key=lambda way: (-way.damage, -way.reach_studs))
    return tuple(dict.fromkeys(found)) or (UNARMED,)


def _go_together(weapons: Sequence[Weapon]) -> bool:
    # a shield takes a hand, so that two weapons in two hands leave none for it
    kinds = {weapon.kind for weapon in weapons}
    return len(weapons) == HANDS and len(kinds) == 1 and all(weapon.paired for weapon in weapons)


def _armament(*weapons: Weapon) -> Armament:
    return Armament(
        weapons,
        weapons[0].kind,
        sum(weapon.damage for weapon in weapons),
        min(weapon.reach_studs for weapon in weapons),
    )
