"""Sheets of ships: numbers, damage charts and plans."""

from itertools import pairwise

import pytest

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.army import crossed_lines, plan_lines, sheet_list
from brickphys.pirate_wars.sheets import Damage, Line, ship, ships


def plan(name, hits=0):
    return sheet_list(name).sheets[0].marked({"damage": hits})


def text(name, hits=0):
    return plan(name, hits).text(lambda letter, _: letter)


def test_the_chart_of_the_flagship_is_that_of_the_book():
    """PW Damage Chart: the example of the Imperial Flagship."""
    lines = [line.split() for line in text("imperial_flagship").splitlines()]
    assert ["Hits", "SF", "SF", "HF", "SF", "HF", "SF", "HF", "SF", "HF"] in lines
    assert ["Speed", "60", "48", "36", "24", "12"] in lines


@pytest.mark.parametrize("name", ships())
def test_every_hit_crosses_the_topmost_line_and_strips_sails(name):
    """PW Damage Chart: line by line, and never more SF than HF once a hull line is gone."""
    chart, hits = ship(name).chart, 0
    states = [plan(name).damage]
    while chart.topmost(states[-1]) is not None:
        hits += 1
        states.append(plan(name, hits).damage)
    for before, after in pairwise(states):
        crossed, now = crossed_lines(chart, before), crossed_lines(chart, after)
        assert min(set(range(len(chart.lines))) - crossed) in now
        assert crossed < now
        if after.hull < chart.hull:
            assert after.sails <= after.hull
    assert states[-1] == Damage(0, 0)
    with pytest.raises(InvalidValueError, match=f"no open line after {hits} hit"):
        plan(name, hits + 1)


@pytest.mark.parametrize("name", ships())
def test_crossed_lines_leave_as_many_of_each_kind_as_the_damage_says(name):
    chart = ship(name).chart
    for hull in range(chart.hull + 1):
        for sails in range(chart.sails + 1):
            crossed = crossed_lines(chart, Damage(hull, sails))
            left = [line for n, line in enumerate(chart.lines) if n not in crossed]
            assert (left.count(Line.HULL), left.count(Line.SAIL)) == (hull, sails)


@pytest.mark.parametrize("name", ships())
def test_the_plan_shows_every_gun_once(name):
    sheet, picture = ship(name), "".join(plan_lines(ship(name)))
    for number in range(len(sheet.guns)):
        assert picture.count(str(number)) == 1


@pytest.mark.parametrize("name", ships())
def test_the_hull_covers_what_its_polygon_covers(name):
    sheet = ship(name)
    corners = sheet.hull.vertices_studs
    for ahead, left in corners.tolist():
        assert sheet.half_width_studs(ahead) == pytest.approx(abs(left))
        assert sheet.covers(0.99 * ahead, 0.98 * left) == (left != 0 or ahead > 0)
        assert not sheet.covers(1.01 * ahead, 1.01 * left)


def test_guns_fire_over_the_side_of_their_bearing():
    assert [gun.side for gun in ship("red_beards_runner").guns] == ["port", "starboard", "bow"]


def test_a_document_says_what_is_reconstructed():
    document = plan("black_pearl", 2).document()
    assert document["left"] == {"hull": 5, "sails": 5, "speed_studs": 50}
    assert document["chart"]["sails"] == 7
    assert document["reconstructed"]["width_studs"] == 10
    assert len(document["reconstructed"]["guns"]) == 3


def test_the_book_has_no_prices():
    assert {sheet.cost_points for sheet in sheet_list().sheets} == {None}


def test_unknown_ships_and_marks_are_refused():
    with pytest.raises(
        InvalidValueError, match="unknown ship 'black_perl': did you mean 'black_pearl'"
    ):
        sheet_list("black_perl")
    with pytest.raises(InvalidValueError, match="speed: a ship has nothing but damage to mark"):
        plan("black_pearl").marked({"speed": 3})
