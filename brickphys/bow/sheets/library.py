"""Library: gear, custom actions, sheets and armies by name, and what they cost (BOW 1.4.3, A.4, B.2, B.3).

An army is the sheets that fight on a side, and the seats in which units begin (BOW 1.4, 3.1). A custom action names its
possible targets and its effect. Both come from closed sets, so a game that knows the sets can play every new action.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from itertools import chain

from brickphys.bow.sheets.gear import Armament, Item, WeaponKind
from brickphys.bow.sheets.rulebook import COLOURS, RANGE_STEP_STUDS, STUDS_PER_SPEED
from brickphys.bow.sheets.sheet import (
    ABILITIES,
    MinifigSheet,
    VehicleSheet,
    VehicleWeapon,
    manning_problems,
)
from brickphys.errors import unknown
from brickphys.rules.report.sheets import ArmyTotal, Price
from brickphys.rules.setup import lookup

DAMAGE_POINTS = "damage_points"
"""What resists, instead of an ability, a treatment or repair: the damage points of its target (BOW 2.4.4)."""


class TargetSide(Enum):
    """The side of the possible targets of a custom action."""

    SELF = "self"
    FRIEND = "friend"
    """Another one of the same side."""
    ENEMY = "enemy"
    ANYONE = "anyone"
    """Any other one."""


class TargetType(Enum):
    """The type of the possible targets of a custom action."""

    UNIT = "unit"
    VEHICLE = "vehicle"
    DOOR = "door"
    """A door or a window."""


class EffectKind(Enum):
    """The effect of a custom action."""

    DAMAGE = "damage"
    """Adds damage points. Opposed actions only: a unit that is hurt may resist (BOW B.1)."""
    HEAL = "heal"
    """Removes damage points, for either colour of health."""
    PUSH = "push"
    """Moves the target by this many studs straight away from the acting unit, up to the first obstacle."""
    LEAP = "leap"
    """Moves the target to a free stud at most this many studs away, over obstacles."""
    GUARD = "guard"
    """Adds bricks to Dodge/Armor until the target's next turn."""
    HOLD = "hold"
    """Removes actions from the target's next turn."""
    DISARM = "disarm"
    """Makes the target drop the objects in this many hands on its own stud."""
    OPEN = "open"
    """Opens a closed door or window, a locked one too."""
    NOTHING = "nothing"
    """Has no effect; a scenario may give the action a meaning."""


OPPOSED_ONLY = (EffectKind.DAMAGE, EffectKind.PUSH, EffectKind.HOLD, EffectKind.DISARM)
"""Effects that need a roll."""
WITHOUT_POINTS = (EffectKind.OPEN, EffectKind.NOTHING)
_VEHICLES_TOO = (TargetType.UNIT, TargetType.VEHICLE)
_CAN_TARGET = {
    EffectKind.DAMAGE: _VEHICLES_TOO,
    EffectKind.HEAL: _VEHICLES_TOO,
    EffectKind.OPEN: (TargetType.DOOR,),
    EffectKind.NOTHING: tuple(TargetType),
}
"""The types of targets of an effect; all others are for units."""


@dataclass(frozen=True)
class Effect:
    """The effect of an action: its `kind` and its `points`; None for the difference of the two rolls."""

    kind: EffectKind
    """What happens."""
    points: int | None = None
    """By how much; None for the difference of the rolls."""

    def amount(self, difference: int) -> int:
        """Return the points, given the difference of the two rolls."""
        return difference if self.points is None else self.points


