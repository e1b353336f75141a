"""Faults of states that were read: each is named alone, and what is next to it is allowed."""

from dataclasses import replace
from typing import Any

import pytest

from brickphys.blade_and_bow.deck import card_numbers
from brickphys.blade_and_bow.deployment import RankChoice, ask_for_setup
from brickphys.blade_and_bow.notation import invariant_problems, state_problems
from brickphys.blade_and_bow.pieces import Activation, Box, Combat, FormationOrder, Stage
from brickphys.blade_and_bow.setting import Entry, Options, Special
from brickphys.blade_and_bow.sheets import charts
from brickphys.blade_and_bow.state import Phase, State
from tests.blade_and_bow.battle import battle, square

ANN, AMY, BOW, BOB = range(4)
LEO, SUB, DAT = range(3)


def field(**changes: Any) -> State:
    """Two units that move or fight, archers, and an enemy; leaders of a value of 3, 5 and 2."""
    return battle(
        "....... ...=... ....... .......",
        "greeks hoplite D3 n +2 max=4 as=ann",
        "greeks spears E3 n as=amy",
        "greeks archers A4 n as=bow",
        "persians spears D1 s as=bob",
        "greeks leader leo D3 1-9-3/red",
        "greeks leader sub A4 2-9-5/red",
        "persians leader dat D1 1-6-2/white",
        "persians camp G1",
        **{"options": Options(free_setup=False), **changes},
    )


STATE = field()
SEA, D4 = square(STATE, "D2"), square(STATE, "D4")
MOVE = Activation(FormationOrder.MOVE, LEO, (ANN, AMY), closed=True, waiting=(ANN, AMY))
SHOOT = Activation(FormationOrder.SHOOT, None, (BOW,), closed=True, waiting=(BOW,))


def unit(number: int, state: State = STATE, **changes: Any) -> State:
    return state.change_unit(number, **changes)


def acting(state: State = STATE, activation: Activation = MOVE, **changes: Any) -> State:
    return state.replaced({"activation": activation.replaced(changes)})


def fighting(stage: Stage, **changes: Any) -> State:
    """Archers shoot at the enemy."""
    combat = Combat(BOB, square(STATE, "D1"), (BOW,), ranged=True, stage=stage)
    return acting(STATE, SHOOT).replaced({"combat": combat.replaced(changes)})


def faults(state: State) -> list[str]:
    return [*invariant_problems(state), *state_problems(state)]


LAST = len(charts().ends)
RESHUFFLE = card_numbers()["reshuffle"]
COMES, PATH = Special(entries=(Entry((1,), (0,), 0),)), Special(hidden_path=True)
CHOSEN = field(options=Options())
SETUP = ask_for_setup(field(phase=Phase.SETUP, turn=0, actions=0, options=Options()))
ALLOWED = {
    "as it is": STATE,
    "the last turn": field(turn=LAST),
    "before the first turn": field(turn=0, phase=Phase.SETUP, actions=0),
    "actions are none": field(actions=0),
    "a hand of the highest value": field(hand_sizes=(6, 3)),
    "all impulses": field(impulses=(3, 3)),
    "a path is found": field(special=PATH, discovered=True),
    "reinforcements wait": field(special=COMES, entry=6, delay=2),
    "a shield wall": unit(AMY, wall=True),
    "a shield wall until the hits are over": unit(
        BOB, fighting(Stage.HITS), wall=True, disrupted=True
    ),
    "a lost rank": unit(ANN, ranks=1, lost=1).with_losses(0, 1),
    "a unit is lost": STATE.out_of_play(AMY, Box.ELIMINATED),
    "a unit has left": STATE.out_of_play(AMY, Box.LEFT),
    "a leader is caught": STATE.change_leader(LEO, box=Box.CAPTURED, square=None),
    "cards are in every pile": field(hands=((1, 2), (3,))).replaced(
        {"deck": tuple(n for n in range(60) if n not in (1, 2, 3, 5)), "discards": (5,)}
    ),
    "a formation moves": acting(),
    "a unit of it moves": acting(active=AMY),
    "a unit of it has moved": acting(waiting=(AMY,)),
    "a volley": fighting(Stage.CARDS),
    "ranks are still to be chosen": SETUP,
}


@pytest.mark.parametrize("what", ALLOWED)
def test_what_play_can_reach_has_no_fault(what: str) -> None:
    assert faults(ALLOWED[what]) == []


