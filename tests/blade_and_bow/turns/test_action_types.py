"""What a player chooses from in an impulse: the words of each moment, in their order (BB 5.4.4)."""

import pytest

from brickphys.blade_and_bow.notation import turn_types
from brickphys.blade_and_bow.pieces import Activation, FormationOrder, Stage
from brickphys.blade_and_bow.state import State
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.fight import clash

STATE = battle(
    "...\n...",
    "greeks spears A2 n as=ann",
    "greeks spears B2 n as=amy",
    "persians spears A1 s as=bob",
)
MOVES = "stay go hurry reverse reverse_at shield unshield"


def acting(order: FormationOrder, units: int, **changes: object) -> State:
    numbers = tuple(range(units))
    activation = Activation(order, None, numbers, closed=True, waiting=numbers)
    return STATE.replaced({"activation": activation.replaced(changes)})


def joining(*, ranged: bool) -> State:
    return clash(STATE, "bob", "ann", ranged=ranged).change_combat(stage=Stage.PARTY)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (STATE, "form single relocate discard purchase play pass"),
        (acting(FormationOrder.MOVE, 1, closed=False), "include all ready play"),
        (acting(FormationOrder.MOVE, 2), "take play done"),
        (acting(FormationOrder.SHOOT, 2), "aim play done"),
        (acting(FormationOrder.MELEE, 2), "attack play done"),
        (acting(FormationOrder.RALLY, 2), ""),
        (acting(FormationOrder.MOVE, 1, active=0), f"{MOVES} play"),
        (acting(FormationOrder.MOVE, 2, active=0), MOVES),
        (acting(FormationOrder.MOVE, 2, active=1, waiting=(1,)), MOVES),
        (joining(ranged=False), "with charge"),
        (joining(ranged=True), "with loose"),
    ],
)
def test_the_words_of_each_moment(state: State, words: str) -> None:
    assert " ".join(kind.word for kind in turn_types(state)) == words
