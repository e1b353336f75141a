"""Legend of a battlefield: the heights of the ground and of all sorts of decor."""

from typing import Any

import numpy as np
from matplotlib.patches import Patch

from brickphys.bow.field.field import BRICK_PLATES
from brickphys.bow.field.terrain import Terrain
from brickphys.grid.bitset import each
from brickphys.plots.bow.colors import decor_color, ground_colors, open_style
from brickphys.plots.colors import Color

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


def _bricks(heights_plates: set[float]) -> str:
    """Write heights in bricks, or in plates unless all are whole bricks."""
    unit, plates = ("plates", 1.0), sorted(heights_plates)
    if all(height % BRICK_PLATES == 0 for height in plates):
        unit = ("bricks", BRICK_PLATES)
    shown = [f"{height / unit[1]:g}" for height in plates]
    if shown == ["1"]:
        return f"1 {unit[0].removesuffix('s')}"
    return f"{shown[0]} {unit[0]}" if len(shown) == 1 else f"{shown[0]} to {shown[-1]} {unit[0]}"
