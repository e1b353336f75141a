"""Pictures of the course of a battle."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from brickphys.bow.course import tracks
from brickphys.bow.game import Bow
from brickphys.bow.story import turns
from brickphys.odds.law import BinomialLaw
from brickphys.plots.course import MOST_FRAMES, course_figure, film, player_colors
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
