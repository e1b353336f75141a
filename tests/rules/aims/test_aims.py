"""Aims of a game whose areas are sets of places."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.rules.aims import (
    Carry,
    Hold,
    Reach,
    RoundLimit,
    count_held,
    is_time_up,
    leader,
    team_returns,
    winner,
)

GATE = frozenset({1, 2})


@dataclass
class Table:
    """Units by number: team and place; who has what."""

    units: dict[int, tuple[int, int]]
    things: dict[int, set[str]] = field(default_factory=dict)

    def units_in(self, area):
        return [unit for unit, (_, place) in self.units.items() if place in area]

    def team(self, unit):
        return self.units[unit][0]

    def has(self, unit, item):
        return item in self.things.get(unit, set())


tables = st.builds(
    Table,
    st.dictionaries(st.integers(0, 5), st.tuples(st.integers(0, 1), st.integers(0, 3))),
    st.dictionaries(st.integers(0, 5), st.sets(st.sampled_from(["key", "map"]))),
)


@given(tables, st.integers(0, 1), st.integers(1, 3))
def test_any_units_of_the_team_reach_an_area_if_there_are_enough(table, team, count):
    there = [unit for unit, place in table.units.items() if place in [(team, 1), (team, 2)]]
    assert Reach(team, GATE, count=count).is_met(table) == (len(there) >= count)


@given(tables, st.sets(st.integers(0, 5), min_size=1))
def test_named_units_must_all_be_there_whatever_their_number(table, named):
    there = {unit for unit, (_, place) in table.units.items() if place in GATE}
    assert Reach(0, GATE, tuple(named)).is_met(table) == (named <= there)


@given(tables, st.integers(0, 1))
def test_a_thing_is_carried_by_a_unit_of_the_team_in_the_area(table, team):
    carriers = {unit for unit in table.units_in(GATE) if table.team(unit) == team}
    met = any("key" in table.things.get(unit, ()) for unit in carriers)
    assert Carry(team, GATE, "key").is_met(table) == met


@given(st.lists(tables, max_size=8), st.integers(0, 1), st.integers(1, 3))
def test_an_area_is_held_for_rounds_in_a_row(ends_of_rounds, team, rounds):
    aims = (Hold(team, GATE, rounds), Reach(1 - team, frozenset({9})), RoundLimit(2))
    held, run = (0, 0, 0), 0
    for table in ends_of_rounds:
        held = count_held(aims, held, table)
        alone = {table.team(unit) for unit in table.units_in(GATE)} == {team}
        run = run + 1 if alone else 0
        assert held == (run, 0, 0)
        assert winner(aims, held, table) == (team if run >= rounds else None)


def test_of_two_aims_that_are_met_the_first_wins():
    table = Table({0: (0, 1), 1: (1, 2)})
    aims = [RoundLimit(1), Reach(1, GATE), Reach(0, GATE)]
    assert winner(aims, (0, 0, 0), table) == 1
    assert winner(aims[::-1], (0, 0, 0), table) == 0


@pytest.mark.parametrize(("rounds", "up"), [(2, False), (3, True), (4, True)])
def test_time_is_up_after_the_limit_of_rounds(rounds, up):
    assert is_time_up([Reach(0, GATE), RoundLimit(3)], rounds) is up
    assert not is_time_up([Reach(0, GATE)], rounds)


def test_the_team_with_the_most_points_leads_alone():
    assert leader({0: 3, 1: 5, 2: 4}) == 1
    assert leader({0: 5, 1: 5, 2: 4}) is None
    assert leader({0: 0, 1: 0}) is None


def test_a_player_wins_or_loses_with_the_team():
    assert team_returns((0, 1, 0, 2), (0,)) == (1, -1, 1, -1)
    assert team_returns((0, 1, 2), (0, 2)) == (1, -1, 1)
    assert team_returns((0, 1), ()) == (0, 0)