@dataclass(frozen=True, kw_only=True)
class CustomAction:
    """A new action, trivial or opposed."""

    name: str
    """Of the action."""
    target: TargetSide
    """The side of its possible targets."""
    effect: Effect
    """Its effect: of a trivial action with fixed points, of an opposed one if the acting roll is higher."""
    range_studs: int = 0
    """The largest distance to the target: a multiple of 5; 0 for contact."""
    actions: int = 1
    """Its cost from the Action Budget."""
    needs: str | None = None
    """Name of the gear that must be in hand, if any."""
    about: str = ""
    """A description in a few words."""
    on: tuple[TargetType, ...] = (TargetType.UNIT,)
    """The types of its possible targets."""

    def problems(self) -> Iterator[str]:
        """Yield every fault."""
        if self.range_studs < 0 or self.range_studs % RANGE_STEP_STUDS:
            yield f"range_studs: {self.range_studs} is not a multiple of {RANGE_STEP_STUDS} (BOW B.1)"
        if self.actions < 1:
            yield f"actions: {self.actions} is less than 1 (BOW B.2)"
        points = self.effect.points
        if points is not None and points < 1:
            yield f"effect: {points} points are less than 1"
        kind = self.effect.kind
        if kind in WITHOUT_POINTS and points is not None:
            yield f"effect: {kind.value} has no points"
        if not self.on or len(set(self.on)) < len(self.on):
            yield "on: needs types of target, each once (BOW B.2)"
        for one in self.on:
            if one not in _CAN_TARGET.get(kind, (TargetType.UNIT,)):
                yield f"on: {kind.value} has no effect on a {one.value} (BOW B.2)"
        if TargetType.DOOR in self.on and self.target is not TargetSide.ANYONE:
            yield f"target: a door belongs to no side: {TargetSide.ANYONE.value}, not {self.target.value} (BOW B.2)"
        if self.target is TargetSide.SELF and self.on != (TargetType.UNIT,):
            yield "on: only a unit can act on itself (BOW B.2)"

    def has_needed(self, sheet: MinifigSheet) -> bool:
        """Tell whether a unit holds the gear that is needed."""
        return self.needs is None or any(item.name == self.needs for item in sheet.gear.held)

    def can_act(self, sheet: MinifigSheet) -> bool:
        """Tell whether a unit can do it at all."""
        return self.has_needed(sheet)


@dataclass(frozen=True, kw_only=True)
class TrivialAction(CustomAction):
    """An action without a brick roll: it always succeeds and costs actions (BOW B.2)."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.effect.kind in OPPOSED_ONLY:
            yield f"effect: {self.effect.kind.value} needs an opposed action (BOW B.1)"
        if self.effect.points is None and self.effect.kind not in WITHOUT_POINTS:
            yield "effect: an action without a roll has no difference: state the points (BOW B.2)"


@dataclass(frozen=True, kw_only=True)
class OpposedAction(CustomAction):
    """An action with an opposed roll of two abilities, new or basic ones, that share a line of the sheet (BOW B.3)."""

    colour: str
    """Of its studs; it marks no other ability."""
    acting: str
    """The ability of who acts."""
    resisting: str
    """That of the target, or `DAMAGE_POINTS`; a vehicle resists all else with its Dodge/Armor."""
    sight: bool = True
    """Whether the target must be seen and in front."""

    @property
    def new_abilities(self) -> tuple[str, ...]:
        """Its abilities that are not in the basic rules; they take studs on the sheet and cost points."""
        names = dict.fromkeys((self.resisting, self.acting))
        return tuple(name for name in names if name not in (*ABILITIES, DAMAGE_POINTS))

    @property
    def meets_damage(self) -> bool:
        """Whether the damage points of the target resist (BOW 2.4.4)."""
        return self.resisting == DAMAGE_POINTS

    def shares_line(self, other: "OpposedAction") -> bool:
        """Tell whether another action has the same line of a sheet; damage points take no place in one (BOW B.3)."""
        same = self.resisting == other.resisting or self.meets_damage or other.meets_damage
        return same and self.acting == other.acting

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.colour not in COLOURS:
            yield f"colour: {self.colour!r} is not one of {', '.join(COLOURS)} (BOW B.3)"
        if self.target is TargetSide.SELF:
            yield "target: an opposed action cannot have the unit itself as target (BOW B.3)"
        if self.acting == DAMAGE_POINTS:
            yield f"acting: {DAMAGE_POINTS} can only resist (BOW 2.4.4)"
        if self.resisting == "damage":
            yield (
                "resisting: damage is the power of the target's weapon; the damage points that it has are "
                f"{DAMAGE_POINTS}, its Attack/Damage is attack_damage (BOW 2.4.4)"
            )
        if TargetType.DOOR in self.on:
            yield "on: a door rolls no bricks; an action on it is trivial (BOW B.1)"
        if self.effect.kind is EffectKind.NOTHING:
            yield "effect: an opposed action must have one (BOW B.3)"

    def can_act(self, sheet: MinifigSheet) -> bool:
        """Tell whether a unit can do it at all: it has a brick to roll and holds the gear that is needed."""
        return sheet.ability(self.acting) > 0 and self.has_needed(sheet)


@dataclass(frozen=True)
class Boarded:
    """A minifig that begins in a seat: names of its sheet, of the vehicle's sheet, and of the seat."""

    unit: str
    vehicle: str
    seat: str


