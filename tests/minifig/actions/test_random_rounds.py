"""Random rounds of all that figures do without dice: nothing is lost, nothing overlaps, all that is listed is legal."""

from collections import Counter

import numpy as np

from brickphys.minifig.actions import EndFigure, EndMovement, Exchange, PickUp, TakeFigure
from brickphys.minifig.game import Minifig
from brickphys.minifig.movement import Dismount, Go, HaulWagon, Mount
from brickphys.minifig.state import Deed, State
from brickphys.minifig.turns import base_faults, state_problems
from tests.minifig.small_battle import battle, fighter, read

GAME = Minifig()
BETWEEN, DEEDS = (
    (TakeFigure, EndMovement),
    (Go, HaulWagon, Mount, Dismount, PickUp, Exchange, EndFigure),
)
START = battle(
    fighter("tom", 5, 5, "sword", "shield"),
    fighter("kit", 5, 8, "spear", horse="roan"),
    fighter("rex", 5, 11, kind="dog"),
    fighter("pip", 8, 5, kind="peasant"),
    fighter("bob", 12, 6, "axe", player=1),
    fighter("ben", 12, 9, "bow", horse="grey", player=1),
    things={
        "roan": ("horse", 0, 0),
        "grey": ("horse", 0, 0),
        "bay": ("horse", 8, 5.65),
        "cart": ("wagon", 9.35, 5),
    },
    lying={"club": ("club", 8, 8), "mace": ("club", 12, 4), "targe": ("shield", 5, 5.3)},
    table=(16.0, 14.0),
)


def next_turn(state: State) -> State:
    """The next player acts; after both, all figures are ready again."""
    if state.turn + 1 < len(state.order):
        return state.replaced({"turn": state.turn + 1})
    figures = tuple(one.replaced({"deed": Deed.NOTHING}) for one in state.figures)
    return state.replaced({"turn": 0, "figures": figures})


def chosen(state: State, rng: np.random.Generator):
    """A legal action; of a figure all types are as likely, so that rare ones come up too."""
    if state.active is None:
        some = [action for each in BETWEEN for action in each.legal(state)]
    else:
        lists = [found for each in DEEDS if (found := list(each.legal(state)))]
        some = lists[rng.integers(len(lists))]
    return some[rng.integers(len(some))]


def test_300_random_sequences_break_no_invariant():
    rng, words, kept = np.random.default_rng(16), Counter(), GAME.conserved(START)
    state = START
    for sequence in range(300):
        if sequence % 10 == 0:
            state = START
        while next(state.ready(state.player), None) is not None or state.active is not None:
            action = chosen(state, rng)
            assert not list(action.problems(state)), action
            assert read((*BETWEEN, *DEEDS), action.text()) == action
            state = action.apply(state)
            words[action.word] += 1
            assert not list(base_faults(state)), action
            assert GAME.conserved(state) == kept
            assert not list(state_problems(state)), action
        state = next_turn(state)
    assert words.keys() == {each.word for each in (*BETWEEN, *DEEDS)}, words


def test_an_overlap_is_told():
    state = START.with_figure(0, START.figures[0].at((8.5, 5.0), 0.0))
    assert [name for name, _ in base_faults(state)] == ["pip", "cart"]
    assert all("overlaps tom" in fault for _, fault in base_faults(state))
