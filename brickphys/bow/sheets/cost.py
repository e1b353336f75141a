"""Cost: the points of sheets and armies (BOW A.4), and how armies compare (BOW 1.4.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from brickphys.bow.sheets.army import Army
from brickphys.bow.sheets.gear import Armament, WeaponKind
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.vehicle_sheet import VehicleSheet
from brickphys.vehicles.scene_rules import STUDS_PER_SPEED


@dataclass(frozen=True)
class CostTerms:
    """What the cost points of a minifig are made of (BOW A.4): the sum of `added`, times all `factors`, by ability."""

    added: Mapping[str, int]
    factors: Mapping[str, int]

    @property
    def points(self) -> int:
        """The cost points."""
        return sum(self.added.values()) * prod(self.factors.values())


def minifig_cost(sheet: MinifigSheet) -> int:
    """Return the cost points of a minifig (BOW A.4).

    Every weapon that it has is looked at, in hand or stowed, and the dearest way to fight counts; bare hands are
    melee. Abilities of new actions (BOW B.3) join the sum, as any other ability does.
    """
    return minifig_terms(sheet).points


def minifig_terms(sheet: MinifigSheet) -> CostTerms:
    """Return what the cost points of a minifig are made of, with the dearest way to fight."""
    ways = (*sheet.gear.armaments, *sheet.gear.spare_armaments)
    return max((armed_terms(sheet, way) for way in ways), key=lambda terms: terms.points)


def armed_terms(sheet: MinifigSheet, armament: Armament) -> CostTerms:
    """Return what the cost points of a minifig that fights in one way are made of (BOW A.4)."""
    added = {
        "action_budget": sheet.action_budget,
        "move": sheet.move,
        "dodge_armor": sheet.dodge_armor,
        "attack_damage": sheet.bricks(armament),
        "treat_repair": sheet.treat + sheet.repair,
        "new_abilities": sum(points for _, points in sheet.custom),
    }
    shoots = armament.kind is WeaponKind.LONG_RANGE
    return CostTerms(
        added, {"health": sheet.health, "shooting_damage": armament.damage if shoots else 1}
    )


def vehicle_cost(sheet: VehicleSheet) -> int:
    """Return the cost points of a vehicle with all its weapons, without its crew (BOW A.4)."""
    damage = sum(weapon.damage for weapon in sheet.weapons)
    return (sheet.speed * STUDS_PER_SPEED + sheet.armor + damage) * sheet.health


def cost_points(sheet: MinifigSheet | VehicleSheet) -> int:
    """Return the cost points of any sheet."""
    return minifig_cost(sheet) if isinstance(sheet, MinifigSheet) else vehicle_cost(sheet)


@dataclass(frozen=True)
class ArmyTotal:
    """What an army amounts to (BOW 1.4.3): how many minifigs and vehicles, and their cost points.

    `share` is its cost over that of the dearest army that it is compared with.
    """

    name: str
    minifigs: int
    vehicles: int
    cost_points: int
    share: Fraction


def army_cost(army: Army) -> int:
    """Return the cost points of an army: of all its units and vehicles."""
    return sum(map(minifig_cost, army.minifigs)) + sum(map(vehicle_cost, army.vehicles))


def army_totals(armies: Sequence[Army]) -> tuple[ArmyTotal, ...]:
    """Return the totals of armies, in their order; equal shares are armies of equal power (BOW 1.4.3)."""
    costs = [army_cost(army) for army in armies]
    dearest = max(costs, default=0)
    return tuple(
        ArmyTotal(
            army.name,
            len(army.minifigs),
            len(army.vehicles),
            cost,
            Fraction(cost, dearest) if dearest else Fraction(1),
        )
        for army, cost in zip(armies, costs, strict=True)
    )
