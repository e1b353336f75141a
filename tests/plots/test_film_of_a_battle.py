"""Films of games: which turns they show, what their captions say, and that each frame is a whole redraw."""

import re
from dataclasses import replace

import numpy as np
import pytest

from brickphys import play
from brickphys.plots.film import MOST_FRAMES, Film
from brickphys.rules.registry import painter
from brickphys.rules.report.trajectories import Frame
from tests.plots.inch_skirmish import SkirmishPainter, skirmish

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
