"""Worth: how likely a party seems to survive; of a battle, by what battles with such foes cost and bring.

How hard foes are was fitted to battles that the bot ``hard`` played; ``data/worth.toml`` names the command.
"""

from functools import lru_cache
from math import exp, log
from typing import Any

from brickphys.minifig.campaign.days import EndOfWatch, MisadventureRoll
from brickphys.minifig.campaign.effects import TrialEffect
from brickphys.minifig.campaign.state import WATCHES, Member, State, data
from brickphys.minifig.campaign.trials import PARTY, after_battle, battles

_FIGURE, _ARMS, _EXPERIENCE, _HORSE, _WOUND = 1.0, 0.2, 0.2, 0.3, 0.6
"""The worth of a figure, of each of its arms, of a level of experience and of a horse, and what a wound takes off: by
hand."""
_EVEN_WORTH = 4.0
"""A party of this worth survives as often as not."""
_BATTLE_STAKE = 0.4
"""Share of the worth of the party that a battle puts at stake, in the estimate by hand."""
_HALF_DAY, _SQUARE, _SQUARES = 0.01, 0.0001, 500
"""Cost of a half-day in camp, by hand; worth of a new square; number of squares up to which this counts."""
_FOUND = 1.4
"""Squares that a party on foot finds in half a day: the mean of 60 campaigns of thirty days."""
_LEAST = 1e-9


def hand_estimate(state: State) -> float:
    """Return an estimate of the result by hand, from -1 to 1: a battle puts a fixed share of the worth at stake."""
    if state.result is not None:
        return float(state.result)
    share = _share(state)
    if state.battle is not None:
        share *= 1 - _BATTLE_STAKE + _BATTLE_STAKE * battles().estimate(state.battle)[PARTY]
    return share + _SQUARE * min(_squares(state), _SQUARES) - _HALF_DAY * min(state.delay, 4)


def estimate(state: State) -> float:
    """Return an estimate of the result, from -1 to 1.

    A battle is worth what it leaves if it is won: the living, more experienced, and the spoils. Each man counts with
    his chance to live; if the leader dies, all is lost. A half-day that can be marched counts as the squares to find.
    """
    after = state if state.battle is None else won(state)
    if after.result is not None:
        return float(after.result)
    man, leader = (1.0, 1.0) if state.battle is None else chances_to_live(state)
    found = _squares(after) + _FOUND * _half_days(after)
    worth = man * _share(after) + _SQUARE * min(found, _SQUARES)
    return leader * worth - (1 - leader)


def won(state: State) -> State:
    """Return the state after a battle if nobody else dies: who lives has more experience, and the spoils are taken."""
    assert state.battle is not None
    after = after_battle(state, state.battle)
    for effect in state.pending[1:]:
        if not isinstance(effect, TrialEffect):
            break
        after = effect.happen(after)
    return after


def chances_to_live(state: State) -> tuple[float, float]:
    """Return the chances of a man of the party, and of its leader, to live through the battle that goes on."""
    fitted = hardness()
    man = exp(-fitted["foes"][state.foes] * hazard(state))
    return man, man ** fitted["leader"]


def hazard(state: State) -> float:
    """Return minus the logarithm of the chance to win the battle that goes on, as estimated."""
    assert state.battle is not None
    return -log(max(0.5 + 0.5 * battles().estimate(state.battle)[PARTY], _LEAST))


@lru_cache
def hardness() -> dict[str, Any]:
    """Return to which power of the chance to win a man of the party lives, for each kind of foes, and the leader."""
    return data("worth")


def _share(state: State) -> float:
    worth = sum(map(_worth, state.party)) + _worth(state.party[0])
    return 0.9 * worth / (worth + _EVEN_WORTH)


def _worth(member: Member) -> float:
    found = _FIGURE + _ARMS * len(member.arms) + _EXPERIENCE * member.experience
    return found + _HORSE * member.horse - _WOUND * member.is_wounded


def _squares(state: State) -> int:
    return len(state.chart.squares) + (state.place not in state.chart.squares)


def _half_days(state: State) -> int:
    """Return the half-days that are left and not lost; the one that is under way is gone."""
    is_under_way = any(isinstance(one, MisadventureRoll | EndOfWatch) for one in state.pending)
    today = max(0, 2 - WATCHES.index(state.watch) - is_under_way)
    return max(0, 2 * (state.setting.days - state.day) + today - state.delay)
