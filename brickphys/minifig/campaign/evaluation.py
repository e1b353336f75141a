"""Evaluation: the estimated value of an unfinished campaign, for bots (ours)."""

from brickphys.minifig.campaign.fight import PARTY, battles
from brickphys.minifig.campaign.state import Member, State

_FIGURE, _ARMS, _EXPERIENCE, _HORSE, _WOUND = 1.0, 0.2, 0.2, 0.3, 0.6
"""The worth of a figure, of each of its arms, of a level of experience and of a horse; what a wound takes off."""
_HALF = 4.0
"""A party of this worth survives as often as not."""
_BATTLE = 0.4
"""Share of the worth of the party that a battle puts at stake."""
_HALF_DAY, _SQUARE, _SQUARES = 0.01, 0.0001, 500
"""Cost of a half-day in camp; worth of a new square; number of squares up to which this counts."""


def estimate(state: State) -> float:
    """Return an estimate of the result, from -1 to 1."""
    if state.result is not None:
        return float(state.result)
    worth = sum(map(_worth, state.party)) + _worth(state.party[0])
    share = worth / (worth + _HALF)
    if state.battle is not None:
        share *= 1 - _BATTLE + _BATTLE * battles().estimate(state.battle)[PARTY]
    squares = len(state.chart.squares) + (state.place not in state.chart.squares)
    found = _SQUARE * min(squares, _SQUARES)
    return 0.9 * share + found - _HALF_DAY * min(state.delay, 4)


def _worth(member: Member) -> float:
    found = _FIGURE + _ARMS * len(member.arms) + _EXPERIENCE * member.experience
    return found + _HORSE * member.horse - _WOUND * member.is_wounded
