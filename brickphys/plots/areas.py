"""Areas of a field that have a name: a dashed frame, with the name in it or beside it."""

from collections.abc import Iterable
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from brickphys.plots.labels import Box, Label, point_length
from brickphys.rules.report.scenario import NamedArea

_POINTS = 9.0
"""Size of the letters of an area's name."""


def draw_areas(areas: Iterable[NamedArea], ax: Axes) -> tuple[list[Box], list[Label]]:
    """Frame areas and write their names into them.

    Returns the spaces of the names that are written, and the names that are larger than their areas, to be written
    beside them.
    """
    letter = _POINTS * point_length(ax)
    written, beside = list[Box](), list[Label]()
    for area in areas:
        x, y = area.x, area.y
        right, high = x + area.width, y + area.length
        outline = area.outline or ((x, y), (right, y), (right, high), (x, high))
        frame = Polygon(outline, fc=(1, 1, 1, 0.25), ec="white", lw=2.5, ls="--")
        frame.set_zorder(2.9)
        ax.add_patch(frame)
        columns = max(1, int(area.width / (0.7 * letter)))
        lines = fill(area.name, columns, break_long_words=False).split("\n")
        space = Box(
            area.x + area.width / 2, area.y + area.length / 2, area.width / 2, area.length / 2
        )
        name = Box(
            space.x, space.y, 0.35 * letter * max(map(len, lines)), 0.65 * letter * len(lines)
        )
        if name.half_width > space.half_width or name.half_length > space.half_length:
            beside.append(Label(area.name, space))
            continue
        written.append(name)
        ax.text(
            name.x,
            name.y,
            "\n".join(lines),
            ha="center",
            va="center",
            fontsize=_POINTS,
            fontstyle="italic",
            fontweight="bold",
            color="black",
            zorder=5.6,
        )
    return written, beside
