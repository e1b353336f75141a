"""Painter: what a game supplies to be drawn: its field and its pieces; the pictures of all games are made of it.

A field picture has a caption above the field and a legend below it.
"""

import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import ceil
from operator import itemgetter
from string import digits
from types import MappingProxyType
from typing import Any, ClassVar, Generic

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, RegularPolygon
from matplotlib.text import Text

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.plots.colors import array_of, player_rgb
from brickphys.plots.labels import Extent, Label, Mark, draw_areas, draw_labels, draw_marks
from brickphys.rules.record import State, player_colours
from brickphys.rules.report.sheets import ArmyUnit
from brickphys.rules.scenario import NamedArea
from brickphys.rules.scene import Piece, Scene
from brickphys.text import short_name, spoken
from brickphys.units import STUD_MM, Array

_TURNS = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
ROUND = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
"""The outline of a circle of radius 1."""
SHADOW_A_PLATE = 0.045
"""Length of the shadow of a plate along x and along -y, in studs: light comes from the upper left."""


@dataclass(frozen=True)
class Figure:
    """A figure from above."""

    x: float
    y: float
    heading_deg: float
    """Where it looks, counter-clockwise from +x."""
    color: str
    """Of its torso: one of `brickphys.plots.colors.player_colors`."""
    name: str = ""
    stud: float = 1.0
    """Length of a stud in the unit of the field: a figure is about as wide."""


@dataclass(frozen=True)
class Pieces:
    """What stands on a field."""

    marks: tuple[Mark, ...] = ()
    """What is drawn, the lowest first where it overlaps."""
    labels: tuple[Label, ...] = ()
    """Names, which are written beside the things that they name."""
    taken: tuple[Extent, ...] = ()
    """More spaces that no label should cover."""

    def __add__(self, other: "Pieces") -> "Pieces":
        """Return these and, above them, others."""
        return Pieces(
            self.marks + other.marks, self.labels + other.labels, self.taken + other.taken
        )


def pieces_of(figures: Sequence[Figure]) -> Pieces:
    """Return figures with their names."""
    marks = tuple(Mark(draw_figure, (figure,)) for figure in figures)
    halves = [0.6 * figure.stud for figure in figures]
    bodies = [Extent(one.x, one.y, half, half) for one, half in zip(figures, halves, strict=True)]
    pairs = zip(figures, bodies, strict=True)
    names = tuple(Label(one.name, box, one.color) for one, box in pairs if one.name)
    return Pieces(marks, names, tuple(bodies))


def tile_marks(_: Scene, piece: Piece) -> Iterator[Mark]:
    """Yield an object that lies on the field, of several at one place the first."""
    if piece.order == 0:
        yield Mark(_draw_tile, (piece.at,))


def letter_groups(named: Iterable[tuple[str, str]]) -> str:
    """Return what letters stand for, given as pairs with the names: ``A: reeve, B to E: archer``."""
    stems = [(letter, name.rstrip(digits).rstrip("_ ")) for letter, name in named]
    groups = ((name, [letter for letter, _ in run]) for name, run in groupby(stems, itemgetter(1)))
    return ", ".join(
        f"{' to '.join(dict.fromkeys([run[0], run[-1]]))}: {spoken(name)}" for name, run in groups
    )


def draw_polygons(polygons: Sequence[Array], ax: Axes, **style: Any) -> None:
    """Draw polygons of one style, each of shape (n, 2)."""
    ax.add_collection(PolyCollection(polygons, **style), autolim=False)


def draw_way(places: Sequence[Sequence[float]] | Array, ax: Axes, **style: Any) -> None:
    """Draw lines from place to place, or the markers of a style at them; limits of the axes stay as they are."""
    ax.add_artist(Line2D(*np.asarray(places, dtype=float).T, **style))


def draw_shadow(corners: Array, length: float, zorder: float, ax: Axes) -> None:
    """Draw the shadow of something, darkest at its foot; `length` is along x and along -y."""
    for shift in np.linspace(0.25, 1.0, 4) * length:
        shadow = corners + np.array([shift, -shift])
        draw_polygons([shadow], ax, facecolor="black", alpha=0.1, lw=0, zorder=zorder)


