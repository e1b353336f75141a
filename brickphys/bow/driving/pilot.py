"""Pilot: change the speed and direction of a vehicle, and make its compulsory move (BOW 3.2, 3.3)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from brickphys.bow.actions.words import SPEED, TurnAction
from brickphys.bow.driving.collision import (
    is_adrift,
    make_compulsory_move,
    must_move,
)
from brickphys.bow.driving.ground import ground_plates, stood
from brickphys.bow.driving.obstacles import overlapping, solids
from brickphys.bow.driving.placing import put_vehicle
from brickphys.bow.driving.rotation import rotations, turned_against
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.rules.words import ANGLE, NAME, without_problems
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.scene import Vehicle

MOST_DEG = 45.0
"""The largest angle of a change of direction (BOW 3.3)."""
LISTED_DEG = (-45.0, -30.0, -15.0, 15.0, 30.0, 45.0)
"""The turns that are listed; all other angles up to the largest are legal, too."""
SMALL_DEG = (-5.0, -1.0, 1.0, 5.0)
"""The turns that are listed if there is room for none of those."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class ChangeSpeed(TurnAction):
    """Set the speed of the vehicle that the unit pilots to another one of its sheet."""

    word = "speed"
    arguments = (SPEED,)
    speed: int

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every other speed of the sheet."""
        if state.piloted is None:
            return iter(())
        speeds = state.setting.vehicles[state.piloted].sheet.speeds
        return without_problems(state, map(cls, speeds))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot have that speed."""
        vehicle = state.piloted
        if vehicle is None:
            yield no_pilot_problem(state)
            return
        spec, vehicle_state = state.setting.vehicles[vehicle], state.vehicles[vehicle]
        if self.speed not in spec.sheet.speeds:
            allowed = ", ".join(map(str, spec.sheet.speeds))
            yield f"{spec.name} can have the speeds {allowed}, not {self.speed} (BOW 3.2)"
        elif self.speed == vehicle_state.speed:
            yield f"{spec.name} already has that speed (BOW 3.3)"
        elif spec.sheet.flying and not (self.speed and vehicle_state.speed):
            before, after = state.vehicle_body(vehicle), self.apply(state).vehicle_body(vehicle)
            bottom = min(before.bottom_plates, after.bottom_plates)
            top = max(before.top_plates, after.top_plates)
            met = overlapping(state, replace(before, bottom_plates=bottom, top_plates=top))
            if met:
                what = "take off" if self.speed else "land"
                yield f"{spec.name} has no room to {what}: {first_few(met)} (BOW 3.2)"

    def apply(self, state: State) -> State:
        """Change it; a flyer lands at speed 0."""
        vehicle = state.piloted
        assert vehicle is not None
        after = replace(state.vehicles[vehicle], speed=self.speed)
        if state.flies(vehicle) and not self.speed:
            base = ground_plates(state, state.vehicle_body(vehicle))
            after = replace(after, base_plates=base)
        return state.with_vehicle(vehicle, after)


