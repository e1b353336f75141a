"""The catalogue that ships."""

import pytest

from brickphys.bow.sheets.catalogue import catalogue, unit, vehicle
from brickphys.bow.sheets.library import cost_points
from brickphys.bow.sheets.sheet import HealthColour
from brickphys.errors import InvalidValueError

SHEETS = list(catalogue().sheets.values())


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_ready_sheet_has_no_fault_and_says_what_it_is(sheet):
    assert sheet.problems() == []
    assert sheet.about
    assert cost_points(sheet) > 0


def test_plain_units_cost_less_than_heroes():
    """What the data file promises: below about 60 and up to 100 points."""
    heroes = {"jedi", "wizard"}
    costs = {sheet.name: cost_points(sheet) for sheet in catalogue().units.values()}
    assert all(costs[name] == 100 for name in heroes)
    assert max(cost for name, cost in costs.items() if name not in heroes) < 60


def test_machines_and_life_forms():
    yellow = {s.name for s in catalogue().units.values() if s.health_colour is HealthColour.YELLOW}
    assert yellow == {"droid", "repair_droid"}


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(InvalidValueError, match="unknown unit 'knigth': did you mean 'knight'"):
        unit("knigth")
    with pytest.raises(InvalidValueError, match="unknown vehicle 'jep': did you mean 'jeep'"):
        vehicle("jep")
    with pytest.raises(InvalidValueError, match="unknown sheet 'jep'"):
        catalogue().sheet("jep")


def test_sheets_are_values():
    assert hash(unit("jedi")) == hash(catalogue().units["jedi"])
    assert hash(vehicle("tank")) == hash(catalogue().vehicles["tank"])
    with pytest.raises(AttributeError):
        unit("jedi").move = 9
    with pytest.raises(TypeError):
        catalogue().gear["sword"] = None
