from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.events import Measurement
from brickphys.rules.game import OpenGame
from brickphys.rules.players.bots import BOTS, bot
from brickphys.rules.players.search import Budget, Search, SearchBot
from brickphys.rules.record import CHANCE, OVER
from brickphys.rules.rolls import DiceRoll
from tests.rules.blade_game import CARDS, Blade, Blades
from tests.rules.card_game import Cards, CardState
from tests.rules.contest_game import Contest
from tests.rules.duel_game import Duel, DuelState, best_value
from tests.rules.pirate_game import Pirates

LAW = BinomialLaw(Fraction(1, 4))
DUEL = Duel()
DEEP = Budget(nodes=10**6)
pair = st.tuples(st.integers(1, 2), st.integers(1, 2))


class SingleRolls(Blade):
    """Blade without its law of a melee: every roll is followed."""

    def chain_law(self, state, brick_law):
        return None


def melee_state():
    """A state in which the first player may fight; both have cards."""
    hands = (("a0", "b1", "c2"), ("a1", "b0"))
    deck = tuple(card for card in CARDS if card not in (*hands[0], *hands[1]))
    return Blades(deck, hands, ranks=(2, 2), shown=True, phase="choose", actions=2)


class Sixes(OpenGame):
    """Rest for one point, or roll dice for a point for each six."""

    name, version, setups = "sixes", "1", {"only": {}}

    def __init__(self, dice):
        self.dice = dice

    def initial(self, setup):
        return 0

    def players(self, state):
        return 1

    def actor(self, state):
        return {0: 0, -1: CHANCE}.get(state, OVER)

    def actions(self, state):
        return ("roll", "rest")

    def problems(self, state, action):
        return []

    def chance(self, state):
        return DiceRoll(self.dice)

    def apply(self, state, move):
        if isinstance(move, str):
            return -1 if move == "roll" else 101
        return 100 + move.count(6)

    def returns(self, state):
        return (state - 100,)

    def estimate(self, state):
        return (float(state),)

    format_state = format_action = staticmethod(str)
    parse_state = parse_action = None


class Ties(Sixes):
    """Peace for 0.4, or a die each: 1 for the higher, 0 for the lower, rolled again at a tie."""

    def __init__(self):
        super().__init__(1)

    def actor(self, state):
        return 0 if state == () else CHANCE if state[0] == "roll" else OVER

    def apply(self, state, move):
        if isinstance(move, str):
            return ("roll",) if move == "dice" else ("end", Fraction(2, 5))
        if len(state) == 1:
            return (*state, *move)
        return ("roll",) if state[1] == move[0] else ("end", int(state[1] > move[0]))

    def returns(self, state):
        return (state[1],)


class TwoRolls(Sixes):
    """Each of four choices is followed by two rolls of four dice, of which only the sums count."""

    def __init__(self):
        super().__init__(4)
        self.calls = 0

    def actor(self, state):
        turn, phase, _ = state
        return OVER if turn == 4 else 0 if phase == "choose" else CHANCE

    def actions(self, state):
        return range(5) if self.actor(state) == 0 else ()

    def apply(self, state, move):
        self.calls += 1
        turn, phase, number = state
        if phase == "choose":
            return turn, "first", move
        if phase == "first":
            return turn, "second", sum(move)
        if sum(move) == number or sum(move) % 2:
            return turn, "first", number + 100
        return turn + 1, "choose", sum(move)

    def returns(self, state):
        return (1,)

    def estimate(self, state):
        return (state[2] / 1000,)

    def settled(self, state):
        return state[1] == "choose"


def rng(seed=0):
    return np.random.default_rng(seed)


@given(pair, pair, st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(1, 4))
def test_a_whole_search_finds_the_value_of_backward_induction(health, attack, dodge, turns):
    state = DuelState(health, attack, dodge, turns=turns)
    found = Search(DUEL, LAW, DEEP).look(state, DUEL.actions(state))
    assert found.complete
    assert max(found.worth) == pytest.approx(float(best_value(state, LAW.p)), abs=1e-12)


def test_the_second_player_plays_for_himself():
    state = DuelState((1, 1), (1, 3), (2, 0), mover=1, turns=1)
    strike, lunge = Search(DUEL, LAW, DEEP).look(state, DUEL.actions(state)).worth
    assert strike == pytest.approx(float(opposed(3, 2, LAW).success))
    assert lunge > strike


def test_a_budget_of_nodes_is_kept_and_gives_always_the_same():
    state = DuelState((3, 3), (2, 2), (1, 1), turns=20)
    looks = [
        Search(DUEL, LAW, Budget(nodes=3000)).look(state, DUEL.actions(state)) for _ in range(2)
    ]
    assert looks[0] == looks[1]
    assert looks[0].nodes <= 3000
    assert not looks[0].complete
    assert looks[0].depth > 2


