"""A description sheet of BOW as a plate with studs."""

from textwrap import fill
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Patch, Polygon, Rectangle

from brickphys.bow.sheets.plate import Panel, Plate, PlateStud, StudForm
from brickphys.bow.sheets.sheet import HealthColour, StudBlock
from brickphys.plots.charts import heading
from brickphys.plots.colors import INK, PALE_INK
from brickphys.shapes.piece import PALETTE
from brickphys.text import cut
from brickphys.units import STUD_MM

_BARE = "pale_grey"
_MARK = "orange"
_STUD_RADIUS = 0.3
_MARGIN_STUDS = 3.9
_WRAP = 74
_RIM_STUDS = 0.06
_TRUE_MARGIN_STUDS, _TRUE_EDGE_STUDS = 2.9, 0.15
"""Margin beside and above a plate in true size, for its labels and its shadow."""
_TRUE_FONTS = 6.0, 5.0
_LONGEST_LABEL = 16
SIZE_INCHES = (5.4, 4.4)
"""A size for the axes of one sheet of 8 rows."""


def draw_sheet(plate: Plate, name: str, subtitle: str, footer: str, ax: Axes) -> None:
    """Draw a sheet as a plate seen from above.

    Name and subtitle are written above it, the footer (gear or seats) below it. `SIZE_INCHES` is a good size of axes.
    """
    rows, columns = len(plate.rows), len(plate.rows[0])
    ax.set_axis_off()
    ax.set(xlim=(-_MARGIN_STUDS, columns + _MARGIN_STUDS), ylim=(rows + 1.2, -1.9), aspect="equal")
    _draw_plate(plate, _RIM_STUDS, (10.0, 7.5), ax)
    _write_line(columns / 2, -1.45, name, ax, fontsize=15, color=INK, weight="bold")
    _write_line(columns / 2, -0.6, subtitle, ax)
    _write_line(columns / 2, rows + 0.65, footer, ax)


def true_plate_size_mm(plate: Plate) -> tuple[float, float]:
    """Return width and height of `draw_true_plate`: the plate, a stud being 8 mm, with its labels beside it."""
    rows, columns = len(plate.rows), len(plate.rows[0])
    return (columns + 2 * _TRUE_MARGIN_STUDS) * STUD_MM, (rows + 2 * _TRUE_EDGE_STUDS) * STUD_MM


def draw_true_plate(plate: Plate, ax: Axes) -> Patch:
    """Draw a sheet in true size on axes of the size of `true_plate_size_mm`; return the plate under its studs."""
    rows, columns = len(plate.rows), len(plate.rows[0])
    ax.set_axis_off()
    ax.set(
        xlim=(-_TRUE_MARGIN_STUDS, columns + _TRUE_MARGIN_STUDS),
        ylim=(rows + _TRUE_EDGE_STUDS, -_TRUE_EDGE_STUDS),
    )
    return _draw_plate(plate, 0.0, _TRUE_FONTS, ax)


def _draw_plate(plate: Plate, rim: float, fonts: tuple[float, float], ax: Axes) -> Patch:
    """Draw the plate, a stud a unit, with a rim around it and labels in two sizes beside it."""
    rows, columns = len(plate.rows), len(plate.rows[0])
    board = _draw_board(columns, rows, rim, ax)
    for row, cells in enumerate(plate.rows):
        for column, cell in enumerate(cells):
            _draw_cell(column, row, cell, ax)
    if plate.clone:
        _draw_figure(plate.clone, plate.colour, ax)
    for panel in plate.panels:
        _draw_borders(panel, ax)
        _write(panel, columns, fonts, ax)
    return board


def _write_line(x: float, y: float, text: str, ax: Axes, **style: Any) -> None:
    style = {"fontsize": 8.5, "color": PALE_INK, "linespacing": 1.05, **style}
    ax.text(x, y, heading(fill(text, _WRAP)), ha="center", va="center", **style)


def _rgb(colour: str, shade: float = 1.0) -> tuple[float, float, float]:
    """Return a colour, darker below a shade of 1, lighter above it."""
    red, green, blue = (value / 255 for value in PALETTE[colour])
    if shade <= 1:
        return red * shade, green * shade, blue * shade
    white = shade - 1
    return red + (1 - red) * white, green + (1 - green) * white, blue + (1 - blue) * white


def _draw_board(columns: int, rows: int, rim: float, ax: Axes) -> Patch:
    """Draw the bare plate over its shadow, and return it."""
    form = f"round,pad={rim},rounding_size=0.12"
    for at, color, edge in ((0.09, "#c9ced2", "none"), (0.0, _rgb(_BARE), _rgb(_BARE, 0.75))):
        board = FancyBboxPatch((at, at), columns, rows, boxstyle=form, fc=color, ec=edge, lw=1.0)
        board.set_zorder(0)
        ax.add_patch(board)
    return board


