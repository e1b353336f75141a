"""The form of a setup: what may be left out, and the bounds of numbers and names."""

from typing import Any

import pytest

from brickphys.blade_and_bow.setting import Special
from brickphys.blade_and_bow.setup import first_state
from brickphys.errors import InvalidValueError
from brickphys.grid.grid import FACING_NAMES
from tests.blade_and_bow.setup.test_setup import changed, field


def test_what_is_left_out_is_plain():
    """No ranks, facing north, no special rule for a player, and a free setup."""
    setup = changed("units", 1, facing=None)
    setting, bob = first_state(setup).setting, first_state(setup).units[1]
    assert (bob.ranks, FACING_NAMES[bob.facing]) == (0, "n")
    assert setting.special == Special()
    assert not any((*setting.special.camp_decides, *setting.special.shield_walls))
    assert setting.options.free_setup


BOUNDS = [
    ("players", "impulses", 1, 12),
    ("players", "rout_level", 1, 200),
    ("players", "ranks", 0, 6),
    ("players", "most_ranks", 0, 6),
    ("leaders", "rank", 1, 9),
    ("leaders", "range_points", 0, 60),
    ("leaders", "value", 1, 6),
    ("units", "ranks", 0, 6),
]


def form_faults(setup: dict[str, Any]) -> str:
    """Return the faults of a setup, empty if there are none."""
    try:
        first_state(setup)
    except InvalidValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("table", "key", "least", "most"), BOUNDS)
def test_numbers_have_bounds(table: str, key: str, least: int, most: int) -> None:
    fault = f"{table}[0].{key}: {{}} should be"
    for number in (least, most):
        assert fault.format(number) not in form_faults(changed(table, 0, **{key: number}))
    for number in (least - 1, most + 1):
        assert fault.format(number) in form_faults(changed(table, 0, **{key: number}))


@pytest.mark.parametrize(("key", "least", "most"), [("width", 2, 26), ("length", 2, 99)])
def test_a_field_has_bounds(key: str, least: int, most: int) -> None:
    fault = f"field.{key}: {{}} should be"
    for number in (least, most):
        assert fault.format(number) not in form_faults(field(**{key: number}))
    for number in (least - 1, most + 1):
        assert fault.format(number) in form_faults(field(**{key: number}))


@pytest.mark.parametrize("name", ["", "3", "AB", "A0", "A01", "A100", "a1", "A1x", "ab1"])
def test_squares_have_a_letter_and_a_number(name: str) -> None:
    fault = f"units[1].square: {name!r} is not a square: a column A to Z, then a row from 1"
    assert fault in form_faults(changed("units", 1, square=name))
    assert "is not a square" not in form_faults(changed("units", 1, square="Z99"))
