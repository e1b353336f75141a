"""Labels on a field: each beside the thing that it names, where it covers nothing and no other label."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from brickphys.geometry.polygon import Polygon
from brickphys.plots.glyphs import label as drawable

FONT_POINTS = 8.0
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

    def common_area(self, other: "Box") -> float:
        """Return the area that two boxes have in common."""
        wide = self.half_width + other.half_width - abs(self.x - other.x)
        long = self.half_length + other.half_length - abs(self.y - other.y)
        return max(0.0, wide) * max(0.0, long)


@dataclass(frozen=True)
class Label:
    """A name, and the space of the thing that it names."""

    text: str
    thing: Box


def draw_labels(labels: Sequence[Label], others: Sequence[Box], ax: Axes) -> None:
    """Write labels, each at the first place beside its thing where it covers nothing, or else the least.

    A line leads to a label that is not right beside its thing. No label should cover the things that are named and the
    spaces `others`. The limits of the axes are the field.
    """
    taken = [*others, *(label.thing for label in labels)]
    for label in labels:
        best, ring = _best_place(label, taken, ax)
        taken.append(best)
        _write(label, best, is_far=ring > 0, ax=ax)


def point_length(ax: Axes) -> float:
    """Return the length of a typographic point (1/72 inch) on the field."""
    ax.apply_aspect()
    ends = ax.transData.transform([(0.0, 0.0), (1.0, 0.0)])
    pixels, figure = float(ends[1, 0] - ends[0, 0]), ax.figure
    return figure.dpi / _POINTS_AN_INCH / pixels


def _best_place(label: Label, taken: Sequence[Box], ax: Axes) -> tuple[Box, int]:
    """Return the first place of a label that covers nothing, or else the one that covers least."""
    found = list[tuple[float, tuple[Box, int]]]()
    for place in _places(label, point_length(ax), ax):
        cost = _cost(place[0], taken)
        if not cost:
            return place
        found.append((cost, place))
    return min(found, key=lambda entry: entry[0])[1]


def _places(label: Label, point: float, ax: Axes) -> Iterator[tuple[Box, int]]:
    """Yield the places that a label can have, and how many lines each is from its thing."""
    thing, size = label.thing, FONT_POINTS * point
    half_width, half_length = len(label.text) * _LETTER * size / 2 + size * 0.3, _LINE * size / 2
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for ring in range(_RINGS):
        for aside, up in _SIDES:
            away = _GAP * size + ring * 2 * half_length
            x = thing.x + aside * (thing.half_width + half_width + away)
            y = thing.y + up * (thing.half_length + half_length + away)
            x = min(max(x, left + half_width), right - half_width)
            y = min(max(y, low + half_length), high - half_length)
            yield Box(x, y, half_width, half_length), ring


def _cost(place: Box, taken: Sequence[Box]) -> float:
    return sum(place.common_area(other) for other in taken)


def _write(label: Label, place: Box, *, is_far: bool, ax: Axes) -> None:
    if is_far:
        ends = (label.thing.x, place.x), (label.thing.y, place.y)
        ax.plot(*ends, color="black", lw=0.8, zorder=7.9)
    box = {"facecolor": "white", "alpha": 0.85, "lw": 0, "boxstyle": "round,pad=0.15"}
    ax.text(
        place.x,
        place.y,
        drawable(label.text),
        ha="center",
        va="center",
        fontsize=FONT_POINTS,
        bbox=box,
        zorder=8,
    )
