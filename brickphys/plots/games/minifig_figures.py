"""Minifig figures from above, on bases in the colours of their experience, with what they hold; things; sheets.

A sheet shows a figure with its bricks of attack and defence.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, Rectangle

from brickphys.geometry.polygon import Point, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.minifig.scene import LOADED, Looks
from brickphys.minifig.sheets import BASE_RADIUS_IN, INCH_MM, FigureSheet, ThingKind, charts
from brickphys.plots.colors import Color, player_rgb, rgb
from brickphys.plots.labels import Mark, draw_marks
from brickphys.plots.painter import ROUND, Figure, draw_figure, draw_polygons
from brickphys.plots.paper import write_within
from brickphys.rules.scene import Piece, Scene
from brickphys.text import counted, spoken
from brickphys.units import STUD_MM, Array

_STUD_IN = 0.6
"""The measure of a `brickphys.plots.painter.Figure` whose shoulders are as wide as a base."""
_BASE_PART = 0.66
"""Radius of what shows the colour of a base over that of the base: the rim around it has the player's colour."""
_WOOD, _STEEL = "#6b4a2b", "#e8ebee"
_BOX = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
_BEND = np.linspace(-1.2, 1.2, 12)
_BOW = np.concatenate(
    [
        np.stack([0.14 + 0.24 * np.cos(_BEND), 0.34 * np.sin(_BEND)], axis=1),
        np.stack([0.14 + 0.18 * np.cos(_BEND), 0.32 * np.sin(_BEND)], axis=1)[::-1],
    ]
)
"""The outlines of a box and a bow."""


class Outlines:
    """Outlines in the frame of a piece, ahead of it and to its left, in inches, which are drawn together."""

    def __init__(self, pose: Pose, zorder: float) -> None:
        self._at, self._zorder = np.array(pose.centre_studs), zorder
        ahead = unit_vector(pose.heading_deg)
        self._axes = np.array([ahead, (-ahead[1], ahead[0])])
        self._outlines, self._fills = list[Array](), list[Color]()

    def polygon(self, corners: Array | Sequence[Point], color: str | Color) -> None:
        """Add a polygon."""
        self._outlines.append(self._at + np.asarray(corners) @ self._axes)
        self._fills.append(to_rgb(color))

    def oval(self, middle: Point, length: float, width: float, color: str | Color) -> None:
        """Add an ellipse."""
        self.polygon(np.array(middle) + np.array([length / 2, width / 2]) * ROUND, color)

    def box(self, middle: Point, length: float, width: float, color: str | Color) -> None:
        """Add a rectangle."""
        self.polygon(np.array(middle) + np.array([length / 2, width / 2]) * _BOX, color)

    def draw(self, ax: Axes) -> None:
        """Draw them, each above those before it."""
        style: dict[str, Any] = {"edgecolors": "black", "lw": 0.6, "zorder": self._zorder}
        if self._outlines:
            draw_polygons(self._outlines, ax, facecolors=self._fills, **style)


def figure_marks(scene: Scene, piece: Piece) -> Iterator[Mark]:
    """Yield a figure or a dog on its base."""
    yield from _on_base(piece.what, piece.pose, scene.colour(piece) or "")


def _on_base(looks: Looks, pose: Pose, color: str) -> Iterator[Mark]:
    """Yield a base with what stands on it, in the colour of its player."""
    yield Mark(_draw_base, (looks, pose, color))
    if not looks.is_dog:
        body = Figure(*pose.centre_studs, pose.heading_deg, color, stud=_STUD_IN)
        yield Mark(draw_figure, (body,))


def thing_marks(_: Scene, piece: Piece) -> Iterator[Mark]:
    """Yield a horse, a wagon or a catapult."""
    yield Mark(draw_thing, (piece.what, piece.pose, LOADED in piece.marks))


def _draw_base(looks: Looks, pose: Pose, color: str, ax: Axes) -> None:
    """Draw a base with what stands on it besides the body of a person: horse, arms, dog."""
    style: dict[str, Any] = {"ec": "black", "lw": 0.8, "zorder": 5.8}
    at = pose.centre_studs
    ax.add_artist(Circle(at, BASE_RADIUS_IN, fc=player_rgb(color), **style))
    ax.add_artist(Circle(at, _BASE_PART * BASE_RADIUS_IN, fc=rgb(looks.base), **style))
    if looks.horse is not None:
        draw_thing(looks.horse, pose, True, ax)
    _draw_arms(looks, pose, color, ax)
    if looks.kind.body == "dog":
        _draw_dog(pose, color, ax)


