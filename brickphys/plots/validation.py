"""Validation: simulated throws beside others.

- Shares of the same throws by several engines.
- Results of bricks thrown at home.
- Real tosses, and the fit of simulated ones to them.
- Published rolls of prisms and coins, and counted rolls of any bodies.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure
from scipy.stats import beta

from brickphys.calibration.agreement import Agreement
from brickphys.calibration.combined_law import law_beta
from brickphys.calibration.experiments.body_comparison import BodyComparison
from brickphys.calibration.experiments.roll_comparison import (
    CoinComparison,
    PrismComparison,
    interval,
)
from brickphys.calibration.experiments.toss_comparison import ReliabilityBin
from brickphys.calibration.experiments.toss_fit import LikelihoodSurface
from brickphys.calibration.experiments.tosses import Model
from brickphys.calibration.inference import Inference, Inferred
from brickphys.calibration.posterior import SurfacePosterior, beta_of
from brickphys.odds.distribution import wilson
from brickphys.odds.law import Law
from brickphys.plots.charts import (
    BLUE,
    COLOURS,
    GREEN,
    PALE_BLUE,
    VERMILION,
    YELLOW,
    draw_intervals,
    label,
    one_chart,
)
from brickphys.units import Array, Mask

_MARKS = ("o", "s", "^", "v")
_SPREAD = 0.22
"""Distance between the points of one row; rows are one apart."""


def draw_agreement(agreement: Agreement, ax: Axes) -> None:
    """Draw the share of one pose in every cell of the grid, by every engine, with 95 % intervals."""
    spots = list(agreement.tallies)
    rows = np.arange(len(spots), dtype=float)
    names = list(agreement.tallies[spots[0]])
    for number, name in enumerate(names):
        tallies = [agreement.tallies[spot][name] for spot in spots]
        hits = [tally.counts[spot.pose] for tally, spot in zip(tallies, spots, strict=True)]
        found = list(zip(hits, (tally.bricks for tally in tallies), strict=True))
        share = 100 * np.array([hit / bricks for hit, bricks in found])
        ends = 100 * np.array([wilson(*one) for one in found]).T
        places = rows + _SPREAD * (number - (len(names) - 1) / 2)
        style: dict[str, Any] = {"ls": "none", "markersize": 4, "capsize": 2, "linewidth": 1}
        style |= {"marker": _MARKS[number % len(_MARKS)], "color": COLOURS[number % len(COLOURS)]}
        draw_intervals(places, share, ends, ax, across=True, label=name, **style)
    if agreement.quasi_static:
        still = [100 * agreement.quasi_static[spot] for spot in spots]
        style = {"marker": "D", "s": 22, "facecolors": "none", "edgecolors": "0.5", "zorder": 1}
        ax.scatter(still, rows, label="toppling without speed (trimesh)", **style)
    ax.set_yticks(rows, [f"{spot.name} ({spot.pose})" for spot in spots])
    ax.set_ylim(len(spots) - 0.4, -0.6)
    ax.grid(axis="x", color="0.9")
    ax.set_axisbelow(True)
    ax.set_xlabel("share of the pose (%), with 95 % interval")


def agreement_figure(agreement: Agreement) -> Figure:
    """Return a whole figure of an agreement, as high as its grid needs."""
    figure, ax = one_chart(8.0, 1.6 + 0.32 * len(agreement.tallies))
    draw_agreement(agreement, ax)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return figure


_POINTS = 400
_SPANS = 4.0
"""Standard deviations that are drawn on each side."""
_HELD = (0.95, 0.5)


def draw_share(one: Inference, combined: Law | None, ax: Axes) -> None:
    """Draw the chance of a side by the counts, by their law, and by `combined` where it is for the same surface."""
    p = one.share.p
    _draw_curve(beta_of(p.mean, p.sd), ax, color=BLUE, label="thrown at home")
    if one.law is not None:
        law = law_beta(one.law, systematic=True)
        # dashed and above: it shows where the law and both together coincide
        style: dict[str, Any] = {"color": "0.25", "ls": "--", "zorder": 3}
        _draw_curve(law, ax, label="the law, with its 90 % range", **style)
    if combined is not None and combined.surface.name == one.surface:
        both = law_beta(combined, systematic=True)
        _draw_curve(both, ax, color=VERMILION, label="both together")
    ax.axvspan(*(100 * end for end in p.ci95), color=BLUE, alpha=0.12, zorder=0)
    ax.set_title(label(f"Chance of a side on {one.surface}"))
    ax.set_xlabel("chance of a side (%); shaded: 95 % interval of the throws at home")
    ax.set(yticks=[], ylim=(0, None))
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3)


def _draw_curve(parameters: tuple[float, float], ax: Axes, **style: Any) -> None:
    middle, spread = beta.mean(*parameters), beta.std(*parameters)
    ends = np.clip([middle - _SPANS * spread, middle + _SPANS * spread], 0.0, 1.0)
    p = np.linspace(float(ends[0]), float(ends[1]), _POINTS)
    ax.plot(100 * p, beta.pdf(p, *parameters), linewidth=2, **style)


def draw_contact(one: Inference, contact: SurfacePosterior, ax: Axes) -> QuadContourSet:
    """Draw friction and restitution as the regions that hold 95 % and 50 % of the probability.

    If the counts hardly determine one of them, a region of 50 % would look like a finding, and is left out. The limits
    of the axes are the ranges before the counts.
    """
    is_open = _is_open(one, contact)
    held, colours = (
        (_HELD[:1], [PALE_BLUE]) if any(is_open.values()) else (_HELD, [PALE_BLUE, BLUE])
    )
    levels = [*(_level(contact.weights, share) for share in held), 2 * contact.weights.max()]
    filled = ax.contourf(
        contact.friction.values,
        contact.restitution.values,
        contact.weights.T,
        levels=levels,
        colors=colours,
    )
    ax.plot(contact.friction.mean, contact.restitution.mean, "+", color="black", markersize=10)
    ax.set(xlim=contact.friction.values[[0, -1]], ylim=contact.restitution.values[[0, -1]])
    ax.set(xlabel="friction", ylabel="restitution")
    regions = "light area 95 %, dark area 50 %, cross mean"
    if any(is_open.values()):
        hardly = " or ".join(name for name, is_so in is_open.items() if is_so)
        regions = f"light area 95 %, cross mean;\nthe counts hardly determine {hardly}"
    ax.set_title(f"Friction and restitution of {label(one.surface)}:\n{regions}")
    return filled


def _is_open(one: Inference, contact: SurfacePosterior) -> dict[str, bool]:
    """Return whether the counts leave friction and restitution as open as they were before."""
    return {
        "friction": contact.friction.is_open(one.ranges.friction),
        "restitution": contact.restitution.is_open(one.ranges.restitution),
    }


def _level(weights: np.ndarray[tuple[int, ...], np.dtype[np.float64]], share: float) -> float:
    """Return the density above which a share of the probability lies."""
    falling = np.sort(weights.ravel())[::-1]
    inside = min(int(np.searchsorted(np.cumsum(falling), share)), len(falling) - 1)
    return float(falling[inside])


def inferred_figure(inferred: Inferred) -> Figure:
    """Return the picture of what counted bricks say; see `infer_figure`."""
    return infer_figure(inferred.surfaces, inferred.combined)


def infer_figure(found: Sequence[Inference], combined: Law | None) -> Figure:
    """Draw every surface: the chance of a side to the left, friction and restitution to the right.

    Where the counts hardly determine friction nor restitution, there is nothing to see, and they are not drawn. The
    figure has no window and is unknown to pyplot; ``figure.savefig(path)`` writes it.
    """
    known = ((one, one.contact) for one in found)
    contacts = [None if it is None or all(_is_open(one, it).values()) else it for one, it in known]
    columns = 2 if any(contacts) else 1
    figure = Figure(figsize=(5.6 * columns, 4.4 * len(found)), dpi=120, layout="constrained")
    axes = figure.subplots(len(found), columns, squeeze=False)
    for one, contact, row in zip(found, contacts, axes, strict=True):
        draw_share(one, combined, row[0])
        for ax in row[1:]:
            draw_contact(one, contact, ax) if contact is not None else ax.set_axis_off()
    return figure


_LEVELS = 12


def draw_travel(simulated_m: Array, real_m: Array, right: Mask, ax: Axes) -> None:
    """Draw how far each toss travelled, simulated against real.

    The distances, shape (n,), are horizontal; those of tosses whose simulated final face is the real one are `right`.
    """
    bottom = 0.9 * float(min(simulated_m.min(), real_m.min()))
    top = 1.05 * float(max(simulated_m.max(), real_m.max(), 1e-3))
    ax.plot([bottom, top], [bottom, top], color="0.6", linewidth=1, zorder=1)
    hit: dict[str, Any] = {"s": 18, "color": BLUE, "alpha": 0.6, "linewidths": 0}
    miss: dict[str, Any] = {"s": 26, "marker": "x", "color": VERMILION, "linewidths": 1.2}
    for name, chosen, style in (("right", right, hit), ("wrong", ~right, miss)):
        label = f"{name} face ({int(chosen.sum())})"
        ax.scatter(real_m[chosen], simulated_m[chosen], label=label, **style)
    ax.set(xlim=(bottom, top), ylim=(bottom, top), box_aspect=1)
    ax.set(xlabel="real distance (m)", ylabel="simulated distance (m)")
    ax.set_title("Distance travelled by each toss")
    ax.legend(loc="upper left", frameon=False)


def draw_reliability(bins: tuple[ReliabilityBin, ...], ax: Axes) -> None:
    """Draw observed shares of faces over predicted chances, with Wilson intervals; calibrated ones are on the diagonal.

    Each bin of chances is labelled with its number of faces.
    """
    predicted, observed = np.array([(one.predicted, one.observed) for one in bins]).T
    ends = np.array([one.ci95 for one in bins]).T
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, zorder=1)
    draw_intervals(predicted, observed, ends, ax, fmt="o", color=BLUE, capsize=2, markersize=5)
    style: dict[str, Any] = {"ha": "center", "fontsize": 7, "color": "0.35"}
    for one in bins:
        above: dict[str, Any] = {"xytext": (0, 3), "textcoords": "offset points"}
        ax.annotate(str(one.count), (one.predicted, one.ci95[1]), **above, **style)
    ax.set(xlim=(-0.06, 1.06), ylim=(-0.03, 1.09), box_aspect=1)
    ax.set(xlabel="predicted chance of a face", ylabel="observed share")
    ax.set_title("Calibration of the predicted chances")


def draw_surface(
    surface: LikelihoodSurface, chosen: tuple[tuple[Model, int], ...], best: Model, ax: Axes
) -> QuadContourSet:
    """Draw the loss that a fit minimises over friction and restitution at the best noise, and the chosen models.

    `chosen` has models and the number of folds that chose them, at any noise.
    """
    mean = surface.at_noise(best.noise_scale)
    # a valley with steep walls: even steps of the logarithm show its floor and its walls
    levels = np.geomspace(mean.min() * 0.999, mean.max() * 1.001, _LEVELS)
    filled = ax.contourf(
        surface.frictions, surface.restitutions, mean.T, levels=levels, cmap="Blues_r"
    )
    picked = np.array([(model.contact.friction, model.contact.restitution) for model, _ in chosen])
    areas = [20.0 + 8.0 * times for _, times in chosen]
    style: dict[str, Any] = {"facecolors": "none", "edgecolors": VERMILION, "linewidths": 1.4}
    x, y = picked.T
    ax.scatter(x, y, s=areas, label="chosen by cross-validation (area: folds)", **style)
    star: dict[str, Any] = {"marker": "*", "ms": 11, "color": YELLOW, "mec": "black", "mew": 0.6}
    contact = best.contact.friction, best.contact.restitution
    ax.plot(*contact, linestyle="none", label="fitted to all tosses", **star)
    ax.set(xlabel="friction", ylabel="restitution", box_aspect=1)
    faces_only = surface.travel_error_mm is None
    ax.set_title("Log loss of the final face" if faces_only else "Loss of faces and distances")
    ax.legend(loc="upper right", framealpha=0.9)
    return filled


_SHADES = ("#56b4e9", "#00507d", "#00202f")


def draw_prisms(comparison: PrismComparison, axes: npt.NDArray[np.object_]) -> None:
    """Draw shares over thickness, and chi squared over friction and restitution; `axes` has shape (2,)."""
    _draw_shares(comparison, axes[0])
    _draw_chi2(comparison, axes[1])


def _draw_shares(comparison: PrismComparison, ax: Axes) -> None:
    rolls = comparison.rolls
    ends = np.array([interval(row.share, row.rolls) for row in rolls.rows]).T
    style: dict[str, Any] = {"fmt": "o", "color": "black", "capsize": 2, "markersize": 4}
    draw_intervals(rolls.ratios, rolls.shares, ends, ax, label="measured", zorder=3, **style)
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
    for ax, table in ((left, comparison.edges), (right, comparison.ends)):
        for mu, shares, color in zip(comparison.frictions, table, _SHADES, strict=False):
            ends = np.array([interval(share, comparison.throws) for share in shares]).T
            draw_intervals(comparison.restitutions, shares, ends, ax, fmt=".-", color=color, capsize=2,
                           elinewidth=0.8, label=f"friction {mu:g}")  # fmt: skip
        ax.set(xlabel="restitution", ylim=(0, None))
        ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    contact = comparison.contact
    left.plot(contact.restitution, comparison.at_contact, "*", color=YELLOW, markersize=12, zorder=3,
              markeredgecolor="black", label=f"friction {contact.friction:g}, ten times as many throws")  # fmt: skip
    how = comparison.conditions.preset
    left.set(title=f"Coin, thickness {row.ratio:g} diameters ({how}): on its edge", ylim=(0, 0.6))
    left.legend(frameon=False, fontsize=8, ncols=2, loc="upper left")
    how = comparison.cylinder_conditions.preset
    right.set(title=f"Cylinder as high as wide ({how}): on an end", ylim=(0, 0.6))
    right.legend(frameon=False, fontsize=8, loc="upper right")


def draw_bodies(comparison: BodyComparison, axes: npt.NDArray[np.object_]) -> None:
    """Draw the shares of the faces of each body, counted and predicted; `axes` has shape (bodies,)."""
    for result, ax in zip(comparison.results, axes, strict=True):
        counted = result.counted
        at, faces = np.arange(len(counted.counts)), [*counted.counts]
        shares = np.array([*counted.counts.values()]) / counted.rolls
        ends = np.array([wilson(count, counted.rolls) for count in counted.counts.values()]).T
        draw_intervals(
            at, shares, ends, ax, label="counted, 95 %", fmt="o", color="black", capsize=3
        )
        geometry = {"quasi-static": result.quasi_static, "solid angle": result.solid_angle}
        for number, (name, model) in enumerate([*result.engines.items(), *geometry.items()]):
            is_engine = name in result.engines
            ax.plot(
                at + 0.1 * (number + 1),
                [model[face] for face in faces],
                _MARKS[number % len(_MARKS)],
                color=COLOURS[number % len(COLOURS)] if is_engine else "0.4",
                fillstyle="full" if is_engine else "none",
                label=f"{name} (chi2 {counted.chi2(model):.0f})",
            )
        ax.set_xticks(at, faces)
        ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
        ax.set(
            title=f"{counted.name}: {counted.rolls:,} rolls",
            ylim=(0, None),
            xlabel="face that lies below",
        )
        ax.legend(frameon=False, fontsize=8)
