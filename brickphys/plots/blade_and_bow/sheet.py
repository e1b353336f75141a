"""Pictures of sheets: both sides of the counter of a kind of unit with its values, and cards of the deck."""

from collections.abc import Sequence
from math import ceil
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from brickphys.blade_and_bow.report.card_text import CardSheet
from brickphys.blade_and_bow.report.sheets import CounterSheet
from brickphys.blade_and_bow.sheets.cards import COLOURS
from brickphys.plots.blade_and_bow.counter import CounterPiece, draw_counter
from brickphys.plots.colors import rgb
from brickphys.text import spoken

_COLUMNS = 3
_WIDTH, _HEIGHT = 4.4, 2.6
"""Inches of a sheet."""
BOTH_SIDES_MM = 94.4, 17.0
"""Width and height of both sides of a counter on paper."""


def sheets_figure(sheets: Sequence[CounterSheet | CardSheet]) -> Figure:
    """Return a picture of sheets side by side."""
    columns = min(len(sheets), _COLUMNS)
    rows = ceil(len(sheets) / columns)
    canvas = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows), dpi=150, layout="constrained")
    for number, sheet in enumerate(sheets, start=1):
        ax = canvas.add_subplot(rows, columns, number)
        ax.set(xlim=(0, _WIDTH), ylim=(0, _HEIGHT), aspect="equal")
        ax.set_axis_off()
        if isinstance(sheet, CounterSheet):
            _draw_counter_sheet(sheet, ax)
        else:
            _draw_card(sheet, ax)
    return canvas


def draw_both_sides(sheet: CounterSheet, ax: Axes) -> None:
    """Draw both sides of a counter on axes of the size `BOTH_SIDES_MM`."""
    wide, high = BOTH_SIDES_MM
    ax.set(xlim=(0, wide / high), ylim=(0, 1.0))
    ax.set_axis_off()
    for x, disrupted in ((0.6, False), (3.2, True)):
        draw_counter(CounterPiece((x, 0.5), 2, sheet.counter, rgb("grey"), disrupted=disrupted), ax)
        words = "disrupted" if disrupted else "good order"
        ax.text(x + 0.7, 0.5, words, fontsize=5.5, va="center")


def _draw_counter_sheet(sheet: CounterSheet, ax: Axes) -> None:
    """Draw the counter of a kind of unit on both sides, and its values below."""
    ax.text(0.1, 2.45, spoken(sheet.name), fontsize=12, weight="bold", va="center")
    ax.text(0.1, 2.2, sheet.about, fontsize=8, va="center")
    for x, disrupted in ((2.75, False), (3.8, True)):
        piece = CounterPiece((x, 2.05), 2, sheet.counter, rgb("red"), disrupted=disrupted)
        draw_counter(piece, ax)
        ax.text(x, 1.45, "disrupted" if disrupted else "good order", fontsize=8, ha="center")
    for number, row in enumerate(sheet.rows()):
        for x, text in zip((0.1, 2.75, 3.8), row, strict=True):
            side = "left" if x < 1 else "center"
            ax.text(x, 1.15 - 0.24 * number, text, fontsize=7.5, ha=side, va="center")


def _draw_card(sheet: CardSheet, ax: Axes) -> None:
    """Draw a card as the book describes it: commitment above, the effect, command numbers below (BB 2.2)."""
    frame = FancyBboxPatch((1.2, 0.1), 2.0, 2.4, boxstyle="round,pad=0.02,rounding_size=0.12")
    frame.set(fc="#f7f2e2", ec="black", lw=1.2)
    ax.add_patch(frame)
    ax.text(1.35, 2.3, str(sheet.card.commitment), fontsize=13, weight="bold", va="center")
    ax.text(2.25, 2.05, spoken(sheet.name), fontsize=10, weight="bold", ha="center", va="center")
    ax.text(2.2, 1.35, fill(sheet.about, 24), fontsize=8, ha="center", va="center")
    for number, (colour, value) in enumerate(zip(COLOURS, sheet.card.command, strict=False)):
        x = 1.45 + 0.42 * number
        ax.add_patch(Rectangle((x, 0.25), 0.3, 0.3, fc=rgb(colour), ec="black", lw=0.8))
        ink = "black" if colour in ("white", "yellow") else "white"
        ax.text(x + 0.15, 0.4, str(value), fontsize=10, color=ink, ha="center", va="center")
