"""Advice: plans for people, whose worths are differences of the chance to win, as played games tell it."""

import pytest

from brickphys.battles.start import law_rolls
from brickphys.odds.law_file import default_law
from brickphys.rules.plans import LEVELS
from brickphys.rules.play import play
from brickphys.rules.players.advice import Adviser, chance_scale
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.planner import Planner
from brickphys.rules.registry import game
from brickphys.seeds import generator

LAW, HARD = default_law(), LEVELS["hard"]


@pytest.mark.parametrize(("slope", "worth", "chance"), [(0.5, 0.8, 0.75), (2.0, 0.5, 0.9)])
def test_a_slope_stretches_the_logarithm_of_the_odds(slope, worth, chance):
    """A worth of .8 is a chance of .9, so odds of 9 to 1; half the logarithm is 3 to 1. One of .5 is 3 to 1."""
    assert chance_scale(worth, slope) == pytest.approx(2 * chance - 1)
    assert chance_scale(-worth, slope) == pytest.approx(1 - 2 * chance)
    assert chance_scale(7.0, slope) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "setup", "drawn_in"),
    [
        ("bow", "skirmish", True),
        ("blade_and_bow", "mycale", True),
        ("minifig", "duel", False),
        ("pirate_wars", "duel", True),
    ],
)
def test_plans_keep_their_order_and_come_in_points_of_the_chance_to_win(name, setup, drawn_in):
    """Where plans are compared by hand, differences are smaller than those that the bot sees; else they are equal."""
    played = game(name)
    players = [RandomBot()] * played.players(played.initial(played.setups[setup]))
    record = play(played, played.setups[setup], players, law_rolls(LAW, 3), root=3, max_steps=60)
    adviser, planner = Adviser(played, LAW, HARD), Planner(played, LAW, HARD)
    views = (
        played.observe(one, played.actor(one)) for one in record.states if played.actor(one) >= 0
    )
    view = next(view for view in views if len(adviser.whole(view, generator(0, 0))) > 1)
    told, seen = (one(view, generator(0, 0)) for one in (adviser.whole, planner.plans))
    assert [plan.actions for plan in told] == [plan.actions for plan in seen]
    ranks = [plan.worth for plan in told]
    assert ranks == sorted(ranks, reverse=True)
    if not drawn_in:
        assert told == seen
        return
    assert 0 < told[0].worth - told[-1].worth < seen[0].worth - seen[-1].worth
