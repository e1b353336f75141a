"""Prospects: what a battle that goes on seems worth, for bots; no rule.

What counts is what is left, in cost points. Very little besides: to be near somebody to fight, or near one's aim, and
to look there, since who is far away or looks elsewhere cannot act in his next turn.
"""

from functools import lru_cache
from math import dist, hypot

from brickphys.bow.facing import is_in_front
from brickphys.bow.setting import Setting
from brickphys.bow.state import State
from brickphys.bow.studs import each
from brickphys.bow.victory import Carry, Hold, Reach, strength
from brickphys.vehicles.polygon import Point

Place = tuple[int, Point, int | None]
"""Team of a unit, where it is, and its facing; None in a seat."""

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
    stances, found = state.setting.field.stances, list[Place]()
    for team, figure in zip(state.setting.unit_teams, state.figures, strict=True):
        if figure.stud is not None:
            found.append((team, stances[figure.stud][:2], figure.facing))
        elif figure.seat is not None:
            craft = state.crafts[figure.seat[0]]
            found.append((team, (craft.x_studs, craft.y_studs), None))
    return tuple(found)


@lru_cache(maxsize=1024)  # many choices move nobody
def _position(setting: Setting, team: int, places: tuple[Place, ...]) -> float:
    """Return what the places of a team's units are worth."""
    own = [(at, facing) for side, at, facing in places if side == team]
    goals = (*_aims(setting, team), *(at for side, at, _ in places if side != team))
    if not own or not goals:
        return 0.0
    size = hypot(setting.field.width, setting.field.length)
    worth = 0.0
    for at, facing in own:
        goal = _nearest(at, goals)
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
def _aims(setting: Setting, team: int) -> tuple[Point, ...]:
    """Return the middle of each area that a team should come to."""
    middles = []
    for aim in setting.aims:
        if aim.team == team and isinstance(aim, Reach | Carry | Hold):
            stances = [setting.field.stances[stud] for stud in each(aim.studs)]
            count = len(stances)
            middles.append((sum(s[0] for s in stances) / count, sum(s[1] for s in stances) / count))
    return tuple(middles)
