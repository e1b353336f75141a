"""Odds of hand-to-hand against the game's own dice, at four standard errors with fixed seeds (MF Resolving Combat)."""

from fractions import Fraction
from math import sqrt

import pytest

from brickphys.minifig.game import Minifig
from brickphys.minifig.odds import ELIMINATED, attack
from brickphys.minifig.setting import Options, WallSpec
from brickphys.odds.law import BinomialLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.sources import LawSource
from tests.minifig.small_battle import ACROSS, APART, HILL, HORSES, battle, fighter, played

GAME = Minifig()
LAW = BinomialLaw(Fraction(3, 10))
SIGMAS = 4.0
FIGHTS = {
    "plain": (
        "soldier,sword",
        "soldier,shield,helmet",
        ({"arms": ["sword"]}, {"arms": ["shield", "helmet"]}, {}),
    ),
    "experienced, from the rear": (
        "soldier,axe,rear,brown",
        "peasant,armour,shield,yellow",
        (
            {"arms": ["axe"], "experience": 1},
            {"kind": "peasant", "arms": ["armour", "shield"], "facing": 0.0, "experience": 2},
            {},
        ),
    ),
    "from a hill on horseback": (
        "peasant,spear,mounted,downward",
        "soldier,plate,shield,helmet,mounted",
        (
            {"kind": "peasant", "arms": ["spear"], "horse": "ash"},
            {"arms": ["plate", "shield", "helmet"], "horse": "elm"},
            {"zones": (HILL,), "things": HORSES},
        ),
    ),
    "over a wall": (
        "dog,wall",
        "soldier,shield,wall",
        (
            {"kind": "dog", "arms": []},
            {"arms": ["shield"], "x": 10.0 + ACROSS},
            {"walls": (WallSpec("wall", 10.0 + ACROSS / 2, 10.0, 0.0, 8, 2),)},
        ),
    ),
}


def fight(one, other, more, **options):
    """Tom at (10, 10), whose turn it is, and Bert on his right, who looks at him; far away a friend of each."""
    one, other = dict(one), {"x": 10.0 + APART, "facing": 180.0, **other}
    return battle(
        fighter("tom", 10.0, 10.0, *one.pop("arms"), **one),
        fighter("bert", other.pop("x"), 10.0, *other.pop("arms"), player=1, **other),
        fighter("ann", 40.0, 30.0),
        fighter("bea", 40.0, 5.0, player=1),
        options=Options(**options),
        **more,
    )


@pytest.mark.parametrize("count", [400, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("bricks", [False, True])
@pytest.mark.parametrize("name", FIGHTS)
def test_the_dice_of_the_game_agree_with_the_odds(name, bricks, count):
    attacker, defender, table = FIGHTS[name]
    state = GAME.apply(fight(*table, experience_bricks=bricks), GAME.parse_action("end"))
    event, source = GAME.chance(state), LawSource(LAW, 16)
    fallen = sum(
        not GAME.apply(state, source.answer(event, (number,))).figures[1].is_alive
        for number in range(count)
    )
    p = float(attack(attacker, defender, LAW, bricks).chances[ELIMINATED])
    assert 0.0 < p < 1.0
    assert abs(fallen - count * p) <= SIGMAS * sqrt(count * p * (1 - p))


def test_the_end_of_a_turn_has_the_odds_of_all_attacks_and_only_they_have_them():
    """Also of who was done before; the roll for the order of a next round is nobody's own."""
    state = played(fight(*FIGHTS["plain"][2]), "take tom", "done")
    end = GAME.parse_action("end")
    (told,) = action_odds(GAME, [state], [end], LAW)
    attacked = float(
        attack("soldier,sword", "soldier,shield,helmet", LAW, False).chances[ELIMINATED]
    )
    assert float(told.strikes["kill"]) == pytest.approx(attacked)
    assert action_odds(GAME, [state], [GAME.parse_action("take ann")], LAW) == []
