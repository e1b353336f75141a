"""Fields as text."""

import re

import pytest

from brickphys.bow.field import Decor, DecorType, Field, block
from brickphys.bow.scenario import SCENARIOS, begin, scenario_map
from brickphys.bow.status import battle_status, field_map
from brickphys.bow.terrain import Board, terrain
from brickphys.errors import InvalidValueError
from brickphys.vehicles.scene import Vehicle
from tests.bow.fields import flat_board

MAP = """\
     ......TT...
   5 ......TT...
     #######....
     #..&..'.%%%
     #..@..=.%%%
     #--++##....
   0 ..A.....123
     0         10
     . ground
     1 1 brick high
     2 2 bricks high
     3 3 bricks high
     # wall
     + closed door: front on 3,1
     = closed window: window on 6,2
     & furniture
     T tree
     - low wall
     ' open door: side on 6,3
     % vehicle
     @ unit"""


def test_a_map_shows_everything_and_explains_its_signs():
    decor = (
        Decor("back", DecorType.WALL, block(0, 4, 7, 1)),
        Decor("left", DecorType.WALL, block(0, 1, 1, 3)),
        Decor("low", DecorType.WALL, block(1, 1, 2, 1), 0, 6),
        Decor("front", DecorType.DOOR, block(3, 1, 2, 1)),
        Decor("corner", DecorType.WALL, block(5, 1, 2, 1)),
        Decor("window", DecorType.WINDOW, block(6, 2, 1, 1)),
        Decor("side", DecorType.DOOR, block(6, 3, 1, 1)),
        Decor("lintel", DecorType.WALL, block(6, 3, 1, 1), 15, 18),
        Decor("table", DecorType.FURNITURE, block(3, 3, 1, 1), 0, 4),
        Decor("tree", DecorType.TREE, block(6, 5, 2, 2), 0, 24),
    )
    ground = [0.0] * 77
    ground[8:11] = 3.0, 6.0, 9.0
    field = Field(11, 7, decor, tuple(ground))
    car = Vehicle("car", 9.5, 3.0, 0.0, 3.0, 2.0)
    board = Board(terrain(field, frozenset({"side"})), 1 << field.stud(3, 2), (car,))
    assert field_map(board, {field.stud(2, 0): "A"}) == MAP


def test_a_mark_is_one_character():
    with pytest.raises(InvalidValueError, match=r"mark 'AB' of stud \(1, 0\) is not one character"):
        field_map(flat_board(2, 2), {1: "AB"})


@pytest.mark.parametrize("text_of", [scenario_map, battle_status])
def test_the_vehicles_of_each_player_have_a_sign_of_their_own(text_of):
    state = begin(SCENARIOS.scenario("flight"))
    lines = text_of(state).splitlines()
    for number, (sign, owner) in enumerate((("%", "squadron"), ("$", "base"))):
        (left, low), (right, high) = state.vehicle_body(number).prism.footprint.box_studs
        rows = [line for line in lines if sign * round(right - left) in line]
        assert len(rows) == round(high - low)
        assert f"     {sign} vehicle of {owner}" in lines


@pytest.mark.parametrize("text_of", [scenario_map, battle_status])
@pytest.mark.parametrize(
    ("scenario", "line", "meaning"),
    [
        ("duel", "     ...{}..!.{}...", "! on the ground: sword on 6,4"),
        (
            "princess",
            "     :::...{}...{}.........+....{}..........#.~...",
            ": area of an aim of rescuers",
        ),
        (
            "confrontation",
            "     ...........-....123:3:3321....-...........",
            ": area of an aim of red and blue",
        ),
    ],
)
def test_objects_and_areas_of_aims_are_on_the_map(text_of, scenario, line, meaning):
    """Raised ground in an area shows its height on every other stud."""
    lines = text_of(begin(SCENARIOS.scenario(scenario))).splitlines()
    form = re.escape(line).replace(r"\{\}", "[A-Za-z]")
    assert any(re.fullmatch(form, one) for one in lines)
    assert f"     {meaning}" in lines


def test_no_unit_has_been_played_before_the_first_round():
    assert "played" not in battle_status(begin(SCENARIOS.scenario("duel")))
