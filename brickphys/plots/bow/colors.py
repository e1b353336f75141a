"""Colours of a battlefield: of ground and decor by their heights, and the entries of the legend on them."""

from typing import Any

import numpy as np
from matplotlib.patches import Patch

from brickphys.arrays import Array
from brickphys.bow.field.field import BRICK_PLATES, Decor, DecorType
from brickphys.bow.field.terrain import Terrain
from brickphys.grid.bitset import each
from brickphys.plots.colors import Color, array_of

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
_MOST_PATCHES = 14
_OPEN = "open "


def height_patches(terrain: Terrain) -> list[Patch]:
    """Return the entries of the legend: the heights of the ground and of all sorts of decor."""
    heights: dict[tuple[str, Color], set[float]] = {}
    grounds = sorted(set(terrain.field.grounds_plates))
    if len(grounds) > 1:
        for plates, color in zip(grounds, ground_colors(np.array(grounds)).tolist(), strict=True):
            heights.setdefault(("ground", tuple(color)), set()).add(plates)
    for decor in terrain.field.decor:
        kind, color = decor.kind.value, decor_color(decor)
        if decor.id in terrain.open_ids:
            kind = f"{_OPEN}{kind}"
        studs = each(terrain.field.decor_studs[decor.id])
        base = min(terrain.field.grounds_plates[stud] for stud in studs)
        heights.setdefault((kind, color), set()).add(decor.top_plates - base)
    return [
        Patch(**_style(kind, color), label=f"{kind}, {_bricks(found)}")
        for (kind, color), found in list(heights.items())[:_MOST_PATCHES]
    ]


def _style(kind: str, color: Color) -> dict[str, Any]:
    if kind.startswith(_OPEN):
        return open_style(color)
    return {"facecolor": color, "edgecolor": "black", "lw": 0.6}


def open_style(color: Color) -> dict[str, Any]:
    """Return the style of an open door or window: its frame, with the ground seen through it."""
    return {"facecolor": (*color, _OPEN_ALPHA), "edgecolor": color, "lw": 1.8}


def decor_color(decor: Decor) -> Color:
    """Return the colour of decor: its own, or that of its kind."""
    red, green, blue = array_of(decor.color or DECOR_COLORS[decor.kind]).tolist()
    return red, green, blue


def _bricks(heights_plates: set[float]) -> str:
    """Write heights in bricks, or in plates unless all are whole bricks."""
    unit, plates = ("plates", 1.0), sorted(heights_plates)
    if all(height % BRICK_PLATES == 0 for height in plates):
        unit = ("bricks", BRICK_PLATES)
    shown = [f"{height / unit[1]:g}" for height in plates]
    if shown == ["1"]:
        return f"1 {unit[0].removesuffix('s')}"
    return f"{shown[0]} {unit[0]}" if len(shown) == 1 else f"{shown[0]} to {shown[-1]} {unit[0]}"


def ground_colors(grounds_plates: Array) -> Array:
    """Return the colours of ground of these heights, shape (n, 3)."""
    bricks = grounds_plates / BRICK_PLATES
    bands = [np.interp(bricks, _GROUND_BRICKS, band) for band in _GROUND_COLORS.T]
    colors = np.stack(bands, axis=-1)
    colors[bricks < 0.0] = _SUNK
    return colors / 255.0
