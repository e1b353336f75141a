"""Obstacles: what a vehicle stands on and may run into, who walks beside it, and where it is put (BOW 3.1, 3.2, 3.6).

Units that walk beside a vehicle, as a driver of horses does, travel along. Units under a vehicle are put beside it.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import hypot, inf

from brickphys.bow.actions.movement import put_down
from brickphys.bow.field import FIGURE_PLATES, Field, Stance, Stud, Studs, block
from brickphys.bow.state import State, VehicleState
from brickphys.bow.terrain import vehicle_studs
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE, Point, rectangle, unit_vector
from brickphys.geometry.sweep import first_free_studs, overlaps
from brickphys.grid.grid import each, nearest_facing
from brickphys.vehicles.course import NamedObstacles
from brickphys.vehicles.scene import Bounds, Fixture, Unit, Vehicle
from brickphys.vehicles.sectors import Sector

DOORSTEP_STUDS = 1.0
"""Distance from a side of a vehicle within which its door can be reached."""
_DEEP_PLATES = 1000.0
"""Depth of the ground."""
_TOUCH_STUDS = 1e-6
"""What is no farther ahead is touched."""
_DIGITS = 12
"""Places are rounded to this many decimals; rounding errors never add up to the tolerance of an overlap."""
_TURNED_DEG = {
    Sector.FRONT: 0.0,
    Sector.LEFT: 90.0,
    Sector.REAR: 180.0,
    Sector.RIGHT: 270.0,
}


def obstacles(state: State, mover: Vehicle, above_plates: float) -> NamedObstacles:
    """Return everything that a vehicle may hit; names of fixed things have their kind before them.

    It does not hit itself, and passes over decor and ground that reach no higher than `above_plates` (BOW 3.6.2).
    """
    setting, field = state.setting, state.setting.field
    units = tuple(
        (setting.units[unit].name, unit_state.stud)
        for unit, unit_state in state.in_play()
        if unit_state.stud is not None
    )
    others = tuple(other_vehicles(state, mover))
    return _obstacles(field, state.open_ids, above_plates, others, units)


@lru_cache(maxsize=512)
def _obstacles(
    field: Field,
    open_ids: frozenset[str],
    above_plates: float,
    others: tuple[Vehicle, ...],
    units: tuple[tuple[str, Stud], ...],
) -> NamedObstacles:
    figures = [_figure(name, field.stances[stud]) for name, stud in units]
    return _solids(field, open_ids, above_plates, others).updated(add=figures)


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
def _doorsteps(field: Field, vehicle: Vehicle, doors: tuple[Sector, ...]) -> Studs:
    """Return the studs that overlap a strip along each side with a door, at most a step over or under the ground."""
    studs = 0
    for side in doors:
        ends = side in (Sector.FRONT, Sector.REAR)
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


def raised(mover: Vehicle, bottom_plates: float) -> Vehicle:
    """Return a vehicle with its bottom at a height."""
    top = bottom_plates + mover.top_plates - mover.bottom_plates
    return replace(mover, bottom_plates=bottom_plates, top_plates=top)


def column(mover: Vehicle) -> Prism:
    """Return the space under a vehicle, its own included."""
    return Prism(mover.prism.footprint, -inf, mover.top_plates)


def standing_plates(state: State, mover: Vehicle, most_plates: float) -> float:
    """Return how high a vehicle comes to stand: on the highest thing under it that is no higher than a limit.

    That is ground, decor or another vehicle; the limit itself if there is none.
    """
    tops = _tops_under(state.setting.field, state.open_ids, mover)
    low = [
        body for body in other_vehicles(state, mover) if body.top_plates <= most_plates + TOLERANCE
    ]
    if low:
        met = overlaps(column(mover), Obstacles.of([body.prism for body in low]))
        tops = (*tops, *(low[touch.number].top_plates for touch in met))
    return max((top for top in tops if top <= most_plates + TOLERANCE), default=most_plates)


def ground_plates(state: State, mover: Vehicle) -> float:
    """Return how high a vehicle stands that is set down: on the highest ground under it, or on decor a step higher."""
    field = state.setting.field
    met = overlaps(column(mover), ground(field).prisms)
    tops = [ground(field).things[touch.number].prism.top_plates for touch in met]
    limit = max(tops, default=0.0) + field.step_plates + TOLERANCE
    tops += (top for top in _tops_under(field, state.open_ids, mover) if top <= limit)
    return max(tops, default=0.0)


def on_ground(state: State, mover: Vehicle) -> Vehicle | None:
    """Return a vehicle on what is under it; None if that is more than a step lower, or if it has no room there.

    It has room at the height that it has.
    """
    step = state.setting.field.step_plates
    base = standing_plates(state, mover, mover.bottom_plates + step)
    if base == mover.bottom_plates:
        return mover
    after = raised(mover, base)
    is_too_low = base < mover.bottom_plates - step - TOLERANCE
    return None if is_too_low or solids(state, after, base).touches(after, 0.0) else after


def come_down(state: State, flyer: Vehicle, back_studs: float) -> Vehicle:
    """Return a flyer that comes down: at the last place back along its way where no decor nor vehicle stands.

    If there is none within the `back_studs` that it has come, it comes to rest where it is, on top of what is there.
    """
    x, y = flyer.heading
    standing = decor(state.setting.field, state.open_ids).updated(add=other_vehicles(state, flyer))
    back = first_free_studs(column(flyer), (-x, -y), back_studs, standing.prisms) or 0.0
    flyer = placed(flyer, (flyer.x_studs - back * x, flyer.y_studs - back * y))
    return raised(flyer, standing_plates(state, flyer, flyer.bottom_plates))


def unsupported(state: State) -> tuple[int, float] | None:
    """Return a vehicle that stands on nothing any more, and how high it comes to stand; None if there is none."""
    if not state.falling:
        state.falling.append(next(_unsupported(state), None))
    return state.falling[0]


def _unsupported(state: State) -> Iterator[tuple[int, float]]:
    for vehicle in state.vehicles_left:
        if not state.flies(vehicle):
            body = state.vehicle_body(vehicle)
            height = standing_plates(state, body, body.bottom_plates)
            if height < body.bottom_plates - TOLERANCE:
                yield vehicle, height


@lru_cache(maxsize=4096)
def _tops_under(field: Field, open_ids: frozenset[str], mover: Vehicle) -> tuple[float, ...]:
    """Return the tops of the ground and decor under a vehicle or where it is, in no order."""
    around = fixed(field, open_ids, -inf).prisms
    met = overlaps(Prism(mover.prism.footprint, -inf, inf), around)
    return tuple(around.prisms[touch.number].top_plates for touch in met)


def walkers(state: State, vehicle: int) -> list[int]:
    """Return the units that walk beside a vehicle."""
    return [unit for unit in state.occupants(vehicle) if not state.units[unit].rides]


def without_walkers(state: State, vehicle: int) -> State:
    """Return the battle as if nobody walked beside a vehicle."""
    for unit in walkers(state, vehicle):
        state = state.with_unit(unit, replace(state.units[unit], stud=None))
    return state


def room_beside(state: State, vehicle: int, place: Point) -> Stud | None:
    """Return the free stud at the doors of a vehicle that is nearest to a place; None if no stud there is free."""
    stances = state.setting.field.stances

    def distance_studs(stud: Stud) -> float:
        x, y, _ = stances[stud]
        return round(hypot(x - place[0], y - place[1]), 9)  # so that the first of equals is found

    return min(
        each(door_studs(state, vehicle) & state.board.free), key=distance_studs, default=None
    )


def room_in_front(state: State, vehicle: int) -> Stud | None:
    """Return the free stud at the doors that is nearest to the front of a vehicle, where horses draw it."""
    body = state.vehicle_body(vehicle)
    (dx, dy), ahead = unit_vector(body.heading_deg), body.length_studs / 2
    return room_beside(state, vehicle, (body.x_studs + ahead * dx, body.y_studs + ahead * dy))


def travel_along(state: State, vehicle: int, before: VehicleState) -> State:
    """Put the units that walk beside a vehicle where its motion carries them, given its state before."""
    now = state.vehicles[vehicle]
    c, s = unit_vector(now.heading_deg - before.heading_deg)
    for unit in walkers(state, vehicle):
        x, y, _ = state.stance(unit)
        dx, dy = x - before.x_studs, y - before.y_studs
        place = (now.x_studs + c * dx - s * dy, now.y_studs + s * dx + c * dy)
        state = _put_beside(state, unit, vehicle, place)
    return state


def settle_walkers(state: State) -> State:
    """Put the units that walk beside a vehicle, and are not at its doors or under another one, back beside it."""
    for vehicle in state.vehicles_left:
        for unit in walkers(state, vehicle):
            x, y, _ = state.stance(unit)
            state = _put_beside(state, unit, vehicle, (x, y))
    return state


def _put_beside(state: State, unit: int, vehicle: int, place: Point) -> State:
    """Put a unit beside its vehicle; without room there it leaves its seat, where it stands or as near as it can."""
    unit_state = state.units[unit]
    stud = room_beside(state.with_unit(unit, replace(unit_state, stud=None)), vehicle, place)
    if stud is None:
        return put_down(state, unit, nearest_facing(state.heading_deg(unit)))
    return state.with_unit(unit, replace(unit_state, stud=stud))


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
