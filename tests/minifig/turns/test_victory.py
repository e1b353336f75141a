"""Who has won: the last team, the aims of a scenario, the limit of rounds (ours)."""

import pytest

from brickphys.minifig.state import State
from brickphys.minifig.turns import held, last_team, positions, winners_of_round, winners_of_turn
from brickphys.rules.aims import Aim, Carry, Circle, Hold, Reach, RoundLimit
from tests.minifig.small_battle import battle, fighter

YARD = Circle((5.0, 5.0), 2.0)


def three(*aims: Aim[Circle], dead: tuple[int, ...] = (), holding: tuple[int, ...] = ()) -> State:
    """Tom in the yard with a spear and tim outside, of one team; bob and ben of the other are far."""
    places = (("tom", 5, 0), ("tim", 9, 0), ("bob", 30, 1), ("ben", 33, 1))
    figures = (
        fighter(
            name,
            x,
            5,
            *(("spear",) if name == "tom" else ()),
            player=player,
            is_alive=n not in dead,
        )
        for n, (name, x, player) in enumerate(places)
    )
    state = battle(*figures, holding=holding or (0,) * len(aims))
    object.__setattr__(state.setting, "aims", aims)
    return state


@pytest.mark.parametrize(
    ("dead", "last"), [((), None), ((0,), None), ((0, 1), (1,)), ((2, 3), (0,)), ((0, 1, 2, 3), ())]
)
def test_the_last_team_wins(dead, last):
    assert last_team(three(dead=dead)) == last


@pytest.mark.parametrize(
    ("aim", "won"),
    [
        (Reach(0, YARD), (0,)),
        (Reach(0, YARD, count=2), None),
        (Reach(0, YARD, units=(1,)), None),
        (Reach(1, YARD), None),
        (Carry(0, YARD, "tom_spear"), (0,)),
        (Carry(0, YARD, "tom_sword"), None),
    ],
)
def test_an_aim_is_met_at_the_end_of_a_turn(aim, won):
    assert winners_of_turn(three(aim)) == won


def test_the_dead_meet_no_aim():
    state = three(Reach(0, YARD), dead=(0,))
    assert winners_of_turn(state) is None
    assert positions(state).units_in(YARD) == []


def test_an_area_is_held_round_by_round():
    aim = Hold(0, YARD, 2)
    assert held(three(aim)) == (1,)
    assert winners_of_turn(three(aim, holding=(1,))) is None
    assert winners_of_turn(three(aim, holding=(2,))) == (0,)
    assert held(three(aim, dead=(0,), holding=(1,))) == (0,)


@pytest.mark.parametrize(("dead", "won"), [((), ()), ((2,), (0,)), ((0,), (1,)), ((0, 2), ())])
def test_the_larger_share_wins_at_the_limit_of_rounds(dead, won):
    state = three(RoundLimit(3), dead=dead)
    assert winners_of_round(state.replaced({"round": 2})) is None
    assert winners_of_round(state.replaced({"round": 3})) == won
