"""Odds: the success of every attack against every defence, the scores of a roll, and the exact odds of a game's rolls.

Several attacks are compared side by side. Hits and knocked-over targets are drawn over the range.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from brickphys.odds.answer import Odds
from brickphys.odds.comparison import Comparison
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import Law
from brickphys.odds.law_choice import chance_words, stops
from brickphys.odds.opposed import success_table
from brickphys.plots import charts
from brickphys.projectiles.shot import PHASES, ShotLaw
from brickphys.rules.report.parts import OddsReport, OddsTable
from brickphys.text import cut, percent, percent_range

_LEAST_TABLE = 12
"""Bricks: a full row of a description sheet."""


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
    figure, ax = charts.one_chart(6.5, 4)
    colours = [charts.BLUE if score == rolled else charts.PALE_BLUE for score in scores]
    ax.bar(list(scores), [100 * float(chance) for chance in scores.values()], color=colours)
    ax.set(xticks=list(scores), xlabel=f"bricks {law.stops}, of {bricks}", ylabel="chance (%)")
    ax.set_title(
        charts.heading(f"{rolled} rolled; by a law of {law.shape} on {law.surface.description}")
    )
    charts.open_frame(ax)
    return figure


def draw_success_table(table: Sequence[Sequence[Fraction]], ax: Axes, source: str) -> None:
    """Draw the chance of success of every attack against every defence as a heat map with figures.

    The table is that of `brickphys.odds.opposed.success_table`. The row of attack 0, which never succeeds, is not
    drawn.
    """
    rows = [[float(chance) for chance in row] for row in table[1:]]
    right, top = len(rows[0]) - 0.5, len(rows) + 0.5
    ax.imshow(
        rows,
        cmap=charts.CHANCE_SHADES,
        vmin=0,
        vmax=1,
        origin="lower",
        extent=(-0.5, right, 0.5, top),
    )
    size = max(5.0, min(10.0, 110.0 / max(len(rows), len(rows[0]))))
    _write_cells(rows, 1, size, ax)
    _label(ax, len(rows), len(rows[0]))
    ax.set_title(charts.heading(f"Success of the attack (%)\n{source}"))


def _write_cells(rows: Sequence[Sequence[float]], first: int, size: float, ax: Axes) -> None:
    """Write chances in per cent into the cells of a heat map, whose first row has a number."""
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": "black", "fontsize": size}
    for y, row in enumerate(rows, start=first):
        for x, chance in enumerate(row):
            ax.text(x, y, _per_cent(chance), **style)


def _per_cent(chance: float) -> str:
    """Return whole per cents; a chance that is neither 0 nor 1 is never rounded to them."""
    if 0 < chance < 0.005:
        return "<1"
    if 0.995 <= chance < 1:
        return ">99"
    return f"{100 * chance:.0f}"


def _label(ax: Axes, attacks: int, defences: int) -> None:
    ax.set(xticks=range(defences), yticks=range(1, attacks + 1))
    ax.set_xticks([d + 0.5 for d in range(defences - 1)], minor=True)
    ax.set_yticks([a + 0.5 for a in range(1, attacks)], minor=True)
    ax.grid(which="minor", color="white", linewidth=1.0)
    ax.tick_params(which="both", length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="bricks of the defence", ylabel="bricks of the attack")


_ROLLS_ACROSS = 3
"""Panels side by side."""
_ROLL_INCHES = 3.6, 2.7


def odds_report_figure(report: OddsReport) -> Figure:
    """Draw the chance of each event as a bar, and each distribution in a panel of its own; a table as a heat map."""
    if report.table is not None:
        return _table_figure(report.title, report.table)
    count = len(report.laws) + 1
    across = min(_ROLLS_ACROSS, count)
    down = -(-count // across)
    width, height = _ROLL_INCHES
    figure = Figure(figsize=(max(width * across, 6.0), height * down + 0.5), layout="constrained")
    first, *others = charts.panels(figure, count, across)
    _draw_chances(report, first)
    for panel, (name, law) in zip(others, report.laws.items(), strict=True):
        draw_law(name, law, panel)
    figure.suptitle(charts.heading(report.title), fontsize=11, wrap=True)
    return figure


def _table_figure(title: str, table: OddsTable) -> Figure:
    size = (3.5 + 0.9 * len(table.columns), 2.0 + 0.4 * len(table.rows))
    figure = Figure(figsize=size, layout="constrained")
    ax = figure.add_subplot()
    chances = [[float(chance) for chance in row] for row in table.chances]
    ax.imshow(chances, cmap=charts.CHANCE_SHADES, vmin=0, vmax=1, aspect="auto")
    _write_cells(chances, 0, 9.0, ax)
    names = [name.replace(",", "\n") for name in table.columns]
    ax.set_xticks(range(len(names)), names, fontsize=8)
    ax.set_yticks(range(len(table.rows)), table.rows, fontsize=8)
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    figure.suptitle(f"{title} (%)", fontsize=11, wrap=True)
    return figure


def _draw_chances(report: OddsReport, ax: Axes) -> None:
    shares = [100 * float(chance) for chance in report.chances.values()]
    bars = ax.barh(range(len(shares)), shares, color=charts.BLUE)
    ax.bar_label(bars, [f"{share:.1f}" for share in shares], padding=3, fontsize=8)
    ax.set_yticks(range(len(shares)), list(report.chances), fontsize=8)
    ax.invert_yaxis()
    ax.set(xlim=(0, 118), xticks=[0, 50, 100], xlabel="chance (%)")
    charts.open_frame(ax)


def draw_law(name: str, law: Distribution, ax: Axes) -> None:
    """Draw the chance of every value of a number; the mean is marked."""
    ax.bar(list(law), [100 * float(chance) for chance in law.values()], color=charts.BLUE)
    mean = float(law.mean())
    ax.axvline(mean, color=charts.VERMILION, linestyle="dotted")
    ax.set_title(f"{name}, mean {mean:.2f}", fontsize=9)
    ax.set(ylabel="chance (%)", xlim=(min(law) - 0.9, max(law) + 0.9))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    charts.open_frame(ax)


_COLOURS = (*charts.COLOURS, charts.YELLOW, "#999999")
_ACROSS = 3
_PANEL_INCHES = 4.2, 3.0
_TITLE = 90
"""Letters of the title of an attack in the legend."""
_FILLED = 0.8
"""Share of the axis between two values that the bars of one take."""


def comparison_figure(comparison: Comparison) -> Figure:
    """Draw the chances of the events of several attacks, and each distribution in a panel of its own."""
    count = 1 + len(comparison.numbers)
    across = min(count, _ACROSS)
    down = ceil(count / across)
    width, height = _PANEL_INCHES
    lines = len(comparison.attacks) + 1
    size = max(width * across, 7.0), height * down + 0.25 * lines + 0.4
    figure = Figure(figsize=size, dpi=120, layout="constrained")
    first, *others = charts.panels(figure, count, across)
    _draw_events(comparison, first)
    for name, panel in zip(comparison.numbers, others, strict=True):
        _draw_number(comparison, name, panel)
    by = f", by {comparison.law_name}" if comparison.law_name else ""
    figure.suptitle(charts.heading(f"Attacks compared{by}"), fontsize=11, wrap=True)
    names = [
        Patch(fc=color, label=charts.label(cut(f"{number}: {one.title}", _TITLE)))
        for number, (color, one) in enumerate(zip(_COLOURS, comparison.attacks, strict=False), 1)
    ]
    figure.legend(handles=names, loc="outside lower center", fontsize=8, frameon=False)
    return figure


def _draw_events(comparison: Comparison, ax: Axes) -> None:
    """Draw a bar for each event of each attack, with its 90 % range as a line."""
    names = [name for name in comparison.quantities if comparison.is_event(name)]
    thick = _FILLED / len(comparison.attacks)
    for number, one in enumerate(comparison.attacks):
        for row, name in enumerate(names):
            if name not in one.events:
                continue
            y = row + (number + 0.5) * thick - _FILLED / 2
            chance = float(one.events[name])
            ax.barh(y, 100 * chance, thick, color=_COLOURS[number])
            ends = comparison.range90(name, number) or (chance, chance)
            ax.plot([100 * end for end in ends], [y, y], color="black", lw=1.2)
            ax.text(100 * ends[1] + 1.5, y, percent(chance), va="center", fontsize=7.5)
    ax.set_yticks(range(len(names)), [charts.label(name) for name in names], fontsize=8)
    ax.set(xlim=(0, 118), ylim=(len(names) - 0.5, -0.5), xticks=[0, 50, 100])
    ax.set_xlabel("chance (%)" + ("; line: its 90 % range" if comparison.moved[0] else ""))
    charts.open_frame(ax)


def _draw_number(comparison: Comparison, name: str, ax: Axes) -> None:
    wide = _FILLED / len(comparison.attacks)
    for number, one in enumerate(comparison.attacks):
        law = one.numbers.get(name)
        if law is None:
            continue
        left = [value + (number + 0.5) * wide - _FILLED / 2 for value in law]
        shares = [100 * float(chance) for chance in law.values()]
        ax.bar(left, shares, wide, color=_COLOURS[number])
    ax.set(xlabel=charts.label(name), ylabel="chance (%)")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    charts.open_frame(ax)


def draw_shots(laws: Sequence[tuple[float, ShotLaw]], marked_in: float, ax: Axes) -> None:
    """Draw the shares of hits by phase, stacked, and the share of knocked-over targets with its interval.

    `laws` has ranges in inches, increasing, with the law of a shot at one target there.
    """
    ranges = [inches for inches, _ in laws]
    shares = 100 * np.array([law.aim.by_phase[0] for _, law in laws]).T
    ax.stackplot(
        ranges,
        shares,
        colors=(charts.BLUE, charts.PALE_BLUE, charts.GREEN),
        labels=[f"hit, {how}" for how in PHASES],
    )
    knocked = [law.knocked_by(0) for _, law in laws]
    share, low, high = (
        100 * np.array([getattr(one, end) for one in knocked]) for end in ("share", "low", "high")
    )
    ax.plot(ranges, share, color=charts.VERMILION, label="knocked over, 95 % interval")
    ax.fill_between(ranges, low, high, color=charts.VERMILION, alpha=0.4, linewidth=0)
    ax.axvline(marked_in, color="black", linewidth=1, linestyle=":")
    ax.set(xlabel="range (in)", ylabel="chance (%)", xlim=(0, ranges[-1]), ylim=(0, 100))
    ax.legend(frameon=False)
    charts.open_frame(ax)
