"""What a player chooses from in an impulse: the words of each moment, in their order (BB 5.4.4)."""

import pytest

from brickphys.blade_and_bow.state.pieces import Activation, Order, Stage
from brickphys.blade_and_bow.state.state import State
from brickphys.blade_and_bow.turns.action_types import turn_types
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.fight import clash

STATE = battle(
    "...\n...",
    "greeks spears A2 n as=ann",
    "greeks spears B2 n as=amy",
    "persians spears A1 s as=bob",
)
MOVES = "stay go hurry reverse reverse_at shield unshield"


def acting(order: Order, units: int, **changes: object) -> State:
    numbers = tuple(range(units))
    activation = Activation(order, None, numbers, closed=True, waiting=numbers)
    return STATE.replaced({"activation": activation.replaced(changes)})


def joining(*, ranged: bool) -> State:
    return clash(STATE, "bob", "ann", ranged=ranged).change_combat(stage=Stage.PARTY)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (STATE, "form single relocate discard purchase play pass"),
        (acting(Order.MOVE, 1, closed=False), "include all ready play"),
        (acting(Order.MOVE, 2), "take play done"),
        (acting(Order.SHOOT, 2), "aim play done"),
        (acting(Order.MELEE, 2), "attack play done"),
        (acting(Order.RALLY, 2), ""),
        (acting(Order.MOVE, 1, active=0), f"{MOVES} play"),
        (acting(Order.MOVE, 2, active=0), MOVES),
        (acting(Order.MOVE, 2, active=1, waiting=(1,)), MOVES),
        (joining(ranged=False), "with charge"),
        (joining(ranged=True), "with loose"),
    ],
)
def test_the_words_of_each_moment(state: State, words: str) -> None:
    assert " ".join(kind.word for kind in turn_types(state)) == words
