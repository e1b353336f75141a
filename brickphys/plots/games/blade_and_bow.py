"""Pictures of Blade & Bow: squares with terrain, slopes, walls and camps; units as counters; leaders; sheets."""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Patch, Polygon, Rectangle, RegularPolygon

from brickphys.blade_and_bow.deck import COLOURS, CardSheet
from brickphys.blade_and_bow.scene import (
    DISRUPTED,
    MARKER,
    SACKED,
    WALL,
    UnitBlock,
    battle_scene,
    side,
    unit_letters,
)
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.sheets import CounterSheet, FormationSize
from brickphys.blade_and_bow.state import State
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.plots import painter
from brickphys.plots.colors import Color, player_rgb, rgb
from brickphys.plots.labels import Extent, Mark
from brickphys.rules.scene import Piece, Scene
from brickphys.text import spoken
from brickphys.units import Array

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


def draw_ground(state: State, ax: Axes) -> None:
    """Draw the map with the names of its columns and rows along the borders."""
    setting = state.setting
    width, length = setting.grid.width, setting.grid.length
    colors = np.array([to_rgb(_COLORS[ground.name]) for ground in setting.terrain])
    painter.draw_cells(colors.reshape(length, width, 3), ax)
    lines = [((x, 0), (x, length)) for x in range(1, width)]
    lines += [((0, y), (width, y)) for y in range(1, length)]
    _draw_lines(lines, _GRID, 0.5, ax)
    _draw_lines(list(_slopes(setting)), _SLOPE, 2.2, ax)
    walls = [side(setting.grid, *pair) for pair in setting.walls]
    _draw_lines(walls, _WALL, 5.0, ax)
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
    drawn = LineCollection(lines, colors=color, linewidths=width, zorder=2)
    ax.add_collection(drawn, autolim=False)


def _slopes(setting: Setting) -> Iterator[tuple[Point, Point]]:
    """Yield the sides between squares on hills and others."""
    grid, high = setting.grid, setting.high
    for square in range(grid.width * grid.length):
        x, y = grid.xy(square)
        for dx, dy in ((1, 0), (0, 1)):
            if grid.contains(x + dx, y + dy):
                other = grid.square(x + dx, y + dy)
                if (high >> square & 1) != (high >> other & 1):
                    yield side(grid, square, other)


_DEPTHS = {FormationSize.LIGHT: 0.2, FormationSize.MEDIUM: 0.25, FormationSize.HEAVY: 0.31}
"""Half the depth of a counter, over the side of a square."""
_HALF_WIDTH = 0.42
_PALE = 0.6
_LETTER_POINTS, _RANK_POINTS = 9.5, 7.0


def draw_camp(at: Point, fill: Color | str, ax: Axes) -> None:
    """Draw the tent of a camp in the square with its middle at a place."""
    style: dict[str, Any] = {"fc": fill, "ec": "black", "lw": 1.2, "alpha": 0.55}
    painter.draw_polygons([np.array(_TENT) + (np.array(at) - 0.5)], ax, zorder=3.5, **style)


def draw_counter(piece: Piece, color: Color, ax: Axes) -> None:
    """Draw a unit: the deeper the heavier, an arrow head in front, pale and dashed if disrupted."""
    (counter, ranks), (x, y) = piece.what, piece.at
    depth, wide = _DEPTHS[counter.size], _HALF_WIDTH
    fill, is_disrupted = np.array(color), DISRUPTED in piece.marks
    style: dict[str, Any] = {"ec": "black", "lw": 0.9, "zorder": 6.0}
    if is_disrupted:
        fill = fill + (1 - fill) * _PALE
        style["ls"] = (0, (2, 1.5))
    if counter.is_horse:
        style["joinstyle"] = "round"
    body = ((-depth, -wide), (-depth, wide), (depth, wide), (depth, -wide))
    ax.add_artist(Polygon(_turned(piece, *body), fc=fill, **style))
    head = _turned(piece, (depth, -0.12), (depth, 0.12), (depth + 0.13, 0.0))
    ax.add_artist(Polygon(head, fc="black", lw=0, zorder=6.1))
    if counter.is_horse:  # a slash, as on maps of battles
        slash = _turned(piece, (-depth, wide), (depth, -wide))
        painter.draw_way(slash, ax, color="black", lw=0.8, zorder=6.1)
    if WALL in piece.marks:
        front = _turned(piece, (depth + 0.04, -wide), (depth + 0.04, wide))
        painter.draw_way(front, ax, color="black", lw=3.2, zorder=6.2, solid_capstyle="butt")
    text: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 6.3, "color": _ink(fill)}
    aside = 0.14 if ranks else 0.0
    ax.text(x - aside, y, piece.letter, fontsize=_LETTER_POINTS, weight="bold", **text)
    if ranks:
        ax.text(x + 0.2, y, ranks, fontsize=_RANK_POINTS, **text)
    if MARKER in piece.marks:
        sign: dict[str, Any] = {"marker": "x", "ms": 4, "color": "black", "mew": 1.2}
        painter.draw_way([(x - 0.34, y - 0.34)], ax, zorder=6.3, **sign)


