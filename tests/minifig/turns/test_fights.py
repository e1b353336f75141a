"""Hand-to-hand after the movement of a side: who strikes by itself, and where the player is asked (MF Rules)."""

from brickphys.minifig.game import Minifig
from brickphys.minifig.melee import MeleeRoll
from brickphys.minifig.sheets import BASE_RADIUS_IN
from brickphys.minifig.state import Deed, Phase
from brickphys.minifig.turns import TurnOrderRoll
from tests.minifig.small_battle import battle, fighter

GAME = Minifig()
APART = 2 * BASE_RADIUS_IN + 0.02


def line(*players, **more):
    """Figures a, b, c ... side by side, each of a player."""
    return battle(
        *(
            fighter("abcdef"[n], 5.0 + n * APART, 5.0, "sword", player=player)
            for n, player in enumerate(players)
        ),
        fighter("red_far", 30.0, 5.0),
        fighter("blue_far", 30.0, 30.0, player=1),
        **more,
    )


def after(state, *moves):
    for move in moves:
        state = GAME.apply(state, GAME.parse_action(move) if isinstance(move, str) else move)
    return state


def test_who_touches_one_enemy_strikes_when_its_side_has_moved():
    state = after(line(0, 1), "end")
    assert state.phase is Phase.COMBAT
    assert state.pending == (MeleeRoll(0, 1),)
    state = after(state, (0, 0))
    assert (state.player, state.phase) == (1, Phase.MOVEMENT)
    assert state.figures[1].is_alive


def test_who_touches_none_fights_nobody():
    assert after(line(0), "end").player == 1


def test_the_player_is_asked_only_for_who_touches_several_and_last():
    state = after(line(0, 1, 0, 1), "end")  # a touches b; c touches b and d
    assert state.pending == (MeleeRoll(0, 1),)
    state = after(state, (0, 0))
    assert [action.text() for action in GAME.actions(state)] == ["attack c b", "attack c d"]
    assert after(state, "attack c d").pending == (MeleeRoll(2, 3),)


def test_who_is_left_with_one_enemy_is_not_asked():
    state = after(line(0, 1, 0, 1), "end", (1, 0))  # b is gone
    assert state.pending == (MeleeRoll(2, 3),)


def test_two_who_touch_the_same_enemy_attack_one_by_one_and_the_second_may_have_nobody_left():
    state = after(line(0, 1, 0), "end")
    assert state.pending == (MeleeRoll(0, 1),)
    assert after(state, (0, 0)).pending == (MeleeRoll(2, 1),)
    assert after(state, (1, 0)).player == 1


def test_who_has_done_another_pair_does_not_attack():
    state = line(0, 1)
    state = state.change_figure(0, deed=Deed.OTHER)
    assert after(state, "end").player == 1


def test_nobody_strikes_back_and_the_enemy_attacks_in_its_own_turn():
    state = after(line(0, 1), "end", (0, 0), "end")
    assert state.pending == (MeleeRoll(1, 0),)
    assert state.figures[0].is_alive


def test_a_round_ends_after_the_fights_of_all_players():
    state = after(line(0, 1), "end", (0, 0), "end", (0, 0))
    assert isinstance(state.first_pending, TurnOrderRoll)
    assert state.round == 2
    assert all(figure.deed is Deed.NOTHING for figure in state.figures)


def test_the_last_enemy_that_falls_ends_the_battle_at_once():
    state = battle(fighter("a", 5.0, 5.0), fighter("b", 5.0 + APART, 5.0, player=1))
    assert after(state, "end", (1, 0)).winners == (0,)
