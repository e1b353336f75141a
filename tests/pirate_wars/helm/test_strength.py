"""Bots that plan beat the yardstick."""

import pytest

from brickphys.pirate_wars.helm.conduct import COUNTS
from brickphys.seeds import generator
from tests.pirate_wars.battle import GAME, battle, setup

LIKE = ("black_seas_barracuda", "imperial_flagship", "renegade_runner", "black_pearl")


def won(record, players):
    """Whether these players have won."""
    returns = record.returns
    return returns is not None and all(returns[player] > 0 for player in players)


@pytest.mark.slow
def test_who_plans_wins_the_chase_from_both_seats():
    """Of 20 games at least 13: a bot that wins 85 % of them falls below that once in 170 times."""
    wins = 0
    for root in range(10):
        wins += won(battle(setup("chase"), "hard", "greedy1", root=root), [0])
        wins += won(battle(setup("chase"), "greedy1", "hard", root=root), [1])
    assert wins >= 13


@pytest.mark.slow
def test_who_plans_wins_duels_of_like_ships():
    """Of 64 games more than half: a bot that wins 65 % of them falls below that once in 80 times."""
    wins = 0
    for number in range(32):
        ship = LIKE[number % len(LIKE)]
        given = GAME.draw_setup({"ships": [ship, ship]}, generator(301, number))[1]
        wins += won(battle(given, "hard", "greedy1", root=number), [0])
        wins += won(battle(given, "greedy1", "hard", root=number), [1])
    assert wins > 32


def test_the_counts_of_conduct_have_fixed_names():
    record = battle(setup("duel"), "greedy1", "random")
    assert set(GAME.conduct(record, 0)) == set(COUNTS)
