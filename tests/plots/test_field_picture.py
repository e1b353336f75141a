"""Pictures and films of a game that is none of the package's: what they show and say, each frame a whole redraw."""

import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from brickphys import play
from brickphys.errors import InvalidValueError
from brickphys.plots.battle import scenario_figure, trajectories_figure
from brickphys.plots.colors import player_rgb, rgb
from brickphys.plots.film import MOST_FRAMES, Film
from brickphys.plots.painter import FieldPicture, draw_cells
from brickphys.rules.record import PLAYER_COLOURS
from brickphys.rules.registry import painter
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.report.trajectories import Frame
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


BATTLES = [
    ("bow", "duel"),
    ("bow", "skirmish"),
    ("minifig", "raid"),
    ("pirate_wars", "duel"),
    ("blade_and_bow", "mycale"),
    ("campaign", "ten_days"),
]
_FRAMES = 3


def trajectories_of(game, setup, steps=None):
    battle = play(game, setup, "random", seed=3)
    return battle.game.trajectories(battle.record), painter(battle.game)


def whole(film, number):
    """A frame as matplotlib draws it with everything on the axes."""
    shot = film.shots[number]
    stage, animation = film._stage, film._animation
    animation.set_background(lambda: stage.draw_field(shot.frame.state))
    for caption in [*stage.canvas.artists]:
        caption.remove()
    for mark in film.marks(shot):
        mark.on(stage.ax)
    animation._agg.draw()
    return np.asarray(animation._agg.buffer_rgba())[..., :3].copy()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "setup"), BATTLES)
def test_a_frame_has_the_pixels_of_a_whole_redraw(game, setup):
    course, drawn_by = trajectories_of(game, setup)
    film, again = Film(course, drawn_by), Film(course, drawn_by)
    for number in sorted({*range(min(_FRAMES, len(film))), len(film) - 1}):
        assert np.array_equal(film[number], whole(again, number)), number


def test_a_frame_of_a_skirmish_has_the_pixels_of_a_whole_redraw():
    course = skirmish(4, dark_from=2)
    film, again = Film(course, SkirmishPainter()), Film(course, SkirmishPainter())
    for number in (0, 1, 2, 3, 1):
        assert np.array_equal(film[number], whole(again, number)), number


def test_turns_in_which_nothing_happens_are_left_out_and_told():
    course = skirmish(3)
    waits = [
        Frame(course.frames[0].state, "Round 1", f"{name}: waits.", round=1)
        for name in ("north", "blue")
    ]
    frames = (course.frames[0], *waits, *course.frames[1:])
    film = Film(replace(course, frames=frames), SkirmishPainter())
    assert [shot.frame for shot in film.shots] == list(course.frames)
    assert film.left_out == 2
    said = [film.caption(shot)[-1] for shot in film.shots]
    assert said[1] == "Left out before this (2): north: waits; blue: waits"
    assert said[0] == said[2] == "north: goes east."


def test_the_film_of_one_side_has_its_turns_and_its_losses():
    course = skirmish(6)
    whole, own = Film(course, SkirmishPainter()), Film(course.side("blue"), SkirmishPainter())
    blue = course.names.index("blue")
    shown = [shot.frame for shot in own.shots]
    for number, frame in enumerate(course.frames):
        is_end = number in (0, len(course.frames) - 1)
        lost = any(one.player == blue for one in frame.kills)
        assert (frame in shown) == (is_end or frame.player == blue or lost)
    assert len(own) + own.left_out == len(whole)


def test_a_caption_names_who_acted_in_what_is_left_out_and_cuts_no_name():
    still = Frame(skirmish().frames[0].state, "Round 1", "", round=1)
    frames = [replace(still, text=f"archer {number}: walks on and on.") for number in range(99)]
    film = Film(replace(skirmish(), frames=tuple(frames)), SkirmishPainter())
    line = film.caption(film.shots[1])[-1]
    found = re.fullmatch(
        r"Left out before this \(97\): (archer \d+(?:, archer \d+)*) and (\d+) more", line
    )
    assert found
    assert len(line) <= film._stage.letters
    assert found[1].split(", ") == [f"archer {n}" for n in range(1, 98 - int(found[2]))]


