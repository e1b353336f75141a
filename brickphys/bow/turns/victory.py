"""Victory: the last side, and the aims of a scenario; what each side has destroyed."""

from dataclasses import dataclass
from functools import lru_cache

from brickphys.bow.field.field import Studs
from brickphys.bow.sheets.cost import minifig_cost, vehicle_cost
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import NOBODY, State
from brickphys.rules.aims import count_held, is_time_up, leader, winner


@dataclass(frozen=True, slots=True)
class UnitPositions:
    """Where the units of a battle are and what they have, as `brickphys.rules.aims.Positions`; areas are studs."""

    state: State

    def units_in(self, area: Studs) -> list[int]:
        """Return the units that stand on some studs; occupants of vehicles stand on none."""
        return [
            unit
            for unit, unit_state in self.state.in_play()
            if unit_state.stud is not None and area >> unit_state.stud & 1
        ]

    def team(self, unit: int) -> int:
        """Return the team of a unit."""
        return self.state.setting.team(unit)

    def has(self, unit: int, item: str) -> bool:
        """Tell whether a unit has an object of that name, in hand or anywhere else."""
        return any(thing.name == item for _, thing in self.state.units[unit].sheet.gear.items())


def standing_result(state: State) -> int | None:
    """Return the team that has won just now: the last one with units, or one that meets its aim; None if none has."""
    if not state.round:
        return None
    teams = state.teams_in_play()
    if len(teams) < 2:
        return next(iter(teams), NOBODY)
    return winner(state.setting.aims, state.holding, UnitPositions(state))


def held(state: State) -> tuple[int, ...]:
    """Return for how many rounds in a row each aim has been held, at the end of a round."""
    return count_held(state.setting.aims, state.holding, UnitPositions(state))


def round_result(state: State) -> int | None:
    """Return the team that has won now that a round has ended; `NOBODY` for a draw, None if the battle goes on."""
    result = standing_result(state)
    if result is None and is_time_up(state.setting.aims, state.round):
        best = leader(destroyed_points(state))
        return NOBODY if best is None else best
    return result


def destroyed_points(state: State) -> dict[int, int]:
    """Return, for each team, the cost points of what its enemies have lost to damage (BOW A.4).

    What has left the field is not destroyed.
    """
    setting = state.setting
    lost = dict.fromkeys(sorted(set(setting.teams)), 0)
    unit_costs, vehicle_costs = costs(setting)
    for unit, unit_state in enumerate(state.units):
        if not unit_state.plays and unit_state.is_dead:
            lost[setting.team(unit)] += unit_costs[unit]
    for vehicle, vehicle_state in enumerate(state.vehicles):
        spec = setting.vehicles[vehicle]
        if vehicle_state.gone and vehicle_state.damage >= spec.sheet.health:
            lost[setting.teams[spec.player]] += vehicle_costs[vehicle]
    total = sum(lost.values())
    return {team: total - points for team, points in lost.items()}


@lru_cache(maxsize=64)
def costs(setting: Setting) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cost points of all units and of all vehicles."""
    units = tuple(minifig_cost(unit.sheet) for unit in setting.units)
    return units, tuple(vehicle_cost(vehicle.sheet) for vehicle in setting.vehicles)
