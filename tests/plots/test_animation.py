"""Animations: every frame has the pixels of a redraw of the whole figure, whatever came and went."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from brickphys.plots.film import Animation
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


def whole(marks):
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
        assert np.array_equal(animation.picture(marks), whole(marks))


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
