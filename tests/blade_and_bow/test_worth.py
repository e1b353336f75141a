"""The worth of a battle: what one side gains the other loses, and how well its weights foresee who wins."""

from fractions import Fraction

import pytest

from brickphys.blade_and_bow import bot, worth
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.files import shipped_tables
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.worth import FittedWorth
from brickphys.rules.sources import LawSource
from tests.blade_and_bow.battle import battle
from tests.cases import few

GAME, LAW = BladeAndBow(), BinomialLaw(Fraction(0))
FIELD = "\n".join(["........."] * 9)
PIECES = (
    "greeks hoplite D7 n +2",
    "greeks leader leonidas D7 1-6-3/red",
    "persians spears D3 s",
    "persians leader datis D3 1-6-3/white",
)


def test_more_is_never_worse():
    weights = shipped_tables("brickphys.blade_and_bow", "worth")["weights"]
    assert min(weights.values()) >= 0.0
    assert weights["losses"] > 1.0


def test_weights_of_other_features_are_refused():
    with pytest.raises(ValueError, match="but the features are"):
        FittedWorth.shipped("brickphys.blade_and_bow", worth.FEATURES[1:])


@pytest.mark.parametrize("scenario", few(["marathon", "thermopylae", "plataea", "mycale"], 2))
def test_what_one_side_gains_the_other_loses(scenario):
    bots = [RandomBot(), RandomBot()]
    source = LawSource(LAW, 3)
    record = play(GAME, GAME.setups[scenario], bots, source, root=3, max_steps=400)
    for state in [one for one in record.states if one.result is None][::40]:
        one, other = worth.features(state)
        assert one == pytest.approx(-other)
        first, second = GAME.estimate(state)
        assert first == -second
        assert -1.0 <= first <= 1.0


def test_losses_and_broken_units_count_against_their_side():
    state = battle(FIELD, *PIECES)
    values = [
        GAME.estimate(one)[0]
        for one in (
            state.with_losses(0, 1),
            state.change_unit(0, disrupted=True),
            state,
            state.change_unit(1, disrupted=True),
            state.with_losses(1, 1),
        )
    ]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_the_weights_by_hand_stay_for_the_yardstick():
    state = battle(FIELD, *PIECES)
    assert GAME.hand_estimate(state) == bot.estimate(state)
    assert GAME.hand_estimate(state) != GAME.estimate(state)
