"""Batch: the results of a study; the worth of units beside their prices; and the ranks of armies that met in pairs."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from math import ceil, isfinite
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import PercentFormatter

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.report.plot_data import PlotData, PlotLine, PlotType, plots_of_report
from brickphys.batch.report.table import decimals, summaries
from brickphys.batch.results import Study
from brickphys.batch.unit_values import Rank, UnitValues
from brickphys.plots.charts import BLUE, COLOURS, draw_intervals, label, one_chart, open_frame
from brickphys.plots.colors import INK, player_rgb
from brickphys.text import spoken
from brickphys.units import Array

_BAND_ALPHA = 0.2
_FEW = 3
"""The most bands that are drawn at full strength over each other; more are paler."""
_AXIS_LETTERS, _LEAST_LETTERS = 70, 8
"""Letters that fit below an axis, and in each of its labels."""
_DODGE = 0.6
"""Share of the distance between two places that the dots of several lines take."""
_MAP_LETTERS, _MAP_ROWS = 105, 12
"""Letters of intervals that fit in a row of a heat map, and rows that fit."""
_MAP_LABELS = 30
"""Rows or columns of a heat map beyond which no numbers are written in it: thousands of them take minutes to draw."""
_WINS = re.compile(r"p_(win|full)_(\d+)")
_UNWON, _GREY = ("p_draw", "p_lost"), "0.5"
_PALE = ("white", "yellow")
"""Colours of sides that are hardly seen on white without an edge."""


def study_figure(study: Study) -> Figure:
    """Return the pictures of the report of a study, one below the other."""
    plots = plots_of_report(study.store, dict(summaries(study.store)))
    figure = Figure(figsize=(7.0, 4.2 * max(1, len(plots))), dpi=120, layout="constrained")
    axes = figure.subplots(max(1, len(plots)), squeeze=False).flat
    for plot, ax in zip(plots, axes, strict=False):
        draw_plot(plot, ax)
    return figure


def plot_png(plot: PlotData) -> bytes:
    """Return the plot of some estimates as a PNG picture."""
    figure, ax = one_chart(7.0, 4.2)
    draw_plot(plot, ax)
    target = BytesIO()
    figure.savefig(target, format="png")
    return target.getvalue()


def draw_plot(plot: PlotData, ax: Axes) -> None:
    """Draw the plot of some estimates."""
    draw = {
        PlotType.BANDS: _bands,
        PlotType.DOTS: _dots,
        PlotType.HEAT: _heat,
        PlotType.SCATTER: _scatter,
    }[plot.plot_type]
    draw(plot, ax)


def _bands(plot: PlotData, ax: Axes) -> None:
    alpha = _BAND_ALPHA if len(plot.lines) <= _FEW else _BAND_ALPHA / 2
    for line in plot.lines:
        x, values, low, high = _known(plot, line)
        style = {"marker": "o", "markersize": 4, **_style(plot, line)}
        (curve,) = ax.plot(x, values, label=_wrapped(line.label), **style)
        ax.fill_between(x, low, high, color=curve.get_color(), alpha=alpha, linewidth=0)
        if len(x) == 1:  # no band is to be seen
            color = curve.get_color()
            draw_intervals(x, values, (low, high), ax, fmt="none", capsize=3, ecolor=color)
    _label(plot, ax)


def _dots(plot: PlotData, ax: Axes) -> None:
    there = [[one for one in plot.lines if one.estimates[at]] for at in range(len(plot.places))]
    for line in plot.lines:
        x, values, low, high = _known(plot, line)
        shifted = [_spread(at, there[int(at)].index(line), len(there[int(at)])) for at in x]
        style = {"marker": "o", "ls": "", "markersize": 5, "capsize": 3, **_style(plot, line)}
        draw_intervals(shifted, values, (low, high), ax, label=_wrapped(line.label), **style)
    _name_places(plot.places, ax)
    _label(plot, ax)


def _style(plot: PlotData, line: PlotLine) -> dict[str, Any]:
    """Return how a line looks: the wins of a side have the colour of its things on fields, games nobody wins are grey.

    Victories in full have hollow marks; of other lines matplotlib chooses the colours.
    """
    if plot.sides and line.column in _UNWON:
        return {"color": _GREY}
    wins = _WINS.fullmatch(line.column)
    if not plot.sides or not wins:
        return {}
    name = plot.colours[int(wins[2])]
    style: dict[str, Any] = {"color": player_rgb(name)}
    if wins[1] == "full":
        style["mfc"] = "white"
    if name in _PALE:
        style["path_effects"] = [withStroke(linewidth=3.5, foreground=INK)]
    return style


def _scatter(plot: PlotData, ax: Axes) -> None:
    (line,) = plot.lines
    x, values, low, high = _known(plot, line)
    if not _is_numeric(plot):  # beside each other
        met: Counter[float] = Counter()
        counts = Counter(x)
        for index, at in enumerate(x):
            x[index] = _spread(at, met[at], counts[at])
            met[at] += 1
        _name_places(tuple(dict.fromkeys(plot.places)), ax)
    draw_intervals(x, values, (low, high), ax, fmt=".", markersize=5, elinewidth=0.6, alpha=0.7)
    _label(plot, ax)


def _spread(place: float, index: int, count: int) -> float:
    """Return the place of one of several dots, so that they are beside each other."""
    return place + _DODGE * ((index + 0.5) / count - 0.5)


def _name_places(places: Sequence[Any], ax: Axes) -> None:
    """Write words below their places, long ones on several lines or aslant."""
    width = max(_AXIS_LETTERS // max(len(places), 1), _LEAST_LETTERS)
    names = [_wrapped(str(place), width) for place in places]
    ax.set_xticks(range(len(places)), names) if any(names) else ax.set_xticks([])
    if any(len(part) > width for name in names for part in name.splitlines()):
        ax.tick_params(axis="x", rotation=30)
    ax.set_xlim(-0.5, len(places) - 0.5)


def _wrapped(text: str, width: int = 28) -> str:
    """Write a label on several lines, cut only after commas."""
    parts = (part.replace(" ", "\N{NO-BREAK SPACE}") for part in label(text).split(", "))
    return fill(", ".join(parts), width, break_long_words=False, break_on_hyphens=False)


def _heat(plot: PlotData, ax: Axes) -> None:
    scale = 100.0 if plot.share else 1.0
    values = np.array(
        [[e.value * scale if e else np.nan for e in line.estimates] for line in plot.lines]
    )
    image = ax.imshow(values, origin="lower", aspect="auto", cmap="viridis")
    _write_in_map(plot, scale, (np.nanmin(values) + np.nanmax(values)) / 2, ax)
    columns, rows = _some(len(plot.places)), _some(len(plot.lines))
    ax.set_xticks(columns, [f"{plot.places[column]:g}" for column in columns])
    ax.set_yticks(rows, [label(plot.lines[row].label) for row in rows])
    ax.set(xlabel=plot.factor, ylabel=plot.line_factor)
    colours = ax.figure.colorbar(image, ax=ax)
    colours.set_label(f"{label(plot.heading)}{' (%)' if plot.share else ''}")


def _some(count: int) -> range:
    """Return the numbers of the rows or columns of a map that are labelled: all, or of many some at equal distances."""
    return range(0, count, ceil(count / _MAP_LABELS))


def _write_in_map(plot: PlotData, scale: float, middle: float, ax: Axes) -> None:
    """Write every estimate in its cell, all with the same decimals, and with its interval where there is room.

    Of a map in which nobody could read them, the title alone is written.
    """
    shown = {
        (column, row): estimate
        for row, line in enumerate(plot.lines)
        for column, estimate in enumerate(line.estimates)
        if estimate
    }
    halves = sorted(scale * e.half_width for e in shown.values() if isfinite(e.half_width))
    digits = decimals(halves[0] if halves else 0.0)
    words = [[f"{scale * number:.{digits}f}" for number in estimate] for estimate in shown.values()]
    letters = max((len(f" ({low} to {high}) ") for _, low, high in words), default=0)
    has_room = len(plot.places) * letters <= _MAP_LETTERS and len(plot.lines) <= _MAP_ROWS
    legible = shown if max(len(plot.places), len(plot.lines)) <= _MAP_LABELS else {}
    for ((column, row), estimate), (text, low, high) in zip(legible.items(), words, strict=False):
        if has_room and isfinite(estimate.half_width):
            text = f"{text}\n({low} to {high})"
        shade = "black" if scale * estimate.value > middle else "white"
        ax.text(column, row, text, ha="center", va="center", color=shade, fontsize=7.5)
    wide = f"±{halves[0]:.{digits}f} to ±{halves[-1]:.{digits}f}" if halves else "not known"
    title = "95 % intervals in brackets" if has_room else f"95 % intervals: {wide}"
    ax.set_title(title, fontsize=9, loc="right", color="0.4")


def _known(
    plot: PlotData, line: PlotLine
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return places, values and ends of the intervals, where there is an estimate."""
    found = [
        (place, estimate.value, *_finite(estimate))
        for place, estimate in zip(_places(plot), line.estimates, strict=True)
        if estimate is not None
    ]
    places, values, low, high = map(list, zip(*found, strict=True)) if found else ([], [], [], [])
    return places, values, low, high


