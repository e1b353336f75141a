"""Way: the compulsory move of a vehicle over the ground, piece by piece, and where it ends (BOW 3.3, 3.6)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

from brickphys.bow.driving.ground import column, come_down, raised, standing_plates
from brickphys.bow.driving.obstacles import fixed, obstacles, other_vehicles, placed
from brickphys.bow.driving.walk_beside import without_walkers
from brickphys.bow.field.field import Field
from brickphys.bow.sheets.vehicle_sheet import distance_studs
from brickphys.bow.state.state import State
from brickphys.geometry.passage import passages
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep import overlap
from brickphys.vehicles.compulsory_move import compulsory_move
from brickphys.vehicles.course import Hit
from brickphys.vehicles.scene import Thing, ThingType, Vehicle


@dataclass(frozen=True)
class Way:
    """What a compulsory move comes to.

    Attributes
    ----------
    hits
        What it hits, in order.
    end
        The vehicle at the end, on the ground or in the air.
    stops
        Whether decor, a vehicle or a fall stops it.
    falls_on
        Units and vehicles that are under it where it goes down by more than a step; None if it does not.
    leaves_field
        Whether its centre leaves the field.
    """

    hits: tuple[Hit, ...]
    end: Vehicle
    stops: bool
    falls_on: tuple[Thing, ...] | None
    leaves_field: bool


def way(state: State, vehicle: int) -> Way:
    """Return the compulsory move of a vehicle (BOW 3.3).

    On its way over the ground it drives up and down by at most a step. What is higher is decor to it; where the ground
    falls by more, it falls as soon as the whole footprint is over the lower ground, and stops there. A flyer
    in the air keeps its height; what stops it brings it down. Those who walk beside it are not in its way (BOW 3.1).
    """
    state = without_walkers(state, vehicle)
    mover = state.vehicle_body(vehicle)
    length = distance_studs(mover.speed)
    return _flight(state, mover, length) if state.flies(vehicle) else _drive(state, mover, length)


def _flight(state: State, mover: Vehicle, length_studs: float) -> Way:
    move = compulsory_move(mover, length_studs, obstacles(state, mover, mover.bottom_plates))
    end = placed(mover, move.end_studs)
    stops = bool(move.stopped_by)
    if stops:
        end = come_down(state, end, move.travelled_studs)
    return Way(move.hits, end, stops, None, move.leaves_field)


def _drive(state: State, mover: Vehicle, length_studs: float) -> Way:
    step = state.setting.field.step_plates
    hits, end, stops, leaves = list[Hit](), mover, False, False
    levels = [(0.0, mover.bottom_plates), *_levels(state, mover, length_studs)]
    ends = [*(begins for begins, _ in levels[1:]), length_studs]
    for (begins, level), ends_at in zip(levels, ends, strict=True):
        if level < end.bottom_plates - step - TOLERANCE:
            break
        end = raised(end, level)
        around = obstacles(state, end, level + step)
        move = compulsory_move(end, ends_at - begins, around)
        hits += move.hits
        end = replace(end, x_studs=move.end_studs[0], y_studs=move.end_studs[1])
        stops, leaves = bool(move.stopped_by), move.leaves_field
        if stops or leaves:
            break
    end = placed(end, end.centre_studs)
    down = raised(end, standing_plates(state, end, end.bottom_plates))
    if leaves or down.bottom_plates >= end.bottom_plates - step - TOLERANCE:
        return Way(tuple(hits), down, stops, None, leaves)
    return Way(tuple(hits), down, True, _under(state, down), leaves_field=False)


def _under(state: State, mover: Vehicle) -> tuple[Thing, ...]:
    """Return the units that a vehicle overlaps, and the vehicles on which it stands."""
    around = obstacles(state, mover, mover.bottom_plates)
    low = [
        body
        for body in other_vehicles(state, mover)
        if abs(body.top_plates - mover.bottom_plates) <= TOLERANCE
        and overlap(column(mover), body.prism)
    ]
    return (*(around.things[touch.number] for touch in around.touches(mover, 0.0)), *low)


def _levels(state: State, mover: Vehicle, length_studs: float) -> Iterator[tuple[float, float]]:
    """Yield from where on a vehicle that drives ahead has another height, up to a fall."""
    field, base = state.setting.field, mover.bottom_plates
    step, around = field.step_plates, fixed(field, state.open_ids, -inf)
    low = [body for body in other_vehicles(state, mover) if body.top_plates <= base + TOLERANCE]
    if not low and _is_level(field, state.open_ids, base):
        return
    around = around.updated(add=low)
    column = Prism(mover.prism.footprint, -inf, inf)
    found = passages(column, mover.heading, length_studs, around.prisms)
    ends = {end for passage in found for end in (passage.begins_studs, passage.ends_studs)}
    for at in sorted(end for end in ends if 0.0 <= end <= length_studs):
        under = (
            around.things[passage.number]
            for passage in found
            if passage.begins_studs <= at + TOLERANCE < passage.ends_studs
        )
        tops = (
            thing.top_plates
            for thing in under
            if thing.top_plates <= base + TOLERANCE + step * (thing.type is ThingType.DECOR)
        )
        level = max(tops, default=base)
        if abs(level - base) > TOLERANCE:
            yield at, level
            if level < base - step - TOLERANCE:
                return
            base = level


@lru_cache(maxsize=256)
def _is_level(field: Field, open_ids: frozenset[str], height_plates: float) -> bool:
    """Tell whether a vehicle that drives at a height stays at it everywhere."""
    limit = height_plates + field.step_plates + TOLERANCE
    tops = {thing.top_plates for thing in fixed(field, open_ids, -inf).things}
    return {top for top in tops if top <= limit} == {height_plates}
