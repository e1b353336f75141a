"""Pictures of a game that is none of the package's: units on a field in inches."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from brickphys.errors import InvalidValueError
from brickphys.plots.colors import player_colors, rgb
from brickphys.plots.field import draw_cells
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import Figure, draw_pieces
from brickphys.plots.scenario import scenario_figure
from brickphys.plots.trajectories import MOST_FRAMES, _Projector, film, trajectories_figure
from brickphys.rules.report.scenario import NamedArea, ScenarioReport
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories

NAMES = ("north", "blue")
HILL = NamedArea("hill", 30.0, 10.0, 20.0, 12.0)
INCHES_A_STUD = 0.315


@dataclass(frozen=True)
class Skirmish:
    """One unit a player, by its place."""

    places: tuple[tuple[float, float], ...]
    is_dark: bool = False


class SkirmishPainter(Painter[Skirmish]):
    """Counts how often it draws the ground."""

    unit = "inches"

    def __init__(self):
        self.grounds = 0

    def size(self, state):
        return 72.0, 48.0

    def players(self, state):
        return NAMES

    def ground(self, state):
        return state.is_dark

    def draw_ground(self, state, ax):
        self.grounds += 1
        draw_cells(np.full((48, 72, 3), 0.2 if state.is_dark else 0.8), ax)

    def draw_pieces(self, state, labels, written, ax):
        colors = player_colors(NAMES)
        figures = [
            Figure(*place, 0.0, color, name, stud=4 * INCHES_A_STUD)
            for place, color, name in zip(state.places, colors, NAMES, strict=False)
        ]
        draw_pieces(figures, [], [], labels, written, ax)


def skirmish(turns=3, dark_from=99):
    """North goes east, step by step, and shoots the other in the last turn."""
    frames = []
    for turn in range(turns):
        here, there = (10.0 + turn, 20.0), (60.0, 24.0)
        is_last = turn == turns - 1
        frames.append(
            Frame(
                Skirmish((here,) if is_last else (here, there), is_dark=turn >= dark_from),
                f"Round {turn + 1}",
                "north: goes east.",
                player=0,
                path=((here[0] - 1, 20.0), here),
                attacks=((here, there),) * is_last,
                kills=(Kill("blue", 1, there),) * is_last,
            )
        )
    way = tuple((number, (9.0 + number, 20.0)) for number in range(turns + 1))
    tracks = (
        Track("north", 0, is_vehicle=False, places=way),
        Track(
            "blue", 1, is_vehicle=False, places=((0, (60.0, 24.0)),), end="dies", end_round=turns
        ),
    )
    final = frames[-1].state
    return Trajectories(
        NAMES, ("random", "person"), "North wins.", final, tracks, tuple(frames), (HILL,)
    )


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


def test_numbers_and_losses_are_told_in_the_time_of_the_game():
    canvas = trajectories_figure(replace(skirmish(), time="day"), SkirmishPainter())
    assert "Number: place at the end of that day." in canvas.texts[0].get_text()
    assert "blue, day 3" in {text.get_text() for text in canvas.axes[0].texts}


def test_a_caption_that_is_too_long_keeps_the_last_events():
    course = skirmish(1)
    events = [f"north hits blue for the {number}th time" for number in range(60)]
    frame = replace(course.frames[0], text=f"north: {'; '.join(events)}; blue dies.")
    lines = _Projector(course, SkirmishPainter())._caption(frame)
    assert len(lines) <= 4
    assert lines[0] == "Round 1"
    assert lines[1].startswith("... north hits blue")
    assert lines[-1].endswith("blue dies.")


def test_a_film_draws_the_ground_only_where_it_has_changed():
    painter = SkirmishPainter()
    images = list(film(skirmish(6, dark_from=4), painter))
    assert (len(images), painter.grounds) == (6, 2)
    middle = tuple(size // 2 for size in images[0].shape[:2])
    assert images[3][middle].mean() > 2 * images[4][middle].mean()


def test_a_long_film_is_sampled_and_keeps_every_loss():
    trajectories = skirmish(2 * MOST_FRAMES + 7)
    told = []
    images = sum(
        1 for _ in film(trajectories, SkirmishPainter(), lambda *count: told.append(count))
    )
    assert MOST_FRAMES / 2 < images <= MOST_FRAMES + 1
    assert told[-1] == (images, images)


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


def test_an_area_and_a_way_have_their_outlines():
    course, corners = skirmish(), ((30.0, 10.0), (50.0, 10.0), (40.0, 22.0))
    hull = ((8.0, 19.0), (10.0, 19.0), (9.0, 22.0))
    tracks = (replace(course.tracks[0], outlines=(hull,)), *course.tracks[1:])
    areas = (replace(HILL, outline=corners),)
    canvas = trajectories_figure(replace(course, tracks=tracks, areas=areas), SkirmishPainter())
    (ax,) = canvas.axes
    drawn = [patch.get_xy()[:-1].tolist() for patch in ax.patches if hasattr(patch, "get_xy")]
    assert [list(corner) for corner in corners] in drawn
    outlines = [path.vertices[:-1].tolist() for one in ax.collections for path in one.get_paths()]
    assert [list(corner) for corner in hull] in outlines


def test_hits_and_misses_have_signs_of_their_own():
    course = skirmish(1)
    frame = replace(
        course.frames[0], player=None, impacts=(((20.0, 20.0), True), ((30.0, 9.0), False))
    )
    projector = _Projector(course, SkirmishPainter())
    projector.picture(course.frames[0])
    signs = [
        (artist.get_marker(), *artist.get_xydata()[0])
        for artist in projector._artists(frame)
        if hasattr(artist, "get_marker") and artist.get_marker() in ("*", "o")
    ]
    assert signs == [("*", 20.0, 20.0), ("o", 30.0, 9.0)]


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


def test_players_have_the_colours_of_their_names_or_free_ones():
    assert player_colors(("patrol", "rebels")) == ("red", "blue")
    assert player_colors(("patrol", "red")) == ("blue", "red")
    assert len(player_colors([f"p{number}" for number in range(8)])) == 8
    assert rgb("white") == (242 / 255, 243 / 255, 242 / 255)


def test_a_game_without_a_picture_of_sheets_says_so():
    with pytest.raises(InvalidValueError, match="no picture of knight"):
        SkirmishPainter().sheets_figure([ArmyTotal("knight", {}, 1, 1)])
