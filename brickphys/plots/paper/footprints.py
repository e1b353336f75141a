"""Footprints: the places of units on the table in true size, in parts where they are larger than the paper."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.plots.colors import INK, PALE_INK
from brickphys.plots.painter import Painter
from brickphys.plots.paper.page import inner_axes, write_within
from brickphys.rules.report.army import ArmyUnit

SMALL_MM = 10.0
"""A footprint up to this size is drawn on the card of its unit, a larger one by itself."""
MOST_PARTS = 24
_PLACE = "#f3f5f6"
_LETTER_MM, _SMALL_LETTER_MM = 1.5, 1.1
"""Widths of letters of names inside and below footprints, rather too large."""
_NAME_MM, _MOST_NAME_MM = 3.6, 90.0
_EDGE_MM = 4.0
"""From an edge of a large footprint to the middle of its name, which covers little there."""
_ENDS_MM = 10.0
"""What the name leaves free of the longer side: the arrow is there."""
_UP_DEG = 90.0
_TOLERANCE_MM = 1e-6
_CUT: dict[str, Any] = {"color": PALE_INK, "lw": 0.6, "ls": (0, (6, 3))}


@dataclass(frozen=True)
class FootprintPart:
    """A footprint, or one of the parts in which it is printed.

    Attributes
    ----------
    unit
        Whose it is.
    is_turned
        Whether its front is at the top, and not at the right.
    number, parts
        Which part it is, from the left and the top, and the number of parts along both sides.
    """

    unit: ArmyUnit
    is_turned: bool = False
    number: tuple[int, int] = (0, 0)
    parts: tuple[int, int] = (1, 1)

    @property
    def count(self) -> int:
        """How many parts there are."""
        return self.parts[0] * self.parts[1]

    @property
    def ordinal(self) -> int:
        """Which of them it is, from 1."""
        return self.number[1] * self.parts[0] + self.number[0] + 1

    @property
    def whole_mm(self) -> tuple[float, float]:
        """Width and height of the whole footprint on the paper."""
        assert self.unit.footprint is not None
        long, broad = self.unit.footprint.size_mm
        return (broad, long) if self.is_turned else (long, broad)

    @property
    def part_mm(self) -> tuple[float, float]:
        """Width and height of the part."""
        (wide, high), (columns, rows) = self.whole_mm, self.parts
        return wide / columns, high / rows

    @property
    def words(self) -> str:
        """Whose it is, its size, and which part of it this is."""
        assert self.unit.footprint is not None
        long, broad = self.unit.footprint.size_mm
        size = f"{round(long, 1):g} x {round(broad, 1):g} mm"
        of = f"; part {self.ordinal} of {self.count}, join the dashed lines" * (self.count > 1)
        return f"{self.unit.count:,} x {self.unit.words}: {size}{of}"

    @property
    def is_named_below(self) -> bool:
        """Whether its name is too long for it."""
        return len(self.words) * _LETTER_MM > max(self.part_mm) - _ENDS_MM

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the room that it needs on the paper."""
        wide, high = self.part_mm
        if self.is_named_below:
            name = min(len(self.words) * _SMALL_LETTER_MM, _MOST_NAME_MM)
            return max(wide, name), high + _NAME_MM
        return wide, high


def footprint_parts(unit: ArmyUnit, room: tuple[float, float]) -> Iterator[FootprintPart]:
    """Yield the footprint of a unit, in as few parts as fit into a room; nothing if a card shows it, or it has none.

    InvalidValueError tells if there are more than `MOST_PARTS`.
    """
    place = unit.footprint
    if place is None or place.is_on_sheet or max(place.size_mm) <= SMALL_MM:
        return
    ways = [
        FootprintPart(unit, is_turned, parts=_parts(place.size_mm, room, is_turned=is_turned))
        for is_turned in (False, True)
    ]
    best = min(ways, key=lambda way: way.count)
    if best.count > MOST_PARTS:
        raise InvalidValueError(
            f"{unit.name}: its footprint in true size has {best.count:,} parts, more than {MOST_PARTS}"
        )
    columns, rows = best.parts
    for row in range(rows):
        for column in range(columns):
            yield replace(best, number=(column, row))


def _parts(
    size_mm: tuple[float, float], room: tuple[float, float], *, is_turned: bool
) -> tuple[int, int]:
    """Return in how many parts a footprint is cut along the width and the height of the paper."""
    (long, broad), (wide, high) = size_mm, room
    across, along = (broad, long) if is_turned else (long, broad)
    columns, rows = (across - _TOLERANCE_MM) / wide, (along - _TOLERANCE_MM) / high
    return max(ceil(columns), 1), max(ceil(rows), 1)


