"""The worth of a battle: its features, and how well its weights foresee who wins."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.fit_worth import minifig_turn_begins
from benchmarks.fitting import SelfPlay, log_loss, self_play
from brickphys.files import shipped_tables
from brickphys.minifig import bot, worth
from brickphys.minifig.game import Minifig
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.worth import FittedWorth
from brickphys.rules.sources import LawSource
from tests.minifig.small_battle import battle, fighter

GAME, LAW = Minifig(), BinomialLaw(Fraction(29, 100))


def states(scenario, steps=200):
    record = play(
        GAME,
        GAME.setups[scenario],
        [RandomBot(), RandomBot()],
        LawSource(LAW, 3),
        root=3,
        max_steps=steps,
    )
    return [state for state in record.states if state.winners is None]


def test_more_is_never_worse():
    weights = shipped_tables("brickphys.minifig", "worth")["weights"]
    assert min(weights.values()) >= 0.0
    assert weights["log_worth"] > 0.0


@pytest.mark.parametrize("scenario", ["duel", "siege", "raid"])
def test_what_one_side_gains_the_other_loses(scenario):
    for state in states(scenario)[::9]:
        one, other = worth.features(state)
        assert one == pytest.approx(-other)
        if state.order:
            found = worth.estimate(state)
            assert found[0] == -found[1]
            assert -1.2 < found[0] < 1.2


def test_sums_are_those_of_the_figures():
    for state in states("skirmish")[::20]:
        rows = np.array(worth.rows(state))
        own = np.array([state.team(one) == 0 for one in state.alive])
        lives = {state.alive[0]: 0.25}
        assert np.allclose(worth.sums(state, 0)[0], rows[own].sum(axis=0))
        rows[0] *= 0.25
        assert np.allclose(worth.sums(state, 0, lives)[0], rows[own].sum(axis=0))


def test_a_stronger_side_is_worth_more():
    one = fighter("tom", 5, 5, "sword", "shield")
    two, archer = fighter("sam", 5, 8, "axe"), fighter("rob", 5, 8, "bow")
    foe = fighter("bob", 20, 5, "sword", "shield", player=1)
    alone, both, shoots = (battle(one, *more, foe) for more in ([], [two], [archer]))
    values = [worth.estimate(state)[0] for state in (alone, both, shoots)]
    assert values == sorted(values)


def test_worths_of_figures_have_the_mean_that_they_should():
    state = states("skirmish")[0]
    worths, unit = worth.figure_worths(state, 0)
    assert np.mean(list(worths.values())) == pytest.approx(worth.USUAL, rel=0.05)
    assert 0.0 < unit < 0.2


def test_the_weights_by_hand_stay_for_the_yardstick():
    state = states("duel")[5]
    assert GAME.hand_estimate(state) == bot.estimate(state)


@pytest.mark.slow
def test_new_games_are_foreseen():
    """24 games of greedy bots that were not fitted: the loss of a coin is .693."""
    plan = SelfPlay(
        GAME,
        worth.features,
        bot.estimate,
        lambda rng: GAME.draw_setup({"figures": int(rng.integers(3, 7)), "apart": 14}, rng)[1],
        [["greedy1", "greedy1"]],
        LAW,
        minifig_turn_begins,
    )
    samples = self_play(plan, 24, 77)
    weights = FittedWorth.shipped("brickphys.minifig", worth.FEATURES)
    chances = (weights.values(samples.features) + 1) / 2
    assert log_loss(chances, samples.won) < 0.6
