"""Targets: the weapons with which a unit can attack just now, and whom (BOW 2.3.2, 2.4.2, 3.4, 3.5).

Of units and vehicles that can be attacked: their distance, visibility and reach. A weapon in hand can be exchanged for
a stowed one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from math import ceil
from typing import Annotated, Self

from brickphys.bow.actions.movement import (
    TurnMove,
    ground_stud,
    is_enclosed,
    may_be_among,
    own_studs,
    target_studs,
)
from brickphys.bow.field import FRONT_DEG, Stance, Studs, is_in_front
from brickphys.bow.sheets.gear import BARE_HANDS, Armament, HandWeapon, WeaponKind
from brickphys.bow.sheets.rulebook import RULER_STUDS
from brickphys.bow.sheets.sheet import MinifigSheet, VehicleWeapon, manned_bricks, tried
from brickphys.bow.sight import (
    Visibility,
    distance_studs,
    head,
    sight,
    touches,
    touches_vehicle,
    vehicle_middle,
    vehicle_sight,
)
from brickphys.bow.state import State
from brickphys.errors import unknown
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import is_in_arc
from brickphys.grid.grid import each
from brickphys.rules.words import NAME


@dataclass(frozen=True)
class WeaponInUse:
    """One way to attack.

    `axis_deg` is its direction, from the heading of its user, and `arc_deg` the width of its arc of fire.
    """

    name: str
    """The name of the weapon, or of two that are used together."""
    kind: WeaponKind
    """Melee or long-range."""
    bricks: int
    """Bricks of the attack at no distance."""
    reach_studs: int = 0
    """Reach of a melee weapon."""
    axis_deg: float = 0.0
    arc_deg: float = FRONT_DEG
    shots_per_turn: int | None = None
    """Firing rate of a vehicle's weapon; None if only actions limit it."""
    reload: bool = False
    """Whether another minifig must then reload it (BOW 3.1)."""

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


@dataclass(frozen=True, slots=True)
class Switch(TurnMove):
    """Exchange a weapon in hand with one on the back or in the bag."""

    word = "switch"
    section = "BOW 2.3.2"
    held: Annotated[str, NAME]
    stowed: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return (cls(held, stowed) for held, stowed in _switches(state.me.sheet))

    def refusals(self, state: State, one: str, other: str) -> Iterator[str]:
        held, stowed = (state.setting.gear.get(name) for name in (one, other))
        if not (isinstance(held, HandWeapon) and isinstance(stowed, HandWeapon)):
            yield f"{one} and {other} are not two weapons"
        elif isinstance(fault := tried(MinifigSheet.switch, state.me.sheet, held, stowed), str):
            yield f"{fault} (BOW 2.3.2)"

    def result(self, state: State, one: str, other: str) -> State:
        held, stowed = (state.setting.gear[name] for name in (one, other))
        sheet = tried(MinifigSheet.switch, state.me.sheet, held, stowed)
        assert isinstance(sheet, MinifigSheet)
        return state.with_unit(state.active, replace(state.me, sheet=sheet))


@lru_cache(maxsize=4096)
def _switches(sheet: MinifigSheet) -> tuple[tuple[str, str], ...]:
    gear = sheet.gear
    held, stowed = (
        [item for item in dict.fromkeys(items) if isinstance(item, HandWeapon)]
        for items in (gear.held, gear.back + gear.bag)
    )
    pairs = product(held, stowed)
    return tuple(
        (one.name, other.name)
        for one, other in pairs
        if not isinstance(tried(MinifigSheet.switch, sheet, one, other), str)
    )


def enemies(state: State, among: Studs | None = None) -> Iterator[str]:
    """Yield the names of the enemy units and vehicles that the active unit may attack; on foot, among some studs."""
    units, mine = state.setting.units, state.setting.team(state.active)
    teams = state.setting.unit_teams
    for unit, unit_state in state.in_play():
        if teams[unit] == mine or not may_be_among(unit_state, among):
            continue
        if not is_enclosed(state, unit):
            yield units[unit].name
    for vehicle in state.vehicles_left:
        if is_hostile(state, vehicle):
            yield state.setting.vehicles[vehicle].name