@pytest.mark.parametrize("first", [1, 10, 100, 1000])
def test_the_first_depth_is_finished_and_keeps_its_budget_too(first):
    game = SingleRolls()
    state = melee_state()
    found = Search(game, LAW, Budget(nodes=1, first=first)).look(state, game.actions(state))
    assert (found.depth, len(found.worth)) == (1, 2)
    assert found.nodes <= max(first, 2)
    assert not found.complete


def test_a_sampled_search_finds_the_same_again_and_nearly_the_exact_worth():
    """Eight dice for 1,287 outcomes: a point for each six."""
    game = Sixes(8)
    exact = Search(game, LAW, DEEP).look(0, game.actions(0))
    assert exact.worth == (pytest.approx(8 / 6), 1.0)
    sampled = [
        Search(game, LAW, Budget(depth=1, first=400)).look(0, ("roll", "rest")) for _ in "ab"
    ]
    assert sampled[0] == sampled[1]
    assert sampled[0].nodes <= 400
    assert sampled[0].worth[0] == pytest.approx(8 / 6, abs=0.2)


@pytest.mark.parametrize(("nodes", "depth"), [(200, 1), (2000, 2), (20_000, 10)])
def test_moves_that_lead_to_few_states_are_bounded_by_the_budget_too(nodes, depth):
    """Four dice fall in 126 ways, for 21 sums."""
    game, state = TwoRolls(), (0, "choose", 0)
    found = Search(game, LAW, Budget(nodes=nodes, first=200)).look(state, range(5))
    assert found.depth == depth
    assert game.calls <= 5 + 10 * nodes


def test_worlds_of_one_choice_share_the_budget():
    game = SingleRolls()
    state = melee_state()
    found = Search(game, LAW, Budget(first=400)).look(state, game.actions(state), worlds=4)
    assert found.nodes <= 100


def test_a_tie_that_is_rolled_again_counts_as_what_follows_it():
    """One die each, the higher wins: an even chance however often it is rolled again."""
    game = Ties()
    found = Search(game, LAW, Budget(depth=1)).look((), ("dice", "peace"))
    assert found.worth == (pytest.approx(0.5), 0.4)


def test_dice_without_end_are_judged_by_the_estimate():
    class Endless(Sixes):
        def actor(self, state):
            return 0 if state == 0 else CHANCE

        def apply(self, state, move):
            return state + 1

    found = Search(Endless(1), LAW, Budget(depth=1)).look(0, ("roll",))
    assert found.nodes == 101
    assert found.worth == (pytest.approx(101.0),)


def test_a_search_ends_at_a_settled_state_though_dice_come_next():
    game = Pirates()
    state = game.initial({"gap": 40})._replace(order=(0, 1), phase="declare", who=1)
    found = Search(game, LAW, Budget(depth=1)).look(state, game.actions(state))
    assert found.nodes == len(game.actions(state)) == 5


def test_a_chain_of_rolls_is_one_node():
    game = Blade()
    state = melee_state()
    found = Search(game, LAW, Budget(depth=1)).look(state, ("melee",))
    law = game.chain_law(game.apply(state, "melee"), LAW)
    assert len(law) <= 3
    assert found.nodes < 60
    single = Search(SingleRolls(), LAW, Budget(depth=1, first=10**6)).look(state, ("melee",))
    assert single.nodes > 10 * found.nodes


def test_time_ends_a_search():
    state = DuelState((9, 9), (4, 4), (3, 3), turns=40)
    found = Search(DUEL, LAW, Budget(nodes=10**9, seconds=0.05)).look(state, DUEL.actions(state))
    assert not found.complete


@pytest.mark.parametrize(
    "wrong", [{"nodes": 0}, {"first": 0}, {"depth": 0}, {"depth": 41}, {"seconds": 0.0}]
)
def test_impossible_budgets_are_refused(wrong):
    with pytest.raises(InvalidValueError, match=next(iter(wrong))):
        Budget(**wrong)


def test_a_game_with_something_measured_cannot_be_searched():
    class Crash(Duel):
        def chance(self, state):
            return Measurement((("x_studs", 0.0, 1.0),))

    with pytest.raises(InvalidValueError, match="no exact law"):
        Search(Crash(), LAW).look(DuelState((1, 1), (1, 1), (1, 1)), ["strike"])


def test_a_choice_that_was_split_is_judged_whole_even_by_a_greedy_bot():
    class Split(Duel):
        """First one says whom, then one strikes or not at all."""

        def actions(self, state):
            if self.actor(state) < 0:
                return ()
            return ("aim", "rest") if state.rolling == "-" else ("strike",)

        def actor(self, state):
            return state.mover if state.rolling == "aim" else super().actor(state)

        def apply(self, state, move):
            if move == "rest":
                return super().apply(super().apply(state, "strike"), (0, 0))
            return super().apply(state, move)

        def settled(self, state):
            return state.rolling == "-"

    state = DuelState((2, 2), (3, 3), (1, 1), turns=6)
    look = Search(Split(), LAW, Budget(depth=1)).look(state, ["aim", "rest"])
    assert look.worth[0] > look.worth[1] == 0


