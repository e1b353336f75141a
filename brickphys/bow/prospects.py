"""Prospects: what a battle that goes on seems worth, for bots; no rule.

What counts is what is left, in cost points. Very little besides: to be near somebody to fight, or near one's aim, and
to look there, since who is far away or looks elsewhere cannot act in his next turn.
"""

from collections.abc import Sequence
from math import hypot

from brickphys.bow.facing import is_in_front
from brickphys.bow.setting import Setting
from brickphys.bow.state import Figure, State
from brickphys.bow.studs import each
from brickphys.bow.victory import Carry, Hold, Reach, strength
from brickphys.vehicles.polygon import Point

NEARNESS = 0.02
"""What it is worth to a team to be there, against half the field away."""
OUTLOOK = 0.005
"""What it is worth to a team that all its units look where they should go."""


def prospects(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth to him, about -1 to 1."""
    setting = state.setting
    teams = strength(state)
    total = sum(teams.values()) or 1.0
    places = [_place(state, figure) for figure in state.figures]
    worth = {
        team: 2.0 * points / total - 1.0 + _position(state, team, places)
        for team, points in teams.items()
    }
    return tuple(worth[team] for team in setting.teams)


def _position(state: State, team: int, places: Sequence[Point | None]) -> float:
    """Return what the places of a team's units are worth."""
    setting = state.setting
    goals = list(_aims(setting, team))
    own = []
    for unit, place in enumerate(places):
        if place is not None:
            if setting.team(unit) == team:
                own.append((state.figures[unit], place))
            else:
                goals.append(place)
    if not own or not goals:
        return 0.0
    size = hypot(setting.field.width, setting.field.length)
    worth = 0.0
    for figure, (x, y) in own:
        goal = min(goals, key=lambda goal: (goal[0] - x) ** 2 + (goal[1] - y) ** 2)
        worth -= NEARNESS * 2.0 * hypot(goal[0] - x, goal[1] - y) / size
        if figure.stud is not None and is_in_front(figure.facing, (x, y), goal):
            worth += OUTLOOK
    return worth / len(own)


def _place(state: State, figure: Figure) -> Point | None:
    if figure.stud is not None:
        x, y, _ = state.setting.field.stances[figure.stud]
        return x, y
    if figure.seat is None:
        return None
    craft = state.crafts[figure.seat[0]]
    return craft.x_studs, craft.y_studs


def _aims(setting: Setting, team: int) -> list[Point]:
    """Return the middle of each area that a team should come to."""
    middles = []
    for aim in setting.aims:
        if aim.team == team and isinstance(aim, Reach | Carry | Hold):
            stances = [setting.field.stances[stud] for stud in each(aim.studs)]
            count = len(stances)
            middles.append((sum(s[0] for s in stances) / count, sum(s[1] for s in stances) / count))
    return middles
