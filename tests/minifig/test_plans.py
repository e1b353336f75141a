"""Plans of bots: legal move by move, holding is 0, the same state has the same plans, no senseless ones."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from brickphys.minifig.game import Minifig
from brickphys.minifig.state import Phase, State
from brickphys.odds.law import BinomialLaw
from brickphys.rules.plans import HOLDS, LEVELS, Effort
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource
from tests.cases import all_but

GAME, LAW = Minifig(), BinomialLaw(Fraction(29, 100))
HARD = LEVELS["hard"]
THINKER = GAME.thinker(LAW)


@lru_cache
def open_states(scenario: str, names: tuple[str, str], count: int) -> list[State]:
    """Return states of a game at which plans may begin, evenly spaced."""
    players = [bot(name, GAME, LAW) for name in names]
    source = LawSource(LAW, 5)
    record = play(GAME, GAME.setups[scenario], players, source, root=5, max_steps=150)
    able = [s for s in record.states if GAME.actor(s) >= 0 and THINKER.is_open(s)]
    return [able[index] for index in np.linspace(0, len(able) - 1, count).astype(int)]


def plans(state, level=HARD):
    return THINKER.plans(state, Effort(level))


@pytest.mark.parametrize("scenario", all_but(["duel", "skirmish", "siege", "raid"], "skirmish"))
def test_every_plan_is_legal_move_by_move(scenario):
    for state in open_states(scenario, ("random", "random"), 3):
        for plan in plans(state):
            after = state
            for action in plan.actions:
                assert GAME.problems(after, action) == [], (plan, GAME.format_state(after))
                after = GAME.apply(after, action)
            assert after.active is None
            assert -2.0 <= plan.worth <= 2.0


def test_holding_is_worth_nothing_and_plans_are_ordered():
    for state in open_states("raid", ("random", "random"), 6):
        found = plans(state)
        assert [plan.worth for plan in found] == sorted((p.worth for p in found), reverse=True)
        if state.phase is Phase.MOVEMENT:
            assert [plan.worth for plan in found if plan.purpose == HOLDS] == [0.0]
            assert all(plan.worth > 0.0 for plan in found[:-1])


def test_who_was_taken_has_its_plans_of_the_turn():
    """A person who has taken a figure is advised as before; who has no plan is left as it is."""
    begin = open_states("skirmish", ("random", "random"), 3)[0]
    turn = plans(begin)
    for plan in turn[:-1]:
        after = GAME.apply(begin, plan.actions[0])
        own, held = plans(after)
        assert (own.actions, own.worth) == (plan.actions[1:], plan.worth)
        assert GAME.problems(after, held.actions[0]) == []


def test_the_same_state_has_the_same_plans():
    fresh = GAME.thinker(LAW)
    for state in open_states("siege", ("random", "greedy1"), 3):
        assert plans(state) == fresh.plans(state, Effort(HARD))
        again = GAME.parse_state(GAME.format_state(state))
        assert plans(state) == plans(again)


def test_small_budgets_have_plans_too():
    state = open_states("skirmish", ("random", "random"), 3)[1]
    for level in LEVELS.values():
        assert len(plans(state, level)) > 1


def test_a_budget_bounds_what_is_looked_at():
    """The first look at every figure is always had; a decision of 100 states stops soon after them."""
    state = open_states("skirmish", ("random", "random"), 3)[1]
    spent = {}
    for nodes in (1, 100, 100_000):
        of_level = replace(HARD, nodes=nodes)
        one, again = Effort(of_level), Effort(of_level)
        assert THINKER.plans(state, one) == THINKER.plans(state, again)
        spent[nodes] = one.nodes
    assert spent[1] < spent[100] < spent[100_000] < 2_000
    assert spent[1] < 4 * len(state.alive)
    timed = Effort(replace(HARD, seconds=1e-9))
    assert len(THINKER.plans(state, timed)) > 1
    assert timed.nodes == spent[1]


def test_nobody_moves_for_nothing():
    """No plan ends where its figure stands, facing as it does, without a shot or a blow."""
    for state in open_states("skirmish", ("random", "greedy1"), 5):
        for plan in plans(state):
            after = state
            for action in plan.actions:
                after = GAME.apply(after, action)
            if plan.purpose != HOLDS:
                assert after.figures != state.figures or after.pending or after.items != state.items


def test_plans_begin_where_a_figure_is_taken_or_a_blow_is_chosen():
    game = GAME
    state = open_states("duel", ("random", "random"), 1)[0]
    assert THINKER.is_open(state)
    taken = game.apply(state, plans(state)[0].actions[0])
    assert THINKER.is_open(taken)
    assert not THINKER.is_open(taken.replaced({"menu": "go"}))


@pytest.mark.slow
def test_hard_beats_the_yardstick():
    """Skirmish of 6 games, seats swapped; with a true share of 85 % fewer than 3 wins have a chance of 0.6 %."""
    won = 0
    for seed in range(3):
        for seat in (0, 1):
            players = [bot("greedy1", GAME, LAW), bot("greedy1", GAME, LAW)]
            players[seat] = bot("hard", GAME, LAW)
            record = play(
                GAME, GAME.setups["skirmish"], players, LawSource(LAW, seed), root=700 + seed
            )
            won += record.returns[seat] > 0
    assert won >= 3
