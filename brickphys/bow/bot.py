"""Bot: the estimated value of an unfinished battle for each player; no rule.

Strength is what is left, in cost points with the gear of the moment; places are points of the field in studs.
"""

from functools import lru_cache
from math import dist, hypot

from brickphys.bow.field import Studs, is_in_front
from brickphys.bow.setting import Setting
from brickphys.bow.sheets.library import armed_terms
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.bow.state import State
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import each
from brickphys.rules.aims import Placed, balance, common_areas, errands, has_errands, position_value

EMPTY = 0.1
"""Loss in cost points by a vehicle's weapon that must be reloaded."""
STOWED = 0.9
"""The worth of a unit whose best weapon is stowed, as a share of its worth with that weapon in hand."""


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, about -1 to 1."""
    setting, units = state.setting, _placed(state)
    worth = {
        team: value + _position(setting, team, units)
        for team, value in balance(_strength(state)).items()
    }
    return tuple(worth[team] for team in setting.teams)


def _strength(state: State) -> dict[int, float]:
    """Return what each team still has: the worth of each unit and vehicle in proportion to its health left."""
    setting = state.setting
    left = dict.fromkeys(sorted(set(setting.teams)), 0.0)
    for team, unit_state in zip(setting.unit_teams, state.units, strict=True):
        if unit_state.plays:
            sheet = unit_state.sheet
            left[team] += unit_worth(sheet) * (1.0 - unit_state.damage / sheet.health)
    for vehicle in state.vehicles_left:
        spec = setting.vehicles[vehicle]
        share = 1.0 - state.vehicles[vehicle].damage / spec.sheet.health
        left[setting.teams[spec.player]] += setting.vehicle_costs[vehicle] * share
    for vehicle, _ in dict.fromkeys(state.unloaded):
        left[setting.teams[setting.vehicles[vehicle].player]] -= EMPTY
    return left


@lru_cache(maxsize=4096)
def unit_worth(sheet: MinifigSheet) -> float:
    """Return the cost points of a unit with its gear as it is, by its best way to attack."""
    ready, stowed = (
        max((armed_terms(sheet, way).points for way in ways), default=0)
        for ways in (sheet.gear.armaments, sheet.gear.spare_armaments)
    )
    return max(float(ready), STOWED * stowed)


def _placed(state: State) -> tuple[Placed[Point], ...]:
    """Return where the units in play are; one in a seat looks nowhere."""
    setting, found = state.setting, list[Placed[Point]]()
    stances, any_errands = setting.field.stances, has_errands(setting.aims)
    for unit, (team, unit_state) in enumerate(zip(setting.unit_teams, state.units, strict=True)):
        errand = _errand(setting, unit, unit_state.sheet) if any_errands else ()
        if unit_state.stud is not None:
            found.append(Placed(team, stances[unit_state.stud][:2], unit_state.facing, errand))
        elif unit_state.seat is not None:
            vehicle_state = state.vehicles[unit_state.seat[0]]
            found.append(Placed(team, (vehicle_state.x_studs, vehicle_state.y_studs), None, errand))
    return tuple(found)


@lru_cache(maxsize=1024)  # many choices move no unit
def _position(setting: Setting, team: int, units: tuple[Placed[Point], ...]) -> float:
    size = hypot(setting.field.width, setting.field.length)
    return position_value(team, units, _areas(setting, team), dist, size, is_in_front)


@lru_cache(maxsize=1024)
def _errand(setting: Setting, unit: int, sheet: MinifigSheet) -> tuple[Point, ...]:
    """Return the middles of the areas that a unit alone should go to."""
    things = {item.name for _, item in sheet.gear.items()}
    areas = errands(setting.aims, setting.team(unit), unit, things)
    return tuple(_middle(setting, area) for area in areas)


@lru_cache(maxsize=64)
def _areas(setting: Setting, team: int) -> tuple[Point, ...]:
    """Return the middles of the areas that any unit of a team may go to."""
    return tuple(_middle(setting, area) for area in common_areas(setting.aims, team))


def _middle(setting: Setting, studs: Studs) -> Point:
    stances = [setting.field.stances[stud] for stud in each(studs)]
    count = len(stances)
    return sum(s[0] for s in stances) / count, sum(s[1] for s in stances) / count