def _draw_arms(looks: Looks, pose: Pose, color: str, ax: Axes) -> None:
    """Draw what a figure holds: blades and shafts to the right, a shield to the left, a bow before it."""
    frame = Outlines(pose, 6.05)
    for arm in looks.arms:
        if arm.is_worn:
            continue
        if arm.missile and not arm.leaves_hand:
            frame.polygon(_BOW, _WOOD)
        elif arm.attack:
            middle, length, fill = (0.2, 1.1, _WOOD) if arm.leaves_hand else (0.4, 0.5, _STEEL)
            frame.box((middle, -0.22), length, 0.06, fill)
        else:
            frame.oval((0.26, 0.22), 0.14, 0.36, player_rgb(color))
    frame.draw(ax)


def _draw_dog(pose: Pose, color: str, ax: Axes) -> None:
    frame = Outlines(pose, 6.2)
    frame.box((-0.34, 0.0), 0.2, 0.05, rgb("brown"))
    frame.oval((0.0, 0.0), 0.56, 0.26, player_rgb(color))
    frame.oval((0.3, 0.0), 0.26, 0.2, rgb("brown"))
    frame.draw(ax)


def draw_thing(kind: ThingKind, pose: Pose, is_loaded: bool, ax: Axes) -> None:
    """Draw a horse, a wagon, or a catapult with its arm and, if it is loaded, its stone."""
    length, width = (size / INCH_MM for size in kind.size_mm[:2])
    frame = Outlines(pose, 5.7 if kind.is_ridden else 5.5)
    _add_thing(kind, length, width, is_loaded, frame)
    frame.draw(ax)


def _add_thing(
    kind: ThingKind, length: float, width: float, is_loaded: bool, frame: Outlines
) -> None:
    """Add the parts of a thing of a length and a width in inches."""
    if kind.is_ridden:
        frame.box((-0.42 * length, 0.0), 0.17 * length, 0.07, rgb("brown"))
        frame.oval((0.0, 0.0), 0.72 * length, 0.85 * width, rgb("pale_brown"))
        frame.oval((0.41 * length, 0.0), 0.25 * length, 0.42 * width, rgb("brown"))
        return
    for ahead, aside in product((-0.3, 0.3), (-0.5, 0.5)):
        frame.oval((ahead * length, aside * width), 0.25 * length, 0.15 * width, "#3b3b3b")
    frame.box((0.0, 0.0), 0.95 * length, 0.95 * width, rgb("pale_brown"))
    if kind.missile is None:
        frame.box((0.0, 0.0), 0.78 * length, 0.72 * width, rgb("dark_tan"))
        return
    frame.box((0.0, 0.0), 0.12 * length, 0.95 * width, rgb("brown"))
    frame.box((-0.1 * length, 0.0), 0.55 * length, 0.12 * width, _WOOD)
    stone = rgb("grey" if is_loaded else "brown")
    frame.oval((-0.36 * length, 0.0), 0.35 * width, 0.35 * width, stone)


SIZE_INCHES = (10.0, 5.2)
"""A size for the axes of a sheet."""
_WIDTH, _HEIGHT = 100.0, 52.0
_BRICK, _ROW = 2.6, 3.4
_COLUMNS = {"attack": 2.0, "defence": 54.0}
_COLORS = {"attack": "red", "defence": "blue"}
_TOP, _BRICKS_LEFT, _LETTER = 30.5, 10.5, 0.9
_PALE = "#5d666d"
_PORTRAIT = (0.02, 0.63, 0.45, 0.27)
"""Left, bottom, width and height of the figure from above, over those of the axes."""
_PORTRAIT_IN = 4.0
"""The width of the table that it shows."""
_TRUE_WIDTH_MM, _FIGURE_MM, _NAME_MM = 94.4, 28.0, 3.2
"""On paper: the width, that of the figure, and the height of a line above bricks."""
_BRICK_MM = 2 * STUD_MM
_BRICKS_A_LINE = 4


def draw_sheet(sheet: FigureSheet, ax: Axes) -> None:
    """Draw the sheet of a figure; `SIZE_INCHES` is a good size of axes."""
    ax.set(xlim=(0, _WIDTH), ylim=(0, _HEIGHT), aspect="equal")
    ax.set_axis_off()
    _write(_WIDTH / 2, _HEIGHT - 2.5, sheet.title, ax, ha="center", fontsize=14, weight="bold")
    _draw_portrait(sheet, ax)
    for number, (name, value) in enumerate(sheet.numbers()):
        _write(_COLUMNS["defence"], 45.0 - 2.6 * number, f"{name}: {value}", ax)
    for side, one in sheet.sides.items():
        left, color = _COLUMNS[side], rgb(_COLORS[side])
        title = f"{side.capitalize()}: {counted(one.total, 'brick')}"
        _write(left, _TOP, title, ax, fontsize=12, weight="bold")
        there, more = sheet.rows(side), sheet.more(side)
        for number, (row, bricks, why) in enumerate([*there, *more]):
            is_there = number < len(there)
            low = _TOP - 2.2 - _ROW * (number + 1)
            _write(left, low + _BRICK / 2, spoken(row), ax)
            for brick in range(bricks):
                x = left + _BRICKS_LEFT + brick * (_BRICK + 0.25)
                _draw_brick((x, low), _BRICK, color, ax, is_there=is_there)
            after = left + _BRICKS_LEFT + max(bricks, 2) * (_BRICK + 0.25) + _LETTER
            _write(after, low + _BRICK / 2, why, ax, color="black" if is_there else _PALE)


