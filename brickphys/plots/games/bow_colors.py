"""Colours of a BOW battlefield: of ground and decor by their heights. No matplotlib: views use them, too."""

from typing import Any

import numpy as np

from brickphys.bow.field import BRICK_PLATES, Decor, DecorType
from brickphys.plots.colors import Color, array_of
from brickphys.units import Array

DECOR_COLORS = {
    DecorType.WALL: "grey",
    DecorType.DOOR: "brown",
    DecorType.WINDOW: "glass",
    DecorType.FURNITURE: "pale_brown",
    DecorType.TREE: "olive",
}
_GROUND_BRICKS = (0.0, 1.0, 2.0, 3.0, 5.0, 9.0)
_GROUND_COLORS = np.array(
    [
        (20, 122, 58),
        (92, 160, 74),
        (158, 194, 94),
        (214, 214, 124),
        (236, 222, 176),
        (252, 248, 238),
    ]
)
"""Ground gets lighter with its height, as on maps; up to the third brick the steps are large."""
_SUNK = np.array((84, 178, 190))
"""Shallow water; no player has this colour."""
_OPEN_ALPHA = 0.3


def open_style(color: Color) -> dict[str, Any]:
    """Return the style of an open door or window: its frame, with the ground seen through it."""
    return {"facecolor": (*color, _OPEN_ALPHA), "edgecolor": color, "lw": 1.8}


def decor_color(decor: Decor) -> Color:
    """Return the colour of decor: its own, or that of its kind."""
    red, green, blue = array_of(decor.color or DECOR_COLORS[decor.kind]).tolist()
    return red, green, blue


def ground_colors(grounds_plates: Array) -> Array:
    """Return the colours of ground of these heights, shape (n, 3)."""
    bricks = grounds_plates / BRICK_PLATES
    bands = [np.interp(bricks, _GROUND_BRICKS, band) for band in _GROUND_COLORS.T]
    colors = np.stack(bands, axis=-1)
    colors[bricks < 0.0] = _SUNK
    return colors / 255.0
