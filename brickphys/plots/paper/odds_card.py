"""Odds card: the chances of all usual attacks by one law, on a card for the table."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from brickphys.odds.card import MOST_ATTACK, MOST_DEFENCE, OddsCard
from brickphys.odds.law import Law
from brickphys.odds.law_words import chance_words, stops
from brickphys.plots.charts import CHANCE_SHADES
from brickphys.plots.colors import PALE_INK
from brickphys.plots.paper.page import page, write
from brickphys.text import percent, percent_range


@dataclass(frozen=True)
class _Layout:
    """Where things are on a card: lengths in mm from its upper left corner, fonts in points.

    Attributes
    ----------
    left, top
        The upper left corner of the cells.
    cell
        Width and height of a cell.
    title, subtitle
        Heights of both.
    fonts
        Sizes of title, chances and small print.
    letters
        Letters in a line of small print.
    """

    left: float
    top: float
    cell: tuple[float, float]
    title: float
    subtitle: float
    fonts: tuple[float, float, float]
    letters: int


_LAYOUTS = {
    "a6": _Layout(12.5, 25.5, (12.5, 12.2), 6.0, 12.0, (12.0, 10.0, 6.5), 76),
    "index": _Layout(14.0, 15.5, (15.4, 6.0), 4.2, 8.0, (9.5, 8.5, 5.5), 108),
}
_MOST_LINES = 6
_ROOM_FOR_MEAN_MM = 9.0
"""Height of a cell from which its second number fits in, too."""
_SIDE_MM = 5.0
"""Left of all texts."""
_NAME_MM = 6.0
"""What names beside the rows need more than numbers."""
_POINT_MM = 0.42
"""Distance of two lines over the size of their font."""


def odds_card_figure(card: OddsCard, paper: str = "a6") -> Figure:
    """Return a card in true size.

    Parameters
    ----------
    card
        What is on it.
    paper
        ``a6`` or ``index``.
    """
    layout = _fitted(_LAYOUTS[paper], card)
    figure, ax = page(paper)
    width, height = ax.get_xlim()[1], ax.get_ylim()[1]
    title, _, small = layout.fonts
    centred = {"ha": "center"}
    write(width / 2, height - layout.title, card.words.heading, title, ax, weight="bold", **centred)
    unit = "chance (%)"
    if _has_means(card, layout):
        unit += f"; below it, the {card.words.mean}"
    write(width / 2, height - layout.subtitle, unit, small, ax, color=PALE_INK, **centred)
    _draw_heads(card, layout, height, ax)
    means = (
        card.means
        if _has_means(card, layout)
        else [[None] * len(card.defences)] * len(card.attacks)
    )
    for row, chances in enumerate(card.chances):
        for column, chance in enumerate(chances):
            _draw_cell((column, row), (chance, means[row][column]), layout, height, ax)
    bottom = height - layout.top - len(card.attacks) * layout.cell[1] - 0.6
    for number, line in enumerate(_small_print(card, layout.letters)):
        y = bottom - (number + 0.8) * _POINT_MM * small
        write(_SIDE_MM, y, line, small, ax, color=PALE_INK)
    return figure


def _fitted(layout: _Layout, card: OddsCard) -> _Layout:
    """Return a layout whose cells share the room of the usual ones, with room for names beside the rows."""
    (wide, high), usual = layout.cell, (MOST_DEFENCE + 1, MOST_ATTACK)
    more = _NAME_MM * any(isinstance(name, str) for name in card.attacks)
    cell = (usual[0] * wide - more) / len(card.defences), usual[1] * high / len(card.attacks)
    return replace(layout, left=layout.left + more, cell=cell)


def _has_means(card: OddsCard, layout: _Layout) -> bool:
    return bool(card.means) and layout.cell[1] >= _ROOM_FOR_MEAN_MM


def _draw_heads(card: OddsCard, layout: _Layout, height: float, ax: Axes) -> None:
    """Write the names of the columns over them, and of the rows beside them."""
    (wide, high), (_, font, small) = layout.cell, layout.fonts
    top, line = height - layout.top, _POINT_MM * font
    across, down = len(card.defences) * wide, len(card.attacks) * high
    for column, name in enumerate(card.defences):
        x = layout.left + (column + 0.5) * wide
        write(x, top + 0.5 * line, str(name), font, ax, ha="center", weight="bold")
    middle = layout.left + across / 2
    write(middle, top + 1.25 * line, card.words.defences, small, ax, ha="center")
    for row, name in enumerate(card.attacks):
        points = small if isinstance(name, str) else font
        y = top - (row + 0.5) * high
        write(layout.left - 1.5, y, str(name), points, ax, ha="right", weight="bold")
    beside = _SIDE_MM + 1.3
    write(beside, top - down / 2, card.words.attacks, small, ax, ha="center", rotation=90)


def _draw_cell(
    place: tuple[int, int],
    numbers: tuple[Fraction, Fraction | None],
    layout: _Layout,
    height: float,
    ax: Axes,
) -> None:
    """Draw a cell, given its column and row, its chance and its second number."""
    (wide, high), (_, font, small) = layout.cell, layout.fonts
    chance, mean = float(numbers[0]), numbers[1]
    x, y = layout.left + place[0] * wide, height - layout.top - (place[1] + 1) * high
    ax.add_patch(Rectangle((x, y), wide, high, fc=CHANCE_SHADES(chance), ec="white", lw=0.8))
    style: dict[str, Any] = {"ha": "center", "color": "black"}
    middle = y + (0.48 if mean is None else 0.62) * high
    write(x + wide / 2, middle, percent(chance).removesuffix(" %"), font, ax, **style)
    if mean is not None:
        write(x + wide / 2, y + 0.22 * high, f"{float(mean):.2f}", small, ax, **style)


def _small_print(card: OddsCard, letters: int) -> list[str]:
    """Return the lines about the law, what its range does to the card, and the remarks."""
    text = " ".join([*_law_sentences(card), *card.words.remarks])
    return textwrap.wrap(text, letters, max_lines=_MOST_LINES, placeholder=" ...")


def _law_sentences(card: OddsCard) -> Iterator[str]:
    law = card.law
    if law is None:
        return
    known = []
    if isinstance(law, Law):
        known = ["90 % range not measured"]
        if law.p_range90 is not None:
            known = [f"90 % range {percent_range(*law.p_range90)}: {law.range_meaning}"]
    yield f"A brick stops {stops(law)} in {chance_words(law, *known)}, by {card.law_name}."
    if card.widest_range90 is not None:
        points = 100 * card.widest_range90
        yield f"Over that range, no chance on this card changes by more than {points:.1f} percentage points."
    yield from card.notes