def true_size_mm(sheet: FigureSheet) -> tuple[float, float]:
    """Return width and height of `draw_true_size`."""
    lines = [_NAME_MM + -(-one.total // _BRICKS_A_LINE) * _BRICK_MM for one in sheet.sides.values()]
    return _TRUE_WIDTH_MM, max(sum(lines) + 1.0, sum(_reach_mm(sheet)))


def draw_true_size(sheet: FigureSheet, ax: Axes) -> None:
    """Draw a figure from above, its front at the top, and a place for each brick that it rolls, in true size."""
    wide, high = true_size_mm(sheet)
    ax.set(xlim=(0, wide), ylim=(0, high))
    ax.set_axis_off()
    ahead, behind = _reach_mm(sheet)
    place = 0, high - ahead - behind, _FIGURE_MM, ahead + behind
    inset, half = ax.inset_axes(place, transform=ax.transData), _FIGURE_MM / 2 / INCH_MM
    inset.set(xlim=(-half, half), ylim=(-behind / INCH_MM, ahead / INCH_MM))
    inset.set_axis_off()
    draw_marks(_figure(sheet, 90.0), inset)
    base = Circle((0.0, 0.0), BASE_RADIUS_IN, fc="none", ec="black", lw=0.4)
    base.set_gid(f"footprint-{sheet.name}")
    inset.add_patch(base)
    top = high
    for side, one in sheet.sides.items():
        rows = ", ".join(f"{spoken(row)} {bricks}" for row, bricks in one.bricks.items())
        points = f" + {one.points} of experience" * (one.points > 0)
        text = f"{side}, {counted(one.total, 'brick')}{points}{f': {rows}' * bool(rows)}"
        write_within(_FIGURE_MM, top - _NAME_MM / 2, text, wide - _FIGURE_MM, 5.5, ax)
        top -= _NAME_MM
        for brick in range(one.total):
            line, column = divmod(brick, _BRICKS_A_LINE)
            at = _FIGURE_MM + column * _BRICK_MM, top - (line + 1) * _BRICK_MM
            _draw_brick(at, _BRICK_MM, rgb(_COLORS[side]), ax, is_there=False)
        top -= -(-one.total // _BRICKS_A_LINE) * _BRICK_MM


def _reach_mm(sheet: FigureSheet) -> tuple[float, float]:
    """Return how far the picture of a figure reaches ahead and behind."""
    if sheet.is_mounted:
        half = charts().things["horse"].size_mm[0] / 2 + 2.0
        return half, half
    return 20.0, 10.0


def _figure(sheet: FigureSheet, facing_deg: float) -> Iterator[Mark]:
    horse = charts().things["horse"] if sheet.is_mounted else None
    figure = sheet.figure
    looks = Looks(figure.kind, figure.arms, charts().colours[figure.experience], horse)
    return _on_base(looks, Pose(0.0, 0.0, facing_deg), "red")


def _draw_portrait(sheet: FigureSheet, ax: Axes) -> None:
    inset = ax.inset_axes(_PORTRAIT)
    half = _PORTRAIT_IN / 2
    _, _, width, height = _PORTRAIT
    high = half * height * _HEIGHT / (width * _WIDTH)
    inset.set(xlim=(-half, half), ylim=(-high, high), aspect="equal")
    inset.set_axis_off()
    draw_marks(_figure(sheet, 0.0), inset)


def _draw_brick(
    corner: tuple[float, float], size: float, color: Color, ax: Axes, *, is_there: bool
) -> None:
    """Draw a 2x2 brick from above; one that only a place gives, or that is put there, as an outline."""
    x, y = corner
    style: dict[str, Any] = {"fc": color if is_there else "white", "ec": "black", "lw": 0.8}
    if not is_there:
        style |= {"ls": "--", "ec": _PALE}
    ax.add_patch(Rectangle((x, y), size, size, **style))
    for across in (0.27, 0.73):
        for up in (0.27, 0.73):
            at = x + across * size, y + up * size
            ax.add_patch(Circle(at, 0.17 * size, **style))


def _write(x: float, y: float, text: str, ax: Axes, **style: Any) -> None:
    ax.text(x, y, text, **{"va": "center", "fontsize": 9, **style})
