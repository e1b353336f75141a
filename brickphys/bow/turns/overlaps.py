"""Overlaps: things of a battle that overlap, which happens in no state that play reaches."""

from collections.abc import Iterator

from brickphys.bow.driving.obstacles import overlapping
from brickphys.bow.state.state import State


def overlaps(state: State) -> Iterator[str]:
    """Yield every pair of units, vehicles, decor and ground that fill the same space.

    Fixed things may be built into each other.
    """
    taken: dict[object, str] = {}
    for unit, unit_state in state.in_play():
        name, stud = state.setting.units[unit].name, unit_state.stud
        for where in {stud, unit_state.seat} - {None}:
            if where in taken:
                yield f"{taken[where]} and {name} are at one place"
            taken[where] = name
        if stud is not None and not state.board.terrain.standable >> stud & 1:
            yield f"{name} has no room to stand on {state.setting.field.xy(stud)}"
    seen = set[str]()
    for vehicle in state.vehicles_left:
        body = state.vehicle_body(vehicle)
        seen.add(body.id)
        for name in overlapping(state, body):
            if name not in seen:
                yield f"{body.id} overlaps {name}"
