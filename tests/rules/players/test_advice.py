"""Advice: plans for people, whose worths are differences of the chance to win, as played games tell it."""

import pytest

from brickphys.battles.start import law_rolls
from brickphys.odds.law_file import default_law
from brickphys.rules.plans import LEVELS, Plan
from brickphys.rules.play import play
from brickphys.rules.players.advice import Adviser, chance_scale, remaining
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.planner import Planner
from brickphys.rules.registry import game
from brickphys.seeds import generator
from tests.rules.report.squad_game import Squad, SquadState

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


@pytest.mark.parametrize(
    ("name", "setup", "steps"),
    [
        ("bow", "duel", 60),
        ("minifig", "duel", 60),
        ("pirate_wars", "duel", 30),
        ("blade_and_bow", "mycale", 60),
    ],
)
def test_what_is_advised_within_a_choice_can_be_done(name, setup, steps):
    """Every hint is legal to its end; some are what is left of plans that began before."""
    played, rng, goes_on = game(name), generator(0, 0), 0
    players = [RandomBot()] * played.players(played.initial(played.setups[setup]))
    record = play(played, played.setups[setup], players, law_rolls(LAW, 5), root=5, max_steps=steps)
    adviser, earlier = Adviser(played, LAW, LEVELS["easy"]), []
    for state in record.states:
        player = played.actor(state)
        if not earlier or played.actor(earlier[0]) != player:
            earlier = []
        if player < 0:
            continue
        view, actions = played.observe(state, player), played.actions(state)
        hints = adviser.hints(view, actions, rng, earlier)
        is_within = bool(earlier) and not adviser.whole(view, rng)
        goes_on += is_within and any(hint.plan.unit for hint in hints)
        for hint in hints if is_within else ():
            after = state
            for action in hint.plan.actions:
                assert not played.problems(after, action)
                after = played.apply(after, action)
        earlier.append(state)
    assert goes_on or name in ("blade_and_bow", "pirate_wars")


def test_a_part_of_a_choice_leaves_the_plans_that_go_on_so():
    squad, start = Squad(), SquadState()
    both = Plan("", "all go", ("a 2", "b 2"), 0.4)
    after = squad.apply(start, "a 2")
    assert remaining(squad, start, both, [after]) == ("b 2",)
    assert remaining(squad, start, both, [after, squad.apply(after, "b 2")]) == ()
    assert remaining(squad, start, both, [squad.apply(start, "a 1")]) == ()
    assert remaining(squad, start, both, [squad.apply(start, "end")]) == ()


def test_a_choice_that_is_done_in_parts_keeps_the_plan_that_has_it_whole():
    bow = game("bow")
    record = play(
        bow, bow.setups["duel"], [RandomBot()] * 2, law_rolls(LAW, 9), root=9, max_steps=8
    )
    start = next(state for state in record.states if bow.actor(state) == 0)
    start = bow.apply(start, bow.actions(start)[0])  # the unit
    within = bow.apply(start, bow.parse_action("do walk"))
    adviser, rng = Adviser(bow, LAW, HARD), generator(0, 0)
    whole = adviser.hints(bow.observe(start, 0), bow.actions(start), rng)
    rest = adviser.hints(bow.observe(within, 0), bow.actions(within), rng, [start])
    assert [hint.text for hint in rest] == [hint.text for hint in whole]
    assert any("walk" in hint.typed for hint in rest)
