"""Ground of a battle: squares by their terrain, slopes round hills, walls, and camps."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch

from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.plots.colors import player_rgb
from brickphys.plots.field import draw_cells
from brickphys.plots.pieces import draw_polygons
from brickphys.text import spoken

_COLORS = {
    "clear": "#dcdcb4",
    "hill": "#c6b083",
    "closed_hill": "#a08863",
    "path": "#d9c7a0",
    "woods": "#8fae6b",
    "town": "#c9a9a0",
    "river": "#8ab9d8",
    "marsh": "#b0c4a4",
    "sea": "#5f93bd",
}
_GRID, _SLOPE, _WALL = "#b3b18d", "#7a5f38", "#444444"
_TENT = ((0.12, 0.15), (0.5, 0.9), (0.88, 0.15))
_MARGIN = 0.5
_Side = tuple[tuple[float, float], tuple[float, float]]


def draw_ground(state: State, ax: Axes) -> None:
    """Draw the map with the names of its columns and rows along the borders."""
    setting = state.setting
    width, length = setting.grid.width, setting.grid.length
    colors = np.array([to_rgb(_COLORS[ground.name]) for ground in setting.terrain])
    draw_cells(colors.reshape(length, width, 3), ax)
    lines = [((x, 0), (x, length)) for x in range(1, width)]
    lines += [((0, y), (width, y)) for y in range(1, length)]
    _draw_lines(lines, _GRID, 0.5, ax)
    _draw_lines(list(_slopes(setting)), _SLOPE, 2.2, ax)
    _draw_lines(list(_walls(setting)), _WALL, 5.0, ax)
    colors_of = setting.colours
    for player, camp in enumerate(state.camps):
        if camp is not None:
            corner = np.array(setting.grid.xy(camp))
            fill = "none" if state.sacked[player] else player_rgb(colors_of[player])
            style: dict[str, Any] = {"fc": fill, "ec": "black", "lw": 1.2, "alpha": 0.55}
            draw_polygons([np.array(_TENT) + corner], ax, zorder=3.5, **style)
    ax.set_xticks(np.arange(width) + _MARGIN, [setting.squares[x][0] for x in range(width)])
    ax.set_yticks(np.arange(length) + _MARGIN, [str(length - y) for y in range(length)])
    ax.tick_params(length=0, labelsize=8)
    ax.set(xlabel="", ylabel="")


def ground_patches(state: State) -> Iterator[Patch]:
    """Yield the entries of the legend: the terrain, slopes and walls that the map has."""
    setting = state.setting
    style: dict[str, Any] = {"ec": "black", "lw": 0.6}
    for name in dict.fromkeys(ground.name for ground in setting.terrain):
        yield Patch(fc=_COLORS[name], label=spoken(name), **style)
    if setting.high:
        yield Patch(fc="none", ec=_SLOPE, lw=2.2, label="slope")
    if setting.walls:
        yield Patch(fc=_WALL, lw=0, label="wall")


def _draw_lines(lines: list[Any], color: str, width: float, ax: Axes) -> None:
    ax.add_collection(
        LineCollection(lines, colors=color, linewidths=width, zorder=2), autolim=False
    )


def _slopes(setting: Setting) -> Iterator[_Side]:
    """Yield the sides between squares on hills and others."""
    grid, high = setting.grid, setting.high
    for square in range(grid.width * grid.length):
        x, y = grid.xy(square)
        for dx, dy, side in (
            (1, 0, ((x + 1, y), (x + 1, y + 1))),
            (0, 1, ((x, y + 1), (x + 1, y + 1))),
        ):
            if grid.contains(x + dx, y + dy):
                other = grid.square(x + dx, y + dy)
                if (high >> square & 1) != (high >> other & 1):
                    yield side


def _walls(setting: Setting) -> Iterator[_Side]:
    """Yield the sides of squares that have a wall."""
    for one, other in setting.walls:
        (x, y), (far_x, far_y) = setting.grid.xy(one), setting.grid.xy(other)
        if far_x != x:
            yield (max(x, far_x), y), (max(x, far_x), y + 1)
        else:
            yield (x, max(y, far_y)), (x + 1, max(y, far_y))
