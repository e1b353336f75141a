"""Obstacles: what a vehicle may run into on the field of a battle, and where its doors are."""

from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from brickphys.bow.field.field import FIGURE_PLATES, Field, Stance, Studs, block
from brickphys.bow.sheets.vehicle_sheet import Side
from brickphys.bow.state.state import State
from brickphys.geometry.polygon import TOLERANCE, rectangle, unit_vector
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.scene import Bounds, Fixture, Unit, Vehicle

DOORSTEP_STUDS = 1.0
"""How far from a side of a vehicle its door is reached."""
_DEEP_PLATES = 1000.0
"""The ground goes down so far."""
_TURNED_DEG = {Side.FRONT: 0.0, Side.LEFT: 90.0, Side.REAR: 180.0, Side.RIGHT: 270.0}


def obstacles(state: State, vehicle: int) -> NamedObstacles:
    """Return everything that a vehicle may hit; names of fixed things have their kind before them.

    A vehicle that drives passes over what is no higher than a step above its ground. A flyer in the air meets whatever
    is as high as it is, the ground included (BOW 3.6.2).
    """
    setting, field = state.setting, state.setting.field
    units = [
        _figure(setting.units[unit].name, field.stances[unit_state.stud])
        for unit, unit_state in state.in_play()
        if unit_state.stud is not None
    ]
    return _solids(state, vehicle, units)


def solids(state: State, vehicle: int) -> NamedObstacles:
    """Return the `obstacles` of a vehicle without units."""
    return _solids(state, vehicle, [])


def _solids(state: State, vehicle: int, units: list[Unit]) -> NamedObstacles:
    field, mover = state.setting.field, state.vehicle_body(vehicle)
    flies = state.setting.vehicles[vehicle].sheet.flying and mover.speed > 0
    passed = mover.bottom_plates + (0.0 if flies else field.step_plates)
    others = [state.vehicle_body(number) for number in state.vehicles_left if number != vehicle]
    return _fixed(field, state.open_ids, passed).updated(add=[*units, *others])


@lru_cache(maxsize=4096)
def _figure(name: str, stance: Stance) -> Unit:
    """Return a unit; kept, as its prism is."""
    x, y, ground = stance
    return Unit(name, x, y, ground, ground + FIGURE_PLATES)


@lru_cache(maxsize=256)
def _fixed(field: Field, open_ids: frozenset[str], passed_plates: float) -> NamedObstacles:
    """Return the decor and the ground that reach above a height."""
    decor = [
        Fixture(f"{piece.kind.value} {piece.id}", piece.corners_studs, *piece.span_plates)
        for piece in field.decor
        if piece.id not in open_ids
    ]
    high = passed_plates + TOLERANCE
    reaching = [thing for thing in (*decor, *_hills(field)) if thing.top_plates > high]
    return NamedObstacles.of(Bounds(field.width, field.length), reaching)


@lru_cache(maxsize=64)
def _hills(field: Field) -> tuple[Fixture, ...]:
    """Return the ground, row by row, as blocks of equal height."""
    hills = []
    for y in range(field.length):
        row = field.grounds_plates[y * field.width : (y + 1) * field.width]
        for height, group in groupby(range(field.width), key=row.__getitem__):
            columns = list(group)
            corners = block(columns[0], y, len(columns), 1)
            name = f"ground {columns[0]},{y}"
            hills.append(Fixture(name, corners, -_DEEP_PLATES, height))
    return tuple(hills)


def overlapping(state: State, vehicle: int) -> list[str]:
    """Return the names of what a vehicle overlaps where it is now."""
    around = obstacles(state, vehicle)
    touches = around.touches(state.vehicle_body(vehicle), 0.0)
    return [around.things[touch.number].id for touch in touches]


def door_studs(state: State, vehicle: int) -> Studs:
    """Return the studs from which the doors of a vehicle are reached, of a flyer once it has landed (BOW 2.3.3)."""
    field, doors = state.setting.field, state.setting.vehicles[vehicle].sheet.doors
    landed = state.with_vehicle(vehicle, replace(state.vehicles[vehicle], speed=0))
    return _doorsteps(field, landed.vehicle_body(vehicle), doors)


@lru_cache(maxsize=1024)
def _doorsteps(field: Field, vehicle: Vehicle, doors: tuple[Side, ...]) -> Studs:
    """Return the studs that overlap a strip along each side with a door, at most a step over or under the ground."""
    studs = 0
    for side in doors:
        ends = side in (Side.FRONT, Side.REAR)
        deep, wide = vehicle.length_studs, vehicle.width_studs
        if not ends:
            deep, wide = wide, deep
        heading = vehicle.heading_deg + _TURNED_DEG[side]
        dx, dy = unit_vector(heading)
        far = (deep + DOORSTEP_STUDS) / 2
        x, y = vehicle.x_studs + far * dx, vehicle.y_studs + far * dy
        strip = rectangle(x, y, heading, DOORSTEP_STUDS, wide)
        studs |= field.studs_under(strip)
    return field.level_studs(studs, vehicle.bottom_plates)
