"""Colours of the palette of pieces for matplotlib, and those of players."""

from collections.abc import Sequence
from itertools import chain, cycle

import numpy as np

from brickphys.arrays import Array
from brickphys.shapes.palette import PALETTE

Color = tuple[float, float, float]
INK, PALE_INK = "#22272b", "#5d666d"
"""Of texts, and of texts that matter less."""

_PLAYERS = ("red", "blue", "yellow", "orange", "white", "black")
_BRIGHT: dict[str, Color] = {"blue": (0.26, 0.63, 0.93)}
"""Of colours of players: blue bricks are as dark as red ones, so without colour one cannot tell them apart."""


def array_of(name: str) -> Array:
    """Return a colour of the palette, shape (3,), 0 to 1."""
    return np.array(PALETTE[name]) / 255.0


def rgb(name: str) -> Color:
    """Return a colour of the palette as a tuple."""
    red, green, blue = PALETTE[name]
    return red / 255, green / 255, blue / 255


def player_rgb(name: str) -> Color:
    """Return the colour in which pictures of fields show a player's things; the name is one of `player_colors`."""
    return _BRIGHT.get(name) or rgb(name)


def player_colors(names: Sequence[str]) -> tuple[str, ...]:
    """Return a colour for each player: the one it is named after, or else the next that is free."""
    free = chain([color for color in _PLAYERS if color not in names], cycle(_PLAYERS))
    return tuple(name if name in _PLAYERS else next(free) for name in names)
