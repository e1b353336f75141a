"""Turns of the players, hand-to-hand after each, and the ends of rounds and of the battle (MF Rules)."""

import pytest

from brickphys.minifig.melee import MeleeRoll
from brickphys.minifig.state import Deed, Phase, State
from brickphys.minifig.turns import TurnOrderRoll
from brickphys.rules.record import CHANCE, OVER
from tests.minifig.battle import GAME, played
from tests.minifig.small_battle import APART, battle, fighter


def line(*players: int, far: tuple[int, ...] = (0, 1)) -> State:
    """Figures a, b, c ... side by side, each of a player, and far away one more of some players."""
    return battle(
        *(
            fighter("abcdef"[n], 5.0 + n * APART, 5.0, "sword", player=player)
            for n, player in enumerate(players)
        ),
        *(fighter(f"far_{player}", 30.0, 5.0 + 8 * player, player=player) for player in far),
    )


def test_who_touches_one_enemy_strikes_by_itself_when_its_side_has_moved():
    state = played(line(0, 1), "end")
    assert (state.phase, state.pending) == (Phase.COMBAT, (MeleeRoll(0, 1),))
    assert state.figures[0].deed is Deed.ATTACKED


def test_a_turn_ends_when_all_figures_are_done():
    state = played(line(0, 1), "take a", "done", "take far_0")
    assert (state.phase, GAME.actor(state)) == (Phase.MOVEMENT, 0)
    assert played(state, "done").phase is Phase.COMBAT


def test_who_touches_none_or_has_done_another_pair_fights_nobody():
    assert played(line(0), "end").player == 1
    assert played(line(0, 1).change_figure(0, deed=Deed.OTHER), "end").player == 1


def test_the_player_is_asked_only_for_who_touches_several_and_last():
    state = played(line(0, 1, 0, 1), "end")  # a touches b; c touches b and d
    assert state.pending == (MeleeRoll(0, 1),)
    state = played(state, "0 0")
    assert [action.text() for action in GAME.actions(state)] == ["attack c b", "attack c d"]
    assert played(state, "attack c d").pending == (MeleeRoll(2, 3),)


def test_who_is_left_with_one_enemy_is_not_asked():
    assert played(line(0, 1, 0, 1), "end", "1 0").pending == (MeleeRoll(2, 3),)  # b is gone


def test_two_who_touch_the_same_enemy_attack_one_by_one_and_the_second_may_have_nobody_left():
    state = played(line(0, 1, 0), "end")
    assert played(state, "0 0").pending == (MeleeRoll(2, 1),)
    assert played(state, "1 0").player == 1


def test_nobody_strikes_back_and_the_enemy_attacks_in_its_own_turn():
    """A tie saves b; then blue moves, and b strikes."""
    state = played(line(0, 1), "end", "0 0")
    assert (state.turn, state.player, state.phase) == (1, 1, Phase.MOVEMENT)
    assert state.figures[1].is_alive
    state = played(state, "end")
    assert state.pending == (MeleeRoll(1, 0),)
    assert state.figures[0].is_alive


@pytest.mark.parametrize("outcomes", [("0 0", "end", "0 0"), ("1 0", "end")])
def test_a_round_ends_after_the_turns_of_all_players(outcomes):
    state = played(line(0, 1), "end", *outcomes)
    assert (state.round, state.order, GAME.actor(state)) == (2, (), CHANCE)
    assert state.pending == (TurnOrderRoll(((0, 1),)),)
    assert all(one.deed is Deed.NOTHING for one in state.figures if one.is_alive)
    assert played(state, "2", "5").order == (1, 0)


@pytest.mark.parametrize(("outcome", "won"), [("1 0", (0,)), ("0 0", None)])
def test_the_last_team_wins_at_once(outcome, won):
    state = played(line(0, 1, far=()), "end", outcome)
    assert state.winners == won
    assert (GAME.actor(state) == OVER) == (won is not None)
    assert won is None or GAME.returns(state) == (1, -1)


def test_a_player_without_figures_has_no_turn():
    state = played(line(0, 1, far=(2,)), "end", "1 0")
    assert (state.turn, state.player) == (2, 2)
