"""Rounds: the order of the players, their turns with hand-to-hand after each, and who has won (MF Rules, aims ours)."""

from collections import Counter
from itertools import permutations, product

import pytest

from brickphys.minifig import turns
from brickphys.minifig.melee import MeleeRoll
from brickphys.minifig.setting import Options
from brickphys.minifig.state import Deed, Phase, State
from brickphys.rules.aims import Aim, Carry, Circle, Hold, Reach, RoundLimit
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
    assert state.pending == (turns.TurnOrderRoll(((0, 1),)),)
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


PLAYERS = 3


def rolling(*dead: int, **options: bool) -> State:
    figures = (
        fighter(f"f{player}", 5.0 + 5 * player, 5, player=player, is_alive=player not in dead)
        for player in range(PLAYERS)
    )
    return turns.begin_round(battle(*figures, order=(), round=0, options=Options(**options)))


def rolled(state: State, *faces: int) -> State:
    for face in faces:
        roll = state.awaited(turns.TurnOrderRoll)
        state = roll.settle(state.pop_pending(), (face,))
    return state


def test_the_highest_has_the_first_turn():
    assert rolled(rolling(), 2, 6, 4).order == (1, 2, 0)


def test_only_players_who_tie_roll_again_inside_their_place():
    """Players 0 and 2 share a 5; 1 has rolled less and keeps the last place whatever comes."""
    state = rolled(rolling(), 5, 1, 5)
    assert state.awaited(turns.TurnOrderRoll) == turns.TurnOrderRoll(((0, 2), (1,)))
    assert rolled(state, 1, 6).order == (2, 0, 1)
    assert rolled(state, 3, 3, 6, 1).order == (0, 2, 1)


def test_every_order_without_ties_is_equally_likely():
    found = Counter(rolled(rolling(), *faces).order for faces in product(range(1, 7), repeat=3))
    del found[()]
    assert found == dict.fromkeys(permutations(range(3)), 20)


def test_who_has_no_figure_left_does_not_roll():
    assert rolling(1).awaited(turns.TurnOrderRoll).places == ((0, 2),)
    assert rolled(rolling(1), 3, 4).order == (2, 0)


@pytest.mark.parametrize(
    ("roll", "fault"),
    [
        (turns.TurnOrderRoll(((0, 1),)), "places: [0, 1] must be the players who take part"),
        (turns.TurnOrderRoll(((0, 1, 2),), (1, 2, 3)), "scores: all have rolled"),
    ],
)
def test_a_roll_that_cannot_be_pending(roll, fault):
    assert roll.problems(rolling()) == [fault]


def test_no_roll_is_pending_when_the_order_is_known():
    state = rolling().replaced({"order": (0, 1, 2)})
    assert state.pending[0].problems(state) == ["pending: the order of the round is known"]


def test_with_a_fixed_order_nobody_rolls():
    state = rolling(1, fixed_order=True)
    assert (state.pending, state.order) == ((), (0, 2))


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
    assert turns.last_team(three(dead=dead)) == last


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
    assert turns.winners_of_turn(three(aim)) == won


def test_the_dead_meet_no_aim():
    state = three(Reach(0, YARD), dead=(0,))
    assert turns.winners_of_turn(state) is None
    assert turns.positions(state).units_in(YARD) == []


def test_an_area_is_held_round_by_round():
    aim = Hold(0, YARD, 2)
    assert turns.held(three(aim)) == (1,)
    assert turns.winners_of_turn(three(aim, holding=(1,))) is None
    assert turns.winners_of_turn(three(aim, holding=(2,))) == (0,)
    assert turns.held(three(aim, dead=(0,), holding=(1,))) == (0,)


@pytest.mark.parametrize(("dead", "won"), [((), ()), ((2,), (0,)), ((0,), (1,)), ((0, 2), ())])
def test_the_larger_share_wins_at_the_limit_of_rounds(dead, won):
    state = three(RoundLimit(3), dead=dead)
    assert turns.winners_of_round(state.replaced({"round": 2})) is None
    assert turns.winners_of_round(state.replaced({"round": 3})) == won
