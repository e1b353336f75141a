"""Pictures of batches: estimates with their intervals, against what was varied."""

from math import isfinite

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from brickphys.batch.kind import Estimate
from brickphys.batch.panel import Form, Line, Panel

_BAND_ALPHA = 0.2
_DODGE = 0.6
"""Share of the distance between two places over which the dots of several lines are spread."""


def draw_panel(panel: Panel, ax: Axes) -> None:
    """Draw a panel.

    Parameters
    ----------
    panel
        What to draw.
    ax
        Where to.
    """
    draw = {
        Form.BANDS: _bands,
        Form.DOTS: _dots,
        Form.HEAT: _heat,
        Form.SCATTER: _scatter,
    }[panel.form]
    draw(panel, ax)


def _bands(panel: Panel, ax: Axes) -> None:
    for line in panel.lines:
        x, values, low, high = _known(panel, line)
        (curve,) = ax.plot(x, values, marker="o", markersize=4, label=line.label)
        ax.fill_between(x, low, high, color=curve.get_color(), alpha=_BAND_ALPHA, linewidth=0)
    _label(panel, ax)


def _dots(panel: Panel, ax: Axes) -> None:
    count = len(panel.lines)
    for index, line in enumerate(panel.lines):
        x, values, low, high = _known(panel, line)
        shifted = np.asarray(x) + _DODGE * ((index + 0.5) / count - 0.5)
        reach = [np.subtract(values, low), np.subtract(high, values)]
        ax.errorbar(shifted, values, yerr=reach, fmt="o", markersize=5, capsize=3, label=line.label)
    steep = max((len(str(place)) for place in panel.places), default=0) * len(panel.places) > 60
    ax.set_xticks(range(len(panel.places)), [str(place) for place in panel.places])
    if steep:
        ax.tick_params(axis="x", rotation=30)
    ax.set_xlim(-0.5, len(panel.places) - 0.5)
    _label(panel, ax)


def _scatter(panel: Panel, ax: Axes) -> None:
    (line,) = panel.lines
    x, values, low, high = _known(panel, line)
    reach = [np.subtract(values, low), np.subtract(high, values)]
    ax.errorbar(x, values, yerr=reach, fmt=".", markersize=5, elinewidth=0.6, alpha=0.7)
    words = list(dict.fromkeys(panel.places))
    if not _is_numeric(panel):
        ax.set_xticks(range(len(words)), [str(word) for word in words])
        ax.set_xlim(-0.5, len(words) - 0.5)
    _label(panel, ax)


def _heat(panel: Panel, ax: Axes) -> None:
    scale = 100.0 if panel.share else 1.0
    values = np.array(
        [[e.value * scale if e else np.nan for e in line.estimates] for line in panel.lines]
    )
    image = ax.imshow(values, origin="lower", aspect="auto", cmap="viridis")
    middle = (np.nanmin(values) + np.nanmax(values)) / 2
    for row, column in np.ndindex(values.shape):
        shade = "black" if values[row, column] > middle else "white"
        text = f"{values[row, column]:.3g}"
        ax.text(column, row, text, ha="center", va="center", color=shade, fontsize=8)
    ax.set_xticks(range(len(panel.places)), [f"{place:g}" for place in panel.places])
    ax.set_yticks(range(len(panel.lines)), [line.label for line in panel.lines])
    ax.set_xlabel(panel.factor)
    ax.set_ylabel(panel.line_factor)
    colours = ax.figure.colorbar(image, ax=ax)
    colours.set_label(f"{panel.column}{', percent' if panel.share else ''}")


def _known(panel: Panel, line: Line) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return places, values and ends of the intervals, where there is an estimate."""
    found = [
        (place, estimate)
        for place, estimate in zip(_places(panel), line.estimates, strict=True)
        if estimate is not None
    ]
    values = [estimate.value for _, estimate in found]
    ends = [_finite(estimate) for _, estimate in found]
    return [place for place, _ in found], values, [a for a, _ in ends], [b for _, b in ends]


def _is_numeric(panel: Panel) -> bool:
    return all(isinstance(place, int | float) for place in panel.places)


def _places(panel: Panel) -> list[float]:
    words = list(dict.fromkeys(panel.places))
    if panel.form is Form.SCATTER and not _is_numeric(panel):
        return [float(words.index(place)) for place in panel.places]
    numeric = _is_numeric(panel)
    return (
        [float(place) for place in panel.places]
        if numeric
        else [*map(float, range(len(panel.places)))]
    )


def _finite(estimate: Estimate) -> tuple[float, float]:
    """Return the ends of an interval; one value alone has none to draw."""
    if isfinite(estimate.half_width):
        return estimate.low, estimate.high
    return estimate.value, estimate.value


def _label(panel: Panel, ax: Axes) -> None:
    if panel.share:
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    single = len(panel.lines) == 1 and not panel.line_factor
    ax.set_ylabel("share" if panel.column == "p_" else panel.column)
    ax.set_xlabel(panel.factor)
    ax.set_title("95 % intervals", fontsize=9, loc="right", color="0.4")
    ax.grid(axis="y", alpha=0.3)
    if not single:
        ax.legend(title=panel.line_factor or None, fontsize=8, title_fontsize=8)
