"""Odds card: the success of all usual attacks by one law, on a card for the table."""

import textwrap
from dataclasses import dataclass
from typing import Any

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from brickphys.odds.card import OddsCard
from brickphys.odds.law import Law
from brickphys.odds.opposed import Opposed
from brickphys.plots.colors import PALE_INK
from brickphys.plots.odds import ink_on
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
_MOST_LINES = 4
_ROOM_FOR_DAMAGE_MM = 9.0
"""Height of a cell from which the expected damage fits in, too."""
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
    layout = _LAYOUTS[paper]
    figure, ax = page(paper)
    width, height = ax.get_xlim()[1], ax.get_ylim()[1]
    title, _, small = layout.fonts
    centred = {"ha": "center"}
    heading = "Does the attack succeed?"
    write(width / 2, height - layout.title, heading, title, ax, weight="bold", **centred)
    unit = "chance (%)"
    if layout.cell[1] >= _ROOM_FOR_DAMAGE_MM:
        unit += "; below it the expected damage"
    write(width / 2, height - layout.subtitle, unit, small, ax, color=PALE_INK, **centred)
    _draw_heads(card, layout, height, ax)
    for row in card.rolls:
        for roll in row:
            _draw_cell(roll, layout, height, ax)
    bottom = height - layout.top - len(card.rolls) * layout.cell[1] - 0.6
    for number, line in enumerate(_small_print(card, layout.letters)):
        y = bottom - (number + 0.8) * _POINT_MM * small
        write(layout.left - 7.5, y, line, small, ax, color=PALE_INK)
    return figure


def _draw_heads(card: OddsCard, layout: _Layout, height: float, ax: Axes) -> None:
    """Write the numbers of bricks: of the defence over the columns, of the attack beside the rows."""
    (wide, high), (_, font, small) = layout.cell, layout.fonts
    top, line = height - layout.top, _POINT_MM * font
    across, down = len(card.rolls[0]) * wide, len(card.rolls) * high
    bold: dict[str, Any] = {"ha": "center", "weight": "bold"}
    for roll in card.rolls[0]:
        x = layout.left + (roll.defence + 0.5) * wide
        write(x, top + 0.5 * line, str(roll.defence), font, ax, **bold)
    middle = layout.left + across / 2
    write(middle, top + 1.25 * line, "bricks of the defence", small, ax, ha="center")
    for number, row in enumerate(card.rolls):
        y = top - (number + 0.5) * high
        write(layout.left - 2.4, y, str(row[0].attack), font, ax, **bold)
    left = layout.left - 6.2
    write(left, top - down / 2, "bricks of the attack", small, ax, ha="center", rotation=90)


def _draw_cell(roll: Opposed, layout: _Layout, height: float, ax: Axes) -> None:
    (wide, high), (_, font, small) = layout.cell, layout.fonts
    chance = float(roll.success)
    x, y = layout.left + roll.defence * wide, height - layout.top - roll.attack * high
    ax.add_patch(Rectangle((x, y), wide, high, fc=colormaps["Blues"](chance), ec="white", lw=0.8))
    ink = ink_on(chance)
    has_damage = high >= _ROOM_FOR_DAMAGE_MM
    middle = y + (0.62 if has_damage else 0.48) * high
    write(
        x + wide / 2, middle, percent(chance).removesuffix(" %"), font, ax, ha="center", color=ink
    )
    if has_damage:
        damage = f"{float(roll.expected_damage):.2f}"
        write(x + wide / 2, y + 0.22 * high, damage, small, ax, ha="center", color=ink)


def _small_print(card: OddsCard, letters: int) -> list[str]:
    """Return the lines about the law: its chance, its range, its name, and what the range does to the card."""
    law = card.law
    stops = law.stops if isinstance(law, Law) else "on a side"
    brick = f"A brick stops {stops} in {percent(float(law.p))}"
    if isinstance(law, Law) and law.p_range90 is not None:
        brick += f" (90 % range {percent_range(*law.p_range90)}: {law.range_meaning})"
    elif isinstance(law, Law):
        brick += " (90 % range not measured)"
    parts = [f"{brick}, by {card.law_name}."]
    if card.widest_range90 is not None:
        points = 100 * card.widest_range90
        parts.append(
            f"Over that range no chance here moves by more than {points:.1f} percentage points."
        )
    parts.append("The attack succeeds if more of its bricks score; a tie defends.")
    return textwrap.wrap(" ".join(parts), letters, max_lines=_MOST_LINES, placeholder=" ...")
