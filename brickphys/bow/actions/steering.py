"""Steering: the compulsory move to which an action leads, told before it is made."""

from collections.abc import Iterator

from brickphys.bow.actions.collision import must_move, way
from brickphys.bow.actions.driving import Advance, Drift
from brickphys.bow.actions.obstacles import called
from brickphys.bow.state import State
from brickphys.geometry.pose import Pose
from brickphys.rules.scene import Way, swept_by
from brickphys.rules.words import Action


def steered(state: State, action: Action[State], acted: State) -> Iterator[Way]:
    """Yield the way of the vehicle that must move at once after an action, which alone led to the battle `acted`."""
    before = state if isinstance(action, Advance | Drift) else acted
    vehicle, scheme = before.piloted, state.setting.options.sectors
    if isinstance(action, Drift):
        vehicle = state.setting.vehicle_numbers[action.vehicle]
    is_later = before is acted and (acted.actions_left or acted.pending)
    if vehicle is None or is_later or not must_move(before, vehicle):
        return
    move, now = way(before, vehicle), before.vehicle_body(vehicle)
    bodies = (state.vehicle_body(vehicle), now, move.end)
    begin, turned, end = (Pose(*body.centre_studs, body.heading_deg) for body in bodies)
    sectors = [hit.sector(scheme) for hit in move.hits]
    hits = (
        (called(hit.id), hit.contact.point_studs, f"{sector.value} sector" if sector else "")
        for hit, sector in zip(move.hits, sectors, strict=True)
    )
    poses = (begin, end) if begin == turned else (begin, turned, end)
    swept = swept_by(now.prism.footprint, (turned, end))
    yield Way(f"vehicle {now.id}", now.id, poses, tuple(hits), swept)
