"""Animations have the pixels of a redraw of the whole figure; animated GIFs are written whole or not at all."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from PIL import Image

from brickphys.errors import InvalidValueError
from brickphys.plots.film import Animation
from brickphys.plots.gif import HOLD_MS, changes, save_gif
from brickphys.plots.labels import Mark, told_apart
from brickphys.plots.painter import draw_polygons
from tests.cases import examples


def disc(x, y, radius, alpha, ax):
    ax.add_patch(Circle((x, y), radius, fc="red", ec="black", lw=2, alpha=alpha, zorder=5))


def kite(x, y, size, shade, ax):
    corners = np.array([(0, 0), (0.1, 1), (1, 1.2), (1, 0.1)]) * size + (x, y)
    draw_polygons([corners], ax, fc=(0, shade, 1), ec="black", lw=1.5, alpha=0.5, zorder=5)


def line(x, y, far, shade, ax):
    ax.plot([x, far], [y, 10 - far], color=(shade, 0, 0), lw=4, ls="--", zorder=4.5)


def cross(x, y, size, shade, ax):
    ax.plot(x, y, marker="X", ms=4 * size, mfc=str(shade), mec="white", mew=2, zorder=6)


def word(x, y, size, shade, ax):
    box = {"facecolor": "white", "alpha": 0.8, "lw": 0, "boxstyle": "round,pad=0.4"}
    ax.text(x, y, "name", fontsize=4 + 3 * size, bbox=box, zorder=7, rotation=40 * shade)


def title(x, y, size, shade, ax):
    ax.figure.text(0.02, 0.99, f"turn {size:g}", va="top")


NUMBERS = st.sampled_from([0.0, 0.3, 0.7, 1.0, 2.0, 4.0])
PLACES = st.sampled_from([0.0, 1.5, 3.0, 5.0, 8.0, 9.7])
MARKS = st.builds(
    lambda draw, x, y, size, shade: Mark(draw, (x, y, size, shade)),
    st.sampled_from([disc, kite, line, cross, word, title]),
    PLACES,
    PLACES,
    NUMBERS,
    st.sampled_from([0.2, 0.5, 1.0]),
)


def canvas():
    figure = Figure(figsize=(1.5, 1.5))
    ax = figure.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 10), aspect="equal", xticks=[], yticks=[])
    return figure, ax


def background(ax):
    ax.plot([0, 10], [3, 7], color="green", lw=6)
    ax.add_patch(Circle((5, 5), 2, fc="yellow", alpha=0.5, zorder=5.5))  # above some marks
    ax.text(1, 9, "area", zorder=6.5)


def whole_picture(marks):
    figure, ax = canvas()
    background(ax)
    for mark in marks:
        mark.on(ax)
    agg = FigureCanvasAgg(figure)
    figure.set_dpi(60)
    agg.draw()
    return np.asarray(agg.buffer_rgba())[..., :3]


@settings(max_examples=examples(0.3))
@given(st.lists(st.lists(MARKS, max_size=4), min_size=2, max_size=3))
def test_frames_have_the_pixels_of_a_whole_redraw(frames):
    figure, ax = canvas()
    animation = Animation(figure, ax, 60)
    animation.set_background(lambda: background(ax))
    for marks in frames:
        assert np.array_equal(animation.picture(marks), whole_picture(marks))


def test_a_mark_that_stays_is_drawn_once_and_one_that_goes_leaves_the_axes():
    figure, ax = canvas()
    animation = Animation(figure, ax, 60)
    calls = []

    def noted(number, ax):
        calls.append(number)
        disc(number, 2, 1, 1, ax)

    animation.set_background(lambda: None)
    for shown in ([1, 2], [1, 2, 7], [2, 7], [1, 2]):
        animation.picture([Mark(noted, (number,)) for number in shown])
    assert calls == [1, 2, 7, 1]
    assert len(ax.patches) == 2


def test_a_new_background_forgets_all_marks():
    figure, ax = canvas()
    animation = Animation(figure, ax, 60)
    mark = Mark(disc, (5.0, 5.0, 2.0, 1.0))
    animation.set_background(lambda: None)
    first = animation.picture([mark])
    animation.set_background(ax.clear)
    assert not np.array_equal(animation.picture([]), first)


def test_equal_marks_are_told_apart():
    one, other = Mark(disc, (1.0, 1.0, 1.0, 0.5)), Mark(disc, (2.0, 1.0, 1.0, 0.5))
    assert list(told_apart([one, other, one])) == [(one, 0), (other, 0), (one, 1)]


IMAGES = [np.full((12, 16, 3), shade, dtype=np.uint8) for shade in (0, 120, 255)]


def test_a_gif_repeats_and_holds_its_end(tmp_path):
    path = tmp_path / "film.gif"
    save_gif(IMAGES, path, 60)
    with Image.open(path) as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (3, (16, 12), 0)
        assert film.info["duration"] == 60
        film.seek(2)
        assert film.info["duration"] == HOLD_MS
    assert list(tmp_path.iterdir()) == [path]


def test_a_gif_that_cannot_be_written_leaves_no_file(tmp_path, monkeypatch):
    def fail(*paths):
        raise OSError(28, "no room")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InvalidValueError, match="no room"):
        save_gif(IMAGES, tmp_path / "film.gif", 60)
    assert not list(tmp_path.iterdir())


def test_only_what_differs_is_taken_over():
    differs = np.zeros((90, 40), dtype=bool)
    assert list(changes(differs)) == []
    differs[3:5, 10:12], differs[9, 30], differs[70:80, 2] = True, True, True
    assert list(changes(differs)) == [(slice(3, 10), slice(10, 31)), (slice(70, 80), slice(2, 3))]


def test_frames_of_a_gif_are_the_pictures(tmp_path):
    rng = np.random.default_rng(5)
    shades = rng.choice([0, 90, 180, 255], size=(40, 30, 3)).astype(np.uint8)
    images = [shades.copy() for _ in range(6)]
    for number, image in enumerate(images):
        image[5 * number : 5 * number + 8, number : 2 * number + 3] = (90, 180, 40 * number)
    path = tmp_path / "film.gif"
    save_gif(images, path, 60)
    with Image.open(path) as film:
        assert film.n_frames == len(images)
        for number, image in enumerate(images):
            film.seek(number)
            off = np.abs(np.asarray(film.convert("RGB")).astype(int) - image)
            assert off.max() <= 40, number


def test_a_frame_is_its_picture_also_where_pixels_go_back_or_stay(tmp_path):
    rng = np.random.default_rng(8)
    first, second = (rng.integers(0, 256, (30, 40, 3)).astype(np.uint8) for _ in range(2))
    images = [first, first, second, second, first, first, second]
    images[3] = np.where(rng.random((30, 40, 1)) < 0.5, first, second)
    path = tmp_path / "film.gif"
    save_gif(images, path, 60, sampled=(0,))
    palette = Image.fromarray(first).quantize(255, Image.Quantize.MAXCOVERAGE)
    drawn = [Image.fromarray(image).quantize(palette=palette, dither=0) for image in images]
    expected, at = [np.asarray(one.convert("RGB")) for one in drawn], 0
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            shown = np.asarray(film.convert("RGB"))
            for _ in range(round(film.info["duration"] / 60) if number < film.n_frames - 1 else 1):
                assert np.array_equal(shown, expected[at]), at
                at += 1
    assert at == len(images)


def test_progress_counts_the_pictures_that_are_written(tmp_path):
    told = []
    save_gif(IMAGES, tmp_path / "film.gif", 60, lambda *count: told.append(count))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_film_that_is_interrupted_leaves_no_file(tmp_path):
    def stop(done, _):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_gif(IMAGES, tmp_path / "film.gif", 60, stop)
    assert not list(tmp_path.iterdir())
