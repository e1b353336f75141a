"""Evaluation: what a battle that goes on seems worth to each player, for bots; no rule.

Figures that are left count most, less those that shots under way and hand-to-hand should eliminate: of each side as its
figures stand now, in this turn or in its next one. A little more is to be near an enemy, an aim or what it wants.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import dist, hypot, inf
from typing import Any

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.melee import MeleeRoll, ahead, attack_bricks, defence_bricks
from brickphys.minifig.actions.missile_rolls import HitRoll, ShotRoll
from brickphys.minifig.actions.shot_law import ON_SIDE, kill_chance
from brickphys.minifig.field.contact import ACROSS_IN, wall_between
from brickphys.minifig.sheets.bricks import (
    attack_chart,
    attack_rows,
    defence_chart,
    defence_rows,
)
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, TOUCH_IN, charts
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.setting import Setting
from brickphys.minifig.state.state import State
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.aims.aims import Carry, Reach
from brickphys.rules.evaluation import NEARNESS, balance, common_areas, errands

BRICK, MISSILE, HORSE, LEVEL = 0.2, 0.4, 0.4, 0.1
"""Worth of a brick of attack or defence, a missile weapon, a horse and a level of experience; 1 is a bare figure."""
NEXT_TURN = 0.5
"""Share that counts of what hand-to-hand should bring to a side in its next turn, as all stand now."""
READY = 1e-4
"""Worth for a player of a figure that has still its round."""
SIEGE, EMPTY = 4e-3, 3e-3
"""Worth for a team of a shot at a wall, and loss of a weapon that is to be reloaded."""
_TOUCHING_IN = 2 * BASE_RADIUS_IN + TOUCH_IN
_LAW = BinomialLaw(Fraction(ON_SIDE).limit_denominator(100))
"""Of a brick that stops on a side."""


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, about -1 to 1."""
    setting, alive = state.setting, np.array(state.alive)
    teams = _teams(setting)[alive]
    apart = _apart(state, teams)
    worth = _worth(state) * (1.0 - _doom(state, alive, apart)[alive])
    left = np.bincount(teams, worth, minlength=max(setting.teams) + 1).tolist()
    values = balance({team: left[team] for team in setting.teams})
    for team in values:
        values[team] += _nearness(state, team, alive, teams, apart)
    for team, change in _missiles(state):
        values[team] += change
    if state.turn < len(state.order):
        ready = sum(1 for _ in state.ready(state.player))
        values[setting.teams[state.player]] += READY * ready
    return tuple(values[team] for team in setting.teams)


@lru_cache(maxsize=64)
def _teams(setting: Setting) -> Indices:
    return np.array([setting.teams[figure.player] for figure in setting.figures])


def _worth(state: State) -> Array:
    """Return the worth of each living figure with what it holds and rides."""
    setting, held, figures = state.setting, state.held, state.figures
    return np.array(
        [
            _figure_worth(setting, number, held.get(number), figures[number].horse is not None)
            for number in state.alive
        ]
    )


@lru_cache(maxsize=4096)
def _figure_worth(
    setting: Setting, figure: int, held: tuple[int, ...] | None, is_rider: bool
) -> float:
    spec = setting.figures[figure]
    arms = (*spec.worn, *(setting.items[item].arm for item in held or ()))
    bricks = attack_chart(attack_rows(spec.kind, arms)), defence_chart(defence_rows(arms))
    shoots = any(arm.missile is not None for arm in arms)
    own = BRICK * sum(sum(chart.values()) for chart in bricks)
    return 1.0 + own + MISSILE * shoots + HORSE * is_rider + LEVEL * spec.experience


def _missiles(state: State) -> Iterator[tuple[int, float]]:
    """Yield what shots at walls, and weapons that are empty, change for a team."""
    setting = state.setting
    for roll in state.pending:
        if isinstance(roll, ShotRoll) and roll.wall is not None:
            yield state.team(roll.shooter), SIEGE
    items, things = _reloading(setting)
    for number in items:
        holder, is_loaded = state.items[number].holder, state.items[number].is_loaded
        if holder is not None and not is_loaded:
            yield state.team(holder), -EMPTY
    for number in things:
        if not state.things[number].is_loaded and state.alive:
            place = state.things[number].place_in
            crew = min(state.alive, key=lambda one: dist(state.figures[one].place_in, place))
            yield state.team(crew), -EMPTY


@lru_cache(maxsize=64)
def _reloading(setting: Setting) -> tuple[list[int], list[int]]:
    """Return the items and the things that are reloaded after a shot."""
    items = [number for number, item in enumerate(setting.items) if item.arm.reloads]
    return items, [number for number, thing in enumerate(setting.things) if thing.kind.reloads]


def _apart(state: State, teams: Indices) -> Array:
    """Return the distances between the middles of living enemies, in inches, infinite between friends."""
    places = state.bases[: len(teams), :2]
    across = places[:, None] - places
    apart = np.hypot(across[..., 0], across[..., 1])
    apart[teams[:, None] == teams] = inf
    return apart