DECK = "are not in exactly one of the deck, the hands and the discards (BB 4)"
FAULTS: dict[str, State] = {
    "deck: [1, 0] is not in increasing order": field(deck=(1, 0), discards=tuple(range(2, 60))),
    "hands[1]: [2, 1] is not in increasing order": field(hands=((), (1, 2))).replaced(
        {"hands": ((), (2, 1))}
    ),
    "discards: [2, 1] is not in increasing order": field(deck=(0, *range(3, 60)), discards=(2, 1)),
    f"cards: [7] {DECK}": field(deck=tuple(n for n in range(60) if n != 7)),
    f"cards: [7, 9] {DECK}": field(discards=(7, 9)),
    "hands[0]: the reshuffle card cannot stay in a hand (BB 5.1)": field(hands=((RESHUFFLE,), ())),
    "amy: in the box routed, with square 11": unit(AMY, box=Box.ROUTED),
    "amy: in the box map, with square None": unit(AMY, square=None),
    "amy: in the box captured, with square None": unit(AMY, box=Box.CAPTURED, square=None),
    "amy: no unit can enter D2": unit(AMY, square=SEA),
    "amy: a shield wall of a unit that is disrupted or off the map (BB 13.3)": unit(
        AMY, wall=True, disrupted=True
    ),
    "bow: a shield wall of a unit that is disrupted or off the map (BB 13.3)": unit(
        BOW, box=Box.ROUTED, square=None, wall=True
    ),
    "bob: a shield wall of a unit that is disrupted or off the map (BB 13.3)": unit(
        BOB, fighting(Stage.DICE), wall=True, disrupted=True
    ),
    "D3: 2 units in one square (BB 3.2)": unit(AMY, square=STATE.square_of(ANN)),
    "leo: in the box captured, with square 10": STATE.change_leader(LEO, box=Box.CAPTURED),
    "leo: in the box map, with square None": STATE.change_leader(LEO, square=None),
    "leo: in the box rallied, with square None": STATE.change_leader(
        LEO, box=Box.RALLIED, square=None
    ),
    "leo: in the box left, with square None": STATE.change_leader(LEO, box=Box.LEFT, square=None),
    "camps[1]: A4 is not a place for it": STATE.replaced({"camps": (None, 0)}),
    "camps[0]: A4 is not a place for it": STATE.replaced({"camps": (0, STATE.camps[1])}),
    "persians: losses of 1, not 0 (BB 14.4)": field(losses=(0, 1)),
    "greeks: losses of 0, not 1 (BB 14.4)": unit(ANN, ranks=1, lost=1),
    "persians: losses of 0, not 1 (BB 14.4) ": unit(BOB, box=Box.ELIMINATED, square=None),
    f"turn: {LAST + 1} in the phase impulses": field(turn=LAST + 1),
    "turn: 0 in the phase impulses": field(turn=0),
    "turn: 1 in the phase setup": field(phase=Phase.SETUP, actions=0),
    "hand_sizes[0]: no leader allows 7 (BB 4.0)": field(hand_sizes=(7, 3)),
    "hand_sizes[1]: no leader allows 4 (BB 4.0)": field(hand_sizes=(4, 4)),
    "impulses[1]: 4 of 3 (BB 5.2)": field(impulses=(3, 4)),
    "actions: 1 in the phase rout": field(phase=Phase.ROUT, actions=1),
    "discovered: there is no hidden path": field(discovered=True),
    "entry: 1 with delay 0": field(entry=1),
    "entry: 7 with delay 0": field(special=COMES, entry=7),
    "entry: 0 with delay 1": field(special=COMES, delay=1),
    "activation: in the phase cards": acting(field(phase=Phase.CARDS, actions=0)),
    "activation: [3] are units of the enemy": acting(units=(ANN, BOB)),
    "waiting: some units are off the map": acting(STATE.out_of_play(AMY, Box.ROUTED)),
    "waiting: some units are not activated": acting(units=(ANN,)),
    "active: 2 does not wait to move": acting(active=BOW),
    "active: 1 does not wait to move": acting(waiting=(ANN,), active=AMY),
    "active: 2 does not wait to move ": acting(activation=SHOOT, active=BOW),
    "activation: no leader chooses its units": acting(leader=None, units=(ANN,), closed=False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_named(fault: str) -> None:
    assert fault.strip() in faults(FAULTS[fault])


@pytest.mark.parametrize(
    ("state", "first", "found"),
    [
        (unit(ANN, ranks=3), "ann: +3 at first, not +2 as printed", 3),
        (unit(ANN, CHOSEN, ranks=5), "ann: +5 at first, above the limit of +4", 5),
        (unit(ANN, CHOSEN, ranks=1), "", 1),
        (unit(ANN, SETUP, ranks=3), "", 3),
        (SETUP.replaced({"pending": ()}), "", 0),
    ],
)
def test_ranks_are_those_of_the_unit_and_of_the_army(state: State, first: str, found: int) -> None:
    ranks = [f"greeks: ranks of {found} in all, not 2 (BB 14.2 Steps)"]
    assert faults(state) == [f"{first} (BB 14.2 Steps)"] * bool(first) + ranks


def test_units_of_the_enemy_do_not_attack() -> None:
    assert faults(fighting(Stage.CARDS, units=(BOB,))) == [
        "activation: [3] are units of the enemy",
        "combat: [3] are not units that act",
    ]


def test_a_printed_unit_may_have_more_ranks_than_it_may_be_given() -> None:
    """Its scenario says so: the limit is for those who choose (BB 14.2)."""
    setting = field(options=Options()).setting
    bigger = replace(setting.units[ANN], ranks=6)
    other = replace(setting.units[AMY], counter=bigger.counter, most_ranks=1)
    units = (bigger, other, *setting.units[BOW:])
    state = unit(ANN, ranks=6).replaced({"setting": replace(setting, units=units)})
    assert state.setting.chosen_ranks == (ANN, AMY)
    assert faults(state) == []
    assert isinstance(SETUP.first_pending, RankChoice)


def test_an_army_without_leaders_holds_one_card_at_most():
    """BB 4.0: a hand is one card larger than the value of the leader."""
    state = battle("....... .......", "greeks hoplite A1 n", "persians spears A2 s")
    hands = [state.replaced({"hand_sizes": (size, 0)}) for size in (0, 1, 2)]
    found = [[f for f in faults(hand) if f.startswith("hand_sizes")] for hand in hands]
    assert found == [[], [], ["hand_sizes[0]: no leader allows 2 (BB 4.0)"]]
