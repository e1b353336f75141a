"""The chance to win as a picture: its line, its rounds, and signs that do not hide each other."""

import numpy as np
import pytest

from brickphys.battles.battle import play
from brickphys.odds.law_file import default_law
from brickphys.plots.analysis import analysis_figure
from brickphys.rules.plans import LEVELS
from brickphys.rules.registry import game
from brickphys.rules.report.analysis import Analyst


@pytest.fixture(scope="module")
def judged():
    played, record = game("pirate_wars"), play("pirate_wars", "duel", "random", seed=1).record
    analyst = Analyst(played, default_law(), LEVELS["easy"])
    return played, record, analyst.analysis(record)


def texts(figure):
    return [one.get_text() for one in figure.axes[0].texts]


def test_the_line_is_the_chance_of_the_first_of_two_players(judged):
    _, record, analysis = judged
    figure = analysis_figure(*judged)
    line = next(one for one in figure.axes[0].lines if len(one.get_xdata()) == len(record.states))
    expected = [50 * (1 + worths[0]) for worths in analysis.worths]
    assert np.allclose(line.get_ydata(), expected)
    assert line.get_ydata()[-1] in (0, 50, 100)
    legend = [one.get_text() for one in figure.axes[0].get_legend().get_texts()]
    assert legend == ["crown", "pirates"]


def test_rounds_are_named_where_they_begin(judged):
    played, record, _ = judged
    ax = analysis_figure(*judged).axes[0]
    for place, text in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True):
        assert played.rounds(record.states[int(place)]) == int(text.get_text())
        assert played.rounds(record.states[int(place) - 1]) != int(text.get_text()) or not place


def test_each_sign_is_explained_below_and_hides_no_other_one(judged):
    _, _, analysis = judged
    figure = analysis_figure(*judged)
    signs = [*"12345"[: len(analysis.worst)], *"abc"[: len(analysis.luckiest)]]
    assert sorted(texts(figure)) == sorted(signs)
    told = figure.get_supxlabel().splitlines()
    assert [line[0] for line in told if line[0] != " "] == signs
    figure.canvas.draw()
    boxes = [one.get_window_extent() for one in figure.axes[0].texts]
    pairs = [(one, other) for n, one in enumerate(boxes) for other in boxes[:n]]
    assert not any(one.overlaps(other) for one, other in pairs)
    inside = figure.axes[0].get_window_extent()
    assert all(inside.y0 < box.y0 < box.y1 < inside.y1 for box in boxes)


@pytest.mark.parametrize("name", ["ten_days"])
def test_one_player_alone_has_a_line_of_the_own_colour(name):
    played, record = game("campaign"), play("campaign", name, "random", seed=1, max_steps=40).record
    analysis = Analyst(played, default_law(), LEVELS["easy"]).analysis(record)
    ax = analysis_figure(played, record, analysis).axes[0]
    assert [one.get_text() for one in ax.get_legend().get_texts()] == ["roland"]
    assert not ax.collections
