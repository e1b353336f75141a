"""Pictures of published rolls beside simulated ones."""

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from brickphys.calibration.rolls.coin_comparison import CoinComparison
from brickphys.calibration.rolls.prism_comparison import PrismComparison
from brickphys.calibration.rolls.roll_comparison import interval
from brickphys.plots.charts import BLUE, GREEN, VERMILION, YELLOW

_SHADES = ("#56b4e9", "#00507d", "#00202f")


def draw_prisms(comparison: PrismComparison, axes: npt.NDArray[np.object_]) -> None:
    """Draw shares over thickness, and chi squared over friction and restitution; `axes` has shape (2,)."""
    _draw_shares(comparison, axes[0])
    _draw_chi2(comparison, axes[1])


def _draw_shares(comparison: PrismComparison, ax: Axes) -> None:
    rolls = comparison.rolls
    low, high = np.array([interval(row.share, row.rolls) for row in rolls.rows]).T
    ax.errorbar(
        rolls.ratios,
        rolls.shares,
        yerr=[np.maximum(0, rolls.shares - low), np.maximum(0, high - rolls.shares)],
        fmt="o",
        color="black",
        capsize=2,
        markersize=4,
        label="measured",
        zorder=3,
    )
    for shares, name, color, line in (
        (comparison.shares, "simulated, one surface", BLUE, "-"),
        (comparison.smooth, "smooth curve", "0.5", "-"),
        (comparison.gibbs, f"Gibbs, b = {comparison.gibbs_b:.1f}", GREEN, "--"),
        (comparison.solid_angle, "solid angle", VERMILION, ":"),
    ):
        label = f"{name} (chi2 {float(rolls.chi2(shares)):.0f})"
        ax.plot(rolls.ratios, shares, line, color=color, label=label, marker=".", markersize=4)
    ax.set_yscale("logit")
    ax.set_yticks([0.001, 0.01, 0.1, 0.5, 0.9], ["0.1 %", "1 %", "10 %", "50 %", "90 %"])
    ax.minorticks_off()
    ax.set(xlabel="thickness / side", ylabel="share with a square face up", ylim=(0.001, 0.97))
    ax.set_title("Eight steel prisms")
    ax.legend(loc="upper right", frameon=False, fontsize=8)


def _draw_chi2(comparison: PrismComparison, ax: Axes) -> None:
    fit = comparison.fit
    levels = fit.chi2 * np.geomspace(1.0, 4.0, 13)
    filled = ax.contourf(
        fit.frictions, fit.restitutions, fit.surface.T, levels=levels, cmap="Blues_r", extend="max"
    )
    ax.figure.colorbar(filled, ax=ax, label="chi2", format="%.0f", shrink=0.8)
    gibbs = float(comparison.rolls.chi2(comparison.gibbs))
    if fit.surface.min() < gibbs < fit.surface.max():
        ax.contour(
            fit.frictions, fit.restitutions, fit.surface.T, levels=[gibbs], colors=GREEN,
            linestyles="--",
        )  # fmt: skip
        ax.plot([], [], "--", color=GREEN, label="as good as the Gibbs model")
    best = (comparison.contact.friction, comparison.contact.restitution)
    ax.plot(*best, "*", color=YELLOW, markersize=12, markeredgecolor="black", label="best surface")
    ax.set(xlabel="friction", ylabel="restitution", title="One surface for all prisms")
    ax.legend(loc="lower right", framealpha=0.9, fontsize=8)


def draw_coin(comparison: CoinComparison, axes: npt.NDArray[np.object_]) -> None:
    """Draw how often coins stop on the edge and cylinders on an end, over restitution; `axes` has shape (2,)."""
    left, right = axes
    row = comparison.coin.rows[0]
    left.axhspan(*interval(row.share, row.rolls), color="0.85", label="measured, 95 %")
    left.axhline(row.share, color="black", linewidth=1)
    left.axhline(comparison.solid_angle, color=VERMILION, linestyle=":", label="solid angle")
    left.axhline(comparison.area, color=GREEN, linestyle="-.", label="area")
    for one, name in zip(comparison.cylinder.rows, ("15.5 mm glass", "2.4 mm glass"), strict=True):
        right.axhline(one.share, color="black", linewidth=1)
        right.annotate(name, (comparison.restitutions[0], one.share), xytext=(0, 3),
                       textcoords="offset points", fontsize=8)  # fmt: skip
    for ax, table, dropped in (
        (left, comparison.edges, comparison.edges_dropped),
        (right, comparison.ends, comparison.ends_dropped),
    ):
        for mu, shares, color in zip(comparison.frictions, table, _SHADES, strict=False):
            ax.plot(comparison.restitutions, shares, ".-", color=color, label=f"friction {mu:g}")
        for shares, color in zip(dropped, _SHADES, strict=False):
            ax.plot(comparison.restitutions, shares, ".--", color=color)
        ax.set(xlabel="restitution", ylim=(0, None))
        ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    left.plot([], [], "--", color="0.4", label="dropped, not thrown")
    contact = comparison.contact
    left.plot(contact.restitution, comparison.at_contact, "*", color=YELLOW, markersize=12,
              markeredgecolor="black", label=f"friction {contact.friction:g}, ten times as many throws")  # fmt: skip
    left.set_title(f"Coin, thickness {row.ratio:g} diameters: on its edge")
    right.set_title("Cylinder as high as wide: on an end")
    left.set_ylim(0, 0.7)
    left.legend(frameon=False, fontsize=8, ncols=2, loc="upper left")
    right.set_ylim(0, 0.5)
    right.legend(frameon=False, fontsize=8, loc="upper right")
