"""Cost: the cost points of sheets and armies (BOW A.4), and how armies compare (BOW 1.4.3)."""

from collections.abc import Sequence
from fractions import Fraction

from brickphys.bow.sheets.army import Army
from brickphys.bow.sheets.gear import Armament, WeaponKind
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.vehicle_sheet import STUDS_PER_SPEED, VehicleSheet
from brickphys.rules.report.sheets import ArmyTotal, Price


def minifig_cost(sheet: MinifigSheet) -> int:
    """Return the cost points of a minifig (BOW A.4).

    Of all weapons, in hand or stowed, the one that makes the highest cost counts; bare hands are melee. Abilities of
    custom actions (BOW B.3) are added like any other.
    """
    return minifig_terms(sheet).points


def minifig_terms(sheet: MinifigSheet) -> Price:
    """Return the terms of the cost points of a minifig, with the way to attack that costs the most."""
    ways = (*sheet.gear.armaments, *sheet.gear.spare_armaments)
    return max((armed_terms(sheet, way) for way in ways), key=lambda terms: terms.points)


def armed_terms(sheet: MinifigSheet, armament: Armament) -> Price:
    """Return the terms of the cost points of a minifig that attacks in one way (BOW A.4)."""
    added = {
        "action_budget": sheet.action_budget,
        "move": sheet.move,
        "dodge_armor": sheet.dodge_armor,
        "attack_damage": sheet.bricks(armament),
        "treat_repair": sheet.treat + sheet.repair,
        "new_abilities": sum(points for _, points in sheet.custom),
    }
    shoots = armament.kind is WeaponKind.LONG_RANGE
    return Price(
        added, {"health": sheet.health, "shooting_damage": armament.damage if shoots else 1}
    )


def vehicle_cost(sheet: VehicleSheet) -> int:
    """Return the cost points of a vehicle with all its weapons, without its occupants (BOW A.4)."""
    damage = sum(weapon.damage for weapon in sheet.weapons)
    return (sheet.speed * STUDS_PER_SPEED + sheet.armor + damage) * sheet.health


def cost_points(sheet: MinifigSheet | VehicleSheet) -> int:
    """Return the cost points of any sheet."""
    return minifig_cost(sheet) if isinstance(sheet, MinifigSheet) else vehicle_cost(sheet)


def army_cost(army: Army) -> int:
    """Return the cost points of all units and vehicles of an army."""
    return sum(map(minifig_cost, army.minifigs)) + sum(map(vehicle_cost, army.vehicles))


def army_totals(armies: Sequence[Army]) -> tuple[ArmyTotal, ...]:
    """Return the totals of armies, in their order; armies with equal shares have equal power (BOW 1.4.3)."""
    costs = [army_cost(army) for army in armies]
    dearest = max(costs, default=0)
    return tuple(
        ArmyTotal(
            army.name,
            {"minifigs": len(army.minifigs), "vehicles": len(army.vehicles)},
            cost,
            Fraction(cost, dearest) if dearest else Fraction(1),
        )
        for army, cost in zip(armies, costs, strict=True)
    )