def draw_footprint(
    part: FootprintPart,
    corner: tuple[float, float],
    painter: Painter[Any],
    figure: Figure,
    ax: Axes,
) -> None:
    """Draw a footprint or its part from the upper left corner of its room: outline, content, arrow ahead, name."""
    (wide, high), (whole_wide, whole_high) = part.part_mm, part.whole_mm
    x, top = corner[0] + (part.size[0] - wide) / 2, corner[1]
    column, row = part.number
    left, upper = column * wide - whole_wide / 2, whole_high / 2 - row * high
    inner, unit_mm = inner_axes((x, top - high), (wide, high), figure, ax), painter.unit_mm
    inner.set(xlim=(left / unit_mm, (left + wide) / unit_mm))
    inner.set(ylim=((upper - high) / unit_mm, upper / unit_mm))
    inner.set_zorder(-1)  # below the name
    heading_deg = _UP_DEG if part.is_turned else 0.0
    outline = place_patch(part.unit, (0.0, 0.0), 1 / unit_mm, heading_deg)
    outline.set_clip_on(part.count > 1)  # so that the line of a whole one is not cut at its edge
    inner.add_patch(outline)
    painter.draw_footprint(part.unit, heading_deg, inner)
    inner.add_patch(Polygon(_arrow(part.unit, 1 / unit_mm, heading_deg), fc=INK, lw=0, zorder=9))
    if part.count > 1:
        outline.set_gid(f"{outline.get_gid()}-{part.ordinal}")
        _draw_cuts(part, (x, top), ax)
    _write_name(part, (x, top), ax)


def _draw_cuts(part: FootprintPart, corner: tuple[float, float], ax: Axes) -> None:
    """Draw the edges at which a part is joined to others, given its upper left corner."""
    (x, top), (wide, high), (column, row) = corner, part.part_mm, part.number
    left, right, low = x, x + wide, top - high
    edges = {
        ((left, left), (low, top)): column > 0,
        ((right, right), (low, top)): column < part.parts[0] - 1,
        ((left, right), (top, top)): row > 0,
        ((left, right), (low, low)): row < part.parts[1] - 1,
    }
    for edge, is_cut in edges.items():
        if is_cut:
            ax.plot(*edge, **_CUT)


def place_patch(
    unit: ArmyUnit, at: tuple[float, float], scale: float, heading_deg: float = 0.0
) -> Polygon:
    """Return a footprint about a point, with a name in SVG files."""
    assert unit.footprint is not None
    corners = _placed(unit.footprint.corners_mm, at, scale, heading_deg)
    outline = Polygon(corners, fc=_PLACE, ec=INK, lw=0.6, zorder=0)
    outline.set_gid(f"footprint-{unit.name}")
    return outline


def _placed(
    points_mm: Iterable[Point], at: tuple[float, float], scale: float, heading_deg: float
) -> list[Point]:
    """Return points that are given ahead and to the left in mm, about a point, in another scale."""
    pose = Pose(*at, heading_deg)
    return [pose.on_field((scale * x, scale * y)) for x, y in points_mm]


def _arrow(unit: ArmyUnit, scale: float, heading_deg: float) -> list[Point]:
    """Return the corners of an arrowhead at the middle of the front."""
    assert unit.footprint is not None
    front = unit.footprint.size_mm[0] / 2
    length = min(4.0, front / 2)
    corners = ((front, 0.0), (front - length, 0.6 * length), (front - length, -0.6 * length))
    return _placed(corners, (0.0, 0.0), scale, heading_deg)


def _write_name(part: FootprintPart, corner: tuple[float, float], ax: Axes) -> None:
    """Write the words of a part: inside along its longer side, or below it."""
    (x, top), (wide, high) = corner, part.part_mm
    if part.is_named_below:
        middle, below = x + wide / 2, top - high - _NAME_MM / 2
        write_within(middle, below, part.words, part.size[0], 5.5, ax, ha="center")
        return
    is_upright = high > wide
    aside = min(min(wide, high) / 2, _EDGE_MM)
    at = (x + aside, top - high / 2) if is_upright else (x + wide / 2, top - high + aside)
    box = {"fc": _PLACE, "ec": "none", "pad": 1.0}
    style: dict[str, Any] = {"ha": "center", "rotation": 90 * is_upright, "bbox": box}
    write_within(*at, part.words, max(wide, high) - _ENDS_MM, 7, ax, **style)
