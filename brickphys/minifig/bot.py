"""Bot: the estimated value of an unfinished battle for each player, for bots; no rule.

Figures that are left count most, each with its chance not to be eliminated soon. Figures near an enemy, an aim or an
item that must be carried there count a little more.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import dist, hypot, inf
from typing import Any

from brickphys.geometry.polygon import Point
from brickphys.minifig.ground import in_line, opponents
from brickphys.minifig.melee import MeleeRoll, ahead, attack_bricks, defence_bricks
from brickphys.minifig.missiles import ON_SIDE, TOTAL, bricks_of, kill_chance, may_be_struck
from brickphys.minifig.setting import Setting
from brickphys.minifig.sheets import attack_chart, attack_rows, charts, defence_chart, defence_rows
from brickphys.minifig.shooting import HitRoll, MeleeHitRoll, ShotRoll, hits
from brickphys.minifig.state import Deed, State
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.aims import NEARNESS, Carry, balance, common_areas, errands, has_errands

NEXT_TURN = 0.5
"""Weight of the expected gain of a side by hand-to-hand fights in its next turn."""
_BRICK_LAW = BinomialLaw(Fraction(ON_SIDE).limit_denominator(100))
"""Of a brick that stops on a side."""


def survival(state: State) -> dict[int, float]:
    """Return how likely figures should live on: through what is rolled next, this turn, and the next one of enemies.

    Those who are in no danger are left out.
    """
    lives: dict[int, float] = {}
    for figure, chance in _rolled(state):
        lives[figure] = lives.get(figure, 1.0) * (1.0 - chance)
    pairs = [(one, other) for one in state.near for other in opponents(state, one)]
    if not pairs:
        return lives
    foes = Counter(one for one, _ in pairs)
    fights = [
        (one, other, _chance(_Fight.of(state, one, other)) / foes[one]) for one, other in pairs
    ]
    player = state.player if state.turn < len(state.order) else None
    for one, other, chance in fights:
        deed, owner = state.figures[one].deed, state.setting.figures[one].player
        if owner == player and deed in (Deed.NOTHING, Deed.MOVED):
            lives[other] = lives.get(other, 1.0) * (1.0 - chance)
    after = lives.copy()
    for one, other, chance in fights:
        after[other] = after.get(other, 1.0) * (1.0 - NEXT_TURN * lives.get(one, 1.0) * chance)
    return after


def _rolled(state: State) -> Iterator[tuple[int, float]]:
    """Yield who may be eliminated by what is to be rolled next, and how likely."""
    for roll in state.pending:
        if isinstance(roll, MeleeRoll):
            yield roll.defender, _chance(_Fight.of(state, roll.attacker, roll.defender))
        elif isinstance(roll, HitRoll):
            bricks = charts().missiles[roll.missile].bricks_after(roll.phase)
            yield roll.figure, 1.0 - (1.0 - ON_SIDE) ** bricks
        elif isinstance(roll, MeleeHitRoll):
            stands = (1.0 - ON_SIDE) ** bricks_of(roll.missile, roll.how)
            yield from _shared(roll.figures, 1.0 - stands)
        elif isinstance(roll, ShotRoll) and roll.target is not None:
            for figure, chance in _shot(state, roll, roll.target):
                yield from _shared(may_be_struck(state, figure), chance)


def _shared(figures: Sequence[int], chance: float) -> Iterator[tuple[int, float]]:
    """Yield figures of which one is struck, any as likely, with their shares of a chance."""
    return ((figure, chance / len(figures)) for figure in figures)


def _shot(state: State, roll: ShotRoll, target: int) -> Iterator[tuple[int, float]]:
    """Yield who may be eliminated by a shot: a BB meets those before its target first, friends too.

    What a wall stops of a shot over it, the law of the shot says.
    """
    if roll.goal(state).is_hidden:
        yield from _by_law(state, roll)
        return
    missile, start, flies_on = roll.missile(state), roll.from_in(state), 1.0
    before = in_line(state, roll.shooter, target) if charts().missiles[missile].knocks_over else ()
    for figure in (*before, target):
        chance = kill_chance(state, missile, start, figure)
        yield figure, flies_on * chance
        flies_on *= 1.0 - chance


def _by_law(state: State, roll: ShotRoll) -> Iterator[tuple[int, float]]:
    """Yield who may be eliminated by a shot, friends too, by its law."""
    falls = defaultdict[int, float](float)
    for outcome, weight in roll.event(state).weights:
        for name, how in hits(outcome):
            if name in state.setting.figure_numbers:
                stands = (1.0 - ON_SIDE) ** bricks_of(roll.missile(state), how)
                falls[state.setting.figure_numbers[name]] += weight / TOTAL * (1.0 - stands)
    yield from falls.items()


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
    given = fight.state, fight.attacker, fight.defender
    bricks = (sum(rows(*given).values()) for rows in (attack_bricks, defence_bricks))
    return _success(*bricks, ahead(*given))


@lru_cache(maxsize=4096)
def _success(attack: int, defence: int, lead: int) -> float:
    return float(opposed(attack, defence, _BRICK_LAW, lead).success)


BRICK, MISSILE, HORSE, LEVEL = 0.2, 0.4, 0.4, 0.1
"""Worth of a brick of attack or defence, a missile weapon, a horse and a level of experience; 1 is a bare figure."""
READY = 1e-4
"""Worth for a player of a figure that has not acted in this round."""
SIEGE, EMPTY = 0.1, 0.05
"""Worth for a team of a shot at a wall, and loss of a weapon that is to be reloaded, as shares of a figure of it."""


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, about -1 to 1."""
    setting = state.setting
    values = balance(_strength(state))
    for team in values:
        values[team] += nearness(state, team)
    for team, change in unready(state):
        values[team] += change
    return tuple(values[team] for team in setting.teams)


