"""At rest: where a vehicle and the things it hit lie after its move, by physics (BOW 3.6; our option)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot

from brickphys.bow.actions.movement import put_down
from brickphys.bow.actions.obstacles import fixed, put_vehicle, solids, stood
from brickphys.bow.field import FIGURE_PLATES, Stance, normal_deg
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.sheet import move_studs
from brickphys.bow.state import State, UnitState
from brickphys.errors import InvalidValueError
from brickphys.rules.events import Measurement, Outcome
from brickphys.rules.turn_state import PendingRoll
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle

_NEAR_STUDS = 20.0
"""Things farther than this from the mover's way take no part in its crash."""
_STEPS = 8
"""A vehicle without room where it came to rest is moved back to its place by the rules, in this many steps."""

VehicleBefore = tuple[str, float, float, float, float, float, int]
"""Name, centre in studs, heading in degrees, bottom and top in plates, and speed of a vehicle before a move."""


@dataclass(frozen=True, slots=True)
class AtRest(PendingRoll[State]):
    """The places of everything that was hit, and of the vehicle, once all rolls are done."""

    hit: tuple[str, ...]
    """Names of the vehicle and of the units and vehicles that it has hit."""
    vehicles: tuple[VehicleBefore, ...]
    """The vehicles on the field before the move, that one first."""
    units: tuple[tuple[str, int], ...]
    """The name and the stud of each unit near the way before the move."""

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
        names = [row[0] for row in self.vehicles]
        faults += [
            f"vehicles: {n!r} is not a vehicle" for n in names if n not in setting.vehicle_numbers
        ]
        if not faults:
            try:
                _scene(setting, self, state.open_ids)
            except (InvalidValueError, IndexError) as error:
                faults.append(f"vehicles: {error}")
        return faults

    def lapses(self, state: State) -> bool:
        return not any(self._left(state))

    def event(self, state: State) -> Measurement:
        """Return what is measured: the centres of all that is left in studs, and the headings of vehicles."""
        field, now = state.setting.field, list[float]()
        quantities = list[tuple[str, float, float]]()
        for name in self._left(state):
            quantities += [
                (f"{name} x_studs", 0.0, float(field.width)),
                (f"{name} y_studs", 0.0, float(field.length)),
            ]
            thing = state.named(name)
            if isinstance(thing, UnitState):
                now += state.stance(state.setting.unit_numbers[name])[:2]
            else:
                quantities.append((f"{name} heading_deg", 0.0, 360.0))
                now += [thing.x_studs, thing.y_studs, thing.heading_deg]
        reason = f"the bodies come to rest after the move of {self.vehicles[0][0]}"
        scene = _scene(state.setting, self, state.open_ids)
        return Measurement(tuple(quantities), reason, tuple(now), scene)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Put vehicles, then units, where they came to rest, or near to it where there is no room."""
        event, ends = self.event(state), dict[str, list[float]]()
        assert isinstance(outcome, tuple)
        for (quantity, _, _), value, now in zip(
            event.quantities, outcome, event.stand_in or (), strict=True
        ):
            ends.setdefault(quantity.rpartition(" ")[0], []).extend((value, value - now))
        moved = {name: end for name, end in ends.items() if any(end[1::2])}
        vehicles = [name for name in moved if name in state.setting.vehicle_numbers]
        for name in 2 * vehicles[::-1]:  # some have room once others have left
            state = _put_near(state, state.setting.vehicle_numbers[name], *moved[name][::2])
        for name, end in moved.items():
            if name in state.setting.unit_numbers:
                unit = state.setting.unit_numbers[name]
                near = state.setting.field.square_at(end[0], end[2])
                state = put_down(state, unit, state.units[unit].facing, near)
        return state

    def _left(self, state: State) -> Iterator[str]:
        for name in self.hit:
            thing = state.named(name)
            left = thing.on_foot if isinstance(thing, UnitState) else not thing.gone
            if left:
                yield name


def at_rest(state: State, vehicle: int, hit: Iterable[str]) -> AtRest:
    """Return what is to be measured after a move.

    Parameters
    ----------
    state
        The battle before the move.
    vehicle
        The vehicle that moves.
    hit
        Names of the units and vehicles that it hits.
    """
    mover = state.vehicle_body(vehicle)
    near = move_studs(mover.speed) + _NEAR_STUDS
    others = [state.vehicle_body(number) for number in state.vehicles_left if number != vehicle]
    units = [
        (state.setting.units[unit].name, unit_state.stud or 0)
        for unit, unit_state in state.in_play()
        if unit_state.on_foot and _is_near(mover, state.stance(unit)[:2], near)
    ]
    return AtRest(
        tuple(dict.fromkeys((mover.id, *hit))),
        tuple(_row(body) for body in (mover, *others) if _is_near(mover, body.centre_studs, near)),
        tuple(units),
    )


def is_measuring(state: State) -> bool:
    """Tell whether it is still to be measured where things lie: until then they are where the rules put them."""
    return any(isinstance(pending, AtRest) for pending in state.pending)


def _is_near(mover: Vehicle, point_studs: tuple[float, float], studs: float) -> bool:
    x, y = point_studs
    return hypot(x - mover.x_studs, y - mover.y_studs) <= studs


def _row(body: Vehicle) -> VehicleBefore:
    heights = (float(body.bottom_plates), float(body.top_plates))
    place = (float(body.x_studs), float(body.y_studs), float(body.heading_deg))
    return (body.id, *place, *heights, body.speed)


@lru_cache(maxsize=64)
def _scene(setting: Setting, crash: AtRest, open_ids: frozenset[str]) -> Scene:
    """Return what stood where before a move; the lowest ground of the field is the table."""
    field = setting.field
    table = min(field.grounds_plates)
    vehicles = tuple(_vehicle(setting, row, table) for row in crash.vehicles)
    near = move_studs(vehicles[0].speed) + _NEAR_STUDS
    return Scene(
        Bounds(field.width, field.length),
        vehicles[0].id,
        vehicles,
        tuple(_unit(name, field.stances[stud], table) for name, stud in crash.units),
        tuple(_fixtures(setting, open_ids, vehicles[0], near, table)),
    )


def _vehicle(setting: Setting, row: VehicleBefore, table_plates: float) -> Vehicle:
    name, x, y, heading_deg, bottom, top, speed = row
    sheet = setting.vehicles[setting.vehicle_numbers[name]].sheet
    size = (sheet.footprint.length_studs, sheet.footprint.width_studs)
    heights = (bottom - table_plates, top - table_plates)
    return Vehicle(name, x, y, heading_deg, *size, *heights, speed, sheet.model)


def _unit(name: str, stance: Stance, table_plates: float) -> Unit:
    x, y, ground = stance
    return Unit(name, x, y, ground - table_plates, ground - table_plates + FIGURE_PLATES)


def _fixtures(
    setting: Setting, open_ids: frozenset[str], mover: Vehicle, studs: float, table_plates: float
) -> Iterator[Fixture]:
    """Yield decor and ground near the way, from the table upwards."""
    for thing in fixed(setting.field, open_ids, table_plates).things:
        if isinstance(thing, Fixture) and _is_near(mover, _nearest(thing, mover), studs):
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
        there = replace(
            now,
            x_studs=round(now.x_studs + share * (x - now.x_studs), 9),
            y_studs=round(now.y_studs + share * (y - now.y_studs), 9),
            heading_deg=normal_deg(round(now.heading_deg + share * turned_deg, 9)),
        )
        found = there if state.flies(number) else stood(state, there)
        if found and not solids(state, found, found.bottom_plates).touches(found, 0.0):
            return put_vehicle(state, number, found)
    return state
