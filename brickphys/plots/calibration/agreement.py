"""Pictures of the shares of poses by several engines."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from brickphys.calibration.agreement import Agreement
from brickphys.odds.intervals import wilson
from brickphys.plots.charts import COLOURS

_MARKS = ("o", "s", "^", "v")
_SPREAD = 0.22
"""Distance between the points of one row; rows are one apart."""


@dataclass(frozen=True)
class AgreementArtists:
    """What `draw_agreement` drew: points with error bars by engine, and the shares without speed if there are any."""

    engines: tuple[ErrorbarContainer, ...]
    quasi_static: PathCollection | None


def draw_agreement(agreement: Agreement, ax: Axes) -> AgreementArtists:
    """Draw the share of one pose in every cell of the grid, by every engine, with 95 % intervals."""
    spots = list(agreement.tallies)
    rows = np.arange(len(spots), dtype=float)
    names = list(agreement.tallies[spots[0]])
    drawn = []
    for number, name in enumerate(names):
        tallies = [agreement.tallies[spot][name] for spot in spots]
        hits = [tally.counts[spot.pose] for tally, spot in zip(tallies, spots, strict=True)]
        share = np.array([hit / tally.bricks for hit, tally in zip(hits, tallies, strict=True)])
        ends = np.array(
            [wilson(hit, tally.bricks) for hit, tally in zip(hits, tallies, strict=True)]
        )
        drawn.append(
            ax.errorbar(
                100 * share,
                rows + _SPREAD * (number - (len(names) - 1) / 2),
                xerr=100 * np.abs(ends - share[:, None]).T,
                linestyle="none",
                marker=_MARKS[number % len(_MARKS)],
                color=COLOURS[number % len(COLOURS)],
                markersize=4,
                capsize=2,
                linewidth=1,
                label=name,
            )
        )
    slow = None
    if agreement.quasi_static:
        still = [100 * agreement.quasi_static[spot] for spot in spots]
        slow = ax.scatter(
            still, rows, marker="D", s=22, facecolors="none", edgecolors="0.5", zorder=1
        )
        slow.set_label("toppling without speed (trimesh)")
    ax.set_yticks(rows, [f"{spot.name} ({spot.pose})" for spot in spots])
    ax.set_ylim(len(spots) - 0.4, -0.6)
    ax.grid(axis="x", color="0.9")
    ax.set_axisbelow(True)
    ax.set_xlabel("share of the pose (%), with 95 % interval")
    return AgreementArtists(tuple(drawn), slow)


def agreement_figure(agreement: Agreement) -> Figure:
    """Return a whole figure of an agreement, as high as its grid needs."""
    height = 1.6 + 0.32 * len(agreement.tallies)
    figure = Figure(figsize=(8.0, height), dpi=120, layout="constrained")
    draw_agreement(agreement, figure.subplots())
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    return figure
