"""Steering: the compulsory move to which an action leads, told before it is made."""

from collections.abc import Iterator

from brickphys.bow.actions.collision import must_move, way
from brickphys.bow.actions.damage import owner_of
from brickphys.bow.actions.driving import Advance, Drift
from brickphys.bow.actions.obstacles import called
from brickphys.bow.state import NOBODY, State
from brickphys.geometry.pose import Pose
from brickphys.rules.scene import Met, Way, swept_by
from brickphys.rules.words import Action
from brickphys.vehicles.course import Hit
from brickphys.vehicles.scene import ThingType


def steered(state: State, action: Action[State], acted: State) -> Iterator[Way]:
    """Yield the way of the vehicle that must move at once after an action: its turn, and then its compulsory move.

    Parameters
    ----------
    acted
        The battle after the action, before what follows by itself.
    """
    is_asked = isinstance(action, Advance | Drift)
    before = state if is_asked else acted
    vehicle = None if before.active == NOBODY else before.piloted
    if isinstance(action, Drift):
        vehicle = state.setting.vehicle_numbers[action.vehicle]
    if vehicle is None or not must_move(before, vehicle):
        return
    if is_asked or not (before.actions_left or before.pending):
        yield _drive(state, before, vehicle)


def _drive(state: State, before: State, vehicle: int) -> Way:
    move, now = way(before, vehicle), before.vehicle_body(vehicle)
    begin, turned, end = (
        Pose(*body.centre_studs, body.heading_deg)
        for body in (state.vehicle_body(vehicle), now, move.end)
    )
    ending = "leaves the field" if move.leaves_field else "is stopped" * move.stops
    if move.falls_on is not None:
        ending = "falls"
    return Way(
        f"vehicle {now.id}",
        now.id,
        (begin, *((turned,) if turned != begin else ()), end),
        tuple(_met(before, hit, vehicle) for hit in move.hits),
        ending,
        swept_by(now.prism.footprint, (turned, end)),
    )


def _met(state: State, hit: Hit, vehicle: int) -> Met:
    sector, teams = hit.sector(state.setting.options.sectors), state.setting.teams
    team = teams[owner_of(state, state.setting.vehicles[vehicle].name)]
    is_own = hit.type is not ThingType.DECOR and teams[owner_of(state, hit.id)] == team
    where = f"{sector.value} sector" if sector else ""
    return Met(called(hit.id), hit.contact.point_studs, where, is_own)
