"""What a menu says of a vehicle before it moves is what the move then does (BOW 3.3, 3.6)."""

import re
from fractions import Fraction
from math import dist

import pytest

from brickphys.bow.actions.collision import CrashRoll, EndOfMove, RunOver
from brickphys.bow.actions.driving import Advance, ChangeDirection, ChangeSpeed
from brickphys.bow.game import Bow
from brickphys.odds.law import BinomialLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import CHANCE, Step
from brickphys.rules.sources import LawSource
from tests.cases import few_rows

GAME, LAW = Bow(), BinomialLaw(Fraction(29, 100))


def states(name, seed):
    """Yield the states of a random battle in which a player is to act."""
    setup = GAME.setups[name]
    bots = [RandomBot()] * GAME.players(GAME.initial(setup))
    record = play(GAME, setup, bots, LawSource(LAW, seed), root=seed)
    yield from (step.after for step in record.steps if GAME.actor(step.after) >= 0)


@pytest.mark.parametrize(
    ("name", "seed"), few_rows([("chase", 1), ("flight", 4), ("chase", 2), ("ambush", 3)], 2)
)
def test_the_menu_says_how_far_a_vehicle_goes_and_what_it_hits(name, seed):
    told = 0
    for before in states(name, seed):
        vehicle = before.piloted
        for action in GAME.actions(before) if vehicle is not None else ():
            words = GAME.purpose(before, action)
            if not words or not isinstance(action, Advance | ChangeDirection | ChangeSpeed):
                continue
            told += 1
            body = before.vehicle_body(vehicle)
            after = GAME.apply(before, action)
            if words.startswith("advance then"):
                body = after.vehicle_body(vehicle)
                after = GAME.apply(after, Advance())
            arrival = next((one for one in after.pending if isinstance(one, EndOfMove)), None)
            if arrival is not None and not isinstance(action, ChangeDirection):
                studs = dist((body.x_studs, body.y_studs), (arrival.x_studs, arrival.y_studs))
                assert f"goes {studs:.1f} studs" in words
                assert arrival.leaves == ("leaves the field" in words)
            kinds = {type(one) for one in after.pending}
            assert ("crash" in words) == (CrashRoll in kinds)
            assert (" hits " in words) >= (RunOver in kinds and "falls" not in words)
    assert told > 5


def test_a_crash_names_what_is_hit_and_tells_the_damage_in_words():
    """The jeep drives into the wall ahead of it: no damage, damaged by 1, or destroyed with its 2 points of health."""
    before = next(
        state
        for seed in range(9)
        for state in states("chase", seed)
        if "crashes into wall 1" in GAME.purpose(state, Advance())
        and not GAME.problems(state, Advance())
        and state.vehicles[state.piloted].damage == 0
        and state.vehicles[state.piloted].speed > 1
        and state.setting.vehicles[state.piloted].name == "jeep"
    )
    (forecast,) = action_odds(GAME, [before], [Advance()], LAW)
    assert list(forecast.outcomes) == ["no damage", "damaged by 1", "destroyed"]
    assert sum(forecast.outcomes.values()) == 1
    assert "jeep crashes into wall_1" in forecast.question
    after = GAME.apply(before, Advance())
    while GAME.actor(after) != CHANCE:
        after = GAME.apply(after, GAME.actions(after)[0])
    told = GAME.tell(after, step_of(after))
    assert re.search(r"the jeep crashes into wall 1, ", told)


def step_of(state):
    outcome = next(iter(GAME.chance(state).law(LAW)))
    return Step(CHANCE, outcome, GAME.chance(state).format(outcome), GAME.apply(state, outcome))


def test_the_last_action_of_a_pilot_says_that_the_vehicle_then_moves():
    before = next(
        state
        for seed in range(9)
        for state in states("chase", seed)
        if state.piloted is not None
        and state.actions_left == 1
        and GAME.problems(state, Advance()) == []
    )
    name = before.setting.vehicles[before.piloted].name
    assert f"1 action left, then {name} moves" in GAME.prompt(before)
    ends = [one for one in GAME.actions(before) if GAME.purpose(before, one).startswith("the last")]
    assert ends
