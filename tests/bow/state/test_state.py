"""States of battles: only fields can be changed, and what is remembered of a state ends with what it depends on."""

from dataclasses import replace

import pytest
from battle import Battle, setup, unit

from brickphys.bow.state.state import State


def state() -> State:
    return Battle(setup(unit("a", "knight", "red", 5, 5), unit("b", "trooper", "blue", 9, 9))).state


def test_a_name_that_is_no_field_is_refused():
    with pytest.raises(AssertionError, match="actions_leftt"):
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


def test_what_the_active_unit_sees_is_known_until_something_moves_or_another_unit_acts():
    before = state()
    known = before.visible
    assert before.replaced({"actions_left": 1, "menu": "attack"}).visible is known
    for changes in ({"units": before.units}, {"active": 1}, {"open_ids": frozenset()}):
        assert before.replaced(changes).visible is not known
