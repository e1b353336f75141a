"""Walk beside: units that walk beside a vehicle, as a driver of horses does, and travel along (BOW 3.1)."""

from dataclasses import replace
from math import hypot

from brickphys.bow.actions.reach import put_down
from brickphys.bow.driving.obstacles import door_studs
from brickphys.bow.field.field import Stud
from brickphys.bow.state.pieces import VehicleState
from brickphys.bow.state.state import State
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.grid.bitset import each
from brickphys.grid.directions import nearest_facing


def walkers(state: State, vehicle: int) -> list[int]:
    """Return the units that walk beside a vehicle."""
    return [unit for unit in state.occupants(vehicle) if not state.units[unit].rides]


def without_walkers(state: State, vehicle: int) -> State:
    """Return the battle as if nobody walked beside a vehicle."""
    for unit in walkers(state, vehicle):
        state = state.with_unit(unit, replace(state.units[unit], stud=None))
    return state


def room_beside(state: State, vehicle: int, place: Point) -> Stud | None:
    """Return the free stud at the doors of a vehicle that is nearest to a place; None if no stud there is free."""
    stances = state.setting.field.stances

    def distance_studs(stud: Stud) -> float:
        x, y, _ = stances[stud]
        return round(hypot(x - place[0], y - place[1]), 9)  # so that the first of equals is found

    return min(
        each(door_studs(state, vehicle) & state.board.free), key=distance_studs, default=None
    )


def room_in_front(state: State, vehicle: int) -> Stud | None:
    """Return the free stud at the doors that is nearest to the front of a vehicle, where horses draw it."""
    body = state.vehicle_body(vehicle)
    (dx, dy), ahead = unit_vector(body.heading_deg), body.length_studs / 2
    return room_beside(state, vehicle, (body.x_studs + ahead * dx, body.y_studs + ahead * dy))


def travel_along(state: State, vehicle: int, before: VehicleState) -> State:
    """Put the units that walk beside a vehicle where its motion carries them, given its state before."""
    now = state.vehicles[vehicle]
    c, s = unit_vector(now.heading_deg - before.heading_deg)
    for unit in walkers(state, vehicle):
        x, y, _ = state.stance(unit)
        dx, dy = x - before.x_studs, y - before.y_studs
        place = (now.x_studs + c * dx - s * dy, now.y_studs + s * dx + c * dy)
        state = _put_beside(state, unit, vehicle, place)
    return state


def settle_walkers(state: State) -> State:
    """Put the units that walk beside a vehicle, and are not at its doors or under another one, back beside it."""
    for vehicle in state.vehicles_left:
        for unit in walkers(state, vehicle):
            x, y, _ = state.stance(unit)
            state = _put_beside(state, unit, vehicle, (x, y))
    return state


def _put_beside(state: State, unit: int, vehicle: int, place: Point) -> State:
    """Put a unit beside its vehicle; without room there it leaves its seat, where it stands or as near as it can."""
    unit_state = state.units[unit]
    stud = room_beside(state.with_unit(unit, replace(unit_state, stud=None)), vehicle, place)
    if stud is None:
        return put_down(state, unit, nearest_facing(state.heading_deg(unit)))
    return state.with_unit(unit, replace(unit_state, stud=stud))
