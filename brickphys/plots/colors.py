"""Colours of a battlefield: of its ground and its decor by their heights, and what a legend says of them."""

from typing import TYPE_CHECKING

import numpy as np

from brickphys.bow.field import BRICK_PLATES, Decor, Kind
from brickphys.bow.studs import each
from brickphys.shapes.palette import PALETTE
from brickphys.vehicles.polygon import Array

if TYPE_CHECKING:
    from matplotlib.patches import Patch

    from brickphys.bow.terrain import Terrain

Color = tuple[float, float, float]

DECOR_COLORS = {
    Kind.WALL: "grey",
    Kind.DOOR: "brown",
    Kind.WINDOW: "glass",
    Kind.FURNITURE: "pale_brown",
    Kind.TREE: "olive",
}
_BASE, _RAISED, _SUNK = "green", "dark_tan", "blue"
HIGHEST_PLATES = 15.0
"""Ground at this height has the colour of raised ground."""
_MOST_HANDLES = 12


def height_handles(terrain: "Terrain") -> "list[Patch]":
    """Return what a legend says of colours: how high the ground is, and what stands on it."""
    from matplotlib.patches import Patch

    heights: dict[tuple[str, Color], set[float]] = {}
    grounds = sorted(set(terrain.field.grounds_plates))
    if len(grounds) > 1:
        for plates, color in zip(grounds, ground_colors(np.array(grounds)).tolist(), strict=True):
            heights["ground", tuple(color)] = {plates}
    for decor in terrain.field.decor:
        kind, color = _looks(decor)
        studs = each(terrain.field.decor_studs[decor.id])
        base = min(terrain.field.grounds_plates[stud] for stud in studs)
        heights.setdefault((kind, color), set()).add(decor.top_plates - base)
    return [
        Patch(facecolor=color, edgecolor="black", lw=0.6, label=f"{kind}, {_bricks(found)}")
        for (kind, color), found in list(heights.items())[:_MOST_HANDLES]
    ]


def _looks(decor: Decor) -> tuple[str, Color]:
    red, green, blue = array_of(decor.color or DECOR_COLORS[decor.kind]).tolist()
    return decor.kind.value, (red, green, blue)


def _bricks(heights_plates: set[float]) -> str:
    """Write heights in bricks, or in plates if some are no whole bricks."""
    unit, plates = ("plates", 1.0), sorted(heights_plates)
    if all(height % BRICK_PLATES == 0 for height in plates):
        unit = ("bricks", BRICK_PLATES)
    shown = [f"{height / unit[1]:g}" for height in plates]
    if shown == ["1"]:
        return f"1 {unit[0].removesuffix('s')}"
    return f"{shown[0]} {unit[0]}" if len(shown) == 1 else f"{shown[0]} to {shown[-1]} {unit[0]}"


def ground_colors(grounds_plates: Array) -> Array:
    """Return the colours of ground of these heights, shape (n, 3)."""
    share = np.clip(grounds_plates / HIGHEST_PLATES, 0.0, 1.0)[:, None]
    colors: Array = (1 - share) * array_of(_BASE) + share * array_of(_RAISED)
    colors[grounds_plates < 0.0] = array_of(_SUNK)
    return colors


def array_of(name: str) -> Array:
    """Return a colour of the palette, shape (3,), 0 to 1."""
    return np.array(PALETTE[name]) / 255.0
