"""Reach: what a unit can touch with its hands, and where a unit can be put (BOW 2.3.2, 2.3.3)."""

from dataclasses import replace

from brickphys.bow.field.board import Board, footprint_studs
from brickphys.bow.field.field import Span, Stud, Studs
from brickphys.bow.field.hand import figure_plates, reaches, reaches_object
from brickphys.bow.field.walk import reachable
from brickphys.bow.state.pieces import UnitState
from brickphys.bow.state.state import State


def is_enclosed(state: State, unit: int) -> bool:
    """Tell whether a unit sits inside a vehicle, in a seat that is not exposed (BOW 3.5)."""
    if state.units[unit].seat is None:
        return False
    seat = state.seat_of(unit)[1]
    return not (seat.exposed or seat.beside)


def sit_together(state: State, one: int, other: int) -> bool:
    """Tell whether two units sit on or in the same vehicle."""
    here, there = state.units[one], state.units[other]
    return here.rides and there.rides and state.seat_of(one)[0] == state.seat_of(other)[0]


def body_studs(state: State, vehicle: int) -> Studs:
    """Return the studs that a vehicle overlaps."""
    return footprint_studs(state.setting.field, state.vehicle_body(vehicle))


def own_studs(state: State, unit: int) -> Studs:
    """Return the stud of a unit; of one in a seat, those of its vehicle."""
    unit_state = state.units[unit]
    if unit_state.stud is not None:
        return 1 << unit_state.stud
    return body_studs(state, state.seat_of(unit)[0])


def target_studs(state: State, name: str) -> Studs:
    """Return the studs of a unit or of a vehicle, by name."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return body_studs(state, vehicle)
    return own_studs(state, state.setting.unit_numbers[name])


def may_be_among(unit_state: UnitState, studs: Studs | None) -> bool:
    """Tell whether a unit stands on one of some studs, or rides, so that it may be anywhere; None is all studs."""
    return studs is None or unit_state.stud is None or bool(studs >> unit_state.stud & 1)


def within_hands(state: State, unit: int) -> Studs:
    """Return the studs within reach of a unit: its own and their neighbours; none from inside a vehicle."""
    if is_enclosed(state, unit):
        return 0
    return state.setting.field.around(own_studs(state, unit))


def touches_over(state: State, unit: int, studs: Studs, span_plates: Span) -> bool:
    """Tell whether a unit can touch a body that fills a range of heights over some studs."""
    near = within_hands(state, unit) & studs
    return bool(near) and reaches(state.stance(unit).ground_plates, span_plates)


def touches_on(state: State, unit: int, stud: Stud) -> bool:
    """Tell whether a unit can touch another one on a stud; it may bend and stretch."""
    ground_plates = state.setting.field.levels_plates[stud]
    return touches_over(state, unit, 1 << stud, figure_plates(ground_plates))


def can_take_from(state: State, unit: int, stud: Stud) -> bool:
    """Tell whether an object on a stud is within reach of a unit: on the ground or a table (BOW 2.3.2)."""
    level_plates = state.setting.field.levels_plates[stud]
    near = within_hands(state, unit) >> stud & 1
    return bool(near) and reaches_object(state.stance(unit).ground_plates, level_plates)


def in_contact(state: State, unit: int, name: str) -> bool:
    """Tell whether a unit can touch another unit or a vehicle, by name.

    Inside a vehicle it can touch the other occupants. An exposed occupant is as near as its vehicle (BOW 3.5).
    """
    vehicle, is_open = state.setting.vehicle_numbers.get(name), True
    if vehicle is None:
        other = state.setting.unit_numbers[name]
        stud = state.units[other].stud
        if stud is not None:
            return touches_on(state, unit, stud)
        vehicle, is_open = state.seat_of(other)[0], not is_enclosed(state, other)
    body = state.vehicle_body(vehicle)
    if state.units[unit].rides and state.seat_of(unit)[0] == vehicle:
        return True
    span_plates = (body.bottom_plates, body.top_plates)
    return is_open and touches_over(state, unit, body_studs(state, vehicle), span_plates)


def ground_stud(state: State, unit: int) -> Stud:
    """Return the stud under a unit, on which its objects fall."""
    x, y, _ = state.stance(unit)
    return state.setting.field.square_at(x, y)


def put_down(state: State, unit: int, facing: int, start: Stud | None = None) -> State:
    """Put a unit on the free stud nearest to a stud, its own if None; without any on the field it is out of battle."""
    if start is None:
        start = _foothold(state, unit)
    unit_state = replace(state.units[unit], stud=None, seat=None, facing=facing)
    lifted = state.with_unit(unit, unit_state)
    return lifted.with_unit(unit, replace(unit_state, stud=nearest_free(lifted.board, start)))


def _foothold(state: State, unit: int) -> Stud:
    """Return the stud of a unit; of one that rides, one on which its vehicle stands, else the one under its middle."""
    field, (x, y, level) = state.setting.field, state.stance(unit)
    middle = field.square_at(x, y)
    found = field.nearest(middle, field.level_studs(own_studs(state, unit), level))
    return middle if found is None else found


def nearest_free(board: Board, start: Stud) -> Stud | None:
    """Return the free stud that is the fewest steps away from a stud; among equals the nearest.

    Units are not in the way of these steps, but walls and cliffs are. If no steps lead to a free stud, the nearest of
    all is returned.
    """
    field, free = board.field, board.free
    rings = reachable(Board(board.terrain), start, field.width * field.length).rings
    among = next((ring & free for ring in rings if ring & free), free)
    return field.nearest(start, among)