@pytest.mark.slow
def test_a_film_of_a_side_has_all_its_attacks():
    course, drawn_by = trajectories_of("minifig", "raid")
    shown = {id(s.frame) for one in course.names for s in Film(course.side(one), drawn_by).shots}
    attacks = [frame for frame in course.frames if frame.attacks]
    assert attacks
    assert all(id(frame) in shown and frame.player is not None for frame in attacks)


def test_a_long_film_of_a_side_keeps_its_rolls():
    course = skirmish(2 * MOST_FRAMES + 7)
    own = course.names.index("blue")
    frames = [replace(frame, rolled=n % 7 == 0) for n, frame in enumerate(course.frames)]
    film = Film(replace(course, frames=tuple(frames)).side("blue"), SkirmishPainter())
    shown = [shot.frame for shot in film.shots]
    assert all(one in shown for one in frames if one.rolled and one.player == own)


def test_a_turn_with_a_roll_is_shown():
    course = skirmish(1)
    rolled = replace(course.frames[0], path=(), rolled=True)
    film = Film(replace(course, frames=(course.frames[0], rolled, rolled)), SkirmishPainter())
    assert (len(film), film.left_out) == (3, 0)


def test_a_turn_after_which_the_field_looks_otherwise_is_shown():
    course = skirmish(2)
    moved = Frame(course.frames[1].state, "Round 1", "a door opens.", round=1)
    film = Film(replace(course, frames=(course.frames[0], moved, moved)), SkirmishPainter())
    assert [shot.frame.text for shot in film.shots] == ["north: goes east.", *["a door opens."] * 2]


def test_a_game_in_which_nothing_happens_has_its_first_and_its_last_picture():
    still = Frame(skirmish().frames[0].state, "Round 1", "north: waits.", round=1)
    film = Film(replace(skirmish(), frames=(still,) * 30), SkirmishPainter())
    assert (len(film), film.left_out) == (2, 28)
    assert film.caption(film.shots[1])[-1] == "Left out before this (28): north"
    alone = Film(replace(skirmish(), frames=(still,)), SkirmishPainter())
    assert (len(alone), alone.left_out) == (1, 0)


def test_a_caption_that_is_too_long_keeps_the_last_events():
    course = skirmish(1)
    events = [f"north hits blue for the {number}th time" for number in range(60)]
    frame = replace(course.frames[0], text=f"north: {'; '.join(events)}; blue dies.")
    film = Film(replace(course, frames=(frame,)), SkirmishPainter())
    lines = film.caption(film.shots[0])
    assert len(lines) <= 4
    assert lines[0] == "Round 1"
    assert lines[1].startswith("... north hits blue")
    assert lines[-1].endswith("blue dies.")


def test_a_film_draws_the_ground_only_where_it_has_changed():
    drawn_by = SkirmishPainter()
    images = list(Film(skirmish(6, dark_from=4), drawn_by))
    assert (len(images), drawn_by.grounds) == (6, 2)
    middle = tuple(size // 2 for size in images[0].shape[:2])
    assert images[3][middle].mean() > 2 * images[4][middle].mean()


def test_a_long_film_is_sampled_and_keeps_every_loss():
    film = Film(skirmish(2 * MOST_FRAMES + 7), SkirmishPainter())
    assert MOST_FRAMES / 2 < len(film) <= MOST_FRAMES + 1
    assert film.shots[-1].frame.kills
    assert len(film) + film.left_out == 2 * MOST_FRAMES + 7


def test_hits_and_misses_have_signs_of_their_own():
    course = skirmish(1)
    frame = replace(
        course.frames[0], player=None, impacts=(((20.0, 20.0), True), ((30.0, 9.0), False))
    )
    film = Film(replace(course, frames=(frame,)), SkirmishPainter())
    assert len(film) == 1
    film[0]
    signs = [
        (line.get_marker(), *line.get_xydata()[0])
        for line in film._stage.ax.lines
        if line.get_marker() in ("*", "o")
    ]
    assert signs == [("*", 20.0, 20.0), ("o", 30.0, 9.0)]
