"""Pictures of armies that met in pairs, ranked by strength."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer

from brickphys.batch.value.ranking import Rank
from brickphys.plots.charts import BLUE, open_frame
from brickphys.text import spoken


def draw_ranks(ranks: Sequence[Rank], ax: Axes) -> ErrorbarContainer:
    """Draw the share of battles that each army has won, with its interval, the strongest on top."""
    shares = [rank.share for rank in ranks]
    dots = ax.errorbar(
        [100 * share.value for share in shares],
        range(len(shares)),
        xerr=[
            [100 * (share.value - share.low) for share in shares],
            [100 * (share.high - share.value) for share in shares],
        ],
        fmt="o",
        color=BLUE,
        capsize=2.5,
        elinewidth=1.2,
    )
    ax.axvline(50, color="0.7", linewidth=1, zorder=0)
    ax.set_yticks(range(len(ranks)), [spoken(rank.name) for rank in ranks])
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
    ax.set_xlabel("battles won (%), draws as halves; 95 % intervals")
    open_frame(ax)
    return dots
