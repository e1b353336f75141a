"""Pictures of a game that is none of the package's: units on a field in inches."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from brickphys.errors import InvalidValueError
from brickphys.plots.battle import scenario_figure, trajectories_figure
from brickphys.plots.colors import player_rgb, rgb
from brickphys.plots.painter import FieldPicture, draw_cells
from brickphys.rules.record import PLAYER_COLOURS
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.scenario import ScenarioReport
from tests.plots.inch_skirmish import HILL, NAMES, Skirmish, SkirmishPainter, skirmish


def test_the_picture_has_the_unit_of_the_field_its_areas_ways_and_losses():
    canvas = trajectories_figure(skirmish(), SkirmishPainter())
    (ax,), (legend,) = canvas.axes, canvas.legends
    assert (ax.get_xlim(), ax.get_ylim(), ax.get_xlabel()) == ((0, 72), (0, 48), "inches")
    shown = {text.get_text() for text in ax.texts}
    assert {"hill", "north", "blue, round 3", "1", "2", "3"} <= shown
    assert [text.get_text() for text in legend.get_texts()] == list(NAMES)
    (caption,) = (text.get_text() for text in canvas.texts)
    assert caption.startswith("north (random) against blue (person)\nNorth wins.\nRing: start.")
    (cross,) = (line for line in ax.lines if line.get_marker() == "X")
    assert (cross.get_xdata()[0], cross.get_ydata()[0]) == (60.0, 24.0)


def test_a_caption_does_not_end_in_a_lone_word():
    stage = FieldPicture(SkirmishPainter(), skirmish().final, ())
    text = "word " * (stage.letters // 5) + "items."
    first, last = stage.wrapped(text)
    assert f"{first} {last}" == text
    assert 2 * len(last) >= stage.letters - len("word ")


def test_numbers_and_losses_are_told_in_the_time_of_the_game():
    canvas = trajectories_figure(replace(skirmish(), time="day"), SkirmishPainter())
    assert "Number: place at the end of that day." in canvas.texts[0].get_text()
    assert "blue, day 3" in {text.get_text() for text in canvas.axes[0].texts}


def test_a_scenario_shows_armies_aims_and_areas():
    state = Skirmish(((10.0, 20.0), (60.0, 24.0)))
    armies = tuple(ArmyTotal(name, {"figures": 1}, 10, 1) for name in NAMES)
    report = ScenarioReport("The hill", "", "", armies, ("Hold the hill.",), (HILL,), {}, state)
    canvas = scenario_figure(report, SkirmishPainter())
    (ax,), (legend,) = canvas.axes, canvas.legends
    assert ax.get_title() == "The hill"
    assert legend.get_title().get_text() == "Hold the hill."
    assert [text.get_text() for text in legend.get_texts()] == [
        f"{name}: 10 cost points" for name in NAMES
    ]
    assert {text.get_text() for text in ax.texts} == {"hill", *NAMES}


def test_armies_without_prices_are_counted():
    state = Skirmish(((10.0, 20.0), (60.0, 24.0)))
    armies = tuple(ArmyTotal(name, {"ships": 1, "guns": 4}) for name in NAMES)
    report = ScenarioReport("The cape", "", "", armies, (), (), {}, state)
    (legend,) = scenario_figure(report, SkirmishPainter()).legends
    said = [text.get_text() for text in legend.get_texts()]
    assert said == [f"{name}: ships 1, guns 4" for name in NAMES]


def test_some_rounds_show_the_ways_of_these_from_where_they_began():
    some = skirmish(6).during(2, 4)
    north, blue = some.tracks
    assert north.places == tuple((number, (9.0 + number, 20.0)) for number in range(1, 5))
    assert (blue.places, blue.end) == (((0, (60.0, 24.0)),), "")
    assert [frame.round for frame in some.frames] == [2, 3, 4]
    assert some.final == some.frames[-1].state
    assert skirmish(6).during(6, 9).tracks[1].end == "dies"
    assert skirmish(6).during(6, 9).ending == "North wins."
    (caption,) = (text.get_text() for text in trajectories_figure(some, SkirmishPainter()).texts)
    assert "After rounds 2 to 4." in caption


def test_who_was_gone_before_some_rounds_has_no_way_in_them():
    course = skirmish(6)
    blue = replace(course.tracks[1], end_round=2)
    assert blue.during(3, 4).places == ()
    assert blue.during(2, 4).end == "dies"


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        ((7, 9), "the game does not have rounds 7 to 9: it has rounds 1 to 6"),
        ((7, 7), "does not have round 7"),
    ],
)
def test_rounds_that_were_not_played_are_refused(rounds, told):
    with pytest.raises(InvalidValueError, match=told):
        skirmish(6).during(*rounds)


def test_one_side_has_its_ways_and_its_names_alone():
    course = replace(skirmish(), final=skirmish().frames[0].state)
    canvas = trajectories_figure(course.side("north"), SkirmishPainter())
    shown = {text.get_text() for text in canvas.axes[0].texts}
    assert "north" in shown
    assert not any(text.startswith("blue") for text in shown)
    assert "Shown: the ways and names of north only." in canvas.texts[0].get_text()
    with pytest.raises(InvalidValueError, match="unknown player 'south'"):
        course.side("south")


def test_an_area_and_a_way_have_their_outlines():
    course, corners = skirmish(), ((30.0, 10.0), (50.0, 10.0), (40.0, 22.0))
    hull = ((8.0, 19.0), (10.0, 19.0), (9.0, 22.0))
    tracks = (replace(course.tracks[0], outlines=((1, hull),)), *course.tracks[1:])
    areas = (replace(HILL, outline=corners),)
    canvas = trajectories_figure(replace(course, tracks=tracks, areas=areas), SkirmishPainter())
    (ax,) = canvas.axes
    drawn = [patch.get_xy()[:-1].tolist() for patch in ax.patches if hasattr(patch, "get_xy")]
    assert [list(corner) for corner in corners] in drawn
    outlines = [path.vertices[:-1].tolist() for one in ax.collections for path in one.get_paths()]
    assert [list(corner) for corner in hull] in outlines


def test_squares_have_their_colours_and_places():
    from matplotlib.figure import Figure as Canvas

    ax = Canvas().subplots()
    colors = np.zeros((2, 3, 3))
    colors[1, 2] = to_rgb("red")
    draw_cells(colors, ax)
    (squares,) = ax.collections
    (red,) = np.flatnonzero(squares.get_facecolors()[:, 0])
    assert squares.get_paths()[red].get_extents().bounds == (2, 1, 1, 1)
    assert len(squares.get_paths()) == 6


def test_white_is_that_of_the_palette():
    assert rgb("white") == (242 / 255, 243 / 255, 242 / 255)


def test_the_first_two_players_differ_in_lightness():
    """Relative luminance (WCAG 2): a contrast of 2 at least, which remains without colour."""

    def luminance(name):
        linear = [((v + 0.055) / 1.055) ** 2.4 for v in player_rgb(name)]
        return float(np.dot([0.2126, 0.7152, 0.0722], linear))

    dark, light = sorted(luminance(name) + 0.05 for name in PLAYER_COLOURS[:2])
    assert light / dark >= 2


def test_a_game_without_a_picture_of_sheets_says_so():
    with pytest.raises(InvalidValueError, match="no picture of knight"):
        SkirmishPainter().sheets_figure([ArmyTotal("knight", {}, 1, 1)])