def draw_leader(at: Point, color: Color, rank: int, ax: Axes) -> None:
    """Draw a leader in the corner of its square, the commander with the highest rank as 1."""
    x, y = at[0] - 0.32, at[1] + 0.32
    star = RegularPolygon((x, y), 5, radius=0.17, fc=color, ec="black", lw=0.8)
    star.set_zorder(6.5)
    ax.add_artist(star)
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": _ink(np.array(color))}
    ax.text(x, y, str(rank), fontsize=_RANK_POINTS, zorder=6.6, **style)


def _turned(piece: Piece, *points: Point) -> Array:
    """Return points that are given ahead and to the left of the middle of a unit, on the map."""
    ahead = np.array(unit_vector(piece.heading_deg))
    left = np.array([-ahead[1], ahead[0]])
    rows = np.array(points)
    found: Array = np.array(piece.at) + rows[:, :1] * ahead + rows[:, 1:] * left
    return found


def _ink(fill: Array) -> str:
    """Return the colour of letters that can be read on another."""
    luminance = float(np.array([0.299, 0.587, 0.114]) @ fill)
    return "black" if luminance > 0.5 else "white"


_COLUMNS = 3
_WIDTH, _HEIGHT = 4.4, 2.6
"""Inches of a sheet."""
BOTH_SIDES_MM = 94.4, 17.0
"""Width and height of both sides of a counter on paper."""


def _sheets_figure(sheets: Sequence[CounterSheet | CardSheet]) -> Figure:
    canvas, axes = painter.sheet_axes(len(sheets), (_WIDTH, _HEIGHT), _COLUMNS)
    for ax, sheet in zip(axes, sheets, strict=True):
        ax.set(xlim=(0, _WIDTH), ylim=(0, _HEIGHT), aspect="equal")
        ax.set_axis_off()
        if isinstance(sheet, CounterSheet):
            _draw_counter_sheet(sheet, ax)
        else:
            _draw_card(sheet, ax)
    return canvas


def draw_both_sides(sheet: CounterSheet, ax: Axes) -> None:
    """Draw both sides of a counter on axes of the size `BOTH_SIDES_MM`."""
    wide, high = BOTH_SIDES_MM
    ax.set(xlim=(0, wide / high), ylim=(0, 1.0))
    ax.set_axis_off()
    for x, marks, words in ((0.6, (), "good order"), (3.2, (DISRUPTED,), "disrupted")):
        draw_counter(_side(sheet, (x, 0.5), marks), rgb("grey"), ax)
        ax.text(x + 0.7, 0.5, words, fontsize=5.5, va="center")


def _side(sheet: CounterSheet, at: Point, marks: tuple[str, ...]) -> Piece:
    """Return a side of a counter that looks north."""
    return Piece(sheet.name, "unit", at, 90.0, UnitBlock(sheet.counter), marks=marks)


