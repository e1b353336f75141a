"""Prospects: how likely figures are to be eliminated soon, for bots; no rule."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from brickphys.minifig.actions.melee import MeleeRoll, ahead, attack_bricks, defence_bricks
from brickphys.minifig.actions.missile_rolls import HitRoll, MeleeHitRoll, ShotRoll, hits
from brickphys.minifig.actions.missile_targets import may_be_struck
from brickphys.minifig.actions.shot_law import ON_SIDE, TOTAL, bricks_of, kill_chance
from brickphys.minifig.field.contact import opponents
from brickphys.minifig.field.sight import in_line
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.state import State
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed

NEXT_TURN = 0.5
"""Weight of the expected gain of a side by hand-to-hand fights in its next turn."""
_LAW = BinomialLaw(Fraction(ON_SIDE).limit_denominator(100))
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
    """Return how likely an attack eliminates the defender."""
    given = fight.state, fight.attacker, fight.defender
    bricks = (sum(rows(*given).values()) for rows in (attack_bricks, defence_bricks))
    return _success(*bricks, ahead(*given))


@lru_cache(maxsize=4096)
def _success(attack: int, defence: int, lead: int) -> float:
    return float(opposed(attack, defence, _LAW, lead).success)
