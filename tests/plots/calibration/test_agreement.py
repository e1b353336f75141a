"""What is drawn is what the engines said."""

import numpy as np
import pytest
from matplotlib.collections import PathCollection

from brickphys.calibration.agreement import Agreement, GridCell
from brickphys.calibration.throwers import Tally
from brickphys.odds.distribution import wilson
from brickphys.plots.validation import agreement_figure, draw_agreement

SPOTS = (
    GridCell("2x2", "wood", (100.0, 300.0)),
    GridCell("cuboid:10x10x20", "glass", (20.0, 40.0)),
)


def tally(**counts: int) -> Tally:
    bricks = sum(counts.values())
    return Tally(counts, (bricks, 0), 0.0)


TALLIES = {
    SPOTS[0]: {"bullet": tally(side=30, flat=70), "compiled": tally(side=330, flat=670)},
    SPOTS[1]: {"bullet": tally(x=45, y=55), "compiled": tally(x=480, y=520)},
}


def slow(ax):
    """The shares without speed."""
    return [one for one in ax.collections if isinstance(one, PathCollection)]


def test_points_and_bars_are_shares_and_their_intervals(ax) -> None:
    draw_agreement(Agreement(TALLIES, dict.fromkeys(SPOTS, 0.4), ()), ax)
    points, _, (bars,) = ax.containers[1]
    assert points.get_xdata() == pytest.approx([33.0, 48.0])
    ends = [segment[:, 0] for segment in bars.get_segments()]
    assert ends[0] == pytest.approx(100 * np.array(wilson(330, 1000)))
    assert ends[1] == pytest.approx(100 * np.array(wilson(480, 1000)))
    (still,) = slow(ax)
    assert still.get_offsets().data[:, 0] == pytest.approx([40.0, 40.0])
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["2x2 wood 100:300 (side)", "cuboid:10x10x20 glass 20:40 (x)"]


def test_engines_of_one_cell_do_not_hide_each_other(ax) -> None:
    draw_agreement(Agreement(TALLIES, {}, ()), ax)
    heights = [engine[0].get_ydata() for engine in ax.containers]
    assert np.all(heights[0] != heights[1])
    assert not slow(ax)


def test_figure_grows_with_the_grid() -> None:
    short = agreement_figure(Agreement({SPOTS[0]: TALLIES[SPOTS[0]]}, {}, ()))
    assert agreement_figure(Agreement(TALLIES, {}, ())).get_figheight() > short.get_figheight()
