"""Pictures of sheets: a figure from above, and its bricks of attack and defence, row by row with their reasons."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from brickphys.minifig.report.sheets import FigureSheet
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, INCH_MM, charts
from brickphys.plots.colors import Color, rgb
from brickphys.plots.marks import draw_marks
from brickphys.plots.minifig.figure import FigurePiece, figure_pieces
from brickphys.plots.paper.page import write_within
from brickphys.text import counted, spoken
from brickphys.units import STUD_MM

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
_TRUE_WIDTH_MM, _FIGURE_MM, _NAME_MM = 94.4, 28.0, 3.2
"""On paper: the width, that of the figure, and the height of a line above bricks."""
_BRICK_MM = 2 * STUD_MM
_BRICKS_A_LINE = 4


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
                _draw_brick((x, low), _BRICK, color, ax, is_there=is_there)
            after = left + _BRICKS_LEFT + max(bricks, 2) * (_BRICK + 0.25) + _LETTER
            _write(after, low + _BRICK / 2, why, ax, color="black" if is_there else _PALE)


def true_size_mm(sheet: FigureSheet) -> tuple[float, float]:
    """Return width and height of `draw_true_size`."""
    lines = [_NAME_MM + -(-one.total // _BRICKS_A_LINE) * _BRICK_MM for one in sheet.sides.values()]
    return _TRUE_WIDTH_MM, max(sum(lines) + 1.0, sum(_reach_mm(sheet)))


def draw_true_size(sheet: FigureSheet, ax: Axes) -> None:
    """Draw a figure from above, its front at the top, and a place for each brick that it rolls, in true size."""
    wide, high = true_size_mm(sheet)
    ax.set(xlim=(0, wide), ylim=(0, high))
    ax.set_axis_off()
    ahead, behind = _reach_mm(sheet)
    inset = ax.inset_axes(
        (0, high - ahead - behind, _FIGURE_MM, ahead + behind), transform=ax.transData
    )
    inset.set(
        xlim=(-_FIGURE_MM / 2 / INCH_MM, _FIGURE_MM / 2 / INCH_MM),
        ylim=(-behind / INCH_MM, ahead / INCH_MM),
    )
    inset.set_axis_off()
    draw_marks(figure_pieces([_piece(sheet, 90.0)], []).marks, inset)
    base = Circle((0.0, 0.0), BASE_RADIUS_IN, fc="none", ec="black", lw=0.4)
    base.set_gid(f"footprint-{sheet.name}")
    inset.add_patch(base)
    top = high
    for side, one in sheet.sides.items():
        rows = ", ".join(f"{spoken(row)} {bricks}" for row, bricks in one.bricks.items())
        points = f" + {one.points} of experience" * (one.points > 0)
        text = f"{side}, {counted(one.total, 'brick')}{points}{f': {rows}' * bool(rows)}"
        write_within(_FIGURE_MM, top - _NAME_MM / 2, text, wide - _FIGURE_MM, 5.5, ax)
        top -= _NAME_MM
        for brick in range(one.total):
            line, column = divmod(brick, _BRICKS_A_LINE)
            at = _FIGURE_MM + column * _BRICK_MM, top - (line + 1) * _BRICK_MM
            _draw_brick(at, _BRICK_MM, rgb(_COLORS[side]), ax, is_there=False)
        top -= -(-one.total // _BRICKS_A_LINE) * _BRICK_MM


def _reach_mm(sheet: FigureSheet) -> tuple[float, float]:
    """Return how far the picture of a figure reaches ahead and behind."""
    if sheet.is_mounted:
        half = charts().things["horse"].size_mm[0] / 2 + 2.0
        return half, half
    return 20.0, 10.0


def _piece(sheet: FigureSheet, facing_deg: float) -> FigurePiece:
    """Return the figure from above."""
    horse = charts().things["horse"] if sheet.is_mounted else None
    figure = sheet.figure
    base = charts().colours[figure.experience]
    return FigurePiece((0.0, 0.0), facing_deg, figure.kind, figure.arms, base, "red", horse)


def _draw_portrait(sheet: FigureSheet, ax: Axes) -> None:
    """Draw the figure from above."""
    inset = ax.inset_axes(_PORTRAIT)
    half = _PORTRAIT_IN / 2
    _, _, width, height = _PORTRAIT
    high = half * height * _HEIGHT / (width * _WIDTH)
    inset.set(xlim=(-half, half), ylim=(-high, high), aspect="equal")
    inset.set_axis_off()
    draw_marks(figure_pieces([_piece(sheet, 0.0)], []).marks, inset)


def _draw_brick(
    corner: tuple[float, float], size: float, color: Color, ax: Axes, *, is_there: bool
) -> None:
    """Draw a 2x2 brick from above; one that only a place gives, or that is put there, as an outline."""
    x, y = corner
    style: dict[str, Any] = {"fc": color if is_there else "white", "ec": "black", "lw": 0.8}
    if not is_there:
        style |= {"ls": "--", "ec": _PALE}
    ax.add_patch(Rectangle((x, y), size, size, **style))
    for across in (0.27, 0.73):
        for up in (0.27, 0.73):
            at = x + across * size, y + up * size
            ax.add_patch(Circle(at, 0.17 * size, **style))


def _write(x: float, y: float, text: str, ax: Axes, **style: Any) -> None:
    ax.text(x, y, text, **{"va": "center", "fontsize": 9, **style})
