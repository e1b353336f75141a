"""Board vehicle: get on and off a vehicle, and change seats (BOW 2.3.3, 3.1)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from brickphys.bow.actions.move import outside_field, standing_problems, stud_on_field
from brickphys.bow.actions.words import CELL, Cell, TurnAction
from brickphys.bow.driving.obstacles import door_studs
from brickphys.bow.driving.walk_beside import room_in_front
from brickphys.bow.field.field import Studs
from brickphys.bow.sheets.vehicle_sheet import manning_problems
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.grid.bitset import each
from brickphys.grid.directions import nearest_facing
from brickphys.rules.words import NAME, without_problems


@dataclass(frozen=True, slots=True)
class BoardVehicle(TurnAction):
    """Get on a vehicle that stands still, at its door, into a free seat."""

    word = "board"
    arguments = (NAME, NAME)
    vehicle: str
    seat: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every free seat of every vehicle at whose door the unit stands."""
        stud = state.me.stud
        if stud is None or not state.me.on_foot:
            return
        for vehicle in state.vehicles_left:
            if door_studs(state, vehicle) >> stud & 1:
                spec = state.setting.vehicles[vehicle]
                seats = (cls(spec.name, seat.name) for seat in spec.sheet.seats)
                yield from without_problems(state, seats)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the unit cannot get on."""
        name, numbers = state.my_name, state.setting.vehicle_numbers
        if not state.me.on_foot:
            yield f"{name} is already in a seat (BOW 2.3.3)"
        vehicle = numbers.get(self.vehicle)
        if vehicle is None or state.vehicles[vehicle].gone:
            left = [state.setting.vehicles[number].name for number in state.vehicles_left]
            yield f"{unknown('vehicle', self.vehicle, left)} (BOW 2.3.3)"
            return
        if state.me.stud is not None and not door_studs(state, vehicle) >> state.me.stud & 1:
            yield f"{name} is not close to a door of {self.vehicle} (BOW 2.3.3)"
        yield from _moving_problems(state, vehicle)
        yield from _seat_problems(state, vehicle, self.seat)

    def apply(self, state: State) -> State:
        """Put the unit into the seat."""
        return take_seat(state, state.setting.vehicle_numbers[self.vehicle], self.seat)


@dataclass(frozen=True, slots=True)
class LeaveVehicle(TurnAction):
    """Get off a vehicle that stands still, on a free stud at its door; who walks beside it stays where it stands."""

    word = "leave"
    arguments = (CELL,)
    to: Cell

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every free stud at the doors of the vehicle, or the unit's own."""
        if state.me.seat is None:
            return iter(())
        studs = (cls(state.setting.field.xy(stud)) for stud in each(_exits(state)))
        return without_problems(state, studs)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the unit cannot get off there."""
        if state.me.seat is None:
            yield f"{state.my_name} is not in a vehicle (BOW 2.3.3)"
            return
        vehicle = state.me.seat[0]
        yield from _moving_problems(state, vehicle)
        stud = stud_on_field(state, self.to)
        if stud is None:
            yield outside_field(state, self.to)
            return
        yield from standing_problems(state, stud, but=state.me.stud)
        name = state.setting.vehicles[vehicle].name
        if not door_studs(state, vehicle) >> stud & 1:
            yield f"{CELL.write(self.to)} is not at a door of {name} (BOW 2.3.3)"
        elif state.me.stud not in (None, stud):
            yield f"{state.my_name} walks beside {name}, and can get off only where it stands (BOW 3.1)"

    def apply(self, state: State) -> State:
        """Put the unit there; it faces where the vehicle points."""
        facing = nearest_facing(state.heading_deg(state.active))
        stud = state.setting.field.stud(*self.to)
        unit_state = replace(state.me, stud=stud, seat=None, facing=facing)
        return state.with_unit(state.active, unit_state)


@dataclass(frozen=True, slots=True)
class ChangeSeat(TurnAction):
    """Change to a free seat of the same vehicle."""

    word = "seat"
    arguments = (NAME,)
    seat: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every free seat of the vehicle."""
        if state.me.seat is None:
            return iter(())
        seats = state.setting.vehicles[state.me.seat[0]].sheet.seats
        return without_problems(state, (cls(seat.name) for seat in seats))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the unit cannot sit there."""
        if state.me.seat is None:
            yield f"{state.my_name} is not in a vehicle (BOW 3.1)"
            return
        vehicle, own = state.seat_of(state.active)
        yield from _seat_problems(state, vehicle, self.seat)
        seat = state.setting.vehicles[vehicle].sheet.seat(self.seat)
        if seat is not None and seat.beside != own.beside:  # it gets on or off
            yield from _moving_problems(state, vehicle)
            if seat.beside and room_in_front(state, vehicle) is None:
                name = state.setting.vehicles[vehicle].name
                yield f"there is no room beside {name} (BOW 3.1)"

    def apply(self, state: State) -> State:
        """Put the unit there."""
        assert state.me.seat is not None
        return take_seat(state, state.me.seat[0], self.seat)


def take_seat(state: State, vehicle: int, name: str) -> State:
    """Put the active unit into a seat; in the pilot's seat its player drives from now on.

    Who walks beside the vehicle begins where it stands, or in front if it gets off for that (ours).
    With the option `move_per_pilot` a new pilot must make a compulsory move, unless the vehicle has already moved in
    this turn (BOW 3.3).
    """
    seats, vehicle_state = state.setting.vehicles[vehicle].sheet.seats, state.vehicles[vehicle]
    seat = next(number for number, seat in enumerate(seats) if seat.name == name)
    stud = None
    if seats[seat].beside:
        stud = room_in_front(state, vehicle) if state.me.stud is None else state.me.stud
    unit_state = replace(state.me, stud=stud, seat=(vehicle, seat), facing=0)
    state = state.with_unit(state.active, unit_state)
    if not seats[seat].pilot:
        return state
    again = state.setting.options.move_per_pilot and vehicle not in state.driven
    moved = vehicle_state.moved and not again
    return state.with_vehicle(vehicle, replace(vehicle_state, driver=state.player, moved=moved))


def _exits(state: State) -> Studs:
    """Return the studs on which the active unit may get off its vehicle."""
    assert state.me.seat is not None
    if state.me.stud is not None:
        return 1 << state.me.stud
    return door_studs(state, state.me.seat[0]) & state.board.free


def _moving_problems(state: State, vehicle: int) -> Iterator[str]:
    if state.vehicles[vehicle].speed:
        yield f"{state.setting.vehicles[vehicle].name} is moving (BOW 2.3.3)"


def _seat_problems(state: State, vehicle: int, name: str) -> Iterator[str]:
    spec = state.setting.vehicles[vehicle]
    names = [seat.name for seat in spec.sheet.seats]
    if name not in names:
        yield f"{unknown(f'seat of {spec.name}', name, names)} (BOW 3.1)"
        return
    place = (vehicle, names.index(name))
    for unit, unit_state in state.in_play():
        if unit_state.seat == place:
            yield f"{state.setting.units[unit].name} sits there (BOW 2.3.3)"
    weapon = spec.sheet.seats[place[1]].weapon
    if weapon:
        yield from manning_problems(state.me.sheet, weapon)
