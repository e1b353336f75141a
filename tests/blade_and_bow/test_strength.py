"""Strength: battles of `hard` against greedy by weights by hand, and what it loses without one ingredient.

All seeds are fixed, so a test fails only after a change of play. The chances that it then fails for a bot that is as
strong as this one are told.
"""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from brickphys.blade_and_bow.command import formation
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.tactics import orders
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource

GAME, LAW = BladeAndBow(), BinomialLaw(Fraction(0))


def returns(scenario: str, seat: int, seeds: range) -> list[Fraction]:
    """Return what `hard` gets at a seat against greedy1."""
    players = [bot("hard", GAME, LAW), bot("greedy1", GAME, LAW)]
    found = []
    for seed in seeds:
        order = players[:: -1 if seat else 1]
        record = play(GAME, GAME.setups[scenario], order, LawSource(LAW, seed), root=seed)
        assert record.returns is not None
        found.append(record.returns[seat])
    return found


def wins(scenario: str, seat: int, seeds: range) -> int:
    return sum(one > 0 for one in returns(scenario, seat, seeds))


@pytest.mark.slow
def test_persians_can_win_marathon():
    """Greedy Persians won none of eight against greedy Greeks, these some half; at least one of five (3 %)."""
    assert wins("marathon", 1, range(700, 705)) >= 1


@pytest.mark.slow
def test_without_formations_the_greeks_win_less(monkeypatch):
    """Units on their own: at Marathon they get less than the whole army of them, which wins nearly always (2 %)."""
    whole = sum(returns("marathon", 0, range(700, 703)))
    bare = {**vars(formation), "active_leaders": lambda state: ()}
    monkeypatch.setattr(orders, "formation", SimpleNamespace(**bare))  # the rules keep theirs
    alone = sum(returns("marathon", 0, range(700, 703)))
    assert alone < whole
    assert whole > 1


@pytest.mark.slow
def test_greeks_hold_thermopylae():
    """They won nine of ten against greedy1, with or without a guard for their camp; at least three of five (1 %)."""
    assert wins("thermopylae", 0, range(500, 505)) >= 3
