"""What the command line says about a game that was played, whoever played it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from brickphys.battles.players import result_text
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.sources import LawSource
from tests.rules.duel_game import Duel
from tests.rules.solo_game import Campaign

LAW = BinomialLaw(Fraction(1, 4))


def result(game, *returns):
    """The line about a game with these returns."""
    setup = next(iter(game.setups.values()))
    record = play(game, setup, [RandomBot()] * len(returns), LawSource(LAW, 1), root=1)
    return result_text(game, replace(record, returns=returns)).partition(" after ")[0]


@pytest.mark.parametrize(
    ("returns", "told"),
    [
        ((1,), "player 0 (random) wins"),
        ((Fraction(1, 3),), "player 0 (random) wins"),
        ((0,), "undecided"),
        ((-1,), "player 0 (random) loses"),
    ],
)
def test_a_game_of_one_player_is_won_or_lost(returns, told):
    assert result(Campaign(), *returns) == told


@pytest.mark.parametrize(
    ("returns", "told"),
    [
        ((1, -1), "player 0 (random) wins"),
        ((0, 0), "a draw"),
        ((-1, -1), "player 0 (random) and player 1 (random) lose"),
        ((1, 1), "player 0 (random) and player 1 (random) win"),
    ],
)
def test_players_win_or_lose_together_too(returns, told):
    assert result(Duel(), *returns) == told
