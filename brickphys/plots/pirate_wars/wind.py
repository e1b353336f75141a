"""Wind: streaks over the sea, and the wind rose with the points of sail."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Wedge

from brickphys.geometry.polygon import Point, unit_vector
from brickphys.pirate_wars.sheets.charts import sailing_chart
from brickphys.plots.pirate_wars.ship import INK

SEA = "#dbe8ef"
_STREAK = "#ffffff"
_STREAKS_APART_STUDS = 20.0
_STREAK_STUDS = 6.0
_SAILING = (
    ("full speed", "#8fbbd6"),
    ("half speed", "#e9eff3"),
    ("in irons: adrift", "#6b747b"),
)
"""Name and colour of the headings up to each limit off running with the wind."""
_ARROW = "simple,tail_width=0.35,head_width=1.1,head_length=1.1"
_POINTS = ("E", "N", "W", "S")


def draw_streaks(width: float, height: float, wind_deg: float, ax: Axes) -> None:
    """Draw short arrows over the whole sea, along the wind."""
    step, (x, y) = _STREAKS_APART_STUDS, unit_vector(wind_deg)
    columns = np.arange(step / 2, width, step)
    rows = np.arange(step / 2, height, step)
    across, up = (places.ravel() for places in np.meshgrid(columns, rows))
    along = np.full_like(across, _STREAK_STUDS)
    ax.quiver(
        across, up, along * x, along * y, color=_STREAK, pivot="mid", angles="xy", width=1.3,
        scale_units="xy", scale=1.0, units="dots", headwidth=5, headlength=6, zorder=1,
    )  # fmt: skip


def draw_rose(middle: Point, radius: float, wind_deg: float, ax: Axes) -> None:
    """Draw the wind rose: an arrow along the wind, over the headings of full and half speed and those in irons."""
    start = 0.0
    for (_, color), end in zip(_SAILING, _limits_deg(), strict=True):
        for first, last in ((start, end), (-end, -start)):
            between = wind_deg + first, wind_deg + last
            ax.add_patch(Wedge(middle, radius, *between, fc=color, ec=INK, lw=0.6, zorder=7))
        start = end
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "color": INK}
    for quarter, name in enumerate(_POINTS):
        ax.text(*_off(middle, 1.25 * radius, 90.0 * quarter), name, zorder=7.1, **style)
    head, tail = _off(middle, 0.9 * radius, wind_deg), _off(middle, -0.9 * radius, wind_deg)
    arrow = {"arrowstyle": _ARROW, "fc": INK, "ec": "white", "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", head, tail, arrowprops=arrow, zorder=7.1)


def sailing_patches() -> list[Patch]:
    """Return the entries of the legend: the points of sail."""
    return [
        Patch(facecolor=color, edgecolor=INK, lw=0.6, label=f"rose: {name}")
        for name, color in _SAILING
    ]


def _limits_deg() -> tuple[float, ...]:
    return sailing_chart().full_speed_deg, sailing_chart().half_speed_deg, 180.0


def _off(middle: Point, length: float, heading_deg: float) -> Point:
    ahead, up = unit_vector(heading_deg)
    return middle[0] + length * ahead, middle[1] + length * up
