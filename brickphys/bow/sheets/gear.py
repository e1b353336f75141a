"""Gear: the objects that a minifig can have, and the ways to attack with those in its hands (BOW 2.3.2, A.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

HANDS = 2
BARE_HANDS = "hands"
"""What no weapon at all is called."""
UNARMED_REACH_STUDS = 1


class WeaponKind(Enum):
    """Which conditions an attack must meet (BOW 2.4.2)."""

    MELEE = "melee"
    LONG_RANGE = "long_range"
    EXPLOSIVE = "explosive"
    """Only an object in the basic rules: its damage belongs to the advanced ones."""


class ArmorPlace(Enum):
    """Where armor protects; a minifig has one of each."""

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
        How many hands hold it: 1 or 2.
    """

    name: str
    hands: int = 1

    def problems(self) -> list[str]:
        """Return every fault (empty: there is none)."""
        return [] if 1 <= self.hands <= HANDS else [f"hands: {self.hands} is neither 1 nor 2"]


@dataclass(frozen=True, kw_only=True)
class Weapon(Item):
    """A weapon for the hand (BOW A.2).

    Attributes
    ----------
    damage
        What it adds to the attack skill.
    kind
        Melee, long-range or explosive.
    reach_studs
        How far a melee weapon reaches, counted like a king's moves; 0 for others.
    paired
        Whether a second weapon can be used together with it.
    """

    damage: int
    kind: WeaponKind
    reach_studs: int = 0
    paired: bool = False

    def problems(self) -> list[str]:
        """Return every fault (empty: there is none)."""
        return [*super().problems(), *self._weapon_problems()]

    def _weapon_problems(self) -> Iterator[str]:
        if self.name == BARE_HANDS:
            yield f"name: {BARE_HANDS} is what no weapon at all is called"
        if self.damage < 1:
            yield f"damage: {self.damage} is less than 1"
        if (self.reach_studs > 0) != (self.kind is WeaponKind.MELEE):
            yield f"reach_studs: {self.reach_studs} of a {self.kind.value} weapon: melee weapons reach, no others"
        if self.paired and self.hands == HANDS:
            yield "paired: two two-handed weapons cannot be used together (BOW A.2)"


@dataclass(frozen=True, kw_only=True)
class Armor(Item):
    """A piece of armor (BOW A.2): `armor` is what it adds to the dodge skill while it is at its `place`."""

    armor: int
    place: ArmorPlace

    def problems(self) -> list[str]:
        """Return every fault (empty: there is none)."""
        weak = [f"armor: {self.armor} is less than 1"] if self.armor < 1 else []
        return [*super().problems(), *weak]


@dataclass(frozen=True, kw_only=True)
class Tool(Item):
    """An object that neither hits nor protects."""


@dataclass(frozen=True, kw_only=True)
class Bag(Item):
    """Worn on the back, it `holds` so many one-handed objects."""

    holds: int

    def problems(self) -> list[str]:
        """Return every fault (empty: there is none)."""
        small = [f"holds: {self.holds} is less than 1"] if self.holds < 1 else []
        return [*super().problems(), *small]


@dataclass(frozen=True)
class Armament:
    """One way to attack with what is in hand; two weapons that are used together are one (BOW A.2).

    Attributes
    ----------
    weapons
        None, one or two.
    kind
        Melee or long-range.
    damage
        Of all weapons together.
    reach_studs
        As far as all of them reach; 0 for long-range ones.
    """

    weapons: tuple[Weapon, ...]
    kind: WeaponKind
    damage: int
    reach_studs: int


UNARMED = Armament((), WeaponKind.MELEE, 0, UNARMED_REACH_STUDS)
"""Bare hands count as melee (BOW A.4, ours)."""


def is_shield(item: Item) -> bool:
    """Tell whether an object protects in the left hand."""
    return isinstance(item, Armor) and item.place is ArmorPlace.LEFT_HAND


def armaments(held: Sequence[Item]) -> tuple[Armament, ...]:
    """Return every way to attack with what is in hand, the most damage first (BOW A.2).

    Two weapons are used together if both can be paired, are of one kind, and no hand holds a shield. Then each
    alone is a way of its own only where it reaches farther than both.

    Parameters
    ----------
    held
        What the hands hold.
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
