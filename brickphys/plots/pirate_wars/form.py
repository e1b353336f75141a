"""Form: a damage chart as the book's form: the lines of hull and sail with their speeds, hits crossed off."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from brickphys.geometry.polygon import Point
from brickphys.pirate_wars.report.sheets import crossed_lines
from brickphys.pirate_wars.sheets.damage_chart import (
    MOST_HULL,
    TOP_SAILS,
    Damage,
    DamageChart,
    Line,
)
from brickphys.plots.colors import array_of
from brickphys.plots.pirate_wars.ship import INK

_FILLS = {Line.SAIL: "white", Line.HULL: "tan"}
HIT_COLOR = "#b03a2e"
_CUT = "#b9bfc4"
_PRINTED = DamageChart(MOST_HULL, MOST_HULL - 1 + TOP_SAILS, 0)
"""The printed chart, of which every ship has some lines (PW Damage Chart)."""
_PAD = 0.05
"""How far a cross stays off the name of a line, over the size of its letters."""
_HEIGHT = 0.75
"""Of a box, over its width."""


def draw_printed_form(
    chart: DamageChart, damage: Damage, corner: Point, width: float, ax: Axes
) -> None:
    """Draw the printed chart, the lines that a ship does not have in grey, in a width; see `draw_form`."""
    (x, y), box = corner, width / len(_PRINTED.lines)
    above = TOP_SAILS - (chart.sails - chart.hull + 1)
    for number, line in enumerate(_PRINTED.lines):
        _draw_line(line, (x + number * box, y), box, 7.5, ax, fill="white", color=_CUT)
    draw_form(chart, damage, (x + above * box, y), box, 7.5, ax)


def draw_form(
    chart: DamageChart, damage: Damage, corner: Point, box: float, fontsize: float, ax: Axes
) -> None:
    """Draw a damage chart as a row of boxes, the topmost on the left, the speeds below; `fontsize` is in points."""
    (x, y), height, crossed = corner, _HEIGHT * box, crossed_lines(chart, damage)
    for number, (line, speed) in enumerate(zip(chart.lines, chart.speeds, strict=True)):
        left = x + number * box
        _draw_line(line, (left, y), box, fontsize, ax, fill=_FILLS[line], color=INK)
        if speed is not None:
            _write(left + box / 2, y - 1.5 * height, str(speed), fontsize, INK, ax)
        if number in crossed:
            across, down = (
                [left + 0.1 * box, left + 0.9 * box],
                [y - 0.1 * height, y - 0.9 * height],
            )
            cross: dict[str, Any] = {"color": HIT_COLOR, "lw": 1.6, "zorder": 7.05}
            ax.plot(across, down, **cross)
            ax.plot(across, down[::-1], **cross)


def _draw_line(
    line: Line, corner: Point, box: float, fontsize: float, ax: Axes, *, fill: str, color: str
) -> None:
    """Draw the box of a line."""
    (x, y), height = corner, _HEIGHT * box
    frame = Rectangle((x, y - height), box, height, fc=array_of(fill), ec=color, lw=0.8)
    frame.set_zorder(7)
    ax.add_patch(frame)
    name = _write(x + box / 2, y - height / 2, line.value, fontsize, color, ax)
    name.set_bbox({"fc": array_of(fill), "lw": 0, "pad": _PAD * fontsize})


def _write(x: float, y: float, text: str, fontsize: float, color: str, ax: Axes) -> Text:
    """Write a text about a point."""
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": color, "zorder": 7.1}
    return ax.text(x, y, text, fontsize=fontsize, **style)
