"""Hand-to-hand on the table: who attacks, with how many bricks, and what comes of it (MF Resolving Combat)."""

from math import cos, radians, sin

import pytest

from brickphys.minifig.melee import MeleeAttack, MeleeRoll, attack_bricks, defence_bricks
from brickphys.minifig.setting import Options, WallSpec
from brickphys.minifig.state import Deed, Phase, rounded
from tests.minifig.small_battle import (
    ACROSS,
    APART,
    HILL,
    HORSES,
    battle,
    fighter,
    listed,
    played,
    why_not,
)

WORDS = (MeleeAttack,)
COMBAT = {"phase": Phase.COMBAT}


def red(*arms, **more):
    return fighter("tom", 10.0, 10.0, *arms, **{"deed": Deed.MOVED, **more})


def blue(*arms, x=10.0 + APART, y=10.0, facing=180.0, **more):
    return fighter("bert", x, y, *arms, player=1, facing=facing, **more)


def duel(one=None, other=None, **more):
    """Tom at (10, 10) beside Bert on his right, each facing the other."""
    return battle(one or red(), other or blue(), **{**COMBAT, **more})


def bricks(state):
    return attack_bricks(state, 0, 1), defence_bricks(state, 0, 1)


def over_a_wall(one=None, courses=2, **more):
    """Tom and Bert on both sides of a wall that both touch."""
    wall = WallSpec("wall", 10.0 + ACROSS / 2, 10.0, 0.0, 8, courses)
    return duel(one, blue(x=10.0 + ACROSS), walls=(wall,), **more)


def test_who_stands_face_to_face_has_the_bricks_of_kind_and_arms():
    state = duel(red("sword", "shield"), blue("shield", "plate", "helmet"))
    attack, defence = bricks(state)
    assert attack == {"attack": 1, "weapon": 1, "soldier": 1}
    assert defence == {"shield": 1, "armour": 1, "plate": 1, "helmet": 1}


def test_riders_attack_twice_and_have_two_bricks_of_defence():
    state = duel(red("sword", horse="ash"), blue("shield", horse="elm"), things=HORSES)
    attack, defence = bricks(state)
    assert attack == {"attack": 1, "weapon": 1, "soldier": 1, "mounted": 3}
    assert defence == {"shield": 1, "mounted": 2}


@pytest.mark.parametrize("bearing", range(0, 360, 15))
@pytest.mark.parametrize("facing", [0.0, 37.0, 180.0])
def test_an_attack_from_more_than_90_degrees_off_the_facing_is_from_the_rear(bearing, facing):
    angle = radians(facing + bearing)
    state = duel(
        fighter("tom", 10.0 + APART * cos(angle), 10.0 + APART * sin(angle)),
        blue(x=10.0, facing=facing),
    )
    assert ("rear" in attack_bricks(state, 0, 1)) == (90 < bearing < 270)


@pytest.mark.parametrize("facing", [10.0, 33.0, 77.7, 251.0])
@pytest.mark.parametrize("side", [90.0, -90.0])
def test_exactly_beside_is_no_rear_attack_wherever_places_are_rounded_to(facing, side):
    angle = radians(facing + side)
    x, y = rounded((10.0 + APART * cos(angle), 10.0 + APART * sin(angle)))
    assert "rear" not in attack_bricks(
        duel(fighter("tom", x, y), blue(x=10.0, facing=facing)), 0, 1
    )


def test_a_brick_for_who_stands_a_brick_higher():
    state = duel(zones=(HILL,))
    attack, defence = bricks(state)
    assert attack["downward"] == 1
    assert "higher" not in defence
    attack, defence = attack_bricks(state, 1, 0), defence_bricks(state, 1, 0)
    assert "downward" not in attack
    assert defence == {"higher": 1}
    assert "downward" not in bricks(duel())[0]


def test_who_fights_over_a_wall_has_two_bricks_more_on_both_sides():
    attack, defence = bricks(over_a_wall(red("sword")))
    assert attack == {"attack": 1, "weapon": 1, "soldier": 1, "wall": 2}
    assert defence == {"wall": 2}
    horse = {"ash": HORSES["ash"]}
    mounted = over_a_wall(red("sword", horse="ash"), things=horse)
    assert bricks(mounted)[0]["mounted"] == 5


