"""Weapons in use: the ways in which a unit can attack just now, on foot or from a seat (BOW 2.4.2, 3.4)."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from brickphys.bow.actions.reach import is_enclosed
from brickphys.bow.field.facing import FRONT_DEG
from brickphys.bow.sheets.gear import BARE_HANDS, Armament, WeaponKind
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.vehicle_sheet import VehicleWeapon, manned_bricks
from brickphys.bow.state.state import State


@dataclass(frozen=True)
class WeaponInUse:
    """One way to attack.

    Attributes
    ----------
    name
        The name of the weapon, or of two that are used together.
    kind
        Melee or long-range.
    bricks
        Bricks of the attack at no distance.
    reach_studs
        Reach of a melee weapon.
    axis_deg, arc_deg
        Its direction, from the heading of its user, and the width of its arc of fire.
    shots_per_turn
        Firing rate of a vehicle's weapon; None if only actions limit it.
    reload
        Whether another minifig must then reload it (BOW 3.1).
    """

    name: str
    kind: WeaponKind
    bricks: int
    reach_studs: int = 0
    axis_deg: float = 0.0
    arc_deg: float = FRONT_DEG
    shots_per_turn: int | None = None
    reload: bool = False

    @cached_property
    def is_shot(self) -> bool:
        """Whether distance and cover count."""
        return self.kind is WeaponKind.LONG_RANGE


def weapons_in_use(state: State, unit: int) -> tuple[WeaponInUse, ...]:
    """Return every way in which a unit can attack: the weapon of its seat, and those in its hands.

    A unit inside a vehicle cannot use its own weapons (BOW 3.4).
    """
    sheet, seat = state.units[unit].sheet, state.units[unit].seat
    if seat is None:
        return hand_weapons(sheet)
    weapon = state.seat_of(unit)[1].weapon
    manned = (manned_weapon(sheet, weapon),) if weapon else ()
    return manned if is_enclosed(state, unit) else (*manned, *hand_weapons(sheet))


def weapon_in_use(state: State, name: str) -> WeaponInUse | None:
    """Return a way of the active unit to attack, by name; None if there is no such way."""
    weapons = weapons_in_use(state, state.active)
    return next((weapon for weapon in weapons if weapon.name == name), None)


@lru_cache(maxsize=4096)
def hand_weapons(sheet: MinifigSheet) -> tuple[WeaponInUse, ...]:
    """Return the ways to attack with the weapons in hand, or bare hands."""
    return tuple(_in_use(sheet, way) for way in sheet.armaments)


def spare_weapons(sheet: MinifigSheet) -> tuple[WeaponInUse, ...]:
    """Return the ways to attack with each stowed weapon, once it is switched into the hand (BOW 2.3.2)."""
    return tuple(_in_use(sheet, way) for way in sheet.gear.spare_armaments)


def _in_use(sheet: MinifigSheet, way: Armament) -> WeaponInUse:
    return WeaponInUse(weapon_name(way), way.kind, sheet.bricks(way), way.reach_studs)


def manned_weapon(sheet: MinifigSheet, weapon: VehicleWeapon) -> WeaponInUse:
    """Return the way to attack with a vehicle's weapon; it counts as a hand gun (BOW 3.4)."""
    return WeaponInUse(
        weapon.name,
        WeaponKind.LONG_RANGE,
        manned_bricks(sheet, weapon),
        axis_deg=weapon.axis_deg,
        arc_deg=weapon.arc_deg,
        shots_per_turn=weapon.shots_per_turn,
        reload=weapon.reload,
    )


def weapon_name(way: Armament) -> str:
    """Return the name of a way to attack: its weapons, or bare hands."""
    return "+".join(weapon.name for weapon in way.weapons) or BARE_HANDS
