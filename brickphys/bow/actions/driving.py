"""Driving: change the speed and direction of a vehicle and move it; get on and off, change seats (BOW 2.3.3, 3)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import Annotated, Self

from brickphys.bow.actions import movement, obstacles
from brickphys.bow.actions.collision import is_adrift, make_compulsory_move, must_move
from brickphys.bow.actions.targets import vehicles_by_name
from brickphys.bow.field import normal_deg
from brickphys.bow.setting import TurnRule
from brickphys.bow.sheets.rulebook import MOST_DEG
from brickphys.bow.sheets.sheet import manning_problems
from brickphys.bow.state import State
from brickphys.errors import unknown
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.geometry.sweep import first_free_studs, overlaps, sweep, swing
from brickphys.grid.grid import each, nearest_facing
from brickphys.rules.moves import Among
from brickphys.rules.words import NAME, TURN
from brickphys.vehicles.course import NamedObstacles
from brickphys.vehicles.scene import Vehicle


def rotations(
    mover: Vehicle, angle_deg: float, rule: TurnRule, around: NamedObstacles
) -> Iterator[Vehicle]:
    """Yield a vehicle after a turn counter-clockwise about its centre, where it has room, the preferred place first.

    Where it would overlap decor or another vehicle then, it is first backed off along its heading by the least that
    prevents it; else moved ahead; else aside; else aside from where it is backed off, or moved ahead, as far as
    is allowed: half its diagonal less half its length (aside: its width), so that its corners clear a wall at which
    it stands flush. Units are not in its way.

    The rule says whether the turn itself must be clear too, from where it begins; `around` are the decor, ground and
    vehicles that are in its way.
    """
    turned = replace(mover, heading_deg=normal_deg(mover.heading_deg + angle_deg))
    for start, end in _moves(mover, turned, around):
        if rule is TurnRule.FREE or not turned_against(start, angle_deg, around):
            yield end


def turned_against(mover: Vehicle, angle_deg: float, around: NamedObstacles) -> list[str]:
    """Return the names of what a vehicle would touch while it turns about its centre."""
    met = swing(mover.prism, mover.centre_studs, angle_deg, around.prisms)
    return [around.things[touch.number].id for touch in met]


def _moves(
    mover: Vehicle, turned: Vehicle, around: NamedObstacles
) -> Iterator[tuple[Vehicle, Vehicle]]:
    """Yield a vehicle before and after a turn at the places where it has room for it, the preferred one first."""
    if _is_clear(turned, around):
        yield mover, turned
    half_diagonal = hypot(mover.length_studs, mover.width_studs) / 2
    along, aside = half_diagonal - mover.length_studs / 2, half_diagonal - mover.width_studs / 2
    ends, sides = ((180.0, along), (0.0, along)), ((90.0, aside), (270.0, aside))
    for off_deg, most_studs in (*ends, *sides):
        yield from _shifted(mover, turned, off_deg, most_studs, around)
    for off_deg, most_studs in ends:
        x, y = unit_vector(mover.heading_deg + off_deg)
        if not sweep(mover.prism, (x, y), most_studs, around.prisms):
            shift = (most_studs * x, most_studs * y)
            for side_deg, room_studs in sides:
                yield from _shifted(
                    _moved(mover, shift), _moved(turned, shift), side_deg, room_studs, around
                )


def _shifted(
    mover: Vehicle, turned: Vehicle, off_deg: float, most_studs: float, around: NamedObstacles
) -> Iterator[tuple[Vehicle, Vehicle]]:
    """Yield a vehicle before and after a turn at the nearest place off its heading with room, if the way is clear."""
    x, y = unit_vector(mover.heading_deg + off_deg)
    studs = first_free_studs(turned.prism, (x, y), most_studs, around.prisms)
    if studs is not None and not sweep(mover.prism, (x, y), studs, around.prisms):
        start, end = (_moved(one, (studs * x, studs * y)) for one in (mover, turned))
        if around.bounds.contains(end.centre_studs) and _is_clear(end, around):
            yield start, end


def _moved(mover: Vehicle, shift: Point) -> Vehicle:
    return obstacles.placed(mover, (mover.x_studs + shift[0], mover.y_studs + shift[1]))


def _is_clear(mover: Vehicle, around: NamedObstacles) -> bool:
    return not overlaps(mover.prism, around.prisms)


LISTED_DEG = (-45.0, -30.0, -15.0, 15.0, 30.0, 45.0)
"""The turns that are listed; all other angles up to the largest are legal, too."""
SMALL_DEG = (-5.0, -1.0, 1.0, 5.0)
"""The turns that are listed if there is room for none of those."""
_NAMED = 3


class PilotMove(movement.TurnMove):
    """A move of the pilot of a vehicle, which acts; `refusals` and `result` take its number."""

    __slots__ = ()

    @classmethod
    def actor(cls, state: State) -> tuple[int, ...]:
        return () if state.piloted is None else (state.piloted,)

    @classmethod
    def wrong_moment(cls, state: State) -> str | None:
        if state.piloted is None:
            return f"{state.my_name} is not the pilot of a vehicle (BOW 2.3.3)"
        return None

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        return iter(()) if state.piloted is None else cls.listed(state, state.piloted)


@dataclass(frozen=True, slots=True)
class ChangeSpeed(PilotMove):
    """Set the speed of the vehicle that the unit pilots to another one of its sheet."""

    word = "speed"
    does = "change speed"
    section = "BOW 3.2"
    speed: Annotated[int, movement.SPEED]

    @classmethod
    def listed(cls, state: State, vehicle: int) -> Iterator[Self]:
        return movement.unrefused(state, map(cls, state.setting.vehicles[vehicle].sheet.speeds))

    def refusals(self, state: State, vehicle: int, speed: int) -> Iterator[str]:
        spec, vehicle_state = state.setting.vehicles[vehicle], state.vehicles[vehicle]
        if speed not in spec.sheet.speeds:
            allowed = ", ".join(map(str, spec.sheet.speeds))
            yield f"{spec.name} can have the speeds {allowed}, not {speed}"
        elif speed == vehicle_state.speed:
            yield f"{spec.name} already has that speed (BOW 3.3)"
        elif spec.sheet.flying and not (speed and vehicle_state.speed):
            before = state.vehicle_body(vehicle)
            after = self.result(state, vehicle, speed).vehicle_body(vehicle)
            bottom = min(before.bottom_plates, after.bottom_plates)
            top = max(before.top_plates, after.top_plates)
            met = obstacles.overlapping(
                state, replace(before, bottom_plates=bottom, top_plates=top)
            )
            if met:
                what = "take off" if speed else "land"
                yield f"{spec.name} has no room to {what}: {first_few(met)}"

    def result(self, state: State, vehicle: int, speed: int) -> State:
        """Change it; a flyer lands at speed 0."""
        after = replace(state.vehicles[vehicle], speed=speed)
        if state.flies(vehicle) and not speed:
            base = obstacles.ground_plates(state, state.vehicle_body(vehicle))
            after = replace(after, base_plates=base)
        return state.with_vehicle(vehicle, after)


@dataclass(frozen=True, slots=True)
class ChangeDirection(PilotMove):
    """Turn the vehicle about its centre, counter-clockwise, by at most 45 degrees; units make way for it."""

    word = "turn"
    section = "BOW 3.3"
    form = "degrees, above 0 to the left"
    angle_deg: Annotated[float, TURN]

    @classmethod
    def listed(cls, state: State, vehicle: int) -> Iterator[Self]:
        """Yield the listed angles for which there is room; they stand for all."""
        has_room = False
        for angles_deg in (LISTED_DEG, SMALL_DEG):
            for angle_deg in angles_deg:
                if _turned(state, vehicle, angle_deg) is not None:
                    has_room = True
                    yield cls(angle_deg)
            if has_room:
                return

    def refusals(self, state: State, vehicle: int, angle_deg: float) -> Iterator[str]:
        if not 0.0 < abs(angle_deg) <= MOST_DEG:
            yield f"a turn is at most {MOST_DEG:g} degrees to either side, not {angle_deg:g}"
        elif _turned(state, vehicle, angle_deg) is None:
            body = state.vehicle_body(vehicle)
            met = turned_against(body, angle_deg, _in_the_way(state, vehicle))
            yield f"{body.id} has no room to turn: {first_few(met)}"

    def result(self, state: State, vehicle: int, angle_deg: float) -> State:
        end = _turned(state, vehicle, angle_deg)
        assert end is not None
        return obstacles.put_vehicle(state, vehicle, end)


def _turned(state: State, vehicle: int, angle_deg: float) -> Vehicle | None:
    body, rule = state.vehicle_body(vehicle), state.setting.options.turning
    ends = rotations(body, angle_deg, rule, _in_the_way(state, vehicle))
    if state.flies(vehicle):
        return next(ends, None)
    return next((on for end in ends if (on := obstacles.on_ground(state, end)) is not None), None)


class CompulsoryAction(movement.TurnMove):
    """The compulsory move of a vehicle, once a round; the vehicle moves by itself, so it takes no action (BOW 3.3)."""

    __slots__ = ()

    def cost(self, state: State) -> int:
        return 0

    def result(self, state: State, vehicle: int) -> State:
        return make_compulsory_move(state, vehicle)


@dataclass(frozen=True, slots=True)
class Advance(CompulsoryAction, PilotMove):
    """Make the compulsory move now, once a round; it takes no action."""

    word = "advance"
    section = "BOW 3.3"

    @classmethod
    def listed(cls, state: State, vehicle: int) -> Iterator[Self]:
        return movement.unrefused(state, [cls()])

    def refusals(self, state: State, vehicle: int) -> Iterator[str]:
        if not must_move(state, vehicle):
            name = state.setting.vehicles[vehicle].name
            yield f"{name} stands still, or has already moved in this round"


@dataclass(frozen=True, slots=True)
class Drift(CompulsoryAction):
    """Make the compulsory move of a vehicle without a pilot, which the player drove last; it takes no action."""

    word = "drift"
    section = "BOW 3.3"
    vehicle: Annotated[str, Among("vehicle", lambda state: state.setting.vehicle_numbers)]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every vehicle that the player drove last, that must move and has no pilot."""
        vehicles = state.setting.vehicles
        names = (vehicles[number].name for number in state.vehicles_left)
        return movement.unrefused(state, map(cls, names))

    def refusals(self, state: State, vehicle: int) -> Iterator[str]:
        driver = state.vehicles[vehicle].driver
        if driver != state.player:
            yield f"{state.setting.players[driver]} drove {self.vehicle} last, and moves it"
        if not is_adrift(state, vehicle):
            yield f"{self.vehicle} has a pilot, stands still, or has already moved in this round"


