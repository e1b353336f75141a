"""At rest: where a vehicle and the things it hit lie after its move, by physics (BOW 3.6; our option)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from math import hypot
from typing import NamedTuple

from brickphys.bow.actions.movement import put_down
from brickphys.bow.actions.obstacles import fixed, on_ground, put_vehicle, solids
from brickphys.bow.field import FIGURE_PLATES, Stance, normal_deg
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.sheet import move_studs
from brickphys.bow.state import State, UnitState, VehicleState
from brickphys.errors import InvalidValueError
from brickphys.rules.events import Measurement, Outcome
from brickphys.rules.turn_state import PendingRoll
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle

_NEAR_STUDS = 20.0
"""What is farther from where the mover starts than its move and this takes no part in its crash."""
_STEPS = 8
"""A vehicle without room where it came to rest is moved back to its place by the rules, in this many steps."""


class VehicleBefore(NamedTuple):
    """A vehicle before a move."""

    name: str
    x_studs: float
    y_studs: float
    heading_deg: float
    bottom_plates: float
    top_plates: float
    speed: int


@dataclass(frozen=True, slots=True)
class AtRest(PendingRoll[State]):
    """The places of everything that was hit, and of the vehicle, once all rolls are done."""

    hit: tuple[str, ...]
    """Names of the vehicle and of the units and vehicles that it has hit."""
    vehicles: tuple[VehicleBefore, ...]
    """The vehicles near the mover's start before the move, the mover first."""
    units: tuple[tuple[str, int], ...]
    """The name and the stud of each unit near the mover's start before the move."""

    def problems(self, state: State) -> list[str]:
        setting = state.setting
        known = setting.vehicle_numbers.keys() | setting.unit_numbers.keys()
        faults = [
            f"hit: {name!r} is not a unit or a vehicle" for name in self.hit if name not in known
        ]
        studs = len(setting.field.stances)
        faults += [
            f"units: no unit {name!r} is on stud {stud}"
            for name, stud in self.units
            if name not in setting.unit_numbers or not 0 <= stud < studs
        ]
        faults += [
            f"vehicles: {one.name!r} is not a vehicle"
            for one in self.vehicles
            if one.name not in setting.vehicle_numbers
        ]
        if not faults:
            try:
                scene_before(setting, self, state.open_ids)
            except (InvalidValueError, IndexError) as error:
                faults.append(f"vehicles: {error}")
        return faults

    def lapses(self, state: State) -> bool:
        return not self._still_there(state)

    def event(self, state: State) -> Measurement:
        """Return what is measured: the places of what is still there; bots expect those by the rules."""
        field, places = state.setting.field, self._still_there(state)
        limits = (
            ("x_studs", 0.0, float(field.width)),
            ("y_studs", 0.0, float(field.length)),
            ("heading_deg", 0.0, 360.0),
        )
        quantities = [
            (f"{name} {quantity}", low, high)
            for name, place in places.items()
            for quantity, low, high in limits[: len(place)]
        ]
        reason = f"the bodies come to rest after the move of {self.vehicles[0].name}"
        scene = scene_before(state.setting, self, state.open_ids)
        return Measurement(
            tuple(quantities), reason, tuple(chain.from_iterable(places.values())), scene
        )

    def settle(self, state: State, outcome: Outcome) -> State:
        """Put vehicles, then units, where they came to rest, or near to it where there is no room."""
        assert isinstance(outcome, tuple)
        values, places, setting = iter(outcome), self._still_there(state), state.setting
        ends = {name: tuple(islice(values, len(place))) for name, place in places.items()}
        moved = {name: end for name, end in ends.items() if end != places[name]}
        vehicles = [name for name in moved if name in setting.vehicle_numbers]
        # What was hit last leaves room for what comes behind it, so it is put down first. In the second round
        # those try again that were stopped by one whose turn came later; who has no room then either stays short.
        for name in 2 * vehicles[::-1]:
            state = _put_near(state, setting.vehicle_numbers[name], *moved[name])
        for name, end in moved.items():
            if name in setting.unit_numbers:
                unit = setting.unit_numbers[name]
                near = setting.field.square_at(*end)
                state = put_down(state, unit, state.units[unit].facing, near)
        return state

    def _still_there(self, state: State) -> dict[str, tuple[float, ...]]:
        """Return the centre in studs of all that is still there, and of a vehicle also the heading in degrees."""
        places = dict[str, tuple[float, ...]]()
        for name in self.hit:
            thing = state.named(name)
            if isinstance(thing, UnitState) and thing.on_foot:
                places[name] = state.stance(state.setting.unit_numbers[name])[:2]
            elif isinstance(thing, VehicleState) and not thing.gone:
                places[name] = (thing.x_studs, thing.y_studs, thing.heading_deg)
        return places


