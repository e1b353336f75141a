"""Plans in seats: what pilots, gunners, passengers and those who want to get on may do up to the next roll; no rule.

The worth of a plan is a first look: dangers and chances of where the vehicle ends, what it hits by the exact law, its
errand, and the attacks for which actions are left. A search looks at the best ones again, by the worth of states.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import dist

import numpy as np

from brickphys.bow.actions.attack import AttackEnemy, attack_plan
from brickphys.bow.actions.damage import health_left
from brickphys.bow.actions.driving import (
    BoardVehicle,
    ChangeSeat,
    ChangeSpeed,
    LeaveVehicle,
)
from brickphys.bow.actions.movement import is_enclosed
from brickphys.bow.actions.objects import Give, Take
from brickphys.bow.actions.targets import weapon_in_use
from brickphys.bow.foot.places import Sides
from brickphys.bow.outlook import PARTS, Outlook, aim_points
from brickphys.bow.pilot.drives import Drive, drives
from brickphys.bow.pilot.errands import heads_out, rounds_to_prey, rounds_with, stud_under
from brickphys.bow.pilot.poses import PoseWorths
from brickphys.bow.sheets.gear import HandWeapon, Place
from brickphys.bow.state import NOBODY, State, VehicleState
from brickphys.bow.threat import vehicle_team
from brickphys.bow.turns import End
from brickphys.bow.worth import Worth, scale
from brickphys.geometry.polygon import Point
from brickphys.rules.events import Outcome
from brickphys.rules.moves import Move
from brickphys.rules.plans import HOLDS, Plan
from brickphys.rules.words import Action
from brickphys.text import spoken
from brickphys.units import Array
from brickphys.vehicles.course import Hit, relative_speed
from brickphys.vehicles.scene import ThingType, Vehicle

Apply = Callable[[State, "Action[State] | Outcome"], State]
"""What the game does with a move."""
Rest = Callable[[State], Sequence[Plan[Action[State]]]]
"""The plans of the active unit on foot, the best first."""

OWN_SHARE = 1.2
"""What is lost of one's own by a run-over or a crash counts so much more."""
ACTION_POINTS = 0.15
"""What an action is worth that is not needed, in cost points: nobody fidgets."""
_NEXT_RUN_OVER = 0.15
"""The part that counts of what the next move would run over: who is there may go away."""
_CREW_THREAT = 0.5
"""The part that counts of what a crew can do that may die in its vehicle."""
_TRIED = 7
"""Drives that become plans."""
_ALIKE_STUDS, _ALIKE_DEG = 4.0, 12.0
"""Ends that are no farther apart are one choice: only the best of them is a plan."""
_FIDGET_POINTS = 1.5
"""The least gain for which gear changes hands or somebody changes a seat, in cost points."""


