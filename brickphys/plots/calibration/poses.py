"""Pictures of poses: how thrown bodies stopped, and in what a body can rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, nan

from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text

from brickphys.calibration.poses import Poses
from brickphys.calibration.throw import Throws
from brickphys.odds.law import Law
from brickphys.plots.charts import BLUE, PALE_BLUE, open_frame
from brickphys.plots.glyphs import heading

_BAR = 0.8


@dataclass(frozen=True)
class PosesArtists:
    """What `draw_poses` drew, in the order of the law's counts: bars, Wilson 95 % intervals, per cent above them."""

    bars: BarContainer
    intervals: ErrorbarContainer
    figures: tuple[Text, ...]


def draw_poses(thrown: Law | Throws, ax: Axes) -> PosesArtists:
    """Draw the share of each pose with its 95 % interval; the bars of poses that score have another colour."""
    bodies = sum(thrown.counts.values())
    places = range(len(thrown.counts))
    shares = [100 * count / bodies for count in thrown.counts.values()]
    ends = [(100 * low, 100 * high) for low, high in thrown.poses_ci95.values()]
    colours = [BLUE if pose in thrown.scoring else PALE_BLUE for pose in thrown.counts]
    bars = ax.bar(places, shares, width=_BAR, color=colours)
    intervals = ax.errorbar(
        places, shares, yerr=reach(shares, ends), fmt="none", ecolor="black", capsize=4
    )
    figures = tuple(
        ax.text(place, high + 1, share_figure(share), ha="center", va="bottom")
        for place, share, (_, high) in zip(places, shares, ends, strict=True)
    )
    ax.set_xticks(places, [pose.replace("_", "\n") for pose in thrown.counts], fontsize=9)
    ax.set_ylim(0, 1.12 * max(high for _, high in ends))
    ax.set_ylabel("share of single bodies (%)")
    ax.set_title("How a body stops")
    open_frame(ax)
    return PosesArtists(bars, intervals, figures)


def throws_figure(thrown: Throws) -> Figure:
    """Return the share of each pose of some throws."""
    figure = Figure(figsize=(6.5, 4.5), dpi=120, layout="constrained")
    ax = figure.add_subplot()
    draw_poses(thrown, ax)
    ax.set_ylabel("share of bodies (%)")
    ax.set_title(heading(thrown.line().replace(": ", ":\n", 1)), fontsize=10)
    return figure


def poses_figure(poses: Poses) -> Figure:
    """Return the solid angle of each pose, and the height over which a body must rise to leave it."""
    figure = Figure(figsize=(8, 3.6), dpi=120, layout="constrained")
    left, right = figure.subplots(1, 2)
    names = [rest.pose.replace("_", "\n") for rest in poses.rests]
    left.bar(names, [100 * rest.solid_angle_share for rest in poses.rests], _BAR, color=BLUE)
    left.set_ylabel("solid-angle share (%)")
    barriers = [rest.barrier_mm if isfinite(rest.barrier_mm) else nan for rest in poses.rests]
    right.bar(names, barriers, _BAR, color=PALE_BLUE)
    right.set_ylabel("barrier (mm)")
    for ax in (left, right):
        open_frame(ax)
    figure.suptitle(heading(poses.line()), fontsize=10)
    return figure


def share_figure(share: float) -> str:
    """Return per cents; a share that is not 0 is never rounded to 0."""
    if share == 0:
        return "0"
    return f"{share:.1f}" if share >= 0.05 else "<0.1"


def reach(
    middle: Sequence[float], ends: Sequence[tuple[float, float]]
) -> tuple[list[float], list[float]]:
    """Return the lengths of whiskers below and above, none of them negative by rounding."""
    below = [max(0.0, m - low) for m, (low, _) in zip(middle, ends, strict=True)]
    above = [max(0.0, high - m) for m, (_, high) in zip(middle, ends, strict=True)]
    return below, above
