"""Reloading, sailing and setting sail: what needs no order (PW Reloading, PW Sailing)."""

import random

import pytest

from brickphys.pirate_wars.sheets import Role, ShipPlace
from brickphys.pirate_wars.state import MoraleCause, State
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, ended, listed, settled, tasks, told

FAR = boat(x=300, y=200, player=1)


def ship(sailors: int, *others: Role, sails: int = 7, hull: int = 6) -> State:
    """Barracuda with so many sailors on deck; the first one is at the helm."""
    crew = (*[Role.SAILOR] * sailors, *others)
    state = tasks(fleet(boat(x=100, y=100, crew=crew, sails=sails, hull=hull), FAR))
    return at(state, "a_sailor", place=ShipPlace.HELM) if sailors else state


@pytest.mark.parametrize(
    ("sailors", "sails", "hull", "after"),
    [
        (7, 7, 6, 7),
        (5, 7, 6, 5),  # too few: the extra SF are lost
        (0, 7, 6, 0),
        (4, 3, 6, 3),
        (5, 3, 6, 4),  # two more than needed set one
        (7, 3, 6, 5),
        (12, 3, 6, 5),  # two a turn at most
        (12, 5, 6, 6),
        (12, 6, 6, 6),  # never above the hull
        (12, 4, 4, 4),
        (12, 7, 6, 7),  # a ship may begin with more sails than hull lines
        (2, 0, 6, 1),
    ],
)
def test_sails_want_a_sailor_each(sailors, sails, hull, after):
    state = ended(ship(sailors, sails=sails, hull=hull))
    assert state.ships[0].sails == after
    assert all(minifig.is_alive for minifig in state.minifigs)


def test_a_ship_that_loses_its_last_sails_goes_adrift():
    assert ended(ship(0, Role.MARINE)).causes == ((0, MoraleCause.ADRIFT),)


def test_marines_do_not_sail():
    assert ended(ship(3, *[Role.MARINE] * 8)).ships[0].sails == 3


def test_only_the_deck_the_castles_and_the_helm_sail():
    state = at(ship(7), "a_sailor2", place=ShipPlace.CASTLE)
    assert ended(state).ships[0].sails == 7
    for place in (ShipPlace.CABIN, ShipPlace.GUN_DECK):
        assert ended(at(state, "a_sailor3", place=place)).ships[0].sails == 6
    assert ended(at(state, "a_sailor3", gun=0)).ships[0].sails == 6


def test_who_has_moved_does_not_sail_in_this_turn():
    state = told(ship(7), "move a_sailor3 castle", "done")
    assert ended(state).ships[0].sails == 6


@pytest.mark.parametrize(("hands", "rounds", "loads"), [(1, 1, 1), (1, 2, 2), (2, 1, 2), (0, 3, 0)])
def test_a_gun_is_loaded_by_two_in_a_turn_or_by_one_in_two(hands, rounds, loads):
    state = at(ship(5), *["a_sailor1", "a_sailor2"][:hands], gun=1).change_gun(0, 1, loads=0)
    for _ in range(rounds):
        state = ended(state)
    assert state.ships[0].guns[1].loads == loads


def test_marines_do_not_reload_cannons_but_their_muskets():
    state = at(ship(5, Role.MARINE), "a_marine5", gun=1).change_gun(0, 1, loads=0)
    state = ended(state.change_minifig(5, is_loaded=False))
    assert state.ships[0].guns[1].loads == 0
    assert state.minifigs[5].is_loaded


def test_the_crew_of_a_gun_reloads_it_in_the_turn_after_it_fired():
    state = at(ship(7), "a_sailor1", "a_sailor2", gun=2)
    state = ended(told(state, "fire a gun2 ball b", "done"))
    assert state.ships[0].guns[2].loads == 0
    assert ended(state).ships[0].guns[2].loads == 2


def test_a_musket_takes_a_turn_to_reload_and_its_owner_does_not_sail_then():
    state = ship(6, Role.CAPTAIN)
    state = told(state, "shoot a_captain6 b", "done")
    assert not state.minifigs[6].is_loaded
    state = ended(state)
    assert state.ships[0].sails == 6
    assert not state.minifigs[6].is_loaded
    state = ended(state)
    assert state.minifigs[6].is_loaded
    assert state.ships[0].sails == 6


def test_the_next_turn_begins_without_orders():
    state = ended(told(ship(7), "move a_sailor3 castle", "done"))
    assert (state.orders, state.busy) == ((), frozenset())


def test_random_tasks_break_nothing():
    """Any listed orders and dice: nothing is below 0, nobody is twice dead, places are not overfull."""
    draw = random.Random(15)
    crew = (Role.CAPTAIN, Role.LIEUTENANT, *[Role.MARINE] * 3, *[Role.SAILOR] * 9)
    for _ in range(15):
        state = tasks(
            fleet(
                boat(x=100, y=100, crew=crew),
                boat(x=100 + draw.randrange(12), y=draw.choice([112, 115, 120]), player=1),
                boat("renegade_runner", x=100, y=draw.choice([90, 86, 80]), player=1),
            )
        )
        state = at(at(state, "a_sailor5", "a_sailor6", gun=0), "b_pirate1", "b_pirate2", gun=2)
        for _ in range(3):
            while state.turn < 2:
                state = told(state, draw.choice(listed(state)))
                state = rolled(state, draw)
            state = rolled(ended(state), draw).replaced({"turn": 0})
            check(state)


def rolled(state: State, draw: random.Random) -> State:
    while state.pending:
        first = state.pending[0]
        if state.answers:
            state = told(state, draw.choice(listed(state)))
        else:
            event = first.event(state)
            outcome = draw.choice(list(event.law(None)))
            assert not first.problems(state)
            state = settled(first.settle(state.pop_pending(), outcome))
    return state


def check(state: State) -> None:
    for number, now in enumerate(state.ships):
        assert min(now.hull, now.sails) >= 0
        assert now.hull <= state.setting.ships[number].sheet.chart.hull
        for gun, _ in enumerate(now.guns):
            assert len(state.gunners(number, gun)) <= 2
    for minifig in state.minifigs:
        assert (minifig.ship is None) == (minifig.place is ShipPlace.WATER or not minifig.is_alive)
    for pair in state.lashed:
        assert any({one.attacker, one.defender} == {*pair} for one in state.boardings)
