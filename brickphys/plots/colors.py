"""Colours of the palette of pieces for matplotlib, and those of players."""

import numpy as np

from brickphys.shapes.piece import PALETTE
from brickphys.units import Array

Color = tuple[float, float, float]
INK, PALE_INK = "#22272b", "#5d666d"
"""Of texts, and of texts that matter less."""

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
    """Return the colour in which pictures of fields show a player's things; one of `PLAYER_COLOURS`."""
    return _BRIGHT.get(name) or rgb(name)