def _draw_cell(column: int, row: int, cell: PlateStud, ax: Axes) -> None:
    middle = (column + 0.5, row + 0.5)
    covered = cell.form is not StudForm.BARE and cell.colour is not None
    colour = cell.colour if covered and cell.colour else _BARE
    if covered:
        style: dict[str, Any] = {"fc": _rgb(colour), "ec": _edge(colour), "lw": 0.9, "zorder": 1}
        ax.add_patch(Rectangle((column + 0.03, row + 0.03), 0.94, 0.94, **style))
    if cell.form is StudForm.TILE:
        bevel: dict[str, Any] = {"fc": _rgb(colour, 1.22), "ec": _rgb(colour, 0.85), "lw": 0.7}
        ax.add_patch(Rectangle((column + 0.13, row + 0.13), 0.74, 0.74, zorder=2, **bevel))
    else:
        _draw_stud(middle, _STUD_RADIUS, colour, ax)
    if cell.rounded and cell.colour:
        _draw_stud(middle, 0.44, cell.colour, ax)
        _draw_stud(middle, _STUD_RADIUS * 0.8, cell.colour, ax)
    if cell.marked:
        _draw_stud(middle, 0.4, _MARK, ax)
        _draw_stud(middle, _STUD_RADIUS * 0.8, _MARK, ax)


def _edge(colour: str) -> tuple[float, float, float]:
    """Return the colour of an edge on a colour: lighter on black, darker on the others."""
    return _rgb(colour, 1.35) if max(PALETTE[colour]) < 60 else _rgb(colour, 0.72)


def _draw_stud(middle: tuple[float, float], radius: float, colour: str, ax: Axes) -> None:
    x, y = middle
    is_bare = colour == _BARE
    shadow = _rgb(colour, 0.86 if is_bare else 0.6)
    ax.add_patch(Circle((x + 0.04, y + 0.05), radius, facecolor=shadow, zorder=2))
    fill, edge = _rgb(colour, 1.06 if is_bare else 1.14), _edge(colour)
    edge = _rgb(colour, 0.86) if is_bare else edge
    ax.add_patch(Circle((x, y), radius, fc=fill, ec=edge, lw=0.7, zorder=3))


def _draw_figure(block: StudBlock, colour: HealthColour, ax: Axes) -> None:
    """Draw a figure from the front, lying on its block: a person, or a machine in greys."""
    is_machine = colour is HealthColour.YELLOW
    skin, shirt, trousers = (
        ("grey", "tan", "dark_grey") if is_machine else ("yellow", "red", "blue")
    )
    x, y = block.column + block.columns / 2, block.row + 0.07
    for side in (-1, 1):
        arm = [(0.32, 0.66), (0.5, 0.74), (0.62, 1.2), (0.44, 1.22)]
        _draw_part([(x + side * across, y + down) for across, down in arm], shirt, 4, ax)
        _draw_part(_box(x + side * 0.54, y + 1.2, 0.18, 0.18), skin, 4, ax)
        _draw_part(_box(x + side * 0.21, y + 1.27, 0.38, 0.58), trousers, 5, ax)
    torso = [(-0.3, 0.62), (0.3, 0.62), (0.42, 1.25), (-0.42, 1.25)]
    _draw_part([(x + across, y + down) for across, down in torso], shirt, 5, ax)
    _draw_part(_box(x, y, 0.26, 0.14), skin, 5, ax)
    _draw_part(_box(x, y + 0.1, 0.54, 0.5), skin, 5, ax)
    ax.plot([x - 0.1, x + 0.1], [y + 0.28, y + 0.28], ".", color=INK, markersize=3, zorder=6)
    ax.plot([x - 0.1, x + 0.1], [y + 0.45, y + 0.45], color=INK, linewidth=1.0, zorder=6)


def _box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """Return a box with cut corners below a middle of its upper edge."""
    cut, half = 0.2 * min(width, height), width / 2
    right = [(x + half - cut, y), (x + half, y + cut), (x + half, y + height - cut)]
    right.append((x + half - cut, y + height))
    return right + [(2 * x - across, down) for across, down in reversed(right)]


def _draw_part(corners: list[tuple[float, float]], colour: str, zorder: float, ax: Axes) -> None:
    part = Polygon(corners, facecolor=_rgb(colour), edgecolor=INK, linewidth=0.7, zorder=zorder)
    ax.add_patch(part)


def _draw_borders(panel: Panel, ax: Axes) -> None:
    """Draw the border of a block, in a grey that is seen beside dark and white studs."""
    block = panel.block
    corner, color = (block.column, block.row), _rgb(_BARE, 0.8)
    ax.add_patch(
        Rectangle(corner, block.columns, block.rows, fill=False, ec=color, lw=2.6, zorder=3.5)
    )


def _write(panel: Panel, columns: int, fonts: tuple[float, float], ax: Axes) -> None:
    """Write the label of a block, its points and their note on its side of the plate."""
    block = panel.block
    long = len(block.label) > _LONGEST_LABEL
    label = cut(block.label, _LONGEST_LABEL - 3) if long else block.label
    on_left = block.column == 0
    x, align = (-0.35, "right") if on_left else (columns + 0.35, "left")
    y = block.row + block.rows / 2
    points: dict[str, Any] = {"va": "center", "fontsize": fonts[0], "color": INK}
    ax.text(x, y - 0.28, f"{label}  {panel.points}", ha=align, **points)
    note: dict[str, Any] = {"va": "top", "fontsize": fonts[1], "color": PALE_INK}
    ax.text(x, y + 0.05, panel.note.replace(", ", "\n"), ha=align, **note)
