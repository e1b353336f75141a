"""Obstacles: what a vehicle may run into on the field of a battle, and where its doors are."""

from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from brickphys.bow.field.field import FIGURE_PLATES, Field, Stance, Studs, block
from brickphys.bow.sheets.vehicle_sheet import Side
from brickphys.bow.state.state import State
from brickphys.geometry.polygon import TOLERANCE, Point, rectangle, unit_vector
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.scene import Bounds, Fixture, Unit, Vehicle

DOORSTEP_STUDS = 1.0
"""Distance from a side of a vehicle within which its door can be reached."""
_DEEP_PLATES = 1000.0
"""Depth of the ground."""
_TOUCH_STUDS = 1e-6
"""What is no farther ahead is touched."""
_DIGITS = 12
"""Places are rounded to this many decimals; rounding errors never add up to the tolerance of an overlap."""
_TURNED_DEG = {Side.FRONT: 0.0, Side.LEFT: 90.0, Side.REAR: 180.0, Side.RIGHT: 270.0}


def obstacles(state: State, mover: Vehicle, above_plates: float) -> NamedObstacles:
    """Return everything that a vehicle may hit; names of fixed things have their kind before them.

    Parameters
    ----------
    state
        The battle.
    mover
        The vehicle, which does not hit itself.
    above_plates
        Decor and ground that reach no higher are left out: it passes over them (BOW 3.6.2).
    """
    setting, field = state.setting, state.setting.field
    units = [
        _figure(setting.units[unit].name, field.stances[unit_state.stud])
        for unit, unit_state in state.in_play()
        if unit_state.stud is not None
    ]
    return solids(state, mover, above_plates).updated(add=units)


def solids(state: State, mover: Vehicle, above_plates: float) -> NamedObstacles:
    """Return the `obstacles` of a vehicle without units."""
    others = tuple(other_vehicles(state, mover))
    return _solids(state.setting.field, state.open_ids, above_plates, others)


@lru_cache(maxsize=512)
def _solids(
    field: Field, open_ids: frozenset[str], above_plates: float, others: tuple[Vehicle, ...]
) -> NamedObstacles:
    return fixed(field, open_ids, above_plates).updated(add=others)


def other_vehicles(state: State, mover: Vehicle) -> list[Vehicle]:
    """Return all vehicles on the field but one."""
    bodies = map(state.vehicle_body, state.vehicles_left)
    return [body for body in bodies if body.id != mover.id]


@lru_cache(maxsize=4096)
def _figure(name: str, stance: Stance) -> Unit:
    """Return a unit; kept, as its prism is."""
    x, y, ground = stance
    return Unit(name, x, y, ground, ground + FIGURE_PLATES)


@lru_cache(maxsize=256)
def fixed(field: Field, open_ids: frozenset[str], above_plates: float) -> NamedObstacles:
    """Return the decor and the ground that reach above a height."""
    things = (*decor(field, open_ids).things, *ground(field).things)
    reaching = [thing for thing in things if thing.prism.top_plates > above_plates + TOLERANCE]
    return NamedObstacles.of(_bounds(field), reaching)


@lru_cache(maxsize=256)
def decor(field: Field, open_ids: frozenset[str]) -> NamedObstacles:
    """Return the decor of a field, without doors and windows that are open."""
    pieces = [piece for piece in field.decor if piece.id not in open_ids]
    return NamedObstacles.of(
        _bounds(field),
        [
            Fixture(f"{piece.kind.value} {piece.id}", piece.corners_studs, *piece.span_plates)
            for piece in pieces
        ],
    )


@lru_cache(maxsize=64)
def ground(field: Field) -> NamedObstacles:
    """Return the ground as blocks of equal height: equal runs of studs in neighbouring rows are one."""
    blocks, begun = list[Fixture](), dict[tuple[int, int, float], int]()
    for y in range(field.length + 1):
        row = field.grounds_plates[y * field.width : (y + 1) * field.width]
        runs = set[tuple[int, int, float]]()
        for height, group in groupby(range(len(row)), key=row.__getitem__):
            columns = list(group)
            runs.add((columns[0], len(columns), height))
        for x, width, height in sorted(begun.keys() - runs):
            low = begun.pop((x, width, height))
            corners = block(x, low, width, y - low)
            blocks.append(Fixture(f"ground {x},{low}", corners, -_DEEP_PLATES, height))
        begun.update((run, y) for run in runs - begun.keys())
    return NamedObstacles.of(_bounds(field), blocks)


def _bounds(field: Field) -> Bounds:
    return Bounds(float(field.width), float(field.length))


def placed(mover: Vehicle, centre_studs: Point) -> Vehicle:
    """Return a vehicle at another place."""
    x, y = centre_studs
    return replace(mover, x_studs=round(x, _DIGITS), y_studs=round(y, _DIGITS))


def overlapping(state: State, mover: Vehicle) -> list[str]:
    """Return the names of what a vehicle overlaps."""
    around = obstacles(state, mover, mover.bottom_plates)
    return [around.things[touch.number].id for touch in around.touches(mover, 0.0)]


def called(name: str) -> str:
    """Return the name of a thing for people: without its kind before it where the name begins with that, too."""
    kind, _, own = name.partition(" ")
    return own if own.startswith(kind) else name


def touched_ahead(state: State, vehicle: int) -> list[str]:
    """Return the names, for people, of decor and ground that a vehicle touches with what is in front."""
    mover = state.vehicle_body(vehicle)
    climbs = 0.0 if state.flies(vehicle) else state.setting.field.step_plates
    around = fixed(state.setting.field, state.open_ids, mover.bottom_plates + climbs)
    touched = around.touches(mover, _TOUCH_STUDS)
    return [called(around.things[touch.number].id) for touch in touched]


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