def target_problem(state: State, name: str) -> str | None:
    """Return why a name is not that of an enemy that may be attacked; None if it is."""
    setting, me = state.setting, state.setting.units[state.active].name
    if name in setting.vehicle_numbers:
        vehicle = setting.vehicle_numbers[name]
        if state.vehicles[vehicle].gone:
            return f"{name} is out of the battle (BOW 3.5)"
        if _is_aboard(state, vehicle):
            return f"{me} sits in {name} (BOW 3.4)"
        return None if is_hostile(state, vehicle) else f"{name} is not an enemy of {me} (BOW 2.4.2)"
    if name not in setting.unit_numbers:
        known = [*setting.unit_numbers, *setting.vehicle_numbers]
        return f"{unknown('unit or vehicle', name, known)} (BOW 2.4.2)"
    unit = setting.unit_numbers[name]
    if not state.units[unit].plays:
        return f"{name} is out of the battle (BOW 2.4.3)"
    if not state.are_enemies(unit, state.active):
        return f"{name} is not an enemy of {me} (BOW 2.4.2)"
    if is_enclosed(state, unit):
        return f"{name} sits inside {_vehicle_name(state, unit)}, which must be attacked (BOW 3.5)"
    return None


def is_hostile(state: State, vehicle: int) -> bool:
    """Tell whether the active unit may attack a vehicle: it holds enemies, or is empty and an enemy drove it last.

    A unit may not attack the vehicle in which it sits (ours).
    """
    if _is_aboard(state, vehicle):
        return False
    setting, mine = state.setting, state.setting.team(state.active)
    teams = {setting.team(unit) for unit in state.occupants(vehicle)}
    return any(team != mine for team in teams or {setting.teams[state.vehicles[vehicle].driver]})


def _is_aboard(state: State, vehicle: int) -> bool:
    return state.me.seat is not None and state.me.seat[0] == vehicle


def is_ahead(state: State, name: str, axis_deg: float, arc_deg: float) -> bool:
    """Tell whether a target is in front of the active unit, or in the arc of its weapon (BOW 2.4.2, 3.4).

    Any part of a vehicle will do. An arc is at least 180 degrees wide, so what is outside it is convex: no part of a
    vehicle is in the arc if no corner is.
    """
    here, there = state.stance(state.active)[:2], _corners(state, name)
    if state.me.seat is None:
        return any(is_in_front(state.me.facing, here, corner) for corner in there)
    middle_deg = state.heading_deg(state.active) + axis_deg
    return any(is_in_arc(middle_deg, arc_deg, here, corner) for corner in there)


def target_distance_studs(state: State, name: str) -> float:
    """Return the distance of a target, heights included: from head to head, or to the middle of a thing (BOW 2.4.2)."""
    setting = state.setting
    if name in setting.unit_numbers:
        end = head(state.stance(setting.unit_numbers[name]))
    elif name in setting.vehicle_numbers:
        end = vehicle_middle(state.vehicle_body(setting.vehicle_numbers[name]))
    else:
        end = setting.field.doors[name].middle
    return distance_studs(head(state.stance(state.active)), end)


FIRST_STUD = 0.5
"""The ruler begins half a stud behind the middle of the shooter's head."""


def bricks_lost(distance_studs: float) -> int:
    """Return how many bricks an attack loses at a distance between two heads (BOW 2.4.2)."""
    return ceil((distance_studs + FIRST_STUD) / RULER_STUDS - TOLERANCE) - 1


def band_end_studs(lost: int) -> float:
    """Return the longest distance between two heads at which an attack loses so many bricks and no more (BOW 2.4.2)."""
    return RULER_STUDS * (lost + 1) - FIRST_STUD


def visibility(state: State, name: str) -> Visibility:
    """Return how much the active unit sees of a target (BOW 2.4.2); it is worked out once, see `State.visible`."""
    known = state.visible.get(name)
    if known is None:
        known = state.visible[name] = _visibility(state, name)
    return known


