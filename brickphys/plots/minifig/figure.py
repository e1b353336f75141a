"""Figures from above, on bases in the colours of their experience, with what they hold; and things, by their sizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle

from brickphys.arrays import Array
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, INCH_MM, Arm, Kind, ThingKind
from brickphys.plots.colors import Color, player_rgb, rgb
from brickphys.plots.labels import Box, Label
from brickphys.plots.marks import Mark
from brickphys.plots.pieces import ROUND, Figure, Pieces, Tile, draw_polygons, pieces_of

_STUD_IN = 0.6
"""The measure of a `brickphys.plots.pieces.Figure` whose shoulders are as wide as a base."""
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


class Frame:
    """Outlines in the frame of a piece, ahead of it and to its left, in inches, which are drawn together."""

    def __init__(self, at: Point, facing_deg: float, zorder: float) -> None:
        self._at, self._zorder = np.array(at), zorder
        ahead = unit_vector(facing_deg)
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


@dataclass(frozen=True)
class FigurePiece:
    """A figure from above.

    Attributes
    ----------
    at, facing_deg
        Its place in inches, and where it looks.
    kind, arms
        What it is, and what it has.
    base, color
        The colours of its base and of its player: names of `brickphys.shapes.palette`.
    horse
        What it rides.
    name
        Written beside it.
    """

    at: Point
    facing_deg: float
    kind: Kind
    arms: tuple[Arm, ...]
    base: str
    color: str
    horse: ThingKind | None = None
    name: str = ""

    @property
    def is_dog(self) -> bool:
        """Whether it is a dog."""
        return self.kind.body == "dog"


def figure_pieces(figures: Sequence[FigurePiece], tiles: Sequence[Tile]) -> Pieces:
    """Return figures on their bases, and items; for the rest see `brickphys.plots.pieces.pieces_of`."""
    half, dogs = BASE_RADIUS_IN, [one for one in figures if one.is_dog]
    names = (Label(one.name, Box(*one.at, half, half), one.color) for one in dogs if one.name)
    bases = Pieces(tuple(Mark(_draw_base, (one,)) for one in figures), tuple(names))
    bodies = [
        Figure(*one.at, one.facing_deg, one.color, one.name, _STUD_IN)
        for one in figures
        if not one.is_dog
    ]
    return bases + pieces_of(bodies, tiles=tiles)


def _draw_base(one: FigurePiece, ax: Axes) -> None:
    """Draw a base with what stands on it besides the body of a person: horse, arms, dog."""
    style: dict[str, Any] = {"ec": "black", "lw": 0.8, "zorder": 5.8}
    ax.add_artist(Circle(one.at, BASE_RADIUS_IN, fc=player_rgb(one.color), **style))
    ax.add_artist(Circle(one.at, _BASE_PART * BASE_RADIUS_IN, fc=rgb(one.base), **style))
    if one.horse is not None:
        draw_thing(one.horse, one.at, one.facing_deg, True, ax)
    _draw_arms(one, ax)
    if one.is_dog:
        _draw_dog(one, ax)


def _draw_arms(figure: FigurePiece, ax: Axes) -> None:
    """Draw what a figure holds: blades and shafts to the right, a shield to the left, a bow before it."""
    frame = Frame(figure.at, figure.facing_deg, 6.05)
    for arm in figure.arms:
        if arm.is_worn:
            continue
        if arm.missile and not arm.leaves_hand:
            frame.polygon(_BOW, _WOOD)
        elif arm.attack:
            middle, length, color = (0.2, 1.1, _WOOD) if arm.leaves_hand else (0.4, 0.5, _STEEL)
            frame.box((middle, -0.22), length, 0.06, color)
        else:
            frame.oval((0.26, 0.22), 0.14, 0.36, player_rgb(figure.color))
    frame.draw(ax)


def _draw_dog(figure: FigurePiece, ax: Axes) -> None:
    """Draw a dog in the colour of its player."""
    frame = Frame(figure.at, figure.facing_deg, 6.2)
    frame.box((-0.34, 0.0), 0.2, 0.05, rgb("brown"))
    frame.oval((0.0, 0.0), 0.56, 0.26, player_rgb(figure.color))
    frame.oval((0.3, 0.0), 0.26, 0.2, rgb("brown"))
    frame.draw(ax)


def draw_thing(kind: ThingKind, at: Point, facing_deg: float, is_loaded: bool, ax: Axes) -> None:
    """Draw a horse, a wagon, or a catapult with its arm and, if it is loaded, its stone."""
    length, width = (size / INCH_MM for size in kind.size_mm[:2])
    frame = Frame(at, facing_deg, 5.7 if kind.is_ridden else 5.5)
    _add_thing(kind, length, width, is_loaded, frame)
    frame.draw(ax)


def _add_thing(kind: ThingKind, length: float, width: float, is_loaded: bool, frame: Frame) -> None:
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
