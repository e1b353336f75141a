"""Turns of the players, hand-to-hand after each, and the ends of rounds and of the battle (MF Rules)."""

import pytest

from brickphys.minifig.game import Minifig
from brickphys.minifig.melee import MeleeRoll
from brickphys.minifig.state import Deed, Phase, State
from brickphys.minifig.turns import TurnOrderRoll
from brickphys.rules.record import CHANCE, OVER
from tests.minifig.small_battle import battle, fighter

GAME = Minifig()
BESIDE = 0.65
"""Inches between the middles of two bases that touch."""


def foes() -> State:
    """Tom touches bob; ann is alone far away, and so is ben."""
    return battle(
        fighter("tom", 10, 10, "sword"),
        fighter("bob", 10 + BESIDE, 10, player=1, facing=180),
        fighter("ann", 30, 30),
        fighter("ben", 40, 30, player=1),
    )


def played(state: State, *texts: str) -> State:
    for text in texts:
        if GAME.actor(state) == CHANCE:
            state = GAME.apply(state, GAME.chance(state).parse(text))
        else:
            action = GAME.parse_action(text)
            assert GAME.problems(state, action) == []
            state = GAME.apply(state, action)
    return state


def test_who_touches_one_enemy_attacks_by_itself_when_the_movement_has_ended():
    state = played(foes(), "end")
    assert (state.phase, state.pending) == (Phase.COMBAT, (MeleeRoll(0, 1),))
    assert state.figures[0].deed is Deed.ATTACKED


def test_a_turn_ends_when_all_figures_are_done():
    state = played(foes(), "take tom", "done", "take ann")
    assert (state.phase, GAME.actor(state)) == (Phase.MOVEMENT, 0)
    assert played(state, "done").phase is Phase.COMBAT


def test_the_next_player_has_its_turn_after_the_attacks():
    """A tie saves bob; then blue moves, and bob strikes in his own turn only."""
    state = played(foes(), "end", "0 0")
    assert (state.turn, state.player, state.phase) == (1, 1, Phase.MOVEMENT)
    assert state.figures[1].is_alive
    assert played(state, "end").pending == (MeleeRoll(1, 0),)


def test_a_higher_score_eliminates_and_the_rest_of_the_battle_goes_on():
    state = played(foes(), "end", "1 0")
    assert not state.figures[1].is_alive
    assert GAME.actor(state) == 1


def test_a_round_ends_after_the_last_player():
    state = played(foes(), "end", "1 0", "end")
    assert (state.round, state.order, GAME.actor(state)) == (2, (), CHANCE)
    assert state.pending == (TurnOrderRoll(((0, 1),)),)
    assert all(one.deed is Deed.NOTHING for one in state.figures if one.is_alive)
    assert played(state, "2", "5").order == (1, 0)


@pytest.mark.parametrize(("outcome", "returns"), [("1 0", (1, -1)), ("0 0", None)])
def test_the_last_team_wins_at_once(outcome, returns):
    state = battle(
        fighter("tom", 10, 10, "sword"), fighter("bob", 10 + BESIDE, 10, player=1, facing=180)
    )
    state = played(state, "end", outcome)
    assert (GAME.actor(state) == OVER) == (returns is not None)
    if returns:
        assert GAME.returns(state) == returns


def test_a_player_without_figures_has_no_turn():
    state = battle(
        fighter("tom", 10, 10, "sword"),
        fighter("bob", 10 + BESIDE, 10, player=1, facing=180),
        fighter("ann", 30, 30, player=2),
    )
    state = played(state, "end", "1 0")
    assert (state.turn, state.player) == (2, 2)
