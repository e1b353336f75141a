"""The picture of what home throws say shows what was found."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from brickphys.calibration.combined_law import combined_law
from brickphys.calibration.home import infer_surface
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.posterior import Posterior, SurfacePosterior, middles
from brickphys.odds.law_file import default_law
from brickphys.plots.validation import draw_contact, draw_share, infer_figure
from brickphys.throws.conditions import surface
from tests.fitted import shipped_response


@pytest.fixture(scope="module")
def counts():
    return HomeCounts(np.full(80, 3), np.random.default_rng(1).binomial(3, 0.35, 80))


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
    draw_share(found[0], combined, ax)
    drawn = curves(ax)
    assert peak(drawn["the"]) == pytest.approx(100 * float(law.p), abs=0.3)
    assert peak(drawn["both"]) == pytest.approx(100 * float(combined.p), abs=0.3)
    assert peak(drawn["thrown"]) == pytest.approx(100 * found[0].share.p.mean, abs=0.5)


def test_a_law_of_another_surface_is_not_drawn(found, ax):
    draw_share(found[1], None, ax)
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
        filled = draw_contact(found[0], contact, ax)
        for level, share in zip(filled.levels[:-1], shares, strict=True):
            held = contact.weights[contact.weights >= level].sum()
            assert held == pytest.approx(share, abs=0.06)


def test_the_picture_says_what_the_counts_hardly_determine(found, ax):
    draw_contact(found[0], found[0].contact, ax)
    assert "hardly determine friction or restitution" in ax.get_title()
    draw_contact(found[0], narrow(found[0]), ax)
    assert "hardly" not in ax.get_title()


def test_a_figure_has_a_row_a_surface(found):
    """The counts hardly determine friction nor restitution; there is a second column only for those that do."""
    figure = infer_figure(found, None)
    FigureCanvasAgg(figure).draw()
    assert len(figure.axes) == 2
    clear = [replace(found[0], contact=narrow(found[0])), found[1]]
    assert len(infer_figure(clear, None).axes) == 4
