"""Choices before the battle: ranks, leaders' places, camps, shield walls (BB 14.1 to 14.4)."""

from collections.abc import Iterator
from dataclasses import replace

from brickphys.blade_and_bow.deployment import (
    BeginWall,
    CampPlace,
    LeaderPlace,
    NoWall,
    RankChoice,
    Ranks,
    Station,
    WallChoice,
    ask_for_setup,
)
from brickphys.blade_and_bow.setting import Options, Special
from brickphys.blade_and_bow.state import Phase, State
from tests.blade_and_bow.battle import battle, square, unit

FIELD = """
........
........
........
"""


def six_hoplites(**options: bool) -> State:
    """Six hoplites of +1, to +3 at most, as in the example of BB 14.2, and a leader."""
    lines = [f"greeks hoplite {column}2 e +1 max=3" for column in "ABCDEF"]
    return battle(
        FIELD,
        *lines,
        "greeks leader miltiades A2 1-9-3/red",
        "persians spears H2 w",
        phase=Phase.SETUP,
        turn=0,
        options=Options(**options),
    )


def ranks_of(state: State) -> list[int]:
    return [one.ranks for one in state.units[:6]]


def complete(state: State) -> Iterator[list[int]]:
    """Yield the ranks of every way through the questions about ranks."""
    if not isinstance(state.first_pending, RankChoice):
        yield ranks_of(state)
        return
    for action in Ranks.legal(state):
        yield from complete(action.apply(state))


def test_every_choice_of_ranks_keeps_sum_and_limit_and_all_are_reached_14_2() -> None:
    found = [tuple(ranks) for ranks in complete(ask_for_setup(six_hoplites()))]
    assert all(sum(ranks) == 6 and max(ranks) <= 3 for ranks in found)
    assert len(found) == len(set(found)) == 336  # the coefficient of x^6 in (1 + x + x^2 + x^3)^6
    assert (3, 3, 0, 0, 0, 0) in found  # the book's own example


def test_ranks_beyond_the_limit_or_the_sum_are_refused_14_2() -> None:
    state = ask_for_setup(six_hoplites())
    (fault,) = Ranks(4).problems(state)
    assert fault == "4 does not fit; choose from 0, 1, 2, 3 (BB 14.2 Steps)"
    assert "BB 14.2" in fault
    for _ in range(2):
        state = Ranks(3).apply(state)
    assert [action.ranks for action in Ranks.legal(state)] == [0]


def test_as_printed_nothing_is_asked() -> None:
    state = six_hoplites(free_setup=False)
    assert ask_for_setup(state) == state
    assert state.setting.chosen_ranks == ()


def test_an_army_without_adjustment_keeps_its_ranks_14_1() -> None:
    state = battle(FIELD, "greeks hoplite A2 e +1", "persians hoplite H2 w +1 max=3")
    assert state.setting.chosen_ranks == (unit(state, "hoplite_2"),)


def test_leaders_begin_with_a_friendly_unit_14_1() -> None:
    state = ask_for_setup(six_hoplites())
    while isinstance(state.first_pending, RankChoice):
        state = next(Ranks.legal(state)).apply(state)
    assert state.first_pending == LeaderPlace(0)
    places = [action.square for action in Station.legal(state)]
    assert places == ["A2", "B2", "C2", "D2", "E2", "F2"]
    assert next(Station("miltiades", "H2").problems(state), "")
    state = Station("miltiades", "C2").apply(state)
    assert state.leaders[0].square == square(state, "C2")
    assert state.pending == ()


def test_the_first_player_chooses_before_the_second_one() -> None:
    """Ranks, leaders, the camp, shield walls; a leader who comes later has his place later."""
    lines = [
        f"{player} {line}"
        for player in ("persians", "greeks")
        for line in ("hoplite {} e +1 max=2", "leader l_{} {} 1-6-3/red", "leader x_{} - 2-6-3/red")
    ]
    places = ("H2", "persian H2", "persian", "A2", "greek A2", "greek")
    lines = [line.format(*of.split(" ")) for line, of in zip(lines, places, strict=True)]
    state = battle(FIELD, *lines, special=Special(shield_walls=(True, True)), phase=Phase.SETUP)
    camps = tuple(tuple(square(state, f"{column}{row}") for row in (1, 3)) for column in "AH")
    state = state.replaced({"setting": replace(state.setting, camp_places=camps)})
    of_greeks = (RankChoice(1), LeaderPlace(2), CampPlace(0), WallChoice(0))
    of_persians = (RankChoice(0), LeaderPlace(0), CampPlace(1), WallChoice(1))
    state = ask_for_setup(state)
    assert state.pending == (*of_greeks, *of_persians)
    assert [one.player(state) for one in state.pending] == [0] * 4 + [1] * 4
    assert [unit.ranks for unit in state.units] == [0, 0]


def test_the_question_for_ranks_tells_what_is_left() -> None:
    state = ask_for_setup(six_hoplites())
    asked = state.awaited(RankChoice)
    assert asked.prompt(state) == (
        "how many of the 6 ranks left stand behind hoplite 1? 5 units follow"
    )
    state = Ranks(3).apply(Ranks(3).apply(state))
    assert (
        state.awaited(RankChoice)
        .prompt(state)
        .endswith("how many of the 0 ranks left stand behind hoplite 3? 3 units follow")
    )


def test_camp_and_shield_walls_are_chosen_14_3_and_14_4() -> None:
    state = battle(
        FIELD,
        "greeks hoplite A2 e",
        "persians spears H2 w",
        "persians archers H3 w",
        "persians light_cavalry H1 w",
        special=Special(shield_walls=(False, True)),
    )
    places = (square(state, "A1"), square(state, "A3"))
    setting = replace(state.setting, camp_places=(places, ()))
    state = ask_for_setup(state.replaced({"setting": setting}))
    assert state.pending == (CampPlace(0), WallChoice(1))
    camp, other = CampPlace.answers[0].legal(state)
    assert (camp.text(), other.text()) == ("camp A1", "camp A3")
    state = other.apply(state)
    assert state.camps[0] == places[1]


def walls(state: State) -> list[str]:
    """Return the units that are in a shield wall."""
    return [
        spec.name for spec, unit in zip(state.setting.units, state.units, strict=True) if unit.wall
    ]


def test_any_units_begin_in_a_shield_wall_by_one_question_14_4() -> None:
    """Every set of them is reached; cavalry forms none, and no question is left when there is nothing to choose."""
    spears = ("persians spears H2 w", "persians spears H3 w", "persians archers G3 w")
    special = Special(shield_walls=(True, True))
    lines = ("greeks light_cavalry A2 e", *spears, "persians light_cavalry H1 w")
    state = ask_for_setup(battle(FIELD, *lines, special=special))
    assert state.pending == (WallChoice(1),)
    asked, ended = [state], set()
    while asked:
        state = asked.pop()
        assert NoWall().apply(state).pending == ()
        ended.add(tuple(walls(state)))
        for action in BeginWall.legal(state):
            after = action.apply(state)
            if after.pending:
                asked.append(after)
            else:
                assert walls(after) == ["spears_1", "spears_2", "archers"]
                ended.add(tuple(walls(after)))
    assert len(ended) == 2**3
    assert next(BeginWall("light_cavalry_2").problems(state), "")
