"""What is drawn is what home throws and engines say."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection

from brickphys.calibration.agreement import Agreement, GridCell
from brickphys.calibration.combined_law import combined_law
from brickphys.calibration.home import infer_surface
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.posterior import Posterior, SurfacePosterior, middles
from brickphys.calibration.throwers import Tally
from brickphys.odds.distribution import wilson
from brickphys.odds.law_file import default_law
from brickphys.plots import validation
from brickphys.throws.conditions import surface
from tests.fitted import shipped_response


@pytest.fixture(scope="module")
def counts():
    return HomeCounts(np.full(80, 3), np.random.default_rng(1).binomial(3, 0.29, 80))


@pytest.fixture(scope="module")
def found(counts):
    response = shipped_response()
    law = default_law()
    return [infer_surface(counts, surface(name), law, response, 1) for name in ("wood", "cloth")]


def peak(line):
    x, y = line.get_data()
    return x[np.argmax(y)]


def curves(ax):
    return {line.get_label().split()[0]: line for line in ax.lines}


def test_each_curve_peaks_where_its_chance_is(counts, found, ax):
    law = default_law()
    combined = combined_law(law, counts, "mine.csv", "")
    validation.draw_share(found[0], combined, ax)
    drawn = curves(ax)
    assert peak(drawn["the"]) == pytest.approx(100 * float(law.p), abs=0.3)
    assert peak(drawn["both"]) == pytest.approx(100 * float(combined.p), abs=0.3)
    assert peak(drawn["thrown"]) == pytest.approx(100 * found[0].share.p.mean, abs=0.5)


def test_a_law_of_another_surface_is_not_drawn(found, ax):
    validation.draw_share(found[1], None, ax)
    assert curves(ax).keys() == {"thrown"}


def narrow(one):
    """A posterior that is much narrower than the ranges of a surface."""
    ends = one.ranges.friction, one.ranges.restitution
    values = [middles(*span, 41) for span in ends]
    falling = [np.exp(-(np.linspace(-8, 8, 41) ** 2)) for _ in ends]
    marginal = [weights / weights.sum() for weights in falling]
    friction, restitution = map(Posterior, values, marginal)
    return SurfacePosterior(friction, restitution, np.outer(*marginal), 1.0)


def test_regions_hold_what_they_say(found, ax):
    for contact, shares in ((narrow(found[0]), (0.95, 0.5)), (found[0].contact, (0.95,))):
        filled = validation.draw_contact(found[0], contact, ax)
        for level, share in zip(filled.levels[:-1], shares, strict=True):
            held = contact.weights[contact.weights >= level].sum()
            assert held == pytest.approx(share, abs=0.06)


def test_the_picture_says_what_the_counts_hardly_determine(found, ax):
    validation.draw_contact(found[0], found[0].contact, ax)
    assert "hardly determine friction or restitution" in ax.get_title()
    validation.draw_contact(found[0], narrow(found[0]), ax)
    assert "hardly" not in ax.get_title()


def test_a_figure_has_a_row_a_surface(found):
    """The counts hardly determine friction nor restitution; there is a second column only for those that do."""
    figure = validation.infer_figure(found, None)
    FigureCanvasAgg(figure).draw()
    assert len(figure.axes) == 2
    clear = [replace(found[0], contact=narrow(found[0])), found[1]]
    assert len(validation.infer_figure(clear, None).axes) == 4


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
    validation.draw_agreement(Agreement(TALLIES, dict.fromkeys(SPOTS, 0.4), ()), ax)
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
    validation.draw_agreement(Agreement(TALLIES, {}, ()), ax)
    heights = [engine[0].get_ydata() for engine in ax.containers]
    assert np.all(heights[0] != heights[1])
    assert not slow(ax)


def test_figure_grows_with_the_grid() -> None:
    short = validation.agreement_figure(Agreement({SPOTS[0]: TALLIES[SPOTS[0]]}, {}, ()))
    assert (
        validation.agreement_figure(Agreement(TALLIES, {}, ())).get_figheight()
        > short.get_figheight()
    )
