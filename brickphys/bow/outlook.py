"""Outlook: what units, vehicles, aims and places are worth in a state, in cost points, and the ways on which it rests.

Of what the values are made, says ``data/parts.toml``; `worth` adds them up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import exp, tanh

import numpy as np
import numpy.typing as npt

from brickphys.bow.actions.movement import is_enclosed
from brickphys.bow.actions.targets import WeaponInUse, hand_weapons, weapons_in_use
from brickphys.bow.bot import unit_worth
from brickphys.bow.field import Studs
from brickphys.bow.foot.passes import (
    Meeting,
    Pass,
    longer,
    pace,
    passes,
    through_doors,
    way_to,
    way_to_prey,
)
from brickphys.bow.pilot.errands import heads_out, rounds_to_prey, rounds_with, way_of
from brickphys.bow.sheets.rulebook import RULER_STUDS
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.bow.state import NOBODY, State
from brickphys.bow.threat import Forces, forces
from brickphys.bow.turns import destroyed_points
from brickphys.files import shipped_tables
from brickphys.rules.aims import Carry, Hold, Reach, last_round
from brickphys.units import Array

PARTS: Mapping[str, float] = shipped_tables("brickphys.bow", "parts")["parts"]
"""Of what the values are made."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """The values of units, vehicles and targets in a state; made by `Outlook.of`."""

    state: State

    @staticmethod
    def of(state: State) -> "Outlook":
        """Return the outlook of a state; the last ones are kept."""
        return _outlook(state)

    @cached_property
    def forces(self) -> Forces:
        """Who can attack whom."""
        return forces(self.state)

    @cached_property
    def unit_values(self) -> dict[int, float]:
        """The worth of each unit in play, by its gear and its health, in cost points."""
        return {
            unit: unit_worth(now.sheet) * (1.0 - 0.4 * now.damage / now.sheet.health)
            for unit, now in self.state.in_play()
        }

    @cached_property
    def hull_values(self) -> dict[int, float]:
        """The worth of each vehicle in play, by its health and its crew, in cost points."""
        state, found = self.state, dict[int, float]()
        for vehicle in state.vehicles_left:
            health = state.setting.vehicles[vehicle].sheet.health
            value = state.setting.vehicle_costs[vehicle] * (
                1.0 - 0.4 * state.vehicles[vehicle].damage / health
            )
            if state.setting.vehicles[vehicle].sheet.flying and not state.flies(vehicle):
                value *= PARTS["landed"]
            if state.pilot(vehicle) == NOBODY:
                value *= PARTS["manned" if state.occupants(vehicle) else "empty"]
            found[vehicle] = value
        return found

    def course_loss(self, vehicle: int) -> float:
        """Return what is lost on the average by a vehicle that leaves the field unless it is steered, in cost points.

        Its pilot may die before: that of an open vehicle.
        """
        state = self.state
        if not heads_out(state, state.vehicles[vehicle]):
            return 0.0
        return self.course_risk(vehicle) * self.all_points(vehicle)

    def course_risk(self, vehicle: int) -> float:
        """Return how likely nobody steers a vehicle at its next move."""
        pilot = self.state.pilot(vehicle)
        if pilot == NOBODY:
            return PARTS["adrift"]
        return 0.0 if is_enclosed(self.state, pilot) else PARTS["unsteered"]

    def all_points(self, vehicle: int) -> float:
        """Return what a vehicle and its crew are worth, in cost points."""
        crew = self.state.occupants(vehicle)
        return self.hull_values[vehicle] + sum(
            self.unit_values[unit] + self.aim_values.get(unit, 0.0) for unit in crew
        )

    @cached_property
    def mark_values(self) -> Array:
        """What each mark is worth to who destroys it, in cost points, shape (marks,)."""
        marks, found = self.forces.marks, []
        for unit, vehicle in zip(marks.unit.tolist(), marks.vehicle.tolist(), strict=True):
            if unit != NOBODY:
                found.append(self.unit_values[unit] + self.aim_values.get(unit, 0.0))
            else:
                crew = [
                    self.unit_values[one] + self.aim_values.get(one, 0.0)
                    for one in self.state.occupants(vehicle)
                ]
                found.append(self.hull_values[vehicle] + PARTS["crew"] * sum(crew))
        return np.array(found)

    def _range(self, unit: int) -> float:
        """Return how near a unit wants to be to an enemy, in studs: who shoots keeps a distance."""
        if self.state.units[unit].seat is None:
            return _range_on_foot(self.state.units[unit].sheet)
        return _range(weapons_in_use(self.state, unit))

    @cached_property
    def errands(self) -> dict[int, Studs]:
        """The area to which each unit must go that an aim names, or that has the item of an aim for its team."""
        state, found = self.state, dict[int, Studs]()
        for aim in state.setting.aims:
            if isinstance(aim, Carry):
                for unit, now in state.in_play():
                    has_it = any(thing.name == aim.item for _, thing in now.sheet.gear.items())
                    if state.setting.team(unit) == aim.team and has_it:
                        found[unit] = aim.area
            elif isinstance(aim, Reach):
                found |= {unit: aim.area for unit in aim.units if state.units[unit].plays}
        return found

    @cached_property
    def aim_values(self) -> dict[int, float]:
        """What each carrier of an aim is worth beyond itself, in cost points."""
        return {
            unit: float(aim_points(self.rounds_left(unit, area)))
            for unit, area in self.errands.items()
        }

    def rounds_left(self, unit: int, area: Studs) -> float:
        """Return the rounds that a unit needs to an area by the real way; on a vehicle, with getting off."""
        state, now = self.state, self.state.units[unit]
        if now.seat is None:
            return self.rounds_on_foot(unit, area)
        vehicle = now.seat[0]
        return float(rounds_with(state, vehicle, unit, area, [state.vehicles[vehicle]])[0])

    def rounds_on_foot(
        self, unit: int, area: Studs, count: int = 1, taken: Studs | None = None
    ) -> float:
        """Return the rounds in which a unit walks to an area that has to have room for a number of units.

        `taken` are the studs on which enemies stand in its way; as they are, if None.
        """
        state, at = self.state, self.forces.places[unit]
        steps = float(self.way_to(area)[at])
        if state.units[unit].on_foot:
            taken = self.in_the_way[state.setting.team(unit)] if taken is None else taken
            ground = through_doors(state.setting.field, state.open_ids)
            steps += longer(ground, at, area, taken, count)
        return steps / pace(state.units[unit].sheet)

    @cached_property
    def in_the_way(self) -> dict[int, Studs]:
        """For each team, the studs on which the units on foot of other teams stand."""
        state, found = self.state, dict.fromkeys(self.state.setting.teams, 0)
        for unit, now in state.in_play():
            for team in found:
                if now.on_foot and now.stud is not None and state.setting.team(unit) != team:
                    found[team] |= 1 << now.stud
        return found

    def way_to(self, studs: Studs) -> Array:
        """Return the steps from every stud to the nearest of some, closed doors costing some more, shape (studs,)."""
        return way_to(self.state.setting.field, self.state.open_ids, studs)

    def area_values(self) -> Iterator[tuple[int, float]]:
        """Yield each team with what areas and free items that any of its units may take are worth to it."""
        state = self.state
        for number, aim in enumerate(state.setting.aims):
            if isinstance(aim, Hold) or (isinstance(aim, Reach) and not aim.units):
                held = 0.0
                if isinstance(aim, Hold) and number < len(state.holding):
                    held = state.holding[number] * PARTS["held_round"]
                count = aim.count if isinstance(aim, Reach) else 1
                rounds = [rounds for rounds, _ in self.ranked(aim.area, aim.team, count)[:count]]
                yield aim.team, PARTS["aim"] * held + float(area_points(rounds, count).sum())
            elif isinstance(aim, Carry):
                lying = [stud for stud, name in state.objects if name == aim.item]
                for stud in lying[:1]:
                    least = self.least_rounds(1 << stud, aim.team)
                    yield aim.team, PARTS["aim"] * PARTS["item"] * exp(-least / 3.0)

    def least_rounds(
        self, studs: Studs, team: int, but: int | None = None, count: int = 1
    ) -> float:
        """Return the rounds that the last of so many units of a team, but one, needs to some studs; 99 without any."""
        rounds = [rounds for rounds, unit in self.ranked(studs, team, count) if unit != but]
        return rounds[count - 1] if len(rounds) >= count else 99.0

    def ranked(self, studs: Studs, team: int, count: int) -> list[tuple[float, int]]:
        """Return the rounds that each unit of a team needs on foot to some studs, the nearest first."""
        units = [unit for unit in self.forces.places if self.state.setting.team(unit) == team]
        return sorted((self.rounds_on_foot(unit, studs, count), unit) for unit in units)

    def runners(self, team: int) -> Iterator["Runner"]:
        """Yield the units on foot of other teams whose way to an aim may be barred."""
        state, team_of = self.state, self.state.setting.team
        found = [Runner(unit, area, aim_points) for unit, area in self.errands.items()]
        for aim in state.setting.aims:
            if isinstance(aim, Reach) and not aim.units:
                points = partial(area_points, count=aim.count)
                ranked = self.ranked(aim.area, aim.team, aim.count)[: aim.count]
                found += [Runner(unit, aim.area, points, aim.count) for _, unit in ranked]
        for one in found:
            if state.units[one.unit].on_foot and team_of(one.unit) != team:
                yield one

    def run_points(self, runner: "Runner", taken: Studs) -> float:
        """Return what a runner's way is worth if enemies stand on some studs, in cost points."""
        rounds = self.rounds_on_foot(runner.unit, runner.area, runner.count, taken)
        return float(runner.points(rounds))

    def passes_of(self, runner: "Runner") -> tuple[Pass, ...]:
        """Return the passes on the way of a runner."""
        ground = through_doors(self.state.setting.field, self.state.open_ids)
        return passes(ground, self.forces.places[runner.unit], runner.area, runner.count)

    @cached_property
    def prey(self) -> dict[int, tuple[Meeting, ...]]:
        """For each team, where its enemies are met: a carrier where it will be."""
        state, found = self.state, dict[int, list[Meeting]]()
        for unit, at in self.forces.places.items():
            area, team = self.errands.get(unit), state.setting.team(unit)
            met = [Meeting(at)]
            if area is not None:
                studs, step = way_of(state, unit, area)[1:], pace(state.units[unit].sheet)
                met = [Meeting(at, PARTS["hunted"], step * turn) for turn, at in enumerate(studs)]
            for other in {*state.setting.teams} - {team}:
                found.setdefault(other, []).extend(met)
        return {team: tuple(dict.fromkeys(met)) for team, met in found.items()}

    @cached_property
    def nearness(self) -> dict[int, float]:
        """What the place of each unit is worth by the way to the nearest enemy, in cost points."""
        found, team_of = dict[int, float](), self.state.setting.team
        for unit, at in self.forces.places.items():
            if unit in self.errands:
                found[unit] = 0.0
                continue
            hunt = self.hunt_points(unit)
            if hunt is None:
                hunt = float(self.near_points(unit, self.way_to_prey(team_of(unit))[at]))
            found[unit] = hunt
        return found

    def hunt_points(self, unit: int) -> float | None:
        """Return what the place of a pilot is worth that hunts an enemy's carrier; None for all others."""
        state, seat = self.state, self.state.units[unit].seat
        if seat is None or state.pilot(seat[0]) != unit:
            return None
        if any(one in self.errands for one in state.occupants(seat[0])):
            return None
        team = state.setting.team(unit)
        rounds = [
            float(rounds_to_prey(state, seat[0], prey, area, [state.vehicles[seat[0]]])[0])
            for prey, area in self.errands.items()
            if state.setting.team(prey) != team
        ]
        return -PARTS["hunt_round"] * min(*rounds, PARTS["hunt_rounds"]) if rounds else None

    def near_points(self, unit: int, way_studs: npt.ArrayLike, *, on_foot: bool = False) -> Array:
        """Return what it is worth for a unit to have some way to the nearest enemy, in cost points."""
        range_studs, studs = self._near_terms(unit, on_foot=on_foot)
        left = np.maximum(np.asarray(way_studs, float) - range_studs, 0.0)
        near: Array = PARTS["near"] * np.exp(-left / studs)
        return self.unit_values[unit] * near

    def _near_terms(self, unit: int, *, on_foot: bool = False) -> tuple[float, float]:
        """Return how near a unit wants to be, and in how many studs of way more its worth there falls to a third."""
        seat = self.state.units[unit].seat
        drives = seat is not None and not on_foot and self.state.pilot(seat[0]) != NOBODY
        studs = PARTS["near_studs"] * (PARTS["near_drive"] if drives else 1.0)
        return self._range(unit), studs

    def way_to_prey(self, team: int) -> Array:
        """Return the way from every stud to the nearest enemy of a team, carriers as nearer, shape (studs,)."""
        return way_to_prey(self.state.setting.field, self.state.open_ids, self.prey.get(team, ()))

    def clock(self, team: int) -> float:
        """Return what the lead in points destroyed is worth, as the last round comes near, in cost points."""
        if not (last := last_round(self.state.setting.aims)):
            return 0.0
        points = destroyed_points(self.state)
        others = max((its for one, its in points.items() if one != team), default=0)
        lead = tanh((points.get(team, 0) - others) / PARTS["lead"])
        left = max(0, last - self.state.round)
        return PARTS["clock_points"] * lead * exp(-left / PARTS["clock_rounds"])


