"""Colours of players: those that a setup gives, those of their names, or free ones; one source for everything."""

import json

import pytest

from brickphys.cli.shared.terminal import PLAYERS
from brickphys.errors import InvalidValueError
from brickphys.plots.painter import legend_patches
from brickphys.rules.record import PLAYER_COLOURS, player_colours
from brickphys.rules.registry import game, painter
from brickphys.view.solids import shown_players

GAMES = [("bow", "duel"), ("minifig", "duel"), ("pirate_wars", "duel"), ("blade_and_bow", "mycale")]


def test_players_have_chosen_colours_or_those_of_their_names_or_free_ones():
    assert player_colours(("patrol", "rebels")) == ("red", "blue")
    assert player_colours(("patrol", "red")) == ("blue", "red")
    assert player_colours(("greeks", "persians"), ("blue", None)) == ("blue", "red")
    assert player_colours(("a", "b", "c"), (None, "red")) == ("blue", "red", "yellow")
    assert player_colours(("red", "b"), ("white", None)) == ("white", "red")
    assert len(player_colours([f"p{number}" for number in range(8)])) == 8


def test_every_colour_can_be_shown_everywhere():
    assert set(PLAYERS) == set(PLAYER_COLOURS)
    assert len(shown_players(PLAYER_COLOURS)) == len(PLAYER_COLOURS)


@pytest.mark.parametrize("scenario", ["marathon", "thermopylae", "plataea", "mycale"])
def test_greeks_are_blue_and_persians_red_as_the_book_prints_them(scenario):
    """BB 14: "Greek (Blue)", "Persian (Red)"."""
    played = game("blade_and_bow")
    state = played.initial(played.setups[scenario])
    assert list(state.setting.players) == ["greeks", "persians"]
    assert list(played.player_colours(state)) == ["blue", "red"]


@pytest.mark.parametrize(("name", "scenario"), GAMES)
def test_a_setup_of_any_game_gives_its_players_colours(name, scenario):
    """Pictures, films, ways, the view and the terminal take them from the setting."""
    played = game(name)
    setup = json.loads(json.dumps(played.setups[scenario]))
    for player, colour in zip(setup["players"], ("white", "orange"), strict=True):
        player["colour"] = colour
    state = played.initial(setup)
    assert list(played.player_colours(state)) == ["white", "orange"]
    assert tuple(painter(played).colours(state)) == ("white", "orange")
    patches = legend_patches(painter(played), state)[:2]
    usual = legend_patches(painter(played), played.initial(played.setups[scenario]))[:2]
    shown = [[patch.get_facecolor() for patch in each] for each in (patches, usual)]
    assert shown[0] != shown[1]
    setup["players"][0]["colour"] = "orange"
    with pytest.raises(InvalidValueError, match="players: 2 have the colour 'orange'"):
        played.initial(setup)
    setup["players"][0]["colour"] = "pink"
    with pytest.raises(InvalidValueError, match="colour"):
        played.initial(setup)
