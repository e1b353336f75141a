"""Pictures of attacks side by side: the chance of each event with its 90 % range, and the law of each number."""

from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from brickphys.odds.comparison import Comparison
from brickphys.plots.charts import COLOURS, YELLOW, open_frame
from brickphys.plots.glyphs import heading, label
from brickphys.text import cut, percent

_COLOURS = (*COLOURS, YELLOW, "#999999")
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
    panels = figure.subplots(down, across, squeeze=False).ravel().tolist()
    _draw_events(comparison, panels[0])
    for name, panel in zip(comparison.numbers, panels[1:], strict=False):
        _draw_number(comparison, name, panel)
    for panel in panels[count:]:
        panel.remove()
    by = f", by {comparison.law_name}" if comparison.law_name else ""
    figure.suptitle(heading(f"Attacks compared{by}"), fontsize=11, wrap=True)
    names = [
        Patch(fc=color, label=label(cut(f"{number}: {one.title}", _TITLE)))
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
    ax.set_yticks(range(len(names)), [label(name) for name in names], fontsize=8)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(0, 118)
    ax.set_xticks([0, 50, 100])
    ax.set_xlabel("chance (%)" + ("; line: its 90 % range" if comparison.moved[0] else ""))
    open_frame(ax)


def _draw_number(comparison: Comparison, name: str, ax: Axes) -> None:
    """Draw the distribution of a number in all attacks."""
    wide = _FILLED / len(comparison.attacks)
    for number, one in enumerate(comparison.attacks):
        law = one.numbers.get(name)
        if law is None:
            continue
        left = [value + (number + 0.5) * wide - _FILLED / 2 for value in law]
        shares = [100 * float(chance) for chance in law.values()]
        ax.bar(left, shares, wide, color=_COLOURS[number])
    ax.set_xlabel(label(name))
    ax.set_ylabel("chance (%)")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    open_frame(ax)
