"""Pictures of sheets: a figure from above, and its bricks of attack and defence, row by row with their reasons."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from brickphys.minifig.report.sheets import FigureSheet
from brickphys.minifig.sheets.charts import charts
from brickphys.plots.colors import Color, rgb
from brickphys.plots.marks import draw_marks
from brickphys.plots.minifig.figure import FigurePiece, figure_pieces
from brickphys.text import counted, spoken

SIZE_INCHES = (10.0, 5.2)
"""A size for the axes of a sheet."""
_WIDTH, _HEIGHT = 100.0, 52.0
_BRICK, _ROW = 2.6, 3.4
_COLUMNS = {"attack": 2.0, "defence": 54.0}
_COLORS = {"attack": "red", "defence": "blue"}
_TOP, _BRICKS_LEFT, _LETTER = 30.5, 10.5, 0.9
_PALE = "#5d666d"
_PORTRAIT = (0.02, 0.63, 0.45, 0.27)
"""Left, bottom, width and height of the figure from above, over those of the axes."""
_PORTRAIT_IN = 4.0
"""The width of the table that it shows."""


def draw_sheet(sheet: FigureSheet, ax: Axes) -> None:
    """Draw the sheet of a figure; `SIZE_INCHES` is a good size of axes."""
    ax.set(xlim=(0, _WIDTH), ylim=(0, _HEIGHT), aspect="equal")
    ax.set_axis_off()
    _write(_WIDTH / 2, _HEIGHT - 2.5, sheet.title, ax, ha="center", fontsize=14, weight="bold")
    _draw_portrait(sheet, ax)
    for number, (name, value) in enumerate(sheet.numbers()):
        _write(_COLUMNS["defence"], 45.0 - 2.6 * number, f"{name}: {value}", ax)
    for side, one in sheet.sides.items():
        left, color = _COLUMNS[side], rgb(_COLORS[side])
        title = f"{side.capitalize()}: {counted(one.total, 'brick')}"
        _write(left, _TOP, title, ax, fontsize=12, weight="bold")
        there, more = sheet.rows(side), sheet.more(side)
        for number, (row, bricks, why) in enumerate([*there, *more]):
            is_there = number < len(there)
            low = _TOP - 2.2 - _ROW * (number + 1)
            _write(left, low + _BRICK / 2, spoken(row), ax)
            for brick in range(bricks):
                x = left + _BRICKS_LEFT + brick * (_BRICK + 0.25)
                _draw_brick(x, low, color, is_there, ax)
            after = left + _BRICKS_LEFT + max(bricks, 2) * (_BRICK + 0.25) + _LETTER
            _write(after, low + _BRICK / 2, why, ax, color="black" if is_there else _PALE)


def _draw_portrait(sheet: FigureSheet, ax: Axes) -> None:
    """Draw the figure from above."""
    inset = ax.inset_axes(_PORTRAIT)
    half = _PORTRAIT_IN / 2
    _, _, width, height = _PORTRAIT
    high = half * height * _HEIGHT / (width * _WIDTH)
    inset.set(xlim=(-half, half), ylim=(-high, high), aspect="equal")
    inset.set_axis_off()
    horse = charts().things["horse"] if sheet.is_mounted else None
    figure = sheet.figure
    base = charts().colours[figure.experience]
    piece = FigurePiece((0.0, 0.0), 0.0, figure.kind, figure.arms, base, "red", horse)
    draw_marks(figure_pieces([piece], []).marks, inset)


def _draw_brick(x: float, y: float, color: Color, is_there: bool, ax: Axes) -> None:
    """Draw a 2x2 brick from above; one that only a place gives as an outline."""
    style: dict[str, Any] = {"fc": color if is_there else "white", "ec": "black", "lw": 0.8}
    if not is_there:
        style |= {"ls": "--", "ec": _PALE}
    ax.add_patch(Rectangle((x, y), _BRICK, _BRICK, **style))
    for across in (0.27, 0.73):
        for up in (0.27, 0.73):
            at = x + across * _BRICK, y + up * _BRICK
            ax.add_patch(Circle(at, 0.17 * _BRICK, **style))


def _write(x: float, y: float, text: str, ax: Axes, **style: Any) -> None:
    ax.text(x, y, text, **{"va": "center", "fontsize": 9, **style})
