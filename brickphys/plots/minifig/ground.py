"""Ground of a table from above: woods, water, hills by their heights, and walls by what stands of them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Patch, Rectangle

from brickphys.arrays import Array
from brickphys.minifig.state.setting import Zone, ZoneKind
from brickphys.minifig.state.state import State
from brickphys.plots.colors import Color, array_of
from brickphys.plots.minifig.trees import TREE_IN, tree_places
from brickphys.plots.pieces import draw_polygons, draw_shadow
from brickphys.text import counted
from brickphys.units import BRICK_MM

_GRASS, _WOODS, _WATER = "#cdd3a4", "#9db579", "#7fb0d6"
_INCHES_A_BRICK = BRICK_MM / 25.4
_LIGHT = 0.6
"""Length of a shadow over the height of what throws it."""


def draw_ground(state: State, ax: Axes) -> None:
    """Draw the table with its zones, the hills from the lowest to the highest, and its walls."""
    setting = state.setting
    grass = Rectangle((0, 0), setting.width_in, setting.length_in, fc=_GRASS, lw=0, zorder=0)
    ax.add_patch(grass)
    for order, zone in enumerate(sorted(setting.zones, key=lambda zone: zone.height_bricks)):
        _draw_zone(zone, 1 + order / len(setting.zones), ax)
    for wall, out in zip(setting.walls, state.walls, strict=True):
        for run in wall.runs(out):
            corners = np.array(wall.corners_in(run.first_stud, run.end_stud))
            draw_shadow(corners, _LIGHT * run.height_bricks * _INCHES_A_BRICK, 3.0, ax)
            _draw_wall(corners, run.end_stud - run.first_stud, wall_color(run.height_bricks), ax)


def ground_patches(state: State) -> Iterator[Patch]:
    """Yield the entries of the legend for the ground and the walls on a table."""
    zones = state.setting.zones
    style: dict[str, Any] = {"ec": "black", "lw": 0.6}
    if any(zone.kind is ZoneKind.WOODS for zone in zones):
        yield Patch(fc=_WOODS, label="woods", **style)
    if any(zone.kind is ZoneKind.WATER for zone in zones):
        yield Patch(fc=_WATER, label="water", **style)
    for bricks in sorted({zone.height_bricks for zone in zones if zone.kind is ZoneKind.HILL}):
        label = f"hill, {counted(bricks, 'brick')} high"
        yield Patch(fc=_hill_color(bricks), label=label, **style)
    for bricks in sorted(wall_heights(state)):
        label = f"wall, {counted(bricks, 'brick')} high"
        yield Patch(fc=wall_color(bricks), label=label, **style)


def wall_heights(state: State) -> set[int]:
    """Return how many bricks high the parts of the walls are."""
    walls = zip(state.setting.walls, state.walls, strict=True)
    return {run.height_bricks for wall, out in walls for run in wall.runs(out)}


def _hill_color(bricks: int) -> Color:
    shade = 1 / (1 + 0.12 * bricks)
    red, green, blue = (shade * array_of("tan")).tolist()
    return red, green, blue


def wall_color(bricks: int) -> Color:
    """Return the grey of a wall: the higher, the lighter, with steps that are seen between low ones."""
    shade = 0.97 * (1 - 0.66**bricks)
    return shade, shade, shade


def _draw_zone(zone: Zone, zorder: float, ax: Axes) -> None:
    corners = np.array(zone.corners_in)
    if zone.kind is ZoneKind.HILL:
        draw_shadow(corners, _LIGHT * zone.height_bricks * _INCHES_A_BRICK, zorder, ax)
        brown = _hill_color(zone.height_bricks)
        draw_polygons([corners], ax, fc=brown, ec="#8a7550", lw=1.0, zorder=zorder + 1e-3)
        return
    color, edge = (_WOODS, "#6f8a4d") if zone.kind is ZoneKind.WOODS else (_WATER, "#4f86b3")
    draw_polygons([corners], ax, fc=color, ec=edge, lw=1.0, zorder=zorder)
    if zone.kind is ZoneKind.WOODS:
        for x, y in tree_places(corners):
            for size, shift, fill in ((1.0, 0.0, "#4d6b33"), (0.6, 0.1, "#648a41")):
                at = x - shift * TREE_IN, y + shift * TREE_IN
                tree = Circle(at, size * TREE_IN, fc=fill, lw=0, alpha=0.75, zorder=zorder + 1e-3)
                ax.add_patch(tree)


def _draw_wall(corners: Array, studs: int, color: Color, ax: Axes) -> None:
    """Draw a part of a wall with its studs, two in a row."""
    draw_polygons([corners], ax, fc=color, ec="black", lw=0.7, zorder=3.1)
    start, across, _, along = corners[0], *(corners[n] - corners[0] for n in (1, 2, 3))
    for number in range(studs):
        for side in (0.25, 0.75):
            at = tuple((start + side * across + (number + 0.5) / studs * along).tolist())
            stud = Circle(at, 0.09, fc=color, ec="black", lw=0.3, zorder=3.2)
            ax.add_patch(stud)
