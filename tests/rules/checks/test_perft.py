from fractions import Fraction
from itertools import pairwise
from math import factorial, perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import BrokenGameError, InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.checks.perft import perft
from brickphys.rules.events import Measurement
from brickphys.rules.record import CHANCE, OVER
from tests.rules.card_game import Cards
from tests.rules.duel_game import Duel, DuelState

LAW = BinomialLaw(Fraction(1, 4))


def walk(game, state, depth, chance=Fraction(1)):
    """Every sequence of moves, one by one: (state, chance) at its end; a game that is over goes no further."""
    actor = game.actor(state)
    if depth == 0:
        yield state, chance
    elif actor == CHANCE:
        for outcome, p in game.chance(state).law(LAW).items():
            yield from walk(game, game.apply(state, outcome), depth - 1, chance * p)
    elif actor != OVER:
        actions = game.actions(state)
        for action in actions:
            yield from walk(game, game.apply(state, action), depth - 1, chance / len(actions))


def test_cards_have_as_many_deals_and_tricks_as_combinatorics_says():
    game = Cards()
    rows = perft(game, game.initial({"cards": 6}), 9, LAW)
    deals = [perm(6, k) for k in range(5)]
    assert [row.nodes for row in rows] == [*deals, 720, 1440, 1440, 1440, 0]
    assert rows[4].states == factorial(6) // (2 * 2 * 2)
    assert [row.chances for row in rows[:5]] == [*deals[:4], 0]
    assert (rows[8].over, rows[8].over_mass) == (1440, 1)


def test_a_duel_of_one_turn_has_a_node_for_each_pair_of_scores():
    rows = perft(Duel(), DuelState((2, 2), (2, 2), (1, 1), turns=1), 2, LAW)
    assert [row.nodes for row in rows] == [1, 2, 3 * 2 + 4 * 2]
    assert rows[2].over == rows[2].nodes


@given(st.integers(0, 4), st.integers(1, 2), st.integers(0, 2))
def test_counting_equal_states_together_counts_the_same(depth, health, dodge):
    game, state = Duel(), DuelState((health, 1), (1, 2), (dodge, 1), turns=3)
    ends = list(walk(game, state, depth))
    row = perft(game, state, depth, LAW)[-1]
    over = [chance for end, chance in ends if game.actor(end) == OVER]
    assert (row.nodes, row.states) == (len(ends), len({end for end, _ in ends}))
    assert row.chances == sum(game.actor(end) == CHANCE for end, _ in ends)
    assert (row.over, row.over_mass) == (len(over), sum(over))
    assert row.mass == sum(chance for _, chance in ends)


def test_no_probability_is_lost_between_rows():
    rows = perft(Duel(), Duel().initial(Duel().setups["even"]), 8, LAW)
    for row, following in pairwise(rows):
        assert following.mass == row.mass - row.over_mass
    assert sum(row.over_mass for row in rows) == 1


def test_what_cannot_be_counted_is_refused():
    class Stuck(Duel):
        def actions(self, state):
            return ()

    class Loaded(Duel):
        def chance(self, state):
            return Half()

    class Half:
        def law(self, brick_law):
            return {(0, 0): Fraction(1, 2)}

    class Crash(Duel):
        def chance(self, state):
            return Measurement((("x_studs", 0.0, 1.0),))

    state = DuelState((1, 1), (1, 1), (1, 1))
    with pytest.raises(InvalidValueError, match="x_studs: measured; there is no exact law"):
        perft(Crash(), state, 2, LAW)
    with pytest.raises(BrokenGameError, match="duel: player 0 has no legal action in 1 1"):
        perft(Stuck(), state, 1, LAW)
    with pytest.raises(BrokenGameError, match="sums to 1/2, not to 1"):
        perft(Loaded(), state, 2, LAW)
    with pytest.raises(InvalidValueError, match="depth: -1"):
        perft(Duel(), state, -1, LAW)
