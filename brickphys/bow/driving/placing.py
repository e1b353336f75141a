"""Placing: puts a vehicle on the field, and the units under it beside it (BOW 3.6.1)."""

from dataclasses import replace

from brickphys.bow.actions.reach import put_down
from brickphys.bow.driving.walk_beside import settle_walkers, travel_along
from brickphys.bow.field.board import vehicle_studs
from brickphys.bow.state.state import State
from brickphys.vehicles.scene import Vehicle


def put_vehicle(state: State, number: int, body: Vehicle) -> State:
    """Put a vehicle at a place with those who walk beside it, and units that are under it then beside it."""
    before = state.vehicles[number]
    after = replace(
        before,
        x_studs=body.x_studs,
        y_studs=body.y_studs,
        heading_deg=body.heading_deg,
        base_plates=before.base_plates if state.flies(number) else body.bottom_plates,
    )
    return push_units_clear(travel_along(state.with_vehicle(number, after), number, before))


def push_units_clear(state: State) -> State:
    """Put every unit that is under a vehicle on the nearest free stud, or back beside its own (BOW 3.1, 3.6.1)."""
    state, covered = settle_walkers(state), 0
    for number in state.vehicles_left:
        covered |= vehicle_studs(state.setting.field, state.vehicle_body(number))
    for unit, unit_state in state.in_play():
        if unit_state.stud is not None and covered >> unit_state.stud & 1:
            state = put_down(state, unit, unit_state.facing)
    return state
