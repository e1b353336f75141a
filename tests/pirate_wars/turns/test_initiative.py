"""Initiative (PW Initiative): low moves first, and only players who tie roll again, inside their place."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from brickphys.pirate_wars.state import Fate, Phase, State
from brickphys.pirate_wars.turns import InitiativeRoll, playing
from tests.pirate_wars.fleet import boat, fleet


def rolling(players: int) -> State:
    boats = (boat(x=60.0 * player + 30, y=100, player=player) for player in range(players))
    roll = InitiativeRoll((tuple(range(players)),))
    state = fleet(*boats, phase=Phase.INITIATIVE)
    return state.replaced({"order": ()}).push_pending(roll)


def rolled(state: State, *faces: int) -> State:
    for face in faces:
        roll = state.awaited(InitiativeRoll)
        state = roll.settle(state.pop_pending(), (face,))
    return state


@pytest.mark.parametrize("faces", list(product((1, 4, 6), repeat=2)))
def test_the_lowest_of_two_moves_first(faces):
    state = rolled(rolling(2), *faces)
    if faces[0] == faces[1]:
        assert state == rolling(2)
    else:
        assert state.order == ((0, 1) if faces[0] < faces[1] else (1, 0))
        assert state.phase is Phase.MOVEMENT


def test_only_players_who_tie_roll_again_inside_their_place():
    """Players 0 and 2 share a 5; 3 has rolled less, 1 more: they keep their places whatever comes."""
    state = rolled(rolling(4), 5, 6, 5, 2)
    assert state.awaited(InitiativeRoll) == InitiativeRoll(((3,), (0, 2), (1,)))
    assert rolled(state, 1, 6).order == (3, 0, 2, 1)
    assert rolled(state, 6, 1).order == (3, 2, 0, 1)
    assert rolled(state, 3, 3, 6, 1).order == (3, 2, 0, 1)


def test_two_ties_are_broken_one_after_the_other():
    state = rolled(rolling(4), 5, 2, 5, 2)
    assert state.awaited(InitiativeRoll).places == ((1, 3), (0, 2))
    assert rolled(state, 6, 1).awaited(InitiativeRoll) == InitiativeRoll(((3,), (1,), (0, 2)))
    assert rolled(state, 6, 1, 1, 2).order == (3, 1, 0, 2)


def test_every_order_of_three_is_equally_likely():
    """Ties lead to states of the same symmetry, so the orders without any tie settle it."""
    found = Counter(rolled(rolling(3), *faces).order for faces in product(range(1, 7), repeat=3))
    untied = {order: count for order, count in found.items() if order}
    assert set(untied) == set(permutations(range(3)))
    assert {Fraction(count, 216) for count in untied.values()} == {Fraction(20, 216)}


def test_who_has_no_ship_and_no_swimmer_does_not_roll():
    state = rolling(3)
    for number in state.crews[1]:
        state = state.lost(number)
    assert playing(state) == [0, 1, 2]
    assert playing(state.change_ship(1, fate=Fate.SUNK)) == [0, 2]
