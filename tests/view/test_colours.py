"""Colours of players and poses differ in lightness, so that they can be told apart without seeing colours."""

from itertools import combinations

import pytest

from brickphys.rules.record import PLAYER_COLOURS, player_colours
from brickphys.view.solids import POSES, lightness, shown_players


def test_lightness_runs_from_black_to_white():
    assert lightness("#000000") == 0.0
    assert lightness("#ffffff") == pytest.approx(100.0, abs=0.01)
    assert lightness("#777777") == pytest.approx(50.0, abs=1.0)  # middle grey


@pytest.mark.parametrize(
    "colours", [shown_players(PLAYER_COLOURS), POSES], ids=["players", "poses"]
)
def test_colours_differ_in_lightness(colours):
    assert min(abs(lightness(a) - lightness(b)) for a, b in combinations(colours, 2)) >= 9.0


def test_players_keep_the_colours_that_they_are_named_after():
    names = ("blue", "somebody", "red")
    assert player_colours(names)[0] == "blue"
    assert len(set(shown_players(player_colours(names)))) == 3
