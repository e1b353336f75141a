"""States of battles: only fields can be changed, and what is remembered of a state ends with what it depends on."""

from dataclasses import replace

import pytest

from brickphys.bow.state import NOBODY, State
from brickphys.errors import ArgumentError
from tests.bow.battle import Battle, seated, setup, unit, vehicle


def state() -> State:
    return Battle(setup(unit("a", "knight", "red", 5, 5), unit("b", "trooper", "blue", 9, 9))).state


def test_a_name_that_is_no_field_is_refused():
    told = "State has no field 'actions_leftt'; did you mean 'actions_left'"
    with pytest.raises(ArgumentError, match=told):
        state().replaced({"actions_leftt": 5})


def test_a_changed_state_equals_one_that_is_made_anew():
    before = state()
    moved = replace(before.units[0], stud=7)
    hash(before), before.board
    after = before.with_unit(0, moved).replaced({"actions_left": 1})
    fresh = replace(before, units=(moved, before.units[1]), actions_left=1)
    assert after == fresh
    assert hash(after) == hash(fresh)
    assert after.board.units == fresh.board.units != before.board.units


def test_the_board_is_kept_while_nothing_on_it_changes():
    before = state()
    board = before.board
    assert before.replaced({"actions_left": 1}).board is board
    assert before.replaced({"units": before.units}).board is not board


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("board", {"units", "vehicles", "open_ids"}),
        ("visible", {"units", "vehicles", "open_ids", "active"}),
        ("attack_plans", {"units", "vehicles", "open_ids", "active"}),
        ("falling", {"vehicles", "open_ids"}),
    ],
)
def test_what_was_worked_out_is_forgotten_with_its_reasons_and_kept_else(name, reasons):
    before = state()
    known = getattr(before, name)
    for field in ("units", "vehicles", "open_ids", "active", "actions_left", "shots", "objects"):
        after = before.replaced({field: getattr(before, field)})
        assert (getattr(after, name) is known) == (field not in reasons)


def test_the_pilot_and_the_occupants_of_a_vehicle_in_the_order_of_its_seats():
    crew = [seated(f"u{seat}", "driver", "red", "car", seat) for seat in ("passenger", "pilot")]
    cars = [
        vehicle("car", "landspeeder", "red", 15.0, 10.0),
        vehicle("empty", "jeep", "red", 45.0, 30.0),
    ]
    foe = unit("b", "trooper", "blue", 29, 19)
    there = Battle(setup(*crew, foe, vehicles=cars, width=60, length=40)).state
    assert there.occupants(0) == [1, 0]
    assert there.pilot(0) == 1
    assert (there.occupants(1), there.pilot(1)) == ([], NOBODY)
    assert there.stance(0) == (15.0, 10.0, there.vehicle_body(0).bottom_plates)
    for unit_number, piloted in ((1, 0), (0, None), (2, None), (NOBODY, None)):
        assert there.replaced({"active": unit_number}).piloted == piloted
    assert there.named("car") is there.vehicles[0]
    assert there.named("b") is there.units[2]
    assert there.vehicles_left == [0, 1]
    gone = replace(there.vehicles[0], gone=True)
    assert there.with_vehicle(0, gone).vehicles_left == [1]


def test_2_2_a_unit_is_unplayed_while_its_mark_is_that_of_the_round_before():
    before = state()
    for number in (1, 2, 3):
        there = before.replaced({"round": number})
        assert there.adds_marks == (number % 2 == 1)
        assert there.is_unplayed(0) == there.adds_marks
        marked = there.with_unit(0, replace(there.units[0], marked=True))
        assert marked.is_unplayed(0) != there.adds_marks
        assert (0 in marked.to_play) != there.adds_marks
        out = there.with_unit(0, replace(there.units[0], stud=None))
        assert not out.is_unplayed(0)
        assert out.last_team == 1
    assert before.last_team is None


def test_what_the_active_unit_sees_is_known_until_something_moves_or_another_unit_acts():
    before = state()
    known = before.visible
    assert before.replaced({"actions_left": 1, "menu": "attack"}).visible is known
    for changes in ({"units": before.units}, {"active": 1}, {"open_ids": frozenset()}):
        assert before.replaced(changes).visible is not known
