"""Evaluation: the estimated value of an unfinished battle for each player, for bots; no rule.

Figures that are left count most, each with its chance of survival (`prospects`). Figures near an enemy, an aim or an
item that must be carried there count a little more.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import dist, hypot, inf

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.missile_rolls import ShotRoll
from brickphys.minifig.prospects import survival
from brickphys.minifig.sheets.bricks import (
    attack_chart,
    attack_rows,
    defence_chart,
    defence_rows,
)
from brickphys.minifig.state.setting import Setting
from brickphys.minifig.state.state import State
from brickphys.rules.aims.aims import Carry
from brickphys.rules.evaluation import NEARNESS, balance, common_areas, errands, has_errands

BRICK, MISSILE, HORSE, LEVEL = 0.2, 0.4, 0.4, 0.1
"""Worth of a brick of attack or defence, a missile weapon, a horse and a level of experience; 1 is a bare figure."""
READY = 1e-4
"""Worth for a player of a figure that has not acted in this round."""
SIEGE, EMPTY = 0.1, 0.05
"""Worth for a team of a shot at a wall, and loss of a weapon that is to be reloaded, as shares of a figure of it."""


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, about -1 to 1."""
    setting, teams = state.setting, state.setting.teams
    values = balance(_strength(state))
    for team in values:
        values[team] += _nearness(state, team)
    for figure, change in _missiles(state):
        player = setting.figures[figure].player
        values[teams[player]] += change / state.strength[player]
    if state.turn < len(state.order):
        values[teams[state.player]] += READY * sum(1 for _ in state.ready(state.player))
    return tuple(values[team] for team in setting.teams)


def _strength(state: State) -> dict[int, float]:
    """Return what each team should have left: the worth of its living figures, with what they hold and ride."""
    setting, held, figures = state.setting, state.held, state.figures
    left, lives = dict.fromkeys(setting.teams, 0.0), survival(state)
    teams = setting.figure_teams
    worths = _worths(setting)
    for number in state.alive:
        worth = worths[number, held.get(number), figures[number].horse is not None]
        left[teams[number]] += worth * lives.get(number, 1.0)
    return left


class _Worths(dict[tuple[int, tuple[int, ...] | None, bool], float]):
    """The worth of a figure, with what it holds and whether it rides, worked out where it is asked for."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting

    def __missing__(self, key: tuple[int, tuple[int, ...] | None, bool]) -> float:
        figure, held, rides = key
        spec = self.setting.figures[figure]
        arms = (*spec.worn, *(self.setting.items[item].arm for item in held or ()))
        bricks = attack_chart(attack_rows(spec.kind, arms)), defence_chart(defence_rows(arms))
        shoots = any(arm.missile is not None for arm in arms)
        own = BRICK * sum(sum(chart.values()) for chart in bricks)
        self[key] = 1.0 + own + MISSILE * shoots + HORSE * rides + LEVEL * spec.experience
        return self[key]


_worths = lru_cache(maxsize=64)(_Worths)
"""The worths of the figures of a setting."""


def _missiles(state: State) -> Iterator[tuple[int, float]]:
    """Yield what shots at walls, and weapons that are empty, change for the side of a figure."""
    for roll in state.pending:
        if isinstance(roll, ShotRoll) and roll.wall is not None:
            yield roll.shooter, SIEGE
    items, things = _reloading(state.setting)
    for number in items:
        holder, is_loaded = state.items[number].holder, state.items[number].is_loaded
        if holder is not None and not is_loaded:
            yield holder, -EMPTY
    for number in things:
        if not state.things[number].is_loaded:
            place = state.things[number].place_in
            yield min(state.alive, key=lambda one: dist(state.figures[one].place_in, place)), -EMPTY


@lru_cache(maxsize=64)
def _reloading(setting: Setting) -> tuple[list[int], list[int]]:
    """Return the items and the things that are reloaded after a shot."""
    items = [number for number, item in enumerate(setting.items) if item.arm.reloads]
    return items, [number for number, thing in enumerate(setting.things) if thing.kind.reloads]


def _nearness(state: State, team: int) -> float:
    """Return the worth for a team of being near its goals: enemies, areas of aims, and what it is to carry there."""
    setting, sides = state.setting, state.setting.figure_teams
    goals, total, count = _goals(state, team), 0.0, 0
    has_goals = bool(goals) or has_errands(setting.aims)
    for number, far in zip(state.alive, state.foes[0].tolist(), strict=True):
        if sides[number] != team:
            continue
        count += 1
        if has_goals:
            place = state.figures[number].place_in
            own = _errand(state, number, team)
            ways = [dist(place, goal) for goal in own or goals]
            far = min(ways) if own else min([far, *ways])
        total += far if far < inf else 0.0
    size = hypot(setting.width_in, setting.length_in)
    return -2.0 * NEARNESS * total / (size * max(count, 1))


def _goals(state: State, team: int) -> list[Point]:
    """Return the middles of areas that any figure of a team may go to, and where things are that it wants."""
    goals, wanted = _aims(state.setting, team)
    if not wanted:
        return goals
    places = []
    for number in wanted:
        item = state.items[number]
        if item.at_in is not None:
            places.append(item.at_in)
        elif item.holder is not None and state.team(item.holder) != team:
            places.append(state.figures[item.holder].place_in)
    return [*goals, *places]


@lru_cache(maxsize=64)
def _aims(setting: Setting, team: int) -> tuple[list[Point], list[int]]:
    """Return the middles of the areas of a team's aims, and the items that it is to carry."""
    own = [aim for aim in setting.aims if isinstance(aim, Carry) and aim.team == team]
    middles = [area.centre for area in common_areas(setting.aims, team)]
    return middles, [setting.item_numbers[aim.item] for aim in own]


def _errand(state: State, figure: int, team: int) -> list[Point]:
    """Return the middles of the areas that a figure alone should go to."""
    setting = state.setting
    things = [setting.items[item].name for item in state.held.get(figure, ())]
    return [area.centre for area in errands(setting.aims, team, figure, things)]
