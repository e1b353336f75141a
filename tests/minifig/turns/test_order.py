"""The order of a round (MF Rules): the highest first, and only players who tie roll again, inside their place."""

from collections import Counter
from itertools import permutations, product

import pytest

from brickphys.minifig.setting import Options
from brickphys.minifig.state import State
from brickphys.minifig.turns import TurnOrderRoll, begin_round
from tests.minifig.small_battle import battle, fighter

PLAYERS = 3


def rolling(*dead: int, **options: bool) -> State:
    figures = (
        fighter(f"f{player}", 5.0 + 5 * player, 5, player=player, is_alive=player not in dead)
        for player in range(PLAYERS)
    )
    return begin_round(battle(*figures, order=(), round=0, options=Options(**options)))


def rolled(state: State, *faces: int) -> State:
    for face in faces:
        roll = state.awaited(TurnOrderRoll)
        state = roll.settle(state.pop_pending(), (face,))
    return state


def test_the_highest_has_the_first_turn():
    assert rolled(rolling(), 2, 6, 4).order == (1, 2, 0)


def test_only_players_who_tie_roll_again_inside_their_place():
    """Players 0 and 2 share a 5; 1 has rolled less and keeps the last place whatever comes."""
    state = rolled(rolling(), 5, 1, 5)
    assert state.awaited(TurnOrderRoll) == TurnOrderRoll(((0, 2), (1,)))
    assert rolled(state, 1, 6).order == (2, 0, 1)
    assert rolled(state, 3, 3, 6, 1).order == (0, 2, 1)


def test_every_order_without_ties_is_equally_likely():
    found = Counter(rolled(rolling(), *faces).order for faces in product(range(1, 7), repeat=3))
    del found[()]
    assert found == dict.fromkeys(permutations(range(3)), 20)


def test_who_has_no_figure_left_does_not_roll():
    assert rolling(1).awaited(TurnOrderRoll).places == ((0, 2),)
    assert rolled(rolling(1), 3, 4).order == (2, 0)


@pytest.mark.parametrize(
    ("roll", "fault"),
    [
        (TurnOrderRoll(((0, 1),)), "places: [0, 1] must be the players who take part"),
        (TurnOrderRoll(((0, 1, 2),), (1, 2, 3)), "scores: all have rolled"),
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