def _draw_tile(at: Point, ax: Axes) -> None:
    ax.add_artist(RegularPolygon(at, 4, radius=0.42, fc="white", ec="black", zorder=5.45))


def draw_figure(figure: Figure, ax: Axes) -> None:
    """Draw a figure from above: shoulders, hands in front of them, and a head with a nose to the front."""
    size, middle = figure.stud, np.array([figure.x, figure.y])
    ahead = size * np.array(unit_vector(figure.heading_deg))
    left = np.array([-ahead[1], ahead[0]])
    skin, color = array_of("yellow"), player_rgb(figure.color)
    at, shift = (figure.x + 0.12 * size, figure.y - 0.12 * size), 0.36
    ax.add_artist(Circle(at, 0.5 * size, fc="black", alpha=0.3, lw=0, zorder=6))
    outlines = [
        *(middle + shift * (ahead + side * left) + 0.13 * size * ROUND for side in (1, -1)),
        middle + ROUND * (0.31, 0.54) @ np.array([ahead, left]),
        np.array([middle + 0.2 * left, middle - 0.2 * left, middle + 0.5 * ahead]),
        middle + 0.28 * size * ROUND,
    ]
    fills = [skin, skin, color, skin, skin]
    draw_polygons(outlines, ax, facecolors=fills, edgecolors="black", lw=0.7, zorder=6.2)


def frame_field(width: float, length: float, unit: str, ax: Axes) -> None:
    """Make the axes show a field of a width and a length, x to the right and y upwards, both in `unit`."""
    ax.set(xlim=(0, width), ylim=(0, length), aspect="equal", xlabel=unit, ylabel=unit)


def draw_cells(colors: Array, ax: Axes) -> None:
    """Draw squares of one unit of length in `colors`, shape (length, width, 3), 0 to 1, the lowest y first."""
    length, width, _ = colors.shape
    x, y = (places.ravel() for places in np.meshgrid(np.arange(width), np.arange(length)))
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    squares = np.stack([np.stack([x + a, y + b], axis=-1) for a, b in corners], axis=1)
    flat = colors.reshape(-1, 3)
    draw_polygons(list(squares.astype(float)), ax, facecolors=flat, edgecolors=flat, lw=0.3)