def _in_the_way(state: State, vehicle: int) -> NamedObstacles:
    """Return what a vehicle may not overlap: decor, other vehicles, and ground more than a step higher."""
    body = state.vehicle_body(vehicle)
    climbs = 0.0 if state.flies(vehicle) else state.setting.field.step_plates
    return obstacles.solids(state, body, body.bottom_plates + climbs)


def first_few(names: list[str]) -> str:
    """Name the first few things."""
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


@dataclass(frozen=True, slots=True)
class BoardVehicle(movement.TurnMove):
    """Get on a vehicle that stands still, at its door, into a free seat."""

    word = "board"
    does = "get on"
    section = "BOW 2.3.3"
    vehicle: Annotated[str, NAME]
    seat: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every free seat of every vehicle at whose door the unit stands."""
        stud = state.me.stud
        if stud is None or not state.me.on_foot:
            return
        for vehicle in state.vehicles_left:
            if obstacles.door_studs(state, vehicle) >> stud & 1:
                spec = state.setting.vehicles[vehicle]
                seats = (cls(spec.name, seat.name) for seat in spec.sheet.seats)
                yield from movement.unrefused(state, seats)

    def refusals(self, state: State, name: str, seat: str) -> Iterator[str]:
        left, me = vehicles_by_name(state), state.me
        if not me.on_foot:
            yield f"{state.my_name} is already in a seat"
        vehicle = left.get(name)
        if vehicle is None:
            yield str(unknown("vehicle", name, left))
            return
        if me.stud is not None and not obstacles.door_studs(state, vehicle) >> me.stud & 1:
            yield f"{state.my_name} is not close to a door of {name}"
        yield from _moving_problems(state, vehicle)
        yield from _seat_problems(state, vehicle, seat)

    def result(self, state: State, name: str, seat: str) -> State:
        return take_seat(state, state.setting.vehicle_numbers[name], seat)


class SeatedMove(movement.TurnMove):
    """A move of a unit in a vehicle; `refusals` and `result` take the number of that."""

    __slots__ = ()

    @classmethod
    def actor(cls, state: State) -> tuple[int, ...]:
        return () if state.me.seat is None else state.me.seat[:1]

    @classmethod
    def wrong_moment(cls, state: State) -> str | None:
        return f"{state.my_name} is not in a vehicle" if state.me.seat is None else None

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        return iter(()) if state.me.seat is None else cls.listed(state, state.me.seat[0])


@dataclass(frozen=True, slots=True)
class LeaveVehicle(SeatedMove):
    """Get off a vehicle that stands still, on a free stud at its door; who walks beside it stays where it stands."""

    word = "leave"
    does = "get off"
    section = "BOW 2.3.3"
    to: Annotated[movement.Cell, movement.CELL]

    @classmethod
    def listed(cls, state: State, vehicle: int) -> Iterator[Self]:
        """Yield every free stud at the doors of the vehicle, or the unit's own."""
        own = state.me.stud
        exits = obstacles.door_studs(state, vehicle) & state.board.free if own is None else 1 << own
        return movement.unrefused(
            state, (cls(state.setting.field.xy(stud)) for stud in each(exits))
        )

    def refusals(self, state: State, vehicle: int, to: movement.Cell) -> Iterator[str]:
        yield from _moving_problems(state, vehicle)
        stud = movement.stud_on_field(state, to)
        if stud is None:
            yield movement.outside_field(state, to)
            return
        yield from movement.standing_problems(state, stud, but=state.me.stud)
        name = state.setting.vehicles[vehicle].name
        if not obstacles.door_studs(state, vehicle) >> stud & 1:
            yield f"{movement.CELL.write(to)} is not at a door of {name}"
        elif state.me.stud not in (None, stud):
            yield f"{state.my_name} walks beside {name}, and can get off only where it stands (BOW 3.1)"

    def result(self, state: State, vehicle: int, to: movement.Cell) -> State:
        """Put the unit there; it faces where the vehicle points."""
        facing = nearest_facing(state.heading_deg(state.active))
        stud = state.setting.field.stud(*to)
        unit_state = replace(state.me, stud=stud, seat=None, facing=facing)
        return state.with_unit(state.active, unit_state)


