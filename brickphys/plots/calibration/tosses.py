"""Pictures of simulated and real tosses."""

from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.container import ErrorbarContainer
from matplotlib.contour import QuadContourSet
from matplotlib.lines import Line2D

from brickphys.arrays import Array, Mask
from brickphys.calibration.tosses.toss_fit import LikelihoodSurface
from brickphys.calibration.tosses.toss_scores import ReliabilityBin
from brickphys.calibration.tosses.tosses import Model
from brickphys.plots.charts import BLUE, VERMILION, YELLOW

_LEVELS = 12


@dataclass(frozen=True)
class TravelArtists:
    """What `draw_travel` drew: tosses by whether the face is right, and the line on which both distances are equal."""

    right: PathCollection
    wrong: PathCollection
    equal: Line2D


@dataclass(frozen=True)
class SurfaceArtists:
    """What `draw_surface` drew: the log loss, the pairs that folds chose, and last the pair fitted to all tosses."""

    filled: QuadContourSet
    marks: tuple[Artist, ...]


def draw_travel(simulated_m: Array, real_m: Array, right: Mask, ax: Axes) -> TravelArtists:
    """Draw how far each toss travelled, simulated against real.

    Parameters
    ----------
    simulated_m, real_m : ndarray, shape (n,)
        Horizontal distances.
    right : ndarray of bool, shape (n,)
        Whether the simulated final face is the real one.
    """
    bottom = 0.9 * float(min(simulated_m.min(), real_m.min()))
    top = 1.05 * float(max(simulated_m.max(), real_m.max(), 1e-3))
    (equal,) = ax.plot([bottom, top], [bottom, top], color="0.6", linewidth=1, zorder=1)
    hit = ax.scatter(
        real_m[right],
        simulated_m[right],
        s=18,
        color=BLUE,
        alpha=0.6,
        linewidths=0,
        label=f"right face ({int(right.sum())})",
    )
    miss = ax.scatter(
        real_m[~right],
        simulated_m[~right],
        s=26,
        marker="x",
        color=VERMILION,
        linewidths=1.2,
        label=f"wrong face ({int((~right).sum())})",
    )
    ax.set(xlim=(bottom, top), ylim=(bottom, top))
    ax.set_box_aspect(1)
    ax.set_xlabel("real distance (m)")
    ax.set_ylabel("simulated distance (m)")
    ax.set_title("Distance travelled by each toss")
    ax.legend(loc="upper left", frameon=False)
    return TravelArtists(hit, miss, equal)


def draw_reliability(bins: tuple[ReliabilityBin, ...], ax: Axes) -> ErrorbarContainer:
    """Draw observed shares of faces over predicted chances, with Wilson intervals; calibrated ones are on the diagonal.

    Each bin of chances is labelled with its number of faces.
    """
    predicted = np.array([one.predicted for one in bins])
    observed = np.array([one.observed for one in bins])
    low, high = np.array([one.ci95 for one in bins]).T
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, zorder=1)
    drawn = ax.errorbar(
        predicted,
        observed,
        yerr=[observed - low, high - observed],
        fmt="o",
        color=BLUE,
        capsize=2,
        markersize=5,
    )
    for one in bins:
        ax.annotate(
            str(one.count),
            (one.predicted, one.ci95[1]),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=7,
            color="0.35",
        )
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.09))
    ax.set_box_aspect(1)
    ax.set_xlabel("predicted chance of a face")
    ax.set_ylabel("observed share")
    ax.set_title("Calibration of the predicted chances")
    return drawn


def draw_surface(
    surface: LikelihoodSurface, chosen: tuple[tuple[Model, int], ...], best: Model, ax: Axes
) -> SurfaceArtists:
    """Draw the loss that a fit minimises over friction and restitution at the best noise, and the chosen models.

    Parameters
    ----------
    surface
        The grid of a fit.
    chosen
        Models and the number of folds that chose them, at any noise.
    best
        The model fitted to all tosses.
    """
    mean = surface.at_noise(best.noise_scale)
    # a valley with steep walls: even steps of the logarithm show its floor and its walls
    levels = np.geomspace(mean.min() * 0.999, mean.max() * 1.001, _LEVELS)
    filled = ax.contourf(
        surface.frictions, surface.restitutions, mean.T, levels=levels, cmap="Blues_r"
    )
    picks = ax.scatter(
        [model.contact.friction for model, _ in chosen],
        [model.contact.restitution for model, _ in chosen],
        s=[20.0 + 8.0 * times for _, times in chosen],
        facecolors="none",
        edgecolors=VERMILION,
        linewidths=1.4,
        label="chosen by cross-validation (area: folds)",
    )
    (fitted,) = ax.plot(
        best.contact.friction,
        best.contact.restitution,
        marker="*",
        markersize=11,
        color=YELLOW,
        markeredgecolor="black",
        markeredgewidth=0.6,
        linestyle="none",
        label="fitted to all tosses",
    )
    ax.set_xlabel("friction")
    ax.set_ylabel("restitution")
    faces_only = surface.travel_error_mm is None
    ax.set_title("Log loss of the final face" if faces_only else "Loss of faces and distances")
    ax.legend(loc="upper right", framealpha=0.9)
    ax.set_box_aspect(1)
    return SurfaceArtists(filled, (picks, fitted))
