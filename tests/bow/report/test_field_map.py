"""Fields as text."""

import re

import pytest

from brickphys.bow.scenario import SCENARIOS, begin, scenario_map
from brickphys.bow.scene import field_map
from brickphys.bow.status import battle_status
from tests.bow.battle import GAME, setup, unit, vehicle

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
     % vehicle of red
     @ unit"""


def block(name, kind, *block, **more):
    return {"id": name, "kind": kind, "block": list(block), **more}


def test_a_map_shows_everything_and_explains_its_signs():
    decor = [
        block("back", "wall", 0, 4, 7, 1),
        block("left", "wall", 0, 1, 1, 3),
        block("low", "wall", 1, 1, 2, 1, top=6),
        block("front", "door", 3, 1, 2, 1),
        block("corner", "wall", 5, 1, 2, 1),
        block("window", "window", 6, 2, 1, 1),
        block("side", "door", 6, 3, 1, 1),
        block("lintel", "wall", 6, 3, 1, 1, bottom=15, top=18),
        block("table", "furniture", 3, 3, 1, 1, top=4),
        block("tree", "tree", 6, 5, 2, 2, top=24),
    ]
    ground = [[0.0] * 11 for _ in range(7)]
    ground[0][8:] = 3.0, 6.0, 9.0
    size = {"length_studs": 3, "width_studs": 2, "bottom_plates": 0, "top_plates": 5}
    seat = {"name": "driver", "pilot": True}
    car = {"name": "car", "speed": 1, "armor": 1, "health": 1, "seat": [seat], **size}
    battle = setup(
        unit("a", "trooper", "red", 2, 0),
        unit("b", "trooper", "blue", 3, 2),
        width=11,
        length=7,
        decor=decor,
        ground=ground,
        open=["side"],
        vehicles=[vehicle("cart", "car", "red", 9.5, 3.0)],
        library={"vehicle": [car]},
    )
    assert field_map(GAME.initial(battle), "A@") == MAP


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
