"""Charts: colours, frames, and texts that any font can show, shared by all charts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from numpy.typing import ArrayLike


def drawable(text: str) -> str:
    r"""Return a text with the characters that the font of the plots lacks as escapes, such as ``\u7532``."""
    font = get_font(findfont(FontProperties()))
    return "".join(
        c if font.get_char_index(ord(c)) else c.encode("unicode_escape").decode() for c in text
    )


def label(text: str) -> str:
    """Return a drawable text in which no dollar sign begins a formula."""
    return drawable(text).replace("$", r"\$")


def heading(text: str) -> str:
    """Return `label` of each line of a text."""
    return "\n".join(map(label, text.split("\n")))


BLUE, VERMILION, GREEN, YELLOW = "#0072b2", "#d55e00", "#009e73", "#f0e442"
COLOURS = (BLUE, VERMILION, GREEN, "#cc79a7")
"""Okabe and Ito's colours, which every kind of colour vision tells apart."""
PALE_BLUE = "#9fd0ee"
"""It differs from `BLUE` in grey print too."""
CHANCE_SHADES = ListedColormap(colormaps["Blues"](np.linspace(0.0, 0.57, 256)), "chances")
"""Of cells from chance 0 to 1: one hue from light to dark, which keeps its order in grey print and for every kind of
colour vision, and on which black figures can be read."""
_UNITS = {"_mm": "mm", "_m_s": "m/s", "_rad_s": "rad/s"}


def open_frame(ax: Axes) -> None:
    """Leave the frame of the axes open above and to the right."""
    ax.spines[["top", "right"]].set_visible(False)


def one_chart(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a figure of a size in inches with one pair of axes."""
    figure = Figure(figsize=(width, height), dpi=120, layout="constrained")
    return figure, figure.add_subplot()


def panels(figure: Figure, count: int, across: int) -> list[Axes]:
    """Return so many axes in rows on a figure, the last row perhaps with room for more."""
    axes: list[Axes] = figure.subplots(-(-count // across), across, squeeze=False).ravel().tolist()
    for spare in axes[count:]:
        spare.remove()
    return axes[:count]


def draw_intervals(
    places: Sequence[float] | ArrayLike,
    values: ArrayLike,
    ends: ArrayLike,
    ax: Axes,
    *,
    across: bool = False,
    **style: Any,
) -> ErrorbarContainer:
    """Draw values at their places with whiskers to the ends of their intervals, shape (2, n): upright, or across."""
    middle, (low, high) = np.asarray(values, dtype=float), np.asarray(ends, dtype=float)
    reach = np.maximum(0.0, [middle - low, high - middle])  # rounding may make one negative
    if across:
        return ax.errorbar(middle, places, xerr=reach, **style)
    return ax.errorbar(places, middle, yerr=reach, **style)


def cause_and_unit(name: str) -> tuple[str, str]:
    """Split the name of a cause into words and its unit, empty if it has none: ``speed_m_s`` is a speed in m/s."""
    for suffix, unit in _UNITS.items():
        if name.endswith(suffix):
            return name.removesuffix(suffix).replace("_", " "), unit
    return name.replace("_", " "), ""
