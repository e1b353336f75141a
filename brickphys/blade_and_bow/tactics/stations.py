"""Stations: where units and leaders begin and come back: ranks, leaders, camps, shield walls, returns."""

from collections.abc import Mapping, Sequence
from typing import Any

from brickphys.blade_and_bow import deployment
from brickphys.blade_and_bow.command.cards import ARMY
from brickphys.blade_and_bow.command.formation import LeaderReturn
from brickphys.blade_and_bow.ground import points, within, zones
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.tactics.answers import Answerer, by_places
from brickphys.blade_and_bow.tactics.choices import Asked, BattlePlan
from brickphys.blade_and_bow.tactics.fights import Vector, fighter, melee_cost
from brickphys.blade_and_bow.tactics.marches import HOLDING, Marcher
from brickphys.blade_and_bow.tactics.prospects import worth_of
from brickphys.blade_and_bow.turns import UnitReturn
from brickphys.blade_and_bow.worth import LOSS
from brickphys.grid.grid import Square, Squares, each
from brickphys.text import counted, spoken

_POINT = 0.01
"""Worth of a point of the scores below, in the logarithm of odds: they only order what may be chosen."""


def deep_units(state: State, player: int) -> dict[int, int]:
    """Return the ranks that each unit of a player should have: each where it counts most against who is opposite."""
    setting = state.setting
    units = [unit for unit in setting.chosen_ranks if setting.units[unit].player == player]
    found = dict.fromkeys(units, 0)
    worths = {unit: _rank_worths(state, unit) for unit in units}
    for _ in range(setting.ranks[player]):
        free = [unit for unit in units if found[unit] < setting.units[unit].most_ranks]
        if not free:
            break
        deeper = max(free, key=lambda unit: (_deeper(worths[unit], found[unit]), -unit))
        found[deeper] += 1
    return found


def _deeper(worths: Sequence[float], ranks: int) -> float:
    """Return what each further rank brings at most on the mean: three ranks may help where one does not."""
    return max(
        (worths[more] - worths[ranks]) / (more - ranks) for more in range(ranks + 1, len(worths))
    )


def _rank_worths(state: State, unit: int) -> list[float]:
    """Return what a unit with 0, 1, 2, ... ranks more wins and saves in a melee with the nearest enemy who fights."""
    setting, player = state.setting, state.player_of(unit)
    grid, here = setting.grid, state.square_of(unit)
    apart = {one: points(grid, here, state.square_of(one)) for one in state.on_map(1 - player)}
    nearest = sorted(apart, key=lambda one: (apart[one], one))[:_OPPOSITE]
    foes = [fighter(state, other) for other in nearest]
    own, worths = fighter(state, unit), []
    for ranks in range(setting.units[unit].most_ranks + 1):
        deep = own._replace(ranks=ranks)
        strikes = (
            worth_of(state, player, melee_cost((deep,), foe, _AHEAD))
            - worth_of(state, 1 - player, melee_cost((foe,), deep, _AHEAD))
            for foe in foes
        )
        worths.append(sum(strikes) / max(len(foes), 1))
    return worths


_OPPOSITE, _AHEAD = 3, (Vector.FRONT,)
"""How many of the enemies are opposite a unit, and from where all strike."""


def _ranks(asked: Asked) -> list[BattlePlan]:
    """Give ranks to those to whom they bring most; the sum stays the same (BB 14.2)."""
    unit = asked.question.unit
    wanted = deep_units(asked.state, asked.player)[unit]
    return [
        asked.plan(
            asked.state.unit_name(unit),
            f"has {counted(action.ranks, 'rank')} more" if action.ranks else "has no more ranks",
            -_POINT * abs(action.ranks - wanted),
            action,
        )
        for action in asked.options
    ]


def _leader_place(asked: Asked) -> list[BattlePlan]:
    """Put a leader to a unit that fights hand to hand, in the middle of those whom he can command."""
    setting, leader = asked.state.setting, asked.question.leader
    spec = setting.leaders[leader]
    mortal, found = spec.name == setting.special.mortal, []
    for action in asked.options:
        square = setting.square_numbers[action.square]
        if mortal:
            enemies = each(asked.state.occupied[1 - asked.player])
            score = float(min((points(setting.grid, square, at) for at in enemies), default=0))
        else:
            score = _command_score(asked.state, leader, square)
        purpose = f"goes to {asked.state.unit_name(asked.state.at[square])}"
        found.append(asked.plan(spoken(spec.name), purpose, _POINT * score, action))
    return found