def _is_numeric(plot: PlotData) -> bool:
    return all(isinstance(place, int | float) for place in plot.places)


def _places(plot: PlotData) -> list[float]:
    """Return places on the axis: numbers as they are; texts are numbered, the same text of a sample alike."""
    if _is_numeric(plot):
        return [float(place) for place in plot.places]
    if plot.plot_type is PlotType.SCATTER:
        words = list(dict.fromkeys(plot.places))
        return [float(words.index(place)) for place in plot.places]
    return [*map(float, range(len(plot.places)))]


def _finite(estimate: Estimate) -> tuple[float, float]:
    """Return the ends of an interval; a single value has none."""
    if isfinite(estimate.half_width):
        return estimate.low, estimate.high
    return estimate.value, estimate.value


def _label(plot: PlotData, ax: Axes) -> None:
    if plot.share:
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    single = len(plot.lines) == 1 and not plot.line_factor
    name = "share" if plot.column == "p_" else label(plot.heading)
    ax.set(xlabel=plot.factor, ylabel=name)
    ax.set_title("95 % intervals", fontsize=9, loc="right", color="0.4")
    ax.grid(axis="y", alpha=0.3)
    if not single:
        # beside the picture: nothing is behind it
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
        title = plot.line_factor or None
        ax.legend(title=title, fontsize=8, title_fontsize=8, borderaxespad=0.0, **place)