@dataclass(frozen=True)
class Army:
    """A side, with one sheet for each unit and vehicle: ten troopers are ten times the same sheet."""

    name: str
    """Of the side."""
    minifigs: tuple[MinifigSheet, ...]
    vehicles: tuple[VehicleSheet, ...] = ()
    boarded: tuple[Boarded, ...] = ()
    """The minifigs that begin in a seat."""

    def problems(self) -> list[str]:
        """Return every fault: seats without vehicle, without minifig, or taken twice (empty: there is none)."""
        faults = (
            [] if self.minifigs else ["units: an army needs a unit, since only units act (BOW 3.1)"]
        )
        for index, entry in enumerate(self.boarded):
            faults += [f"boarded[{index}].{fault}" for fault in self._entry_problems(entry)]
        return faults + list(self._count_problems())

    def _entry_problems(self, entry: Boarded) -> Iterator[str]:
        units = {sheet.name: sheet for sheet in self.minifigs}
        vehicles = {sheet.name: sheet for sheet in self.vehicles}
        if entry.unit not in units:
            yield f"unit: {unknown('unit of this army', entry.unit, units)}"
        if entry.vehicle not in vehicles:
            yield f"vehicle: seat without vehicle: {unknown('vehicle of this army', entry.vehicle, vehicles)}"
            return
        seat = vehicles[entry.vehicle].seat(entry.seat)
        if seat is None:
            seats = [seat.name for seat in vehicles[entry.vehicle].seats]
            yield f"seat: {unknown('seat of ' + entry.vehicle, entry.seat, seats)}"
        elif entry.unit in units and seat.weapon:
            faults = manning_problems(units[entry.unit], seat.weapon)
            yield from (f"seat: {fault}" for fault in faults)

    def _count_problems(self) -> Iterator[str]:
        minifigs = Counter(sheet.name for sheet in self.minifigs)
        vehicles = Counter(sheet.name for sheet in self.vehicles)
        for unit, count in Counter(entry.unit for entry in self.boarded).items():
            if count > minifigs[unit] > 0:
                yield f"boarded: {count} seats for {minifigs[unit]} of {unit}"
        seats = Counter((entry.vehicle, entry.seat) for entry in self.boarded)
        for (vehicle, seat), count in seats.items():
            if count > vehicles[vehicle] > 0:
                yield f"boarded: {count} minifigs in {vehicles[vehicle]} seat {vehicle}/{seat}"


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


@dataclass(frozen=True)
class Library:
    """What sheets are written with, and the sheets; each mapping is by name and in the order of the files."""

    gear: Mapping[str, Item] = field(default_factory=dict)
    """Objects for minifigs."""
    vehicle_weapons: Mapping[str, VehicleWeapon] = field(default_factory=dict)
    """Weapons for seats."""
    actions: Mapping[str, CustomAction] = field(default_factory=dict)
    """New actions (BOW B)."""
    units: Mapping[str, MinifigSheet] = field(default_factory=dict)
    vehicles: Mapping[str, VehicleSheet] = field(default_factory=dict)
    armies: Mapping[str, Army] = field(default_factory=dict)
    """Sides."""

    @property
    def custom_abilities(self) -> tuple[str, ...]:
        """Names of all abilities that only new actions have."""
        opposed = (one for one in self.actions.values() if isinstance(one, OpposedAction))
        return tuple(dict.fromkeys(chain.from_iterable(one.new_abilities for one in opposed)))

    @property
    def sheets(self) -> Mapping[str, MinifigSheet | VehicleSheet]:
        """Units, then vehicles."""
        return {**self.units, **self.vehicles}

    def sheet(self, name: str) -> MinifigSheet | VehicleSheet:
        """Return a sheet by name; InvalidValueError if there is none."""
        return lookup("sheet", name, self.sheets)

    def only(self, name: str) -> "Library":
        """Return the library with one of its sheets, and no army; InvalidValueError if there is no such sheet."""
        self.sheet(name)
        units = {key: sheet for key, sheet in self.units.items() if key == name}
        vehicles = {key: sheet for key, sheet in self.vehicles.items() if key == name}
        return replace(self, units=units, vehicles=vehicles, armies={})

    def actions_of(self, sheet: MinifigSheet) -> tuple[CustomAction, ...]:
        """Return the new actions that a unit can do with what it holds: those for which it has abilities first.

        They are in play only where a setup names them.
        """
        able = (action for action in self.actions.values() if action.can_act(sheet))
        return tuple(sorted(able, key=lambda action: not _is_paid(action, sheet)))


def _is_paid(action: CustomAction, sheet: MinifigSheet) -> bool:
    return isinstance(action, OpposedAction) and action.acting in dict(sheet.custom)
