"""Games with hidden hands, chains of dice, secret orders or one player are checked and played."""

from fractions import Fraction

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.game import Game
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource
from tests.rules.blade_game import Blade
from tests.rules.pirate_game import Pirates
from tests.rules.solo_game import Campaign

LAW = BinomialLaw(Fraction(1, 4))
GAMES = (Blade(), Pirates(), Campaign())


def played(game, names, number=0, **options):
    setup = next(iter(game.setups.values()))
    bots = [bot(name, game, LAW) for name in names[: game.players(game.initial(setup))]]
    return play(game, setup, bots, LawSource(LAW, 1), root=1, address=(number,), **options)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("games", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_hard_game_has_no_faults(game, games):
    assert check_game(game, games=games) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_greedy_plays_a_game_that_neither_settles_nor_knows_chains(game):
    class Naive(type(game)):
        def settled(self, state):
            return Game.settled(self, state)

        def chain_law(self, state, brick_law):
            return None

    assert played(Naive(), ["greedy", "greedy"], max_steps=60).actions > 3
