"""Pictures of the course of a battle."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from brickphys.bow.course import tracks
from brickphys.bow.game import Bow
from brickphys.bow.story import turns
from brickphys.odds.law import BinomialLaw
from brickphys.plots.course import (
    MOST_FRAMES,
    areas,
    course_figure,
    figures,
    film,
    player_colors,
)
from brickphys.rules.bots import RandomBot
from brickphys.rules.play import play
from brickphys.rules.replay import play_back
from brickphys.rules.replay_file import read_replay
from brickphys.rules.sources import LawSource

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def battle():
    return play_back(Bow(), read_replay(GOLDEN / "bow_ambush.jsonl"))


@pytest.fixture(scope="module")
def duel():
    game, law = Bow(), BinomialLaw(Fraction(1, 4))
    bots = [RandomBot(), RandomBot()]
    return play(game, game.setups["duel"], bots, LawSource(law, 37), root=37)


def test_ways_begin_in_rings_and_end_in_crosses(battle):
    (ax,) = course_figure(battle).axes
    ways = tracks(battle)
    markers = [line.get_marker() for line in ax.lines]
    assert markers.count("o") == sum(bool(track.places) for track in ways)
    assert markers.count("X") == sum(bool(track.end) for track in ways if track.places)
    shown = " ".join(text.get_text() for text in ax.texts)
    for track in ways:
        assert not track.end or f"round {track.end_round}" in shown


def test_whoever_fell_is_named_with_his_round_and_the_colours_are_explained(battle):
    canvas = course_figure(battle)
    (ax,), (legend,) = canvas.axes, canvas.legends
    shown = [text.get_text() for text in ax.texts]
    names = battle.initial.setting.players
    for track in tracks(battle):
        if track.end and track.places:
            short = track.name.removeprefix(f"{names[track.player]}_").replace("_", " ")
            assert any(text.startswith(short) and "round" in text for text in shown), track.name
    told = [text.get_text() for text in legend.get_texts()]
    assert told[:2] == list(names)
    assert any(text.endswith((" bricks", " plates")) for text in told[2:])


def test_no_label_is_on_another_or_on_a_figure(battle):
    canvas = course_figure(battle)
    (ax,), agg = canvas.axes, FigureCanvasAgg(canvas)
    agg.draw()
    boxes = [
        text.get_window_extent(agg.get_renderer()) for text in ax.texts if len(text.get_text()) > 2
    ]
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for figure in figures(battle.final):
        x, y = ax.transData.transform((figure.x_studs, figure.y_studs))
        assert not any(box.contains(x, y) for box in boxes)


def test_the_areas_of_the_aims_are_framed_with_whose_they_are():
    game, law = Bow(), BinomialLaw(Fraction(1, 4))
    bots = [RandomBot(), RandomBot()]
    record = play(game, game.setups["princess"], bots, LawSource(law, 2), root=2, max_steps=30)
    assert areas(record) == {"aim of rescuers": [0, 11, 3, 5]}
    (ax,) = course_figure(record).axes
    assert "aim of\nrescuers" in [text.get_text() for text in ax.texts]


def test_a_film_shows_every_turn_and_the_pieces_of_no_other(duel):
    shown = list(turns(duel))
    images = list(film(duel))
    assert len(images) == len(shown) <= MOST_FRAMES
    assert {image.shape for image in images} == {images[0].shape}
    last = replace(duel, initial=shown[-1].before, steps=shown[-1].steps)
    (alone,) = film(last)
    assert np.array_equal(images[-1], alone)
    assert not np.array_equal(images[-2], alone)


def test_players_have_the_colours_of_their_names_or_free_ones(battle):
    setting = battle.initial.setting
    assert player_colors(setting) == ("red", "blue")
    assert setting.players == ("patrol", "rebels")
    renamed = replace(setting, players=("patrol", "red"))
    assert player_colors(renamed) == ("blue", "red")
