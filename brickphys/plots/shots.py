"""Shots: pictures of the law of a shot over the range: hits by phase, and targets knocked over."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from brickphys.plots.charts import BLUE, GREEN, PALE_BLUE, VERMILION, open_frame
from brickphys.projectiles.aim.aim_law import PHASES
from brickphys.projectiles.shot import ShotLaw


def draw_shots(laws: Sequence[tuple[float, ShotLaw]], marked_in: float, ax: Axes) -> None:
    """Draw the shares of hits by phase, stacked, and the share of knocked-over targets with its interval.

    Parameters
    ----------
    laws
        Ranges in inches, increasing, with the law of a shot at one target there.
    marked_in
        A range that is marked.
    ax
        Axes.
    """
    ranges = [inches for inches, _ in laws]
    shares = 100 * np.array([law.aim.by_phase[0] for _, law in laws]).T
    ax.stackplot(
        ranges, shares, colors=(BLUE, PALE_BLUE, GREEN), labels=[f"hit, {how}" for how in PHASES]
    )
    knocked = [law.knocked_by(0) for _, law in laws]
    share, low, high = (
        100 * np.array([getattr(one, end) for one in knocked]) for end in ("share", "low", "high")
    )
    ax.plot(ranges, share, color=VERMILION, label="knocked over, 95 % interval")
    ax.fill_between(ranges, low, high, color=VERMILION, alpha=0.4, linewidth=0)
    ax.axvline(marked_in, color="black", linewidth=1, linestyle=":")
    ax.set(xlabel="range (in)", ylabel="chance (%)", xlim=(0, ranges[-1]), ylim=(0, 100))
    ax.legend(frameon=False)
    open_frame(ax)
