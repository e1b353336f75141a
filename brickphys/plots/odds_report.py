"""Pictures of the exact odds of a game's rolls."""

from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from brickphys.odds.distribution import Distribution
from brickphys.plots.charts import BLUE, VERMILION, open_frame
from brickphys.rules.report.odds_report import OddsReport

_ACROSS = 3
"""Panels side by side."""
_PANEL_INCHES = 3.6, 2.7


def odds_report_figure(report: OddsReport) -> Figure:
    """Draw the chance of each event as a bar, and each distribution in a panel of its own."""
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
    figure.suptitle(report.title, fontsize=11)
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
    ax.set_xlim(min(law) - 1.5, max(law) + 1.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    open_frame(ax)
    return bars