def at_rest(state: State, vehicle: int, hit: Iterable[str]) -> AtRest:
    """Return what is to be measured after a move.

    `hit` are the names of the units and vehicles that the vehicle hits.
    """
    mover = state.vehicle_body(vehicle)
    others = [state.vehicle_body(number) for number in state.vehicles_left if number != vehicle]
    units = list[tuple[str, int]]()
    for unit, unit_state in state.in_play():
        if unit_state.on_foot and _is_near(mover, state.stance(unit)[:2]):
            assert unit_state.stud is not None
            units.append((state.setting.units[unit].name, unit_state.stud))
    return AtRest(
        tuple(dict.fromkeys((mover.id, *hit))),
        tuple(_before(body) for body in (mover, *others) if _is_near(mover, body.centre_studs)),
        tuple(units),
    )


def is_measuring(state: State) -> bool:
    """Tell whether it is still to be measured where things lie: until then they are where the rules put them."""
    return any(isinstance(pending, AtRest) for pending in state.pending)


def _is_near(mover: Vehicle, point_studs: tuple[float, float]) -> bool:
    """Tell whether a point is in the circle of what may take part, round where the mover starts."""
    x, y = point_studs
    radius_studs = move_studs(mover.speed) + _NEAR_STUDS
    return hypot(x - mover.x_studs, y - mover.y_studs) <= radius_studs


def _before(body: Vehicle) -> VehicleBefore:
    heights = (float(body.bottom_plates), float(body.top_plates))
    place = (float(body.x_studs), float(body.y_studs), float(body.heading_deg))
    return VehicleBefore(body.id, *place, *heights, body.speed)


@lru_cache(maxsize=64)
def scene_before(setting: Setting, crash: AtRest, open_ids: frozenset[str]) -> Scene:
    """Return what stood where before a move; the lowest ground of the field is the table."""
    field = setting.field
    table = min(field.grounds_plates)
    vehicles = tuple(_vehicle(setting, before, table) for before in crash.vehicles)
    return Scene(
        Bounds(field.width, field.length),
        vehicles[0].id,
        vehicles,
        tuple(_unit(name, field.stances[stud], table) for name, stud in crash.units),
        tuple(_fixtures(setting, open_ids, vehicles[0], table)),
    )


def _vehicle(setting: Setting, before: VehicleBefore, table_plates: float) -> Vehicle:
    name, x, y, heading_deg, bottom, top, speed = before
    sheet = setting.vehicles[setting.vehicle_numbers[name]].sheet
    size = (sheet.footprint.length_studs, sheet.footprint.width_studs)
    heights = (bottom - table_plates, top - table_plates)
    return Vehicle(name, x, y, heading_deg, *size, *heights, speed, sheet.model)


def _unit(name: str, stance: Stance, table_plates: float) -> Unit:
    x, y, ground = stance
    return Unit(name, x, y, ground - table_plates, ground - table_plates + FIGURE_PLATES)


def _fixtures(
    setting: Setting, open_ids: frozenset[str], mover: Vehicle, table_plates: float
) -> Iterator[Fixture]:
    """Yield decor and ground near the mover's start, from the table upwards."""
    for thing in fixed(setting.field, open_ids, table_plates).things:
        if isinstance(thing, Fixture) and _is_near(mover, _nearest(thing, mover)):
            bottom = max(0.0, thing.bottom_plates - table_plates)
            yield replace(thing, bottom_plates=bottom, top_plates=thing.top_plates - table_plates)


def _nearest(thing: Fixture, mover: Vehicle) -> tuple[float, float]:
    """Return the point of the box around a thing that is nearest to the mover's centre."""
    x, y = zip(*thing.corners_studs, strict=True)
    near_x, near_y = mover.centre_studs
    return min(max(near_x, min(x)), max(x)), min(max(near_y, min(y)), max(y))


def _put_near(state: State, number: int, x: float, y: float, heading_deg: float) -> State:
    """Put a vehicle as near to a pose as it has room; at worst where it is."""
    now = state.vehicle_body(number)
    turned_deg = (heading_deg - now.heading_deg + 180.0) % 360.0 - 180.0
    for step in range(_STEPS, 0, -1):
        share = step / _STEPS
        there = replace(  # rounded, so that after the whole way it is exactly at the pose, whatever the sum's error
            now,
            x_studs=round(now.x_studs + share * (x - now.x_studs), 9),
            y_studs=round(now.y_studs + share * (y - now.y_studs), 9),
            heading_deg=normal_deg(round(now.heading_deg + share * turned_deg, 9)),
        )
        found = there if state.flies(number) else on_ground(state, there)
        if found and not solids(state, found, found.bottom_plates).touches(found, 0.0):
            return put_vehicle(state, number, found)
    return state
