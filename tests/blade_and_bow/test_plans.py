"""Plans: legal move by move, and the same for states that look the same; holding is one of them."""

from fractions import Fraction
from functools import cache
from itertools import islice

import pytest

from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.scenario import scenario_report
from brickphys.blade_and_bow.state import State
from brickphys.odds.law import BinomialLaw
from brickphys.rules.plans import LEVELS, Effort, level
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.sources import LawSource
from brickphys.seeds import generator
from tests.cases import few, few_rows

GAME, LAW = BladeAndBow(), BinomialLaw(Fraction(0))
THINKER = GAME.thinker(LAW)


def plans(state: State):
    """Return the plans of a state without a memory of earlier ones."""
    return BladeAndBow().thinker(LAW).plans(state, Effort(LEVELS["hard"]))


@cache
def open_states(scenario: str, seed: int, every: int) -> list[State]:
    """Return states of a random game in which plans may begin."""
    setup = scenario_report(scenario).setup
    record = play(GAME, setup, [RandomBot(), RandomBot()], LawSource(LAW, seed), root=seed)
    able = (state for state in record.states if GAME.actor(state) >= 0 and THINKER.is_open(state))
    return list(islice(able, 0, None, every))


@pytest.mark.parametrize(
    ("scenario", "seed"),
    few_rows([("marathon", 1), ("thermopylae", 2), ("plataea", 3), ("mycale", 4)]),
)
def test_plans_are_legal_move_by_move(scenario, seed):
    for state in open_states(scenario, seed, 23)[:5]:
        found = plans(state)
        assert found
        assert list(found) == sorted(found, key=lambda plan: -plan.worth)
        player = GAME.actor(state)
        for plan in found:
            after = state
            for action in plan.actions:
                assert GAME.actor(after) == player, (plan, action)
                assert not GAME.problems(after, action), (plan, action)
                after = GAME.apply(after, action)


def test_states_that_look_the_same_have_the_same_plans():
    for state in open_states("marathon", 5, 40)[:3]:
        player = GAME.actor(state)
        other = GAME.alternative(state, player, generator(1))
        assert plans(state) == plans(other) == plans(state)


@cache
def impulse():
    """Return a state between two activations, and all its plans."""
    states = open_states("plataea", 6, 3)
    state = next(one for one in states if one.activation is None and not one.pending)
    return state, plans(state)


def test_holding_is_a_plan_of_an_impulse_and_counts_nothing():
    (holds,) = [plan for plan in impulse()[1] if plan.actions[0].text() == "pass"]
    assert holds.worth == 0.0


@pytest.mark.parametrize("budget", few(["hard:40", "hard:1"]))
def test_a_budget_of_states_bounds_the_search(budget):
    """At most one march of a whole army goes beyond it; what is found first stays, and is found again."""
    (state, whole), found = impulse(), []
    for _ in range(2):
        effort = Effort(level(budget))
        found.append(BladeAndBow().thinker(LAW).plans(state, effort))
        assert effort.nodes <= effort.level.nodes + len(state.setting.units)
    assert found[0] == found[1]
    assert any(plan.actions[0].text() == "pass" for plan in found[0])
    assert len(found[0]) < len(whole)


def test_a_budget_of_seconds_ends_with_what_is_found():
    state, whole = impulse()
    found = BladeAndBow().thinker(LAW).plans(state, Effort(level("hard:0.000001s")))
    assert 1 <= len(found) < len(whole)