@dataclass(frozen=True, slots=True)
class ChangeSeat(SeatedMove):
    """Change to a free seat of the same vehicle."""

    word = "seat"
    does = "change seat"
    section = "BOW 3.1"
    seat: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State, vehicle: int) -> Iterator[Self]:
        seats = state.setting.vehicles[vehicle].sheet.seats
        return movement.unrefused(state, (cls(seat.name) for seat in seats))

    def refusals(self, state: State, vehicle: int, name: str) -> Iterator[str]:
        yield from _seat_problems(state, vehicle, name)
        seat, own = state.setting.vehicles[vehicle].sheet.seat(name), state.seat_of(state.active)[1]
        if seat is not None and seat.beside != own.beside:  # it gets on or off
            yield from _moving_problems(state, vehicle)
            if seat.beside and obstacles.room_in_front(state, vehicle) is None:
                yield f"there is no room beside {state.setting.vehicles[vehicle].name}"

    def result(self, state: State, vehicle: int, name: str) -> State:
        return take_seat(state, vehicle, name)


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
        stud = obstacles.room_in_front(state, vehicle) if state.me.stud is None else state.me.stud
    unit_state = replace(state.me, stud=stud, seat=(vehicle, seat), facing=0)
    state = state.with_unit(state.active, unit_state)
    if not seats[seat].pilot:
        return state
    again = state.setting.options.move_per_pilot and vehicle not in state.driven
    moved = vehicle_state.moved and not again
    return state.with_vehicle(vehicle, replace(vehicle_state, driver=state.player, moved=moved))


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