def _doom(state: State, alive: Indices, apart: Array) -> Array:
    """Return how likely each figure should be eliminated soon: in this turn, then in the next one of its enemies."""
    lives = np.ones(len(state.figures))
    for figure, chance in _rolled(state):
        lives[figure] *= 1.0 - chance
    pairs = _fights(state, alive, apart)
    foes = Counter(one for one, _ in pairs)
    fights = [
        (one, other, _chance(_Fight.of(state, one, other)) / foes[one]) for one, other in pairs
    ]
    player = state.player if state.turn < len(state.order) else None
    for one, other, chance in fights:
        deed, owner = state.figures[one].deed, state.setting.figures[one].player
        if owner == player and deed in (Deed.NOTHING, Deed.MOVED):
            lives[other] *= 1.0 - chance
    after = lives.copy()
    for one, other, chance in fights:
        after[other] *= 1.0 - NEXT_TURN * lives[one] * chance
    return 1.0 - after


def _rolled(state: State) -> Iterator[tuple[int, float]]:
    """Yield who may be eliminated by what is to be rolled next, and how likely."""
    for roll in state.pending:
        if isinstance(roll, MeleeRoll):
            yield roll.defender, _chance(_Fight.of(state, roll.attacker, roll.defender))
        elif isinstance(roll, HitRoll):
            bricks = charts().missiles[roll.missile].bricks_after(roll.phase)
            yield roll.figure, 1.0 - (1.0 - ON_SIDE) ** bricks
        elif isinstance(roll, ShotRoll) and roll.target is not None:
            shot = roll.missile(state), roll.from_in(state), roll.target
            yield roll.target, kill_chance(state, *shot)


def _fights(state: State, alive: Indices, apart: Array) -> list[tuple[int, int]]:
    """Return who may attack whom, as all stand."""
    pairs = [*map(tuple, alive[np.argwhere(apart <= _TOUCHING_IN)].tolist())]
    if state.walls:
        near = (apart > _TOUCHING_IN) & (apart <= 2 * BASE_RADIUS_IN + ACROSS_IN)
        across = map(tuple, alive[np.argwhere(near)].tolist())
        pairs += [pair for pair in across if wall_between(state, *pair) is not None]
    return pairs


@dataclass(frozen=True)
class _Fight:
    """An attack in hand-to-hand, equal to another one of the same odds."""

    key: tuple[Any, ...]
    state: State = field(compare=False)
    attacker: int = field(compare=False)
    defender: int = field(compare=False)

    @classmethod
    def of(cls, state: State, attacker: int, defender: int) -> "_Fight":
        """Return the attack of a figure on another one."""
        pair = attacker, defender
        arms = (state.held.get(number) for number in pair)
        places = (state.figures[number] for number in pair)
        return cls((state.setting, state.walls, *pair, *places, *arms), state, *pair)


@lru_cache(maxsize=4096)
def _chance(fight: _Fight) -> float:
    """Return how likely an attack eliminates the defender."""
    given = fight.state, fight.attacker, fight.defender
    bricks = (sum(rows(*given).values()) for rows in (attack_bricks, defence_bricks))
    return _success(*bricks, ahead(*given))


@lru_cache(maxsize=4096)
def _success(attack: int, defence: int, lead: int) -> float:
    return float(opposed(attack, defence, _LAW, lead).success)


def _nearness(state: State, team: int, alive: Indices, teams: Indices, apart: Array) -> float:
    """Return the worth for a team of being near its goals: enemies, areas of aims, and what it is to carry there."""
    setting, own = state.setting, np.flatnonzero(teams == team)
    if not len(own):
        return 0.0
    far = apart[own].min(axis=1)
    for goal in _goals(state, team):
        far = np.minimum(far, np.hypot(*(state.bases[own, :2] - goal).T))
    for row, number in enumerate(alive[own].tolist() if _has_errands(setting) else ()):
        for goal in _errand(state, number, team):
            far[row] = dist(state.figures[number].place_in, goal)
    size = hypot(setting.width_in, setting.length_in)
    return -2.0 * NEARNESS * float(far[far < inf].sum()) / (size * len(own))


def _goals(state: State, team: int) -> Iterator[Point]:
    """Yield the middles of areas that any figure of a team may go to, and where things lie that it wants."""
    setting = state.setting
    yield from (area.centre for area in common_areas(setting.aims, team))
    for aim in setting.aims:
        if isinstance(aim, Carry) and aim.team == team:
            item = state.items[setting.item_numbers[aim.item]]
            if item.at_in is not None:
                yield item.at_in
            elif item.holder is not None and state.team(item.holder) != team:
                yield state.figures[item.holder].place_in


@lru_cache(maxsize=64)
def _has_errands(setting: Setting) -> bool:
    """Tell whether any aim may be for some figures alone."""
    return any(isinstance(aim, Carry | Reach) for aim in setting.aims)


def _errand(state: State, figure: int, team: int) -> list[Point]:
    """Return the middles of the areas that a figure alone should go to."""
    setting = state.setting
    things = [setting.items[item].name for item in state.held.get(figure, ())]
    return [area.centre for area in errands(setting.aims, team, figure, things)]