class Painter(Generic[State]):
    """Draws the field and the pieces of one game; it is made without parameters.

    A game names its painter as `pictures` (see `brickphys.rules.game.Game`). A painter with a `scene` needs only a
    function for each of its `kinds` of pieces; one without defines `size`, `players` and `pieces`.
    """

    kinds: ClassVar[Mapping[str, Callable[[Scene, Piece], Iterable[Mark]]]] = MappingProxyType({})
    """What draws a piece of a kind, given its scene, the lowest kind first; others are not drawn."""
    unit: str = "studs"
    """The unit of lengths on the field, for the axes."""
    unit_mm: float = STUD_MM
    """Its true length; of a game that knows none any number."""
    least_inches: float = 0.0
    """The least length of a unit in pictures, where pieces are as large as that."""

    def scene(self, state: State) -> Scene:
        """Return the field with its pieces."""
        raise NotImplementedError(f"{type(self).__name__} has no scene")

    def size(self, state: State) -> tuple[float, float]:
        """Return the width and the length of the field."""
        return self.scene(state).size

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw the field without its pieces."""

    def pieces(self, state: State) -> Pieces:
        """Return what stands on the field, with its names: values, of which a film draws only those that are new."""
        scene = self.scene(state)
        drawn = [one for kind in self.kinds for one in scene.pieces if one.kind == kind]
        marks = (mark for one in drawn for mark in self.kinds[one.kind](scene, one))
        named = ((one, self.label(scene, one)) for one in drawn)
        labels = (Label(text, Extent.of(one), scene.colour(one)) for one, text in named if text)
        return Pieces(tuple(marks), tuple(labels))

    def label(self, scene: Scene, piece: Piece) -> str:
        """Return what is written beside a piece: its letter on the map where units are many."""
        return piece.letter if scene.is_crowded and piece.letter else piece.label

    def draw_pieces(
        self, state: State, labels: Sequence[Label], written: Sequence[Extent], ax: Axes
    ) -> None:
        """Draw the pieces, and write their names and other labels where they cover nothing that is written."""
        pieces = self.pieces(state)
        draw_marks(pieces.marks, ax)
        draw_labels([*labels, *pieces.labels], [*pieces.taken, *written], ax)

    def players(self, state: State) -> Sequence[str]:
        """Return the names of the players."""
        return self.scene(state).players

    def colours(self, state: State) -> Sequence[str]:
        """Return the colour of each player: those of the scene, or of their names if there is none."""
        return self.scene(state).colours if self._has_scene else player_colours(self.players(state))

    def called(self, state: State, unit: str) -> str:
        """Return what a unit is called in pictures, given its name: this without that of its player, or its letter."""
        if self._has_scene and unit in (called := self.scene(state).called):
            return called[unit]
        return short_name(unit, self.players(state))

    @property
    def _has_scene(self) -> bool:
        return type(self).scene is not Painter.scene

    def letters_text(self, state: State) -> str:
        """Return what the letters of units stand for: ``Letters: A: reeve, B to E: archer.``; empty without letters."""
        scene = self.scene(state)
        named = [(letter, name) for name, letter in scene.letters.items()]
        return f"Letters: {letter_groups(named)}." if scene.is_crowded else ""

    def ground(self, state: State) -> Hashable:
        """Return what the look of the field depends on: a film draws it anew only where this has changed."""
        return None

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the entries of the legend besides the players' colours."""
        return ()

    def later_entries(self, state: State) -> int:
        """Return how many more entries the legend may get while a game is played."""
        return 0

    def signs(self, state: State) -> str:
        """Return a sentence on signs of its own that a picture of this state shows; empty if there are none."""
        return ""

    def sheets_figure(self, sheets: Sequence[Any]) -> Canvas:
        """Return a picture of description sheets of this game; InvalidValueError if it draws none."""
        raise InvalidValueError(f"--plot: no picture of {', '.join(one.name for one in sheets)}")

    def true_size_mm(self, sheet: Any) -> tuple[float, float]:
        """Return width and height of the picture of a sheet on paper; InvalidValueError if it draws none."""
        raise InvalidValueError(f"no picture of {sheet.name} in true size")

    def draw_true_size(self, sheet: Any, ax: Axes) -> None:
        """Draw a sheet on axes that have the size of `true_size_mm`."""

    def draw_footprint(self, unit: ArmyUnit, heading_deg: float, ax: Axes) -> None:
        """Draw what is seen of a unit from above inside its footprint, whose middle is at the origin of the axes."""


def sheet_axes(count: int, size_inches: Point, most_columns: int = 1) -> tuple[Canvas, list[Axes]]:
    """Return a figure with axes of a size for so many sheets, side by side up to a number of columns."""
    columns = min(count, most_columns)
    rows, (width, height) = ceil(count / columns), size_inches
    canvas = Canvas(figsize=(width * columns, height * rows), dpi=150, layout="constrained")
    return canvas, [canvas.add_subplot(rows, columns, number + 1) for number in range(count)]


CAPTION_POINTS = 10.0
_INCHES_A_UNIT = 0.24
"""Of a field that is neither small nor large."""
_SMALLEST_INCHES, _LARGEST_INCHES = 6.0, 12.0
_LETTERS_AN_INCH = 11
_INCHES_A_LINE, _INCHES_A_COLUMN = 0.19, 1.7


