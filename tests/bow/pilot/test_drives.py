"""Drives of a pilot: legal, exact, of different ends; what the next move does."""

from dataclasses import replace
from itertools import combinations, islice

import pytest

from brickphys.bow.actions.collision import CrashRoll, RunOver, must_move
from brickphys.bow.pilot.drives import Drive, drives
from brickphys.bow.state import State
from brickphys.rules.record import CHANCE
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle
from tests.bow.driven_games import drive, rough_setup
from tests.cases import few


def after(state: State, found: Drive) -> State:
    for action in found.actions:
        assert GAME.problems(state, action) == []
        state = GAME.apply(state, action)
    return state


def road(*units, speed: int = 2, **more) -> Battle:
    """A jeep at (15, 10) that points east, with a driver to move first."""
    battle = Battle(
        setup(
            seated("dora", "driver", "red", "jeep", "driver"),
            unit("bert", "trooper", "blue", 55, 2),
            *units,
            vehicles=[vehicle("jeep", "jeep", "red", 15.0, 10.0, 0.0, speed)],
            width=60,
            **more,
        )
    )
    return battle.do("unit dora")


def turns(seed: int):
    """States of a game in which a pilot has just begun its turn."""
    for state in drive(rough_setup(seed), seed, 300):
        begins = not state.pending and not state.menu and state.piloted is not None
        if begins and state.actions_left == state.me.sheet.action_budget:
            yield state


@pytest.mark.parametrize("seed", few(range(12), 2))
def test_drives_are_legal_and_come_to_what_they_say(seed):
    for state in islice(turns(seed), 3):
        number = state.piloted
        for found in islice(drives(state, number), 0, None, 5):
            end = after(state, found)
            if found.move is None:
                assert not must_move(found.before, number)
            elif found.is_smooth and GAME.actor(end) != CHANCE and not end.vehicles[number].gone:
                now = end.vehicles[number]
                there = (now.x_studs, now.y_studs, now.heading_deg)
                assert there == (found.end.x_studs, found.end.y_studs, found.end.heading_deg)
            elif found.hits:
                first = end.pending[0] if end.pending else None
                assert isinstance(first, RunOver | CrashRoll) or end.vehicles[number].gone


@pytest.mark.parametrize("seed", few(range(6), 2))
def test_no_two_drives_end_alike(seed):
    for state in islice(turns(seed), 2):
        ends = [
            (one.end.speed, one.end.x_studs, one.end.y_studs, one.end.heading_deg, one.hits)
            for one in drives(state, state.piloted)
        ]
        assert all(one != other for one, other in combinations(ends, 2))


def test_the_first_drive_steers_nowhere():
    first = drives(road().state, 0)[0]
    assert [action.text() for action in first.actions] == ["advance"]
    assert (first.cost, first.end.x_studs, first.end.y_studs) == (0, 25.0, 10.0)


def test_a_budget_of_actions_is_kept():
    battle = road()
    assert {found.cost for found in drives(battle.state, 0)} == {0, 1, 2, 3}
    assert {found.cost for found in drives(battle.state, 0, 1)} == {0, 1}


def test_a_vehicle_points_at_a_place():
    angles = [
        action.angle_deg
        for found in drives(road().state, 0, 1, towards=[(35.0, 20.0)])
        for action in found.actions
        if action.word == "turn"
    ]
    assert 26.6 in angles


def test_what_is_run_over_and_what_stops_are_told():
    wall = {"id": "wall", "block": [38, 5, 2, 10]}
    battle = road(unit("bob", "trooper", "blue", 26, 10), decor=[wall], speed=4)
    first = drives(battle.state, 0)[0]
    assert first.hits == ("bob", "wall wall")
    assert first.stops
    assert first.end.speed == 0
    assert first.end.x_studs == pytest.approx(33.0)


def test_the_next_move_goes_on_from_the_end():
    wall = {"id": "wall", "block": [45, 5, 2, 10]}
    first = drives(road(decor=[wall], speed=4).state, 0)[0]
    assert first.is_smooth
    assert [hit.id for hit in first.following.hits] == ["wall wall"]


def test_who_leaves_the_field_is_gone():
    battle = road(speed=4)
    state = battle.state.with_vehicle(0, replace(battle.state.vehicles[0], x_studs=50.0))
    first = drives(state, 0)[0]
    assert first.leaves_field
    assert first.end.gone
    assert first.following is None


def test_a_vehicle_that_has_moved_does_not_move_again():
    battle = road().do("advance")
    found = drives(battle.state, 0)
    assert all(one.move is None for one in found)
    assert found[0].actions == ()
