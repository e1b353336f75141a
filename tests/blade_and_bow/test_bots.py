"""What bots go by: losses count, attacks are forecast, and greedy beats random."""

from fractions import Fraction

import pytest

from brickphys.blade_and_bow.bot import Raid, estimate, raid
from brickphys.blade_and_bow.combat.dice import dice_rolled
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.prompt import forecasts
from brickphys.blade_and_bow.scenario import scenario_report
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot, bot
from brickphys.rules.record import CHANCE
from brickphys.rules.sources import LawSource
from tests.blade_and_bow.battle import battle, unit
from tests.blade_and_bow.fight import clash, melee

GAME, LAW = BladeAndBow(), BinomialLaw(Fraction(0))
GROUND = "\n".join(["......."] * 7)
PIECES = (
    "greeks hoplite D5 n +2",
    "greeks leader leonidas D5 1-6-3/red",
    "persians spears D2 s",
    "persians leader datis D2 1-6-3/white",
)


def test_losses_disruption_and_leaders_count():
    state = battle(GROUND, *PIECES)
    base = estimate(state)[0]
    assert estimate(state.with_losses(0, 1))[0] < base < estimate(state.with_losses(1, 1))[0]
    assert estimate(state.change_unit(unit(state, "hoplite"), disrupted=True))[0] < base
    assert estimate(state.change_unit(unit(state, "spears"), disrupted=True))[0] > base


def test_who_comes_near_gains_by_it():
    far = battle(GROUND, *PIECES)
    near = battle(GROUND, "greeks hoplite D4 n +2", *PIECES[1:])
    assert estimate(near)[0] > estimate(far)[0]


def test_cards_that_nobody_sees_do_not_count():
    state = battle(GROUND, *PIECES, hands=((1, 2), (3, 4)))
    other = battle(GROUND, *PIECES, hands=((1, 2), (5, 6)))
    assert estimate(state) == estimate(other)


def test_dice_that_are_to_be_rolled_count_as_their_law():
    """An estimate before the dice of a melee is a mean over those after them, so a good attack is worth its dice."""
    state = battle(GROUND, "greeks hoplite D4 n +3", "persians spears D3 n", *PIECES[1::2])
    attacked = dice_rolled(clash(state, "spears", "hoplite"))
    assert estimate(attacked)[0] > estimate(melee(state, "hoplite").replaced({"combat": None}))[0]
    chain = GAME.chain_law(attacked, LAW)
    assert sum(chain.values()) == 1


def test_an_attack_is_forecast_without_its_ranks():
    """The odds of a melee sum to 1; their words do not tell ranks that are hidden."""
    told = []
    for ranks in (0, 3):
        state = melee(
            battle(GROUND, "greeks spears D4 n", f"persians hoplite D3 s +{ranks}", *PIECES[3:])
        )
        action = next(a for a in GAME.actions(state) if a.text() == "attack hoplite")
        (forecast,) = forecasts(state, action)
        assert sum(forecast.outcomes.values()) == 1
        assert "no unit attacks" in forecast.outcomes
        told.append((forecast.text, forecast.question))
    assert told[0] == told[1]


def test_who_is_attacked_reads_who_hits_whom():
    state = melee(battle(GROUND, "greeks spears D4 n", "persians psiloi D3 s", *PIECES[3:]))
    (attack,) = forecasts(state, GAME.parse_action("attack psiloi"))
    defended = state
    while GAME.actor(defended) != 1:
        dice = GAME.actor(defended) == CHANCE
        moves = [max(GAME.chance(defended).law(LAW))] if dice else GAME.actions(defended)
        defended = GAME.apply(defended, moves[0])
    (defence,) = forecasts(defended, GAME.actions(defended)[-1])
    assert (next(iter(attack.strikes)), attack.is_defence) == ("hit", False)
    assert (next(iter(defence.strikes)), defence.is_defence) == ("spears hits psiloi", True)


def test_persians_go_up_the_goat_path_once_it_is_found():
    """Those beside it, and it pays to go on; without a camp there is no raid (BB 14.2)."""
    state = scenario_report("thermopylae").state
    found = state.replaced({"discovered": True})
    names = state.setting.squares
    assert {names[one] for one in raid(found, 1).squares} <= {"P15", "P16", "Q14", "Q15", "Q16"}
    immortals = unit(state, "immortals_1")
    up = found.change_unit(immortals, square=state.setting.square_numbers["K9"])
    assert estimate(up)[1] > estimate(found)[1]
    assert raid(battle(GROUND, *PIECES), 1) == Raid()


@pytest.mark.slow
def test_greedy_beats_random():
    """Twelve Marathons, sides swapped: at least ten are won."""
    won = 0
    for number in range(12):
        bots = [bot("greedy", GAME, LAW), RandomBot()]
        side = number % 2
        record = play(
            GAME,
            GAME.setups["marathon"],
            bots[:: -1 if side else 1],
            LawSource(LAW, 1),
            root=1,
            address=(number,),
        )
        won += record.winner == side
    assert won >= 10
