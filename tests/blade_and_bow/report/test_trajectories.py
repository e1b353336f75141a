"""The ways of units, and films that show only what everybody may know."""

from dataclasses import replace
from itertools import pairwise

import pytest

from brickphys.blade_and_bow.pieces import HIDDEN, Box
from brickphys.plots.film import Film
from brickphys.plots.games.blade_and_bow import BladeAndBowPainter
from brickphys.rules.record import Ending, Record
from tests.blade_and_bow.game import GAME, fought, setup


@pytest.fixture(scope="module")
def battle() -> Record:
    """A battle of two random bots."""
    return fought(setup("mycale"), "random", root=3)


def test_ways_begin_where_units_begin_and_end_where_they_end(battle: Record) -> None:
    shown, setting = GAME.trajectories(battle), battle.initial.setting
    for track, spec, unit in zip(shown.tracks, setting.units, battle.final.units, strict=True):
        assert (track.name, track.player) == (spec.name, spec.player)
        if spec.square is not None:
            x, y = setting.grid.xy(spec.square)
            assert track.places[0] == (track.places[0][0], (x + 0.5, y + 0.5))
        if unit.square is not None:
            x, y = setting.grid.xy(unit.square)
            assert track.places[-1][1] == (x + 0.5, y + 0.5)
        assert bool(track.end) == (unit.box in (Box.ROUTED, Box.ELIMINATED, Box.LEFT))


@pytest.mark.parametrize("viewer", [0, 1])
def test_frames_hide_ranks_that_their_viewer_has_not_seen(battle: Record, viewer: int) -> None:
    shown, setting = GAME.trajectories(battle, viewer), battle.initial.setting
    for state in (shown.final, *(frame.state for frame in shown.frames)):
        chosen = setting.chosen_ranks  # others are of the scenario
        for number, (spec, unit) in enumerate(zip(setting.units, state.units, strict=True)):
            is_hidden = number in chosen and not unit.seen and spec.player != viewer
            assert (unit.ranks == HIDDEN) == is_hidden
    assert viewer == 0 or any(one.ranks == HIDDEN for it in shown.frames for one in it.state.units)


def test_a_battle_that_is_over_is_shown_in_full(battle: Record) -> None:
    shown = GAME.trajectories(battle)
    assert shown.frames[-1].heading.endswith(shown.ending)
    assert shown.final == battle.final
    assert not any(unit.ranks == HIDDEN for frame in shown.frames for unit in frame.state.units)


def test_the_picture_of_a_battle_that_goes_on_hides_them_too(battle: Record) -> None:
    short = replace(battle, steps=battle.steps[:40], ending=Ending.INTERRUPTED, returns=None)
    units, chosen = GAME.trajectories(short).final.units, short.initial.setting.chosen_ranks
    assert chosen
    assert all(units[number].seen or units[number].ranks == HIDDEN for number in chosen)


def test_a_film_leaves_out_what_changes_nothing_on_the_map(battle: Record) -> None:
    shown = GAME.trajectories(battle)
    film = Film(shown, BladeAndBowPainter())
    for before, after in pairwise(shot.frame for shot in film.shots[:-1]):
        seen = [(one.state.units, one.state.leaders, one.state.camps) for one in (before, after)]
        assert seen[0] != seen[1] or after.attacks
    assert len(film) + film.left_out == len(shown.frames)
    assert film.left_out > 0
    assert all(frame.player is not None for frame in shown.frames if frame.attacks)


def test_the_story_of_a_battle_that_goes_on_tells_nothing_hidden(battle: Record) -> None:
    short = replace(battle, steps=battle.steps[:40], ending=Ending.INTERRUPTED, returns=None)
    told, full = "\n".join(GAME.story(short)), "\n".join(GAME.story(battle))
    assert "draw 1 card (BB 5.1)" in told
    assert "more (BB 14" not in told
    assert "more (BB 14" in full
    assert "draw 1 card" not in full
