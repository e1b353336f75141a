"""Prospects: what a battle that goes on seems worth, for bots; no rule.

What counts is what is left, in cost points. Very little besides: to be near somebody to fight, or near one's aim, and
to look there, since who is far away or looks elsewhere cannot act in his next turn. Whom an aim names, or who has what
is to be carried, goes for that alone.
"""

from functools import lru_cache
from math import dist, hypot

from brickphys.bow.field.facing import is_in_front
from brickphys.bow.field.field import Studs
from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import State
from brickphys.bow.turns.victory import Carry, Hold, Reach, strength
from brickphys.geometry.polygon import Point
from brickphys.grid.bitset import each

Place = tuple[int, Point, int | None, tuple[Point, ...]]
"""Team of a unit, where it is, its facing (None in a seat), and its errand: where it should go whoever else is near."""

NEARNESS = 0.02
"""What it is worth to a team to be there, against half the field away."""
OUTLOOK = 0.005
"""What it is worth to a team that all its units look where they should go."""


def prospects(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth to him, about -1 to 1."""
    setting = state.setting
    teams = strength(state)
    total = sum(teams.values()) or 1.0
    places = _places(state)
    worth = {
        team: 2.0 * points / total - 1.0 + _position(setting, team, places)
        for team, points in teams.items()
    }
    return tuple(worth[team] for team in setting.teams)


def _places(state: State) -> tuple[Place, ...]:
    """Return where the units in play are."""
    setting, found = state.setting, list[Place]()
    stances, errands = setting.field.stances, _has_errands(setting)
    for unit, (team, figure) in enumerate(zip(setting.unit_teams, state.figures, strict=True)):
        errand = _errand(setting, unit, figure.sheet) if errands else ()
        if figure.stud is not None:
            found.append((team, stances[figure.stud][:2], figure.facing, errand))
        elif figure.seat is not None:
            craft = state.crafts[figure.seat[0]]
            found.append((team, (craft.x_studs, craft.y_studs), None, errand))
    return tuple(found)


@lru_cache(maxsize=1024)  # many choices move nobody
def _position(setting: Setting, team: int, places: tuple[Place, ...]) -> float:
    """Return what the places of a team's units are worth."""
    own = [place[1:] for place in places if place[0] == team]
    goals = (*_areas(setting, team), *(at for side, at, *_ in places if side != team))
    if not own or not goals:
        return 0.0
    size = hypot(setting.field.width, setting.field.length)
    worth = 0.0
    for at, facing, errand in own:
        goal = _nearest(at, errand or goals)
        worth -= NEARNESS * 2.0 * dist(at, goal) / size
        if facing is not None and is_in_front(facing, at, goal):
            worth += OUTLOOK
    return worth / len(own)


@lru_cache(maxsize=1024)  # many others only turn
def _nearest(at: Point, goals: tuple[Point, ...]) -> Point:
    """Return the goal that is nearest to a place."""
    x, y = at
    return min(goals, key=lambda goal: (goal[0] - x) ** 2 + (goal[1] - y) ** 2)


@lru_cache(maxsize=64)
def _has_errands(setting: Setting) -> bool:
    """Tell whether any aim is for some units alone."""
    return any(isinstance(aim, Carry | Reach) for aim in setting.aims)


@lru_cache(maxsize=1024)
def _errand(setting: Setting, unit: int, sheet: MinifigSheet) -> tuple[Point, ...]:
    """Return the areas of aims that name a unit, or want what it has: they are for nobody else."""
    has = {item.name for _, item in sheet.gear.items()}
    return tuple(
        _middle(setting, aim.studs)
        for aim in setting.aims
        if (isinstance(aim, Reach) and unit in aim.units)
        or (isinstance(aim, Carry) and aim.team == setting.team(unit) and aim.item in has)
    )


@lru_cache(maxsize=64)
def _areas(setting: Setting, team: int) -> tuple[Point, ...]:
    """Return the areas of aims that any unit of a team may meet."""
    aims = (aim for aim in setting.aims if aim.team == team)
    return tuple(
        _middle(setting, aim.studs)
        for aim in aims
        if isinstance(aim, Hold) or (isinstance(aim, Reach) and not aim.units)
    )


def _middle(setting: Setting, studs: Studs) -> Point:
    """Return the middle of an area."""
    stances = [setting.field.stances[stud] for stud in each(studs)]
    count = len(stances)
    return sum(s[0] for s in stances) / count, sum(s[1] for s in stances) / count
