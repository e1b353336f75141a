"""Ahead: what is told before it happens: where an action steers a vehicle, and whom units could attack next.

Units attack by hand after walks, or by shots from where they are.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from math import atan2, degrees

from brickphys.bow.actions.attack import AttackEnemy
from brickphys.bow.actions.collision import must_move, way
from brickphys.bow.actions.driving import Advance, Drift
from brickphys.bow.actions.movement import own_studs
from brickphys.bow.actions.obstacles import called
from brickphys.bow.actions.targets import weapons_in_use
from brickphys.bow.state import State
from brickphys.bow.terrain import reachable
from brickphys.geometry.pose import Pose
from brickphys.grid.grid import each, nearest_facing
from brickphys.rules.scene import Threat, Way, strips, swept_by
from brickphys.rules.words import Action


def threats(state: State, player: int) -> Iterator[Threat]:
    """Yield whom of a player's team each enemy could attack; vehicles stay where they are."""
    setting, field, around = state.setting, state.setting.field, state.setting.field.around
    team = setting.teams[player]
    foes = {setting.units[n].name: n for n, _ in state.in_play() if setting.team(n) == team}
    for unit, now in state.in_play():
        name, owner = setting.units[unit].name, setting.units[unit].player
        budget = now.sheet.action_budget - now.held_up
        if name in foes:
            continue
        turn = state.replaced({"player": owner, "active": unit, "shots": (), "pending": ()})
        turn = turn.replaced({"actions_left": budget})
        hands = {one.name: one.reach_studs for one in weapons_in_use(turn, unit) if not one.is_shot}
        attacks = [*AttackEnemy.listed(turn)]
        strikes = {one.target for one in attacks if one.weapon in hands}
        steps, reach, ends = now.sheet.move * (budget - 1), range(max(hands.values(), default=0)), 0
        if now.on_foot and now.stud is not None and hands and steps > 0:
            ends = reachable(turn.board, now.stud, steps).studs
        for foe, number in foes.items():
            x, y, _ = state.stance(number)
            near = reduce(lambda studs, _: around(studs), reach, own_studs(state, number)) & ends
            for end in each(near) if foe not in strikes else ():
                at = field.stances[end]
                facing = nearest_facing(degrees(atan2(y - at.y_studs, x - at.x_studs)))
                there = turn.with_unit(unit, replace(now, stud=end, facing=facing))
                if any(
                    one.target == foe and one.weapon in hands for one in AttackEnemy.listed(there)
                ):
                    strikes.add(foe)
                    break
        hit = map(field.xy, each(reduce(lambda studs, _: around(studs), reach, ends)))
        shot = {one.target for one in attacks if one.weapon not in hands}
        spots = strips((x + 0.5, y + 0.5) for x, y in hit)
        yield Threat(name, tuple(sorted(strikes)), tuple(sorted(shot)), spots)


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
