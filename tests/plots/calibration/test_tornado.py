"""A tornado shows both ends of every range, the farthest-reaching cause on top."""

import pytest

from brickphys.calibration.sensitivity import CauseEffect, RangeEnd, Sensitivity, SobolIndex
from brickphys.plots.law import draw_tornado

NONE = SobolIndex(0.0, (0.0, 0.0))


def effect(low, high):
    ends = [RangeEnd(value, p, (p - 0.002, p + 0.002)) for value, p in ((1.0, low), (2.0, high))]
    return CauseEffect(NONE, NONE, *ends)


def test_bars_end_where_the_chance_is_and_are_sorted(ax):
    effects = {"wall_mm": effect(0.29, 0.31), "friction": effect(0.33, 0.27)}
    draw_tornado(Sensitivity(0.3, 0.02, effects, 0.9, 1000), ax)
    *both, errors = ax.containers
    ends = [[bar.get_x() + bar.get_width() for bar in bars] for bars in both]
    assert ends[0] == pytest.approx([33.0, 29.0])
    assert ends[1] == pytest.approx([27.0, 31.0])
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["friction\n1 to 2", "wall\n1 to 2 mm"]
    whiskers = errors.lines[2][0].get_segments()
    assert whiskers[0][:, 0] == pytest.approx([32.8, 33.2])