def _draw_counter_sheet(sheet: CounterSheet, ax: Axes) -> None:
    """Draw the counter of a kind of unit on both sides, and its values below."""
    ax.text(0.1, 2.45, spoken(sheet.name), fontsize=12, weight="bold", va="center")
    ax.text(0.1, 2.2, sheet.about, fontsize=8, va="center")
    for x, marks, words in ((2.75, (), "good order"), (3.8, (DISRUPTED,), "disrupted")):
        draw_counter(_side(sheet, (x, 2.05), marks), rgb("red"), ax)
        ax.text(x, 1.45, words, fontsize=8, ha="center")
    for number, row in enumerate(sheet.rows()):
        for x, text in zip((0.1, 2.75, 3.8), row, strict=True):
            side = "left" if x < 1 else "center"
            ax.text(x, 1.15 - 0.24 * number, text, fontsize=7.5, ha=side, va="center")


def _draw_card(sheet: CardSheet, ax: Axes) -> None:
    """Draw a card as the book describes it: commitment above, the effect, command numbers below (BB 2.2)."""
    frame = FancyBboxPatch((1.2, 0.1), 2.0, 2.4, boxstyle="round,pad=0.02,rounding_size=0.12")
    frame.set(fc="#f7f2e2", ec="black", lw=1.2)
    ax.add_patch(frame)
    ax.text(1.35, 2.3, str(sheet.card.commitment), fontsize=13, weight="bold", va="center")
    ax.text(2.25, 2.05, spoken(sheet.name), fontsize=10, weight="bold", ha="center", va="center")
    ax.text(2.2, 1.35, fill(sheet.about, 24), fontsize=8, ha="center", va="center")
    for number, (colour, value) in enumerate(zip(COLOURS, sheet.card.command, strict=False)):
        x = 1.45 + 0.42 * number
        ax.add_patch(Rectangle((x, 0.25), 0.3, 0.3, fc=rgb(colour), ec="black", lw=0.8))
        ink = "black" if colour in ("white", "yellow") else "white"
        ax.text(x + 0.15, 0.4, str(value), fontsize=10, color=ink, ha="center", va="center")


def _color(scene: Scene, piece: Piece) -> Color:
    return player_rgb(scene.colours[piece.player])


def _camp_marks(scene: Scene, one: Piece) -> Iterator[Mark]:
    yield Mark(draw_camp, (one.at, "none" if SACKED in one.marks else _color(scene, one)))


def _leader_marks(scene: Scene, one: Piece) -> Iterator[Mark]:
    """Yield a leader, of several in a square the ranking one."""
    if one.order == 0:
        yield Mark(draw_leader, (one.at, _color(scene, one), one.what))


class BladeAndBowPainter(painter.Painter[State]):
    """Draws the map, the counters and the sheets."""

    kinds: ClassVar = {
        "camp": _camp_marks,
        "unit": lambda scene, one: [Mark(draw_counter, (one, _color(scene, one)))],
        "leader": _leader_marks,
    }
    unit = "squares"
    least_inches = 0.44

    scene = staticmethod(battle_scene)
    draw_ground = staticmethod(draw_ground)
    sheets_figure = staticmethod(_sheets_figure)
    draw_true_size = staticmethod(draw_both_sides)

    def pieces(self, state: State) -> painter.Pieces:
        """Return camps, counters and leaders; no label is to cover a counter."""
        counters = (Extent(*one.at, 0.45, 0.45) for one in self.scene(state).of("unit"))
        return super().pieces(state) + painter.Pieces(taken=tuple(counters))

    def label(self, scene: Scene, piece: Piece) -> str:
        """Return nothing: counters have letters."""
        return ""

    def legend(self, state: State) -> Sequence[Patch]:
        return list(ground_patches(state))

    def signs(self, state: State) -> str:
        return (
            f"{_groups(state)}. Pale: disrupted. +n: ranks, ? if hidden. Pentagon: leader, by rank. "
            "Bar in front: shield wall. Tent: camp."
        )

    def true_size_mm(self, sheet: Any) -> Point:
        """Return width and height of both sides of a counter, which have no true size."""
        return BOTH_SIDES_MM


def _groups(state: State) -> str:
    """Return the names that letters stand for."""
    setting = state.setting
    names = (spec.name for spec in setting.units)
    return painter.letter_groups(zip(unit_letters(setting), names, strict=True))
