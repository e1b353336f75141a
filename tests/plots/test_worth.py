"""Pictures of worths show what was found, each at its place."""

import pytest
from matplotlib.figure import Figure

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.unit_values import UnitValue, UnitValues, WinShare
from brickphys.plots.batch import draw_wins, draw_worths


def found(times: float) -> UnitValues:
    return UnitValues(
        battles=100,
        undecided=0,
        units=(
            UnitValue("knight", 30.0, 40, Estimate(15.0 * times, 10.0 * times, 20.0 * times)),
            UnitValue("basic_trooper", 9.0, 90, Estimate(18.0, 9.0, 27.0)),
        ),
        weights={},
        powers={},
        slope=Estimate(2.0, 1.0, 3.0),
        seat=Estimate(0.5, 0.4, 0.6),
        curve=(
            WinShare(0.5, Estimate(0.2, 0.1, 0.3), 50),
            WinShare(2.0, Estimate(0.8, 0.7, 0.9), 50),
        ),
        predicted={},
    )


def test_worths_lie_over_their_prices_the_most_underpriced_on_top(ax):
    draw_worths({"greedy": found(1.0), "random": found(2.0)}, ax)
    greedy, rand = ax.containers
    assert greedy[0].get_xdata().tolist() == [0.5, 2.0]
    assert rand[0].get_xdata().tolist() == [1.0, 2.0]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "basic trooper (9)",
        "knight (30)",
    ]
    assert ax.yaxis_inverted()
    ends = [segment[:, 0].tolist() for segment in greedy[2][0].get_segments()]
    assert ends == [pytest.approx([10 / 30, 20 / 30]), pytest.approx([1.0, 3.0])]


def test_wins_rise_with_the_ratio_as_fitted(ax):
    draw_wins({"greedy": found(1.0)}, ax)
    assert ax.containers[0][0].get_ydata().tolist() == pytest.approx([20.0, 80.0])
    (line,) = (one for one in ax.lines if len(one.get_xdata()) == 51)
    assert line.get_xdata()[[0, -1]].tolist() == pytest.approx([0.5, 2.0])
    assert line.get_ydata()[[0, 25, -1]].tolist() == pytest.approx([20.0, 50.0, 80.0])


@pytest.mark.parametrize("count", [1, 2, 8])
def test_every_set_of_battles_has_one_entry_in_each_legend_and_a_look_of_its_own(count):
    sets = {f"set {number}": found(1.0 + number) for number in range(count)}
    figure = Figure()
    left, right = figure.subplots(1, 2)
    draw_worths(sets, left)
    draw_wins(sets, right)
    assert [len(ax.get_legend().get_texts()) for ax in (left, right)] == [count, count]
    looks = [(one.lines[0].get_marker(), one.lines[0].get_color()) for one in left.containers]
    assert len(set(looks)) == count