class FieldPicture(Generic[State]):
    """A figure of the field of a game, as large as its state needs; the areas are framed and named."""

    def __init__(self, painter: Painter[State], state: State, areas: Sequence[NamedArea]) -> None:
        self._painter, self._state, self._areas = painter, state, areas
        self._width, self._length = painter.size(state)
        self._inches = max(_inches_a_unit(self._width, self._length), painter.least_inches)
        self.canvas = Canvas(figsize=(self._width * self._inches + 1.0, 1.0))
        self.ax = self.canvas.subplots()
        self.written: list[Extent] = []
        """Spaces on the field that no label should cover."""
        self.labels: list[Label] = []
        """Names of areas that are written beside them."""
        self._is_blank = True

    @property
    def letters(self) -> int:
        """How many letters of a caption fit into a line over the field."""
        return int(self.canvas.get_figwidth() * _LETTERS_AN_INCH)

    def wrapped(self, *paragraphs: str) -> list[str]:
        """Return paragraphs in lines that fit over the field, without a lone last word."""
        return [line for one in paragraphs for line in _balanced(one, self.letters)]

    def make_room(self, lines: int) -> None:
        """Make the figure as high as the field needs, with so many lines of a caption above and a legend below."""
        state, width = self._state, self.canvas.get_figwidth()
        entries = len(legend_patches(self._painter, state)) + self._painter.later_entries(state)
        above = 0.2 + _INCHES_A_LINE * lines
        below = 0.7 + _INCHES_A_LINE * -(-entries // self._legend_columns)
        height = self._length * self._inches + above + below
        self.canvas.set_size_inches(width, height)
        self.canvas.subplots_adjust(
            left=0.7 / width, right=1 - 0.3 / width, bottom=below / height, top=1 - above / height
        )

    def draw_field(self, state: State) -> None:
        """Draw the ground with its areas, and the legend, anew."""
        if not self._is_blank:
            self.ax.clear()
        self._is_blank = False
        frame_field(self._width, self._length, self._painter.unit, self.ax)
        self._painter.draw_ground(state, self.ax)
        self.written, self.labels = draw_areas(self._areas, self.ax)
        self.canvas.legends.clear()
        style: dict[str, Any] = {"loc": "lower center", "fontsize": 8, "frameon": False}
        handles = legend_patches(self._painter, state)
        self.canvas.legend(handles=handles, ncols=self._legend_columns, **style)

    def write(self, lines: Sequence[str]) -> Text:
        """Write a caption over the field."""
        top = 1 - 0.08 / self.canvas.get_figheight()
        return self.canvas.text(0.02, top, "\n".join(lines), va="top", fontsize=CAPTION_POINTS)

    @property
    def _legend_columns(self) -> int:
        return max(2, int(self.canvas.get_figwidth() / _INCHES_A_COLUMN))


@lru_cache(maxsize=256)
def _balanced(text: str, letters: int) -> Sequence[str]:
    """Return a text in as few lines as it needs, the last at least half as long as there is room, where it can be."""
    lines, width = textwrap.wrap(text, letters), letters
    while len(lines) > 1 and 2 * len(lines[-1]) < letters and width > letters // 2:
        # any width down to the longest line gives the same lines
        width = min(width, max(map(len, lines))) - 1
        narrower = textwrap.wrap(text, width)
        if len(narrower) > len(lines):
            break
        lines = narrower
    return lines


def legend_patches(painter: Painter[State], state: State) -> list[Patch]:
    """Return the entries of the legend: the colours of the players, and those of the game."""
    names = painter.players(state)
    players = [
        Patch(facecolor=player_rgb(color), edgecolor="black", lw=0.6, label=name)
        for name, color in zip(names, painter.colours(state), strict=True)
    ]
    return [*players, *painter.legend(state)]


def _inches_a_unit(width: float, length: float) -> float:
    longest = max(width, length) * _INCHES_A_UNIT
    wanted = min(max(longest, _SMALLEST_INCHES), _LARGEST_INCHES) / longest
    least = (_SMALLEST_INCHES - 1.0) / (width * _INCHES_A_UNIT)
    return _INCHES_A_UNIT * max(wanted, least)
