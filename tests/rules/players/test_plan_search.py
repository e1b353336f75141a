"""Plan search against the exact value of a small game, where every action is a plan."""

from dataclasses import replace
from fractions import Fraction

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.rules.plans import HOLDS, LEVELS, Effort, Plan
from brickphys.rules.players.plan_search import PlanSearch
from brickphys.rules.players.search import Budget, Search
from tests.rules.duel_game import ACTIONS, Duel, best_value

LAW = BinomialLaw(Fraction(1, 4))
HARD = LEVELS["hard"]
DUEL = Duel()


def single_actions(state):
    return [Plan("", action, (action,), 0.0) for action in DUEL.actions(state)]


def ranked(state, depth, nodes=10**6, candidates=single_actions):
    search = PlanSearch(DUEL, LAW, candidates, widths=(2,) * depth)
    return search.ranked(state, Effort(replace(HARD, depth=depth, nodes=nodes)))


@pytest.mark.parametrize("setup", ["even", "one hit"])
def test_plans_of_single_actions_are_ranked_by_their_exact_value(setup):
    state = DUEL.initial(DUEL.setups[setup])
    exact = {}
    for action in ACTIONS:
        after = PlanSearch(DUEL, LAW, single_actions).rolled(DUEL.apply(state, action))
        exact[action] = sum(p * float(best_value_of(one)) for one, p in after.items())
    found = {plan.purpose: plan.worth for plan in ranked(state, state.turns)}
    assert found["strike"] - found["lunge"] == pytest.approx(exact["strike"] - exact["lunge"])


def best_value_of(state):
    """What the first player gets from any state with nothing to be rolled."""
    if DUEL.actor(state) < 0:
        return DUEL.returns(state)[0]
    after = [PlanSearch(DUEL, LAW, single_actions).rolled(DUEL.apply(state, a)) for a in ACTIONS]
    worths = [sum(p * float(best_value_of(one)) for one, p in law.items()) for law in after]
    return max(worths) if state.mover == 0 else min(worths)


def test_the_oracle_agrees_with_the_value_written_from_the_rules():
    state = DUEL.initial(DUEL.setups["one hit"])
    assert best_value_of(state) == pytest.approx(float(best_value(state, Fraction(1, 4))))


def test_one_plan_ahead_is_what_greedy_finds():
    state = DUEL.initial(DUEL.setups["even"])
    look = Search(DUEL, LAW, Budget(depth=1)).look(state, ACTIONS)
    found = {plan.purpose: plan.worth for plan in ranked(state, 1)}
    assert found["strike"] - found["lunge"] == pytest.approx(look.worth[0] - look.worth[1])


def test_worth_is_the_difference_to_holding_and_the_best_comes_first():
    def candidates(state):
        return [Plan("", "lunge", ("lunge",), 0.0), Plan("", HOLDS, ("strike",), 0.0)]

    plans = ranked(DUEL.initial(DUEL.setups["even"]), 2, candidates=candidates)
    assert [plan.worth for plan in plans if plan.purpose == HOLDS] == [0.0]
    assert plans == sorted(plans, key=lambda plan: -plan.worth)


def test_plans_beyond_the_width_never_come_before_those_that_were_searched():
    def candidates(state):
        return [Plan("", str(n), (ACTIONS[n % 2],), 9.0) for n in range(4)]

    plans = ranked(DUEL.initial(DUEL.setups["even"]), 1, candidates=candidates)
    assert {plan.purpose for plan in plans[:2]} == {"0", "1"}
    assert plans == sorted(plans, key=lambda plan: -plan.worth)


def test_a_small_budget_gives_the_plans_of_the_depth_that_it_allowed():
    state = DUEL.initial(DUEL.setups["even"])
    assert ranked(state, 4, nodes=1) == ranked(state, 1)
    assert ranked(state, 4) != ranked(state, 1)


def test_rolls_that_lead_to_one_state_are_one_branch_and_add_up():
    state = DUEL.apply(DUEL.initial(DUEL.setups["even"]), "strike")
    branches = PlanSearch(DUEL, LAW, single_actions).rolled(state)
    assert sum(branches.values()) == pytest.approx(1.0)
    assert len(branches) == 3  # nothing, one or two of the health of 2
