"""Pictures of opposed rolls."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.text import Text

from brickphys.odds.answer import Odds
from brickphys.odds.law import Law
from brickphys.odds.law_words import chance_words, stops
from brickphys.odds.table import success_table
from brickphys.plots.charts import BLUE, CHANCE_SHADES, PALE_BLUE, open_frame
from brickphys.plots.glyphs import heading
from brickphys.text import percent_range

_LEAST_TABLE = 12
"""Bricks: a full row of a description sheet."""


@dataclass(frozen=True)
class TableArtists:
    """What `draw_success_table` drew: the coloured cells, and the per cent in them, row by row from attack 1."""

    image: AxesImage
    figures: tuple[Text, ...]


def odds_figure(odds: Odds) -> Figure:
    """Return the success of all attacks against all defences by the law of these odds."""
    law, size = odds.law, max(_LEAST_TABLE, odds.attack, odds.defence)
    figure = Figure(figsize=(8, 7), layout="constrained")
    source = f"a brick stops {stops(law)} in {chance_words(law)},\nby {odds.law_name}"
    if isinstance(law, Law) and law.p_range90 is not None:
        source += f"\n90 % range for {law.range_meaning}: {percent_range(*law.p_range90)}"
    draw_success_table(success_table(size, size, law), figure.add_subplot(), source)
    return figure


def roll_figure(law: Law, bricks: int, rolled: int) -> Figure:
    """Return the chance of each score of a roll by a law; the score that was rolled stands out."""
    scores = law.roll(bricks)
    figure = Figure(figsize=(6.5, 4), dpi=120, layout="constrained")
    ax = figure.add_subplot()
    colours = [BLUE if score == rolled else PALE_BLUE for score in scores]
    ax.bar(list(scores), [100 * float(chance) for chance in scores.values()], color=colours)
    ax.set_xticks(list(scores))
    ax.set_xlabel(f"bricks {law.stops}, of {bricks}")
    ax.set_ylabel("chance (%)")
    ax.set_title(heading(f"{rolled} rolled; by a law of {law.shape} on {law.surface.description}"))
    open_frame(ax)
    return figure


def draw_success_table(table: Sequence[Sequence[Fraction]], ax: Axes, source: str) -> TableArtists:
    """Draw the chance of success of every attack against every defence as a heat map with figures.

    Parameters
    ----------
    table
        ``table[attack][defence]``, both from 0, as `brickphys.odds.table.success_table` gives it. The row of
        attack 0, which never succeeds, is not drawn.
    source
        Law, shape and chance of a side, for the title.
    """
    rows = [[float(chance) for chance in row] for row in table[1:]]
    right, top = len(rows[0]) - 0.5, len(rows) + 0.5
    image = ax.imshow(
        rows, cmap=CHANCE_SHADES, vmin=0, vmax=1, origin="lower", extent=(-0.5, right, 0.5, top)
    )
    size = max(5.0, min(10.0, 110.0 / max(len(rows), len(rows[0]))))
    figures = tuple(
        write_cell(ax, defence, attack, chance, size)
        for attack, row in enumerate(rows, start=1)
        for defence, chance in enumerate(row)
    )
    _label(ax, len(rows), len(rows[0]))
    ax.set_title(heading(f"Success of the attack (%)\n{source}"))
    return TableArtists(image, figures)


def write_cell(ax: Axes, x: float, y: float, chance: float, size: float) -> Text:
    """Write a chance in per cent into a cell of a heat map."""
    return ax.text(x, y, _per_cent(chance), ha="center", va="center", color="black", fontsize=size)


def _per_cent(chance: float) -> str:
    """Return whole per cents; a chance that is neither 0 nor 1 is never rounded to them."""
    if 0 < chance < 0.005:
        return "<1"
    if 0.995 <= chance < 1:
        return ">99"
    return f"{100 * chance:.0f}"


def _label(ax: Axes, attacks: int, defences: int) -> None:
    ax.set_xticks(range(defences))
    ax.set_yticks(range(1, attacks + 1))
    ax.set_xticks([d + 0.5 for d in range(defences - 1)], minor=True)
    ax.set_yticks([a + 0.5 for a in range(1, attacks)], minor=True)
    ax.grid(which="minor", color="white", linewidth=1.0)
    ax.tick_params(which="both", length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlabel("bricks of the defence")
    ax.set_ylabel("bricks of the attack")
