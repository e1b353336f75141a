"""The planner: plans are kept up to the next roll, and levels differ in budget and errors."""

from fractions import Fraction

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.game import OpenGame
from brickphys.rules.plans import LEVELS, Effort, Level, Plan, level
from brickphys.rules.players.bots import bot, bot_package, is_bot
from brickphys.rules.players.planner import Planner, _merged
from brickphys.rules.record import OVER
from tests.rules.duel_game import Duel

LAW = BinomialLaw(Fraction(1, 4))
HARD = LEVELS["hard"]
RNG = np.random.default_rng(1)


class Walk(OpenGame):
    """One player walks on a line; three steps in a row reach the goal, and each step alone looks bad."""

    name, version, setups = "walk", "1", {"only": {}}

    def initial(self, setup):
        return 0

    def players(self, state):
        return 1

    def actor(self, state):
        return OVER if state >= 3 else 0

    def actions(self, state):
        return ("rest", "step") if state < 3 else ()

    def problems(self, state, action):
        return [] if action in self.actions(state) else ["Walk 1: no"]

    def apply(self, state, move):
        return state + (move == "step")

    def estimate(self, state):
        return (float(-state),)

    def thinker(self, brick_law):
        return Steps()

    def chance(self, state):
        raise AssertionError

    def returns(self, state):
        return (1,)

    format_state = format_action = staticmethod(str)
    parse_state = parse_action = None


class Steps:
    """Plans only at the start of the line."""

    def __init__(self):
        self.efforts = []

    def is_open(self, state):
        return state == 0

    def plans(self, state, effort):
        self.efforts.append(effort)
        return [
            Plan("walker", "goes to the goal", ("step", "step", "step"), 0.5),
            Plan("walker", "holds", ("rest",), 0.0),
        ]


def chosen(player, view, actions, seed=1):
    return player.choose(view, actions, np.random.default_rng(seed))


def test_a_plan_is_played_to_its_end_though_each_step_looks_bad():
    game = Walk()
    player = Planner(game, LAW, HARD)
    assert bot("greedy1", game, LAW).choose(0, game.actions(0), RNG) == "rest"
    for state in range(3):
        assert chosen(player, state, game.actions(state)) == "step"


def test_within_a_choice_that_no_plan_covers_the_search_stands_in():
    game = Walk()
    best = bot("greedy1", game, LAW).choose(1, game.actions(1), np.random.default_rng(1))
    assert chosen(Planner(game, LAW, HARD), 1, game.actions(1)) == best


def test_a_plan_that_has_become_illegal_is_given_up():
    game = Walk()
    player = Planner(game, LAW, HARD)
    chosen(player, 0, game.actions(0))
    game.problems = lambda state, action: ["Walk 2: never"]
    assert chosen(player, 1, ("rest", "wait")) in ("rest", "wait")


def test_a_game_without_a_thinker_is_played_by_search():
    game = Duel()
    state = game.initial(game.setups["even"])
    for seed in range(5):
        expected = bot("greedy1", game, LAW).choose(
            state, game.actions(state), np.random.default_rng(seed)
        )
        assert chosen(Planner(game, LAW, HARD), state, game.actions(state), seed) == expected
    assert Planner(game, LAW, HARD).plans(state, RNG) == []


def test_plans_of_imagined_states_are_merged_by_their_mean():
    first = [Plan("", "draws", ("draw",), 1.0), Plan("", "holds", ("hold",), 0.0)]
    second = [
        Plan("", "draws", ("draw",), -0.5),
        Plan("", "holds", ("hold",), 0.0),
        Plan("", "runs", ("run",), 0.4),
    ]
    merged = {plan.purpose: plan.worth for plan in _merged([(first, 1), (second, 3)])}
    assert merged["draws"] == pytest.approx((1.0 - 1.5) / 4)
    assert merged["holds"] == 0.0
    assert merged["runs"] == pytest.approx((0.0 + 1.2) / 4)  # missing in the first: as its worst


def test_an_error_of_the_level_makes_it_choose_worse_plans_at_times():
    game = Walk()
    careless = Level("easy", depth=1, width=2, nodes=10, noise=0.5)
    first = [chosen(Planner(game, LAW, careless), 0, ("rest", "step"), seed) for seed in range(200)]
    # P(normal(0, .5 * sqrt 2) > .5) = .24; a false alarm beyond .12 or .36 has a chance below 1 in 10,000
    assert 24 <= first.count("rest") <= 72
    assert {chosen(Planner(game, LAW, HARD), 0, ("rest", "step"), s) for s in range(20)} == {"step"}


def test_levels_by_name():
    assert level("hard") is HARD
    assert level("fair:500").nodes == 500
    assert level("hard:2.5s").seconds == 2.5
    assert level("greedy") is LEVELS["greedy"]
    assert level("greedy1") is None
    assert is_bot("hard:2s")
    assert not is_bot("module:Class")
    assert bot_package("hard:2s") is None
    assert bot("hard:2s", Walk(), LAW).name == "hard:2s"


@pytest.mark.parametrize(
    "name", ["hard:0", "hard:0s", "hard:", "easy:-1", "fair:1.5", "hard:1e400s", "hard:soon"]
)
def test_a_budget_that_is_none_is_refused(name):
    with pytest.raises(InvalidValueError, match="no budget of a decision"):
        level(name)


def test_an_effort_ends_with_its_nodes_or_its_time():
    effort = Effort(LEVELS["fair"])
    assert effort.spend(2_000)
    assert not effort.spend()
    assert effort.is_over
    late = Effort(level("fair:0.000001s"))
    while late.spend():
        pass
    assert late.is_over


def test_greedy1_judges_by_the_weights_of_the_hand():
    game = Walk()
    game.hand_estimate = lambda state: (float(state),)
    assert bot("greedy1", game, LAW).choose(0, game.actions(0), RNG) == "step"
    game.thinker = lambda law: None
    assert bot("greedy", game, LAW).choose(0, game.actions(0), RNG) == "rest"