def test_greedy_takes_the_best_exact_odds_of_one_choice():
    # Two bricks against one or three against one: three hit harder, and what the lunge costs later is not seen.
    state = DuelState((9, 9), (2, 2), (1, 1), turns=20)
    assert bot("greedy", DUEL, LAW).choose(state, DUEL.actions(state), rng()) == "lunge"


def test_lookahead_sees_what_greed_does_not():
    # A lunge leaves one open to the last blow of the game.
    state = DuelState((1, 9), (1, 3), (3, 9), turns=2)
    assert bot("greedy", DUEL, LAW).choose(state, DUEL.actions(state), rng()) in ("strike", "lunge")
    worth = Search(DUEL, LAW, DEEP).look(state, DUEL.actions(state)).worth
    assert worth[0] > worth[1]
    assert bot("lookahead", DUEL, LAW).choose(state, DUEL.actions(state), rng()) == "strike"


def test_equals_are_chosen_alike_often():
    state = DuelState((9, 9), (0, 0), (9, 9), turns=1)
    chosen = [
        bot("greedy", DUEL, LAW).choose(state, DUEL.actions(state), rng(i)) for i in range(200)
    ]
    assert 60 < chosen.count("strike") < 140


def test_where_something_is_hidden_the_mean_over_imagined_worlds_decides():
    class Watched(Cards):
        def imagine(self, view, rng):
            worlds.append(super().imagine(view, rng))
            return worlds[-1]

    worlds = []
    game, search = Watched(), Search(Watched(), LAW, DEEP)
    state = CardState((3, 4), ((1, 6), (2, 5)), dealt=4)
    view, actions = game.observe(state, 0), game.actions(state)
    chosen = SearchBot("lookahead", search, worlds=5).choose(view, actions, rng())
    assert len(worlds) == 5
    assert len(set(worlds)) > 1
    looks = [search.look(world, actions).worth for world in list(worlds)]
    means = [sum(worth) for worth in zip(*looks, strict=True)]
    assert means[actions.index(chosen)] == pytest.approx(max(means))


@pytest.mark.parametrize(("phase", "count"), [("move", 1), ("declare", 4)])
def test_several_worlds_are_imagined_only_where_something_is_hidden(phase, count):
    class Watched(Pirates):
        def imagine(self, view, rng):
            worlds.append(super().imagine(view, rng))
            return worlds[-1]

    worlds, game = [], Watched()
    state = game.initial({"gap": 40})._replace(order=(0, 1), leaps=1, phase=phase, who=1)
    bot("greedy", game, LAW).choose(game.observe(state, 1), game.actions(state), rng())
    assert len(worlds) == count


def edge_over_blind(bot, state):
    """What a bot gets on average against one who chooses blindly, summed over all ways the game can go."""
    actor = DUEL.actor(state)
    if actor == OVER:
        return Fraction(DUEL.returns(state)[0])
    if actor == CHANCE:
        law = DUEL.chance(state).law(LAW)
        return sum(p * edge_over_blind(bot, DUEL.apply(state, o)) for o, p in law.items())
    actions = DUEL.actions(state) if actor else [bot.choose(state, DUEL.actions(state), rng())]
    ends = [edge_over_blind(bot, DUEL.apply(state, action)) for action in actions]
    return sum(ends) / len(ends)


def test_lookahead_beats_who_is_greedy_and_who_is_blind():
    state = DuelState((1, 1), (2, 2), (4, 4), turns=3)
    ahead = edge_over_blind(bot("lookahead", DUEL, LAW), state)
    assert ahead > edge_over_blind(bot("greedy", DUEL, LAW), state)
    assert ahead > Fraction(1, 20)


def test_both_searchers_take_the_greatest_weight_for_either_side():
    for name in ("greedy", "lookahead"):
        for state in ((), (4,)):
            assert bot(name, Contest(), LAW).choose(state, Contest().actions(state), rng()) == 8


def test_one_action_needs_no_search():
    class Blind(Duel):
        def apply(self, state, move):
            raise AssertionError

    state = DuelState((1, 1), (1, 1), (1, 1))
    assert bot("greedy", Blind(), LAW).choose(state, ["strike"], rng()) == "strike"


def test_bots_by_name():
    assert [bot(name, Contest(), LAW).name for name in BOTS] == list(BOTS)
    with pytest.raises(InvalidValueError, match="unknown bot 'gredy': did you mean 'greedy'"):
        bot("gredy", Contest(), LAW)


def test_a_search_bot_needs_a_world():
    with pytest.raises(InvalidValueError, match="worlds: 0"):
        SearchBot("none", Search(Cards(), LAW), worlds=0)
