"""Targets: which units and vehicles can be attacked; their distance, visibility and reach (BOW 2.4.2, 3.4, 3.5)."""

from collections.abc import Iterator

from brickphys.bow.actions.reach import (
    ground_stud,
    is_enclosed,
    may_be_among,
    own_studs,
    target_studs,
)
from brickphys.bow.actions.weapons_in_use import WeaponInUse
from brickphys.bow.field.facing import is_in_front
from brickphys.bow.field.field import Stance, Studs
from brickphys.bow.field.melee import touches, touches_vehicle
from brickphys.bow.field.sight import (
    Visibility,
    band_end_studs,
    distance_studs,
    head,
    sight,
    vehicle_middle,
    vehicle_sight,
)
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.geometry.bearing import is_in_arc
from brickphys.geometry.polygon import Point
from brickphys.grid.bitset import each


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
        return f"{unknown('unit or vehicle', name, _names(state))} (BOW 2.4.2)"
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
    """Return the corners of a vehicle, or the place of a unit."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is None:
        return [state.stance(state.setting.unit_numbers[name])[:2]]
    corners = state.vehicle_body(vehicle).prism.footprint.vertices_studs
    return [(x, y) for x, y in corners.tolist()]


def _seats(state: State, unit: int) -> tuple[str, ...]:
    return (_vehicle_name(state, unit),) if state.units[unit].rides else ()


def _vehicle_name(state: State, unit: int) -> str:
    return state.setting.vehicles[state.seat_of(unit)[0]].name


def _names(state: State) -> list[str]:
    return [*state.setting.unit_numbers, *state.setting.vehicle_numbers]


def named_problems(state: State, name: str) -> Iterator[str]:
    """Yield why a name is not that of a unit or vehicle in play."""
    setting = state.setting
    if name in setting.unit_numbers:
        playing = state.units[setting.unit_numbers[name]].plays
    elif name in setting.vehicle_numbers:
        playing = not state.vehicles[setting.vehicle_numbers[name]].gone
    else:
        playing = False
    if not playing:
        yield f"{name!r} is not in play"
