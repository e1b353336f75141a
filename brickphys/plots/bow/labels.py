"""Labels on a battlefield: each beside what it names, over nothing that is drawn there and over no other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from brickphys.plots.glyphs import label as drawable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONT_POINTS = 8.0
_POINTS_AN_INCH = 72.0
_LETTER = 0.62
"""Width of a letter, and"""
_LINE = 1.6
"""height of a line with its box, as shares of the size of the font."""
_GAP_STUDS = 0.15
_RINGS = 6
"""How many lines away a place is looked for."""
_SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Where beside a thing its label may be, the best first."""


@dataclass(frozen=True)
class Box:
    """A rectangle of the field, by its middle and half its size, in studs."""

    x: float
    y: float
    half_width: float
    half_length: float

    def common_studs2(self, other: "Box") -> float:
        """Return the area that two have in common."""
        wide = self.half_width + other.half_width - abs(self.x - other.x)
        long = self.half_length + other.half_length - abs(self.y - other.y)
        return max(0.0, wide) * max(0.0, long)


@dataclass(frozen=True)
class Label:
    """A name, and the space of what it names."""

    text: str
    thing: Box


def draw_labels(labels: Sequence[Label], others: Sequence[Box], ax: "Axes") -> None:
    """Write labels, each at the first place beside its thing where it covers nothing, or else the least.

    A line leads to a label that is not right beside its thing.

    Parameters
    ----------
    labels
        What is written.
    others
        What no label should cover, besides the things that are named.
    ax
        Where to; the field is its whole.
    """
    taken = [*others, *(label.thing for label in labels)]
    for label in labels:
        places = list(_places(label, studs_a_point(ax), ax))
        costs = [_cost(place, taken) for place, _ in places]
        best, ring = places[costs.index(min(costs))]
        taken.append(best)
        _write(label, best, is_far=ring > 0, ax=ax)


def studs_a_point(ax: "Axes") -> float:
    """Return how many studs of the field a point of the paper takes."""
    ax.apply_aspect()
    ends = ax.transData.transform([(0.0, 0.0), (1.0, 0.0)])
    pixels_a_stud, figure = float(ends[1, 0] - ends[0, 0]), ax.figure
    return figure.dpi / _POINTS_AN_INCH / pixels_a_stud


def _places(label: Label, point_studs: float, ax: "Axes") -> Iterator[tuple[Box, int]]:
    """Yield where a label can be, and how many lines from its thing."""
    thing, size = label.thing, FONT_POINTS * point_studs
    half_width, half_length = len(label.text) * _LETTER * size / 2 + size * 0.3, _LINE * size / 2
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for ring in range(_RINGS):
        for aside, up in _SIDES:
            away = _GAP_STUDS + ring * 2 * half_length
            x = thing.x + aside * (thing.half_width + half_width + away)
            y = thing.y + up * (thing.half_length + half_length + away)
            x = min(max(x, left + half_width), right - half_width)
            y = min(max(y, low + half_length), high - half_length)
            yield Box(x, y, half_width, half_length), ring


def _cost(place: Box, taken: Sequence[Box]) -> float:
    return sum(place.common_studs2(other) for other in taken)


def _write(label: Label, place: Box, *, is_far: bool, ax: "Axes") -> None:
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