def test_by_option_the_row_of_walls_is_for_attacks_on_the_wall_itself():
    attack, defence = bricks(over_a_wall(options=Options(wall_attack="against")))
    assert "wall" not in attack
    assert defence == {"wall": 2}


def test_nobody_fights_over_a_high_wall():
    assert listed(WORDS, over_a_wall()) == ["attack tom bert"]
    assert listed(WORDS, over_a_wall(courses=3)) == []


def rolled(state, outcome):
    """The state after the bricks of the pending attack."""
    roll = state.awaited(MeleeRoll)
    assert roll.event(state).problems(outcome) == []
    return roll.settle(state.pop_pending(), outcome)


def test_the_higher_score_eliminates_and_a_tie_saves_the_defender():
    state = played(duel(red("sword"), blue("shield", "helmet")), "attack tom bert")
    assert state.figures[0].deed is Deed.ATTACKED
    for scored in range(4):
        for resisted in range(3):
            after = rolled(state, (scored, resisted))
            assert after.figures[1].is_alive == (scored <= resisted)
            assert after.figures[0].is_alive  # nobody strikes back


def test_experience_is_added_to_the_score():
    one, other = red("sword", experience=3), blue("shield", experience=4)
    state = played(duel(one, other), "attack tom bert")
    assert state.event.ahead == -1
    assert rolled(state, (2, 1)).figures[1].is_alive
    assert not rolled(state, (3, 1)).figures[1].is_alive


def test_by_option_experience_is_bricks():
    one, other = red("sword", experience=3), blue("shield", experience=7)
    state = duel(one, other, options=Options(experience_bricks=True))
    assert (bricks(state)[0]["experience"], bricks(state)[1]["experience"]) == (3, 7)
    event = played(state, "attack tom bert").event
    assert (event.attack, event.defence, event.ahead) == (6, 8, 0)


def test_several_attackers_attack_one_by_one_and_each_once():
    ned = fighter("ned", 10.0 + 2 * APART, 10.0, "sword", deed=Deed.MOVED)
    state = battle(red("sword"), ned, blue(), **COMBAT)
    assert listed(WORDS, state) == ["attack tom bert", "attack ned bert"]
    state = rolled(played(state, "attack ned bert"), (0, 0))
    assert listed(WORDS, state) == ["attack tom bert"]
    after = rolled(played(state, "attack tom bert"), (1, 0))
    assert not after.figures[2].is_alive
    assert listed(WORDS, after) == []


def test_an_attack_lapses_if_its_defender_is_gone():
    state = duel()
    assert not MeleeRoll(0, 1).lapses(state)
    assert MeleeRoll(0, 1).lapses(state.eliminated(1))


def test_an_attack_on_a_friend_cannot_be_pending():
    ned = fighter("ned", 10.0 - APART, 10.0)
    assert MeleeRoll(0, 1).problems(battle(red(), ned))
    assert MeleeRoll(0, 1).problems(duel()) == []


@pytest.mark.parametrize("deed", [Deed.NOTHING, Deed.ATTACKED, Deed.OTHER])
def test_only_who_moved_or_stayed_attacks(deed):
    state = duel(red("sword", deed=deed))
    assert listed(WORDS, state) == []
    assert "tom cannot attack" in why_not(state, "attack tom bert")[0]


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("attack tim bert", "unknown figure 'tim'"),
        ("attack tom berd", "unknown figure 'berd': did you mean 'bert'"),
        ("attack bert tom", "bert cannot attack"),
        ("attack tom carl", "tom does not touch an enemy carl"),
        ("attack tom tom", "tom does not touch an enemy tom"),
    ],
)
def test_why_not(move, words):
    state = battle(red(), blue(), fighter("carl", 20.0, 10.0, player=1), **COMBAT)
    assert any(words in why for why in why_not(state, move))
    assert all(why.endswith("(MF Resolving Combat)") for why in why_not(state, move))


def test_nobody_attacks_before_the_side_has_moved():
    why = why_not(duel(phase=Phase.MOVEMENT), "attack tom bert")
    assert why == ["tom can attack only after its side has moved (MF Resolving Combat)"]