def _visibility(state: State, name: str) -> Visibility:
    here, without = state.stance(state.active), _seats(state, state.active)
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return vehicle_sight(state.board, here, state.vehicle_body(vehicle), without)
    unit = state.setting.unit_numbers[name]
    return sight(state.board, here, state.stance(unit), (*without, *_seats(state, unit)))


def resistance(state: State, name: str) -> int:
    """Return the bricks of a unit or vehicle against attacks and collisions, cover not counted."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return state.setting.vehicles[vehicle].sheet.armor
    unit_state = state.units[state.setting.unit_numbers[name]]
    return unit_state.sheet.dodge_armor + unit_state.guard


def studs_in_range(state: State, weapon: WeaponInUse) -> Studs:
    """Return studs outside of which no unit on foot is near enough for a weapon of the active unit."""
    field = state.setting.field
    if weapon.is_shot:
        return field.circle(ground_stud(state, state.active), band_end_studs(weapon.bricks - 1) + 1)
    return _studs_around(state, own_studs(state, state.active), weapon.reach_studs)


def is_reached(state: State, name: str, reach_studs: int) -> bool:
    """Tell whether a melee weapon of the active unit touches a target (BOW 2.4.2)."""
    here = state.stance(state.active)
    # all studs from which a weapon may touch the target, if nothing is between
    strikes = _studs_around(state, target_studs(state, name), reach_studs)
    near = own_studs(state, state.active) & strikes
    if not state.me.rides:
        return bool(near) and _touches(state, here, name, reach_studs)
    # from a seat one strikes from all over the vehicle (ours)
    stances = state.setting.field.stances
    hands = (stances[stud]._replace(ground_plates=here.ground_plates) for stud in each(near))
    return any(_touches(state, hand, name, reach_studs) for hand in hands)


def studs_away(state: State, name: str) -> int:
    """Return how many steps a target is away over level open ground; a target side by side is 1 away."""
    mine, there, steps = own_studs(state, state.active), target_studs(state, name), 0
    while there and not mine & there:
        there, steps = state.setting.field.around(there), steps + 1
    return steps


def _studs_around(state: State, studs: Studs, steps: int) -> Studs:
    for _ in range(steps):
        studs = state.setting.field.around(studs)
    return studs


def _touches(state: State, here: Stance, name: str, reach_studs: int) -> bool:
    """Tell whether a weapon at a place touches a target; an exposed occupant is as near as its vehicle (BOW 3.5)."""
    without, vehicle = _seats(state, state.active), state.setting.vehicle_numbers.get(name)
    if vehicle is None:
        unit = state.setting.unit_numbers[name]
        if not state.units[unit].rides:
            return touches(state.board, here, state.stance(unit), reach_studs, without)
        vehicle = state.seat_of(unit)[0]
    target = state.vehicle_body(vehicle)
    return touches_vehicle(state.board, here, target, reach_studs, without)


def _corners(state: State, name: str) -> list[Point]:
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is None:
        return [state.stance(state.setting.unit_numbers[name])[:2]]
    corners = state.vehicle_body(vehicle).prism.footprint.vertices_studs
    return [(x, y) for x, y in corners.tolist()]


def _seats(state: State, unit: int) -> tuple[str, ...]:
    return (_vehicle_name(state, unit),) if state.units[unit].rides else ()


def _vehicle_name(state: State, unit: int) -> str:
    return state.setting.vehicles[state.seat_of(unit)[0]].name


def vehicles_by_name(state: State) -> dict[str, int]:
    """Return the numbers of the vehicles in play by name."""
    return {state.setting.vehicles[number].name: number for number in state.vehicles_left}


def named_problems(state: State, name: str) -> Iterator[str]:
    """Yield why a name is not that of a unit or vehicle in play."""
    unit = state.setting.unit_numbers.get(name)
    is_in_play = name in vehicles_by_name(state) if unit is None else state.units[unit].plays
    if not is_in_play:
        yield f"{name!r} is not in play"