@dataclass(frozen=True, slots=True)
class ChangeDirection(TurnAction):
    """Turn the vehicle about its centre, counter-clockwise, by at most 45 degrees; units make way for it."""

    word = "turn"
    arguments = (ANGLE,)
    form = "degrees, above 0 to the left"
    angle_deg: float

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the listed angles for which there is room; they stand for all."""
        if state.piloted is None:
            return
        around, has_room = _in_the_way(state, state.piloted), False
        for angles_deg in (LISTED_DEG, SMALL_DEG):
            for turn in map(cls, angles_deg):
                if turn._end(state, around) is not None:
                    has_room = True
                    yield turn
            if has_room:
                return

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot turn by this angle."""
        vehicle = state.piloted
        if not 0.0 < abs(self.angle_deg) <= MOST_DEG:
            yield f"a turn is at most {MOST_DEG:g} degrees to either side, not {self.angle_deg:g} (BOW 3.3)"
        elif vehicle is not None:
            body, around = state.vehicle_body(vehicle), _in_the_way(state, vehicle)
            if self._end(state, around) is None:
                met = turned_against(body, self.angle_deg, around)
                yield f"{body.id} has no room to turn: {first_few(met)} (BOW 3.3)"
        if vehicle is None:
            yield no_pilot_problem(state)

    def apply(self, state: State) -> State:
        """Turn it, and put units beside it that are under it then."""
        vehicle = state.piloted
        assert vehicle is not None
        end = self._end(state, _in_the_way(state, vehicle))
        assert end is not None
        return put_vehicle(state, vehicle, end)

    def _end(self, state: State, around: NamedObstacles) -> Vehicle | None:
        """Return the vehicle after the turn; None if it has no room for it."""
        assert state.piloted is not None
        body, rule = state.vehicle_body(state.piloted), state.setting.options.turning
        ends = rotations(body, self.angle_deg, rule, around)
        if state.flies(state.piloted):
            return next(ends, None)
        return next((on for end in ends if (on := stood(state, end)) is not None), None)


@dataclass(frozen=True, slots=True)
class Advance(TurnAction):
    """Make the compulsory move now, once a round; it takes no action."""

    word = "advance"

    def cost(self, state: State) -> int:
        """Return 0: the vehicle moves by itself (BOW 3.3)."""
        return 0

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the move, if the vehicle must still make it."""
        return without_problems(state, [cls()])

    def problems(self, state: State) -> Iterator[str]:
        """Yield why there is no such move."""
        if state.piloted is None:
            yield no_pilot_problem(state)
        elif not must_move(state, state.piloted):
            name = state.setting.vehicles[state.piloted].name
            yield f"{name} stands still, or has already moved in this round (BOW 3.3)"

    def apply(self, state: State) -> State:
        """Move the vehicle."""
        assert state.piloted is not None
        return make_compulsory_move(state, state.piloted)


@dataclass(frozen=True, slots=True)
class Drift(TurnAction):
    """Make the compulsory move of a vehicle without a pilot, which the player drove last; it takes no action."""

    word = "drift"
    arguments = (NAME,)
    vehicle: str

    def cost(self, state: State) -> int:
        """Return 0: the vehicle moves by itself (BOW 3.3)."""
        return 0

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every vehicle that the player drove last, that must move and has no pilot."""
        vehicles = state.setting.vehicles
        names = (vehicles[number].name for number in state.vehicles_left)
        return without_problems(state, map(cls, names))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot drift now."""
        numbers = state.setting.vehicle_numbers
        if self.vehicle not in numbers:
            yield f"{unknown('vehicle', self.vehicle, numbers)} (BOW 3.3)"
            return
        vehicle = numbers[self.vehicle]
        driver = state.vehicles[vehicle].driver
        if driver != state.player:
            yield f"{state.setting.players[driver]} drove {self.vehicle} last, and moves it (BOW 3.3)"
        if not is_adrift(state, vehicle):
            yield f"{self.vehicle} has a pilot, stands still, or has already moved in this round (BOW 3.3)"

    def apply(self, state: State) -> State:
        """Move the vehicle."""
        return make_compulsory_move(state, state.setting.vehicle_numbers[self.vehicle])


def _in_the_way(state: State, vehicle: int) -> NamedObstacles:
    """Return what a vehicle may not overlap: decor, other vehicles, and ground more than a step higher."""
    body = state.vehicle_body(vehicle)
    climbs = 0.0 if state.flies(vehicle) else state.setting.field.step_plates
    return solids(state, body, body.bottom_plates + climbs)


def no_pilot_problem(state: State) -> str:
    """Say that the active unit pilots no vehicle."""
    return f"{state.my_name} is not the pilot of a vehicle (BOW 2.3.3)"


def first_few(names: list[str]) -> str:
    """Name the first few things."""
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
