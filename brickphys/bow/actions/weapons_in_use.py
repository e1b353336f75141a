"""Arms: the ways in which a unit can attack just now, with its hands or from a seat (BOW 2.4.2, 3.4)."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from brickphys.bow.actions.contact import is_enclosed
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
        Of the weapon; two that are used together have both names.
    kind
        Melee or long-range.
    bricks
        Of the attack, before distance.
    reach_studs
        Of a melee weapon.
    axis_deg, arc_deg
        Where it points, off the heading of whoever uses it, and how wide its front is.
    shots_per_turn
        Firing rate of a vehicle's weapon; None where actions are the only limit.
    """

    name: str
    kind: WeaponKind
    bricks: int
    reach_studs: int = 0
    axis_deg: float = 0.0
    arc_deg: float = FRONT_DEG
    shots_per_turn: int | None = None

    @cached_property
    def is_shot(self) -> bool:
        """Whether distance and cover count."""
        return self.kind is WeaponKind.LONG_RANGE


def weapons_in_use(state: State, unit: int) -> tuple[WeaponInUse, ...]:
    """Return every way in which a unit can attack: the weapon of its seat, and what its hands hold if they are free.

    Who sits inside a vehicle has no use of his own weapons (BOW 3.4).
    """
    sheet, seat = state.units[unit].sheet, state.units[unit].seat
    if seat is None:
        return hand_weapons(sheet)
    weapon = state.seat_of(unit)[1].weapon
    manned = (manned_weapon(sheet, weapon),) if weapon else ()
    return manned if is_enclosed(state, unit) else (*manned, *hand_weapons(sheet))


def weapon_in_use(state: State, name: str) -> WeaponInUse | None:
    """Return the way to attack of the active unit that has a name; None if there is none."""
    weapons = weapons_in_use(state, state.active)
    return next((weapon for weapon in weapons if weapon.name == name), None)


@lru_cache(maxsize=4096)
def hand_weapons(sheet: MinifigSheet) -> tuple[WeaponInUse, ...]:
    """Return the ways to attack with what is in hand."""
    return tuple(
        WeaponInUse(weapon_name(way), way.kind, sheet.bricks(way), way.reach_studs)
        for way in sheet.armaments
    )


def manned_weapon(sheet: MinifigSheet, weapon: VehicleWeapon) -> WeaponInUse:
    """Return the way to attack with a vehicle's weapon; it counts as a hand gun (BOW 3.4)."""
    return WeaponInUse(
        weapon.name,
        WeaponKind.LONG_RANGE,
        manned_bricks(sheet, weapon),
        axis_deg=weapon.axis_deg,
        arc_deg=weapon.arc_deg,
        shots_per_turn=weapon.shots_per_turn,
    )


def weapon_name(way: Armament) -> str:
    """Return what a way to attack is called: its weapons, or the hands."""
    return "+".join(weapon.name for weapon in way.weapons) or BARE_HANDS
