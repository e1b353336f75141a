"""Labels: names on a field, each beside what it names, where it covers nothing and no other label.

A mark is something in a picture as a value, so that a film can find what has changed. Words in a film are drawn once
as an image, and copied into its frames.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.font_manager import findfont
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon as PolygonPatch
from matplotlib.transforms import Bbox
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from brickphys.geometry.polygon import Point, Polygon
from brickphys.plots.camera import Image
from brickphys.plots.charts import drawable
from brickphys.plots.charts import label as escaped
from brickphys.plots.colors import Color, player_rgb
from brickphys.rules.scenario import NamedArea
from brickphys.rules.scene import Piece
from brickphys.units import Array


@dataclass(frozen=True)
class Mark:
    """Something in a picture: a function that draws it on axes, and what else that function is given.

    Equal marks look alike.
    """

    draw: Callable[..., object]
    """Is called with all of `given` and the axes."""
    given: tuple[Hashable, ...] = ()
    """Values that can be hashed."""

    def on(self, ax: Axes) -> None:
        """Draw it."""
        self.draw(*self.given, ax)


def draw_marks(marks: Iterable[Mark], ax: Axes) -> None:
    """Draw marks in their order."""
    for mark in marks:
        mark.on(ax)


def told_apart(marks: Iterable[Mark]) -> Iterator[tuple[Mark, int]]:
    """Yield each mark with how many equal ones came before it."""
    seen = Counter[Mark]()
    for mark in marks:
        yield mark, seen[mark]
        seen[mark] += 1


_CLEAR = (255, 255, 255, 0)
_INK = (0, 0, 0, 255)
_LINE_SPACING = 1.25
"""Distance of lines over the size of the font."""


class TextImage(Artist):
    """An image on a figure, at whole pixels.

    Parameters
    ----------
    image : ndarray, shape (height, width, 4)
        Red, green, blue and opacity, 0 to 255.
    at
        The place in data, or in shares of the figure where the stamp is put on a figure.
    anchor
        The point of the image that is there, in shares of its width and height from the lower left.
    """

    def __init__(self, image: Image, at: Point, anchor: Point, zorder: float) -> None:
        super().__init__()
        self._upwards = np.ascontiguousarray(image[::-1])
        self._at, self._anchor = at, anchor
        self.set_zorder(zorder)

    def _corner(self) -> Array:
        """Return the pixel of its lower left corner."""
        place = self.get_transform().transform(self._at)
        height, width = self._upwards.shape[:2]
        corner: Array = np.round(place - np.array(self._anchor) * (width, height))
        return corner

    def get_window_extent(self, renderer: Any = None) -> Bbox:
        """Return its pixels."""
        x, y = self._corner()
        height, width = self._upwards.shape[:2]
        return Bbox.from_bounds(x, y, width, height)

    def draw(self, renderer: Any) -> None:
        """Copy it into the picture."""
        x, y = self._corner()
        context = renderer.new_gc()
        renderer.draw_image(context, x, y, self._upwards)
        context.restore()


@lru_cache(maxsize=1024)
def boxed(text: str, pixels: int, opacity: float, edge: Color | None = None) -> Image:
    """Return a line of letters of a size on a white box through which the picture shines, with an edge of a colour."""
    font, text = _font(pixels), drawable(text)
    left, _, right, _ = font.getbbox(text, anchor="ls")
    pad = round(0.25 * pixels)
    size = round(right - left) + 2 * pad, round(1.1 * pixels) + 2 * pad
    picture = Pillow.new("RGBA", size, _CLEAR)
    draw = ImageDraw.Draw(picture)
    fill = (255, 255, 255, round(255 * opacity))
    outline = None if edge is None else tuple(round(255 * value) for value in edge)
    draw.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), round(0.3 * pixels), fill, outline)
    draw.text((pad - left, pad + round(0.9 * pixels)), text, _INK, font, "ls")
    return np.asarray(picture)


def paragraph(lines: tuple[str, ...], pixels: int) -> Image:
    """Return lines of letters of a size below each other, on nothing."""
    font, height = _font(pixels), round(_LINE_SPACING * pixels)
    shown = [drawable(line) for line in lines]
    width = max((round(font.getlength(line)) for line in shown), default=0) + 2
    picture = Pillow.new("RGBA", (width, height * len(lines) + 2), _CLEAR)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(shown):
        draw.text((0, number * height + pixels), line, _INK, font, "ls")
    return np.asarray(picture)


@lru_cache(maxsize=8)
def _font(pixels: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(findfont("DejaVu Sans"), pixels)


FONT_POINTS = 8.0
OPACITY = 0.85
"""Of the box of a label."""
_EDGE = 1.2
"""Width of its edge, which has the colour of the player, in points."""
_LEADER_Z, _TEXT_Z = 7.9, 8.0
_POINTS_AN_INCH = 72.0
_LETTER = 0.62
"""Width of a letter over the size of the font."""
_LINE_HEIGHT = 1.6
"""Height of a line with its box over the size of the font."""
_GAP = 0.3
"""Gap between a thing and its label over the size of the font."""
_RINGS = 6
"""How many lines away from its thing a label may be."""
_SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Sides of a thing for its label, the best first."""
_PLACES = np.array([(*side, ring) for ring in range(_RINGS) for side in _SIDES], dtype=float)
"""Sides and rings, shape (n, 3), the best first."""


