"""What each player may know: hands, the deck, and ranks that were not seen (BB 2.3.2.8, 4.0, 14.2)."""

import numpy as np
import pytest

from brickphys.blade_and_bow.deck import deck
from brickphys.blade_and_bow.deployment import RankChoice, Ranks, ask_for_setup
from brickphys.blade_and_bow.game import is_hidden, redrawn, seen
from brickphys.blade_and_bow.notation import invariant_problems
from brickphys.blade_and_bow.pieces import HIDDEN, BattleResult
from brickphys.blade_and_bow.state import Phase, State
from tests.blade_and_bow.battle import battle

FIELD = """
........
........
"""


def field() -> State:
    """Four hoplites of the first player, of whom one was seen and one has lost a rank; one of the second."""
    state = battle(
        FIELD,
        *(f"greeks hoplite {column}1 e +1 max=3" for column in "ABC"),
        "greeks hoplite D1 e +1 max=3 seen",
        "persians hoplite H1 w +1",
        "persians spears H2 w",
        hands=((1, 2, 3), (10, 11)),
    )
    state = state.change_unit(0, ranks=0, lost=2).change_unit(2, ranks=0)
    return state.change_unit(1, ranks=1).replaced({"losses": (2, 0)})


def drawn(state: State, viewer: int, count: int = 50) -> list[State]:
    rng = np.random.default_rng(1)
    return [redrawn(seen(state, viewer), rng) for _ in range(count)]


def test_the_small_battle_is_one_that_can_come_up() -> None:
    assert list(invariant_problems(field())) == []


def test_enemy_hand_deck_and_unseen_ranks_are_covered() -> None:
    view = seen(field(), 1)
    assert view.hands == ((HIDDEN,) * 3, (10, 11))
    assert {1, 2, 3} <= {*view.deck}
    assert [unit.ranks for unit in view.units] == [HIDDEN, HIDDEN, HIDDEN, 1, 1, 0]
    own = seen(field(), 0)
    assert own.hands == ((1, 2, 3), (HIDDEN,) * 2)
    assert [unit.ranks for unit in own.units] == [0, 1, 0, 1, 1, 0]


@pytest.mark.parametrize("viewer", [0, 1])
def test_what_is_drawn_anew_looks_the_same_and_adds_up(viewer: int) -> None:
    state = field()
    others = drawn(state, viewer)
    assert {seen(other, viewer) for other in others} == {seen(state, viewer)}
    for other in others:
        assert list(invariant_problems(other)) == []
        assert other.hands[viewer] == state.hands[viewer]
        assert len(other.hands[1 - viewer]) == len(state.hands[1 - viewer])
    assert len({other.hands for other in others}) > 30


def test_every_split_of_the_hidden_ranks_that_fits_is_drawn() -> None:
    """One rank is left to three units of which one has lost 2 of 3: nobody else has room problems."""
    found = {tuple(unit.ranks for unit in other.units[:4]) for other in drawn(field(), 1)}
    assert found == {(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)}


def test_the_reshuffle_card_is_never_dealt_to_a_hand() -> None:
    (reshuffle,) = (number for number, card in enumerate(deck()) if card.is_reshuffle)
    assert not any(reshuffle in hand for other in drawn(field(), 0, 300) for hand in other.hands)


def test_once_the_battle_is_over_all_is_open() -> None:
    state = field().replaced({"result": BattleResult(0)})
    assert not is_hidden(state)
    assert seen(state, 1) == state


def test_ranks_that_are_being_chosen_are_hidden_and_leave_room_for_the_rest() -> None:
    state = battle(
        FIELD,
        *(f"greeks hoplite {column}1 e +1 max=3" for column in "ABCD"),
        "persians spears H2 w",
        phase=Phase.SETUP,
        turn=0,
    )
    state = ask_for_setup(state)
    for ranks in (3, 0):
        state = Ranks(ranks).apply(state)
    assert isinstance(state.first_pending, RankChoice)
    view = seen(state, 1)
    assert [unit.ranks for unit in view.units[:4]] == [HIDDEN, HIDDEN, 0, 0]
    found = {tuple(unit.ranks for unit in other.units[:4]) for other in drawn(state, 1, 300)}
    assert all(ranks[2:] == (0, 0) for ranks in found)
    assert {sum(ranks) for ranks in found} == {0, 1, 2, 3, 4}  # up to 4 are left to the others
    assert list(invariant_problems(next(iter(drawn(state, 1, 1))))) == []
