"""Figures from above, on bases in the colours of their experience, with what they hold; and things, by their sizes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from brickphys.arrays import Array
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, INCH_MM, Arm, ThingKind
from brickphys.plots.colors import Color, rgb
from brickphys.plots.pieces import draw_polygons

FIGURE_STUD_IN = 0.6
"""The measure of `brickphys.plots.pieces.Figure` that fills a base."""
_WOOD, _STEEL = "#6b4a2b", "#e8ebee"
_BOX = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
_ROUND = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
_OVAL = np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)


class Frame:
    """Draws in the frame of a piece: ahead of it, and to its left, in inches."""

    def __init__(self, at: Point, facing_deg: float, zorder: float, ax: Axes) -> None:
        self._at, self._ax, self._zorder = np.array(at), ax, zorder
        ahead = unit_vector(facing_deg)
        self._axes = np.array([ahead, (-ahead[1], ahead[0])])

    def polygon(self, corners: Array | Sequence[Point], color: str | Color) -> None:
        """Draw a polygon."""
        outline = self._at + np.asarray(corners) @ self._axes
        draw_polygons([outline], self._ax, fc=color, ec="black", lw=0.6, zorder=self._zorder)

    def oval(self, middle: Point, length: float, width: float, color: str | Color) -> None:
        """Draw an ellipse."""
        self.polygon(np.array(middle) + np.array([length / 2, width / 2]) * _OVAL, color)

    def box(self, middle: Point, length: float, width: float, color: str | Color) -> None:
        """Draw a rectangle."""
        self.polygon(np.array(middle) + np.array([length / 2, width / 2]) * _BOX, color)

    def line(self, points: Array | Sequence[Point], color: str, width: float) -> None:
        """Draw a line with a dark edge."""
        x, y = (self._at + np.asarray(points) @ self._axes).T
        for ink, wide in (("black", width + 1.2), (color, width)):
            self._ax.plot(x, y, color=ink, lw=wide, solid_capstyle="round", zorder=self._zorder)


def draw_base(at: Point, experience: str, ax: Axes) -> None:
    """Draw the base of a figure in the colour of its experience."""
    style: dict[str, Any] = {"fc": rgb(experience), "ec": "black", "lw": 0.8, "zorder": 5.8}
    ax.add_patch(Circle(at, BASE_RADIUS_IN, **style))


def draw_arms(at: Point, facing_deg: float, arms: Sequence[Arm], color: Color, ax: Axes) -> None:
    """Draw what a figure holds: blades and shafts to the right, a shield to the left, a bow before it."""
    frame = Frame(at, facing_deg, 6.05, ax)
    for arm in arms:
        if arm.missile and not arm.leaves_hand:
            bend = np.linspace(-1.1, 1.1, 9)
            frame.line(np.stack([0.14 + 0.22 * np.cos(bend), 0.3 * np.sin(bend)], 1), _WOOD, 1.4)
        elif arm.attack:
            reach = 0.75 if arm.leaves_hand else 0.45
            rear = -0.35 if arm.leaves_hand else 0.1
            frame.line([(rear, -0.2), (reach, -0.2)], _WOOD if arm.leaves_hand else _STEEL, 1.4)
        elif arm.defence:
            frame.oval((0.24, 0.2), 0.14, 0.34, color)


def draw_horse(at: Point, facing_deg: float, kind: ThingKind, ax: Axes) -> None:
    """Draw a horse: its tail, its body and its head."""
    length, width = _size_in(kind)
    frame = Frame(at, facing_deg, 5.7, ax)
    frame.line([(-0.35 * length, 0.0), (-0.5 * length, 0.08)], "#3a2618", 2.0)
    frame.oval((0.0, 0.0), 0.72 * length, 0.85 * width, rgb("pale_brown"))
    frame.oval((0.41 * length, 0.0), 0.25 * length, 0.42 * width, rgb("brown"))


def draw_dog(at: Point, facing_deg: float, color: Color, ax: Axes) -> None:
    """Draw a dog in the colour of its player."""
    frame = Frame(at, facing_deg, 6.2, ax)
    frame.line([(-0.25, 0.0), (-0.42, 0.06)], "#3a2618", 1.0)
    frame.oval((0.0, 0.0), 0.56, 0.26, color)
    frame.oval((0.3, 0.0), 0.26, 0.2, rgb("brown"))


def draw_thing(at: Point, facing_deg: float, kind: ThingKind, is_loaded: bool, ax: Axes) -> None:
    """Draw a wagon, or a catapult with its arm and, if it is loaded, its stone."""
    length, width = _size_in(kind)
    frame = Frame(at, facing_deg, 5.5, ax)
    for ahead in (-0.3, 0.3):
        for aside in (-0.5, 0.5):
            frame.oval((ahead * length, aside * width), 0.25 * length, 0.15 * width, "#3b3b3b")
    frame.box((0.0, 0.0), 0.95 * length, 0.95 * width, rgb("pale_brown"))
    if kind.missile is None:
        frame.box((0.0, 0.0), 0.78 * length, 0.72 * width, rgb("dark_tan"))
        return
    frame.box((0.0, 0.0), 0.12 * length, 0.95 * width, rgb("brown"))
    frame.line([(-0.36 * length, 0.0), (0.15 * length, 0.0)], _WOOD, 3.0)
    stone = rgb("grey" if is_loaded else "brown")
    frame.oval((-0.36 * length, 0.0), 0.35 * width, 0.35 * width, stone)


def _size_in(kind: ThingKind) -> tuple[float, float]:
    """Return the length and the width of a thing in inches."""
    length, width, _ = kind.size_mm
    return length / INCH_MM, width / INCH_MM