@dataclass(frozen=True, eq=False)
class SeatPlans:
    """The plans of the active unit that sits in a vehicle, or that may get on one."""

    state: State
    worth: Worth
    apply: Apply
    rest: Rest

    @cached_property
    def _sides(self) -> Sides:
        return Sides(self.worth, self.state, self._team)

    @property
    def _now(self) -> Outlook:
        return self._sides.outlook

    @cached_property
    def _team(self) -> int:
        return self.state.setting.team(self.state.active)

    @cached_property
    def _scale(self) -> float:
        return scale(self.state)

    def of_unit(self) -> list[Plan[Action[State]]]:
        """Return the plans of a unit in a seat, the best first, holding among them."""
        plans = list(self._pilot() if self.state.piloted is not None else self._passenger())
        return sorted(plans, key=lambda plan: -plan.worth)

    def of_boarding(self) -> list[Plan[Action[State]]]:
        """Return the plans of a unit on foot to get on a vehicle at whose door it stands."""
        return list(self._changes(BoardVehicle.listed(self.state), "boards"))

    # -- at the wheel ---------------------------------------------------------------------------------------------

    def _pilot(self, *, may_leave: bool = True) -> Iterator[Plan[Action[State]]]:
        state, vehicle = self.state, self.state.piloted
        assert vehicle is not None
        holding, *others = drives(state, vehicle, towards=self._places(vehicle))
        found = [holding, *(drive for drive in others if not self._hits_friends(drive))]
        poses = PoseWorths(state, vehicle, self.worth)
        points = self._drive_points(vehicle, found, poses)
        hold = points[0]
        yield self._plan(HOLDS, (End(),), 0.0)
        best = self._best_by_cost(found, points)
        for action, gains in self._attacks(state):
            left = state.actions_left
            worth = max(gains[k] + best[left - k] for k in range(1, left + 1))
            yield self._plan(self._shooting(state, action), (action,), worth - hold)
        for k in _various(found, points):
            drive = found[k]
            if k:
                purpose = self._driving(vehicle, drive)
                yield self._plan(purpose, self._up_to_roll(drive), points[k] - hold)
            if drive.is_smooth and drive.cost < state.actions_left:
                yield from self._after(drive, points[k] - hold)
        if may_leave and not state.vehicles[vehicle].speed:
            yield from self._changes(LeaveVehicle.listed(state, vehicle), "gets off")

    def _up_to_roll(self, drive: Drive) -> tuple[Action[State], ...]:
        """Return the actions of a drive; it ends the turn where nothing is rolled for and actions are left."""
        ends = drive.is_smooth and drive.cost < self.state.actions_left
        return (*drive.actions, End()) if ends else drive.actions

    def _after(self, drive: Drive, points: float) -> Iterator[Plan[Action[State]]]:
        """Yield what may follow a drive in the same turn: attacks, or a stop."""
        vehicle, state = drive.vehicle, self.state
        for action in drive.actions:
            state = self.apply(state, action)
        if state.pending or state.active != self.state.active:
            return
        left = state.actions_left
        if drive.actions:
            for action, gains in self._attacks(state):
                purpose = f"{self._driving(vehicle, drive)}, {self._shooting(state, action)}"
                yield self._plan(purpose, (*drive.actions, action), points + gains[left])
        if drive.end.speed and drive.move is not None:
            both = self._errand_points(vehicle, [replace(drive.end, speed=0), drive.end])
            change = float(both[0] - both[1])
            stop = ChangeSpeed(0)
            if change > ACTION_POINTS and not any(stop.refusals(state, vehicle, 0)):
                ends = (End(),) if left > 1 else ()
                yield self._plan(
                    "drives up and stops", (*drive.actions, stop, *ends), points + change
                )

    def _best_by_cost(self, found: Sequence[Drive], points: Sequence[float]) -> list[float]:
        """Return the worth of the best drive for each number of actions, 0 and up."""
        best = [points[0]] * (self.state.actions_left + 1)
        for drive, worth in zip(found, points, strict=True):
            for actions in range(drive.cost, len(best)):
                best[actions] = max(best[actions], worth)
        return best

    def _drive_points(self, vehicle: int, found: Sequence[Drive], poses: PoseWorths) -> list[float]:
        ends = [drive.end for drive in found]
        both = poses.values(ends) + self._errand_points(vehicle, ends)
        values: list[float] = both.tolist()
        for k, drive in enumerate(found):
            if drive.leaves_field:
                values[k] = min(values) - self._now.all_points(vehicle)
            else:
                values[k] += self._hit_points(vehicle, drive) - ACTION_POINTS * drive.cost
                if self.state.setting.vehicles[vehicle].sheet.flying and not drive.end.speed:
                    values[k] -= (1.0 - PARTS["landed"]) * self.state.setting.vehicle_costs[vehicle]
                if heads_out(self.state, drive.end):
                    values[k] -= self._now.course_risk(vehicle) * self._now.all_points(vehicle)
        for k in sorted(range(len(found)), key=lambda k: -values[k])[:_TRIED]:
            values[k] += self._next_points(vehicle, found[k])
        return values

    def _errand_points(self, vehicle: int, poses: Sequence[VehicleState]) -> Array:
        """Return what poses are worth for what the crew is after, shape (poses,).

        That is its own aim, an enemy's carrier, or any enemy.
        """
        now, state = self._now, self.state
        crew = state.occupants(vehicle)
        own = [(unit, now.errands[unit]) for unit in crew if unit in now.errands]
        found = np.zeros(len(poses))
        if own:
            for unit, area in own:
                rounds = rounds_with(state, vehicle, unit, area, poses)
                found += [aim_points(each) for each in rounds.tolist()]
            return self.worth.weights["aims"] * found
        carriers = [
            (unit, area)
            for unit, area in now.errands.items()
            if state.setting.team(unit) != self._team
        ]
        if carriers:
            rows = [rounds_to_prey(state, vehicle, unit, area, poses) for unit, area in carriers]
            found -= PARTS["hunt_round"] * np.minimum(np.minimum.reduce(rows), PARTS["hunt_rounds"])
            return found
        ways = now.way_to_prey(self._team)[[stud_under(state, pose) for pose in poses]]
        for unit in crew:
            found += now.near_points(unit, ways)
        return self.worth.weights["near"] * found

    # -- what a drive hits ----------------------------------------------------------------------------------------

    def _hit_points(self, vehicle: int, drive: Drive) -> float:
        """Return what is won and lost by what a drive hits."""
        points = 0.0
        if drive.move is not None:
            body = drive.before.vehicle_body(vehicle)
            points += sum(self._one_hit(vehicle, body, hit) for hit in drive.move.hits)
            if drive.move.falls_on is not None:
                points -= OWN_SHARE * self._loss(vehicle, body.speed)
        return points

    def _hits_friends(self, drive: Drive) -> bool:
        """Tell whether a drive runs over or into its own side, which nobody steers for."""
        setting = self.state.setting
        return any(
            setting.team(setting.unit_numbers[hit.id]) == self._team
            if hit.type is ThingType.UNIT
            else vehicle_team(self.state, setting.vehicle_numbers[hit.id]) == self._team
            for hit in (drive.move.hits if drive.move is not None else ())
            if hit.type in (ThingType.UNIT, ThingType.VEHICLE)
        )

    def _next_points(self, vehicle: int, drive: Drive) -> float:
        """Return what the next move runs over from the end of a drive, in the part that counts."""
        following = drive.following
        if following is None or drive.leaves_field:
            return 0.0
        body = drive.before.with_vehicle(vehicle, drive.end).vehicle_body(vehicle)
        runs = [hit for hit in following.hits if hit.type is ThingType.UNIT]
        return _NEXT_RUN_OVER * sum(self._one_hit(vehicle, body, hit) for hit in runs)

    def _one_hit(self, vehicle: int, body: Vehicle, hit: Hit) -> float:
        state, now, setting = self.state, self._now, self.state.setting
        bricks = relative_speed(body, hit, setting.options.sectors)
        shares = self.worth.shares
        if hit.type is ThingType.UNIT:
            unit = setting.unit_numbers[hit.id]
            us = state.units[unit]
            lost = float(
                shares.of(bricks, us.sheet.dodge_armor + us.guard, us.sheet.health - us.damage, 1)
            )
            value = now.unit_values[unit] + now.aim_values.get(unit, 0.0)
            return lost * value * (1.0 if setting.team(unit) != self._team else -OWN_SHARE)
        points = -OWN_SHARE * self._loss(vehicle, bricks)
        if hit.type is ThingType.VEHICLE:
            other = setting.vehicle_numbers[hit.id]
            is_enemy = vehicle_team(state, other) != self._team
            points += self._loss(other, bricks) * (1.0 if is_enemy else -OWN_SHARE)
            if not is_enemy or any(unit in now.errands for unit in state.occupants(other)):
                points += (0.5 if is_enemy else -0.5) * PARTS["hunt_round"]  # it stands still now
        return points

    def _loss(self, vehicle: int, bricks: int) -> float:
        """Return what a crash of so many bricks takes from a vehicle and its crew."""
        sheet, now = self.state.setting.vehicles[vehicle].sheet, self._now
        health = sheet.health - self.state.vehicles[vehicle].damage
        crew = self.state.occupants(vehicle)
        value = now.hull_values[vehicle] + 0.5 * sum(
            now.unit_values[unit] + now.aim_values.get(unit, 0.0) for unit in crew
        )
        return value * float(self.worth.shares.of(bricks, sheet.armor, health, 1))

    def _places(self, vehicle: int) -> list[Point]:
        """Return the places at which the vehicle may want to point: enemies, the nearest first, in studs."""
        state = self.state
        here = state.vehicles[vehicle].centre_studs
        found = [state.stance(unit)[:2] for unit in self._sides.enemies]
        return sorted(dict.fromkeys(found), key=lambda place: dist(place, here))[:4]

    # -- attacks --------------------------------------------------------------------------------------------------

    def _attacks(self, state: State) -> list[tuple[AttackEnemy, list[float]]]:
        """Return the best attacks, each with what 0, 1, 2, ... of them are worth, in cost points."""
        found = []
        for action in AttackEnemy.listed(state):
            weapon = weapon_in_use(state, action.weapon)
            assert weapon is not None
            plan = attack_plan(state, action.target, weapon)
            counts = np.arange(state.actions_left + 1)
            if weapon.shots_per_turn is not None:
                counts = np.minimum(counts, weapon.shots_per_turn)
            health = health_left(state, action.target)
            shares = self.worth.shares.of(plan.attack, plan.defence, health, counts)
            gains = (shares * self._target_points(action.target)).tolist()
            found.append((action, gains))
        found.sort(key=lambda pair: -pair[1][-1])
        return found[:3]

    def _target_points(self, name: str) -> float:
        """Return what it is worth to destroy a target: itself, and what it would do next, in cost points."""
        now, setting, marks = self._now, self.state.setting, self._now.forces.marks
        unit = setting.unit_numbers.get(name)
        if unit is None:
            vehicle = setting.vehicle_numbers[name]
            crew = self.state.occupants(vehicle)
            inside = [one for one in crew if is_enclosed(self.state, one)]
            threat = _CREW_THREAT * sum(map(self._sides.threat, inside))
            return float(now.mark_values[marks.vehicle == vehicle].sum()) + threat
        points = self._sides.prize(name)
        seat = self.state.units[unit].seat
        if seat is not None and self.state.pilot(seat[0]) == unit:
            points += now.hull_values[seat[0]] * (1.0 - PARTS["manned"])
        return points

    # -- seats and gear -------------------------------------------------------------------------------------------

    def _passenger(self) -> Iterator[Plan[Action[State]]]:
        state = self.state
        yield self._plan(HOLDS, (End(),), 0.0)
        if not state.actions_left or state.me.seat is None:
            return
        for action, gains in self._attacks(state):
            yield self._plan(self._shooting(state, action), (action,), gains[-1])
        vehicle = state.me.seat[0]
        yield from self._changes(ChangeSeat.listed(state, vehicle), "changes the seat")
        yield from self._gifts()
        if not state.vehicles[vehicle].speed:
            yield from self._changes(LeaveVehicle.listed(state, vehicle), "gets off")

    def _changes(self, moves: Iterator[Move[State]], purpose: str) -> Iterator[Plan[Action[State]]]:
        """Yield plans that begin with a change of place, and go on with the best the unit can do then."""
        before = self._points(self.state)
        tried = list[tuple[float, int, Move[State], State]]()
        for move in moves:
            after = self.apply(self.state, move)
            tried.append((self._points(after) - before, len(tried), move, after))
        tried.sort(key=lambda row: (-row[0], row[1]))
        for points, _, move, after in tried[:2]:
            if after.result is not None:
                yield self._plan(purpose, (move,), points)
                continue
            goes_on = after.active == self.state.active and after.actions_left and not after.pending
            rest = [plan for plan in self._goes_on(after) if plan.worth > 0.0] if goes_on else []
            ends: tuple[Action[State], ...] = (End(),) if goes_on else ()
            yield self._plan(purpose, (move, *ends), points - _FIDGET_POINTS)
            for plan in rest[:2]:
                worth = points + plan.worth * self._scale
                yield self._plan(f"{purpose}, {plan.purpose}", (move, *plan.actions), worth)

    def _goes_on(self, after: State) -> Sequence[Plan[Action[State]]]:
        """Return what the unit may do after it has got on or off or changed its seat, the best first."""
        if after.me.on_foot:
            return self.rest(after)
        if after.piloted is None:
            return []
        plans = SeatPlans(after, self.worth, self.apply, self.rest)._pilot(may_leave=False)
        return sorted(plans, key=lambda plan: -plan.worth)

    def _gifts(self) -> Iterator[Plan[Action[State]]]:
        """Yield gifts of a weapon to who makes more of it."""
        state, gear = self.state, self.state.setting.gear
        before = self._points(state)
        for give in Give.listed(state):
            receiver = state.setting.unit_numbers[give.receiver]
            if not isinstance(gear[give.item], HandWeapon) or give.place is not Place.HELD:
                continue
            if state.setting.units[receiver].player != state.player:
                continue
            if is_enclosed(state, receiver):  # it could not use it
                continue
            offered = self.apply(state, give)
            for take in Take.listed(offered):
                if take.place is Place.HELD:
                    points = self._points(self.apply(offered, take)) - before
                    if points > _FIDGET_POINTS:
                        purpose = f"gives {spoken(give.item)} to {spoken(give.receiver)}"
                        yield self._plan(purpose, (give, take), points)

    def _points(self, state: State) -> float:
        """Return the worth of a state to the side that acts, as its enemies are next, in cost points."""
        if state.result is not None:
            won = state.result == self._team
            return 0.0 if state.result == NOBODY else 10.0 * self._scale * (1.0 if won else -1.0)
        return self.worth.points(state, self._team, self._sides.next_team)

    # -- words ----------------------------------------------------------------------------------------------------

    def _plan(
        self, purpose: str, actions: tuple[Action[State], ...], points: float
    ) -> Plan[Action[State]]:
        unit = spoken(self.state.my_name)
        return Plan(unit, purpose, actions, max(-2.0, min(2.0, points / self._scale)))

    def _shooting(self, state: State, action: AttackEnemy) -> str:
        weapon = weapon_in_use(state, action.weapon)
        assert weapon is not None
        plan = attack_plan(state, action.target, weapon)
        hit = 1.0 - float(self.worth.shares.damage(plan.attack, plan.defence)[0])
        does = "shoots at" if weapon.is_shot else "strikes"
        return f"{does} {spoken(action.target)} ({100 * hit:.0f} %)"

    def _driving(self, vehicle: int, drive: Drive) -> str:
        state, setting = self.state, self.state.setting
        if drive.leaves_field:
            return "leaves the field"
        hits = [] if drive.move is None else drive.move.hits
        for hit in hits:
            if hit.type is ThingType.UNIT and state.are_enemies(
                setting.unit_numbers[hit.id], state.active
            ):
                return f"runs over {spoken(hit.id)}"
            if hit.type is ThingType.VEHICLE:
                other = setting.vehicle_numbers[hit.id]
                if vehicle_team(state, other) != self._team:
                    return f"rams {spoken(hit.id)}"
        if drive.stops:
            return "crashes"
        if drive.end.speed == 0:
            return "stands still" if not drive.actions else "stops"
        now = self._now
        if any(unit in now.errands for unit in state.occupants(vehicle)):
            return "drives to its aim"
        if any(setting.team(unit) != self._team for unit in now.errands):
            return "cuts off the carrier"
        before, after = state.vehicles[vehicle], drive.end
        way = now.way_to_prey(self._team)
        at, there = stud_under(state, before), stud_under(state, after)
        if before.centre_studs == after.centre_studs:
            return "turns"
        return "drives at the enemy" if way[there] < way[at] else "keeps away"


def _various(found: Sequence[Drive], points: Sequence[float]) -> list[int]:
    """Return the numbers of the best drives that end in different places or hit different things."""
    kept = list[int]()
    for k in sorted(range(len(found)), key=lambda k: -points[k]):
        if not any(_is_alike(found[k], found[other]) for other in kept):
            kept.append(k)
        if len(kept) == _TRIED:
            break
    return kept


def _is_alike(one: Drive, other: Drive) -> bool:
    if one.hits != other.hits or bool(one.end.speed) != bool(other.end.speed):
        return False
    turned = (one.end.heading_deg - other.end.heading_deg + 180.0) % 360.0 - 180.0
    near = dist(one.end.centre_studs, other.end.centre_studs) <= _ALIKE_STUDS
    return near and abs(turned) <= _ALIKE_DEG
