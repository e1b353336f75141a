"""Page: a figure in true size, whose unit is a millimetre."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from brickphys.plots.colors import INK, PALE_INK
from brickphys.plots.glyphs import label

INCH_MM = 25.4
PAPERS: Mapping[str, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a6": (105.0, 148.0),
    "index": (127.0, 76.2),
}
"""Width and height in mm by name; an index card is 5 x 3 in."""
RULER_MM = 100.0
RULER_ID = "ruler"
"""The name of the ruler's line in SVG files."""
_DOTS = "..."


def page(paper: str) -> tuple[Figure, Axes]:
    """Return a figure of the size of a paper, and axes over all of it in mm from its lower left corner."""
    width, height = PAPERS[paper]
    figure = Figure(figsize=(width / INCH_MM, height / INCH_MM), dpi=150)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set(xlim=(0.0, width), ylim=(0.0, height))
    ax.set_axis_off()
    return figure, ax


def inner_axes(
    corner: tuple[float, float], size: tuple[float, float], figure: Figure, ax: Axes
) -> Axes:
    """Return axes without a frame over a part of a page: its lower left corner and its size in mm."""
    wide, high = ax.get_xlim()[1], ax.get_ylim()[1]
    box = corner[0] / wide, corner[1] / high, size[0] / wide, size[1] / high
    inner = figure.add_axes(box)
    inner.set_axis_off()
    return inner


def write(x: float, y: float, text: str, points: float, ax: Axes, **style: Any) -> Text:
    """Write a line at a place in mm; by default to the right of it, on its height, in `INK`."""
    style = {"ha": "left", "va": "center", "color": INK, **style}
    return ax.text(x, y, label(text), fontsize=points, **style)


def write_within(
    x: float, y: float, text: str, room_mm: float, points: float, ax: Axes, **style: Any
) -> Text:
    """Write as `write` does as much of a text as the room holds, and three dots for the rest."""
    written, length = write(x, y, text, points, ax, **style), len(text)
    while length > 1 and (wide := width_mm(written)) > room_mm:
        length = max(1, min(length - 1, int(length * room_mm / wide) - 1))
        written.set_text(label(f"{text[:length].rstrip()}{_DOTS}"))
    return written


def width_mm(text: Text) -> float:
    """Return the width of a text on a page."""
    figure = text.get_figure()
    assert figure is not None
    return float(text.get_window_extent().width / figure.dpi * INCH_MM)


def draw_ruler(x: float, y: float, ax: Axes) -> None:
    """Draw a ruler of 100 mm from a point to the right, with a tick each 10 mm, to check the scale of a print."""
    (line,) = ax.plot([x, x + RULER_MM], [y, y], color=INK, lw=0.8, solid_capstyle="butt")
    line.set_gid(RULER_ID)
    for tick in range(11):
        high = 2.6 if tick % 5 == 0 else 1.6
        ax.plot([x + 10 * tick] * 2, [y, y + high], color=INK, lw=0.5, solid_capstyle="butt")
    for tick in (0, 5, 10):
        write(x + 10 * tick, y - 1.6, f"{10 * tick}", 5.5, ax, ha="center")
    write(x + 3, y - 1.6, "mm; print at 100 % (actual size)", 5.5, ax, color=PALE_INK)
    write(x + 54, y - 1.6, "check: this line is 100 mm long", 5.5, ax, color=PALE_INK)
