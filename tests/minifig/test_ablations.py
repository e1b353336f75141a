"""Ablations: bots that plan without one of their ingredients win fewer duels against the yardstick."""

from fractions import Fraction

import pytest

from brickphys.minifig import worth
from brickphys.minifig.game import Minifig
from brickphys.minifig.plans import turn
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource

GAME, LAW = Minifig(), BinomialLaw(Fraction(29, 100))
PAIRS = 40
pytestmark = pytest.mark.slow


def duels_won() -> int:
    """Return how many of 80 duels hard wins against greedy1, each dice from both seats."""
    won = 0
    for seed in range(3000, 3000 + PAIRS):
        for seat in (0, 1):
            players = [bot("greedy1", GAME, LAW), bot("greedy1", GAME, LAW)]
            players[seat] = bot("hard", GAME, LAW)
            record = play(GAME, GAME.setups["duel"], players, LawSource(LAW, seed), root=seed)
            won += record.returns[seat] > 0
    return won


@pytest.fixture(scope="module")
def won():
    """Return the duels that hard wins as it is: 60 when this was written."""
    return duels_won()


def test_without_care_for_what_is_risked(won, monkeypatch):
    """40 won when this was written. If that is the difference, equality has a chance below 0.1 %."""
    monkeypatch.setattr(turn, "CARES", (0.0, 0.0, 0.0))
    assert duels_won() < won


def test_without_the_worth_of_bows(won, monkeypatch):
    """40 won when this was written. If that is the difference, equality has a chance below 0.1 %."""
    weights = dict(zip(worth.FEATURES, worth._weights(), strict=True))
    changed = tuple((weights | {"shooters": 0.0, "shooters_of_few": 0.0}).values())
    monkeypatch.setattr(worth, "_weights", lambda: changed)
    assert duels_won() < won


def test_without_styles_of_a_turn(won, monkeypatch):
    """55 won when this was written. If that is the difference, equality has a chance of 20 %."""
    monkeypatch.setattr(turn, "CARES", (0.4, 0.4, 0.4))
    assert duels_won() < won


def test_without_what_a_shot_spares(won, monkeypatch):
    """54 won when this was written. If that is the difference, equality has a chance of 15 %."""
    monkeypatch.setattr(turn.Turn, "_spared", lambda *_: 0.0)
    assert duels_won() < won