_MARKERS = "osD^"
_STEP, _ROOM = 0.26, 0.8
"""Rows between the dots of two sets of battles, and the most rows of all of them."""
_BESIDE = 1.012
"""Shift between the ratios of two sets in the picture, so that their intervals are beside each other."""
_THIN: dict[str, Any] = {"capsize": 2.5, "elinewidth": 1.2}
_RATIOS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def _ends(estimates: Iterable[Sequence[float]], scale: float = 1.0) -> tuple[Array, Array]:
    """Return values, and the ends of their intervals, shape (2, n), times a scale."""
    values, *ends = scale * np.array(list(estimates)).reshape(-1, 3).T
    return values, np.array(ends)


def _look(index: int) -> dict[str, Any]:
    """Return marker and colour of a set of battles; the marker changes once the colours begin anew."""
    marker = _MARKERS[(index + index // len(COLOURS)) % len(_MARKERS)]
    return {"fmt": marker, "color": COLOURS[index % len(COLOURS)], **_THIN}


def draw_worths(found: Mapping[str, UnitValues], ax: Axes) -> None:
    """Draw the worth of every unit over its price, with intervals; a fair price lies on the line.

    Of the sets of battles by their names, the first gives the order, the most underpriced unit on top.
    """
    first = next(iter(found.values()))
    ordered = sorted(first.units, key=lambda unit: -unit.worth.value / unit.price)
    rows = {unit.name: row for row, unit in enumerate(ordered)}
    drawn = []
    for index, worth in enumerate(found.values()):
        units = [unit for unit in worth.units if unit.name in rows]
        shift = min(_STEP, _ROOM / len(found)) * (index - (len(found) - 1) / 2)
        places = [rows[unit.name] + shift for unit in units]
        ratios = _ends([part / unit.price for part in unit.worth] for unit in units)
        drawn.append(draw_intervals(places, *ratios, ax, across=True, markersize=5, **_look(index)))
    ax.axvline(1.0, color="black", linewidth=1)
    ax.set_xscale("log")
    ends = ax.get_xlim()
    shown = [ratio for ratio in _RATIOS if ends[0] <= ratio <= ends[1]]
    ax.set_xticks(shown, [f"{ratio:g}" for ratio in shown])
    ax.minorticks_off()
    ax.set_yticks(
        range(len(ordered)), [f"{spoken(unit.name)} ({unit.price:g})" for unit in ordered]
    )
    ax.invert_yaxis()
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
    ax.set_xlabel("worth / price (below 1: too expensive, above 1: too cheap)")
    ax.set_title("Worth of units (price in brackets)")
    _finish(ax, drawn, [f"{name} ({worth.battles:,} battles)" for name, worth in found.items()])


def draw_wins(found: Mapping[str, UnitValues], ax: Axes) -> None:
    """Draw the share of wins of the first army over the ratio of costs, with the fitted slopes."""
    handles, labels = [], []
    for index, (name, worth) in enumerate(found.items()):
        ratios = [share.ratio for share in worth.curve]
        beside = _BESIDE ** (index - (len(found) - 1) / 2)
        places = [ratio * beside for ratio in ratios]
        wins = _ends((share.wins for share in worth.curve), 100)
        shares = draw_intervals(places, *wins, ax, **_look(index))
        odds = worth.seat.value / (1.0 - worth.seat.value)
        grid = [min(ratios) * (max(ratios) / min(ratios)) ** (step / 50) for step in range(51)]
        chances = [odds * ratio**worth.slope.value for ratio in grid]
        color = COLOURS[index % len(COLOURS)]
        (line,) = ax.plot(grid, [100 * o / (1 + o) for o in chances], color=color)
        handles.append((shares, line))
        labels.append(f"{name}: odds = ratio ^ {worth.slope.value:.1f}")
    ax.axhline(50, color="0.7", linewidth=1, zorder=0)
    ax.axvline(1, color="0.7", linewidth=1, zorder=0)
    ax.set(ylim=(0, 100), ylabel="the first army wins (%), draws as halves")
    ax.set_xlabel("cost of the first army / cost of the second")
    ax.set_title("Does the more expensive army win?")
    _finish(ax, handles, labels)


def _finish(ax: Axes, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Write the legend of the sets of battles below, and remove needless lines of the frame."""
    ax.legend(
        handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.11), frameon=False, fontsize=9
    )
    open_frame(ax)


def draw_ranks(ranks: Sequence[Rank], ax: Axes) -> None:
    """Draw the share of battles that each army has won, with its interval, the strongest on top."""
    shares = _ends((rank.share for rank in ranks), 100)
    style = {"fmt": "o", "color": BLUE, "clip_on": False, **_THIN}
    draw_intervals(range(len(ranks)), *shares, ax, across=True, **style)
    ax.axvline(50, color="0.7", linewidth=1, zorder=0)
    ax.set_yticks(range(len(ranks)), [spoken(rank.name) for rank in ranks])
    ax.invert_yaxis()
    ax.grid(axis="y", color="0.92")
    ax.set(xlim=(0, 100), xlabel="battles won (%), draws as halves; 95 % intervals", axisbelow=True)
    open_frame(ax)
