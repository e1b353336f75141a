"""Pictures of the exact odds of a game's rolls."""

from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from brickphys.odds.distribution import Distribution
from brickphys.plots.charts import BLUE, CHANCE_SHADES, VERMILION, open_frame
from brickphys.plots.glyphs import heading
from brickphys.plots.odds import write_cell
from brickphys.rules.report.odds_report import OddsReport, OddsTable

_ACROSS = 3
"""Panels side by side."""
_PANEL_INCHES = 3.6, 2.7


def odds_report_figure(report: OddsReport) -> Figure:
    """Draw the chance of each event as a bar, and each distribution in a panel of its own; a table as a heat map."""
    if report.table is not None:
        return _table_figure(report.title, report.table)
    count = len(report.laws) + 1
    across = min(_ACROSS, count)
    down = -(-count // across)
    width, height = _PANEL_INCHES
    figure = Figure(figsize=(max(width * across, 6.0), height * down + 0.5), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel().tolist()
    _draw_chances(report, panels[0])
    for panel, (name, law) in zip(panels[1:], report.laws.items(), strict=False):
        draw_law(name, law, panel)
    for panel in panels[count:]:
        panel.remove()
    figure.suptitle(heading(report.title), fontsize=11, wrap=True)
    return figure


def _table_figure(title: str, table: OddsTable) -> Figure:
    """Draw the chance of each pair as a cell, in per cent."""
    size = (3.5 + 0.9 * len(table.columns), 2.0 + 0.4 * len(table.rows))
    figure = Figure(figsize=size, layout="constrained")
    ax = figure.add_subplot()
    chances = [[float(chance) for chance in row] for row in table.chances]
    ax.imshow(chances, cmap=CHANCE_SHADES, vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(chances):
        for x, chance in enumerate(row):
            write_cell(ax, x, y, chance, size=9.0)
    names = [name.replace(",", "\n") for name in table.columns]
    ax.set_xticks(range(len(names)), names, fontsize=8)
    ax.set_yticks(range(len(table.rows)), table.rows, fontsize=8)
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    figure.suptitle(f"{title} (%)", fontsize=11, wrap=True)
    return figure


def _draw_chances(report: OddsReport, ax: Axes) -> None:
    shares = [100 * float(chance) for chance in report.chances.values()]
    bars = ax.barh(range(len(shares)), shares, color=BLUE)
    ax.bar_label(bars, [f"{share:.1f}" for share in shares], padding=3, fontsize=8)
    ax.set_yticks(range(len(shares)), list(report.chances), fontsize=8)
    ax.invert_yaxis()
    ax.set_xlim(0, 118)
    ax.set_xticks([0, 50, 100])
    ax.set_xlabel("chance (%)")
    open_frame(ax)


def draw_law(name: str, law: Distribution, ax: Axes) -> BarContainer:
    """Draw the chance of every value of a number; the mean is marked."""
    bars = ax.bar(list(law), [100 * float(chance) for chance in law.values()], color=BLUE)
    mean = float(law.mean())
    ax.axvline(mean, color=VERMILION, linestyle="dotted")
    ax.set_title(f"{name}, mean {mean:.2f}", fontsize=9)
    ax.set_ylabel("chance (%)")
    ax.set_xlim(min(law) - 0.9, max(law) + 0.9)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    open_frame(ax)
    return bars
