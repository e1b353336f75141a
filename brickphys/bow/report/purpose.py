"""Purpose: what becomes of a vehicle after an action of its pilot, for menus (BOW 3.3, 3.6)."""

from collections.abc import Iterator
from math import dist

from brickphys.bow.actions.words import TurnAction
from brickphys.bow.driving.collision import must_move
from brickphys.bow.driving.obstacles import called
from brickphys.bow.driving.pilot import Advance, ChangeDirection, ChangeSpeed, Drift
from brickphys.bow.driving.way import Way, way
from brickphys.bow.state.state import State
from brickphys.rules.report.names import names_text
from brickphys.rules.words import Action
from brickphys.text import spoken
from brickphys.vehicles.scene import ThingType


def purpose(state: State, action: Action[State]) -> str:
    """Return where a vehicle goes by a move, or after its speed or direction is changed; empty if it does not move.

    An action that ends the turn of its pilot tells so: the vehicle then moves.
    """
    if isinstance(action, Drift):
        return _move(state, state.setting.vehicle_numbers[action.vehicle])
    if state.piloted is None:
        return ""
    if isinstance(action, Advance):
        return _move(state, state.piloted)
    is_last = isinstance(action, TurnAction) and action.cost(state) >= state.actions_left
    drives = isinstance(action, ChangeSpeed | ChangeDirection)
    after = action.apply(state) if drives else state
    if not ((is_last or drives) and must_move(after, state.piloted)):
        return ""
    name = spoken(state.setting.vehicles[state.piloted].name)
    lead = f"the last action: {name}" if is_last else "advance"
    return f"{lead} then {_move(after, state.piloted)}"


def _move(state: State, vehicle: int) -> str:
    """Return the compulsory move of a vehicle in words: how far it goes, what it hits, and what stops it."""
    body, path = state.vehicle_body(vehicle), way(state, vehicle)
    studs = dist((body.x_studs, body.y_studs), (path.end.x_studs, path.end.y_studs))
    return ", ".join([f"goes {studs:.1f} studs", *_events(path)])


def _events(path: Way) -> Iterator[str]:
    units = [spoken(hit.id) for hit in path.hits if hit.type is ThingType.UNIT]
    others = [spoken(called(hit.id)) for hit in path.hits if hit.type is not ThingType.UNIT]
    if units:
        yield f"hits {names_text(units)}"
    if others:
        yield f"crashes into {names_text(others)}"
    elif path.stops:
        yield "falls and crashes"
    if path.leaves_field:
        yield "leaves the field"
