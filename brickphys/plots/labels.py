"""Labels on a field: each beside the thing that it names, where it covers nothing and no other label."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from brickphys.arrays import Array
from brickphys.geometry.polygon import Point, Polygon
from brickphys.plots.colors import player_rgb
from brickphys.plots.glyphs import label as escaped
from brickphys.plots.marks import Mark
from brickphys.plots.stamps import Stamp, boxed

FONT_POINTS = 8.0
OPACITY = 0.85
"""Of the box of a label."""
_EDGE = 1.2
"""Width of its edge, which has the colour of the player, in points."""
_LEADER_Z, _TEXT_Z = 7.9, 8.0
_POINTS_AN_INCH = 72.0
_LETTER = 0.62
"""Width of a letter over the size of the font."""
_LINE = 1.6
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
class Box:
    """A rectangle of the field, by its middle and half its size."""

    x: float
    y: float
    half_width: float
    half_length: float

    @classmethod
    def around(cls, polygon: Polygon) -> "Box":
        """Return the smallest box around a polygon."""
        (left, low), (right, high) = polygon.box_studs
        return cls((left + right) / 2, (low + high) / 2, (right - left) / 2, (high - low) / 2)


@dataclass(frozen=True)
class Label:
    """A name, the space of the thing that it names, and the colour of the player whose it is; None if of nobody."""

    text: str
    thing: Box
    color: str | None = None


def draw_labels(labels: Sequence[Label], others: Iterable[Box], ax: Axes) -> None:
    """Write labels, each on a box with an edge in the colour of its player; see `placed`."""
    for label, at, is_far in placed(labels, others, ax):
        if is_far:
            draw_leader((label.thing.x, label.thing.y), at, ax)
        box: dict[str, Any] = {"facecolor": (1, 1, 1, OPACITY), "boxstyle": "round,pad=0.15"}
        box |= {"edgecolor": player_rgb(label.color), "lw": _EDGE} if label.color else {"lw": 0}
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": FONT_POINTS}
        ax.text(*at, escaped(label.text), bbox=box, zorder=_TEXT_Z, **style)


def label_marks(labels: Sequence[Label], others: Iterable[Box], ax: Axes) -> list[Mark]:
    """Return labels as marks for a film, which are quick to draw; see `placed`."""
    marks = []
    for label, at, is_far in placed(labels, others, ax):
        if is_far:
            marks.append(Mark(draw_leader, ((label.thing.x, label.thing.y), at)))
        marks.append(Mark(_draw_stamp, (label.text, label.color, at)))
    return marks


def placed(
    labels: Sequence[Label], others: Iterable[Box], ax: Axes
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
        cost = _common_areas(middles, half, covered)
        best = int(cost.argmin())
        if cost[best] == 0:
            break
    return middles[best], half, bool(places[best, 2])


def _places(label: Label, places: Array, size: float, limits: Array) -> tuple[Array, Array]:
    """Return the middles of places of a label (sides and rings), shape (n, 2), and half its width and length."""
    thing = label.thing
    half = np.array([len(label.text) * _LETTER * size / 2 + size * 0.3, _LINE * size / 2])
    away = _GAP * size + places[:, 2:] * 2 * half[1]
    reach = np.array([thing.half_width, thing.half_length]) + half + away
    middles = np.array([thing.x, thing.y]) + places[:, :2] * reach
    low, high = limits[:, 0] + half, limits[:, 1] - half
    return np.minimum(np.maximum(middles, low), high), half


def _common_areas(middles: Array, half: Array, covered: Array) -> Array:
    """Return the area that a box has in common with others (x, y, half width, half length), at each of its middles."""
    reach = half + covered[:, 2:] - np.abs(middles[:, None] - covered[:, :2])
    common: Array = np.maximum(reach, 0.0).prod(axis=-1).sum(axis=1)
    return common


def _draw_stamp(text: str, color: str | None, at: Point, ax: Axes) -> None:
    pixels = round(FONT_POINTS * ax.figure.dpi / _POINTS_AN_INCH)
    edge = player_rgb(color) if color else None
    ax.add_artist(Stamp(boxed(text, pixels, OPACITY, edge), at, (0.5, 0.5), _TEXT_Z))
