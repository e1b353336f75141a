"""The Spartans come to Mycale, and the goat path of Thermopylae is found (BB 14.2, 14.4, special rules 3)."""

from fractions import Fraction
from typing import Any

import pytest

from brickphys.blade_and_bow import deployment
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.setting import Entry, Special
from brickphys.blade_and_bow.state import Phase, State
from brickphys.blade_and_bow.turns import PathRoll, sought
from brickphys.grid.grid import squares_of
from brickphys.odds.law import BinomialLaw
from tests.blade_and_bow.battle import battle, names_of, square

ANY_LAW = BinomialLaw(Fraction(1, 2))
FIELD = "\n".join(["......."] * 8)


PIECES = (
    "greeks hoplite A8 e +1",
    "greeks leader xanthypus A8 2-6-3/white",
    *(f"greeks hoplite - e +1 as=spartan_{n}" for n in range(4)),
    "greeks leader leotychidas - 1-6-3/red",
    "persians spears G8 w",
    "persians leader tigranes G8 1-4-3/white",
)
AREAS = {(1, 2, 3): "D1 E1 F1 G1", (4, 5): "A4 A5 A6 A7", (6,): "C8 D8"}
"""Of the die; the last one has room for two."""


def mycale(**changes: Any) -> State:
    """Four Spartans and their king are to come."""
    field = battle(FIELD)
    entries = tuple(
        Entry(rolls, tuple(square(field, name) for name in names.split()), 6)
        for rolls, names in AREAS.items()
    )
    special = Special(entries=entries)
    return battle(FIELD, *PIECES, special=special, phase=Phase.INITIATIVE, **changes)


def places(state: State) -> list[str]:
    return [action.square for action in deployment.Arrive.legal(state)]


def asked(**changes: Any) -> State:
    return deployment.awaited(mycale(**changes))


@pytest.mark.parametrize("turn", range(1, 6))
def test_they_may_come_by_a_face_up_to_the_turn_14_4(turn: int) -> None:
    state = asked(turn=turn)
    assert state.pending == (deployment.ArrivalRoll(),)
    law = deployment.ArrivalRoll().event(state).law(ANY_LAW)
    assert law[1, 0] == Fraction(turn, 6)
    settled = deployment.ArrivalRoll().settle(state.pop_pending(), (1, 0))
    assert settled.pending == (deployment.EntryRoll(),)
    assert deployment.ArrivalRoll().settle(state.pop_pending(), (0, 1)).pending == ()


def test_from_the_sixth_turn_on_they_come_for_certain_14_4() -> None:
    assert asked(turn=6).pending == (deployment.EntryRoll(),)
    assert [bool(deployment.ArrivalRoll().problems(mycale(turn=turn))) for turn in (5, 6)] == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("entry", "delay", "areas"),
    [
        (1, 0, ["D1"]),
        (4, 0, ["A4"]),
        (6, 0, ["C8"]),
        (4, 1, ["D1", "A4"]),  # the book's example: one turn of delay makes the 4 a 3,
        (4, 2, ["D1", "A4", "C8"]),  # two make it a 6
        (1, 2, ["D1"]),
        (1, 3, ["D1", "A4"]),
    ],
)
def test_delay_shifts_the_die_for_the_place_14_4(entry: int, delay: int, areas: list[str]) -> None:
    assert places(asked(entry=entry, delay=delay)) == areas


def test_the_question_tells_the_places_and_what_waiting_is_worth_14_4() -> None:
    state = asked(entry=4, delay=2)
    assert deployment.ArrivalQuestion().prompt(state) == (
        "4 units may come, disrupted, from D1 or A4 or C8 on; to wait opens places one number farther from 4"
    )
    for unit, place in enumerate(("A4", "A5", "A6", "A7"), 1):
        state = state.change_unit(unit, box=Box.MAP, square=square(state, place))
    full = state.change_unit(4, box=Box.WAITING, square=None).change_unit(
        5, square=square(state, "A7")
    )
    now = "not come now: no square is free"
    told = deployment.ArrivalQuestion().prompt(full.replaced({"delay": 0}))
    assert told == f"1 unit may {now}; to wait opens places one number farther from 4"


def test_they_come_in_the_turns_after_their_place_is_known_14_4() -> None:
    """Until then they are rolled for in each turn."""
    assert asked(turn=3, entry=2).pending == (deployment.ArrivalQuestion(),)
    assert deployment.ArrivalQuestion().player(asked(entry=2)) == 0


def test_waiting_counts_turns_14_4() -> None:
    state = deployment.EntryRoll().rolled(asked(turn=6).pop_pending(), 4)
    assert state.pending == (deployment.ArrivalQuestion(),)
    state = deployment.Wait().apply(state)
    assert (state.entry, state.delay, state.pending) == (4, 1, ())


def test_they_arrive_disrupted_with_their_leader_who_commands_14_4() -> None:
    state = asked(entry=2)
    assert state.morale(0) == 3
    assert state.colour(0) == "white"
    state = deployment.Arrive("D1").apply(state)
    new = [unit for unit in state.units if unit.facing == 6]
    assert names_of(state, squares_of(unit.square or 0 for unit in new)) == "D1 E1 F1 G1"
    assert all(unit.disrupted and unit.ranks == 1 for unit in new)
    assert state.pending == (deployment.LeaderPlace(1),)
    assert [action.square for action in deployment.Station.legal(state)] == ["D1", "E1", "F1", "G1"]
    state = deployment.Station("leotychidas", "E1").apply(state)
    assert state.commanders[0] == 1
    assert state.colour(0) == "red"
    assert deployment.awaited(state) == state


def test_who_finds_no_room_comes_later() -> None:
    state = deployment.Arrive("C8").apply(asked(entry=6))
    assert [unit.box for unit in state.units].count(Box.WAITING) == 2
    state = deployment.Station("leotychidas", "C8").apply(state)
    assert deployment.awaited(state).pending == (deployment.ArrivalQuestion(),)
    assert places(deployment.awaited(state)) == []  # both squares are taken: they wait


@pytest.mark.parametrize("turn", range(1, 7))
def test_the_goat_path_is_found_by_a_face_up_to_the_turn_14_2(turn: int) -> None:
    state = sought(mycale(turn=turn))
    assert state.pending == ()  # no path here
    field = battle("...", "greeks hoplite A1 e", special=Special(hidden_path=True), turn=turn)
    state = sought(field)
    if turn == 6:
        assert state.discovered
        assert PathRoll().problems(field)
        return
    assert state.pending == (PathRoll(),)
    assert not PathRoll().problems(field)
    law = PathRoll().event(state).law(ANY_LAW)
    assert law[1, 0] == Fraction(turn, 6)
    found = PathRoll().settle(state.pop_pending(), (1, 0))
    assert found.discovered
    assert sought(found) == found
