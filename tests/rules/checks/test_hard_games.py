"""Games with hidden hands, chains of dice, secret orders or one player are checked and played."""

from fractions import Fraction

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.events.sources import LawSource
from brickphys.rules.game import Game
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import CHANCE, Ending
from tests.rules.blade_game import Blade, payment
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
def test_greedy_plays_a_hard_game_to_its_end(game):
    for number in range(3):
        assert played(game, ["greedy", "greedy"], number).ending is Ending.OVER


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_greedy_plays_a_game_that_neither_settles_nor_knows_chains(game):
    class Naive(type(game)):
        def settled(self, state):
            return Game.settled(self, state)

        def chain_law(self, state, brick_law):
            return None

    assert played(Naive(), ["greedy", "greedy"], max_steps=60).actions > 3


@pytest.mark.parametrize("game", GAMES[:2], ids=lambda game: game.name)
def test_greedy_beats_random(game):
    won = 0
    for number in range(10):
        names, seat = (["greedy", "random"], 0) if number % 2 else (["random", "greedy"], 1)
        returns = played(game, names, number).returns
        won += returns[seat] - returns[1 - seat]
    assert won > 0


def test_the_law_of_a_melee_is_that_of_its_rolls():
    """Every roll and choice of a melee followed one by one, with the choices that the law assumes."""
    game = Blade()
    steps = played(game, ["random", "random"], 3).steps
    melees = [step.after for step in steps if step.text == "melee"]
    assert melees
    for state in melees[:2]:
        assert ends(game, state) == chained(game, state)


def chained(game, state):
    """The states after a melee by the laws of its chains."""
    law = game.chain_law(state, LAW)
    if law is None:
        return {state: Fraction(1)}
    return mixed((chained(game, after), chance) for after, chance in law.items())


def ends(game, state):
    """The states after a melee by its rolls."""
    if state.phase in ("choose", "command", "over"):
        return {state: Fraction(1)}
    if game.actor(state) == CHANCE:
        law = game.chance(state).law(LAW)
        merged = mixed(({game.apply(state, o): Fraction(1)}, p) for o, p in law.items())
        return mixed((ends(game, after), chance) for after, chance in merged.items())
    if state.phase != "commit":
        return ends(game, game.apply(state, "again"))
    cards = payment(state.hands[state.mover], state.owed)
    return ends(game, game.apply(state, f"play {cards[0]}" if cards else "stop"))


def mixed(laws):
    total = {}
    for law, share in laws:
        for key, chance in law.items():
            total[key] = total.get(key, Fraction(0)) + share * chance
    return total
