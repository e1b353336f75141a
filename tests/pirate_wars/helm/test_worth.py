"""The worth of a battle: its weights foresee winners, what one side gains the other loses, and more is better."""

import pytest

from benchmarks.fit_worth import pirate_turn_begins
from brickphys.errors import InvalidValueError
from brickphys.files import shipped_tables
from brickphys.pirate_wars import bot, worth
from brickphys.pirate_wars.helm import prospects
from brickphys.pirate_wars.state import Phase
from brickphys.rules.aims import Circle, Reach
from brickphys.rules.players.worth import FittedWorth
from tests.pirate_wars.battle import GAME, NAMES, battle, random_states, setup
from tests.pirate_wars.fleet import boat, fleet


def test_more_is_never_worse_and_other_weights_are_refused():
    weights = shipped_tables("brickphys.pirate_wars", "worth")["weights"]
    assert min(weights.values()) >= 0.0
    assert weights["points"] > 0.0
    with pytest.raises(InvalidValueError, match="but the features are"):
        FittedWorth.shipped("brickphys.pirate_wars", (*worth.FEATURES, "another"))


@pytest.mark.parametrize("name", ["duel", "chase", "convoy"])
def test_what_one_side_gains_the_other_loses(name):
    for state in list(random_states(setup(name), 5))[::7]:
        one, other = worth.features(state)
        assert one == pytest.approx(-other)
        if GAME.actor(state) >= 0:
            mine, its = GAME.estimate(state)
            assert mine == pytest.approx(-its)
            assert -1.0 <= mine <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_the_worth_of_sums_is_that_of_the_features(name):
    weights = FittedWorth.shipped("brickphys.pirate_wars", worth.FEATURES)
    for state in list(random_states(setup(name), 2))[::11]:
        for team in {*state.setting.teams}:
            balance = worth.Balance.of(state, team, worth.weights("worth"))
            if balance.own.hands and balance.other.hands and abs(balance.odds) < 10.0:
                assert balance.worth == pytest.approx(weights.values(balance.features()))


def test_a_stronger_side_is_worth_more():
    foe = boat(x=300, y=100, player=1)
    states = [fleet(boat(x=100, y=100, **given), foe) for given in ({"hull": 2}, {"sails": 3}, {})]
    values = [prospects.estimate(state)[0] for state in states]
    assert values == sorted(values)


def test_who_stays_in_irons_is_farther_from_its_aim_than_who_has_fallen_off():
    aim = Reach(0, Circle((0.0, 100.0), 30.0), (0,))
    irons, sails = (
        fleet(
            boat(x=200, y=100, heading=heading), boat(x=380, y=250, player=1), wind=20.0,
            phase=Phase.FALLING_OFF, done=frozenset({0}),
        )
        for heading in (180, 150)
    )  # fmt: skip
    assert worth.ship_nearness(irons, 0, aim) < worth.ship_nearness(sails, 0, aim)


def test_who_has_lost_all_hands_has_lost():
    state = fleet(boat(x=100, y=100, crew=()), boat(x=300, y=100, player=1))
    assert worth.Balance.of(state, 0).worth == -1.0


def test_turns_begin_once_for_each_order_of_initiative():
    record = battle(setup("duel"), "greedy1", "greedy1")
    begun = [state for state in record.states if pirate_turn_begins(state)]
    assert begun
    assert all(state.phase is Phase.MOVEMENT and not state.lashed for state in begun)
    assert len({state.round for state in begun}) == len(begun)


def test_the_weights_by_hand_stay_for_the_yardstick():
    state = fleet(boat(x=100, y=100), boat(x=300, y=100, player=1))
    assert GAME.hand_estimate(state) == bot.estimate(state)
