"""A tornado plot: how far each cause moves the chance of a side, the largest shift on top."""

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer

from brickphys.calibration.sensitivity import CauseEffect, Sensitivity
from brickphys.plots.charts import BLUE, PALE_BLUE, VERMILION, cause_and_unit, open_frame


@dataclass(frozen=True)
class TornadoArtists:
    """What `draw_tornado` drew: bars from the mean of p to its value at both ends of each range.

    `errors` are 95 % intervals of these values, all low ends first.
    """

    low: BarContainer
    high: BarContainer
    errors: ErrorbarContainer


def draw_tornado(found: Sensitivity, ax: Axes, scored: str = "a side") -> TornadoArtists:
    """Draw p at both ends of the range of each cause, averaged over all others, with intervals.

    `scored` names the poses whose chance p is.
    """
    ordered = sorted(found.effects.items(), key=lambda item: -abs(item[1].shift))
    rows = list(range(len(ordered)))
    middle = 100 * found.p
    lows = [100 * effect.low.p for _, effect in ordered]
    highs = [100 * effect.high.p for _, effect in ordered]
    low = ax.barh(
        rows, [p - middle for p in lows], left=middle, color=PALE_BLUE, label="low end of the range"
    )
    high = ax.barh(
        rows, [p - middle for p in highs], left=middle, color=BLUE, label="high end of the range"
    )
    swings = [*(effect.low for _, effect in ordered), *(effect.high for _, effect in ordered)]
    reach = [100 * (swing.ci95[1] - swing.p) for swing in swings]
    errors = ax.errorbar(
        lows + highs,
        rows + rows,
        xerr=reach,
        fmt="none",
        ecolor=VERMILION,
        elinewidth=1.2,
        capsize=2.5,
        label="95 % interval",
    )
    ax.axvline(middle, color="black", linewidth=1)
    ax.use_sticky_edges = False
    ax.set_yticks(rows, [_name(name, effect) for name, effect in ordered])
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"chance of {scored} (%), averaged over all other causes")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False)
    open_frame(ax)
    return TornadoArtists(low, high, errors)


def _name(name: str, effect: CauseEffect) -> str:
    words, unit = cause_and_unit(name)
    return f"{words}\n{effect.low.value:.3g} to {effect.high.value:.3g} {unit}".rstrip()