@dataclass(frozen=True)
class Extent:
    """A rectangle of the field, by its middle and half its size."""

    x: float
    y: float
    half_width: float
    half_length: float

    @classmethod
    def around(cls, polygon: Polygon) -> "Extent":
        """Return the smallest box around a polygon."""
        (left, low), (right, high) = polygon.box_studs
        return cls((left + right) / 2, (low + high) / 2, (right - left) / 2, (high - low) / 2)

    @classmethod
    def of(cls, piece: Piece) -> "Extent":
        """Return the smallest box around the footprint of a piece."""
        if piece.outline is not None:
            return cls.around(piece.outline)
        return cls(*piece.at, piece.radius, piece.radius)


@dataclass(frozen=True)
class Label:
    """A name, the space of the thing that it names, and the colour of the player whose it is; None if of nobody."""

    text: str
    thing: Extent
    color: str | None = None


def draw_labels(labels: Sequence[Label], others: Iterable[Extent], ax: Axes) -> None:
    """Write labels, each on a box with an edge in the colour of its player; see `placed`."""
    for label, at, is_far in placed(labels, others, ax):
        if is_far:
            draw_leader((label.thing.x, label.thing.y), at, ax)
        box: dict[str, Any] = {"facecolor": (1, 1, 1, OPACITY), "boxstyle": "round,pad=0.15"}
        box |= {"edgecolor": player_rgb(label.color), "lw": _EDGE} if label.color else {"lw": 0}
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": FONT_POINTS}
        ax.text(*at, escaped(label.text), bbox=box, zorder=_TEXT_Z, **style)


def label_marks(labels: Sequence[Label], others: Iterable[Extent], ax: Axes) -> list[Mark]:
    """Return labels as marks for a film, which are quick to draw; see `placed`."""
    marks = []
    for label, at, is_far in placed(labels, others, ax):
        if is_far:
            marks.append(Mark(draw_leader, ((label.thing.x, label.thing.y), at)))
        marks.append(Mark(_draw_text_image, (label.text, label.color, at)))
    return marks


def placed(
    labels: Sequence[Label], others: Iterable[Extent], ax: Axes
) -> Iterator[tuple[Label, Point, bool]]:
    """Yield labels with the middles of their places, each the first beside its thing that covers nothing or the least.

    A line should lead to a label that is not right beside its thing, which is the third of the values. No label should
    cover the things that are named and the spaces `others`. The limits of the axes are the field.
    """
    size = FONT_POINTS * point_length(ax)
    limits = np.array([ax.get_xlim(), ax.get_ylim()])
    taken = [astuple(box) for box in [*others, *(label.thing for label in labels)]]
    covered = np.empty((len(taken) + len(labels), 4))
    covered[: len(taken)] = np.reshape(taken, (-1, 4))
    for number, label in enumerate(labels, start=len(taken)):
        middle, half, is_far = _best_place(label, covered[:number], size, limits)
        covered[number] = *middle, *half
        yield label, (float(middle[0]), float(middle[1])), is_far