def _command_score(state: State, leader: int, square: Square) -> float:
    """Return how good a unit's square is for a leader: whom he commands there, and who is beside him."""
    setting, grid = state.setting, state.setting.grid
    spec, unit = setting.leaders[leader], state.at[square]
    own = state.occupied[spec.player]
    inside = within(grid, square, spec.range_points) & own
    fresh = inside & ~_commanded(state, leader)
    beside = grid.around(1 << square) & own
    score = fresh.bit_count() + 0.3 * inside.bit_count() + 0.5 * beside.bit_count()
    score += 0.5 * state.units[unit].ranks
    score -= 3.0 * bool(setting.units[unit].counter.good.missile_dice)
    others = (who for who in state.leaders_at.get(square, ()) if who != leader)
    return score - 5.0 * len(list(others))


def _commanded(state: State, leader: int) -> Squares:
    """Return the squares that other leaders of the same player command, who are on their places already."""
    found, setting = 0, state.setting
    for number, spec in enumerate(setting.leaders):
        at = state.leaders[number].square
        if spec.player == setting.leaders[leader].player and number < leader and at is not None:
            found |= within(setting.grid, at, spec.range_points)
    return found


def _wall(asked: Asked) -> list[BattlePlan]:
    """Begin in a shield wall where units have no missiles: they await the enemy (BB 13)."""
    state, specs = asked.state, asked.state.setting.units
    able = asked.question.units(state)
    steady = {specs[unit].name for unit in able if not specs[unit].counter.good.missile_dice}
    if len(steady) == len(able) > 1:
        steady = {ARMY}
    found = []
    for action in asked.options:
        name = action.unit if isinstance(action, deployment.BeginWall) else ""
        is_good = name in steady if name else not steady
        found.append(asked.plan(spoken(name), "shield wall", _POINT * is_good, action))
    return found


def _arrival(asked: Asked) -> list[BattlePlan]:
    """Let reinforcements come as soon as they can, as near as they can to the enemy's camp, or else to his army."""
    state, grid = asked.state, asked.state.setting.grid
    enemy, found = 1 - asked.player, []
    aims = state.camp_set(enemy) or state.occupied[enemy]
    for action in asked.options:
        worth = 0.0
        if isinstance(action, deployment.Arrive):
            square = state.setting.square_numbers[action.square]
            far = min((points(grid, square, aim) for aim in each(aims)), default=0)
            worth = 1.0 - _POINT * far
        found.append(asked.plan("", action.text(), worth, action))
    return found


def _leader_return(asked: Asked) -> list[BattlePlan]:
    """Put a leader where he commands most units, with one of them, out of reach of the enemy."""
    state, grid = asked.state, asked.state.setting.grid
    spec = state.setting.leaders[asked.question.leader]
    own, shut = state.occupied[asked.player], zones(state, 1 - asked.player).all
    found = []
    for action in asked.options:
        square = state.setting.square_numbers[action.square]
        score = (within(grid, square, spec.range_points) & own).bit_count()
        score += 2 * (own >> square & 1) - 3 * (shut >> square & 1)
        purpose = f"returns at {action.square}"
        found.append(asked.plan(spoken(spec.name), purpose, _POINT * score, action))
    return found


def _unit_return(asked: Asked) -> list[BattlePlan]:
    """Bring a rallied unit back where it is of use and safe."""
    unit, found = asked.question.unit, []
    facing = asked.state.units[unit].facing
    marcher = Marcher(asked.state, asked.player, HOLDING, 0.3)
    for action in asked.options:
        square = asked.state.setting.square_numbers[action.square]
        back = {"box": Box.MAP, "square": square, "disrupted": False}
        place = asked.state.replaced({"pending": ()}).change_unit(unit, **back)
        value = LOSS * marcher.score(place, unit, (square, facing))
        name = asked.state.unit_name(unit)
        found.append(asked.plan(name, f"returns at {action.square}", value, action))
    return found


STATIONS: Mapping[type[Any], Answerer] = {
    deployment.RankChoice: _ranks,
    deployment.LeaderPlace: _leader_place,
    deployment.CampPlace: by_places,
    deployment.WallChoice: _wall,
    deployment.ArrivalQuestion: _arrival,
    LeaderReturn: _leader_return,
    UnitReturn: _unit_return,
}
"""What answers each question."""
