"""Terrain of a battlefield from above: ground, and bricks with their studs."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection
from matplotlib.patches import Circle

from brickphys.arrays import Array
from brickphys.bow.field.field import FIGURE_PLATES, Decor, DecorType, Field
from brickphys.bow.field.terrain import Terrain
from brickphys.geometry.polygon import Polygon
from brickphys.grid.bitset import each
from brickphys.plots.bow.colors import decor_color, ground_colors, open_style
from brickphys.plots.colors import array_of
from brickphys.plots.field import draw_cells
from brickphys.plots.pieces import SHADOW_A_PLATE, draw_polygons, draw_shadow

_STUD_RADIUS = 0.3
_LONGEST_SHADOW_PLATES = 30.0


def draw_terrain(terrain: Terrain, ax: Axes) -> None:
    """Draw the ground and the decor of a battlefield."""
    field = terrain.field
    _draw_ground(field, ax)
    for order, decor in enumerate(sorted(field.decor, key=lambda decor: decor.top_plates)):
        _draw_decor(field, decor, decor.id in terrain.open_ids, 3 + order / len(field.decor), ax)


def _draw_ground(field: Field, ax: Axes) -> None:
    colors = ground_colors(np.array(field.grounds_plates))
    draw_cells(colors.reshape(field.length, field.width, 3), ax)
    middles = np.array([field.stances[stud][:2] for stud in range(field.width * field.length)])
    _draw_round_studs(middles, colors, 1.0, ax)
    _draw_steps(field, ax)


def _draw_steps(field: Field, ax: Axes) -> None:
    """Draw an edge where the ground rises or falls, thick where it cannot be walked."""
    ground = np.array(field.grounds_plates).reshape(field.length, field.width)
    for axis in (0, 1):
        rises = np.abs(np.diff(ground, axis=axis))
        for row, column in np.argwhere(rises > 0).tolist():
            x, y = (column, row + 1) if axis == 0 else (column + 1, row)
            steep = rises[row, column] > field.step_plates
            end = (x + 1, y) if axis == 0 else (x, y + 1)
            ax.plot(
                *zip((x, y), end, strict=True), color="black", lw=1.6 if steep else 0.5, zorder=2
            )


def _draw_decor(field: Field, decor: Decor, is_open: bool, zorder: float, ax: Axes) -> None:
    corners = decor.footprint.vertices_studs
    color = np.array(decor_color(decor))
    if is_open:
        draw_polygons([corners], ax, zorder=zorder, **open_style(decor_color(decor)))
        return
    shadow_plates = min(decor.top_plates, _LONGEST_SHADOW_PLATES)
    draw_shadow(corners, SHADOW_A_PLATE * shadow_plates, 2.5, ax)
    style: dict[str, Any] = {"facecolor": color, "edgecolor": 0.45 * color, "lw": 0.9}
    if decor.locked:
        style["hatch"] = "xx"
    if _is_overhead(field, decor):
        style |= {"facecolor": (*color, 0.3), "ls": ":"}
    draw_polygons([corners], ax, zorder=zorder, **style)
    if decor.kind is DecorType.TREE:
        _draw_crown(corners, zorder + 0.001, ax)
    elif not decor.kind.opens and not _is_overhead(field, decor):
        middles = [field.stances[stud][:2] for stud in each(field.decor_studs[decor.id])]
        inside = [middle for middle in middles if _holds(decor.footprint, middle)]
        if inside:
            _draw_round_studs(np.array(inside), np.array([color]), zorder + 0.001, ax)


def _draw_crown(corners: Array, zorder: float, ax: Axes) -> None:
    """Draw the leaves of a tree over its trunk: three rounds, the highest the smallest and lightest."""
    middle, size = corners.mean(axis=0), float(np.ptp(corners, axis=0).mean())
    for level, share in enumerate((1.15, 0.85, 0.5)):
        leaf = (array_of("green") + array_of("yellow") * 0.35 * level) / (1 + 0.35 * level)
        color = np.clip(leaf * 0.85, 0, 1)
        x, y = (middle + 0.04 * level * size * np.array([-1.0, 1.0])).tolist()
        leaves = Circle((x, y), share * size / 2, fc=color, ec=0.6 * color, lw=0.8)
        leaves.set_zorder(zorder + 0.0001 * level)
        ax.add_patch(leaves)


def _is_overhead(field: Field, decor: Decor) -> bool:
    """Return whether figures walk below it."""
    levels = [field.levels_plates[stud] for stud in each(field.decor_studs[decor.id])]
    return decor.bottom_plates >= max(levels) + FIGURE_PLATES


def _holds(polygon: Polygon, middle: tuple[float, float]) -> bool:
    """Return whether a whole stud is on a polygon."""
    reach = polygon.normals @ np.array(middle)
    return bool((reach <= polygon.offsets_studs - _STUD_RADIUS).all())


def _draw_round_studs(middles: Array, colors: Array, zorder: float, ax: Axes) -> None:
    """Draw studs: a shadow, and the stud itself a little lighter than the brick."""
    size = 2 * _STUD_RADIUS
    for shift, shade in ((0.05, 0.72), (0.0, 1.12)):
        ax.add_collection(
            EllipseCollection(
                size,
                size,
                0,
                units="xy",
                offsets=middles + np.array([shift, -shift]),
                offset_transform=ax.transData,
                facecolors=np.clip(colors * shade, 0, 1),
                lw=0,
                zorder=zorder,
            )
        )