def draw_leader(start: Point, end: Point, ax: Axes) -> None:
    """Draw a line from a thing to its label."""
    ax.add_artist(Line2D(*zip(start, end, strict=True), color="black", lw=0.8, zorder=_LEADER_Z))


def point_length(ax: Axes) -> float:
    """Return the length of a typographic point (1/72 inch) on the field."""
    ax.apply_aspect()
    ends = ax.transData.transform([(0.0, 0.0), (1.0, 0.0)])
    pixels, figure = float(ends[1, 0] - ends[0, 0]), ax.figure
    return figure.dpi / _POINTS_AN_INCH / pixels


def _best_place(
    label: Label, covered: Array, size: float, limits: Array
) -> tuple[Array, Array, bool]:
    """Return the middle of the first place of a label that covers nothing, or else the least; half its size; if far."""
    for places in (_PLACES[: len(_SIDES)], _PLACES):  # the near ones mostly do
        middles, half = _places(label, places, size, limits)
        common = half + covered[:, 2:] - np.abs(middles[:, None] - covered[:, :2])
        cost = np.maximum(common, 0.0).prod(axis=-1).sum(axis=1)
        best = int(cost.argmin())
        if cost[best] == 0:
            break
    return middles[best], half, bool(places[best, 2])


def _places(label: Label, places: Array, size: float, limits: Array) -> tuple[Array, Array]:
    """Return the middles of places of a label (sides and rings), shape (n, 2), and half its width and length."""
    thing = label.thing
    half = np.array([len(label.text) * _LETTER * size / 2 + size * 0.3, _LINE_HEIGHT * size / 2])
    away = _GAP * size + places[:, 2:] * 2 * half[1]
    reach = np.array([thing.half_width, thing.half_length]) + half + away
    middles = np.array([thing.x, thing.y]) + places[:, :2] * reach
    low, high = limits[:, 0] + half, limits[:, 1] - half
    return np.minimum(np.maximum(middles, low), high), half


def _draw_text_image(text: str, color: str | None, at: Point, ax: Axes) -> None:
    pixels = round(FONT_POINTS * ax.figure.dpi / _POINTS_AN_INCH)
    edge = player_rgb(color) if color else None
    ax.add_artist(TextImage(boxed(text, pixels, OPACITY, edge), at, (0.5, 0.5), _TEXT_Z))


_AREA_POINTS = 9.0
"""Size of the letters of an area's name."""


def draw_areas(areas: Iterable[NamedArea], ax: Axes) -> tuple[list[Extent], list[Label]]:
    """Frame areas and write their names into them.

    Returns the spaces of the names that are written, and the names that are larger than their areas, to be written
    beside them.
    """
    letter = _AREA_POINTS * point_length(ax)
    written, beside = list[Extent](), list[Label]()
    for area in areas:
        x, y = area.x, area.y
        right, high = x + area.width, y + area.length
        outline = area.outline or ((x, y), (right, y), (right, high), (x, high))
        look: dict[str, Any] = {"fc": (1, 1, 1, 0.25), "ec": "white", "lw": 2.5, "ls": "--"}
        ax.add_patch(PolygonPatch(outline, zorder=2.9, **look))
        columns = max(1, int(area.width / (0.7 * letter)))
        lines = fill(area.name, columns, break_long_words=False).split("\n")
        middle, half = (x + area.width / 2, y + area.length / 2), (area.width / 2, area.length / 2)
        space = Extent(*middle, *half)
        longest = max(map(len, lines))
        name = Extent(*middle, 0.35 * letter * longest, 0.65 * letter * len(lines))
        if name.half_width > space.half_width or name.half_length > space.half_length:
            beside.append(Label(area.name, space))
            continue
        written.append(name)
        font: dict[str, Any] = {"fontsize": _AREA_POINTS, "style": "italic", "weight": "bold"}
        style: dict[str, Any] = {"ha": "center", "va": "center", "color": "black", **font}
        ax.text(*middle, "\n".join(lines), zorder=5.6, **style)
    return written, beside