def unready(state: State) -> Iterator[tuple[int, float]]:
    """Yield what is worth a little for a team: shots at walls, weapons that are loaded, figures that may act."""
    setting, teams = state.setting, state.setting.teams
    for figure, change in _missiles(state):
        player = setting.figures[figure].player
        yield teams[player], change / state.strength[player]
    if state.turn < len(state.order):
        yield teams[state.player], READY * sum(1 for _ in state.ready(state.player))


def _strength(state: State) -> dict[int, float]:
    """Return what each team should have left: the worth of its living figures, with what they hold and ride."""
    setting, held, figures = state.setting, state.held, state.figures
    left, lives = dict.fromkeys(setting.teams, 0.0), survival(state)
    teams = setting.figure_teams
    for number in state.alive:
        worth = brick_worth(
            setting, number, held.get(number, ()), figures[number].horse is not None
        )
        left[teams[number]] += worth * lives.get(number, 1.0)
    return left


@lru_cache(maxsize=1 << 16)
def brick_worth(setting: Setting, figure: int, held: tuple[int, ...], rides: bool) -> float:
    """Return the worth of a figure, with what it holds and whether it rides."""
    spec = setting.figures[figure]
    arms = (*spec.worn, *(setting.items[item].arm for item in held))
    bricks = attack_chart(attack_rows(spec.kind, arms)), defence_chart(defence_rows(arms))
    shoots = any(arm.missile is not None for arm in arms)
    own = BRICK * sum(sum(chart.values()) for chart in bricks)
    return 1.0 + own + MISSILE * shoots + HORSE * rides + LEVEL * spec.experience


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
    items = [number for number, item in enumerate(setting.items) if item.arm.reloads]
    return items, [number for number, thing in enumerate(setting.things) if thing.kind.reloads]


def nearness(state: State, team: int) -> float:
    """Return the worth for a team of being near its goals: enemies, areas of aims, and what it is to carry there."""
    setting, sides = state.setting, state.setting.figure_teams
    common, total, count = goals(state, team), 0.0, 0
    has_goals = bool(common) or has_errands(setting.aims)
    for number, far in zip(state.alive, state.foes[0].tolist(), strict=True):
        if sides[number] != team:
            continue
        count += 1
        if has_goals:
            place = state.figures[number].place_in
            own = errand(state, number, team)
            ways = [dist(place, goal) for goal in own or common]
            far = min(ways) if own else min([far, *ways])
        total += far if far < inf else 0.0
    size = hypot(setting.width_in, setting.length_in)
    return -2.0 * NEARNESS * total / (size * max(count, 1))


def goals(state: State, team: int) -> list[Point]:
    """Return the middles of areas that any figure of a team may go to, and where things are that it wants."""
    middles, wanted = team_aims(state.setting, team)
    if not wanted:
        return middles
    places = []
    for number in wanted:
        item = state.items[number]
        if item.at_in is not None:
            places.append(item.at_in)
        elif item.holder is not None and state.team(item.holder) != team:
            places.append(state.figures[item.holder].place_in)
    return [*middles, *places]


@lru_cache(maxsize=64)
def team_aims(setting: Setting, team: int) -> tuple[list[Point], list[int]]:
    """Return the middles of the areas of a team's aims, and the items that it is to carry."""
    own = [aim for aim in setting.aims if isinstance(aim, Carry) and aim.team == team]
    middles = [area.centre for area in common_areas(setting.aims, team)]
    return middles, [setting.item_numbers[aim.item] for aim in own]


def errand(state: State, figure: int, team: int) -> list[Point]:
    """Return the middles of the areas that a figure alone should go to."""
    setting = state.setting
    things = [setting.items[item].name for item in state.held.get(figure, ())]
    return [area.centre for area in errands(setting.aims, team, figure, things)]