@lru_cache(maxsize=1024)
def _range_on_foot(sheet: MinifigSheet) -> float:
    return _range(hand_weapons(sheet))


def _range(weapons: Iterable[WeaponInUse]) -> float:
    shots = [way.bricks for way in weapons if way.is_shot]
    full = RULER_STUDS * (max(shots, default=0) - PARTS["near_bricks"])
    return min(max(0.0, full), PARTS["near_most_studs"])


@lru_cache(maxsize=512)
def _outlook(state: State) -> Outlook:
    return Outlook(state)


def aim_points(rounds: npt.ArrayLike) -> Array:
    """Return what a carrier is worth that still needs some rounds to the area of its aim, in cost points."""
    carrier, left = PARTS["carrier"], np.exp(-np.asarray(rounds, float) / PARTS["aim_rounds"])
    points: Array = PARTS["aim"] * (carrier + (1.0 - carrier) * left)
    return points


def area_points(rounds: npt.ArrayLike, count: int = 1) -> Array:
    """Return what an area, where so many must be, is worth to a team by the rounds that one needs to it."""
    points: Array = 0.3 * PARTS["aim"] / count * np.exp(-np.asarray(rounds, float) / 3.0)
    return points


@dataclass(frozen=True)
class Runner:
    """A unit on foot that goes for an area: what the rounds that it needs are worth, and how many must come there."""

    unit: int
    area: Studs
    points: Callable[[float], Array]
    count: int = 1
