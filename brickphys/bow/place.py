"""Place: what is within the reach of a unit's hands, and where a unit can be put (BOW 2.3.2, 2.3.3)."""

from dataclasses import replace

from brickphys.bow.board import Board, around, footprint_studs, nearest
from brickphys.bow.state import State
from brickphys.bow.studs import Stud, Studs
from brickphys.vehicles.polygon import Point


def is_enclosed(state: State, unit: int) -> bool:
    """Tell whether a unit sits inside a vehicle: only who is exposed reaches out of it (BOW 3.5)."""
    if state.figures[unit].seat is None:
        return False
    seat = state.seat_of(unit)[1]
    return not (seat.exposed or seat.beside)


def sit_together(state: State, one: int, other: int) -> bool:
    """Tell whether two units sit in the same vehicle."""
    here, there = state.figures[one].seat, state.figures[other].seat
    return here is not None and there is not None and here[0] == there[0]


def body_studs(state: State, vehicle: int) -> Studs:
    """Return the studs that a vehicle overlaps."""
    return footprint_studs(state.setting.field, state.vehicle(vehicle))


def own_studs(state: State, unit: int) -> Studs:
    """Return the stud of a unit; of one in a seat, those of its vehicle."""
    figure = state.figures[unit]
    if figure.stud is not None:
        return 1 << figure.stud
    return body_studs(state, state.seat_of(unit)[0])


def target_studs(state: State, name: str) -> Studs:
    """Return the studs of a unit or of a vehicle, by name."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return body_studs(state, vehicle)
    return own_studs(state, state.setting.unit_numbers[name])


def within_hands(state: State, unit: int) -> Studs:
    """Return the studs that a unit can touch: its own and their neighbours; none from inside a vehicle."""
    if is_enclosed(state, unit):
        return 0
    return around(state.setting.field, own_studs(state, unit))


def in_contact(state: State, unit: int, name: str) -> bool:
    """Tell whether a unit can touch another, or a vehicle, by name; inside a vehicle, also those who sit with it."""
    vehicle = state.setting.vehicle_numbers.get(name)
    seat = state.figures[unit].seat
    if vehicle is not None:
        inside = seat is not None and seat[0] == vehicle
        return inside or bool(within_hands(state, unit) & body_studs(state, vehicle))
    other = state.setting.unit_numbers[name]
    if sit_together(state, unit, other):
        return True
    reached = within_hands(state, unit) & own_studs(state, other)
    return bool(reached) and not is_enclosed(state, other)


def ground_stud(state: State, unit: int) -> Stud:
    """Return the stud under a unit: that on which its objects fall."""
    x, y, _ = state.stance(unit)
    return state.setting.field.stud_at(x, y)


def put_down(state: State, unit: int, at_studs: Point, facing: int) -> State:
    """Put a unit on the free stud nearest to a point; if the whole field is full, it is out of the battle."""
    figure = replace(state.figures[unit], stud=None, seat=None, facing=facing)
    lifted = state.with_figure(unit, figure)
    stud = nearest_free(lifted.board, at_studs)
    return lifted.with_figure(unit, replace(figure, stud=stud))


def nearest_free(board: Board, at_studs: Point) -> Stud | None:
    """Return the free stud nearest to a point."""
    return nearest(board.field, board.field.stud_at(*at_studs), board.free)
