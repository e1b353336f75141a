"""Plans of ships: legal move by move, the same for the same state, and never worse than to hold."""

from dataclasses import replace

import pytest

from brickphys.pirate_wars.helm.plans import PirateThinker
from brickphys.pirate_wars.state import Fate, Phase
from brickphys.rules.plans import LEVELS, Effort
from brickphys.rules.record import OVER
from tests.cases import all_but
from tests.pirate_wars.battle import GAME, LAW, NAMES, battle, random_states, setup

THINKER = PirateThinker(LAW)
HARD = LEVELS["hard"]


def plans(state):
    return THINKER.plans(state, Effort(HARD))


def open_states(name, seed, step):
    found = (
        state
        for state in random_states(setup(name), seed)
        if GAME.actor(state) >= 0 and THINKER.is_open(state)
    )
    return [state for number, state in enumerate(found) if not number % step]


@pytest.mark.parametrize("name", all_but(NAMES, "duel_fair", "convoy_fair"))
def test_plans_are_legal_move_by_move_and_the_same_for_the_same_state(name):
    for state in open_states(name, 3, 9)[:25]:
        found = plans(state)
        assert found == plans(state)
        assert [plan.worth for plan in found] == sorted((p.worth for p in found), reverse=True)
        assert state.pending or any(plan.is_holding and plan.worth == 0.0 for plan in found)
        for plan in found:
            after, player = state, GAME.actor(state)
            for action in plan.actions:
                assert GAME.actor(after) == player
                assert not GAME.problems(after, action)
                after = GAME.apply(after, action)


def test_bots_that_plan_finish_a_battle_and_stay_on_the_sea():
    record = battle(setup("duel"), "hard", "hard")
    assert GAME.actor(record.final) == OVER
    each = [GAME.conduct(record, player) for player in (0, 1)]
    left = sum(counts["left_the_sea"] for counts in each)
    assert left == sum(s.fate is Fate.LEFT for s in record.final.ships) == 0
    fights = "rams", "boardings", "shots", "musket_shots"
    assert sum(counts[name] for counts in each for name in fights) > 0


@pytest.mark.parametrize("nodes", [1, 20, 100])
def test_a_budget_of_states_bounds_a_decision_and_leaves_it_sound(nodes):
    level = replace(HARD, nodes=nodes)
    for state in open_states("duel", 3, 9)[:12]:
        effort, whole = Effort(level), Effort(HARD)
        found = THINKER.plans(state, effort)
        assert found == THINKER.plans(state, Effort(level))
        assert effort.nodes <= nodes + 10
        assert not GAME.problems(state, found[0].actions[0])
        assert found[0].worth <= THINKER.plans(state, whole)[0].worth + 1e-9


def test_a_plan_of_a_course_moves_the_ship_to_the_end_of_its_turn():
    state = next(s for s in open_states("duel", 1, 1) if s.phase is Phase.MOVEMENT)
    for plan in plans(state):
        after = state
        for action in plan.actions:
            after = GAME.apply(after, action)
        assert after.active is None or after.pending or after.active != state.active
